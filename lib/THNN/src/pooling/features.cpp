// Norms of neighbouring features, by the name of 2017.
#include <cmath>
#include <THNN/THNN.h>

#include "kit/computed.hpp"
#include "kit/parallel.hpp"

namespace thnn {
namespace {

// input (batch, features, space), the batch being 1 where there is none.
struct Features {
  int dimension;
  int64_t batch, features, outputs, space;
};

Features featuresOf(THDtype dtype, const THTensor *input, int64_t width, int64_t stride, bool batchMode) {
  requireDtype(input, dtype, "input");
  if (input->ndim < 1 + batchMode || input->ndim > 3 + batchMode)
    THError(TH_ERROR_RUNTIME, "FeatureLPPooling: input must have %d to %d dimensions, but its shape is %s",
            1 + batchMode, 3 + batchMode, shapeString(input).c_str());
  Features f{int(batchMode), batchMode ? input->size[0] : 1, input->size[batchMode], 0, 1};
  for (int d = batchMode + 1; d < input->ndim; d++) f.space *= input->size[d];
  if (width < 1 || stride < 1 || f.features < width)
    THError(TH_ERROR_RUNTIME,
            "FeatureLPPooling: width and stride must be at least 1 and width at most the number of features, but they "
            "are %lld and %lld of %lld",
            (long long)width, (long long)stride, (long long)f.features);
  f.outputs = (f.features - width) / stride + 1;
  return f;
}

void setResultOf(THResult &result, THTensor *r, const THTensor *like, const Features &f, int64_t features) {
  setResult(result, r, like);
  result.size[f.dimension] = features;
}

// work(image) for all of the batch
template <class Work>
void forImages(const Features &f, int64_t width, const Work &work) {
  const int64_t cost = std::max<int64_t>(1, f.outputs * f.space * width);
  parallelFor(f.batch, std::max<int64_t>(1, kGrain / cost), [&](int64_t begin, int64_t end) {
    for (int64_t image = begin; image < end; image++) work(image);
  });
}

template <class T>
void updateOutput(const THTensor *input, THTensor *output, double power, int64_t width, int64_t stride,
                  bool batchMode) {
  using C = Compute<T>;
  const Features f = featuresOf(DtypeOf<T>::value, input, width, stride, batchMode);
  requireMemory(output, input);
  requireDtype(output, DtypeOf<T>::value, "output");
  THResult result;
  setResultOf(result, output, input, f, f.outputs);
  if (!hasMemory(output)) return resizeResults(&result);
  const Elements<C> x(input);
  const C p = C(power);
  into<C>(result, {input}, [&](C *y) {
    forImages(f, width, [&](int64_t image) {
      for (int64_t o = 0; o < f.outputs; o++) {
        C *const to = y + (image * f.outputs + o) * f.space;
        const C *const from = x.data() + (image * f.features + o * stride) * f.space;
        for (int64_t s = 0; s < f.space; s++) {
          C sum = 0;
          for (int64_t k = 0; k < width; k++) sum += std::pow(from[k * f.space + s], p);
          to[s] = std::pow(sum, 1 / p);
        }
      }
    });
  });
}

// Σ g (x / y)^(p - 1) over the norms that an element is part of; those of zeros have the gradient 0.
template <class T>
void updateGradInput(const THTensor *gradOutput, const THTensor *input, const THTensor *output, THTensor *gradInput,
                     double power, int64_t width, int64_t stride, bool batchMode) {
  using C = Compute<T>;
  const Features f = featuresOf(DtypeOf<T>::value, input, width, stride, batchMode);
  THResult norms, result;
  setResultOf(norms, gradInput, input, f, f.outputs);
  for (const auto &[t, name] : {Named{gradOutput, "gradOutput"}, Named{output, "output"}}) {
    requireDtype(t, DtypeOf<T>::value, name);
    requireMemory(gradInput, t);
    if (!sameShape(norms.ndim, norms.size, t))
      THError(TH_ERROR_RUNTIME, "FeatureLPPooling: %s must have shape %s, but got %s", name,
              shapeString(norms.ndim, norms.size).c_str(), shapeString(t).c_str());
  }
  requireMemory(gradInput, input);
  requireDtype(gradInput, DtypeOf<T>::value, "gradInput");
  setResult(result, gradInput, input);
  if (!hasMemory(gradInput)) return resizeResults(&result);
  const Elements<C> x(input), y(output), gy(gradOutput);
  const C p = C(power);
  into<C>(result, {input, output, gradOutput}, [&](C *gx) {
    forImages(f, width, [&](int64_t image) {
      C *const to = gx + image * f.features * f.space;
      const C *const from = x.data() + image * f.features * f.space;
      std::fill_n(to, f.features * f.space, C(0));
      for (int64_t o = 0; o < f.outputs; o++) {
        const int64_t at = (image * f.outputs + o) * f.space;
        for (int64_t k = 0; k < width; k++)
          for (int64_t s = 0; s < f.space; s++) {
            const int64_t i = (o * stride + k) * f.space + s;
            const C norm = y.data()[at + s];
            if (norm != 0) to[i] += gy.data()[at + s] * std::pow(from[i] / norm, p - 1);
          }
      }
    });
  });
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(FeatureLPPooling_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, double power, int64_t width, int64_t stride,
             bool batchMode),
            thnn::updateOutput<T>(input, output, power, width, stride, batchMode))
THNN_DEFINE(FeatureLPPooling_updateGradInput, floating,
            (THNNState *, const THTensor *gradOutput, const THTensor *input, const THTensor *output,
             THTensor *gradInput, double power, int64_t width, int64_t stride, bool batchMode),
            thnn::updateGradInput<T>(gradOutput, input, output, gradInput, power, width, stride, batchMode))
