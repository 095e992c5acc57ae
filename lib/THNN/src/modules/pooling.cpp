// Poolings of modules: the general ones, with checks that gradOutput fits input.
#include <algorithm>

#include "modules.hpp"

namespace thnn {

THNN_BY_DTYPE(maxOf, THNN_, MaxPooling_updateOutput)
THNN_BY_DTYPE(maxGradientOf, THNN_, MaxPooling_updateGradInput)
THNN_BY_DTYPE(averageOf, THNN_, AveragePooling_updateOutput)
THNN_BY_DTYPE(averageGradientOf, THNN_, AveragePooling_updateGradInput)
THNN_BY_DTYPE(adaptiveMaxOf, THNN_, AdaptiveMaxPooling_updateOutput)
THNN_BY_DTYPE(adaptiveAverageOf, THNN_, AdaptiveAveragePooling_updateOutput)
THNN_BY_DTYPE(adaptiveAverageGradientOf, THNN_, AdaptiveAveragePooling_updateGradInput)
THNN_BY_DTYPE(fractionalMaxOf, THNN_, FractionalMaxPooling_updateOutput)
THNN_BY_DTYPE(unpoolOf, THNN_, MaxUnpooling_updateOutput)
THNN_BY_DTYPE(unpoolGradientOf, THNN_, MaxUnpooling_updateGradInput)

namespace {

const int64_t *spaceOf(const THTensor *t, int n) { return t->size + t->ndim - n; }

// Raises unless t is as `like` but for the last n dimensions, which have `size` (NULL: any).
void requirePlanes(const THTensor *t, const char *name, const THTensor *like, int n, const int64_t *size) {
  int64_t expected[TH_MAX_DIM];
  std::copy_n(like->size, like->ndim, expected);
  if (t->ndim == like->ndim) std::copy_n(size ? size : spaceOf(t, n), n, expected + like->ndim - n);
  requireShape(t, name, like->ndim, expected);
}

// Gives r what fill(a tensor with channels first) makes.
template <class Fill>
void deliverAs(THDtype dtype, THTensor *r, Channels channels, const Fill &fill) {
  if (channels == Channels::first) return fill(r);
  requireDtype(r, dtype, "result");
  const Ref own(newLike(r, dtype));
  fill(static_cast<THTensor *>(own));
  assign(r, Ref(THTensor_newTranspose(own, -1, -2)));
}

// (channels) as what (channels, size…) and a batch of these is multiplied with.
Ref perChannel(THDtype dtype, const THTensor *t, const char *name, int64_t channels, int n) {
  requireDtype(t, dtype, name);
  requireShape(t, name, {channels});
  const int64_t size[4] = {channels, 1, 1, 1};
  return Ref(THTensor_newView(const_cast<THTensor *>(t), n + 1, size));
}

}  // namespace

THNNPoolingSteps Pooling::steps() const {
  return {n, kernel.data(), stride.data(), padding.data(), dilation.data(), ceilMode, paddingCounts, divisor};
}

void Pooling::max(const THTensor *input, THTensor *output, THTensor *indices) const {
  const Ref x = channelsFirst(input, n, channels, "input");
  const auto fill = [&](THTensor *y, THTensor *where) {
    maxOf(dtype)(nullptr, x, y, where, n, kernel.data(), n, stride.data(), n, padding.data(), n, dilation.data(),
                 ceilMode);
  };
  if (channels == Channels::first) return fill(output, indices);
  requireDtype(output, dtype, "output");
  requireDtype(indices, TH_Long, "indices");
  const Ref y(newLike(output, dtype)), where(newLike(indices, TH_Long));
  fill(y, where);
  const Ref samples(THTensor_newTranspose(y, -1, -2)), places(THTensor_newTranspose(where, -1, -2));
  requireSeparate(output, indices, samples->ndim, samples->size);
  requireSeparate(indices, output, samples->ndim, samples->size);
  THResult results[2];
  setResult(results[0], output, samples);
  setResult(results[1], indices, places);
  resizeResults(results, 2);
  THTensor_copy(output, samples);
  THTensor_copy(indices, places);
}

// With the forward function's plan, which says what shape its output has.
void Pooling::checkGradient(const THTensor *x, const THTensor *gy, bool average) const {
  const Ref output(newLike(gy, dtype)), indices(newLike(gy, TH_Long));
  const THNNPoolingSteps all = steps();
  THNNPoolingPlan plan;
  if (average)
    THNNPrepare_AveragePooling_updateOutput(&plan, dtype, x, output, &all);
  else
    THNNPrepare_MaxPooling_updateOutput(&plan, dtype, x, output, indices, &all);
  requireShape(gy, "gradOutput", plan.result[0].ndim, plan.result[0].size);
}

void Pooling::maxGradient(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
                          const THTensor *indices) const {
  const Ref x = channelsFirst(input, n, channels, "input"), gy = channelsFirst(gradOutput, n, channels, "gradOutput");
  const Ref where = channelsFirst(indices, n, channels, "indices");
  checkGradient(x, gy, false);
  deliverAs(dtype, gradInput, channels,
            [&](THTensor *gx) { maxGradientOf(dtype)(nullptr, gy, gx, where, n, spaceOf(x, n)); });
}

void Pooling::average(const THTensor *input, THTensor *output) const {
  averageOf(dtype)(nullptr, input, output, n, kernel.data(), n, stride.data(), n, padding.data(), ceilMode,
                   paddingCounts, divisor);
}

void Pooling::averageGradient(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput) const {
  checkGradient(input, gradOutput, true);
  averageGradientOf(dtype)(nullptr, gradOutput, gradInput, n, spaceOf(input, n), n, kernel.data(), n, stride.data(), n,
                           padding.data(), ceilMode, paddingCounts, divisor);
}

void SubSampling::updateOutput(const THTensor *input, THTensor *output, const THTensor *weight,
                               const THTensor *bias) const {
  const auto [dtype, n] = std::pair(sums.dtype, sums.n);
  const Ref x = channelsFirst(input, n, sums.channels, "input"), y(newLike(output, dtype));
  const int64_t planes = x->size[x->ndim - n - 1];
  const Ref w = perChannel(dtype, weight, "weight", planes, n);
  requireDtype(output, dtype, "output");
  const Ref b = bias ? perChannel(dtype, bias, "bias", planes, n) : Ref();
  sums.average(x, y);
  multiplyOf(dtype)(y, y, w);
  if (bias) accumulate(dtype, y, b, 1);
  assign(output, channelsFirst(y, n, sums.channels, "output"));  // which a second exchange undoes
}

void SubSampling::updateGradInput(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
                                  const THTensor *weight) const {
  const auto [dtype, n] = std::pair(sums.dtype, sums.n);
  const Ref x = channelsFirst(input, n, sums.channels, "input");
  const Ref gy = channelsFirst(gradOutput, n, sums.channels, "gradOutput"), scaled(newLike(gy, dtype));
  const Ref w = perChannel(dtype, weight, "weight", x->size[x->ndim - n - 1], n);
  sums.checkGradient(x, gy, true);
  requireDtype(gradOutput, dtype, "gradOutput");
  multiplyOf(dtype)(scaled, gy, w);
  deliverAs(dtype, gradInput, sums.channels, [&](THTensor *gx) { sums.averageGradient(x, scaled, gx); });
}

void SubSampling::accGradParameters(const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight,
                                    THTensor *gradBias, double scale) const {
  const auto [dtype, n] = std::pair(sums.dtype, sums.n);
  const Ref x = channelsFirst(input, n, sums.channels, "input"), y(newLike(gradWeight, dtype));
  const Ref gy = channelsFirst(gradOutput, n, sums.channels, "gradOutput");
  const int planes = x->ndim - n - 1;
  sums.checkGradient(x, gy, true);
  requireDtype(gradOutput, dtype, "gradOutput");
  perChannel(dtype, gradWeight, "gradWeight", x->size[planes], n);
  if (gradBias) perChannel(dtype, gradBias, "gradBias", x->size[planes], n);
  requireWritable(gradWeight, gradBias);
  sums.average(x, y);
  multiplyOf(dtype)(y, y, gy);
  const Ref biasGradient = gradBias ? sumsOf(dtype, gy, planes) : Ref();
  accumulate(dtype, gradWeight, sumsOf(dtype, y, planes), scale);
  if (gradBias) accumulate(dtype, gradBias, biasGradient, scale);
}

void adaptiveMax(THDtype dtype, const THTensor *input, THTensor *output, THTensor *indices, Sizes size) {
  adaptiveMaxOf(dtype)(nullptr, input, output, indices, 2, size.data());
}

void adaptiveAverage(THDtype dtype, const THTensor *input, THTensor *output, Sizes size) {
  adaptiveAverageOf(dtype)(nullptr, input, output, 2, size.data());
}

void adaptiveAverageGradient(THDtype dtype, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput) {
  channelsFirst(input, 2, Channels::first, "input");
  requirePlanes(gradOutput, "gradOutput", input, 2, nullptr);
  adaptiveAverageGradientOf(dtype)(nullptr, gradOutput, gradInput, 2, spaceOf(input, 2));
}

void fractionalMax(THDtype dtype, int n, const THTensor *input, THTensor *output, Sizes size, Sizes kernel,
                   THTensor *indices, const THTensor *samples) {
  fractionalMaxOf(dtype)(nullptr, input, output, indices, n, kernel.data(), n, size.data(), samples);
}

void maxGradient(THDtype dtype, int n, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
                 const THTensor *indices, const Sizes *size) {
  channelsFirst(input, n, Channels::first, "input");
  requirePlanes(gradOutput, "gradOutput", input, n, size ? size->data() : nullptr);
  maxGradientOf(dtype)(nullptr, gradOutput, gradInput, indices, n, spaceOf(input, n));
}

void unpool(THDtype dtype, int n, const THTensor *input, THTensor *output, const THTensor *indices, Sizes size) {
  unpoolOf(dtype)(nullptr, input, output, indices, n, size.data());
}

void unpoolGradient(THDtype dtype, int n, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
                    const THTensor *indices, Sizes size) {
  channelsFirst(input, n, Channels::first, "input");
  requirePlanes(gradOutput, "gradOutput", input, n, size.data());
  requireShape(indices, "indices", input->ndim, input->size);
  unpoolGradientOf(dtype)(nullptr, gradOutput, gradInput, indices, n);
}

}  // namespace thnn
