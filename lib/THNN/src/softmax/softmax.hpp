// What a kernel along one dimension is made of, for the best SIMD target: softmax_loops.cpp.
#pragma once

#include <cstdint>

namespace thnn {

constexpr int64_t kTile = 64;  // columns of a tile

// Row: n neighbours. Tile: n lines of `width` <= kTile neighbours, `stride` apart, for as many independent problems.
// r may be x or y.
template <class C>
struct DimLoop {
  void (*row)(const C *x, const C *y, C *r, int64_t n);
  void (*tile)(const C *x, const C *y, C *r, int64_t n, int64_t width, int64_t stride);
};
struct DimLoops {
  DimLoop<float> single;
  DimLoop<double> twice;
};
template <class C>
const DimLoop<C> &loopOf(const DimLoops &loops) {
  if constexpr (sizeof(C) == sizeof(float))
    return loops.single;
  else
    return loops.twice;
}

const DimLoops &softMax();
const DimLoops &logSoftMax();
const DimLoops &softMaxBackward();  // x: gradOutput, y: output
const DimLoops &logSoftMaxBackward();

}  // namespace thnn
