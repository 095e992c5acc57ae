// Sliding blocks as columns, and back: the columns of a convolution's matrix (columns.hpp), a channel at a time.
#include <algorithm>
#include <cstdio>
#include <THNN/THNN.h>

#include "kit/computed.hpp"
#include "unfolding.hpp"

namespace thnn {
namespace {

void requirePositive(const int64_t (&values)[2], const char *what, const char *word) {
  if (values[0] <= 0 || values[1] <= 0)
    THError(TH_ERROR_RUNTIME, "%s should be greater than zero, but got %s_height: %lld %s_width: %lld", what, word,
            (long long)values[0], word, (long long)values[1]);
}

void checkSteps(const THNNUnfoldingPlan &p) {
  requirePositive(p.kernel, "kernel size", "kernel");
  requirePositive(p.dilation, "dilation", "dilation");
  if (p.padding[0] < 0 || p.padding[1] < 0)
    THError(TH_ERROR_RUNTIME, "padding should be non-negative, but got pad_height: %lld pad_width: %lld",
            (long long)p.padding[0], (long long)p.padding[1]);
  requirePositive(p.stride, "stride", "stride");
}

// "(2, 3)"
struct Pair {
  char text[64];
  explicit Pair(const int64_t (&values)[2]) {
    snprintf(text, sizeof text, "(%lld, %lld)", (long long)values[0], (long long)values[1]);
  }
};

// Whether any block fits; `blocks` as messages have it where none does.
bool setBlocks(THNNUnfoldingPlan &p) {
  for (int d = 0; d < 2; d++) {
    const int64_t rest = p.image[d] + 2 * p.padding[d] - p.dilation[d] * (p.kernel[d] - 1) - 1;
    p.blocks[d] = (rest >= 0 ? rest / p.stride[d] : -((-rest + p.stride[d] - 1) / p.stride[d])) + 1;
  }
  return p.blocks[0] > 0 && p.blocks[1] > 0;
}

// ndim, or one less without a batch; only a batch may be empty.
void requireDims(const THTensor *t, int ndim, const char *message) {
  bool fits = t->ndim == ndim || t->ndim == ndim - 1;
  for (int d = std::max(t->ndim - ndim + 1, 0); fits && d < t->ndim; d++) fits = t->size[d] > 0;
  if (!fits) THError(TH_ERROR_RUNTIME, message, shapeString(t).c_str());
}

void require(THDtype dtype, const THTensor *r, const THTensor *t) {
  requireDtype(t, dtype, "input");
  requireMemory(r, t);
  requireDtype(r, dtype, "output");
}

template <class T>
void im2col(const THTensor *input, THTensor *output, THNNUnfoldingPlan plan) {
  if (!THNNPrepare_Im2Col_updateOutput(&plan, DtypeOf<T>::value, input, output)) return resizeResults(&plan.result);
  const Elements<T> x(input);
  into<T>(plan.result, {input}, [&](T *columns) { unfold(plan, x.data(), columns); });
}

template <class T>
void col2im(const THTensor *input, THTensor *output, THNNUnfoldingPlan plan) {
  using C = Compute<T>;
  if (!THNNPrepare_Col2Im_updateOutput(&plan, DtypeOf<T>::value, input, output)) return resizeResults(&plan.result);
  const Elements<C> columns(input);
  into<C>(plan.result, {input}, [&](C *x) { accumulate(plan, columns.data(), x, true); });
}

template <class T>
void unfoldedCopy(THTensor *finput, const THTensor *input, const THNNUnfoldingPlan &given, int64_t channels,
                  int64_t height, int64_t width) {
  THNNUnfoldingPlan plan = checkedPlan(given, channels, height, width, nullptr, "unfolded_copy");
  requireImage(plan, input, "unfolded_copy");
  require(DtypeOf<T>::value, finput, input);
  const int64_t size[] = {channels * plan.kernel[0] * plan.kernel[1], height * width};
  setResult(plan.result, finput, 2, size);
  const Elements<T> x(input);
  into<T>(plan.result, {input}, [&](T *columns) { unfold(plan, x.data(), columns); });
}

template <class T>
void unfoldedAcc(const THTensor *finput, THTensor *input, const THNNUnfoldingPlan &given, int64_t channels,
                 int64_t height, int64_t width) {
  using C = Compute<T>;
  THNNUnfoldingPlan plan = checkedPlan(given, channels, height, width, finput, "unfolded_acc");
  requireImage(plan, input, "unfolded_acc");
  require(DtypeOf<T>::value, input, finput);
  const Elements<C> columns(finput), before(input);
  setResult(plan.result, input, input);
  into<C>(plan.result, {finput}, [&](C *x) {
    if (x != before.data()) std::copy_n(before.data(), input->numel, x);
    accumulate(plan, columns.data(), x, false);
  });
}

}  // namespace

THNNUnfoldingPlan checkedPlan(THNNUnfoldingPlan plan, int64_t channels, int64_t height, int64_t width,
                              const THTensor *columns, const char *name) {
  checkSteps(plan);
  plan.batch = 1;
  plan.channels = channels;
  setBlocks(plan);
  const int64_t rows = channels * plan.kernel[0] * plan.kernel[1];
  if (plan.blocks[0] != height || plan.blocks[1] != width || height < 1 || width < 1)
    THError(TH_ERROR_RUNTIME, "%s: the blocks of an image of %s are %s, not (%lld, %lld)", name, Pair(plan.image).text,
            Pair(plan.blocks).text, (long long)height, (long long)width);
  if (columns && columns->numel != rows * height * width)
    THError(TH_ERROR_RUNTIME, "%s: finput must have %lld elements, but its shape is %s", name,
            (long long)(rows * height * width), shapeString(columns).c_str());
  return plan;
}
void requireImage(const THNNUnfoldingPlan &plan, const THTensor *t, const char *name) {
  if (t->numel != plan.channels * plan.image[0] * plan.image[1])
    THError(TH_ERROR_RUNTIME, "%s: input must be %lld images of %s, but its shape is %s", name,
            (long long)plan.channels, Pair(plan.image).text, shapeString(t).c_str());
}

}  // namespace thnn

using namespace thnn;

bool THNNPrepare_Im2Col_updateOutput(THNNUnfoldingPlan *plan, THDtype dtype, const THTensor *input, THTensor *output) {
  require(dtype, output, input);
  checkSteps(*plan);
  requireDims(input, 4,
              "Expected 3D or 4D (batch mode) tensor with possibly 0 batch size and other non-zero dimensions for "
              "input, but got: %s");
  const int batch = input->ndim - 3;
  plan->batch = batch ? input->size[0] : 1;
  plan->channels = input->size[batch];
  std::copy_n(input->size + batch + 1, 2, plan->image);
  if (!setBlocks(*plan))
    THError(TH_ERROR_RUNTIME,
            "Given input with spatial size %s, kernel_size=%s, dilation=%s, padding=%s, calculated shape of the array "
            "of sliding blocks as %s, but its components must be at least one.",
            Pair(plan->image).text, Pair(plan->kernel).text, Pair(plan->dilation).text, Pair(plan->padding).text,
            Pair(plan->blocks).text);
  const int64_t size[] = {plan->batch, plan->channels * plan->kernel[0] * plan->kernel[1],
                          plan->blocks[0] * plan->blocks[1]};
  setResult(plan->result, output, 2 + batch, size + 1 - batch);
  return hasMemory(output) && plan->batch;
}

bool THNNPrepare_Col2Im_updateOutput(THNNUnfoldingPlan *plan, THDtype dtype, const THTensor *input, THTensor *output) {
  require(dtype, output, input);
  checkSteps(*plan);
  requireDims(input, 3,
              "Expected 2D or 3D (batch mode) tensor for input with possibly 0 batch size and non-zero dimensions for "
              "input, but got: %s");
  const int batch = input->ndim - 2;
  const int64_t area = plan->kernel[0] * plan->kernel[1], rows = input->size[batch], columns = input->size[batch + 1];
  if (rows % area)
    THError(TH_ERROR_RUNTIME,
            "Expected size of input's dimension 1 to be divisible by the product of kernel_size, but got "
            "input.size(1)=%lld and kernel_size=%s.",
            (long long)rows, Pair(plan->kernel).text);
  const bool some = setBlocks(*plan);
  const auto refuse = [&](const char *why) {
    THError(TH_ERROR_RUNTIME, "Given output_size=%s, kernel_size=%s, dilation=%s, padding=%s, stride=%s, %s",
            Pair(plan->image).text, Pair(plan->kernel).text, Pair(plan->dilation).text, Pair(plan->padding).text,
            Pair(plan->stride).text, why);
  };
  char why[320];
  if (columns != plan->blocks[0] * plan->blocks[1]) {
    snprintf(why, sizeof why,
             "expected size of input's dimension 2 to match the calculated number of sliding blocks %lld * %lld = "
             "%lld, but got input.size(2)=%lld.",
             (long long)plan->blocks[0], (long long)plan->blocks[1], (long long)(plan->blocks[0] * plan->blocks[1]),
             (long long)columns);
    refuse(why);
  }
  if (!some) {
    snprintf(why, sizeof why,
             "calculated shape of the array of sliding blocks as %s, but its components must be at least one.",
             Pair(plan->blocks).text);
    refuse(why);
  }
  if (plan->image[0] < 1 || plan->image[1] < 1)
    THError(TH_ERROR_RUNTIME, "Expected output spatial size to be positive, but got: output_size=%s",
            Pair(plan->image).text);
  plan->batch = batch ? input->size[0] : 1;
  plan->channels = rows / area;
  const int64_t size[] = {plan->batch, plan->channels, plan->image[0], plan->image[1]};
  setResult(plan->result, output, 3 + batch, size + 1 - batch);
  return hasMemory(output) && plan->batch;
}

THNN_DEFINE(Im2Col_updateOutput, floating_complex,
            (THNNState *, const THTensor *input, THTensor *output, int64_t kH, int64_t kW, int64_t dilationH,
             int64_t dilationW, int64_t padH, int64_t padW, int64_t dH, int64_t dW),
            im2col<T>(input, output, planOf(kH, kW, dilationH, dilationW, padH, padW, dH, dW)))
THNN_DEFINE(Col2Im_updateOutput, floating_complex,
            (THNNState *, const THTensor *input, THTensor *output, int64_t outputHeight, int64_t outputWidth,
             int64_t kH, int64_t kW, int64_t dilationH, int64_t dilationW, int64_t padH, int64_t padW, int64_t dH,
             int64_t dW),
            col2im<T>(input, output,
                      planOf(kH, kW, dilationH, dilationW, padH, padW, dH, dW, outputHeight, outputWidth)))
THNN_DEFINE(unfolded_copy, floating,
            (THNNState *, THTensor *finput, const THTensor *input, int64_t kW, int64_t kH, int64_t dW, int64_t dH,
             int64_t padW, int64_t padH, int64_t nInputPlane, int64_t inputWidth, int64_t inputHeight,
             int64_t outputWidth, int64_t outputHeight),
            unfoldedCopy<T>(finput, input, planOf(kH, kW, 1, 1, padH, padW, dH, dW, inputHeight, inputWidth),
                            nInputPlane, outputHeight, outputWidth))
THNN_DEFINE(unfolded_acc, floating,
            (THNNState *, const THTensor *finput, THTensor *input, int64_t kW, int64_t kH, int64_t dW, int64_t dH,
             int64_t padW, int64_t padH, int64_t nInputPlane, int64_t inputWidth, int64_t inputHeight,
             int64_t outputWidth, int64_t outputHeight),
            unfoldedAcc<T>(finput, input, planOf(kH, kW, 1, 1, padH, padW, dH, dW, inputHeight, inputWidth),
                           nInputPlane, outputHeight, outputWidth))
