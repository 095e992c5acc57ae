// What connectionist temporal classification checks, and the shapes of its results.
#include <algorithm>
#include <THNN/CTC.h>

#include "kit/module.hpp"

namespace thnn {
namespace {

#define CHECKING "(while checking arguments for ctc_loss_allocate_outputs)"

void checkLengths(const char *name, int n, const int64_t *lengths, int64_t batch, int64_t greatest) {
  if (n != batch) THError(TH_ERROR_RUNTIME, "%s must be of size batch_size", name);
  for (int i = 0; i < n; i++) {
    if (lengths[i] < 0)
      THError(TH_ERROR_RUNTIME, "Expected %s to have value at least 0, but got value %lld " CHECKING, name,
              (long long)lengths[i]);
    if (lengths[i] > greatest)
      THError(TH_ERROR_RUNTIME, "Expected %s to have value at most %lld, but got value %lld " CHECKING, name,
              (long long)greatest, (long long)lengths[i]);
  }
}

// Padded, or one after the other.
void checkTargets(const THTensor *targets, int64_t batch, const int64_t *lengths) {
  int64_t longest = 0, all = 0;
  for (int64_t i = 0; i < batch; i++) longest = std::max(longest, lengths[i]), all += lengths[i];
  const auto size = [&](const char *atLeast, int64_t expected, int dim) {
    THError(
        TH_ERROR_RUNTIME,
        "Expected tensor to have size %s%lld at dimension %d, but got size %lld for argument #2 'targets' " CHECKING,
        atLeast, (long long)expected, dim, (long long)targets->size[dim]);
  };
  if (targets->ndim < 1 || targets->ndim > 2)
    THError(TH_ERROR_RUNTIME,
            "Expected 1 to 2 dimensions, but got %d-dimensional tensor for argument #2 'targets' " CHECKING,
            targets->ndim);
  if (targets->ndim == 1) {
    if (targets->size[0] != all) size("", all, 0);
  } else {
    if (targets->size[0] != batch) size("", batch, 0);
    if (targets->size[1] < longest) size("at least ", longest, 1);
  }
}

void setPlan(THNNCtcPlan *plan, THDtype dtype, const THTensor *r, const THTensor *logProbs, const THTensor *targets,
             int ninputLengths, const int64_t *inputLengths, int ntargetLengths, const int64_t *targetLengths,
             int64_t blank) {
  requireDtype(logProbs, dtype, "log_probs");
  requireDtype(targets, TH_Long, "targets");
  for (const THTensor *t : {logProbs, targets}) requireMemory(r, t);
  if (logProbs->ndim != 3)
    THError(TH_ERROR_RUNTIME, "log_probs must have shape (steps, batch, classes), but got %s",
            shapeString(logProbs).c_str());
  plan->steps = logProbs->size[0];
  plan->batch = logProbs->size[1];
  plan->classes = logProbs->size[2];
  if (!logProbs->numel) THError(TH_ERROR_RUNTIME, "log_probs tensor must not be empty");
  if (blank < 0 || blank >= plan->classes) THError(TH_ERROR_RUNTIME, "blank must be in label range");
  checkLengths("input_lengths", ninputLengths, inputLengths, plan->batch, plan->steps);
  checkLengths("target_lengths", ntargetLengths, targetLengths, plan->batch, INT64_MAX);
  checkTargets(targets, plan->batch, targetLengths);
  const int64_t longest = ntargetLengths ? *std::max_element(targetLengths, targetLengths + ntargetLengths) : 0;
  plan->states = 2 * longest + 1;
}

void setSeparate(THResult &result, THDtype dtype, THTensor *r, const char *name, int ndim, const int64_t *size,
                 std::initializer_list<const THTensor *> others) {
  requireDtype(r, dtype, name);
  setResult(result, r, ndim, size);
  for (const THTensor *other : others) requireSeparate(r, other, ndim, size);
}

}  // namespace
}  // namespace thnn

using namespace thnn;

bool THNNPrepare_CTCCriterion_updateOutput(THNNCtcPlan *plan, THDtype dtype, const THTensor *logProbs,
                                           const THTensor *targets, THTensor *output, THTensor *alpha,
                                           int ninputLengths, const int64_t *inputLengths, int ntargetLengths,
                                           const int64_t *targetLengths, int64_t blank) {
  setPlan(plan, dtype, output, logProbs, targets, ninputLengths, inputLengths, ntargetLengths, targetLengths, blank);
  const int64_t size[] = {plan->batch, plan->steps, plan->states};
  setSeparate(plan->result[0], dtype, output, "output", 1, &plan->batch, {logProbs, targets, alpha});
  setSeparate(plan->result[1], dtype, alpha, "alpha", 3, size, {logProbs, targets, output});
  return hasMemory(output);
}

bool THNNPrepare_CTCCriterion_updateGradInput(THNNCtcPlan *plan, THDtype dtype, const THTensor *logProbs,
                                              const THTensor *gradOutput, THTensor *gradInput, const THTensor *targets,
                                              const THTensor *output, const THTensor *alpha, int ninputLengths,
                                              const int64_t *inputLengths, int ntargetLengths,
                                              const int64_t *targetLengths, int64_t blank) {
  setPlan(plan, dtype, gradInput, logProbs, targets, ninputLengths, inputLengths, ntargetLengths, targetLengths, blank);
  const int64_t size[] = {plan->batch, plan->steps, plan->states};
  for (const Named &t : {Named{gradOutput, "gradOutput"}, Named{output, "output"}, Named{alpha, "alpha"}}) {
    requireDtype(t.tensor, dtype, t.name);
    requireMemory(gradInput, t.tensor);
    const int n = t.tensor == alpha ? 3 : 1;
    if (!sameShape(n, size, t.tensor))
      THError(TH_ERROR_RUNTIME, "Expected %s to have shape %s, but got %s", t.name, shapeString(n, size).c_str(),
              shapeString(t.tensor).c_str());
  }
  setSeparate(plan->result[0], dtype, gradInput, "gradInput", 3, logProbs->size,
              {logProbs, gradOutput, targets, output, alpha});
  return hasMemory(gradInput);
}
