// What the loops of attention work on: attention_loops.cpp, for the best SIMD target.
#pragma once

#include <cstdint>

namespace thnn {

// A tensor (batch, heads, rows, columns) whose columns are neighbours.
template <class T>
struct Rows {
  T *data;
  int64_t batch, head, row;
  T *at(int64_t b, int64_t h, int64_t i = 0) const { return data + b * batch + h * head + i * row; }
};

template <class C>
struct Attention {
  int64_t batch, heads, keyHeads, queries, keys, width, valueWidth;
  Rows<const C> query, key, value;
  // mask[b, h, i, j] at maskStride: floats that are added, or bytes that are 0 where a query does not see a key; or neither
  const C *added;
  const uint8_t *seen;
  int64_t maskStride[4];
  bool causal;
  C scale;
  int64_t group() const { return heads / keyHeads; }
};

template <class C>
struct AttentionGradient {
  Rows<const C> gradOutput;
  const C *logsumexp, *dots;  // (batch, heads, queries); dots: of each row of output and its gradient
  Rows<C> gradQuery, gradKey, gradValue;
  int64_t shares, shareStep;  // each share of the keys has sums of its own for gradQuery, so far apart
};

constexpr int64_t kQueries = 32, kKeys = 128;  // of a tile of scores
constexpr int64_t kChunk = 256;                // queries that meet a tile of keys while it lies in the cache

template <class C>
struct AttentionLoops {
  int64_t (*forwardScratch)(const Attention<C> &);
  // Queries [first, last), at most kChunk, of head h of image b.
  void (*forward)(const Attention<C> &, int64_t b, int64_t h, int64_t first, int64_t last, const Rows<C> &output,
                  C *logsumexp, C *scratch);
  int64_t (*backwardScratch)(const Attention<C> &);
  // One share of the keys of head kh of image b, and all the queries that look at them.
  void (*backward)(const Attention<C> &, const AttentionGradient<C> &, int64_t b, int64_t kh, int64_t share,
                   C *scratch);
  // dots[i] = Σ a[i, j] b[i, j]
  void (*dots)(const C *a, int64_t aRow, const C *b, int64_t bRow, int64_t rows, int64_t columns, C *dots);
};
struct AttentionKernels {
  AttentionLoops<float> single;
  AttentionLoops<double> twice;
};
const AttentionKernels &attentionKernels();

template <class C>
const AttentionLoops<C> &attentionLoops() {
  if constexpr (sizeof(C) == sizeof(float))
    return attentionKernels().single;
  else
    return attentionKernels().twice;
}

}  // namespace thnn
