// Sampling of some places, for the best SIMD target: grid_loops.cpp.
#pragma once

#include <THNN/Grid.h>

namespace thnn {

// Places are sampled so many at a time: what is known of them stays in the first cache.
constexpr int64_t kPlaces = 64;

// `grid`: the coordinates of n places, at most kPlaces. x and gx are channels of an image; y, gy of its samples, which
// begin at these places.
template <class C>
struct GridLoops {
  void (*sample)(const THNNGridPlan &p, const C *grid, int64_t n, const C *x, C *y);
  void (*scatter)(const THNNGridPlan &p, const C *grid, int64_t n, int64_t channels, const C *gy, C *gx);
  void (*slopes)(const THNNGridPlan &p, const C *grid, int64_t n, const C *x, const C *gy, C *ggrid);
};

template <class C> const GridLoops<C> &gridLoops();  // float, double

}  // namespace thnn
