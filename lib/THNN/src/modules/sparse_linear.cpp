// Linear maps of vectors given by entries: of all samples in one list, or, in the legacy form, of each.
//
// Work is shared out by outputs; the entries come in their order for each, so that sums do not depend on the threads.
#include <algorithm>
#include <vector>

#include "kit/parallel.hpp"
#include "sparse.hpp"

namespace thnn {
namespace {

template <class C>
struct Entry {
  int64_t sample, element;
  C value;
};

// The entries, counted from 0. Those whose value is 0 are left out, or, where `all`, those of them that lie nowhere.
template <class C>
std::vector<Entry<C>> entriesOf(const THNNSparsePlan &p, const THTensor *input, bool all) {
  const Elements<C> x(input);
  std::vector<Entry<C>> list;
  const bool legacy = p.width == 2;
  const int64_t n = p.entries * (legacy ? p.batch : 1);
  list.reserve(size_t(n));
  for (int64_t e = 0; e < n; e++) {
    const C *const row = x.data() + e * p.width;
    const C value = row[p.width - 1];
    const double sample = legacy ? double(e / p.entries + 1) : double(row[0]), element = double(row[p.width - 2]);
    const bool inside = sample >= 1 && sample <= double(p.batch) && element >= 1 && element <= double(p.inputs);
    if (!inside && value != 0)
      THError(TH_ERROR_INDEX, "index out of bound: entry %lld is element %g of sample %g, of %lld elements",
              (long long)e, element, sample, (long long)p.inputs);
    if (inside && (all || value != 0))
      list.push_back({legacy ? e / p.entries : int64_t(sample) - 1, int64_t(element) - 1, value});
  }
  return list;
}

// work(begin, end) for parts of the outputs.
template <class Work>
void forOutputs(const THNNSparsePlan &p, size_t entries, const Work &work) {
  parallelFor(p.outputs, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, int64_t(entries))), work);
}

template <class T>
void forward(const THTensor *input, THTensor *output, const THTensor *weight, const THTensor *bias, bool legacy) {
  using C = Compute<T>;
  THNNSparsePlan p;
  if (!THNNPrepare_SparseLinear_updateOutput(&p, DtypeOf<T>::value, input, output, weight, bias, legacy))
    return resizeResults(p.result);
  const auto entries = entriesOf<C>(p, input, false);
  const Elements<C> w(weight), b(bias);
  into<C>(p.result[0], {input, weight, bias}, [&](C *y) {
    forOutputs(p, entries.size() + size_t(p.batch), [&](int64_t begin, int64_t end) {
      for (int64_t i = 0; i < p.batch; i++) std::copy(b.data() + begin, b.data() + end, y + i * p.outputs + begin);
      for (const Entry<C> &e : entries)
        for (int64_t o = begin; o < end; o++)
          y[e.sample * p.outputs + o] += e.value * w.data()[o * p.inputs + e.element];
    });
  });
}

template <class T>
void gradients(const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight, THTensor *gradBias,
               const THTensor *weight, const THTensor *bias, double decay, double scale, bool legacy) {
  using C = Compute<T>;
  THNNSparsePlan p;
  if (!THNNPrepare_SparseLinear_accGradParameters(&p, DtypeOf<T>::value, input, gradOutput, gradWeight, gradBias,
                                                  weight, bias, legacy))
    return;
  const auto entries = entriesOf<C>(p, input, false);
  const Elements<C> gy(gradOutput), w(weight);
  Updated<C> gw(gradWeight), gb(gradBias);
  forOutputs(p, entries.size() + size_t(p.batch + p.inputs), [&](int64_t begin, int64_t end) {
    for (const Entry<C> &e : entries)
      for (int64_t o = begin; o < end; o++)
        gw.data()[o * p.inputs + e.element] += C(scale) * e.value * gy.data()[e.sample * p.outputs + o];
    for (int64_t i = 0; i < p.batch; i++)
      for (int64_t o = begin; o < end; o++) gb.data()[o] += C(scale) * gy.data()[i * p.outputs + o];
    for (int64_t i = begin * p.inputs; decay != 0 && i < end * p.inputs; i++) gw.data()[i] += C(decay) * w.data()[i];
  });
  gw.finish();
  gb.finish();
}

// The elements that entries name, each once.
template <class C>
std::vector<int64_t> elementsNamed(const THNNSparsePlan &p, const THTensor *input) {
  std::vector<int64_t> named;
  for (const Entry<C> &e : entriesOf<C>(p, input, true)) named.push_back(e.element);
  std::sort(named.begin(), named.end());
  named.erase(std::unique(named.begin(), named.end()), named.end());
  return named;
}

template <class T>
void zeroGradients(THTensor *gradWeight, THTensor *gradBias, const THTensor *input, bool legacy) {
  using C = Compute<T>;
  THNNSparsePlan p;
  if (!THNNPrepare_SparseLinear_parameters(&p, DtypeOf<T>::value, gradWeight, gradBias, nullptr, nullptr, input,
                                           legacy))
    return;
  const auto named = elementsNamed<C>(p, input);
  Updated<C> gw(gradWeight), gb(gradBias);
  forOutputs(p, named.size(), [&](int64_t begin, int64_t end) {
    for (int64_t o = begin; o < end; o++) {
      for (int64_t element : named) gw.data()[o * p.inputs + element] = C(0);
      gb.data()[o] = C(0);
    }
  });
  gw.finish();
  gb.finish();
}

template <class T>
void update(THTensor *weight, THTensor *bias, const THTensor *gradWeight, const THTensor *gradBias,
            const THTensor *input, double rate, bool legacy) {
  using C = Compute<T>;
  THNNSparsePlan p;
  if (!THNNPrepare_SparseLinear_parameters(&p, DtypeOf<T>::value, weight, bias, gradWeight, gradBias, input, legacy))
    return;
  const auto named = elementsNamed<C>(p, input);
  const Elements<C> gw(gradWeight), gb(gradBias);
  Updated<C> w(weight), b(bias);
  forOutputs(p, named.size(), [&](int64_t begin, int64_t end) {
    for (int64_t o = begin; o < end; o++) {
      for (int64_t element : named) {
        const int64_t i = o * p.inputs + element;
        w.data()[i] -= C(rate) * gw.data()[i];
      }
      b.data()[o] -= C(rate) * gb.data()[o];
    }
  });
  w.finish();
  b.finish();
}

}  // namespace
}  // namespace thnn

#define THNN_DEFINE_SPARSE(legacy, forward_, gradients_, zero, parameters)                                            \
  THNN_DEFINE(SparseLinear_##forward_, floating, THNN_SPARSE_OUTPUT,                                                    \
              thnn::forward<T>(input, output, weight, bias, legacy))                                                  \
  THNN_DEFINE(SparseLinear_##gradients_, floating, THNN_SPARSE_GRADIENTS,                                             \
              thnn::gradients<T>(input, gradOutput, gradWeight, gradBias, weight, bias, weightDecay, scale, legacy)) \
  THNN_DEFINE(SparseLinear_##zero, floating, THNN_SPARSE_ZERO,                                                        \
              thnn::zeroGradients<T>(gradWeight, gradBias, lastInput, legacy))                                        \
  THNN_DEFINE(SparseLinear_##parameters, floating, THNN_SPARSE_UPDATE,                                                \
              thnn::update<T>(weight, bias, gradWeight, gradBias, lastInput, learningRate, legacy))

THNN_DEFINE_SPARSE(false, updateOutput, accGradParameters, zeroGradParameters, updateParameters)
THNN_DEFINE_SPARSE(true, legacyUpdateOutput, legacyAccGradParameters, legacyZeroGradParameters, legacyUpdateParameters)
