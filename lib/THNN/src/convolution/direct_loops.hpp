// The inner loops of direct.cpp, for the best SIMD target: direct_loops.cpp. Their vectors are neighbouring positions.
#pragma once

#include <cstdint>

namespace thnn {

// Up to a vector of positions of one line: the first one's element in the padded image, at the first tap, and among the
// positions; and how many they are.
struct Positions {
  int64_t from, at, count;
};

constexpr int kDots = 4;

struct DirectLoops {
  int most;  // channels of a block, at most

  int (*lanes)(int64_t width);  // of the vectors that suit lines of this many positions

  // `lines` lines of `width` elements.
  void (*copy)(const float *from, int64_t lines, int64_t fromStep, int64_t width, float *to, int64_t toStep);

  // y[o ySize + at + i] = bias[o] + Σ_r w[r channels + o] x[from + offsets[r] + i] for a block of channels, or with `add`
  // is added to.
  void (*outputs)(int lanes, int channels, const float *x, const Positions *runs, int64_t n, const int64_t *offsets,
                  int64_t rows, const float *w, const float *bias, bool add, float *y, int64_t ySize);

  // to[(run channels + o) lanes + i] = gy[o ySize + at + i], and 0 beyond the line.
  void (*pack)(int lanes, int64_t channels, const float *gy, int64_t ySize, const Positions *runs, int64_t n,
               float *to);

  // sums[(r step + o) lanes + i] += Σ_runs gy[(run step + o) lanes + i] x[from + offsets[r] + i] for a block of channels.
  // gy as pack() makes it of `step` channels, from the block's first one on.
  void (*products)(int lanes, int channels, const float *x, const Positions *runs, int64_t n, const int64_t *offsets,
                   int64_t rows, const float *gy, int64_t step, float *sums);

  // sums[(r channels + o) lanes + i % lanes] += x[r xStep + i] gy[o yStep + i] for all i < n, of blocks of at most kDots rows
  // and channels; lanes: those of the widest vectors.
  void (*dots)(int rows, int channels, const float *x, int64_t xStep, const float *gy, int64_t yStep, int64_t n,
               float *sums);

  // to[i] += Σ of lanes of sums
  void (*addLanes)(int lanes, const float *sums, int64_t n, float *to);
};

const DirectLoops &directLoops();

}  // namespace thnn
