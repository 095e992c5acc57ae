// Tiles of attention. A tile of scores, kQueries by kKeys, is made, used and forgotten while it lies in the cache
// (Dao et al. 2022, FlashAttention); the softmax of a row is corrected as its later tiles come (Milakov and Gimelshein
// 2018, "Online normalizer calculation for softmax"), and the backward pass makes the tiles again from the logarithms of
// the rows' sums.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "attention/attention_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "attention.hpp"
#include "kit/exponential-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using thnn::Attention;
using thnn::AttentionGradient;
using thnn::kChunk;
using thnn::kKeys;
using thnn::kQueries;
using thnn::Rows;

// The first n elements of a vector and zeros, and those elements back: no other memory is touched. Highway has both since 1.1.
template <class D, class C = hn::TFromD<D>>
HWY_INLINE hn::Vec<D> loadFirst(D d, const C *from, size_t n) {
#if HWY_MAJOR * 100 + HWY_MINOR >= 101
  return hn::LoadN(d, from, n);
#else
  alignas(64) C lanes[64 / sizeof(C)] = {};
  std::copy_n(from, std::min(n, hn::Lanes(d)), lanes);
  return hn::Load(d, lanes);
#endif
}
template <class D, class C = hn::TFromD<D>>
HWY_INLINE void storeFirst(hn::Vec<D> v, D d, C *to, size_t n) {
#if HWY_MAJOR * 100 + HWY_MINOR >= 101
  hn::StoreN(v, d, to, n);
#else
  alignas(64) C lanes[64 / sizeof(C)];
  hn::Store(v, d, lanes);
  std::copy_n(lanes, std::min(n, hn::Lanes(d)), to);
#endif
}

// ---- products of small matrices ----------------------------------------------------------------------------------

constexpr int kRowsAtOnce = HWY_TARGET <= HWY_AVX3 ? 8 : 4;  // as many sums as there are registers for

// c = [c +] a b over `rows` rows and two vectors of columns, or, if `partial`, at most one. Element (i, k) of a is
// a[i * aRow + k * aColumn]; columns of b and c are neighbours.
template <int rows, bool partial, class C>
HWY_INLINE void multiplyPanel(int64_t inner, const C *a, int64_t aRow, int64_t aColumn, const C *b, int64_t bRow, C *c,
                              int64_t cRow, int64_t columns, bool add) {
  const hn::ScalableTag<C> d;
  using V = hn::Vec<decltype(d)>;
  const int64_t lanes = int64_t(hn::Lanes(d));
  const size_t n = size_t(columns);
  V low[rows], high[rows];
#pragma GCC unroll 8
  for (int i = 0; i < rows; i++) {
    if constexpr (partial) {
      low[i] = add ? loadFirst(d, c + i * cRow, n) : hn::Zero(d);
    } else {
      low[i] = add ? hn::LoadU(d, c + i * cRow) : hn::Zero(d);
      high[i] = add ? hn::LoadU(d, c + i * cRow + lanes) : hn::Zero(d);
    }
  }
  for (int64_t k = 0; k < inner; k++, a += aColumn, b += bRow) {
    if constexpr (partial) {
      const V x = loadFirst(d, b, n);
#pragma GCC unroll 8
      for (int i = 0; i < rows; i++) low[i] = hn::MulAdd(hn::Set(d, a[i * aRow]), x, low[i]);
    } else {
      const V x = hn::LoadU(d, b), y = hn::LoadU(d, b + lanes);
#pragma GCC unroll 8
      for (int i = 0; i < rows; i++) {
        const V factor = hn::Set(d, a[i * aRow]);
        low[i] = hn::MulAdd(factor, x, low[i]);
        high[i] = hn::MulAdd(factor, y, high[i]);
      }
    }
  }
#pragma GCC unroll 8
  for (int i = 0; i < rows; i++) {
    if constexpr (partial) {
      storeFirst(low[i], d, c + i * cRow, n);
    } else {
      hn::StoreU(low[i], d, c + i * cRow);
      hn::StoreU(high[i], d, c + i * cRow + lanes);
    }
  }
}

// c = [c +] a b, of `rows` by `columns` elements, with sums of `inner` products.
template <class C>
HWY_NOINLINE void multiply(int64_t rows, int64_t columns, int64_t inner, const C *a, int64_t aRow, int64_t aColumn,
                           const C *b, int64_t bRow, C *c, int64_t cRow, bool add) {
  const int64_t lanes = int64_t(hn::Lanes(hn::ScalableTag<C>()));
  const auto panel = [=]<int n>(std::integral_constant<int, n>, int64_t i, int64_t j, int64_t count) {
    const C *const x = a + i * aRow, *const y = b + j;
    C *const to = c + i * cRow + j;
    if (count == 2 * lanes)
      multiplyPanel<n, false>(inner, x, aRow, aColumn, y, bRow, to, cRow, count, add);
    else
      for (int64_t at = 0; at < count; at += lanes)
        multiplyPanel<n, true>(inner, x, aRow, aColumn, y + at, bRow, to + at, cRow, std::min(count - at, lanes), add);
  };
  for (int64_t j = 0; j < columns; j += 2 * lanes) {
    const int64_t count = std::min(2 * lanes, columns - j);
    int64_t i = 0;
    for (; i + kRowsAtOnce <= rows; i += kRowsAtOnce) panel(std::integral_constant<int, kRowsAtOnce>(), i, j, count);
    for (; i + 2 <= rows; i += 2) panel(std::integral_constant<int, 2>(), i, j, count);
    for (; i < rows; i++) panel(std::integral_constant<int, 1>(), i, j, count);
  }
}

// to[k, i] = factor * from[i, k]; lines of `to` are kKeys long.
template <class C>
void turn(const C *from, int64_t row, int64_t rows, int64_t columns, C factor, C *to) {
  constexpr int64_t block = 64 / sizeof(C);
  for (int64_t k = 0; k < columns; k += block)
    for (int64_t i = 0; i < rows; i++)
      for (int64_t e = k; e < std::min(columns, k + block); e++) to[e * kKeys + i] = factor * from[i * row + e];
}

// ---- rows of scores ----------------------------------------------------------------------------------------------

template <class C>
constexpr C kUnseen = -std::numeric_limits<C>::infinity();

// Applies the mask that was given to the scores of query i and keys first to first + n, of head h of image b.
template <class C>
HWY_NOINLINE void applyMask(const Attention<C> &p, int64_t b, int64_t h, int64_t i, int64_t first, int64_t n,
                            C *scores) {
  const int64_t *const stride = p.maskStride;
  const int64_t from = b * stride[0] + h * stride[1] + i * stride[2] + first * stride[3], step = stride[3];
  if (p.added) {
    const C *const mask = p.added + from;
    if (step == 1)
      for (int64_t j = 0; j < n; j++) scores[j] += mask[j];
    else
      for (int64_t j = 0; j < n; j++) scores[j] += mask[j * step];
  } else {
    const uint8_t *const mask = p.seen + from;
    if (step == 1)
      for (int64_t j = 0; j < n; j++) scores[j] = mask[j] ? scores[j] : kUnseen<C>;
    else
      for (int64_t j = 0; j < n; j++) scores[j] = mask[j * step] ? scores[j] : kUnseen<C>;
  }
}

// Hides all but the first `seen` of n scores. Lines of scores have room for whole vectors.
template <class C>
HWY_INLINE void hideRest(C *scores, int64_t seen, int64_t n) {
  const hn::ScalableTag<C> d;
  const int64_t lanes = int64_t(hn::Lanes(d));
  const auto unseen = hn::Set(d, kUnseen<C>);
  for (int64_t j = seen / lanes * lanes; j < n; j += lanes)
    hn::StoreU(hn::IfThenElse(hn::FirstN(d, size_t(std::max<int64_t>(0, seen - j))), hn::LoadU(d, scores + j), unseen),
               d, scores + j);
}

template <class C>
HWY_INLINE void maskRow(const Attention<C> &p, int64_t b, int64_t h, int64_t i, int64_t first, int64_t n, C *scores) {
  if (p.added || p.seen) applyMask(p, b, h, i, first, n, scores);
  if (p.causal && i + 1 < first + n) hideRest(scores, std::max<int64_t>(0, i + 1 - first), n);
}

// How many of the keys first to first + n the queries before `last` see at most.
template <class C>
int64_t seenKeys(const Attention<C> &p, int64_t last, int64_t first, int64_t n) {
  return p.causal ? std::clamp<int64_t>(last - first, 0, n) : n;
}

template <class C>
HWY_INLINE C largest(const C *x, int64_t n, C start) {
  const hn::ScalableTag<C> d;
  const int64_t lanes = int64_t(hn::Lanes(d));
  auto max = hn::Set(d, start);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto v = hn::LoadU(d, x + i);
    max = hn::IfThenElse(hn::Gt(v, max), v, max);  // NaN is not greater
  }
  C result = hn::GetLane(hn::MaxOfLanes(d, max));
  for (; i < n; i++) result = x[i] > result ? x[i] : result;
  return result;
}

template <class C>
HWY_INLINE C sumOf(const C *x, int64_t n) {
  const hn::ScalableTag<C> d;
  const int64_t lanes = int64_t(hn::Lanes(d));
  auto sum = hn::Zero(d);
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) sum = hn::Add(sum, hn::LoadU(d, x + i));
  C result = hn::GetLane(hn::SumOfLanes(d, sum));
  for (; i < n; i++) result += x[i];
  return result;
}

template <class C>
HWY_INLINE void exponentials(C *x, int64_t n, C from) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) x[i] = expOf(x[i] - from);
}

template <class C>
HWY_INLINE void scale(C *x, int64_t n, C factor) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) x[i] *= factor;
}

// ---- forward -----------------------------------------------------------------------------------------------------

template <class C>
int64_t forwardScratch(const Attention<C> &p) {
  return p.width * kKeys + kQueries * kKeys + kChunk * (p.valueWidth + 2);
}

template <class C>
void forward(const Attention<C> &p, int64_t b, int64_t h, int64_t first, int64_t last, const Rows<C> &output,
             C *logsumexp, C *scratch) {
  C *const turned = scratch, *const scores = turned + p.width * kKeys, *const sums = scores + kQueries * kKeys,
           *const max = sums + kChunk * p.valueWidth, *const total = max + kChunk;
  const int64_t kh = h / p.group(), width = p.valueWidth;
  std::fill_n(max, last - first, kUnseen<C>);
  std::fill_n(total, last - first, C(0));
  std::fill_n(sums, (last - first) * width, C(0));
  for (int64_t from = 0; from < p.keys; from += kKeys) {
    const int64_t keys = seenKeys(p, last, from, std::min(kKeys, p.keys - from));
    if (!keys) break;
    turn(p.key.at(b, kh, from), p.key.row, keys, p.width, p.scale, turned);
    for (int64_t at = first; at < last; at += kQueries) {
      const int64_t rows = std::min(kQueries, last - at), n = seenKeys(p, at + rows, from, keys);
      if (!n) continue;
      multiply(rows, n, p.width, p.query.at(b, h, at), p.query.row, 1, turned, kKeys, scores, kKeys, false);
      for (int64_t i = 0; i < rows; i++) {
        C *const row = scores + i * kKeys;
        C &top = max[at - first + i], &sum = total[at - first + i];
        maskRow(p, b, h, at + i, from, n, row);
        const C highest = largest(row, n, top), base = highest == kUnseen<C> ? C(0) : highest;
        exponentials(row, n, base);
        if (from && highest != top) {
          const C factor = expOf(top - base);
          sum *= factor;
          scale(sums + (at - first + i) * width, width, factor);
        }
        sum += sumOf(row, n);
        top = highest;
      }
      multiply(rows, width, n, scores, kKeys, 1, p.value.at(b, kh, from), p.value.row, sums + (at - first) * width,
               width, true);
    }
  }
  for (int64_t i = 0; i < last - first; i++) {
    const bool blind = total[i] == 0;  // sees no key
    const C factor = blind ? C(0) : 1 / total[i];
    const C *const from = sums + i * width;
    C *const to = output.at(b, h, first + i);
    for (int64_t k = 0; k < width; k++) to[k] = from[k] * factor;
    logsumexp[i] = blind ? -kUnseen<C> : max[i] + std::log(total[i]);
  }
}

// ---- backward ----------------------------------------------------------------------------------------------------

template <class C>
int64_t backwardScratch(const Attention<C> &p) {
  return (2 * p.width + 2 * p.valueWidth + 2 * kQueries) * kKeys;
}

template <class C>
void backward(const Attention<C> &p, const AttentionGradient<C> &g, int64_t b, int64_t kh, int64_t share, C *scratch) {
  C *const keyTurned = scratch, *const valueTurned = keyTurned + p.width * kKeys,
           *const gradKey = valueTurned + p.valueWidth * kKeys, *const gradValue = gradKey + p.width * kKeys,
           *const scores = gradValue + p.valueWidth * kKeys, *const gradScores = scores + kQueries * kKeys;
  const int64_t tiles = (p.keys + kKeys - 1) / kKeys;
  const int64_t first = kh * p.group(), last = first + p.group();
  Rows<C> gradQuery = g.gradQuery;
  gradQuery.data += share * g.shareStep;
  for (int64_t h = first; h < last; h++)
    for (int64_t i = 0; i < p.queries; i++) std::fill_n(gradQuery.at(b, h, i), p.width, C(0));
  for (int64_t tile = tiles * share / g.shares; tile < tiles * (share + 1) / g.shares; tile++) {
    const int64_t from = tile * kKeys, keys = std::min(kKeys, p.keys - from);
    const C *const keyRows = p.key.at(b, kh, from);
    turn(keyRows, p.key.row, keys, p.width, p.scale, keyTurned);
    turn(p.value.at(b, kh, from), p.value.row, keys, p.valueWidth, C(1), valueTurned);
    std::fill_n(gradKey, keys * p.width, C(0));
    std::fill_n(gradValue, keys * p.valueWidth, C(0));
    for (int64_t h = first; h < last; h++) {
      for (int64_t at = p.causal ? from / kQueries * kQueries : 0; at < p.queries; at += kQueries) {
        const int64_t rows = std::min(kQueries, p.queries - at), n = seenKeys(p, at + rows, from, keys);
        const int64_t place = (b * p.heads + h) * p.queries + at;
        const C *const query = p.query.at(b, h, at), *const gradOutput = g.gradOutput.at(b, h, at);
        multiply(rows, n, p.width, query, p.query.row, 1, keyTurned, kKeys, scores, kKeys, false);
        multiply(rows, n, p.valueWidth, gradOutput, g.gradOutput.row, 1, valueTurned, kKeys, gradScores, kKeys, false);
        for (int64_t i = 0; i < rows; i++) {
          C *const row = scores + i * kKeys, *const gradRow = gradScores + i * kKeys;
          maskRow(p, b, h, at + i, from, n, row);
          exponentials(row, n, g.logsumexp[place + i]);
          const C dot = g.dots[place + i], factor = p.scale;
#pragma GCC ivdep
          for (int64_t j = 0; j < n; j++) gradRow[j] = row[j] * (gradRow[j] - dot) * factor;
        }
        multiply(n, p.valueWidth, rows, scores, 1, kKeys, gradOutput, g.gradOutput.row, gradValue, p.valueWidth, true);
        multiply(n, p.width, rows, gradScores, 1, kKeys, query, p.query.row, gradKey, p.width, true);
        multiply(rows, p.width, n, gradScores, kKeys, 1, keyRows, p.key.row, gradQuery.at(b, h, at), gradQuery.row,
                 true);
      }
    }
    for (int64_t j = 0; j < keys; j++) {
      std::copy_n(gradKey + j * p.width, p.width, g.gradKey.at(b, kh, from + j));
      std::copy_n(gradValue + j * p.valueWidth, p.valueWidth, g.gradValue.at(b, kh, from + j));
    }
  }
}

template <class C>
void dots(const C *a, int64_t aRow, const C *b, int64_t bRow, int64_t rows, int64_t columns, C *result) {
  const hn::ScalableTag<C> d;
  const int64_t lanes = int64_t(hn::Lanes(d));
  for (int64_t i = 0; i < rows; i++, a += aRow, b += bRow) {
    auto sum = hn::Zero(d);
    int64_t k = 0;
    for (; k + lanes <= columns; k += lanes) sum = hn::MulAdd(hn::LoadU(d, a + k), hn::LoadU(d, b + k), sum);
    C total = hn::GetLane(hn::SumOfLanes(d, sum));
    for (; k < columns; k++) total += a[k] * b[k];
    result[i] = total;
  }
}

template <class C>
constexpr thnn::AttentionLoops<C> loopsOf = {forwardScratch<C>, forward<C>, backwardScratch<C>, backward<C>, dots<C>};
constexpr thnn::AttentionKernels attention = {loopsOf<float>, loopsOf<double>};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thnn {

const AttentionKernels &attentionKernels() { return TH_BEST_TARGET(attention); }

}  // namespace thnn
#endif
