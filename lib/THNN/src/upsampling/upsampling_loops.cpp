// The loops of upsampling: lines mixed, and elements of one line mixed.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "upsampling/upsampling_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/ops/set_macros-inl.h>

#include <type_traits>

#include "upsampling.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
using thnn::Taps;

// y = [y +] the first n of `lines`, weighted.
template <int n, bool adds, class C>
void mixOf(const C *const *lines, const C *weights, int64_t width, C *y) {
#pragma GCC ivdep
  for (int64_t i = 0; i < width; i++) {
    C sum = adds ? y[i] : C(0);
    for (int k = 0; k < n; k++) sum += weights[k] * lines[k][i];
    y[i] = sum;
  }
}

template <class C>
void mix(const C *const *lines, const C *weights, int64_t n, int64_t width, C *y) {
  if (n < 4) {
    const auto some = n == 1 ? mixOf<1, false, C> : n == 2 ? mixOf<2, false, C> : mixOf<3, false, C>;
    return some(lines, weights, width, y);
  }
  mixOf<4, false>(lines, weights, width, y);
  int64_t done = 4;
  for (; done + 4 <= n; done += 4) mixOf<4, true>(lines + done, weights + done, width, y);
  for (; done < n; done++) mixOf<1, true>(lines + done, weights + done, width, y);
}

// Rows that have n taps each.
template <int n, class C>
void evenRows(const Taps<C> &taps, const C *x, C *y) {
  const int32_t *const index = taps.index.data();
  const C *const weight = taps.weight.data();
  const int64_t rows = taps.rows;
#pragma GCC ivdep
  for (int64_t o = 0; o < rows; o++) {
    C sum = weight[o] * x[index[o]];
    for (int k = 1; k < n; k++) sum += weight[k * rows + o] * x[index[k * rows + o]];
    y[o] = sum;
  }
}

template <class C>
void resample(const Taps<C> &taps, const C *x, C *y) {
  const int64_t rows = taps.rows;
  if (taps.plain) {
    const int32_t *const index = taps.index.data();
#pragma GCC ivdep
    for (int64_t o = 0; o < rows; o++) y[o] = x[index[o]];
    return;
  }
  if (taps.even && taps.most == 2) return evenRows<2>(taps, x, y);
  if (taps.even && taps.most == 4) return evenRows<4>(taps, x, y);
  // A tap that a row has not got adds nothing, whatever its element is.
  const int32_t *const count = taps.count.data();
  for (int64_t k = 0; k < taps.most; k++) {
    const int32_t *const index = taps.index.data() + k * rows;
    const C *const weight = taps.weight.data() + k * rows;
#pragma GCC ivdep
    for (int64_t o = 0; o < rows; o++) {
      const C part = weight[o] * x[index[o]];
      y[o] = (k ? y[o] : C(0)) + (k < count[o] ? part : C(0));
    }
  }
}

template <class C>
constexpr thnn::UpSamplingLoops<C> loopsOf = {mix<C>, resample<C>};
constexpr thnn::UpSamplingLoops<float> singles = loopsOf<float>;
constexpr thnn::UpSamplingLoops<double> doubles = loopsOf<double>;

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thnn {

template <> const UpSamplingLoops<float> &upSamplingLoops() { return TH_BEST_TARGET(singles); }
template <> const UpSamplingLoops<double> &upSamplingLoops() { return TH_BEST_TARGET(doubles); }

}  // namespace thnn
#endif
