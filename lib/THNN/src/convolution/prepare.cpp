// What convolutions check, and the shapes of their results.
#include <algorithm>
#include <cstdio>
#include <THNN/Convolution.h>

#include "kit/images.hpp"

namespace thnn {
namespace {

int64_t spanned(const THNNConvolutionPlan &plan, int d) { return plan.dilation[d] * (plan.kernel[d] - 1) + 1; }

// The steps, in the last of three dimensions.
void setSteps(THNNConvolutionPlan &plan, const THNNConvolutionSteps &steps) {
  if (steps.n < 1 || steps.n > 3)
    THError(TH_ERROR_RUNTIME, "a convolution goes over 1 to 3 dimensions, got %d", steps.n);
  if (steps.groups <= 0) THError(TH_ERROR_RUNTIME, "non-positive groups is not supported");
  plan.groups = steps.groups;
  for (int d = 0; d < 3; d++) {
    plan.input[d] = plan.kernel[d] = plan.output[d] = plan.stride[d] = plan.dilation[d] = 1;
    plan.padding[d] = 0;
  }
  for (int i = 0, d = 3 - steps.n; i < steps.n; i++, d++) {
    if (steps.stride[i] <= 0) THError(TH_ERROR_RUNTIME, "non-positive stride is not supported");
    if (steps.padding[i] < 0) THError(TH_ERROR_RUNTIME, "negative padding is not supported");
    if (steps.dilation[i] <= 0) THError(TH_ERROR_RUNTIME, "dilation should be greater than zero");
    plan.stride[d] = steps.stride[i];
    plan.padding[d] = steps.padding[i];
    plan.dilation[d] = steps.dilation[i];
  }
}

void setSpace(int64_t (&space)[3], const int64_t *size, int n) { std::copy_n(size, n, space + 3 - n); }

void requireDims(const THTensor *t, int n, const char *name) {
  if (t->ndim != n + 2)
    THError(TH_ERROR_RUNTIME, "%s of a convolution over %d dimensions must have %d dimensions, but got shape %s", name,
            n, n + 2, shapeString(t).c_str());
}

// From `weight`: channels of a group, and the kernel.
void setWeight(THNNConvolutionPlan &plan, const THTensor *weight, int n) {
  requireDims(weight, n, "weight");
  plan.in = weight->size[1];
  plan.out = weight->size[0] / plan.groups;
  setSpace(plan.kernel, weight->size + 2, n);
  if (weight->size[0] < plan.groups || weight->size[0] % plan.groups)
    THError(TH_ERROR_RUNTIME,
            "Given groups=%lld, expected weight to be divisible by %lld at dimension 0, but got weight of size %s "
            "instead",
            (long long)plan.groups, (long long)plan.groups, shapeString(weight).c_str());
}

void checkChannels(const THNNConvolutionPlan &plan, const THTensor *weight, const THTensor *input) {
  if (input->size[1] != plan.in * plan.groups)
    THError(
        TH_ERROR_RUNTIME,
        "Given groups=%lld, weight of size %s, expected input%s to have %lld channels, but got %lld channels instead",
        (long long)plan.groups, shapeString(weight).c_str(), shapeString(input).c_str(),
        (long long)(plan.in * plan.groups), (long long)input->size[1]);
}

// "(2 x 3)": what messages call the last n of three sizes.
struct Sizes {
  char text[96];
  Sizes(int n, int64_t (*at)(const THNNConvolutionPlan &, int), const THNNConvolutionPlan &plan) {
    char *to = text;
    *to++ = '(';
    for (int d = 3 - n; d < 3; d++) to += snprintf(to, 32, "%s%lld", d > 3 - n ? " x " : "", (long long)at(plan, d));
    *to++ = ')';
    *to = 0;
  }
};

// Output positions, by input and kernel.
void setPositions(THNNConvolutionPlan &plan, int n) {
  bool fits = true;
  for (int d = 3 - n; d < 3; d++) {
    const int64_t padded = plan.input[d] + 2 * plan.padding[d];
    if (plan.kernel[d] < 1) THError(TH_ERROR_RUNTIME, "a kernel must have a size of at least 1 in each dimension");
    fits = fits && padded >= spanned(plan, d);
    plan.output[d] = (padded - spanned(plan, d)) / plan.stride[d] + 1;
  }
  if (fits) return;
  const Sizes padded(n, [](const THNNConvolutionPlan &p, int d) { return p.input[d] + 2 * p.padding[d]; }, plan);
  const Sizes kernel(n, [](const THNNConvolutionPlan &p, int d) { return spanned(p, d); }, plan);
  THError(
      TH_ERROR_RUNTIME,
      "Calculated padded input size per channel: %s. Kernel size: %s. Kernel size can't be greater than actual input "
      "size",
      padded.text, kernel.text);
}

// A transposed convolution may have a result (the input here) that has room for more positions than it was given.
void checkGradient(THNNConvolutionPlan &plan, const THTensor *gradOutput, int n) {
  requireDims(gradOutput, n, "grad_output");
  int64_t expected[5] = {plan.batch, plan.out * plan.groups};
  std::copy_n(plan.output + 3 - n, n, expected + 2);
  bool fits = expected[0] == gradOutput->size[0] && expected[1] == gradOutput->size[1];
  for (int d = 2; d < n + 2; d++) fits = fits && gradOutput->size[d] >= 1 && gradOutput->size[d] <= expected[d];
  setSpace(plan.output, gradOutput->size + 2, n);
  if (!fits)
    THError(TH_ERROR_RUNTIME, "the output of this convolution has shape %s, but grad_output has %s",
            shapeString(n + 2, expected).c_str(), shapeString(gradOutput).c_str());
}

void setResultOf(THNNConvolutionPlan &plan, THTensor *r, int64_t first, int64_t second, const int64_t (&space)[3],
                 int n, std::initializer_list<const THTensor *> operands) {
  int64_t size[5] = {first, second};
  std::copy_n(space + 3 - n, n, size + 2);
  setResult(plan.result, r, n + 2, size);
  if (std::ranges::any_of(operands, [n](const THTensor *t) { return areChannelsLast(t, n); }))
    setChannelsLast(plan.result);
}

void require(THDtype dtype, const THTensor *r, std::initializer_list<Named> inputs) {
  for (const Named &input : inputs) {
    requireDtype(input.tensor, dtype, input.name);
    requireMemory(r, input.tensor);
  }
  requireDtype(r, dtype, "result");
}

}  // namespace
}  // namespace thnn

using namespace thnn;

bool THNNPrepare_Convolution_updateOutput(THNNConvolutionPlan *plan, THDtype dtype, const THTensor *input,
                                          THTensor *output, const THTensor *weight, const THTensor *bias,
                                          const THNNConvolutionSteps *steps) {
  require(dtype, output, {{input, "input"}, {weight, "weight"}, {bias ? bias : weight, "bias"}});
  setSteps(*plan, *steps);
  requireDims(input, steps->n, "input");
  setWeight(*plan, weight, steps->n);
  checkChannels(*plan, weight, input);
  if (bias && (bias->ndim != 1 || bias->numel != weight->size[0]))
    THError(TH_ERROR_RUNTIME,
            "Given weight of size %s, expected bias to be 1-dimensional with %lld elements, but got bias of size %s "
            "instead",
            shapeString(weight).c_str(), (long long)weight->size[0], shapeString(bias).c_str());
  plan->batch = input->size[0];
  setSpace(plan->input, input->size + 2, steps->n);
  setPositions(*plan, steps->n);
  setResultOf(*plan, output, plan->batch, plan->out * plan->groups, plan->output, steps->n, {input, weight});
  return hasMemory(output);
}

bool THNNPrepare_Convolution_updateGradInput(THNNConvolutionPlan *plan, THDtype dtype, const THTensor *gradOutput,
                                             THTensor *gradInput, const THTensor *weight, const int64_t *size,
                                             const THNNConvolutionSteps *steps) {
  require(dtype, gradInput, {{gradOutput, "grad_output"}, {weight, "weight"}});
  setSteps(*plan, *steps);
  requireDims(gradOutput, steps->n, "grad_output");
  setWeight(*plan, weight, steps->n);
  plan->batch = gradOutput->size[0];
  setSpace(plan->input, size, steps->n);
  setPositions(*plan, steps->n);
  checkGradient(*plan, gradOutput, steps->n);
  setResultOf(*plan, gradInput, plan->batch, plan->in * plan->groups, plan->input, steps->n, {gradOutput, weight});
  return hasMemory(gradInput);
}

bool THNNPrepare_Convolution_updateGradWeight(THNNConvolutionPlan *plan, THDtype dtype, const THTensor *input,
                                              const THTensor *gradOutput, THTensor *gradWeight, const int64_t *kernel,
                                              const THNNConvolutionSteps *steps) {
  require(dtype, gradWeight, {{input, "input"}, {gradOutput, "grad_output"}});
  setSteps(*plan, *steps);
  requireDims(input, steps->n, "input");
  requireDims(gradOutput, steps->n, "grad_output");
  for (const THTensor *t : {input, gradOutput})
    if (t->size[1] % plan->groups)
      THError(TH_ERROR_RUNTIME, "%lld channels cannot be divided into %lld groups", (long long)t->size[1],
              (long long)plan->groups);
  plan->batch = input->size[0];
  plan->in = input->size[1] / plan->groups;
  plan->out = gradOutput->size[1] / plan->groups;
  setSpace(plan->input, input->size + 2, steps->n);
  setSpace(plan->kernel, kernel, steps->n);
  setPositions(*plan, steps->n);
  checkGradient(*plan, gradOutput, steps->n);
  setResultOf(*plan, gradWeight, plan->out * plan->groups, plan->in, plan->kernel, steps->n, {input, gradOutput});
  return hasMemory(gradWeight);
}
