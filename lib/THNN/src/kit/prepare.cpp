// What THNN's functions check, and the shapes of their results.
#include <THNN/Check.h>
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

// Shapes are the caller's to check.
void setClasses(THNNNllPlan *plan, THDtype dtype, const THTensor *r, const THTensor *x, const THTensor *t,
                const THTensor *w) {
  requireDtype(x, dtype, "input");
  if (w) requireDtype(w, dtype, "weight");
  if (dtypeOf(t) != TH_Long)
    THError(TH_ERROR_RUNTIME, "targets must be of dtype int64, but are of %s", TH_dtypeName(dtypeOf(t)));
  THNNCheck_classWeights(plan->classes, w);
  for (const THTensor *needed : {x, t, w ? w : x}) requireMemory(r, needed);
}

// Of both directions; r is the first result.
void setSamples(THNNNllPlan *plan, THDtype dtype, const THTensor *r, const THTensor *x, const THTensor *t,
                const THTensor *w) {
  plan->samples = x->ndim == 2 ? x->size[0] : 1;
  plan->classes = x->ndim ? x->size[x->ndim - 1] : 0;
  plan->inner = 1;
  THNNCheck_targets(x, t);
  setClasses(plan, dtype, r, x, t, w);
}
void setPlaces(THNNNllPlan *plan, THDtype dtype, const THTensor *r, const THTensor *x, const THTensor *t,
               const THTensor *w) {
  if (x->ndim < 3) THError(TH_ERROR_RUNTIME, "input tensor should have 3 dimensions or more, but has %d", x->ndim);
  bool fits = t->ndim == x->ndim - 1 && t->size[0] == x->size[0];
  for (int d = 1; fits && d < t->ndim; d++) fits = t->size[d] == x->size[d + 1];
  if (!fits)
    THError(TH_ERROR_RUNTIME, "size mismatch (got input: %s, target: %s)", shapeString(x).c_str(),
            shapeString(t).c_str());
  plan->samples = t->numel;
  plan->classes = x->size[1];
  plan->inner = TH_numel(t->ndim - 1, t->size + 1);
  setClasses(plan, dtype, r, x, t, w);
}
// The losses' shape: the target's, but that a vector of classes has one loss.
void setLosses(THResult &result, THTensor *r, const THTensor *x, const THTensor *t, bool reduce) {
  setResult(result, r, reduce || x->ndim == 1 ? 0 : t->ndim, t->size);
}

bool setMargins(THNNMarginPlan *plan, THDtype dtype, const THTensor *r, const THTensor *x, const THTensor *t) {
  requireDtype(x, dtype, "input");
  requireDtype(r, dtype, "result");
  if (x->ndim > 2 || (x->ndim && !x->size[x->ndim - 1]))
    THError(TH_ERROR_RUNTIME, "Expected non-empty vector or matrix with optional 0-dim batch size, but got: %s",
            shapeString(x).c_str());
  plan->samples = x->ndim == 2 ? x->size[0] : 1;
  plan->classes = x->ndim ? x->size[x->ndim - 1] : 1;
  for (const THTensor *needed : {x, t}) requireMemory(r, needed);
  return hasMemory(r);
}
void checkMultiMargin(const THNNMarginPlan &plan, THDtype dtype, const THTensor *r, const THTensor *x,
                      const THTensor *t, int64_t p, const THTensor *w) {
  if (p != 1 && p != 2) THError(TH_ERROR_RUNTIME, "only p == 1 and p == 2 supported");
  if (t->ndim > 1 || t->numel != plan.samples)
    THError(TH_ERROR_RUNTIME,
            "multi_margin_loss: target tensor should be 1-D with size equal to the number of input samples (batch "
            "size). Expected target size [%lld], but got %s. Input has shape %s.",
            (long long)plan.samples, shapeString(t).c_str(), shapeString(x).c_str());
  requireDtype(t, TH_Long, "target");
  if (!w) return;
  requireDtype(w, dtype, "weight");
  requireMemory(r, w);
  if (w->ndim > 1 || w->numel != plan.classes)
    THError(TH_ERROR_RUNTIME, "inconsistent weight size, expected %lld but got %s", (long long)plan.classes,
            shapeString(w).c_str());
}
void checkMultiLabel(const THTensor *x, const THTensor *t) {
  if (!THTensor_isSameSizeAs(x, t))
    THError(TH_ERROR_RUNTIME, "inconsistent target size: %s for input of size: %s", shapeString(t).c_str(),
            shapeString(x).c_str());
  if (dtypeOf(t) != TH_Long)
    THError(TH_ERROR_RUNTIME, "expected scalar type Long but found %s", TH_typeName(dtypeOf(t)));
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

void THNNCheck_singleTargets(const THTensor *target) {
  if (target->ndim > 1) THError(TH_ERROR_RUNTIME, "0D or 1D target tensor expected, multi-target not supported");
}

void THNNCheck_targets(const THTensor *input, const THTensor *target) {
  if (input->ndim < 1 || input->ndim > 2) THError(TH_ERROR_RUNTIME, "input tensor should be 1D or 2D");
  THNNCheck_singleTargets(target);
  const int64_t samples = input->ndim == 2 ? input->size[0] : 1;
  if (target->numel != samples || (input->ndim == 2 && target->ndim == 0))
    THError(TH_ERROR_RUNTIME, "size mismatch (got input: %s, target: %s)", shapeString(input).c_str(),
            shapeString(target).c_str());
}

void THNNCheck_classWeights(int64_t classes, const THTensor *weights) {
  if (weights && (weights->ndim != 1 || weights->numel != classes))
    THError(TH_ERROR_RUNTIME,
            "weight tensor should be defined either for all %lld classes or no classes but got weight tensor of "
            "shape: %s",
            (long long)classes, shapeString(weights).c_str());
}

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

int THNNCheck_halved(const THTensor *input, int64_t dim) {
  if (!input->ndim) THError(TH_ERROR_RUNTIME, "glu does not support scalars because halving size must be even");
  const int d = TH_wrapDim(dim, input->ndim);
  if (input->size[d] % 2)
    THError(TH_ERROR_RUNTIME, "Halving dimension must be even, but dimension %d is size %lld", d,
            (long long)input->size[d]);
  return d;
}

static int64_t halvedDim(THDtype dtype, const THTensor *r, const THTensor *input, int64_t dim) {
  requireDtype(input, dtype, "input");
  requireDtype(r, dtype, "result");
  requireMemory(r, input);
  return THNNCheck_halved(input, dim);
}

void THNNPrepare_GatedLinear_updateOutput(THResult *result, THDtype dtype, const THTensor *input, THTensor *output,
                                          int64_t dim) {
  const int64_t d = halvedDim(dtype, output, input, dim);
  setResult(*result, output, input);
  result->size[d] /= 2;
}

void THNNPrepare_GatedLinear_updateGradInput(THResult *result, THDtype dtype, const THTensor *input,
                                             const THTensor *gradOutput, THTensor *gradInput, int64_t dim) {
  THResult half;
  THNNPrepare_GatedLinear_updateOutput(&half, dtype, input, gradInput, dim);
  requireDtype(gradOutput, dtype, "gradOutput");
  requireMemory(gradInput, gradOutput);
  if (!sameShape(half.ndim, half.size, gradOutput))
    THError(TH_ERROR_RUNTIME, "gradOutput must have the shape %s, but it is %s",
            shapeString(half.ndim, half.size).c_str(), shapeString(gradOutput).c_str());
  setResult(*result, gradInput, input);
}

static void checkSlopes(THDtype dtype, const THTensor *r, const THTensor *input, const THTensor *weight) {
  requireDtype(weight, dtype, "weight");
  requireMemory(r, weight);
  if (weight->ndim > 1)
    THError(TH_ERROR_RUNTIME, "prelu: Expected `weight` to be a scalar or 1D tensor, but got: ndim = %d", weight->ndim);
  if (weight->numel == 1) return;
  if (!input->ndim) THError(TH_ERROR_RUNTIME, "Not allow zero-dim input tensor.");
  const int64_t channels = input->ndim > 1 ? input->size[1] : 1;
  if (channels != weight->numel)
    THError(TH_ERROR_RUNTIME,
            "Mismatch of parameter numbers and input channel size. Found parameter numbers = %lld and channel size = "
            "%lld.",
            (long long)weight->numel, (long long)channels);
}

void THNNPrepare_PReLU_updateOutput(THDtype dtype, const THTensor *input, const THTensor *output,
                                    const THTensor *weight) {
  checkOutput(dtype, input, output);
  checkSlopes(dtype, output, input, weight);
}
void THNNPrepare_PReLU_updateGradInput(THDtype dtype, const THTensor *input, const THTensor *gradOutput,
                                       const THTensor *gradInput, const THTensor *weight) {
  checkThresholdGradient(dtype, input, gradOutput, gradInput, false);
  checkSlopes(dtype, gradInput, input, weight);
}
void THNNPrepare_PReLU_accGradParameters(THDtype dtype, const THTensor *input, const THTensor *gradOutput,
                                         const THTensor *gradWeight) {
  check(dtype, {gradWeight, "gradWeight"}, {{input, "input"}, {gradOutput, "gradOutput"}});
  checkSlopes(dtype, gradWeight, input, gradWeight);
}

void THNNPrepare_RReLU_noise(THResult *noise_result, THDtype dtype, const THTensor *input, const THTensor *output,
                             THTensor *noise, bool inplace) {
  checkThreshold(dtype, input, output, inplace);
  requireDtype(noise, dtype, "noise");
  if (noise->storage == input->storage || noise->storage == output->storage)
    THError(TH_ERROR_RUNTIME, "noise must not share memory with input or output");
  setResult(*noise_result, noise, input);
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

using SetNll = decltype(setSamples);

static bool setNll(SetNll set, THNNNllPlan *plan, THDtype dtype, const THTensor *input, const THTensor *target,
                   THTensor *output, const THTensor *weights, THTensor *total_weight, bool reduce) {
  set(plan, dtype, output, input, target, weights);
  requireDtype(output, dtype, "output");
  requireDtype(total_weight, dtype, "total_weight");
  setLosses(plan->result[0], output, input, target, reduce);
  requireSeparate(output, total_weight, plan->result[0].ndim, plan->result[0].size);
  requireSeparate(total_weight, output, 0, nullptr);
  setResult(plan->result[1], total_weight, 0, nullptr);
  return hasMemory(output);
}

static bool setNllGradient(SetNll set, THNNNllPlan *plan, THDtype dtype, const THTensor *input, const THTensor *target,
                           const THTensor *gradOutput, THTensor *gradInput, const THTensor *weights,
                           const THTensor *total_weight, bool reduce) {
  set(plan, dtype, gradInput, input, target, weights);
  requireDtype(gradInput, dtype, "gradInput");
  if (reduce) {
    checkNumber(dtype, gradInput, gradOutput, "grad_output");
    checkNumber(dtype, gradInput, total_weight, "total_weight");
  } else {
    requireMemory(gradInput, gradOutput);
    requireDtype(gradOutput, dtype, "gradOutput");
    THResult losses;
    setLosses(losses, gradInput, input, target, false);
    if (!sameShape(losses.ndim, losses.size, gradOutput))
      THError(TH_ERROR_RUNTIME, "gradOutput must have one element per sample (%lld), but its shape is %s",
              (long long)plan->samples, shapeString(gradOutput).c_str());
  }
  setResult(plan->result[0], gradInput, input);
  return hasMemory(gradInput);
}

#define NLL(Name, set)                                                                                                 \
  bool THNNPrepare_##Name##_updateOutput(THNNNllPlan *plan, THDtype dtype, const THTensor *input,                      \
                                         const THTensor *target, THTensor *output, const THTensor *weights,            \
                                         THTensor *total_weight, bool reduce) {                                        \
    return setNll(set, plan, dtype, input, target, output, weights, total_weight, reduce);                             \
  }                                                                                                                    \
  bool THNNPrepare_##Name##_updateGradInput(THNNNllPlan *plan, THDtype dtype, const THTensor *input,                   \
                                            const THTensor *target, const THTensor *gradOutput, THTensor *gradInput,   \
                                            const THTensor *weights, const THTensor *total_weight, bool reduce) {      \
    return setNllGradient(set, plan, dtype, input, target, gradOutput, gradInput, weights, total_weight, reduce);      \
  }
NLL(ClassNLLCriterion, setSamples)
NLL(SpatialClassNLLCriterion, setPlaces)
#undef NLL

// The losses' gradients, in the losses' shape or one number.
static void checkMarginGradient(THDtype dtype, const THTensor *input, const THTensor *gradOutput,
                                const THTensor *gradInput, bool reduce) {
  if (reduce) return checkNumber(dtype, gradInput, gradOutput, "grad_output");
  requireDtype(gradOutput, dtype, "gradOutput");
  requireMemory(gradInput, gradOutput);
  const int64_t samples = input->ndim == 2 ? input->size[0] : 1;
  if (gradOutput->numel != samples)
    THError(TH_ERROR_RUNTIME, "gradOutput must have one element per sample (%lld), but its shape is %s",
            (long long)samples, shapeString(gradOutput).c_str());
}

bool THNNPrepare_MultiMarginCriterion_updateOutput(THNNMarginPlan *plan, THDtype dtype, const THTensor *input,
                                                   const THTensor *target, THTensor *output, int64_t p,
                                                   const THTensor *weights, bool reduce) {
  const bool runs = setMargins(plan, dtype, output, input, target);
  checkMultiMargin(*plan, dtype, output, input, target, p, weights);
  setResult(plan->result, output, reduce ? 0 : target->ndim, target->size);
  return runs;
}
bool THNNPrepare_MultiMarginCriterion_updateGradInput(THNNMarginPlan *plan, THDtype dtype, const THTensor *input,
                                                      const THTensor *target, const THTensor *gradOutput,
                                                      THTensor *gradInput, int64_t p, const THTensor *weights,
                                                      bool reduce) {
  const bool runs = setMargins(plan, dtype, gradInput, input, target);
  checkMultiMargin(*plan, dtype, gradInput, input, target, p, weights);
  checkMarginGradient(dtype, input, gradOutput, gradInput, reduce);
  setResult(plan->result, gradInput, input);
  return runs;
}
bool THNNPrepare_MultiLabelMarginCriterion_updateOutput(THNNMarginPlan *plan, THDtype dtype, const THTensor *input,
                                                        const THTensor *target, THTensor *output, bool reduce) {
  const bool runs = setMargins(plan, dtype, output, input, target);
  checkMultiLabel(input, target);
  setResult(plan->result, output, reduce || input->ndim < 2 ? 0 : 1, input->size);
  return runs;
}
bool THNNPrepare_MultiLabelMarginCriterion_updateGradInput(THNNMarginPlan *plan, THDtype dtype, const THTensor *input,
                                                           const THTensor *target, const THTensor *gradOutput,
                                                           THTensor *gradInput, bool reduce) {
  const bool runs = setMargins(plan, dtype, gradInput, input, target);
  checkMultiLabel(input, target);
  checkMarginGradient(dtype, input, gradOutput, gradInput, reduce);
  setResult(plan->result, gradInput, input);
  return runs;
}
