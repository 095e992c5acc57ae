// What normalisations are made of, for the best SIMD target: normalization_loops.cpp.
//
// Sums run over lanes of vectors of one size, whatever the target, are added up pairwise, and go on in double after kRun
// numbers: the same bits everywhere. In all loops but the last two the result may be one of the inputs.
#pragma once

#include <cstdint>

namespace thnn {

constexpr int64_t kRun = 1024;  // numbers of a sum that is not in double
constexpr int64_t kLines = 64;  // the same of sums down columns
constexpr int64_t kTile = 128;  // columns of a tile
constexpr int64_t kLrnTile = 256;

// Of some numbers their mean and the sum of the squares of their distances from it.
struct Moments {
  double mean, squares;
};
// Sums of g and of g (x - mean).
struct GradientSums {
  double plain, weighted;
};

// g a + (x - mean) b + c; x NULL: g a.
template <class C>
struct Combination {
  C mean, a, b, c;
};

// Rows of n neighbours, `stride` apart, whose statistics are mean and std (its reciprocal), `statistics` apart, and the
// weights of which may be NULL.
template <class C>
struct RowsForward {
  const C *x, *weight, *bias;
  C *y, *mean, *std;  // mean NULL: it is taken as 0
  int64_t n, stride, statistics;
  double eps;
};
template <class C>
struct RowsBackward {
  const C *x = nullptr, *g = nullptr, *weight = nullptr, *mean = nullptr, *std = nullptr;
  C *gx = nullptr;  // NULL: not wanted
  C *gWeight = nullptr, *gBias = nullptr;  // sums over the rows, to which are added; NULL: not wanted
  int64_t n = 0, stride = 0, statistics = 0;
};

template <class C>
struct NormLoop {
  void (*rowsForward)(const RowsForward<C> &r, int64_t begin, int64_t end);
  void (*rowsBackward)(const RowsBackward<C> &r, int64_t begin, int64_t end);

  // Runs of n neighbours.
  Moments (*moments)(const C *x, int64_t n);
  void (*scale)(const C *x, C *y, int64_t n, C mean, C factor, C bias);  // (x - mean) factor + bias
  GradientSums (*sums)(const C *g, const C *x, int64_t n, C mean);
  void (*combine)(const C *g, const C *x, C *r, int64_t n, const Combination<C> &by);

  // Lines of `width` columns, `stride` apart, with statistics of columns. Sums: at most kLines lines and kTile columns.
  void (*momentsOfColumns)(const C *x, int64_t lines, int64_t width, int64_t stride, Moments *to);
  void (*scaleColumns)(const C *x, C *y, int64_t lines, int64_t width, const C *mean, const C *factor, const C *bias);
  void (*sumsOfColumns)(const C *g, const C *x, int64_t lines, int64_t width, int64_t stride, const C *mean,
                        GradientSums *to);
  void (*combineColumns)(const C *g, const C *x, C *r, int64_t lines, int64_t width, const C *const (&by)[4]);

  // `width` <= kLrnTile columns of `channels` lines, `stride` apart.
  void (*lrnForward)(const C *x, C *y, C *scale, int64_t channels, int64_t width, int64_t stride, int64_t size, C share,
                     double beta, C k);
  void (*lrnBackward)(const C *x, const C *g, const C *scale, C *gx, C *ratios, int64_t channels, int64_t width,
                      int64_t stride, int64_t size, C share, double beta);
};
struct NormLoops {
  NormLoop<float> single;
  NormLoop<double> twice;
};
const NormLoops &normLoops();

template <class C>
const NormLoop<C> &loopOf() {
  if constexpr (sizeof(C) == sizeof(float))
    return normLoops().single;
  else
    return normLoops().twice;
}

}  // namespace thnn
