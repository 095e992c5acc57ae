// ClassNLLCriterion.
#include <THC/THCTensorCopy.h>
#include "sums.cuh"

namespace thcunn {
namespace {

// Samples, as kernels see them. A target that is no class is reported, and its sample left out.
template <class T>
struct Samples {
  using C = Compute<T>;
  const int64_t *target;
  const T *weights;  // NULL: all are 1
  int64_t count, classes, ignored;
  Failure *failure;

  __device__ bool classOf(int64_t i, int64_t &c) const {
    c = target[i];
    if (c == ignored) return false;
    if (c >= 0 && c < classes) return true;
    report(failure, FailureKind::Target, c, classes, 1);
    return false;
  }
  __device__ C weightOf(int64_t c) const { return weights ? readElement<C, T>(weights + c) : C(1); }
  __device__ C lossOf(const T *x, int64_t i, int64_t c) const {
    return -weightOf(c) * readElement<C, T>(x + i * classes + c);
  }
};

// Losses and weights.
template <class T>
struct Losses {
  Samples<T> samples;
  const T *x;
  __device__ void operator()(int64_t i, double (&sums)[2]) const {
    int64_t c;
    if (!samples.classOf(i, c)) return;
    sums[0] += double(samples.lossOf(x, i, c));
    sums[1] += double(samples.weightOf(c));
  }
};
template <class T>
struct Loss {
  T *r, *totalWeight;
  bool sizeAverage;
  __device__ void operator()(const double (&sums)[2]) const {
    *r = th::convertTo<T>(Compute<T>(sizeAverage ? sums[0] / sums[1] : sums[0]));
    *totalWeight = th::convertTo<T>(Compute<T>(sums[1]));
  }
};

template <class T>
__global__ void __launch_bounds__(kBlock) lossKernel(Samples<T> samples, const T *x, T *r) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < samples.count; i += step) {
    int64_t c;
    r[i] = th::convertTo<T>(samples.classOf(i, c) ? samples.lossOf(x, i, c) : Compute<T>(0));
  }
}

// Of zeros. `each`: gradOutput has a number for each sample, else one, which totalWeight divides unless it is NULL.
template <class T>
__global__ void __launch_bounds__(kBlock)
    gradientKernel(Samples<T> samples, T *r, const T *gradOutput, bool each, const T *totalWeight) {
  using C = Compute<T>;
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < samples.count; i += step) {
    int64_t c;
    if (!samples.classOf(i, c)) continue;
    C factor = readElement<C, T>(gradOutput + (each ? i : 0));
    if (totalWeight) factor = C(double(factor) / double(readElement<C, T>(totalWeight)));
    r[i * samples.classes + c] = th::convertTo<T>(-samples.weightOf(c) * factor);
  }
}

// The operands that both directions have, on the device of the result.
template <class T>
struct Operands {
  static constexpr THDtype dtype = th::DtypeOf<T>::value;
  const OnDevice on;
  const Ref target, weights;
  const Samples<T> samples;

  Operands(const THNNNllPlan &plan, const THIndexTensor *t, const THNullableTensor *w, int64_t ignoreIndex)
      : on(plan.result->tensor), target(contiguousAs(TH_Long, t, plan.result->tensor)),
        weights(w ? contiguousAs(dtype, w, plan.result->tensor) : Ref()),
        samples{thc::elements<const int64_t>(target),
                weights ? thc::elements<const T>(weights) : nullptr,
                plan.samples,
                plan.classes,
                ignoreIndex,
                failureOf(on.index)} {}
};

template <class T>
void nll(const THTensor *input, const THIndexTensor *target, THTensor *output, bool sizeAverage,
         const THNullableTensor *weights, THTensor *total_weight, int64_t ignore_index, bool reduce) {
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  requireOneDevice({output, total_weight}, {input, target, weights});
  THNNNllPlan plan;
  if (!THNNPrepare_ClassNLLCriterion_updateOutput(&plan, dtype, input, target, output, weights, total_weight, reduce))
    return;
  const Operands<T> p(plan, target, weights, ignore_index);
  const Ref x = contiguousAs(dtype, input, output);
  if (reduce) {
    TermSums<2> sums(p.on, plan.samples, Losses<T>{p.samples, thc::elements<const T>(x)});
    THResult_resize(plan.result, 2);
    return sums.finish(Loss<T>{thc::elements<T>(output), thc::elements<T>(total_weight), sizeAverage});
  }
  Output result(plan.result, 2, {input, target, weights});
  if (plan.samples)
    launch(lossKernel<T>, blocksFor(plan.samples), kBlock, 0, p.on.stream, p.samples, thc::elements<const T>(x),
           result.data<T>());
  result.finish();
  THCTensor_zero(total_weight);
}

template <class T>
void nllBackward(const THTensor *input, const THIndexTensor *target, const THTensor *gradOutput, THTensor *gradInput,
                 bool sizeAverage, const THNullableTensor *weights, const THTensor *total_weight, int64_t ignore_index,
                 bool reduce) {
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  requireOneDevice({gradInput}, {input, target, gradOutput, weights, total_weight});
  THNNNllPlan plan;
  if (!THNNPrepare_ClassNLLCriterion_updateGradInput(&plan, dtype, input, target, gradOutput, gradInput, weights,
                                                     total_weight, reduce))
    return;
  const Operands<T> p(plan, target, weights, ignore_index);
  const Ref gradient = contiguousAs(dtype, gradOutput, gradInput),
            total = reduce && sizeAverage ? contiguousAs(dtype, total_weight, gradInput) : Ref();
  Output result(plan.result, 1, {target, weights, gradOutput, total});
  THCTensor_zero(result.tensor());
  if (plan.samples)
    launch(gradientKernel<T>, blocksFor(plan.samples), kBlock, 0, p.on.stream, p.samples, result.data<T>(),
           thc::elements<const T>(gradient), !reduce, total ? thc::elements<const T>(total) : nullptr);
  result.finish();
}

}  // namespace
}  // namespace thcunn

THCUNN_DEFINE(ClassNLLCriterion_updateOutput, floating,
              (THNNState *, const THTensor *input, const THIndexTensor *target, THTensor *output, bool sizeAverage,
               const THNullableTensor *weights, THTensor *total_weight, int64_t ignore_index, bool reduce),
              thcunn::nll<T>(input, target, output, sizeAverage, weights, total_weight, ignore_index, reduce))
THCUNN_DEFINE(ClassNLLCriterion_updateGradInput, floating,
              (THNNState *, const THTensor *input, const THIndexTensor *target, const THTensor *gradOutput,
               THTensor *gradInput, bool sizeAverage, const THNullableTensor *weights, const THTensor *total_weight,
               int64_t ignore_index, bool reduce),
              thcunn::nllBackward<T>(input, target, gradOutput, gradInput, sizeAverage, weights, total_weight,
                                     ignore_index, reduce))
