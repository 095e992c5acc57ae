// What criterions check, and the shapes of their results.
#include <THNN/Check.h>
#include <THNN/THNN.h>

#include "criterion.hpp"
#include "kit/sortkeys.hpp"

namespace thnn {
namespace {

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
