// Lines of a resampled plane, for the best SIMD target: upsampling_loops.cpp.
#pragma once

#include "taps.hpp"

namespace thnn {

template <class C>
struct UpSamplingLoops {
  // y = Σ weights[i] · lines[i] for n lines of `width` elements; n > 0
  void (*mix)(const C *const *lines, const C *weights, int64_t n, int64_t width, C *y);
  // A line's elements by its taps.
  void (*resample)(const Taps<C> &taps, const C *x, C *y);
};

template <class C> const UpSamplingLoops<C> &upSamplingLoops();  // float, double

}  // namespace thnn
