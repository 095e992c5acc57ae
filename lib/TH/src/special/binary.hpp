// Functions of two numbers, as templates: see formulas.hpp.
#pragma once

#include <cmath>
#include <cstdint>
#include <numeric>
#include <type_traits>

#include "kit/special.hpp"

namespace th::formulas {

// The larger plus what the other adds; equal infinities have no difference.
template <class Real>
constexpr Real logAddExp(Real a, Real b) {
  if (std::isinf(a) && a == b) return a;
  const Real d = a - b;
  return (d > 0 ? a : b) + std::log1p(std::exp(-std::fabs(d)));
}
template <class Real>
constexpr Real logAddExp2(Real a, Real b) {
  if (std::isinf(a) && a == b) return a;
  const Real d = a - b;
  return (d > 0 ? a : b) + std::log1p(std::exp2(-std::fabs(d))) * 1.44269504088896340736;
}

// x 2^y; 2^y alone may overflow or vanish where the product does not.
template <class Real>
constexpr Real scaleByPower(Real x, Real y) {
  if (!(std::fabs(y) > 1000) || !std::isfinite(y)) return x * std::exp2(y);
  const Real whole = std::trunc(y);
  return std::scalbn(x * std::exp2(y - whole), int(std::fmax(-5000, std::fmin(5000, whole))));
}

// The number of a half type T after a, towards b.
template <class T>
constexpr T nextHalf(T a, T b) {
  const float x = a, y = b;
  if (x != x || y != y) return T(float(special::kNan));
  if (x == y) return b;
  T r{};
  if (x == 0)
    r.bits = uint16_t(1 | (y < 0 ? 0x8000 : 0));
  else
    r.bits = uint16_t((x < y) == (x > 0) ? a.bits + 1 : a.bits - 1);
  return r;
}

// The lowest number has no absolute value in T, so in the unsigned type.
template <class T>
constexpr std::make_unsigned_t<T> magnitude(T a) {
  using U = std::make_unsigned_t<T>;
  if constexpr (std::is_unsigned_v<T>)
    return a;
  else
    return a < 0 ? U(-U(a)) : U(a);
}
template <class T>
constexpr T greatestDivisor(T a, T b) {
  return T(std::gcd(magnitude(a), magnitude(b)));
}
template <class T>
constexpr T leastMultiple(T a, T b) {
  using U = std::make_unsigned_t<T>;
  const U d = std::gcd(magnitude(a), magnitude(b));
  if (!d) return 0;
  // Where it does not fit into T it wraps: narrow types after the absolute value, the others before, as in torch.
  if constexpr (sizeof(T) < sizeof(int)) return T(uint32_t(magnitude(a) / d) * magnitude(b));
  return T(magnitude(T(U(magnitude(a) / d * magnitude(b)))));
}

}  // namespace th::formulas
