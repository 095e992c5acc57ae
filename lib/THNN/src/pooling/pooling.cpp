// Max and average pooling by windows of one size, and adaptive average pooling.
#include <type_traits>
#include <THNN/THNN.h>

#include "planes.hpp"

namespace thnn {
namespace {

template <class T>
void maxForward(const THTensor *input, THTensor *output, THTensor *indices, const THNNPoolingSteps &steps) {
  using C = std::conditional_t<std::is_integral_v<T>, int64_t, Compute<T>>;
  THNNPoolingPlan plan;
  if (!THNNPrepare_MaxPooling_updateOutput(&plan, DtypeOf<T>::value, input, output, indices, &steps))
    return resizeResults(plan.result, 2);
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
