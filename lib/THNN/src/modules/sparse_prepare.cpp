// What linear maps of sparse vectors check, and the shapes of their results.
#include <THNN/modules/Linear.h>

#include "modules.hpp"

namespace thnn {
namespace {

void require(THDtype dtype, const THTensor *r, std::initializer_list<Named> tensors) {
  for (const Named &t : tensors) {
    requireDtype(t.tensor, dtype, t.name);
    requireMemory(r, t.tensor);
  }
}

void requireIndices(const THTensor *r, std::initializer_list<Named> tensors) {
  for (const Named &t : tensors) {
    if (t.tensor->ndim != 1)
      THError(TH_ERROR_RUNTIME, "%s must have 1 dimension, but its shape is %s", t.name, shapeString(t.tensor).c_str());
    require(TH_Long, r, {t});
  }
}

// Parameters, or their gradients, are written while the inputs are read.
void requireApart(const THTensor *weight, const THTensor *bias, std::initializer_list<const THTensor *> inputs) {
  requireWritable(weight, bias);
  for (const THTensor *input : inputs) {
    requireSeparate(weight, input);
    requireSeparate(bias, input);
  }
}

void setMap(THNNSparsePlan &plan, const THTensor *weight, const char *weightName, const THTensor *bias,
            const char *biasName) {
  if (weight->ndim != 2)
    THError(TH_ERROR_RUNTIME, "%s must have 2 dimensions, but its shape is %s", weightName,
            shapeString(weight).c_str());
  plan = {};
  plan.inputs = weight->size[1];
  plan.outputs = weight->size[0];
  requireShape(bias, biasName, {plan.outputs});
}

// (entries, 3), or in the legacy form (batch, entries, 2), (entries, 2)
void setEntries(THNNSparsePlan &plan, const THTensor *input, const char *name, bool legacy) {
  const int last = input->ndim - 1;
  plan.width = legacy ? 2 : 3;
  if (!(input->ndim == 2 || (legacy && input->ndim == 3)) || input->size[last] != plan.width)
    THError(TH_ERROR_RUNTIME, "%s must be in %s, but its shape is %s", name,
            legacy ? "legacy format, batch x nnz x 2 or nnz x 2" : "coo format, nnz x 3", shapeString(input).c_str());
  plan.entries = input->size[last - 1];
  if (legacy) plan.batch = input->ndim == 3 ? input->size[0] : 1;
}

void requireGradients(THNNSparsePlan &plan, const THTensor *gradOutput, bool single) {
  if (single) return requireShape(gradOutput, "gradOutput", {plan.outputs});
  requireShape(gradOutput, "gradOutput", {plan.batch, plan.outputs});
}

// keys, values, sizes, and where each sample ends
void setKeys(THNNSparsePlan &plan, const THTensor *weight, const THTensor *bias, const THTensor *keys,
             const THTensor *values, const THTensor *sizes, const THTensor *cumSumSizes) {
  plan = {};
  if (weight->ndim != 2 || bias->ndim != 1 ||
      (weight->size[1] != bias->size[0] && weight->size[1] != bias->size[0] + 4))
    THError(
        TH_ERROR_RUNTIME,
        "weight must be inputs x outputs or inputs x (4 + outputs), and bias outputs, but their shapes are %s and %s",
        shapeString(weight).c_str(), shapeString(bias).c_str());
  plan.inputs = weight->size[0];
  plan.outputs = bias->size[0];
  plan.normalised = weight->size[1] - plan.outputs;
  if (!keys) return;
  plan.entries = keys->numel;
  plan.batch = sizes->numel;
  requireShape(values, "values", {plan.entries});
  requireShape(cumSumSizes, "cumSumSizes", {plan.batch});
}

}  // namespace
}  // namespace thnn

using namespace thnn;

bool THNNPrepare_SparseLinear_updateOutput(THNNSparsePlan *plan, THDtype dtype, const THTensor *input, THTensor *output,
                                           const THTensor *weight, const THTensor *bias, bool legacy) {
  require(dtype, output, {{output, "output"}, {input, "input"}, {weight, "weight"}, {bias, "bias"}});
  setMap(*plan, weight, "weight", bias, "bias");
  setEntries(*plan, input, "input", legacy);
  if (!legacy) {
    if (output->ndim != 2 || output->size[1] != plan->outputs)
      THError(TH_ERROR_RUNTIME,
              "output must have the shape (batch, %lld), which says how many samples there are, but has %s",
              (long long)plan->outputs, shapeString(output).c_str());
    plan->batch = output->size[0];
  }
  const int64_t size[] = {plan->batch, plan->outputs};
  const bool single = legacy && input->ndim == 2;
  setResult(plan->result[0], output, single ? 1 : 2, size + single);
  return hasMemory(output);
}

bool THNNPrepare_SparseLinear_accGradParameters(THNNSparsePlan *plan, THDtype dtype, const THTensor *input,
                                                const THTensor *gradOutput, THTensor *gradWeight, THTensor *gradBias,
                                                const THTensor *weight, const THTensor *bias, bool legacy) {
  require(dtype, gradWeight,
          {{gradWeight, "gradWeight"},
           {gradBias, "gradBias"},
           {input, "input"},
           {gradOutput, "gradOutput"},
           {weight, "weight"},
           {bias, "bias"}});
  setMap(*plan, weight, "weight", bias, "bias");
  setEntries(*plan, input, "input", legacy);
  requireShape(gradWeight, "gradWeight", weight->ndim, weight->size);
  requireShape(gradBias, "gradBias", bias->ndim, bias->size);
  if (!legacy) plan->batch = gradOutput->ndim == 2 ? gradOutput->size[0] : 0;
  requireGradients(*plan, gradOutput, legacy && input->ndim == 2);
  requireApart(gradWeight, gradBias, {input, gradOutput, weight, bias});
  return hasMemory(gradWeight);
}

bool THNNPrepare_SparseLinear_parameters(THNNSparsePlan *plan, THDtype dtype, THTensor *weight, THTensor *bias,
                                         const THTensor *gradWeight, const THTensor *gradBias,
                                         const THTensor *lastInput, bool legacy) {
  const bool zero = !gradWeight;
  const char *const names[] = {zero ? "gradWeight" : "weight", zero ? "gradBias" : "bias"};
  require(dtype, weight, {{weight, names[0]}, {bias, names[1]}, {lastInput, "lastInput"}});
  setMap(*plan, weight, names[0], bias, names[1]);
  setEntries(*plan, lastInput, "lastInput", legacy);
  if (!legacy) plan->batch = int64_t(1) << 53;  // of samples any will do: their numbers are not needed
  requireApart(weight, bias, {lastInput});
  if (zero) return hasMemory(weight);
  require(dtype, weight, {{gradWeight, "gradWeight"}, {gradBias, "gradBias"}});
  requireShape(gradWeight, "gradWeight", weight->ndim, weight->size);
  requireShape(gradBias, "gradBias", bias->ndim, bias->size);
  requireApart(weight, bias, {gradWeight, gradBias});
  return hasMemory(weight);
}

bool THNNPrepare_IndexLinear_updateOutput(THNNSparsePlan *plan, THDtype dtype, const THTensor *keys,
                                          const THTensor *values, const THTensor *sizes, const THTensor *cumSumSizes,
                                          THTensor *output, THTensor *weight, const THTensor *bias,
                                          THTensor *normalizedValues) {
  requireIndices(output, {{keys, "keys"}, {sizes, "sizes"}, {cumSumSizes, "cumSumSizes"}});
  require(dtype, output,
          {{output, "output"},
           {values, "values"},
           {weight, "weight"},
           {bias, "bias"},
           {normalizedValues, "normalizedValues"}});
  setKeys(*plan, weight, bias, keys, values, sizes, cumSumSizes);
  const int64_t size[] = {plan->batch, plan->outputs};
  requireDistinct(weight);
  for (const THTensor *input : {values, bias}) requireSeparate(weight, input);
  requireSeparate(output, normalizedValues, 2, size);
  requireSeparate(normalizedValues, output, 1, &plan->entries);
  setResult(plan->result[0], output, 2, size);
  if (plan->normalised) setResult(plan->result[1], normalizedValues, 1, &plan->entries);
  return hasMemory(output);
}

bool THNNPrepare_IndexLinear_gradients(THNNSparsePlan *plan, THDtype dtype, const THTensor *keys,
                                       const THTensor *values, const THTensor *sizes, const THTensor *cumSumSizes,
                                       const THTensor *gradOutput, THTensor *gradWeight, THTensor *gradBias,
                                       const THTensor *weight, const THTensor *bias) {
  const THTensor *const r = gradWeight ? gradWeight : weight;
  requireIndices(r, {{keys, "keys"}, {sizes, "sizes"}, {cumSumSizes, "cumSumSizes"}});
  require(dtype, r,
          {{r, "gradWeight"}, {values, "values"}, {gradOutput, "gradOutput"}, {weight, "weight"}, {bias, "bias"}});
  setKeys(*plan, weight, bias, keys, values, sizes, cumSumSizes);
  requireGradients(*plan, gradOutput, false);
  const int64_t size[] = {plan->entries, plan->outputs * (plan->normalised ? 2 : 1)};
  setResult(plan->result[0], gradWeight, 2, size);
  if (!gradWeight) {
    requireApart(weight, bias, {values, gradOutput});
    return hasMemory(r);
  }
  require(dtype, r, {{gradBias, "gradBias"}});
  requireShape(gradBias, "gradBias", {plan->outputs});
  requireDistinct(gradBias);
  requireSeparate(gradBias, gradOutput);
  requireSeparate(gradWeight, gradBias, 2, size);
  return hasMemory(r);
}

bool THNNPrepare_IndexLinear_updateParameters(THNNSparsePlan *plan, THDtype dtype, const THTensor *gradWeight,
                                              const THTensor *gradBias, const THTensor *weight, const THTensor *bias,
                                              const THTensor *runningKeys) {
  requireIndices(weight, {{runningKeys, "runningKeys"}});
  require(dtype, weight, {{weight, "weight"}, {bias, "bias"}, {gradWeight, "gradWeight"}, {gradBias, "gradBias"}});
  setKeys(*plan, weight, bias, nullptr, nullptr, nullptr, nullptr);
  plan->entries = runningKeys->numel;
  requireShape(gradWeight, "gradWeight", {plan->entries, plan->outputs * (plan->normalised ? 2 : 1)});
  requireShape(gradBias, "gradBias", {plan->outputs});
  requireApart(weight, bias, {gradWeight, gradBias});
  return hasMemory(weight);
}
