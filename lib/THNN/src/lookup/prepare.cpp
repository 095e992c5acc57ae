// What tables check, and the shapes of their results.
#include <THNN/LookupTable.h>

#include "kit/module.hpp"

namespace thnn {
namespace {

void requireIndices(const THTensor *r, const THTensor *t, const char *name) {
  requireDtype(t, TH_Long, name);
  requireMemory(r, t);
}

void requireTable(THDtype dtype, const THTensor *r, const THTensor *weight, const char *name) {
  requireDtype(weight, dtype, name);
  requireMemory(r, weight);
  if (weight->ndim != 2)
    THError(TH_ERROR_RUNTIME, "%s must be a matrix, but got shape %s", name, shapeString(weight).c_str());
}

void requireShape(const THTensor *t, const char *name, int ndim, const int64_t *size) {
  if (!sameShape(ndim, size, t))
    THError(TH_ERROR_RUNTIME, "Expected %s to have shape %s, but got %s", name, shapeString(ndim, size).c_str(),
            shapeString(t).c_str());
}
void requireLength(const THTensor *t, const char *name, int64_t n) { requireShape(t, name, 1, &n); }

// Written in place, while `inputs` are read.
void requireWritable(const THTensor *r, std::initializer_list<const THTensor *> inputs) {
  requireDistinct(r);
  for (const THTensor *input : inputs)
    if (input) requireSeparate(r, input);
}

// (bags, D)
void requireBags(THDtype dtype, const THTensor *r, const THTensor *gradOutput, const THTensor *weight) {
  requireDtype(gradOutput, dtype, "gradOutput");
  requireMemory(r, gradOutput);
  const int64_t size[] = {gradOutput->ndim ? gradOutput->size[0] : 0, weight->size[1]};
  requireShape(gradOutput, "gradOutput", 2, size);
}

void requireFactors(THDtype dtype, const THTensor *r, const THTensor *factors, int64_t n, int64_t mode) {
  if (!factors) return;
  requireDtype(factors, dtype, "perSampleWeights");
  requireMemory(r, factors);
  requireLength(factors, "perSampleWeights", n);
  if (mode != THNN_BAG_SUM) THError(TH_ERROR_RUNTIME, "perSampleWeights are for sums (mode 0) alone");
}

void requireMode(int64_t mode) {
  if (mode < THNN_BAG_SUM || mode > THNN_BAG_MAX)
    THError(TH_ERROR_RUNTIME, "mode must be 0 (sum), 1 (mean) or 2 (max), got %lld", (long long)mode);
}

}  // namespace
}  // namespace thnn

using namespace thnn;

bool THNNPrepare_LookupTable_accGradParameters(THDtype dtype, const THTensor *input, const THTensor *gradOutput,
                                               const THTensor *gradWeight) {
  requireTable(dtype, gradWeight, gradWeight, "gradWeight");
  requireIndices(gradWeight, input, "input");
  requireDtype(gradOutput, dtype, "gradOutput");
  requireMemory(gradWeight, gradOutput);
  const bool fits = gradOutput->ndim == input->ndim + 1 && sameShape(input->ndim, gradOutput->size, input) &&
                    gradOutput->size[input->ndim] == gradWeight->size[1];
  if (!fits)
    THError(TH_ERROR_RUNTIME,
            "gradOutput must have the shape of the indices (%s) and one of the rows (%lld), but got %s",
            shapeString(input).c_str(), (long long)gradWeight->size[1], shapeString(gradOutput).c_str());
  requireWritable(gradWeight, {input, gradOutput});
  return hasMemory(gradWeight);
}

bool THNNPrepare_LookupTable_renorm(THDtype dtype, const THTensor *idx, const THTensor *weight) {
  requireTable(dtype, weight, weight, "weight");
  requireIndices(weight, idx, "idx");
  requireWritable(weight, {idx});
  return hasMemory(weight);
}

bool THNNPrepare_LookupTableBag_updateOutput(THResult *results, THDtype dtype, const THTensor *input,
                                             const THTensor *offsets, const THTensor *weight, THTensor *output,
                                             THTensor *offset2bag, THTensor *bagSize, THTensor *maxIndices,
                                             int64_t mode, const THTensor *perSampleWeights) {
  requireMode(mode);
  requireTable(dtype, output, weight, "weight");
  requireIndices(output, input, "input");
  requireIndices(output, offsets, "offsets");
  for (const Named &list : {Named{input, "input"}, Named{offsets, "offsets"}})
    if (list.tensor->ndim != 1)
      THError(TH_ERROR_RUNTIME, "%s has to be a 1D Tensor, but got Tensor of dimension %d", list.name,
              list.tensor->ndim);
  requireFactors(dtype, output, perSampleWeights, input->numel, mode);
  requireDtype(output, dtype, "output");
  const int64_t bags = offsets->numel, size[] = {bags, weight->size[1]}, none = 0;
  setResult(results[0], output, 2, size);
  setResult(results[1], offset2bag, 1, &input->numel);
  setResult(results[2], bagSize, 1, &bags);
  setResult(results[3], maxIndices, mode == THNN_BAG_MAX ? 2 : 1, mode == THNN_BAG_MAX ? size : &none);
  for (int i = 0; i < 4; i++) {
    const THResult &r = results[i];
    if (i) requireDtype(r.tensor, TH_Long, "a list of indices");
    for (const THTensor *t : {input, offsets, weight, perSampleWeights})
      if (t) requireSeparate(r.tensor, t, r.ndim, r.size);
    for (int other = 0; other < 4; other++)
      if (other != i) requireSeparate(r.tensor, results[other].tensor, r.ndim, r.size);
  }
  return hasMemory(output);
}

bool THNNPrepare_LookupTableBag_accGradParameters(THDtype dtype, const THTensor *input, const THTensor *gradOutput,
                                                  const THTensor *gradWeight, const THTensor *offset2bag,
                                                  const THTensor *bagSize, const THTensor *maxIndices, int64_t mode,
                                                  const THTensor *perSampleWeights) {
  requireMode(mode);
  requireTable(dtype, gradWeight, gradWeight, "gradWeight");
  requireBags(dtype, gradWeight, gradOutput, gradWeight);
  for (const Named &list : {Named{input, "input"}, Named{offset2bag, "offset2bag"}, Named{bagSize, "bagSize"},
                            Named{maxIndices, "maxIndices"}})
    requireIndices(gradWeight, list.tensor, list.name);
  requireLength(offset2bag, "offset2bag", input->numel);
  requireLength(bagSize, "bagSize", gradOutput->size[0]);
  if (mode == THNN_BAG_MAX) requireShape(maxIndices, "maxIndices", 2, gradOutput->size);
  requireFactors(dtype, gradWeight, perSampleWeights, input->numel, mode);
  requireWritable(gradWeight, {input, gradOutput, offset2bag, bagSize, maxIndices, perSampleWeights});
  return hasMemory(gradWeight);
}

bool THNNPrepare_LookupTableBag_updateGradSampleWeights(THResult *result, THDtype dtype, const THTensor *gradOutput,
                                                        const THTensor *weight, const THTensor *input,
                                                        const THTensor *offset2bag, THTensor *gradSampleWeights) {
  requireTable(dtype, gradSampleWeights, weight, "weight");
  requireBags(dtype, gradSampleWeights, gradOutput, weight);
  requireIndices(gradSampleWeights, input, "input");
  requireIndices(gradSampleWeights, offset2bag, "offset2bag");
  requireLength(offset2bag, "offset2bag", input->numel);
  requireDtype(gradSampleWeights, dtype, "gradSampleWeights");
  setResult(*result, gradSampleWeights, 1, &input->numel);
  for (const THTensor *t : {gradOutput, weight, input, offset2bag})
    requireSeparate(gradSampleWeights, t, 1, &input->numel);
  return hasMemory(gradSampleWeights);
}
