// Sums of what exceeds a margin.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "criterion/margins_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/ops/set_macros-inl.h>

#include "margins.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

// Sixteen sums, which are added in the end.
template <class C, class Term>
HWY_INLINE C sumOf(int64_t n, const Term &term) {
  constexpr int lanes = 16;
  C sums[lanes] = {};
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
#pragma GCC ivdep
    for (int l = 0; l < lanes; l++) sums[l] += term(i + l);
  for (int l = 0; i < n; i++, l++) sums[l] += term(i);
  for (int width = lanes / 2; width; width /= 2)
    for (int l = 0; l < width; l++) sums[l] += sums[l + width];
  return sums[0];
}

// NaN, which compares false, is kept.
template <class C>
HWY_INLINE C beyond(C z) {
  return z <= 0 ? C(0) : z;
}

template <class C>
C sum(const C *x, int64_t n, C shift, bool squared) {
  if (!squared) return sumOf<C>(n, [=](int64_t i) { return beyond(x[i] + shift); });
  return sumOf<C>(n, [=](int64_t i) {
    const C z = beyond(x[i] + shift);
    return z * z;
  });
}

template <class C>
C gradient(const C *x, C *r, int64_t n, C shift, C factor, bool squared) {
  if (!squared)
    return sumOf<C>(n, [=](int64_t i) {
      const C slope = x[i] + shift > 0 ? factor : C(0);
      r[i] += slope;
      return slope;
    });
  return sumOf<C>(n, [=](int64_t i) {
    const C slope = 2 * factor * beyond(x[i] + shift);
    r[i] += slope;
    return slope;
  });
}

constexpr thnn::MarginLoops marginLoops = {{sum<float>, gradient<float>}, {sum<double>, gradient<double>}};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thnn {

const MarginLoops &marginLoops() { return TH_BEST_TARGET(marginLoops); }

}  // namespace thnn
#endif
