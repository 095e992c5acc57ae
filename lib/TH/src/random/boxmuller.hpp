// Normal deviates from uniform words (Box and Muller, 1958): with u in (0, 1] and v in [0, 1),
// sqrt(-2 ln u) cos 2πv and sqrt(-2 ln u) sin 2πv are independent and normal.
// Logarithm, sine and cosine are series for just these ranges, in the vectoriser's reach, and give
// the same bits on every machine; the library's would not.
#pragma once

#include <bit>
#include <cmath>
#include <cstdint>

namespace th {

template <class T> struct BoxMullerFormat;
template <> struct BoxMullerFormat<float> {
  using Int = int32_t;
  static constexpr int bits = 24, logTerms = 5, trigTerms = 6;
};
template <> struct BoxMullerFormat<double> {
  using Int = int64_t;
  static constexpr int bits = 53, logTerms = 12, trigTerms = 10;
};

// ln(x · 2^-bits) for a normal x > 0. x = 2^e m with m around 1, and ln m = 2 artanh s with
// s = (m - 1) / (m + 1), |s| < 0.172: a series in s^2.
template <class T, class Format = BoxMullerFormat<T>>
constexpr T logScaled(T x, int bits) {
  using Int = typename Format::Int;
  constexpr int mantissa = Format::bits - 1;
  constexpr Int low = std::bit_cast<Int>(T(0.70710678118654752));
  const Int i = std::bit_cast<Int>(x);
  const Int e = (i - low) >> mantissa;
  const T m = std::bit_cast<T>(Int(i - (e << mantissa)));
  const T s = (m - 1) / (m + 1), s2 = s * s;
  T sum = 0;
#ifndef __CUDACC__  // which knows another one, and needs none
#pragma GCC unroll 16
#endif
  for (int i = Format::logTerms - 1; i >= 0; i--) sum = sum * s2 + T(2) / T(2 * i + 1);
  return T(e - bits) * T(0.69314718055994531) + s * sum;
}

// ln(k / 2^bits) for k in 1 … 2^bits.
template <class T, class Format = BoxMullerFormat<T>>
constexpr T logOfFraction(typename Format::Int k) {
  return logScaled<T>(T(k), Format::bits);
}

// Cosine and sine of the v-th of 2^bits parts of a turn; `Centred`: of that part's middle, so that
// neither is ever 0.
template <class T, bool Centred = false, class Format = BoxMullerFormat<T>>
constexpr void turn(typename Format::Int v, T &c, T &s) {
  using Int = typename Format::Int;
  constexpr int signBit = int(sizeof(T)) * 8 - 1;
  // v / 2^bits = q / 4 + a / 2π, |a| <= π/4
  constexpr int shift = Format::bits - 2;
  const Int q = (v + (Int(1) << (shift - 1))) >> shift;
  T part = T(v - (q << shift));
  if constexpr (Centred) part += T(0.5);
  const T a = part * T(6.2831853071795865 / double(Int(1) << Format::bits));
  const T a2 = a * a;
  // Taylor by Horner: 1 - a2/(1·2) (1 - a2/(3·4) (…)) and a (1 - a2/(2·3) (1 - a2/(4·5) (…)))
  T cosine = 1, sine = 1;
#ifndef __CUDACC__  // which knows another one, and needs none
#pragma GCC unroll 16
#endif
  for (int i = Format::trigTerms - 1; i >= 1; i--) {
    cosine = 1 - cosine * a2 * T(1.0 / ((2 * i - 1) * (2 * i)));
    sine = 1 - sine * a2 * T(1.0 / ((2 * i) * (2 * i + 1)));
  }
  sine *= a;
  // Turned by q quarters.
  const Int swap = -(q & 1);
  const Int near = std::bit_cast<Int>(cosine), far = std::bit_cast<Int>(sine);
  const Int x = (near & ~swap) | (far & swap), y = (far & ~swap) | (near & swap);
  c = std::bit_cast<T>(Int(x ^ (((q + 1) >> 1 & 1) << signBit)));
  s = std::bit_cast<T>(Int(y ^ ((q >> 1 & 1) << signBit)));
}

// Two normals from two integers of `bits` bits.
template <class T, class Format = BoxMullerFormat<T>>
constexpr void boxMuller(typename Format::Int u, typename Format::Int v, T &z0, T &z1) {
  const T radius = std::sqrt(T(-2) * logOfFraction<T>(u + 1));
  turn<T>(v, z0, z1);
  z0 *= radius;
  z1 *= radius;
}

}  // namespace th
