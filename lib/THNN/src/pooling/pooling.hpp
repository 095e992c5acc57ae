// Pooling of one plane, for the best SIMD target: pooling_loops.cpp.
#pragma once

#include <algorithm>
#include <THNN/Pooling.h>

namespace thnn {

struct Range {
  int64_t first, last;
};

// The first i for which start + i step >= 0; step > 0.
inline int64_t firstInside(int64_t start, int64_t step) { return start < 0 ? (step - 1 - start) / step : 0; }

// The i of [0, n) for which start + i step lies in [0, size); step > 0.
inline Range inside(int64_t start, int64_t step, int64_t size, int64_t n) {
  const int64_t first = std::min(n, firstInside(start, step));
  const int64_t last = start < size ? (size - start + step - 1) / step : 0;
  return {first, std::clamp(last, first, n)};
}

// What adaptive pooling gives to output position o of n, of `size` elements.
inline Range shareOf(int64_t o, int64_t n, int64_t size) { return {o * size / n, ((o + 1) * size + n - 1) / n}; }

// `scratch` holds scratchOf(plan) bytes. Gradients are written, not added.
template <class C>
struct PoolingLoops {
  void (*max)(const THNNPoolingPlan &p, const C *x, C *y, int64_t *indices, void *scratch);
  void (*average)(const THNNPoolingPlan &p, const C *x, C *y, void *scratch);
  void (*averageGradient)(const THNNPoolingPlan &p, const C *gy, C *gx, void *scratch);
  void (*adaptive)(const THNNPoolingPlan &p, const C *x, C *y, void *scratch);
  void (*adaptiveGradient)(const THNNPoolingPlan &p, const C *gy, C *gx, void *scratch);
  // Of an image whose channels are innermost: the line (d, h) of its results; all of a gradient. `where`: one for each channel.
  void (*maxLast)(const THNNPoolingPlan &p, int64_t channels, int64_t d, int64_t h, const C *x, C *y, int64_t *indices,
                  int64_t *where);
  void (*averageLast)(const THNNPoolingPlan &p, int64_t channels, int64_t d, int64_t h, const C *x, C *y);
  void (*averageGradientLast)(const THNNPoolingPlan &p, int64_t channels, const C *gy, C *gx, C *shares);
};
inline size_t scratchOfLines(const THNNPoolingPlan &p) { return size_t(2 * std::max(p.input[2], p.output[2])) * 8; }
inline size_t scratchOf(const THNNPoolingPlan &p) { return scratchOfLines(p) + size_t(p.kernel[2]) * sizeof(Range); }

// Whether n indices lie in [0, size).
bool allBelow(const int64_t *indices, int64_t n, int64_t size);

template <class C> const PoolingLoops<C> &
poolingLoops();  // float, double, and int64 of which there are `max` and `average`

}  // namespace thnn
