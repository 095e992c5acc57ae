// What pooling checks, and the shapes of its results.
#include <algorithm>
#include <cstdio>
#include <iterator>
#include <THNN/Check.h>
#include <THNN/Pooling.h>

#include "kit/images.hpp"
#include "planes.hpp"

namespace thnn {
namespace {

// "kH: 2 kW: 3": what messages call the entries of a list. names: of depth, height and width.
struct Entries {
  char text[128];
  Entries(const char *const (&names)[3], int n, const int64_t *values) {
    char *to = text;
    for (int i = 0; i < n; i++)
      to += snprintf(to, 40, "%s%s: %lld", i ? " " : "", names[3 - n + i], (long long)values[i]);
  }
};

// "(3x4x4)": a plane's channel and size.
struct Space {
  char text[128];
  Space(int64_t channels, int n, const int64_t *size, const char *open = "(", const char *close = ")") {
    char *to = text + snprintf(text, 40, "%s", open);
    if (channels >= 0) to += snprintf(to, 24, "%lldx", (long long)channels);
    for (int i = 0; i < n; i++) to += snprintf(to, 24, "%s%lld", i ? "x" : "", (long long)size[i]);
    snprintf(to, 4, "%s", close);
  }
};

void checkDimensions(int n) {
  if (n < 1 || n > 3) THError(TH_ERROR_RUNTIME, "pooling goes over 1 to 3 dimensions, got %d", n);
}

void setSpace(int64_t (&space)[3], const int64_t *size, int n, int64_t missing = 1) {
  std::fill_n(space, 3, missing);
  std::copy_n(size, n, space + 3 - n);
}

// As a plan of windows that go over all there is, which those of one size then restrict.
void setPlan(THNNPoolingPlan &plan, int n) {
  checkDimensions(n);
  for (auto *list : {&plan.input, &plan.output, &plan.kernel, &plan.stride, &plan.dilation}) std::fill_n(*list, 3, 1);
  std::fill_n(plan.padding, 3, 0);
  plan.divisor = 0;
  plan.paddingCounts = false;
}

void requireDims(const THTensor *t, int n, const char *name) {
  if (t->ndim != n + 1 && t->ndim != n + 2)
    THError(TH_ERROR_RUNTIME, "non-empty %dD or %dD (batch mode) tensor expected for %s, but got: %s", n + 1, n + 2,
            name, shapeString(t).c_str());
}

int64_t planesOf(const THTensor *t, int n) {
  int64_t planes = 1;
  for (int d = 0; d < t->ndim - n; d++) planes *= t->size[d];
  return planes;
}

// The first dimension without elements, apart from the batch's; -1: none.
int emptyDimension(const THTensor *t, int n, int channels = 1) {
  for (int d = t->ndim - n - channels; d < t->ndim; d++)
    if (!t->size[d]) return d;
  return -1;
}

// t's leading dimensions, and a space.
void setResultOf(THResult &result, THTensor *r, const THTensor *t, const int64_t (&space)[3], int n) {
  int64_t size[5];
  std::copy_n(t->size, t->ndim - n, size);
  std::copy_n(space + 3 - n, n, size + t->ndim - n);
  setResult(result, r, t->ndim, size);
}

void require(THDtype dtype, const THTensor *r, std::initializer_list<Named> inputs) {
  for (const Named &input : inputs) {
    requireDtype(input.tensor, dtype, input.name);
    requireMemory(r, input.tensor);
  }
  requireDtype(r, dtype, "result");
}

void requireIndices(const THTensor *r, const THTensor *indices, const THTensor *like, const char *name) {
  requireMemory(r, indices);
  THNNCheck_maxima(indices);
  if (!THTensor_isSameSizeAs(indices, like))
    THError(TH_ERROR_RUNTIME,
            "Expected shape of indices to be same as that of the %s tensor (%s) but got indices tensor with shape: %s",
            name, shapeString(like).c_str(), shapeString(indices).c_str());
}

// Those of images lie as `t` does, where its channels are innermost.
void layAs(THNNPoolingPlan &plan, const THTensor *t, int n, int results = 1) {
  for (int k = 0; k < results; k++)
    if (areChannelsLast(t, n)) setChannelsLast(plan.result[k]);
}

// Of a result that is given with another.
void setIndices(THNNPoolingPlan &plan, THTensor *output, THTensor *indices) {
  if (dtypeOf(indices) != TH_Long)
    THError(TH_ERROR_RUNTIME, "indices must have dtype Long, but got %s", TH_typeName(dtypeOf(indices)));
  const THResult &shape = plan.result[0];
  requireSeparate(output, indices, shape.ndim, shape.size);
  requireSeparate(indices, output, shape.ndim, shape.size);
  setResult(plan.result[1], indices, shape.ndim, shape.size);
}

int64_t floorDivided(int64_t a, int64_t b) { return a / b - (a % b != 0 && (a < 0) != (b < 0)); }

// Output positions along one dimension.
int64_t positionsOf(int64_t size, int64_t kernel, int64_t stride, int64_t padding, int64_t dilation, bool ceil_mode) {
  if (!stride) THError(TH_ERROR_RUNTIME, "stride should not be zero");
  if (padding < 0) THError(TH_ERROR_RUNTIME, "pad must be non-negative, but got pad: %lld", (long long)padding);
  if (padding > ((kernel - 1) * dilation + 1) / 2)
    THError(TH_ERROR_RUNTIME,
            "pad should be at most half of effective kernel size, but got pad=%lld, kernel_size=%lld and dilation=%lld",
            (long long)padding, (long long)kernel, (long long)dilation);
  const int64_t rest = size + 2 * padding - dilation * (kernel - 1) - 1;
  const int64_t n = floorDivided(rest + (ceil_mode ? stride - 1 : 0), stride) + 1;
  return ceil_mode && (n - 1) * stride >= size + padding ? n - 1 : n;
}

void requirePositive(const int64_t *values, int n, const char *what, const char *const (&names)[3]) {
  if (std::any_of(values, values + n, [](int64_t v) { return v <= 0; }))
    THError(TH_ERROR_RUNTIME, "%s should be greater than zero, but got %s", what, Entries(names, n, values).text);
}

// Of windows of one size over planes of `size`, which are in `channels` channels.
void setSteps(THNNPoolingPlan &plan, const THNNPoolingSteps &steps, int64_t channels, const int64_t *size) {
  const int n = steps.n;
  int64_t output[3];
  setSpace(plan.input, size, n);
  setSpace(plan.kernel, steps.kernel, n);
  setSpace(plan.stride, steps.stride, n);
  setSpace(plan.padding, steps.padding, n, 0);
  if (steps.dilation) setSpace(plan.dilation, steps.dilation, n);
  plan.divisor = steps.divisor_override;
  plan.paddingCounts = steps.count_include_pad;
  for (int i = 0, d = 3 - n; i < n; i++, d++)
    output[i] = positionsOf(size[i], plan.kernel[d], plan.stride[d], plan.padding[d], plan.dilation[d],
                            steps.ceil_mode);
  requirePositive(steps.kernel, n, "kernel size", {"kT", "kH", "kW"});
  requirePositive(steps.stride, n, "stride", {"dT", "dH", "dW"});
  if (steps.dilation) requirePositive(steps.dilation, n, "dilation", {"dilationT", "dilationH", "dilationW"});
  if (std::any_of(output, output + n, [](int64_t o) { return o < 1; }))
    THError(TH_ERROR_RUNTIME, "Given input size: %s. Calculated output size: %s. Output size is too small",
            Space(channels, n, size).text, Space(channels, n, output).text);
  setSpace(plan.output, output, n);
}

void setWindows(THNNPoolingPlan &plan, const THTensor *input, const THNNPoolingSteps &steps) {
  setPlan(plan, steps.n);
  requireDims(input, steps.n, "input");
  plan.planes = planesOf(input, steps.n);
  const int empty = emptyDimension(input, steps.n);
  if (empty >= 0 && steps.n < 3)
    THError(TH_ERROR_RUNTIME,
            "Expected %dD or %dD (batch mode) tensor with optional 0 dim batch size for input, but got:%s", steps.n + 1,
            steps.n + 2, shapeString(input).c_str());
  if (empty >= 0)
    THError(TH_ERROR_RUNTIME,
            "Expected input's non-batch dimensions to have positive length, but input has a shape of %s and non-batch "
            "dimension %d has length zero!",
            shapeString(input).c_str(), empty - (input->ndim - steps.n - 1));
  setSteps(plan, steps, input->size[input->ndim - steps.n - 1], input->size + input->ndim - steps.n);
}

void requireSize(int n, const int64_t *size) {
  if (std::any_of(size, size + n, [](int64_t s) { return s < 0; }))
    THError(TH_ERROR_RUNTIME, "elements of a size must be greater than or equal to 0 but received %s",
            Space(-1, n, size).text);
}

}  // namespace

Indices::Indices(const THNNPoolingPlan &plan, int n, const THTensor *t) : elements_(t) {
  const int64_t size = elementsOf(plan.input);
  parallelFor(t->numel, kGrain, [&](int64_t begin, int64_t end) {
    const int64_t *const indices = data();
    if (allBelow(indices + begin, end - begin, size)) return;
    const int64_t *const wrong = std::find_if(indices + begin, indices + end,
                                              [=](int64_t i) { return i < 0 || i >= size; });
    THError(TH_ERROR_RUNTIME, "Found an invalid max index: %lld (output volumes are of size %s)", (long long)*wrong,
            Space(-1, n, plan.input + 3 - n, "", "").text);
  });
}

}  // namespace thnn

using namespace thnn;

void THNNCheck_maxima(const THTensor *indices) {
  if (dtypeOf(indices) != TH_Long)
    THError(TH_ERROR_RUNTIME, "elements in indices should be type int64 but got: %s", TH_typeName(dtypeOf(indices)));
}

bool THNNPrepare_MaxPooling_updateOutput(THNNPoolingPlan *plan, THDtype dtype, const THTensor *input, THTensor *output,
                                         THTensor *indices, const THNNPoolingSteps *steps) {
  require(dtype, output, {{input, "input"}});
  setWindows(*plan, input, *steps);
  setResultOf(plan->result[0], output, input, plan->output, steps->n);
  setIndices(*plan, output, indices);
  layAs(*plan, input, steps->n, 2);
  return hasMemory(output);
}

// Elements that go where `indices` say, in planes of `size`.
static bool prepareSpread(THNNPoolingPlan *plan, THDtype dtype, const THTensor *from, const char *name, THTensor *to,
                          const THTensor *indices, int n, const int64_t *size) {
  require(dtype, to, {{from, name}});
  setPlan(*plan, n);
  requireDims(from, n, name);
  requireIndices(to, indices, from, name);
  requireSize(n, size);
  plan->planes = planesOf(from, n);
  setSpace(plan->input, size, n);
  setSpace(plan->output, from->size + from->ndim - n, n);
  setResultOf(plan->result[0], to, from, plan->input, n);
  return hasMemory(to);
}

bool THNNPrepare_MaxPooling_updateGradInput(THNNPoolingPlan *plan, THDtype dtype, const THTensor *gradOutput,
                                            THTensor *gradInput, const THTensor *indices, int n, const int64_t *size) {
  const bool runs = prepareSpread(plan, dtype, gradOutput, "grad_output", gradInput, indices, n, size);
  layAs(*plan, indices, n);
  return runs;
}

bool THNNPrepare_AveragePooling_updateOutput(THNNPoolingPlan *plan, THDtype dtype, const THTensor *input,
                                             THTensor *output, const THNNPoolingSteps *steps) {
  require(dtype, output, {{input, "input"}});
  if (steps->n == 3 && (input->ndim == 4 || input->ndim == 5)) {
    const int64_t *const size = input->size + input->ndim - 3;
    for (int d = 0; d < 3; d++)
      if (size[d] && size[d] < steps->kernel[d])
        THError(TH_ERROR_RUNTIME, "input image (%s) smaller than kernel size (%s)",
                Entries({"T", "H", "W"}, 3, size).text, Entries({"kT", "kH", "kW"}, 3, steps->kernel).text);
  }
  setWindows(*plan, input, *steps);
  setResultOf(plan->result[0], output, input, plan->output, steps->n);
  if (steps->n == 2) layAs(*plan, input, 2);
  return hasMemory(output);
}

bool THNNPrepare_AveragePooling_updateGradInput(THNNPoolingPlan *plan, THDtype dtype, const THTensor *gradOutput,
                                                THTensor *gradInput, const int64_t *size,
                                                const THNNPoolingSteps *steps) {
  const int n = steps->n;
  require(dtype, gradInput, {{gradOutput, "grad_output"}});
  setPlan(*plan, n);
  requireDims(gradOutput, n, "grad_output");
  plan->planes = planesOf(gradOutput, n);
  requireSize(n, size);
  setSteps(*plan, *steps, gradOutput->size[gradOutput->ndim - n - 1], size);
  if (!std::equal(plan->output + 3 - n, plan->output + 3, gradOutput->size + gradOutput->ndim - n))
    THError(TH_ERROR_RUNTIME, "the output of this pooling has planes of %s, but grad_output has shape %s",
            Space(-1, n, plan->output + 3 - n).text, shapeString(gradOutput).c_str());
  setResultOf(plan->result[0], gradInput, gradOutput, plan->input, n);
  if (n == 2) layAs(*plan, gradOutput, 2);
  return hasMemory(gradInput);
}

bool THNNPrepare_adaptivePooling(THNNPoolingPlan *plan, THDtype dtype, const THTensor *input, THTensor *output,
                                 THTensor *indices, int n, const int64_t *size) {
  require(dtype, output, {{input, "input"}});
  setPlan(*plan, n);
  requireDims(input, n, "input");
  requireSize(n, size);
  const int empty = emptyDimension(input, n, 0);
  if (empty >= 0)
    THError(TH_ERROR_RUNTIME,
            "Expected input to have non-zero size for non-batch dimensions, but input has sizes %s with dimension %d "
            "being empty",
            shapeString(input).c_str(), empty);
  plan->planes = planesOf(input, n);
  setSpace(plan->input, input->size + input->ndim - n, n);
  setSpace(plan->output, size, n);
  setResultOf(plan->result[0], output, input, plan->output, n);
  if (indices) setIndices(*plan, output, indices);
  if (n == 2) layAs(*plan, input, 2, indices ? 2 : 1);
  return hasMemory(output);
}

bool THNNPrepare_AdaptiveAveragePooling_updateGradInput(THNNPoolingPlan *plan, THDtype dtype,
                                                        const THTensor *gradOutput, THTensor *gradInput, int n,
                                                        const int64_t *size) {
  require(dtype, gradInput, {{gradOutput, "grad_output"}});
  setPlan(*plan, n);
  requireDims(gradOutput, n, "grad_output");
  requireSize(n, size);
  if (std::find(size, size + n, 0) != size + n)
    THError(TH_ERROR_RUNTIME, "Expected planes with elements, but got the size %s", Space(-1, n, size).text);
  plan->planes = planesOf(gradOutput, n);
  setSpace(plan->input, size, n);
  setSpace(plan->output, gradOutput->size + gradOutput->ndim - n, n);
  setResultOf(plan->result[0], gradInput, gradOutput, plan->input, n);
  if (n == 2) layAs(*plan, gradOutput, 2);
  return hasMemory(gradInput);
}

bool THNNPrepare_FractionalMaxPooling_updateOutput(THNNPoolingPlan *plan, THDtype dtype, const THTensor *input,
                                                   THTensor *output, THTensor *indices, int n, const int64_t *kernel,
                                                   const int64_t *size, const THTensor *samples) {
  static constexpr const char *names[3] = {"time", "height", "width"};
  require(dtype, output, {{input, "input"}, {samples, "samples"}});
  setPlan(*plan, n);
  requireDims(input, n, "input");
  requireSize(n, size);
  const int empty = emptyDimension(input, n);
  if (empty >= 0)
    THError(TH_ERROR_RUNTIME,
            "Expected input to have non-zero size for non-batch dimensions, but got %s with dimension %d being empty.",
            shapeString(input).c_str(), empty);
  plan->planes = planesOf(input, n);
  setSpace(plan->input, input->size + input->ndim - n, n);
  setSpace(plan->output, size, n);
  setSpace(plan->kernel, kernel, n);
  const int64_t batch = input->ndim == n + 2 ? input->size[0] : 1, channels = input->size[input->ndim - n - 1];
  if (samples->ndim != 3)
    THError(TH_ERROR_RUNTIME, "Expect _random_samples to have 3 dimensions, got %d", samples->ndim);
  if (samples->size[0] < batch)
    THError(TH_ERROR_RUNTIME, "Expect _random_samples.size(0) no less then input batch size.");
  if (samples->size[1] != channels)
    THError(TH_ERROR_RUNTIME, "Expect _random_samples.size(1) equals to input channel size.");
  if (samples->size[2] != n)
    THError(TH_ERROR_RUNTIME, "Expect _random_samples.size(2) equals to %d; got %lld.", n, (long long)samples->size[2]);
  for (int d = 3 - n; d < 3; d++)
    if (plan->kernel[d] < 1 || plan->output[d] + plan->kernel[d] - 1 > plan->input[d])
      THError(TH_ERROR_RUNTIME, "pool %s %lld too %s relative to input %s %lld", names[d], (long long)plan->kernel[d],
              plan->kernel[d] < 1 ? "small" : "large", names[d], (long long)plan->input[d]);
  setResultOf(plan->result[0], output, input, plan->output, n);
  setIndices(*plan, output, indices);
  return hasMemory(output);
}

bool THNNPrepare_MaxUnpooling_updateOutput(THNNPoolingPlan *plan, THDtype dtype, const THTensor *input,
                                           THTensor *output, const THTensor *indices, int n, const int64_t *size) {
  const bool runs = prepareSpread(plan, dtype, input, "input", output, indices, n, size);
  if (n == 2) layAs(*plan, input, 2);
  return runs;
}

bool THNNPrepare_MaxUnpooling_updateGradInput(THNNPoolingPlan *plan, THDtype dtype, const THTensor *gradOutput,
                                              THTensor *gradInput, const THTensor *indices, int n) {
  require(dtype, gradInput, {{gradOutput, "grad_output"}});
  requireMemory(gradInput, indices);
  setPlan(*plan, n);
  requireDims(gradOutput, n, "grad_output");
  if (indices->ndim != gradOutput->ndim ||
      !std::equal(indices->size, indices->size + indices->ndim - n, gradOutput->size))
    THError(TH_ERROR_RUNTIME, "indices must have as many planes as grad_output, but got shapes %s and %s",
            shapeString(indices).c_str(), shapeString(gradOutput).c_str());
  requireIndices(gradInput, indices, indices, "grad_input");
  plan->planes = planesOf(gradOutput, n);
  setSpace(plan->input, gradOutput->size + gradOutput->ndim - n, n);
  setSpace(plan->output, indices->size + indices->ndim - n, n);
  setResult(plan->result[0], gradInput, indices);
  return hasMemory(gradInput);
}
