// Linear maps of vectors given by keys and values, whose weight has a row per key.
#include <algorithm>
#include <cmath>
#include <vector>

#include "kit/parallel.hpp"
#include "sparse.hpp"

namespace thnn {
namespace {

// The columns of weight that normalise a key's values.
enum Column { kGreatest, kInverse, kFactor, kShift };

// The rows of weight that keys name, all of which exist.
class Rows {
 public:
  Rows(const THNNSparsePlan &p, const THTensor *keys, int64_t offset)
      : keys_(keys), offset_(offset), width_(p.normalised + p.outputs) {
    for (int64_t e = 0; e < p.entries; e++)
      if (keys_.data()[e] < -offset || keys_.data()[e] >= p.inputs - offset)
        THError(TH_ERROR_INDEX, "key %lld of entry %lld is none of %lld, which begin at %lld",
                (long long)keys_.data()[e], (long long)e, (long long)p.inputs, (long long)-offset);
  }
  int64_t operator[](int64_t entry) const { return (keys_.data()[entry] + offset_) * width_; }

 private:
  Elements<int64_t> keys_;
  int64_t offset_, width_;
};

// Where the entries of samples begin and end.
class Samples {
 public:
  Samples(const THNNSparsePlan &p, const THTensor *sizes, const THTensor *ends) : ends_(ends) {
    const Elements<int64_t> size(sizes);
    for (int64_t i = 0; i < p.batch; i++)
      if (size.data()[i] < 0 || last(i) - first(i) != size.data()[i] || last(i) > p.entries)
        THError(
            TH_ERROR_RUNTIME,
            "cumSumSizes must be the cumulative sums of sizes, at most %lld, but sample %lld has %lld entries and ends at %lld",
            (long long)p.entries, (long long)i, (long long)size.data()[i], (long long)last(i));
  }
  int64_t first(int64_t i) const { return i ? ends_.data()[i - 1] : 0; }
  int64_t last(int64_t i) const { return ends_.data()[i]; }

 private:
  Elements<int64_t> ends_;
};

template <class C>
C normalise(C *row, C value, bool train) {
  const C size = std::abs(value);
  if (train) {
    if (size > row[kGreatest]) {
      row[kGreatest] = size;
      row[kInverse] = 1 / size;
    }
    row[kFactor] = 1;
  }
  return (size > row[kGreatest] ? std::copysign(C(1), value) : value * row[kInverse]) + row[kShift];
}

template <class T>
void forward(const THTensor *keys, int64_t offset, const THTensor *values, const THTensor *sizes, const THTensor *ends,
             THTensor *output, THTensor *weight, const THTensor *bias, THTensor *normalizedValues, bool train) {
  using C = Compute<T>;
  THNNSparsePlan p;
  if (!THNNPrepare_IndexLinear_updateOutput(&p, DtypeOf<T>::value, keys, values, sizes, ends, output, weight, bias,
                                            normalizedValues))
    return resizeResults(p.result, p.normalised ? 2 : 1);
  const Rows rows(p, keys, offset);
  const Samples samples(p, sizes, ends);
  const Elements<C> x(values), b(bias);
  Updated<C> w(weight);
  std::vector<C> own;  // one after another, as a later entry of a key meets what an earlier one has changed
  if (p.normalised) {
    resizeResults(p.result, 2);  // before weight changes
    own.resize(size_t(p.entries));
    for (int64_t e = 0; e < p.entries; e++) own[size_t(e)] = normalise(w.data() + rows[e], x.data()[e], train);
  }
  const C *const value = p.normalised ? own.data() : x.data();
  into<C>(p.result[0], {values, weight, bias, keys, sizes, ends}, [&](C *y) {
    parallelFor(p.batch, std::max<int64_t>(1, kGrain / (1 + p.outputs * p.entries / std::max<int64_t>(1, p.batch))),
                [&](int64_t begin, int64_t end) {
                  for (int64_t i = begin; i < end; i++) {
                    C *const to = y + i * p.outputs;
                    std::copy_n(b.data(), p.outputs, to);
                    for (int64_t e = samples.first(i); e < samples.last(i); e++) {
                      const C *const row = w.data() + rows[e] + p.normalised;
                      for (int64_t o = 0; o < p.outputs; o++) to[o] += value[e] * row[o];
                    }
                  }
                });
  });
  if (!p.normalised) return;
  w.finish();
  const Ref counted(newLike(normalizedValues, DtypeOf<C>::value, 1, &p.entries));
  std::copy(own.begin(), own.end(), elements<C>(counted));
  THTensor_copy(normalizedValues, counted);
}

// gradBias += scale times gradOutput's sums over samples
template <class C>
void addSums(const THNNSparsePlan &p, const C *gy, C scale, C *to) {
  for (int64_t i = 0; i < p.batch; i++)
    for (int64_t o = 0; o < p.outputs; o++) to[o] += scale * gy[i * p.outputs + o];
}

template <class T>
void gradients(const THTensor *keys, int64_t offset, const THTensor *values, const THTensor *sizes,
               const THTensor *ends, const THTensor *gradOutput, THTensor *gradWeight, THTensor *gradBias,
               const THTensor *weight, const THTensor *bias, double scale) {
  using C = Compute<T>;
  THNNSparsePlan p;
  const bool runs = THNNPrepare_IndexLinear_gradients(&p, DtypeOf<T>::value, keys, values, sizes, ends, gradOutput,
                                                      gradWeight, gradBias, weight, bias);
  if (!runs) return resizeResults(p.result);
  const Rows rows(p, keys, offset);
  const Samples samples(p, sizes, ends);
  const Elements<C> x(values), gy(gradOutput);
  Updated<C> gb(gradBias);
  const int64_t width = p.result[0].size[1];
  into<C>(p.result[0], {values, gradOutput, keys, sizes, ends}, [&](C *gw) {
    std::fill_n(gw, p.entries * width, C(0));  // of entries that no sample has
    for (int64_t i = 0; i < p.batch; i++)
      for (int64_t e = samples.first(i); e < samples.last(i); e++)
        for (int64_t o = 0; o < p.outputs; o++) {
          const C g = C(scale) * gy.data()[i * p.outputs + o];
          gw[e * width + o] = g * x.data()[e];
          if (p.normalised) gw[e * width + p.outputs + o] = g;
        }
  });
  addSums(p, gy.data(), C(scale), gb.data());
  gb.finish();
}

// One update of a row of weight. g(o): its gradient for output o; shift(o): the part of b's that comes by o.
template <class C, class Gradient, class Shift>
void updateRow(const THNNSparsePlan &p, C *row, C rate, C decay, const Gradient &g, const Shift &shift) {
  C *const w = row + p.normalised;
  if (p.normalised) {
    rate *= row[kFactor];
    C sum = 0;
    for (int64_t o = 0; o < p.outputs; o++) sum += shift(o) * w[o];
    row[kShift] -= rate * sum;
  }
  for (int64_t o = 0; o < p.outputs; o++) w[o] = w[o] * (1 - decay * rate) - rate * g(o);
}

template <class T>
void updateAtOnce(const THTensor *keys, int64_t offset, const THTensor *values, const THTensor *sizes,
                  const THTensor *ends, const THTensor *gradOutput, THTensor *weight, THTensor *bias, double decay,
                  double scale) {
  using C = Compute<T>;
  THNNSparsePlan p;
  if (!THNNPrepare_IndexLinear_gradients(&p, DtypeOf<T>::value, keys, values, sizes, ends, gradOutput, nullptr, nullptr,
                                         weight, bias))
    return;
  const Rows rows(p, keys, offset);
  const Samples samples(p, sizes, ends);
  const Elements<C> x(values), gy(gradOutput);
  Updated<C> w(weight), b(bias);
  for (int64_t i = 0; i < p.batch; i++) {
    const C *const g = gy.data() + i * p.outputs;
    for (int64_t e = samples.first(i); e < samples.last(i); e++)
      updateRow(
          p, w.data() + rows[e], C(scale), C(decay), [&](int64_t o) { return g[o] * x.data()[e]; },
          [&](int64_t o) { return g[o]; });
  }
  addSums(p, gy.data(), C(-scale), b.data());
  w.finish();
  b.finish();
}

template <class T>
void update(const THTensor *gradWeight, const THTensor *gradBias, THTensor *weight, THTensor *bias,
            const THTensor *keys, int64_t offset, double decay, double rate) {
  using C = Compute<T>;
  THNNSparsePlan p;
  if (!THNNPrepare_IndexLinear_updateParameters(&p, DtypeOf<T>::value, gradWeight, gradBias, weight, bias, keys))
    return;
  const Rows rows(p, keys, offset);
  const Elements<C> gw(gradWeight), gb(gradBias);
  Updated<C> w(weight), b(bias);
  for (int64_t e = 0; e < p.entries; e++) {
    const C *const g = gw.data() + e * gradWeight->size[1];
    updateRow(
        p, w.data() + rows[e], C(rate), C(decay), [&](int64_t o) { return g[o]; },
        [&](int64_t o) { return g[p.outputs + o]; });
  }
  for (int64_t o = 0; o < p.outputs; o++) b.data()[o] -= C(rate) * gb.data()[o];
  w.finish();
  b.finish();
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(IndexLinear_updateOutput, floating,
            (THNNState *, THNN_INDEX_ENTRIES, THTensor *output, THTensor *weight, const THTensor *bias,
             THTensor *normalizedValues, bool train),
            thnn::forward<T>(keys, keysOffset, values, sizes, cumSumSizes, output, weight, bias, normalizedValues,
                             train))
THNN_DEFINE(IndexLinear_accGradParameters, floating,
            (THNNState *, THNN_INDEX_ENTRIES, const THTensor *gradOutput, THTensor *gradWeight, THTensor *gradBias,
             const THTensor *weight, const THTensor *bias, THNN_BUFFER(valuesBuffer), double weightDecay, double scale),
            thnn::gradients<T>(keys, keysOffset, values, sizes, cumSumSizes, gradOutput, gradWeight, gradBias, weight,
                               bias, scale))
THNN_DEFINE(IndexLinear_accUpdateGradParameters, floating,
            (THNNState *, THNN_INDEX_ENTRIES, const THTensor *gradOutput, THTensor *weight, THTensor *bias,
             double weightDecay, double scale),
            thnn::updateAtOnce<T>(keys, keysOffset, values, sizes, cumSumSizes, gradOutput, weight, bias, weightDecay,
                                  scale))
THNN_DEFINE(IndexLinear_updateParameters, floating,
            (THNNState *, const THTensor *gradWeight, const THTensor *gradBias, THTensor *weight, THTensor *bias,
             const THIndexTensor *runningKeys, const THIndexTensor *cumSumSizes, int64_t keysOffset, double weightDecay,
             double learningRate),
            thnn::update<T>(gradWeight, gradBias, weight, bias, runningKeys, keysOffset, weightDecay, learningRate))
