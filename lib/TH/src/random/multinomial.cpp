// Drawing categories by their weights, with or without replacement.
#include <TH/THPrepare.h>
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "deviates.hpp"
#include "kit/apart.hpp"
#include "kit/messages.hpp"
#include "mersenne_deviates.hpp"
#include "random.hpp"
#include "kit/tensor.hpp"

namespace th {
namespace {

// Weights of a row as doubles; raises unless they are a distribution.
template <class T>
double checkedSum(const T *weight, int64_t categories, bool many) {
  double sum = 0;
  for (int64_t j = 0; j < categories; j++) {
    const double w = double(Compute<T>(weight[j]));
    if (w >= 0 && std::isfinite(w)) {
      sum += w;
    } else if (!many) {
      THError(TH_ERROR_RUNTIME, TH_BAD_PROBABILITY, w, (long long)j);
    } else if (w < 0) {
      THError(TH_ERROR_RUNTIME, TH_NEGATIVE_WEIGHT, w, (long long)j);
    } else {
      THError(TH_ERROR_RUNTIME, TH_WEIGHT_NOT_FINITE, w, (long long)j);
    }
  }
  if (!(sum > 0)) THError(TH_ERROR_RUNTIME, TH_NO_WEIGHT);
  return sum;
}

// The words of n numbers, two of them from a block, and what fills up the vectors.
void wordsOf(uint32_t *words, uint64_t seed, uint64_t block, int64_t n) {
  philoxWords(words, seed, block, std::min(kChunkBlocks, (n / 2 + 4) / 4 * 4));
}

double fraction(const uint32_t *word) {  // in [0, 1)
  return double(int64_t((word[0] | uint64_t(word[1]) << 32) >> 11)) * 0x1p-53;
}

// With replacement: where a uniform number falls among the sums of the weights.
template <class T>
void drawMany(int64_t *out, int64_t n, const T *weight, int64_t categories, uint64_t seed, uint64_t block) {
  std::vector<double> sums(static_cast<size_t>(categories));
  double sum = 0;
  int64_t last = 0;  // category with a weight
  for (int64_t j = 0; j < categories; j++) {
    const double w = double(Compute<T>(weight[j]));
    if (w > 0) last = j;
    sums[size_t(j)] = sum += w;
  }
  alignas(64) uint32_t words[kChunkWords];
  for (int64_t first = 0; first < n; first += kChunkWords / 2) {
    const int64_t end = std::min(n, first + kChunkWords / 2);
    wordsOf(words, seed, block + uint64_t(first / 2), end - first);
    for (int64_t i = first; i < end; i++) {
      const double at = fraction(words + 2 * (i - first)) * sum;
      out[i] = std::min(last, int64_t(std::upper_bound(sums.begin(), sums.end(), at) - sums.begin()));
    }
  }
}

// Without: exponential waiting times at the rates of the weights; who comes first is drawn first.
template <class T>
void drawDistinct(int64_t *out, int64_t n, const T *weight, int64_t categories, uint64_t seed, uint64_t block) {
  struct Arrival {
    double time;
    int64_t category;
    bool operator<(const Arrival &other) const {
      return time != other.time ? time < other.time : category < other.category;
    }
  };
  std::vector<Arrival> arrivals(static_cast<size_t>(categories));
  alignas(64) uint32_t words[kChunkWords];
  for (int64_t first = 0; first < categories; first += kChunkWords / 2) {
    const int64_t end = std::min(categories, first + kChunkWords / 2);
    wordsOf(words, seed, block + uint64_t(first / 2), end - first);
    for (int64_t j = first; j < end; j++) {
      const uint32_t *word = words + 2 * (j - first);
      arrivals[size_t(j)] = {exponentialOf(word[0], word[1]) / std::abs(double(Compute<T>(weight[j]))), j};
    }
  }
  std::partial_sort(arrivals.begin(), arrivals.begin() + n, arrivals.end());
  for (int64_t i = 0; i < n; i++) out[i] = arrivals[size_t(i)].category;
}

// ---- with the words of a Mersenne Twister ----------------------------------------------------------------

// With replacement: the first category up to which the weights' sums, in the precision of T, reach a uniform number.
template <class T>
void drawManyInTurn(int64_t *out, int64_t n, const T *weight, int64_t categories, Mersenne &twister) {
  using R = Compute<T>;
  std::vector<R> sums(static_cast<size_t>(categories));
  R sum = 0;
  for (int64_t j = 0; j < categories; j++) sums[size_t(j)] = sum += R(weight[j]);
  if (sum != 1)
    for (R &x : sums) x /= sum;
  sums.back() = 1;
  for (int64_t i = 0; i < n; i++) {
    const double at = twister.fraction<double>();
    out[i] = std::lower_bound(sums.begin(), sums.end(), at, [](R x, double y) { return double(x) < y; }) - sums.begin();
  }
}

// Without: the weights, divided by exponential deviates, from the greatest on.
template <class T>
void drawDistinctInTurn(int64_t *out, int64_t n, const T *weight, int64_t categories, const T *times) {
  std::vector<T> scores(static_cast<size_t>(categories));
  for (int64_t j = 0; j < categories; j++) scores[size_t(j)] = T(Compute<T>(weight[j]) / Compute<T>(times[j]));
  std::vector<int64_t> order(static_cast<size_t>(categories));
  std::iota(order.begin(), order.end(), 0);
  const auto before = [&](int64_t i, int64_t j) {
    const Compute<T> x = scores[size_t(i)], y = scores[size_t(j)];
    return x != y ? x > y : i < j;
  };
  std::partial_sort(order.begin(), order.begin() + n, order.end(), before);
  std::copy_n(order.begin(), n, out);
}

// `layout` has the weights' shape and their order in memory.
template <class T>
void drawInTurn(int64_t *out, int64_t rows, int64_t n, const T *weight, int64_t categories, bool many,
                const THTensor *layout, Mersenne &twister) {
  if (many) {
    const std::lock_guard lock(twister.mutex);
    for (int64_t i = 0; i < rows; i++) drawManyInTurn(out + i * n, n, weight + i * categories, categories, twister);
    return;
  }
  const Ref times(newLike(layout, DtypeOf<T>::value, layout->ndim, layout->size));
  if (layout->ndim == 2 && layout->stride[0] < layout->stride[1]) times->stride[0] = 1, times->stride[1] = rows;
  fillInTurn<T>(times, twister, [](Mersenne &m) { return rounded<T>(exponentialInTurn(m, 1)); });
  const Ref dense(THTensor_newContiguous(times));
  for (int64_t i = 0; i < rows; i++)
    drawDistinctInTurn(out + i * n, n, weight + i * categories, categories, elements<T>(dense) + i * categories);
}

template <class T>
void multinomial(THTensor *r, const THTensor *weights, int64_t n, bool replacement, THGenerator *generator) {
  THResult shape;
  THPrepare_multinomial(&shape, DtypeOf<T>::value, r, weights, n, replacement);
  if (!hasMemory(r)) return resizeResults(&shape);
  const int64_t categories = weights->size[weights->ndim - 1], rows = weights->ndim == 2 ? weights->size[0] : 1;
  const bool many = replacement && n > 1;
  const Ref dense = contiguousApart(r, DtypeOf<T>::value, weights);
  const T *const weight = elements<T>(dense);
  for (int64_t i = 0; i < rows; i++) checkedSum(weight + i * categories, categories, many);
  resizeResults(&shape);
  ContiguousResult result(r);
  int64_t *const out = result.data<int64_t>();
  if (Mersenne *const twister = generator->twister) {
    drawInTurn(out, rows, n, weight, categories, many, weights, *twister);
    return result.finish();
  }
  // Two numbers from a block; rows begin at blocks of their own.
  const uint64_t blocks = uint64_t(many ? n : categories) / 2 + 1, seed = generator->seed;
  const uint64_t offset = takeBlocks(generator, uint64_t(rows) * blocks);
  parallelFor(rows, std::max<int64_t>(1, 4096 / (n + categories + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++)
      (many ? drawMany<T> : drawDistinct<T>)(out + i * n, n, weight + i * categories, categories, seed,
                                             offset + uint64_t(i) * blocks);
  });
  result.finish();
}

}  // namespace
}  // namespace th

TH_DEFINE(multinomial, floating,
          (THTensor *r, const THTensor *weights, int64_t n, bool replacement, THGenerator *generator),
          th::multinomial<T>(r, weights, n, replacement, generator))
