// Convolutions of modules: views of their arguments for the general ones.
#include <algorithm>

#include <THNN/Check.h>

#include "modules.hpp"

void THNNCheck_transposedChannels(const THTensor *input, const THTensor *weight) {
  using th::shapeString;
  if (input->size[1] != weight->size[0])
    THError(
        TH_ERROR_RUNTIME,
        "Given transposed=1, weight of size %s, expected input%s to have %lld channels, but got %lld channels instead",
        shapeString(weight).c_str(), shapeString(input).c_str(), (long long)weight->size[0], (long long)input->size[1]);
}

namespace thnn {

THNN_BY_DTYPE(outputOf, THNN_, Convolution_updateOutput)
THNN_BY_DTYPE(gradInputOf, THNN_, Convolution_updateGradInput)
THNN_BY_DTYPE(gradWeightOf, THNN_, Convolution_updateGradWeight)

namespace {

int64_t product(const Sizes &sizes, int n) {
  int64_t p = 1;
  for (int d = 0; d < n; d++) p *= sizes[size_t(d)];
  return p;
}

// t (outputs, channels, …) as (outputs, channels, kernel…).
Ref withKernel(THTensor *t, int64_t first, int64_t second, const Sizes &kernel, int n) {
  int64_t size[5] = {first, second};
  std::copy_n(kernel.begin(), n, size + 2);
  return Ref(THTensor_newView(t, n + 2, size));
}

}  // namespace

// (outputs, channels, kernel…), or transposed (channels, outputs, kernel…), or (multiplier, channels, kernel…): a view, so
// that gradients can be added to it.
Ref Convolution::viewed(THTensor *weight, const char *name) const {
  const int64_t taps = product(kernel, n), *const size = weight->size;
  const auto refuse = [&] {
    THError(TH_ERROR_RUNTIME, "%s of shape %s does not fit a kernel of size %s", name, shapeString(weight).c_str(),
            shapeString(n, kernel.data()).c_str());
  };
  if (std::any_of(kernel.begin(), kernel.begin() + n, [](int64_t k) { return k <= 0; }))
    THError(TH_ERROR_RUNTIME, "kernel size should be greater than zero, but got %s",
            shapeString(n, kernel.data()).c_str());
  if (filters == Filters::rows) {
    if (weight->numel != size[0] * taps || weight->ndim < 2 || weight->ndim > 3 || size[weight->ndim - 1] != taps)
      refuse();
    return withKernel(weight, size[0], 1, kernel, n);
  }
  if (weight->ndim == n + 2 && filters != Filters::frames) {
    if (!std::equal(kernel.begin(), kernel.begin() + n, size + 2)) refuse();
    return Ref(THTensor_newWithTensor(weight));
  }
  if (weight->ndim != 2 || size[1] % taps) refuse();
  if (filters != Filters::frames) return withKernel(weight, size[0], size[1] / taps, kernel, n);
  const int64_t frames[] = {size[0], taps, size[1] / taps};
  return Ref(THTensor_newTranspose(Ref(THTensor_newView(weight, 3, frames)), 1, 2));
}

int64_t Convolution::groupsOf(const THTensor *view) const {
  return filters == Filters::rows ? view->size[0] : filters == Filters::multiplier ? view->size[1] : 1;
}

// The view as the general functions take it.
Ref Convolution::filtersOf(THTensor *view) const {
  if (filters != Filters::multiplier) return Ref(THTensor_newWithTensor(view));
  const Ref byChannel(THTensor_newTranspose(view, 0, 1));
  int64_t size[5] = {byChannel->size[0] * byChannel->size[1], 1};
  std::copy_n(byChannel->size + 2, n, size + 2);
  return Ref(THTensor_newReshape(byChannel, n + 2, size));
}

// Of a transposed convolution.
void Convolution::sizeOfOutput(const THTensor *x, const THTensor *weight, int64_t (&size)[5]) const {
  size[0] = x->size[0];
  size[1] = weight->size[1];
  THNNCheck_transposedChannels(x, weight);
  for (size_t d = 0; d < size_t(n); d++) {
    if (adjustment[d] < 0 || adjustment[d] >= std::max(stride[d], dilation[d]))
      THError(TH_ERROR_RUNTIME,
              "output padding must be smaller than either stride or dilation, but got %lld, %lld and %lld",
              (long long)adjustment[d], (long long)stride[d], (long long)dilation[d]);
    size[d + 2] = (x->size[d + 2] - 1) * stride[d] - 2 * padding[d] + dilation[d] * (kernel[d] - 1) + 1 + adjustment[d];
  }
  if (std::any_of(size + 2, size + 2 + n, [](int64_t s) { return s < 1; }))
    THError(TH_ERROR_RUNTIME,
            "Given input size per channel: %s. Calculated output size per channel: %s. Output size is too small",
            shapeString(n, x->size + 2).c_str(), shapeString(n, size + 2).c_str());
}

void Convolution::forward(const THTensor *x, THTensor *output, const THTensor *weight, const THTensor *bias,
                          int64_t groups) const {
  if (!transposed)
    return outputOf(dtype)(nullptr, x, output, weight, bias, n, stride.data(), n, padding.data(), n, dilation.data(),
                           groups);
  int64_t size[5];
  sizeOfOutput(x, weight, size);
  Ref each;
  if (bias) {
    requireDtype(bias, dtype, "bias");
    requireShape(bias, "bias", {size[1]});
    int64_t shape[5] = {1, size[1], 1, 1, 1};
    each = Ref(THTensor_newView(Ref(THTensor_newClone(bias)), n + 2, shape));  // output may share memory with it
  }
  gradInputOf(dtype)(nullptr, x, output, weight, n, size + 2, n, stride.data(), n, padding.data(), n, dilation.data(),
                     groups);
  if (bias) accumulate(dtype, output, each, 1);
}

void Convolution::checkGradient(const THTensor *x, const THTensor *gy, const THTensor *weight, int64_t groups) const {
  if (transposed) {
    int64_t size[5];
    sizeOfOutput(x, weight, size);
    return requireShape(gy, "gradOutput", n + 2, size);
  }
  const Ref output(newLike(gy, dtype));
  const THNNConvolutionSteps steps{n, stride.data(), padding.data(), dilation.data(), groups};
  THNNConvolutionPlan plan;
  THNNPrepare_Convolution_updateOutput(&plan, dtype, x, output, weight, nullptr, &steps);
  requireShape(gy, "gradOutput", n + 2, plan.result.size);
}

void Convolution::backward(const THTensor *x, const THTensor *gy, THTensor *gradInput, const THTensor *weight,
                           int64_t groups) const {
  checkGradient(x, gy, weight, groups);
  if (!transposed)
    return gradInputOf(dtype)(nullptr, gy, gradInput, weight, n, x->size + 2, n, stride.data(), n, padding.data(), n,
                              dilation.data(), groups);
  // An adjustment of a stride or more, which a dilation allows, leaves room for positions that input has not got.
  Ref all(newLike(gradInput, dtype));
  outputOf(dtype)(nullptr, gy, all, weight, nullptr, n, stride.data(), n, padding.data(), n, dilation.data(), groups);
  for (int d = 2; d < n + 2; d++) all = Ref(THTensor_newNarrow(all, d, 0, x->size[d]));
  requireDtype(gradInput, dtype, "gradInput");
  assign(gradInput, all);
}

// (outputs, channels, kernel…), or transposed (channels, outputs, kernel…)
Ref Convolution::gradient(const THTensor *x, const THTensor *gy, const THTensor *weight, int64_t groups) const {
  checkGradient(x, gy, weight, groups);
  Ref r(newLike(gy, dtype));
  gradWeightOf(dtype)(nullptr, transposed ? gy : x, transposed ? x : gy, r, n, kernel.data(), n, stride.data(), n,
                      padding.data(), n, dilation.data(), groups);
  return r;
}

void Convolution::updateOutput(const THTensor *input, THTensor *output, const THTensor *weight,
                               const THTensor *bias) const {
  const Ref x = batchOf(input, n, channels, "input"), view = viewed(const_cast<THTensor *>(weight), "weight");
  deliver(dtype, output, input, n, channels,
          [&](THTensor *y) { forward(x, y, filtersOf(view), bias, groupsOf(view)); });
}

void Convolution::updateGradInput(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
                                  const THTensor *weight) const {
  const Ref x = batchOf(input, n, channels, "input"), gy = batchOf(gradOutput, n, channels, "gradOutput");
  const Ref view = viewed(const_cast<THTensor *>(weight), "weight");
  requireBatch(input, gradOutput);
  deliver(dtype, gradInput, input, n, channels,
          [&](THTensor *gx) { backward(x, gy, gx, filtersOf(view), groupsOf(view)); });
}

void Convolution::accGradParameters(const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight,
                                    THTensor *gradBias, double scale) const {
  const Ref x = batchOf(input, n, channels, "input"), gy = batchOf(gradOutput, n, channels, "gradOutput");
  const Ref view = viewed(gradWeight, "gradWeight");
  requireBatch(input, gradOutput);
  requireDtype(gradWeight, dtype, "gradWeight");
  if (gradBias) {
    requireDtype(gradBias, dtype, "gradBias");
    requireShape(gradBias, "gradBias", {gy->size[1]});
  }
  requireWritable(gradWeight, gradBias);
  Ref gradients = gradient(x, gy, filtersOf(view), groupsOf(view));
  if (filters == Filters::multiplier) {
    const Ref byChannel(withKernel(gradients, view->size[1], view->size[0], kernel, n));
    gradients = Ref(THTensor_newTranspose(byChannel, 0, 1));
  }
  const Ref sums = gradBias ? sumsOf(dtype, gy, 1) : Ref();
  accumulate(dtype, view, gradients, scale);
  if (gradBias) accumulate(dtype, gradBias, sums, scale);
}

}  // namespace thnn
