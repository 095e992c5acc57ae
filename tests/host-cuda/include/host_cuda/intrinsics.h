/* Functions that stand for one instruction: bits, integers, arithmetic with a given rounding, conversions. */
#ifndef HOST_CUDA_INTRINSICS_H
#define HOST_CUDA_INTRINSICS_H

#include <bit>
#include <cmath>

inline int __popc(unsigned x) { return std::popcount(x); }
inline int __popcll(unsigned long long x) { return std::popcount(x); }
inline int __clz(int x) { return std::countl_zero(unsigned(x)); }
inline int __clzll(long long x) { return std::countl_zero(static_cast<unsigned long long>(x)); }
inline int __ffs(int x) { return __builtin_ffs(x); }
inline int __ffsll(long long x) { return __builtin_ffsll(x); }
inline unsigned __brev(unsigned x) {
  x = (x >> 1 & 0x55555555u) | (x & 0x55555555u) << 1;
  x = (x >> 2 & 0x33333333u) | (x & 0x33333333u) << 2;
  x = (x >> 4 & 0x0f0f0f0fu) | (x & 0x0f0f0f0fu) << 4;
  return __builtin_bswap32(x);
}
inline unsigned long long __brevll(unsigned long long x) {
  return static_cast<unsigned long long>(__brev(unsigned(x))) << 32 | __brev(unsigned(x >> 32));
}
inline int __mulhi(int a, int b) { return int((long long)a * b >> 32); }
inline unsigned __umulhi(unsigned a, unsigned b) { return unsigned((unsigned long long)a * b >> 32); }
inline long long __mul64hi(long long a, long long b) { return (long long)((__int128)a * b >> 64); }
inline unsigned long long __umul64hi(unsigned long long a, unsigned long long b) {
  return (unsigned long long)((unsigned __int128)a * b >> 64);
}
/* Words hi:lo shifted, of which the upper or lower word remains. */
inline unsigned __funnelshift_l(unsigned lo, unsigned hi, unsigned shift) {
  return unsigned(((unsigned long long)hi << 32 | lo) << (shift & 31) >> 32);
}
inline unsigned __funnelshift_r(unsigned lo, unsigned hi, unsigned shift) {
  return unsigned(((unsigned long long)hi << 32 | lo) >> (shift & 31));
}
/* Bytes of b:a, chosen by the nibbles of `selector`. */
inline unsigned __byte_perm(unsigned a, unsigned b, unsigned selector) {
  const unsigned long long bytes = (unsigned long long)b << 32 | a;
  unsigned result = 0;
  for (int i = 0; i < 4; i++) result |= unsigned(bytes >> (selector >> 4 * i & 7) * 8 & 0xff) << 8 * i;
  return result;
}
inline int __sad(int a, int b, unsigned c) { return int(unsigned(a < b ? b - a : a - b) + c); }

inline int __float_as_int(float x) { return std::bit_cast<int>(x); }
inline unsigned __float_as_uint(float x) { return std::bit_cast<unsigned>(x); }
inline float __int_as_float(int x) { return std::bit_cast<float>(x); }
inline float __uint_as_float(unsigned x) { return std::bit_cast<float>(x); }
inline long long __double_as_longlong(double x) { return std::bit_cast<long long>(x); }
inline double __longlong_as_double(long long x) { return std::bit_cast<double>(x); }
inline int __double2hiint(double x) { return int(std::bit_cast<unsigned long long>(x) >> 32); }
inline int __double2loint(double x) { return int(std::bit_cast<unsigned long long>(x)); }
inline double __hiloint2double(int hi, int lo) {
  return std::bit_cast<double>((unsigned long long)unsigned(hi) << 32 | unsigned(lo));
}

/* Rounded to nearest, and never contracted with what stands beside. */
#pragma GCC push_options
#pragma GCC optimize("fp-contract=off")
inline float __fadd_rn(float a, float b) { return a + b; }
inline float __fsub_rn(float a, float b) { return a - b; }
inline float __fmul_rn(float a, float b) { return a * b; }
inline float __fdiv_rn(float a, float b) { return a / b; }
inline double __dadd_rn(double a, double b) { return a + b; }
inline double __dsub_rn(double a, double b) { return a - b; }
inline double __dmul_rn(double a, double b) { return a * b; }
inline double __ddiv_rn(double a, double b) { return a / b; }
#pragma GCC pop_options
inline float __fmaf_rn(float a, float b, float c) { return std::fma(a, b, c); }
inline double __fma_rn(double a, double b, double c) { return std::fma(a, b, c); }
inline float __fsqrt_rn(float x) { return std::sqrt(x); }
inline double __dsqrt_rn(double x) { return std::sqrt(x); }
inline float __frcp_rn(float x) { return 1 / x; }
inline double __drcp_rn(double x) { return 1 / x; }

/* Conversions to integers saturate, and NaN becomes 0 (of 64 bits and from double: the sign bit alone). */
namespace hostcuda {
template <class To, class From>
To saturate(From x, To nan) {
  constexpr To least = std::numeric_limits<To>::min(), most = std::numeric_limits<To>::max();
  if (x != x) return nan;
  if (x <= From(least)) return least;
  if (x >= -From(std::numeric_limits<std::make_signed_t<To>>::min()) * (std::is_signed_v<To> ? 1 : 2)) return most;
  return To(x);
}
}  // namespace hostcuda
inline int __float2int_rn(float x) { return hostcuda::saturate<int>(std::nearbyint(x), 0); }
inline int __float2int_rz(float x) { return hostcuda::saturate<int>(std::trunc(x), 0); }
inline int __float2int_rd(float x) { return hostcuda::saturate<int>(std::floor(x), 0); }
inline int __float2int_ru(float x) { return hostcuda::saturate<int>(std::ceil(x), 0); }
inline unsigned __float2uint_rn(float x) { return hostcuda::saturate<unsigned>(std::nearbyint(x), 0u); }
inline unsigned __float2uint_rz(float x) { return hostcuda::saturate<unsigned>(std::trunc(x), 0u); }
inline long long __float2ll_rn(float x) {
  return hostcuda::saturate<long long>(std::nearbyint(x), std::numeric_limits<long long>::min());
}
inline long long __float2ll_rz(float x) {
  return hostcuda::saturate<long long>(std::trunc(x), std::numeric_limits<long long>::min());
}
inline int __double2int_rn(double x) { return hostcuda::saturate<int>(std::nearbyint(x), 0); }
inline int __double2int_rz(double x) { return hostcuda::saturate<int>(std::trunc(x), 0); }
inline long long __double2ll_rn(double x) {
  return hostcuda::saturate<long long>(std::nearbyint(x), std::numeric_limits<long long>::min());
}
inline long long __double2ll_rz(double x) {
  return hostcuda::saturate<long long>(std::trunc(x), std::numeric_limits<long long>::min());
}
inline float __int2float_rn(int x) { return float(x); }
inline float __uint2float_rn(unsigned x) { return float(x); }
inline float __ll2float_rn(long long x) { return float(x); }
inline float __ull2float_rn(unsigned long long x) { return float(x); }
inline double __int2double_rn(int x) { return double(x); }
inline double __uint2double_rn(unsigned x) { return double(x); }
inline double __ll2double_rn(long long x) { return double(x); }
inline double __ull2double_rn(unsigned long long x) { return double(x); }
inline float __double2float_rn(double x) { return float(x); }

#endif
