// One step of recurrent units after the products with the weights.
#include <algorithm>

#include "cells.hpp"
#include "kit/computed.hpp"
#include "kit/parallel.hpp"

namespace thnn {
namespace {

// Runs f(sample) for all of them.
template <class F>
void eachSample(const THNNCellPlan &plan, const F &f) {
  const int64_t grain = std::max<int64_t>(1, kGrain / 16 / std::max<int64_t>(plan.units, 1));
  parallelFor(plan.samples, grain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) f(i);
  });
}

// The sums of both products and biases go into `input`, then the activations.
template <class T>
void lstmForward(THTensor *input, const THTensor *hidden, const THTensor *bias1, const THTensor *bias2,
                 const THTensor *cell, THTensor *output, THTensor *outputCell) {
  using C = Compute<T>;
  THNNCellPlan plan;
  const bool runs = THNNPrepare_LSTMFused_updateOutput(&plan, DtypeOf<T>::value, input, hidden, bias1, bias2, cell,
                                                       output, outputCell);
  if (!runs) return resizeResults(plan.result, 2);
  requireMemory(input);
  const int64_t units = plan.units, all = 4 * units;
  const Elements<C> x(hidden), b1(bias1), b2(bias2), c(cell);
  const Ref copy(newLike(input, DtypeOf<C>::value, input->ndim, input->size));
  THTensor_copy(copy, input);
  C *const gates = elements<C>(copy);
  Computed<C> h(plan.result[0], {}), next(plan.result[1], {});
  eachSample(plan, [&, to = h.data(), nextCell = next.data()](int64_t i) {
    C *const row = gates + i * all;
    for (int64_t k = 0; k < all; k++) row[k] += x.data()[i * all + k] + (bias1 ? b1.data()[k] + b2.data()[k] : C(0));
    cells<C>().lstm(units, row, units, c.data() + i * units, nextCell + i * units, to + i * units);
  });
  h.finish(), next.finish();
  THTensor_copy(input, copy);
}

template <class T>
void lstmBackward(const THTensor *storage, THTensor *gradInGates, const THTensor *cx, const THTensor *cy,
                  const THTensor *gradOutput, const THTensor *gradOutputCell, THTensor *gradInputCx) {
  using C = Compute<T>;
  THNNCellPlan plan;
  const bool runs = THNNPrepare_LSTMFused_updateGradInput(&plan, DtypeOf<T>::value, storage, gradInGates, cx, cy,
                                                          gradOutput, gradOutputCell, gradInputCx);
  if (!runs) return resizeResults(plan.result, 2);
  const int64_t units = plan.units;
  const Elements<C> gates(storage), c(cx), next(cy), dh(gradOutput), dnext(gradOutputCell);
  Computed<C> dgates(plan.result[0], {}), dc(plan.result[1], {});
  eachSample(plan, [&, to = dgates.data(), toCell = dc.data()](int64_t i) {
    const int64_t at = i * units;
    cells<C>().lstmBackward(units, gates.data() + 4 * at, to + 4 * at, units, c.data() + at, next.data() + at,
                            dh.data() + at, dnext.data() + at, toCell + at);
  });
  dgates.finish(), dc.finish();
}

template <class T>
void gruForward(const THTensor *input, const THTensor *hidden, const THTensor *bias1, const THTensor *bias2,
                const THTensor *hx, THTensor *output, THTensor *storage) {
  using C = Compute<T>;
  THNNCellPlan plan;
  const bool runs = THNNPrepare_GRUFused_updateOutput(&plan, DtypeOf<T>::value, input, hidden, bias1, bias2, hx, output,
                                                      storage);
  if (!runs) return resizeResults(plan.result, 2);
  const int64_t units = plan.units;
  const Elements<C> x(input), products(hidden), b1(bias1), b2(bias2), h(hx);
  Computed<C> next(plan.result[0], {}), kept(plan.result[1], {});
  eachSample(plan, [&, to = next.data(), stored = kept.data()](int64_t i) {
    const int64_t at = i * units;
    const auto sums = memory<C>(6 * units);  // the input's product with its bias, and the state's bias
    for (int64_t k = 0; k < 3 * units; k++) {
      sums[size_t(k)] = x.data()[3 * at + k] + (bias1 ? b1.data()[k] : C(0));
      sums[size_t(3 * units + k)] = bias2 ? b2.data()[k] : C(0);
    }
    C *const row = stored + 5 * at;  // r, z, n, h, the product
    cells<C>().gru(units, sums.get(), products.data() + 3 * at, sums.get() + 3 * units, units, h.data() + at, row,
                   row + 4 * units, to + at);
    std::copy_n(h.data() + at, units, row + 3 * units);
  });
  next.finish(), kept.finish();
}

template <class T>
void gruBackward(THTensor *gradInInput, THTensor *gradInHidden, const THTensor *gradOutput, THTensor *gradInputHx,
                 const THTensor *storage) {
  using C = Compute<T>;
  THNNCellPlan plan;
  const bool runs = THNNPrepare_GRUFused_updateGradInput(&plan, DtypeOf<T>::value, gradInInput, gradInHidden,
                                                         gradOutput, gradInputHx, storage);
  if (!runs) return resizeResults(plan.result, 3);
  const int64_t units = plan.units;
  const Elements<C> stored(storage), dnext(gradOutput);
  Computed<C> dx(plan.result[0], {}), dhidden(plan.result[1], {}), dh(plan.result[2], {});
  eachSample(plan, [&, toX = dx.data(), toHidden = dhidden.data(), to = dh.data()](int64_t i) {
    const int64_t at = i * units;
    const C *const r = stored.data() + 5 * at;
    cells<C>().gruBackward(units, r, r + 4 * units, r + 3 * units, dnext.data() + at, toX + 3 * at, toHidden + 3 * at,
                           units, to + at);
  });
  dx.finish(), dhidden.finish(), dh.finish();
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(LSTMFused_updateOutput, floating,
            (THNNState *, THTensor *input, const THTensor *hidden, const THNullableTensor *bias1,
             const THNullableTensor *bias2, const THTensor *cell, THTensor *output, THTensor *outputCell),
            thnn::lstmForward<T>(input, hidden, bias1, bias2, cell, output, outputCell))
THNN_DEFINE(LSTMFused_updateGradInput, floating,
            (THNNState *, const THTensor *storage, THTensor *gradInGates, const THTensor *cx, const THTensor *cy,
             const THTensor *gradOutput, const THTensor *gradOutputCell, THTensor *gradInputCx),
            thnn::lstmBackward<T>(storage, gradInGates, cx, cy, gradOutput, gradOutputCell, gradInputCx))
THNN_DEFINE(GRUFused_updateOutput, floating,
            (THNNState *, const THTensor *input, const THTensor *hidden, const THNullableTensor *bias1,
             const THNullableTensor *bias2, const THTensor *hx, THTensor *output, THTensor *storage),
            thnn::gruForward<T>(input, hidden, bias1, bias2, hx, output, storage))
THNN_DEFINE(GRUFused_updateGradInput, floating,
            (THNNState *, THTensor *gradInInput, THTensor *gradInHidden, const THTensor *gradOutput,
             THTensor *gradInputHx, const THTensor *storage),
            thnn::gruBackward<T>(gradInInput, gradInHidden, gradOutput, gradInputHx, storage))
