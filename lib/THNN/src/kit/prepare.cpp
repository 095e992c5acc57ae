// What THNN's functions check, and the shapes of their results.
#include <THNN/THNN.h>

#include "module.hpp"
#include "kit/sortkeys.hpp"

namespace thnn {
namespace {

void setRows(THRowsPlan *plan, THTensor *r, const THTensor *input, int64_t dim) {
  plan->dim = TH_wrapDim(dim, input->ndim);
  plan->rows = Rows(input, plan->dim);
  setResult(plan->result[0], r, input);
}

// Of both directions; r is the first result.
void setSamples(THNNNllPlan *plan, THDtype dtype, const THTensor *r, const THTensor *x, const THTensor *t,
                const THTensor *w) {
  plan->samples = x->ndim == 2 ? x->size[0] : 1;
  plan->classes = x->ndim ? x->size[x->ndim - 1] : 0;
  requireDtype(x, dtype, "input");
  if (w) requireDtype(w, dtype, "weight");
  if (x->ndim < 1 || x->ndim > 2) THError(TH_ERROR_RUNTIME, "input tensor should be 1D or 2D");
  if (t->ndim > 1) THError(TH_ERROR_RUNTIME, "0D or 1D target tensor expected, multi-target not supported");
  if (t->numel != plan->samples || (x->ndim == 2 && t->ndim == 0))
    THError(TH_ERROR_RUNTIME, "size mismatch (got input: %s, target: %s)", shapeString(x).c_str(),
            shapeString(t).c_str());
  if (dtypeOf(t) != TH_Long)
    THError(TH_ERROR_RUNTIME, "expected target dtype to be Long or Byte, but got %s", TH_typeName(dtypeOf(t)));
  if (w && (w->ndim != 1 || w->numel != plan->classes))
    THError(TH_ERROR_RUNTIME,
            "weight tensor should be defined either for all %lld classes or no classes but got weight tensor of "
            "shape: %s",
            (long long)plan->classes, shapeString(w).c_str());
  for (const THTensor *needed : {x, t, w ? w : x}) requireMemory(r, needed);
}

}  // namespace

void check(THDtype dtype, const Named &result, std::initializer_list<Named> inputs) {
  const Named &first = *inputs.begin();
  for (const Named &input : inputs) {
    requireDtype(input.tensor, dtype, input.name);
    requireMemory(result.tensor, input.tensor);
    if (!THTensor_isSameSizeAs(first.tensor, input.tensor))
      THError(TH_ERROR_RUNTIME, "%s and %s must have the same shape, but got %s and %s", first.name, input.name,
              shapeString(first.tensor).c_str(), shapeString(input.tensor).c_str());
  }
  requireDtype(result.tensor, dtype, result.name);
}

void checkOutput(THDtype dtype, const THTensor *input, const THTensor *output) {
  check(dtype, {output, "output"}, {{input, "input"}});
}
void checkGradient(THDtype dtype, const THTensor *gradOutput, const THTensor *gradInput, const THTensor *output) {
  check(dtype, {gradInput, "gradInput"}, {{gradOutput, "gradOutput"}, {output, "output"}});
}
void checkThreshold(THDtype dtype, const THTensor *input, const THTensor *output, bool inplace) {
  checkOutput(dtype, input, output);
  if (inplace) requireMemory(input, output);  // which becomes input
}
void checkThresholdGradient(THDtype dtype, const THTensor *input, const THTensor *gradOutput, const THTensor *gradInput,
                            bool inplace) {
  check(dtype, {gradInput, "gradInput"}, {{input, "input"}, {gradOutput, "gradOutput"}});
  if (inplace) requireMemory(gradOutput, gradInput);
}
void checkMse(THDtype dtype, const THTensor *input, const THTensor *target, const THTensor *output) {
  check(dtype, {output, "output"}, {{input, "input"}, {target, "target"}});
}

static void checkNumber(THDtype dtype, const THTensor *r, const THTensor *t, const char *name) {
  requireDtype(t, dtype, name);
  requireMemory(r, t);
  if (t->numel != 1)
    THError(TH_ERROR_RUNTIME, "Expected a single element %s tensor, but got: %s", name, shapeString(t).c_str());
}

void checkMseGradient(THDtype dtype, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
                      const THTensor *gradInput, bool reduce) {
  const Named result{gradInput, "gradInput"};
  if (!reduce) return check(dtype, result, {{input, "input"}, {target, "target"}, {gradOutput, "gradOutput"}});
  check(dtype, result, {{input, "input"}, {target, "target"}});
  checkNumber(dtype, gradInput, gradOutput, "grad_output");
}

}  // namespace thnn

using namespace thnn;

bool THNNPrepare_activation(THPointwisePlan *plan, THDtype dtype, const THTensor *input, THTensor *output) {
  checkOutput(dtype, input, output);
  const THTensor *const operands[] = {output, input};
  return THPrepare_pointwise(plan, 2, operands, TH_RESULT_RESIZED);
}

bool THNNPrepare_activationGradient(THPointwisePlan *plan, THDtype dtype, const THTensor *gradOutput,
                                    THTensor *gradInput, const THTensor *output) {
  checkGradient(dtype, gradOutput, gradInput, output);
  const THTensor *const operands[] = {gradInput, gradOutput, output};
  return THPrepare_pointwise(plan, 3, operands, TH_RESULT_RESIZED);
}

bool THNNPrepare_Threshold_updateOutput(THPointwisePlan *plan, THDtype dtype, THTensor *input, THTensor *output,
                                        bool inplace) {
  checkThreshold(dtype, input, output, inplace);
  const THTensor *const operands[] = {inplace ? input : output, input};
  const bool runs = THPrepare_pointwise(plan, 2, operands, TH_RESULT_RESIZED);
  if (inplace) shareMemory(output, input);
  return runs;
}

bool THNNPrepare_Threshold_updateGradInput(THPointwisePlan *plan, THDtype dtype, const THTensor *input,
                                           THTensor *gradOutput, THTensor *gradInput, bool inplace) {
  checkThresholdGradient(dtype, input, gradOutput, gradInput, inplace);
  const THTensor *const operands[] = {inplace ? gradOutput : gradInput, input, gradOutput};
  const bool runs = THPrepare_pointwise(plan, 3, operands, TH_RESULT_RESIZED);
  if (inplace) shareMemory(gradInput, gradOutput);
  return runs;
}

void THNNPrepare_softMax(THRowsPlan *plan, THDtype dtype, const THTensor *input, THTensor *output, int64_t dim) {
  checkOutput(dtype, input, output);
  setRows(plan, output, input, dim);
}

void THNNPrepare_softMaxGradient(THRowsPlan *plan, THDtype dtype, const THTensor *gradOutput, THTensor *gradInput,
                                 const THTensor *output, int64_t dim) {
  checkGradient(dtype, gradOutput, gradInput, output);
  setRows(plan, gradInput, gradOutput, dim);
}

bool THNNPrepare_MSECriterion_updateOutput(THPointwisePlan *plan, THResult *loss, THDtype dtype, const THTensor *input,
                                           const THTensor *target, THTensor *output, bool reduce) {
  checkMse(dtype, input, target, output);
  setResult(*loss, reduce ? output : nullptr, 0, nullptr);
  const THTensor *const operands[] = {output, input, target};
  return reduce ? hasMemory(output) : THPrepare_pointwise(plan, 3, operands, TH_RESULT_RESIZED);
}

bool THNNPrepare_MSECriterion_updateGradInput(THPointwisePlan *plan, THDtype dtype, const THTensor *input,
                                              const THTensor *target, const THTensor *gradOutput, THTensor *gradInput,
                                              bool reduce) {
  checkMseGradient(dtype, input, target, gradOutput, gradInput, reduce);
  const THTensor *const operands[] = {gradInput, input, target, gradOutput};
  return THPrepare_pointwise(plan, reduce ? 3 : 4, operands, TH_RESULT_RESIZED);
}

bool THNNPrepare_ClassNLLCriterion_updateOutput(THNNNllPlan *plan, THDtype dtype, const THTensor *input,
                                                const THTensor *target, THTensor *output, const THTensor *weights,
                                                THTensor *total_weight, bool reduce) {
  setSamples(plan, dtype, output, input, target, weights);
  requireDtype(output, dtype, "output");
  requireDtype(total_weight, dtype, "total_weight");
  const int ndim = reduce ? 0 : input->ndim - 1;
  requireSeparate(output, total_weight, ndim, &plan->samples);
  requireSeparate(total_weight, output, 0, nullptr);
  setResult(plan->result[0], output, ndim, &plan->samples);
  setResult(plan->result[1], total_weight, 0, nullptr);
  return hasMemory(output);
}

bool THNNPrepare_ClassNLLCriterion_updateGradInput(THNNNllPlan *plan, THDtype dtype, const THTensor *input,
                                                   const THTensor *target, const THTensor *gradOutput,
                                                   THTensor *gradInput, const THTensor *weights,
                                                   const THTensor *total_weight, bool reduce) {
  setSamples(plan, dtype, gradInput, input, target, weights);
  requireDtype(gradInput, dtype, "gradInput");
  if (reduce) {
    checkNumber(dtype, gradInput, gradOutput, "grad_output");
    checkNumber(dtype, gradInput, total_weight, "total_weight");
  } else {
    requireMemory(gradInput, gradOutput);
    requireDtype(gradOutput, dtype, "gradOutput");
    if (!sameShape(input->ndim - 1, &plan->samples, gradOutput))
      THError(TH_ERROR_RUNTIME, "gradOutput must have one element per sample (%lld), but its shape is %s",
              (long long)plan->samples, shapeString(gradOutput).c_str());
  }
  setResult(plan->result[0], gradInput, input);
  return hasMemory(gradInput);
}
