// Rows of tables: gradients, norms, sums of bags.
//
// Where several indices name one row, columns are shared out to threads, and each adds all of its up in the order of the
// indices: results do not depend on how many there are.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>
#include <THNN/Check.h>

#include "kit/computed.hpp"
#include "kit/parallel.hpp"
#include "kit/prepare.hpp"

namespace thnn {
namespace {

[[noreturn]] void throwRow() { THError(TH_ERROR_INDEX, "index out of range in self"); }

// Indices, each of which names one of `rows`, or is the padding.
class Indices {
 public:
  Indices(const THTensor *t, int64_t rows) : tensor_(contiguousAs(TH_Long, t)), n_(t->numel) {
    for (int64_t i = 0; i < n_; i++)
      if (uint64_t((*this)[i]) >= uint64_t(rows)) throwRow();
  }
  int64_t size() const { return n_; }
  int64_t operator[](int64_t i) const { return elements<int64_t>(tensor_)[i]; }

 private:
  const Ref tensor_;
  const int64_t n_;
};

// to[row(i)][d] += factor(i) from[i's line][d], in the order of i; row(i) < 0: nothing. line(i): where it reads.
template <class C, class Row, class Line, class Factor>
void addRows(int64_t n, int64_t width, C *to, const C *from, const Row &row, const Line &line, const Factor &factor) {
  // Shares are whole cache lines; as few as pay for waking a thread.
  const int64_t share = 64 / int64_t(sizeof(C)), shares = (width + share - 1) / share;
  parallelFor(shares, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, n * share)), [&](int64_t begin, int64_t end) {
    const int64_t first = begin * share, last = std::min(width, end * share);
    for (int64_t i = 0; i < n; i++) {
      const int64_t r = row(i);
      if (r < 0) continue;
      const C f = factor(i);
      C *const target = to + r * width;
      const C *const source = from + line(i) * width;
      if (f == 1)
        for (int64_t d = first; d < last; d++) target[d] += source[d];
      else
        for (int64_t d = first; d < last; d++) target[d] += f * source[d];
    }
  });
}

// How often each row is named; empty unless wanted.
std::vector<int64_t> counts(const Indices &indices, int64_t rows, bool wanted) {
  std::vector<int64_t> result(wanted ? size_t(rows) : 0);
  for (int64_t i = 0; wanted && i < indices.size(); i++) result[size_t(indices[i])]++;
  return result;
}

template <class T>
void accGradParameters(const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight, bool scaleGradByFreq,
                       int64_t padding, double scale) {
  using C = Compute<T>;
  if (!THNNPrepare_LookupTable_accGradParameters(DtypeOf<T>::value, input, gradOutput, gradWeight)) return;
  requireMemory(gradWeight);
  const Indices indices(input, gradWeight->size[0]);
  const std::vector<int64_t> count = counts(indices, gradWeight->size[0], scaleGradByFreq);
  const Elements<C> from(gradOutput);
  InPlace<C> to(gradWeight);
  addRows(
      indices.size(), gradWeight->size[1], to.data(), from.data(),
      [&](int64_t i) { return indices[i] == padding ? -1 : indices[i]; }, [](int64_t i) { return i; },
      [&](int64_t i) { return C(count.empty() ? scale : scale / double(count[size_t(indices[i])])); });
  to.finish();
}

double normOf(double p, int64_t n, const auto *x) {
  double sum = 0, largest = 0;
  for (int64_t d = 0; d < n; d++) {
    const double size = std::abs(double(x[d]));
    largest = size > largest || std::isnan(size) ? size : largest;
    sum += p == 2 ? size * size : p == 1 ? size : p == 0 ? double(size != 0) : std::isinf(p) ? 0 : std::pow(size, p);
  }
  return std::isinf(p) ? largest : p == 2 ? std::sqrt(sum) : p == 1 || p == 0 ? sum : std::pow(sum, 1 / p);
}

template <class T>
void renorm(const THTensor *idx, THTensor *weight, double maxNorm, double normType) {
  using C = Compute<T>;
  if (!THNNPrepare_LookupTable_renorm(DtypeOf<T>::value, idx, weight)) return;
  requireMemory(weight);
  const Indices indices(idx, weight->size[0]);
  std::vector<int64_t> rows(size_t(indices.size()));
  for (int64_t i = 0; i < indices.size(); i++) rows[size_t(i)] = indices[i];
  std::ranges::sort(rows);
  rows.erase(std::ranges::unique(rows).begin(), rows.end());
  const int64_t width = weight->size[1];
  InPlace<C> table(weight);
  parallelFor(int64_t(rows.size()), std::max<int64_t>(1, kGrain / 8 / std::max<int64_t>(width, 1)),
              [&, to = table.data()](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; i++) {
                  C *const row = to + rows[size_t(i)] * width;
                  const double norm = normOf(normType, width, row);
                  if (!(norm > maxNorm)) continue;
                  const C factor = C(maxNorm / (norm + 1e-7));
                  for (int64_t d = 0; d < width; d++) row[d] *= factor;
                }
              });
  table.finish();
}

// ---- bags --------------------------------------------------------------------------------------------------------------

// Where bags begin, checked.
std::vector<int64_t> bounds(const THTensor *offsets, int64_t n) {
  const Ref list = contiguousAs(TH_Long, offsets);
  const int64_t *const begin = elements<int64_t>(list), count = offsets->numel;
  std::vector<int64_t> result(begin, begin + count);
  result.push_back(n);
  if (count && begin[0] != 0)
    THError(
        TH_ERROR_RUNTIME,
        "offsets[0] has to be 0, i.e., the first sequence in the mini-batch has to start from position 0. However, got "
        "%lld",
        (long long)begin[0]);
  if (count) THNNCheck_lastOffset(begin[count - 1], n);
  for (int64_t b = 0; b < count; b++)
    if (result[size_t(b)] > result[size_t(b + 1)])
      THError(TH_ERROR_RUNTIME, "offsets must not fall, but offsets[%lld] is %lld and the next one %lld", (long long)b,
              (long long)result[size_t(b)], (long long)result[size_t(b + 1)]);
  return result;
}

template <class C>
struct Bags {
  const Indices &indices;
  const C *weight, *factors;
  int64_t width, padding, mode;

  // One bag, indices [begin, end): its row, of maxima also where they come from. Returns how many are no padding.
  int64_t fill(int64_t begin, int64_t end, C *to, int64_t *from) const {
    std::fill_n(to, width, C(0));
    if (mode == THNN_BAG_MAX) std::fill_n(from, width, int64_t(-1));
    int64_t count = 0;
    for (int64_t i = begin; i < end; i++) {
      if (indices[i] == padding) continue;
      const C *const row = weight + indices[i] * width;
      if (mode == THNN_BAG_MAX) {
        for (int64_t d = 0; d < width; d++)
          if (!count || row[d] > to[d] || (std::isnan(row[d]) && !std::isnan(to[d])))
            to[d] = row[d], from[d] = indices[i];
      } else if (factors) {
        for (int64_t d = 0; d < width; d++) to[d] += factors[i] * row[d];
      } else {
        for (int64_t d = 0; d < width; d++) to[d] += row[d];
      }
      count++;
    }
    if (mode == THNN_BAG_MEAN && count > 1)
      for (int64_t d = 0; d < width; d++) to[d] /= C(count);
    return count;
  }
};

template <class T>
void bagForward(const THTensor *input, const THTensor *offsets, const THTensor *weight, THTensor *output,
                THTensor *offset2bag, THTensor *bagSize, THTensor *maxIndices, int64_t mode,
                const THTensor *perSampleWeights, int64_t padding) {
  using C = Compute<T>;
  THResult results[4];
  if (!THNNPrepare_LookupTableBag_updateOutput(results, DtypeOf<T>::value, input, offsets, weight, output, offset2bag,
                                               bagSize, maxIndices, mode, perSampleWeights))
    return resizeResults(results, 4);
  const Indices indices(input, weight->size[0]);
  const std::vector<int64_t> begin = bounds(offsets, indices.size());
  const Elements<C> table(weight), factors(perSampleWeights);
  Computed<C> made(results[0], {});
  Computed<int64_t> bagOf(results[1], {}), sizes(results[2], {}), sources(results[3], {});
  const Bags<C> bags{indices, table.data(), factors.data(), weight->size[1], padding, mode};
  const int64_t count = offsets->numel, width = weight->size[1];
  const int64_t work = width * std::max<int64_t>(1, indices.size() / std::max<int64_t>(count, 1));
  parallelFor(count, std::max<int64_t>(1, kGrain / 2 / std::max<int64_t>(work, 1)),
              [&, to = made.data(), of = bagOf.data(), size = sizes.data(), from = sources.data()](int64_t first,
                                                                                                   int64_t last) {
                for (int64_t b = first; b < last; b++) {
                  const int64_t start = begin[size_t(b)], end = begin[size_t(b + 1)];
                  std::fill(of + start, of + end, b);
                  size[b] = bags.fill(start, end, to + b * width, mode == THNN_BAG_MAX ? from + b * width : nullptr);
                }
              });
  made.finish(), bagOf.finish(), sizes.finish(), sources.finish();
}

template <class T>
void bagBackward(const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight, const THTensor *offset2bag,
                 const THTensor *bagSize, const THTensor *maxIndices, int64_t mode, const THTensor *perSampleWeights,
                 bool scaleGradByFreq, int64_t padding, double scale) {
  using C = Compute<T>;
  if (!THNNPrepare_LookupTableBag_accGradParameters(DtypeOf<T>::value, input, gradOutput, gradWeight, offset2bag,
                                                    bagSize, maxIndices, mode, perSampleWeights))
    return;
  requireMemory(gradWeight);
  const int64_t bags = gradOutput->size[0], rows = gradWeight->size[0], width = gradWeight->size[1];
  const Indices indices(input, rows), bagOf(offset2bag, bags);
  const Elements<C> from(gradOutput), factors(perSampleWeights);
  const Elements<int64_t> sizes(bagSize), sources(maxIndices);
  const std::vector<int64_t> count = counts(indices, rows, scaleGradByFreq);
  InPlace<C> table(gradWeight);
  if (mode == THNN_BAG_MAX) {
    for (int64_t i = 0; i < bags * width; i++) {
      const int64_t row = sources.data()[i];
      if (row >= rows || row < -1) throwRow();
      if (row >= 0) table.data()[row * width + i % width] += C(scale) * from.data()[i];
    }
    return table.finish();
  }
  addRows(
      indices.size(), width, table.data(), from.data(),
      [&](int64_t i) { return indices[i] == padding ? -1 : indices[i]; }, [&](int64_t i) { return bagOf[i]; },
      [&](int64_t i) {
        double factor = count.empty() ? scale : scale / double(count[size_t(indices[i])]);
        if (mode == THNN_BAG_MEAN) factor /= double(std::max<int64_t>(1, sizes.data()[bagOf[i]]));
        return perSampleWeights ? C(factor) * factors.data()[i] : C(factor);
      });
  table.finish();
}

template <class T>
void bagGradSampleWeights(const THTensor *gradOutput, const THTensor *weight, const THTensor *input,
                          const THTensor *offset2bag, THTensor *gradSampleWeights, int64_t padding) {
  using C = Compute<T>;
  THResult result;
  if (!THNNPrepare_LookupTableBag_updateGradSampleWeights(&result, DtypeOf<T>::value, gradOutput, weight, input,
                                                          offset2bag, gradSampleWeights))
    return resizeResults(&result);
  const Indices indices(input, weight->size[0]), bagOf(offset2bag, gradOutput->size[0]);
  const Elements<C> table(weight), from(gradOutput);
  const int64_t width = weight->size[1];
  into<C>(result, {}, [&](C *to) {
    parallelFor(indices.size(), std::max<int64_t>(1, kGrain / std::max<int64_t>(width, 1)),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; i++) {
                    const C *const row = table.data() + indices[i] * width, *const g = from.data() + bagOf[i] * width;
                    C sum = 0;
                    for (int64_t d = 0; d < width; d++) sum += row[d] * g[d];
                    to[i] = indices[i] == padding ? C(0) : sum;
                  }
                });
  });
}

}  // namespace
}  // namespace thnn

void THNNCheck_rows(const THTensor *indices, int64_t rows) { thnn::Indices(indices, rows); }

void THNNCheck_lastOffset(int64_t offset, int64_t n) {
  if (offset > n || offset < 0)
    THError(TH_ERROR_RUNTIME, "offsets[-1] can not be greater than input's length %lld but got offsets[-1] of %lld",
            (long long)n, (long long)offset);
}

THNN_DEFINE(LookupTable_accGradParameters, floating,
            (THNNState *, const THIndexTensor *input, const THTensor *gradOutput, THTensor *gradWeight,
             bool scaleGradByFreq, int64_t paddingValue, double scale),
            thnn::accGradParameters<T>(input, gradOutput, gradWeight, scaleGradByFreq, paddingValue, scale))
THNN_DEFINE(LookupTable_renorm, floating,
            (THNNState *, const THIndexTensor *idx, THTensor *weight, double maxNorm, double normType),
            thnn::renorm<T>(idx, weight, maxNorm, normType))
THNN_DEFINE(LookupTableBag_updateOutput, floating,
            (THNNState *, const THIndexTensor *input, const THIndexTensor *offsets, const THTensor *weight,
             THTensor *output, THIndexTensor *offset2bag, THIndexTensor *bagSize, THIndexTensor *maxIndices,
             int64_t mode, const THNullableTensor *perSampleWeights, int64_t paddingValue),
            thnn::bagForward<T>(input, offsets, weight, output, offset2bag, bagSize, maxIndices, mode, perSampleWeights,
                                paddingValue))
THNN_DEFINE(LookupTableBag_accGradParameters, floating,
            (THNNState *, const THIndexTensor *input, const THTensor *gradOutput, THTensor *gradWeight,
             const THIndexTensor *offset2bag, const THIndexTensor *bagSize, const THIndexTensor *maxIndices,
             int64_t mode, const THNullableTensor *perSampleWeights, bool scaleGradByFreq, int64_t paddingValue,
             double scale),
            thnn::bagBackward<T>(input, gradOutput, gradWeight, offset2bag, bagSize, maxIndices, mode, perSampleWeights,
                                 scaleGradByFreq, paddingValue, scale))
THNN_DEFINE(LookupTableBag_updateGradSampleWeights, floating,
            (THNNState *, const THTensor *gradOutput, const THTensor *weight, const THIndexTensor *input,
             const THIndexTensor *offset2bag, THTensor *gradSampleWeights, int64_t paddingValue),
            thnn::bagGradSampleWeights<T>(gradOutput, weight, input, offset2bag, gradSampleWeights, paddingValue))
