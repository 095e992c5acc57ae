// Max and average pooling by windows of one size, and adaptive average pooling.
#include <type_traits>
#include <THNN/THNN.h>

#include "kit/images.hpp"
#include "planes.hpp"

namespace thnn {
namespace {

// ---- images whose channels are innermost --------------------------------------------------------------------------

// Whether results are to lie so and share no memory with `inputs`: they are written while these are read.
bool areLaidLast(const THNNPoolingPlan &plan, int results, std::initializer_list<const THTensor *> inputs) {
  for (int k = 0; k < results; k++)
    for (const THTensor *input : inputs)
      if (!plan.result[k].strided || plan.result[k].tensor->storage == input->storage) return false;
  return true;
}

// A result, resized, as the loops write it.
class LastResult {
 public:
  explicit LastResult(const THResult &result) : view_(withChannelsLast(result.tensor)), result_(view_) {}
  template <class C> C *data() const { return result_.data<C>(); }
  void finish() { result_.finish(); }

 private:
  Ref view_;
  ContiguousResult result_;
};

// line(image, d, h, number of the line) for all results' lines; `cost`: of one, in elements read.
template <class Line>
void forLines(const THNNPoolingPlan &p, int64_t images, int64_t cost, const Line &line) {
  const int64_t lines = p.output[0] * p.output[1];
  parallelFor(images * lines, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, cost)),
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; i++) line(i / lines, i % lines / p.output[1], i % p.output[1], i);
              });
}

template <class C>
void maxForwardLast(const THNNPoolingPlan &plan, const THTensor *input) {
  resizeResults(plan.result, 2);
  const Elements<C> x(withChannelsLast(input));
  LastResult y(plan.result[0]), indices(plan.result[1]);
  const int64_t channels = input->size[1], in = elementsOf(plan.input) * channels, line = plan.output[2] * channels;
  forLines(plan, input->size[0], line * elementsOf(plan.kernel), [&](int64_t image, int64_t d, int64_t h, int64_t i) {
    const auto where = memory<int64_t>(channels);
    poolingLoops<C>().maxLast(plan, channels, d, h, x.data() + image * in, y.template data<C>() + i * line,
                              indices.template data<int64_t>() + i * line, where.get());
  });
  y.finish();
  indices.finish();
}

template <class C>
void maxBackwardLast(const THNNPoolingPlan &plan, const THTensor *gradOutput, const THTensor *indices, int n) {
  const Elements<C> gy(withChannelsLast(gradOutput));
  const Indices where(plan, n, withChannelsLast(indices));
  resizeResults(plan.result);
  LastResult gx(plan.result[0]);
  const int64_t channels = gradOutput->size[1], in = elementsOf(plan.input), out = elementsOf(plan.output);
  parallelFor(gradOutput->size[0], 1, [&](int64_t begin, int64_t end) {
    for (int64_t image = begin; image < end; image++) {
      C *const to = gx.template data<C>() + image * in * channels;
      std::fill_n(to, in * channels, C(0));
      for (int64_t i = image * out * channels; i < (image + 1) * out * channels; i += channels)
        for (int64_t c = 0; c < channels; c++) to[where.data()[i + c] * channels + c] += gy.data()[i + c];
    }
  });
  gx.finish();
}

template <class C>
void averageForwardLast(const THNNPoolingPlan &plan, const THTensor *input) {
  resizeResults(plan.result);
  const Elements<C> x(withChannelsLast(input));
  LastResult y(plan.result[0]);
  const int64_t channels = input->size[1], in = elementsOf(plan.input) * channels, line = plan.output[2] * channels;
  forLines(plan, input->size[0], line * elementsOf(plan.kernel), [&](int64_t image, int64_t d, int64_t h, int64_t i) {
    poolingLoops<C>().averageLast(plan, channels, d, h, x.data() + image * in, y.template data<C>() + i * line);
  });
  y.finish();
}

template <class C>
void averageBackwardLast(const THNNPoolingPlan &plan, const THTensor *gradOutput) {
  resizeResults(plan.result);
  const Elements<C> gy(withChannelsLast(gradOutput));
  LastResult gx(plan.result[0]);
  const int64_t channels = gradOutput->size[1], in = elementsOf(plan.input) * channels,
                out = elementsOf(plan.output) * channels;
  parallelFor(gradOutput->size[0], 1, [&](int64_t begin, int64_t end) {
    const auto shares = memory<C>(channels);
    for (int64_t i = begin; i < end; i++)
      poolingLoops<C>().averageGradientLast(plan, channels, gy.data() + i * out, gx.template data<C>() + i * in,
                                            shares.get());
  });
  gx.finish();
}

// ---- the functions ------------------------------------------------------------------------------------------------

template <class T>
void maxForward(const THTensor *input, THTensor *output, THTensor *indices, const THNNPoolingSteps &steps) {
  using C = std::conditional_t<std::is_integral_v<T>, int64_t, Compute<T>>;
  THNNPoolingPlan plan;
  if (!THNNPrepare_MaxPooling_updateOutput(&plan, DtypeOf<T>::value, input, output, indices, &steps))
    return resizeResults(plan.result, 2);
  if constexpr (std::is_same_v<T, C>)
    if (areLaidLast(plan, 2, {input})) return maxForwardLast<C>(plan, input);
  const Elements<C> x(input);
  const int64_t in = elementsOf(plan.input), out = elementsOf(plan.output);
  intoBoth<C>(plan, input, [&](C *y, int64_t *where) {
    forPlanes(plan, out * elementsOf(plan.kernel), [&](int64_t i, void *scratch) {
      poolingLoops<C>().max(plan, x.data() + i * in, y + i * out, where + i * out, scratch);
    });
  });
}

// Adds what `n` planes have in turn: neighbours often have the same element, whose sum the next addition would wait for.
template <int n, class C>
void addPlanes(const C *gy, const int64_t *where, int64_t in, int64_t out, C *gx) {
  for (int64_t i = 0; i < out; i++)
    for (int k = 0; k < n; k++) gx[k * in + where[k * out + i]] += gy[k * out + i];
}

template <class T>
void maxBackward(const THTensor *gradOutput, THTensor *gradInput, const THTensor *indices, int n, const int64_t *size) {
  using C = Compute<T>;
  THNNPoolingPlan plan;
  if (!THNNPrepare_MaxPooling_updateGradInput(&plan, DtypeOf<T>::value, gradOutput, gradInput, indices, n, size))
    return resizeResults(plan.result);
  if constexpr (std::is_same_v<T, C>)
    if (areLaidLast(plan, 1, {gradOutput, indices})) return maxBackwardLast<C>(plan, gradOutput, indices, n);
  const Elements<C> gy(gradOutput);
  const Indices where(plan, n, indices);
  const int64_t in = elementsOf(plan.input), out = elementsOf(plan.output);
  into<C>(plan.result[0], {gradOutput, indices}, [&](C *gx) {
    parallelFor(plan.planes, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, in + out)),
                [&](int64_t begin, int64_t end) {
                  std::fill(gx + begin * in, gx + end * in, C(0));
                  for (; begin + 4 <= end; begin += 4)
                    addPlanes<4>(gy.data() + begin * out, where.data() + begin * out, in, out, gx + begin * in);
                  for (; begin < end; begin++)
                    addPlanes<1>(gy.data() + begin * out, where.data() + begin * out, in, out, gx + begin * in);
                });
  });
}

template <class T>
void averageForward(const THTensor *input, THTensor *output, const THNNPoolingSteps &steps) {
  using C = std::conditional_t<std::is_integral_v<T>, int64_t, Compute<T>>;
  THNNPoolingPlan plan;
  if (!THNNPrepare_AveragePooling_updateOutput(&plan, DtypeOf<T>::value, input, output, &steps))
    return resizeResults(plan.result);
  if constexpr (std::is_same_v<T, C>)
    if (areLaidLast(plan, 1, {input})) return averageForwardLast<C>(plan, input);
  const Elements<C> x(input);
  const int64_t in = elementsOf(plan.input), out = elementsOf(plan.output);
  into<C>(plan.result[0], {input}, [&](C *y) {
    forPlanes(plan, out * elementsOf(plan.kernel), [&](int64_t i, void *scratch) {
      poolingLoops<C>().average(plan, x.data() + i * in, y + i * out, scratch);
    });
  });
}

template <class T>
void averageBackward(const THTensor *gradOutput, THTensor *gradInput, const int64_t *size,
                     const THNNPoolingSteps &steps) {
  using C = Compute<T>;
  THNNPoolingPlan plan;
  if (!THNNPrepare_AveragePooling_updateGradInput(&plan, DtypeOf<T>::value, gradOutput, gradInput, size, &steps))
    return resizeResults(plan.result);
  if constexpr (std::is_same_v<T, C>)
    if (areLaidLast(plan, 1, {gradOutput})) return averageBackwardLast<C>(plan, gradOutput);
  const Elements<C> gy(gradOutput);
  const int64_t in = elementsOf(plan.input), out = elementsOf(plan.output);
  into<C>(plan.result[0], {gradOutput}, [&](C *gx) {
    forPlanes(plan, in + out * elementsOf(plan.kernel), [&](int64_t i, void *scratch) {
      poolingLoops<C>().averageGradient(plan, gy.data() + i * out, gx + i * in, scratch);
    });
  });
}

template <class T>
void adaptiveForward(const THTensor *input, THTensor *output, int n, const int64_t *size) {
  using C = Compute<T>;
  THNNPoolingPlan plan;
  if (!THNNPrepare_adaptivePooling(&plan, DtypeOf<T>::value, input, output, nullptr, n, size))
    return resizeResults(plan.result);
  const Elements<C> x(input);
  const int64_t in = elementsOf(plan.input), out = elementsOf(plan.output);
  into<C>(plan.result[0], {input}, [&](C *y) {
    forPlanes(plan, in + out, [&](int64_t i, void *scratch) {
      poolingLoops<C>().adaptive(plan, x.data() + i * in, y + i * out, scratch);
    });
  });
}

template <class T>
void adaptiveBackward(const THTensor *gradOutput, THTensor *gradInput, int n, const int64_t *size) {
  using C = Compute<T>;
  THNNPoolingPlan plan;
  if (!THNNPrepare_AdaptiveAveragePooling_updateGradInput(&plan, DtypeOf<T>::value, gradOutput, gradInput, n, size))
    return resizeResults(plan.result);
  const Elements<C> gy(gradOutput);
  const int64_t in = elementsOf(plan.input), out = elementsOf(plan.output);
  into<C>(plan.result[0], {gradOutput}, [&](C *gx) {
    forPlanes(plan, in + out, [&](int64_t i, void *scratch) {
      poolingLoops<C>().adaptiveGradient(plan, gy.data() + i * out, gx + i * in, scratch);
    });
  });
}

THNNPoolingSteps steps(int n, const int64_t *kernel, int nstride, const int64_t *stride, int npadding,
                       const int64_t *padding, int ndilation, const int64_t *dilation, bool ceil_mode,
                       bool count_include_pad = true, int64_t divisor_override = 0) {
  if (nstride != n || npadding != n || ndilation != n)
    THError(TH_ERROR_RUNTIME,
            "kernel, stride, padding and dilation must have one entry per dimension, got %d, %d, %d and %d", n, nstride,
            npadding, ndilation);
  return {n, kernel, stride, padding, dilation, ceil_mode, count_include_pad, divisor_override};
}

const int64_t *requireEntries(int n, const int64_t *list, int expected) {
  if (n != expected) THError(TH_ERROR_RUNTIME, "size must have %d entries, as kernel has, got %d", expected, n);
  return list;
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(MaxPooling_updateOutput, number,
            (THNNState *, const THTensor *input, THTensor *output, THIndexTensor *indices, int nkernel,
             const int64_t *kernel, int nstride, const int64_t *stride, int npadding, const int64_t *padding,
             int ndilation, const int64_t *dilation, bool ceil_mode),
            thnn::maxForward<T>(input, output, indices,
                                thnn::steps(nkernel, kernel, nstride, stride, npadding, padding, ndilation, dilation,
                                            ceil_mode)))

THNN_DEFINE(MaxPooling_updateGradInput, floating,
            (THNNState *, const THTensor *gradOutput, THTensor *gradInput, const THIndexTensor *indices, int nsize,
             const int64_t *size),
            thnn::maxBackward<T>(gradOutput, gradInput, indices, nsize, size))

THNN_DEFINE(AveragePooling_updateOutput, number,
            (THNNState *, const THTensor *input, THTensor *output, int nkernel, const int64_t *kernel, int nstride,
             const int64_t *stride, int npadding, const int64_t *padding, bool ceil_mode, bool count_include_pad,
             int64_t divisor_override),
            thnn::averageForward<T>(input, output,
                                    thnn::steps(nkernel, kernel, nstride, stride, npadding, padding, nkernel, nullptr,
                                                ceil_mode, count_include_pad, divisor_override)))

THNN_DEFINE(AveragePooling_updateGradInput, floating,
            (THNNState *, const THTensor *gradOutput, THTensor *gradInput, int nsize, const int64_t *size, int nkernel,
             const int64_t *kernel, int nstride, const int64_t *stride, int npadding, const int64_t *padding,
             bool ceil_mode, bool count_include_pad, int64_t divisor_override),
            thnn::averageBackward<T>(gradOutput, gradInput, thnn::requireEntries(nsize, size, nkernel),
                                     thnn::steps(nkernel, kernel, nstride, stride, npadding, padding, nkernel, nullptr,
                                                 ceil_mode, count_include_pad, divisor_override)))

THNN_DEFINE(AdaptiveAveragePooling_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, int nsize, const int64_t *size),
            thnn::adaptiveForward<T>(input, output, nsize, size))

THNN_DEFINE(AdaptiveAveragePooling_updateGradInput, floating,
            (THNNState *, const THTensor *gradOutput, THTensor *gradInput, int nsize, const int64_t *size),
            thnn::adaptiveBackward<T>(gradOutput, gradInput, nsize, size))
