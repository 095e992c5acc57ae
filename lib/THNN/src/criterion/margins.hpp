// The loops of margins between classes, for one SIMD target: margins_loops.cpp.
#pragma once

#include <cstdint>

namespace thnn {

// `squared`: p = 2. A run's losses are of z = x + shift where that is positive.
template <class C>
struct MarginLoop {
  C (*sum)(const C *x, int64_t n, C shift, bool squared);  // of z^p
  // r += factor * the derivative of z^p; its sum over the run
  C (*gradient)(const C *x, C *r, int64_t n, C shift, C factor, bool squared);
};
struct MarginLoops {
  MarginLoop<float> single;
  MarginLoop<double> twice;
};
const MarginLoops &marginLoops();

}  // namespace thnn
