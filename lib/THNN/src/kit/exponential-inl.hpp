// e^x, sigmoid and tanh as plain loops that the compiler vectorises, with the same bits everywhere, for files of inner
// loops: included after <hwy/foreach_target.h>, and compiled once per SIMD target.
#if defined(THNN_EXPONENTIAL_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef THNN_EXPONENTIAL_INL
#undef THNN_EXPONENTIAL_INL
#else
#define THNN_EXPONENTIAL_INL
#endif

#include <hwy/base.h>
#include <hwy/ops/set_macros-inl.h>

#include <bit>
#include <cmath>
#include <iterator>
#include <limits>

#include "kit/exponential.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

// e^x = scale (1 + tail) for lowest <= x <= 0, as kit/exponential.hpp has it.
template <class C>
struct ExpParts {
  C scale, tail;
};
template <class C, class Format = ExpFormat<C>>
inline ExpParts<C> expParts(C x) {
  using Int = typename Format::Int;
  static_assert(Format::terms[0] == 1 && Format::terms[1] == 1);
  const C sum = x * C(1.4426950408889634) + kRounder<C>;
  const C n = sum - kRounder<C>;
  const C r = (x - n * Format::high) - n * Format::low;
  constexpr int last = std::size(Format::terms) - 1;
  C p = Format::terms[last];
#pragma GCC unroll 16
  for (int i = last - 1; i >= 1; i--) p = p * r + Format::terms[i];
  const Int exponent = std::bit_cast<Int>(sum) - std::bit_cast<Int>(kRounder<C>);
  return {std::bit_cast<C>(Int((exponent + std::numeric_limits<C>::max_exponent - 1) << Format::mantissa)), p * r};
}

// For x <= 0, NaN included, to about one unit in the last place; what would be subnormal is 0.
template <class C>
inline C expOf(C x) {
  const ExpParts<C> e = expParts(x);
  const C y = (e.tail + 1) * e.scale;
  return x < ExpFormat<C>::lowest ? C(0) : y;
}

// e^x - 1 for x <= 0, with all its digits near 0.
template <class C>
inline C expm1Of(C x) {
  const ExpParts<C> e = expParts(x);
  const C y = e.tail * e.scale + (e.scale - 1);
  return x < ExpFormat<C>::lowest ? C(-1) : y;
}

template <class C>
inline C sigmoidOf(C x) {
  const C e = expOf(-std::abs(x)), y = 1 / (1 + e);
  return x < 0 ? e * y : y;
}

template <class C>
inline C tanhOf(C x) {
  const C e = expm1Of(-2 * std::abs(x));
  return std::copysign(e / (e + 2), x);
}

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
