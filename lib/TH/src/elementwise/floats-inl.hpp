// What functions of floats in vectors of double are made of, compiled once per SIMD target: logarithms and powers of two,
// and the loops.
#if defined(TH_FLOATS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TH_FLOATS_INL
#undef TH_FLOATS_INL
#else
#define TH_FLOATS_INL
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <initializer_list>
#include <limits>
#include "kit/convert.hpp"
#include "kit/kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::ScalableTag<double>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;
constexpr size_t kMaxLanes = HWY_MAX_BYTES / sizeof(double);
constexpr double kMost = std::numeric_limits<float>::max();

HWY_INLINE V set(double x) { return hn::Set(D(), x); }

// ---- pieces ------------------------------------------------------------------------------------------
HWY_INLINE V polynomial(V x, std::initializer_list<double> lowestFirst) {
  V r = hn::Zero(D());
  for (const double *c = lowestFirst.end(); c != lowestFirst.begin();) r = hn::MulAdd(r, x, set(*--c));
  return r;
}

// 2 artanh(s) / s / log(base) by its series, for s^2 up to `terms`' worth: 7 for 0.03, 10 for 0.12.
template <int terms>
HWY_INLINE V artanhSeries(V s2, double twoOverLog) {
  V r = set(twoOverLog / (2 * terms - 1));
  for (int k = terms - 1; k > 0; k--) r = hn::MulAdd(r, s2, set(twoOverLog / (2 * k - 1)));
  return r;
}
constexpr double kTwoOverLn2 = 2.88539008177792681472, kLn2 = 0.693147180559945309417;

// A positive normal number as 2^e m, with m from sqrt(1/2) to sqrt(2).
struct Parts {
  V m, e;
};
HWY_INLINE Parts partsOf(V x) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  constexpr uint64_t kOne = 0x3ff0000000000000, kRootHalf = 0x3fe6a09e667f3bcd, kTwo52 = 0x4330000000000000;
  const auto bits = hn::BitCast(du, x);
  const auto biased = hn::ShiftRight<52>(hn::Add(bits, hn::Set(du, kOne - kRootHalf)));
  const V m = hn::BitCast(d, hn::Add(hn::Sub(bits, hn::ShiftLeft<52>(biased)), hn::Set(du, kOne)));
  const V e = hn::Sub(hn::BitCast(d, hn::Or(biased, hn::Set(du, kTwo52))), set(0x1p52 + 1023));
  return {m, e};
}

// log2 of positive normal numbers: log m = 2 artanh((m - 1) / (m + 1)).
HWY_INLINE V log2(V x) {
  const auto [m, e] = partsOf(x);
  const V s = hn::Div(hn::Sub(m, set(1)), hn::Add(m, set(1)));
  return hn::MulAdd(s, artanhSeries<7>(hn::Mul(s, s), kTwoOverLn2), e);
}

// 1 / k!
constexpr struct InverseFactorials {
  double of[18] = {1};
  constexpr InverseFactorials() {
    double factorial = 1;
    for (int k = 1; k < 18; k++) of[k] = 1 / (factorial *= k);
  }
} kInverseFactorial;

// 2^t = 2^n e^z, e^z by nine terms of its series. Beyond 1000 a float is 0 or infinite
// anyway. Adding 1.5 2^52 rounds to an integer, which then stands in the last bits.
HWY_INLINE V exp2(V x) {
  const D d;
  const hn::RebindToUnsigned<D> du;
  const V t = hn::Min(hn::Max(x, set(-1000)), set(1000));
  const V shifted = hn::Add(t, set(0x1.8p52));
  const V z = hn::Mul(hn::Sub(t, hn::Sub(shifted, set(0x1.8p52))), set(kLn2));
  V power = set(kInverseFactorial.of[8]);
  for (int k = 7; k >= 0; k--) power = hn::MulAdd(power, z, set(kInverseFactorial.of[k]));
  return hn::BitCast(d, hn::Add(hn::BitCast(du, power), hn::ShiftLeft<52>(hn::BitCast(du, shifted))));
}

// log(1 + u) / log(base) for u from 0 to 1, as 2 artanh(u / (u + 2)): small u keep their digits.
HWY_INLINE V log1p(V u, double twoOverLog) {
  const V s = hn::Div(u, hn::Add(u, set(2)));
  return hn::Mul(s, artanhSeries<10>(hn::Mul(s, s), twoOverLog));
}

HWY_INLINE M finite(V x) { return hn::Le(hn::Abs(x), set(kMost)); }
HWY_INLINE M positive(V x) { return hn::And(hn::Gt(x, hn::Zero(D())), hn::Le(x, set(kMost))); }

// ---- loops -------------------------------------------------------------------------------------------
template <class T> using MemoryTag = hn::Rebind<T, D>;
HWY_INLINE V load(const float *x) { return hn::PromoteTo(D(), hn::LoadU(MemoryTag<float>(), x)); }
HWY_INLINE V load(const double *x) { return hn::LoadU(D(), x); }
HWY_INLINE void store(V x, float *r) { hn::StoreU(hn::DemoteTo(MemoryTag<float>(), x), MemoryTag<float>(), r); }
HWY_INLINE void store(V x, double *r) { hn::StoreU(x, D(), r); }

template <class Fn, class T, class... Ts>
HWY_INLINE void evaluate(T *r, const Ts *...operands) {
  const D d;
  const auto inside = Fn::inside(load(operands)...);
  const V result = Fn::lanes(load(operands)...);
  if (HWY_LIKELY(hn::AllTrue(d, inside))) return store(result, r);
  T results[kMaxLanes];
  uint8_t bits[8] = {};
  store(result, results);
  hn::StoreMaskBits(d, inside, bits);
  for (size_t i = 0; i < hn::Lanes(d); i++)
    if (!(bits[i / 8] >> i % 8 & 1)) results[i] = T(Fn::single(double(operands[i])...));
  hn::StoreU(hn::LoadU(MemoryTag<T>(), results), MemoryTag<T>(), r);
}

// An operand of this block: the memory itself where that is contiguous and full vectors long.
template <class T>
const T *blockOf(T *block, const char *data, int64_t stride, int64_t i, int64_t m, int64_t lanes) {
  if (stride == sizeof(T) && m % lanes == 0) return reinterpret_cast<const T *>(data) + i;
  if (stride || i == 0) gather(block, data + i * stride, stride, m, sizeof *block);
  std::fill_n(block + m, lanes, T(1));
  return block;
}

template <class Fn, class T, int inputs>
void floatLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  const int64_t lanes = int64_t(hn::Lanes(D()));
  T blocks[inputs][kBlock + kMaxLanes], results[kBlock + kMaxLanes];
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t m = std::min(n - i, kBlock);
    const T *x = blockOf(blocks[0], data[1], strides[1], i, m, lanes), *y = x;
    if constexpr (inputs == 2) y = blockOf(blocks[1], data[2], strides[2], i, m, lanes);
    const bool direct = strides[0] == sizeof(T) && m % lanes == 0;
    T *r = direct ? reinterpret_cast<T *>(data[0]) + i : results;
    for (int64_t j = 0; j < m; j += lanes) {
      if constexpr (inputs == 2)
        evaluate<Fn>(r + j, x + j, y + j);
      else
        evaluate<Fn>(r + j, x + j);
    }
    if (!direct) scatter(data[0] + i * strides[0], strides[0], results, m, sizeof *results);
  }
}

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
