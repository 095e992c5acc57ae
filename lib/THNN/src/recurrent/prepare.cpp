// What recurrent units check, and the shapes of their results.
#include <THNN/Recurrent.h>

#include "kit/module.hpp"

namespace thnn {
namespace {

using Size = std::initializer_list<int64_t>;

// An argument, its name, and the shape that it must have.
struct Sized {
  const THTensor *tensor;
  const char *name;
  Size size;
};

// Optional ones may be NULL.
void require(THDtype dtype, const THTensor *r, std::initializer_list<Sized> arguments) {
  for (const auto &[t, name, size] : arguments) {
    if (!t) continue;
    requireDtype(t, dtype, name);
    requireMemory(r, t);
    if (!sameShape(int(size.size()), size.begin(), t))
      THError(TH_ERROR_RUNTIME, "Expected %s to have shape %s, but got %s", name,
              shapeString(int(size.size()), size.begin()).c_str(), shapeString(t).c_str());
  }
}

// Results, which must be apart from `inputs` and each other.
struct Shaped {
  THTensor *tensor;
  const char *name;
  Size size;
};
void setResults(THResult *results, THDtype dtype, std::initializer_list<Shaped> shapes,
                std::initializer_list<const THTensor *> inputs) {
  for (const auto &[t, name, size] : shapes) {
    requireDtype(t, dtype, name);
    for (const THTensor *input : inputs)
      if (input) requireSeparate(t, input, int(size.size()), size.begin());
    for (const Shaped &other : shapes)
      if (other.tensor != t) requireSeparate(t, other.tensor, int(size.size()), size.begin());
    setResult(*results++, t, int(size.size()), size.begin());
  }
}

// (N, gates H)
void setUnits(THNNCellPlan *plan, const THTensor *gates, int n, const char *name) {
  if (gates->ndim != 2 || gates->size[1] % n)
    THError(TH_ERROR_RUNTIME, "%s must have shape (samples, %d * units), but got %s", name, n,
            shapeString(gates).c_str());
  plan->samples = gates->size[0];
  plan->units = gates->size[1] / n;
}

void requireBoth(const THTensor *bias1, const THTensor *bias2) {
  if (!bias1 != !bias2) THError(TH_ERROR_RUNTIME, "there must be both biases or none");
}

}  // namespace
}  // namespace thnn

using namespace thnn;

bool THNNPrepare_LSTMFused_updateOutput(THNNCellPlan *plan, THDtype dtype, const THTensor *input,
                                        const THTensor *hidden, const THTensor *bias1, const THTensor *bias2,
                                        const THTensor *cell, THTensor *output, THTensor *outputCell) {
  setUnits(plan, input, 4, "input");
  requireBoth(bias1, bias2);
  const int64_t n = plan->samples, units = plan->units;
  require(dtype, output,
          {{input, "input", {n, 4 * units}},
           {hidden, "hidden", {n, 4 * units}},
           {bias1, "bias1", {4 * units}},
           {bias2, "bias2", {4 * units}},
           {cell, "cell", {n, units}}});
  for (const THTensor *t : {hidden, bias1, bias2, cell})
    if (t) requireSeparate(input, t);
  setResults(plan->result, dtype, {{output, "output", {n, units}}, {outputCell, "outputCell", {n, units}}},
             {input, hidden, bias1, bias2, cell});
  return hasMemory(output);
}

bool THNNPrepare_LSTMFused_updateGradInput(THNNCellPlan *plan, THDtype dtype, const THTensor *storage,
                                           THTensor *gradInGates, const THTensor *cx, const THTensor *cy,
                                           const THTensor *gradOutput, const THTensor *gradOutputCell,
                                           THTensor *gradInputCx) {
  setUnits(plan, storage, 4, "storage");
  const int64_t n = plan->samples, units = plan->units;
  require(dtype, gradInGates,
          {{storage, "storage", {n, 4 * units}},
           {cx, "cx", {n, units}},
           {cy, "cy", {n, units}},
           {gradOutput, "gradOutput", {n, units}},
           {gradOutputCell, "gradOutputCell", {n, units}}});
  setResults(plan->result, dtype,
             {{gradInGates, "gradInGates", {n, 4 * units}}, {gradInputCx, "gradInputCx", {n, units}}},
             {storage, cx, cy, gradOutput, gradOutputCell});
  return hasMemory(gradInGates);
}

bool THNNPrepare_GRUFused_updateOutput(THNNCellPlan *plan, THDtype dtype, const THTensor *input, const THTensor *hidden,
                                       const THTensor *bias1, const THTensor *bias2, const THTensor *hx,
                                       THTensor *output, THTensor *storage) {
  setUnits(plan, input, 3, "input");
  requireBoth(bias1, bias2);
  const int64_t n = plan->samples, units = plan->units;
  require(dtype, output,
          {{input, "input", {n, 3 * units}},
           {hidden, "hidden", {n, 3 * units}},
           {bias1, "bias1", {3 * units}},
           {bias2, "bias2", {3 * units}},
           {hx, "hx", {n, units}}});
  setResults(plan->result, dtype, {{output, "output", {n, units}}, {storage, "storage", {n, 5 * units}}},
             {input, hidden, bias1, bias2, hx});
  return hasMemory(output);
}

bool THNNPrepare_GRUFused_updateGradInput(THNNCellPlan *plan, THDtype dtype, THTensor *gradInInput,
                                          THTensor *gradInHidden, const THTensor *gradOutput, THTensor *gradInputHx,
                                          const THTensor *storage) {
  setUnits(plan, storage, 5, "storage");
  const int64_t n = plan->samples, units = plan->units;
  require(dtype, gradInInput, {{storage, "storage", {n, 5 * units}}, {gradOutput, "gradOutput", {n, units}}});
  setResults(plan->result, dtype,
             {{gradInInput, "gradInInput", {n, 3 * units}},
              {gradInHidden, "gradInHidden", {n, 3 * units}},
              {gradInputHx, "gradInputHx", {n, units}}},
             {storage, gradOutput});
  return hasMemory(gradInInput);
}

namespace thnn {
namespace {

// From the weight, the state and the sizes, and checks all inputs that both directions have.
void setLayer(THNNRecurrentPlan *plan, THDtype dtype, const THTensor *r, const THTensor *hx, const THTensor *cx,
              const THTensor *weight, const THTensor *projection, int nsizes, const int64_t *sizes, int64_t mode) {
  if (mode < THNN_RNN_TANH || mode > THNN_LSTM)
    THError(TH_ERROR_RUNTIME, "mode must be between 0 and 3, got %lld", (long long)mode);
  const bool isLstm = mode == THNN_LSTM;
  plan->mode = int(mode);
  plan->gates = isLstm ? 4 : mode == THNN_GRU ? 3 : 1;
  if (weight->ndim != 2 || weight->size[0] % plan->gates)
    THError(TH_ERROR_RUNTIME, "weight must have shape (%d * units, state), but got %s", plan->gates,
            shapeString(weight).c_str());
  if (!cx != !isLstm) THError(TH_ERROR_RUNTIME, isLstm ? "an LSTM needs cx" : "cx is for LSTM alone");
  if (projection && !isLstm) THError(TH_ERROR_RUNTIME, "a projection is for LSTM alone");
  plan->units = weight->size[0] / plan->gates;
  plan->state = weight->size[1];
  plan->batch = hx->ndim ? hx->size[0] : 0;
  plan->steps = nsizes;
  plan->rows = 0;
  for (int t = 0; t < nsizes; t++) {
    if (sizes[t] < 0 || sizes[t] > (t ? sizes[t - 1] : plan->batch) || (!t && sizes[t] != plan->batch))
      THError(TH_ERROR_RUNTIME, "sizes must begin with the batch's and never grow, but entry %d is %lld", t,
              (long long)sizes[t]);
    plan->rows += sizes[t];
  }
  plan->stored = plan->rows * plan->units * (plan->gates + (plan->gates > 1));
  if (!projection && plan->state != plan->units)
    THError(TH_ERROR_RUNTIME, "weight must have one column per unit (%lld), but its shape is %s",
            (long long)plan->units, shapeString(weight).c_str());
  require(dtype, r,
          {{weight, "weight", {plan->gates * plan->units, plan->state}},
           {projection, "projection", {plan->state, plan->units}},
           {hx, "hx", {plan->batch, plan->state}},
           {cx, "cx", {plan->batch, plan->units}}});
}

}  // namespace
}  // namespace thnn

bool THNNPrepare_RecurrentLayer_updateOutput(THNNRecurrentPlan *plan, THDtype dtype, const THTensor *storage,
                                             THTensor *output, THTensor *hy, THTensor *cy, const THTensor *hx,
                                             const THTensor *cx, const THTensor *weight, const THTensor *bias,
                                             const THTensor *projection, int nsizes, const int64_t *sizes,
                                             int64_t mode) {
  setLayer(plan, dtype, output, hx, cx, weight, projection, nsizes, sizes, mode);
  const int64_t rows = plan->rows, batch = plan->batch, units = plan->units, all = plan->gates * units;
  require(dtype, output, {{storage, "storage", {plan->stored}}, {bias, "bias", {all}}});
  if (!THTensor_isContiguous(storage)) THError(TH_ERROR_RUNTIME, "storage must be contiguous");
  for (const THTensor *t : {hx, cx, weight, bias, projection})
    if (t) requireSeparate(storage, t);
  if (bias && mode != THNN_GRU) THError(TH_ERROR_RUNTIME, "a bias of its own is for GRU alone");
  const Size none = {0}, cells = {batch, units};
  setResults(plan->result, dtype,
             {{output, "output", {rows, plan->state}},
              {hy, "hy", {batch, plan->state}},
              {cy, "cy", mode == THNN_LSTM ? cells : none}},
             {storage, hx, cx, weight, bias, projection});
  return hasMemory(output);
}

bool THNNPrepare_RecurrentLayer_updateGradInput(THNNRecurrentPlan *plan, THDtype dtype, const THTensor *output,
                                                const THTensor *gradOutput, const THTensor *gradHy,
                                                const THTensor *gradCy, THTensor *gradInput, THTensor *gradHidden,
                                                THTensor *gradState, THTensor *gradHx, THTensor *gradCx,
                                                const THTensor *storage, const THTensor *hx, const THTensor *cx,
                                                const THTensor *weight, const THTensor *projection, int nsizes,
                                                const int64_t *sizes, int64_t mode) {
  setLayer(plan, dtype, gradInput, hx, cx, weight, projection, nsizes, sizes, mode);
  const int64_t rows = plan->rows, batch = plan->batch, units = plan->units, all = plan->gates * units;
  require(dtype, gradInput,
          {{gradOutput, "gradOutput", {rows, plan->state}},
           {gradHy, "gradHy", {batch, plan->state}},
           {gradCy, "gradCy", {batch, units}},
           {output, "output", {rows, plan->state}},
           {plan->gates > 1 ? storage : nullptr, "storage", {plan->stored}}});
  const Size none = {0}, allRows = {rows, all}, stateRows = {rows, plan->state}, cells = {batch, units};
  setResults(plan->result, dtype,
             {{gradInput, "gradInput", allRows},
              {gradHidden, "gradHidden", mode == THNN_GRU ? allRows : none},
              {gradState, "gradState", projection ? stateRows : none},
              {gradHx, "gradHx", {batch, plan->state}},
              {gradCx, "gradCx", mode == THNN_LSTM ? cells : none}},
             {gradOutput, gradHy, gradCy, output, storage, hx, cx, weight, projection});
  return hasMemory(gradInput);
}
