// What activations check, and the shapes of their results.
#include <THNN/Check.h>
#include <THNN/THNN.h>

#include "activation.hpp"
#include "kit/images.hpp"

namespace thnn {

void checkThreshold(THDtype dtype, const THTensor *input, const THTensor *output, bool inplace) {
  checkOutput(dtype, input, output);
  if (inplace) requireMemory(input, output);  // which becomes input
}
void checkThresholdGradient(THDtype dtype, const THTensor *input, const THTensor *gradOutput, const THTensor *gradInput,
                            bool inplace) {
  check(dtype, {gradInput, "gradInput"}, {{input, "input"}, {gradOutput, "gradOutput"}});
  if (inplace) requireMemory(gradOutput, gradInput);
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
  if (areChannelsLast(input, input->ndim - 2)) setChannelsLast(*result);
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
