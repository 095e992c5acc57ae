// What normalisations check, and the shapes of their results.
#include <THNN/Check.h>
#include <THNN/Normalization.h>

#include "kit/module.hpp"

namespace thnn {
namespace {

// Statistics, weights and their gradients may be float where the rest is narrower.
void requireParameter(const THTensor *r, THDtype dtype, const THTensor *t, const char *name) {
  if (!t) return;
  requireMemory(r, t);
  if (dtypeOf(t) != TH_Float || (dtype != TH_Half && dtype != TH_BFloat16)) requireDtype(t, dtype, name);
}

// Of the first result; all that is read is to layout where it does.
void requireInput(const THTensor *r, THDtype dtype, const THTensor *t, const char *name) {
  requireDtype(t, dtype, name);
  requireMemory(r, t);
}

const THTensor *firstOf(std::initializer_list<const THTensor *> results) {
  for (const THTensor *r : results)
    if (r) return r;
  THError(TH_ERROR_RUNTIME, "at least one gradient must be given a tensor to be written to");
}

void requireElements(const THTensor *t, int64_t n, const char *name) {
  if (t && t->numel != n)
    THError(TH_ERROR_RUNTIME, "%s should contain %lld elements not %lld", name, (long long)n, (long long)t->numel);
}

void setOptional(THResult &result, THTensor *r, int ndim, const int64_t *size) {
  if (r)
    setResult(result, r, ndim, size);
  else
    result.tensor = nullptr;
}

// (batch, channels, …)
void setChannels(THNNNormalizationPlan &plan, const THTensor *input) {
  if (input->ndim < 2)
    THError(TH_ERROR_RUNTIME, "Expected at least 2 dimensions for input tensor but received %d", input->ndim);
  plan.batch = input->size[0];
  plan.channels = input->size[1];
  plan.inner = 1;
  for (int d = 2; d < input->ndim; d++) plan.inner *= input->size[d];
}

// Inputs of a backward function; `r`: one of its results.
void requireGradient(const THTensor *r, THDtype dtype, const THTensor *input, const THTensor *gradOutput) {
  requireInput(r, dtype, input, "input");
  requireInput(r, dtype, gradOutput, "gradOutput");
  if (!THTensor_isSameSizeAs(input, gradOutput))
    THError(TH_ERROR_RUNTIME, "gradOutput must have the input's shape, %s, but has %s", shapeString(input).c_str(),
            shapeString(gradOutput).c_str());
}

// The three results of a backward function; `size`: the parameters'.
void setGradients(THNNNormalizationPlan &plan, THDtype dtype, const THTensor *input, THTensor *gradInput,
                  THTensor *gradWeight, THTensor *gradBias, int ndim, const int64_t *size) {
  const THTensor *const first = firstOf({gradInput, gradWeight, gradBias});
  if (gradInput) requireDtype(gradInput, dtype, "gradInput");
  requireParameter(first, dtype, gradWeight, "gradWeight");
  requireParameter(first, dtype, gradBias, "gradBias");
  setOptional(plan.result[0], gradInput, input->ndim, input->size);
  setOptional(plan.result[1], gradWeight, ndim, size);
  setOptional(plan.result[2], gradBias, ndim, size);
}

// The last dimensions, and weights of their shape.
void setRows(THNNNormalizationPlan &plan, const THTensor *input, int n, const int64_t *shape, const THTensor *weight,
             const THTensor *bias, bool centred) {
  if (n < 1)
    THError(TH_ERROR_RUNTIME,
            "Expected normalized_shape to be at least 1-dimensional, i.e., containing at least one element, but got "
            "normalized_shape = []");
  const auto check = [&](const THTensor *t, const char *name) {
    if (t && !sameShape(n, shape, t))
      THError(TH_ERROR_RUNTIME,
              "Expected %s to be of same shape as normalized_shape, but got %s of shape %s and normalized_shape = %s",
              name, name, shapeString(t).c_str(), shapeString(n, shape).c_str());
  };
  check(weight, "weight");
  check(bias, "bias");
  const int outer = input->ndim - n;
  bool fits = outer >= 0;
  for (int d = 0; fits && d < n; d++) fits = input->size[outer + d] == shape[d];
  if (!fits) {
    const ShapeString listed = shapeString(n, shape);
    THError(TH_ERROR_RUNTIME, "Given normalized_shape=%s, expected input with shape [*%s%s, but got input of size%s",
            listed.c_str(), centred ? ", " : "", listed.c_str() + 1, shapeString(input).c_str());
  }
  plan.channels = plan.batch = plan.inner = 1;
  for (int d = 0; d < outer; d++) plan.batch *= input->size[d];
  for (int d = outer; d < input->ndim; d++) plan.inner *= input->size[d];
}

void requireGroups(const THTensor *input, int64_t groups, const THTensor *weight, const THTensor *bias) {
  if (groups <= 0) THError(TH_ERROR_RUNTIME, "Expected num groups to be greater than 0, got %lld", (long long)groups);
  if (input->size[1] % groups)
    THError(TH_ERROR_RUNTIME,
            "Expected number of channels in input to be divisible by num_groups, but got input of shape %s and "
            "num_groups=%lld",
            shapeString(input).c_str(), (long long)groups);
  const auto check = [&](const THTensor *t, const char *name) {
    if (t && (t->ndim != 1 || t->numel != input->size[1]))
      THError(TH_ERROR_RUNTIME,
              "Expected %s to be a vector of size equal to the number of channels in input, but got %s of shape %s and "
              "input of shape %s",
              name, name, shapeString(t).c_str(), shapeString(input).c_str());
  };
  check(weight, "weight");
  check(bias, "bias");
}

void requireWindow(int64_t size) {
  if (size <= 0)
    THError(TH_ERROR_RUNTIME, "kernel size should be greater than zero, but got size: %lld", (long long)size);
}

}  // namespace
}  // namespace thnn

using namespace thnn;

void THNNCheck_channelwise(int64_t channels, bool train, const THTensor *running_mean, const THTensor *running_var,
                           const THTensor *weight, const THTensor *bias) {
  for (const Named &t : {Named{running_mean, "running_mean"}, Named{running_var, "running_var"}}) {
    requireElements(t.tensor, channels, t.name);
    if (!train && !t.tensor) THError(TH_ERROR_RUNTIME, "%s must be defined in evaluation mode", t.name);
  }
  requireElements(weight, channels, "weight");
  requireElements(bias, channels, "bias");
}

bool THNNPrepare_BatchNormalization_updateOutput(THNNNormalizationPlan *plan, THDtype dtype, const THTensor *input,
                                                 THTensor *output, const THTensor *weight, const THTensor *bias,
                                                 const THTensor *running_mean, const THTensor *running_var,
                                                 THTensor *save_mean, THTensor *save_std, bool train) {
  setChannels(*plan, input);
  THNNCheck_channelwise(plan->channels, train, running_mean, running_var, weight, bias);
  requireInput(output, dtype, input, "input");
  requireDtype(output, dtype, "output");
  for (const Named &t : {Named{running_mean, "running_mean"}, Named{running_var, "running_var"},
                         Named{weight, "weight"}, Named{bias, "bias"}})
    requireParameter(output, dtype, t.tensor, t.name);
  requireParameter(output, dtype, save_mean, "save_mean");
  requireParameter(output, dtype, save_std, "save_std");
  setResult(plan->result[0], output, input);
  setResult(plan->result[1], save_mean, 1, &plan->channels);
  setResult(plan->result[2], save_std, 1, &plan->channels);
  return hasMemory(output);
}

bool THNNPrepare_BatchNormalization_backward(THNNNormalizationPlan *plan, THDtype dtype, const THTensor *input,
                                             const THTensor *gradOutput, THTensor *gradInput, THTensor *gradWeight,
                                             THTensor *gradBias, const THTensor *weight, const THTensor *save_mean,
                                             const THTensor *save_std) {
  const THTensor *const first = firstOf({gradInput, gradWeight, gradBias});
  setChannels(*plan, input);
  requireGradient(first, dtype, input, gradOutput);
  for (const Named &t : {Named{weight, "weight"}, Named{save_mean, "save_mean"}, Named{save_std, "save_std"}}) {
    requireElements(t.tensor, plan->channels, t.name);
    requireParameter(first, dtype, t.tensor, t.name);
  }
  setGradients(*plan, dtype, input, gradInput, gradWeight, gradBias, 1, &plan->channels);
  return hasMemory(first);
}

bool THNNPrepare_LayerNormalization_updateOutput(THNNNormalizationPlan *plan, THDtype dtype, const THTensor *input,
                                                 THTensor *output, const THTensor *weight, const THTensor *bias,
                                                 THTensor *save_mean, THTensor *save_std, int nnormalized_shape,
                                                 const int64_t *normalized_shape) {
  setRows(*plan, input, nnormalized_shape, normalized_shape, weight, bias, save_mean);
  requireInput(output, dtype, input, "input");
  requireDtype(output, dtype, "output");
  for (const Named &t :
       {Named{weight, "weight"}, Named{bias, "bias"}, Named{save_mean, "save_mean"}, Named{save_std, "save_std"}})
    requireParameter(output, dtype, t.tensor, t.name);
  int64_t size[TH_MAX_DIM];
  for (int d = 0; d < input->ndim; d++) size[d] = d < input->ndim - nnormalized_shape ? input->size[d] : 1;
  setResult(plan->result[0], output, input);
  setOptional(plan->result[1], save_mean, input->ndim, size);
  setResult(plan->result[2], save_std, input->ndim, size);
  return hasMemory(output);
}

bool THNNPrepare_LayerNormalization_backward(THNNNormalizationPlan *plan, THDtype dtype, const THTensor *input,
                                             const THTensor *gradOutput, THTensor *gradInput, THTensor *gradWeight,
                                             THTensor *gradBias, const THTensor *weight, const THTensor *save_mean,
                                             const THTensor *save_std, int nnormalized_shape,
                                             const int64_t *normalized_shape) {
  const THTensor *const first = firstOf({gradInput, gradWeight, gradBias});
  setRows(*plan, input, nnormalized_shape, normalized_shape, weight, nullptr, save_mean);
  requireGradient(first, dtype, input, gradOutput);
  requireParameter(first, dtype, weight, "weight");
  for (const Named &t : {Named{save_mean, "save_mean"}, Named{save_std, "save_std"}}) {
    requireElements(t.tensor, plan->batch, t.name);
    requireParameter(first, dtype, t.tensor, t.name);
  }
  setGradients(*plan, dtype, input, gradInput, gradWeight, gradBias, nnormalized_shape, normalized_shape);
  return hasMemory(first);
}

bool THNNPrepare_GroupNormalization_updateOutput(THNNNormalizationPlan *plan, THDtype dtype, const THTensor *input,
                                                 THTensor *output, const THTensor *weight, const THTensor *bias,
                                                 THTensor *save_mean, THTensor *save_std, int64_t groups) {
  setChannels(*plan, input);
  requireGroups(input, groups, weight, bias);
  requireInput(output, dtype, input, "input");
  requireDtype(output, dtype, "output");
  for (const Named &t :
       {Named{weight, "weight"}, Named{bias, "bias"}, Named{save_mean, "save_mean"}, Named{save_std, "save_std"}})
    requireParameter(output, dtype, t.tensor, t.name);
  const int64_t size[2] = {plan->batch, groups};
  setResult(plan->result[0], output, input);
  setResult(plan->result[1], save_mean, 2, size);
  setResult(plan->result[2], save_std, 2, size);
  return hasMemory(output);
}

bool THNNPrepare_GroupNormalization_backward(THNNNormalizationPlan *plan, THDtype dtype, const THTensor *input,
                                             const THTensor *gradOutput, THTensor *gradInput, THTensor *gradWeight,
                                             THTensor *gradBias, const THTensor *weight, const THTensor *save_mean,
                                             const THTensor *save_std, int64_t groups) {
  const THTensor *const first = firstOf({gradInput, gradWeight, gradBias});
  setChannels(*plan, input);
  requireGroups(input, groups, weight, nullptr);
  requireGradient(first, dtype, input, gradOutput);
  requireParameter(first, dtype, weight, "weight");
  for (const Named &t : {Named{save_mean, "save_mean"}, Named{save_std, "save_std"}}) {
    requireElements(t.tensor, plan->batch * groups, t.name);
    requireParameter(first, dtype, t.tensor, t.name);
  }
  setGradients(*plan, dtype, input, gradInput, gradWeight, gradBias, 1, &plan->channels);
  return hasMemory(first);
}

bool THNNPrepare_SpatialCrossMapLRN_updateOutput(THNNNormalizationPlan *plan, THDtype dtype, const THTensor *input,
                                                 THTensor *output, THTensor *scale, int64_t size) {
  setChannels(*plan, input);
  requireWindow(size);
  requireInput(output, dtype, input, "input");
  requireDtype(output, dtype, "output");
  requireParameter(output, dtype, scale, "scale");
  setResult(plan->result[0], output, input);
  setResult(plan->result[1], scale, input);
  return hasMemory(output);
}

bool THNNPrepare_SpatialCrossMapLRN_updateGradInput(THNNNormalizationPlan *plan, THDtype dtype, const THTensor *input,
                                                    const THTensor *gradOutput, THTensor *gradInput,
                                                    const THTensor *scale, int64_t size) {
  setChannels(*plan, input);
  requireWindow(size);
  requireGradient(gradInput, dtype, input, gradOutput);
  requireDtype(gradInput, dtype, "gradInput");
  requireParameter(gradInput, dtype, scale, "scale");
  if (!THTensor_isSameSizeAs(input, scale))
    THError(TH_ERROR_RUNTIME, "scale must have the input's shape, %s, but has %s", shapeString(input).c_str(),
            shapeString(scale).c_str());
  setResult(plan->result[0], gradInput, input);
  return hasMemory(gradInput);
}
