// MSECriterion.
#include "kit/pointwise.cuh"
#include "sums.cuh"

namespace thcunn {
namespace {

struct SquaredError {
  template <class C>
  __device__ C operator()(C x, C y) const {
    return (x - y) * (x - y);
  }
};
template <class T>
struct SquaredErrors {
  const T *x, *y;
  __device__ void operator()(int64_t i, double (&sums)[1]) const {
    sums[0] += double(SquaredError()(readElement<Compute<T>, T>(x + i), readElement<Compute<T>, T>(y + i)));
  }
};
// The loss: rounded to T, infinite where that is too small for it.
template <class T>
struct Loss {
  T *r;
  double divisor;
  __device__ void operator()(const double (&sums)[1]) const { *r = th::convertTo<T>(Compute<T>(sums[0] / divisor)); }
};

// gradOutput is one number, which is on the device.
template <class T>
struct Difference {
  using C = Compute<T>;
  const T *gradOutput;
  double factor;
  __device__ C operator()(C x, C y) const { return C(factor * double(readElement<C, T>(gradOutput))) * (x - y); }
};
struct DifferenceTimes {
  template <class C>
  __device__ C operator()(C x, C y, C g) const {
    return 2 * (x - y) * g;
  }
};

template <class T>
void mse(const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage, bool reduce) {
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  requireOneDevice({output}, {input, target});
  THPointwisePlan plan;
  THResult loss;
  if (!THNNPrepare_MSECriterion_updateOutput(&plan, &loss, dtype, input, target, output, reduce)) return;
  if (!reduce) return runPointwise<T>(plan, SquaredError{}, Number::rounded, output, input, target);
  const OnDevice on(output);
  const Ref x = contiguousAs(dtype, input, output), y = contiguousAs(dtype, target, output);
  TermSums<1> sums(on, input->numel, SquaredErrors<T>{thc::elements<const T>(x), thc::elements<const T>(y)});
  const double divisor = sizeAverage ? double(input->numel) : 1;
  THResult_resize(&loss, 1);
  sums.finish(Loss<T>{thc::elements<T>(output), divisor});
}

template <class T>
void mseBackward(const THTensor *input, const THTensor *target, const THTensor *gradOutput, THTensor *gradInput,
                 bool sizeAverage, bool reduce) {
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  requireOneDevice({gradInput}, {input, target, gradOutput});
  THPointwisePlan plan;
  // The one number before gradInput, whose memory it may be in, is resized and written.
  Ref number;
  if (reduce && gradOutput->numel == 1 && gradOutput->storage == gradInput->storage)
    number = Ref(THTensor_newClone(gradOutput));
  if (!THNNPrepare_MSECriterion_updateGradInput(&plan, dtype, input, target, gradOutput, gradInput, reduce)) return;
  if (!reduce) return runPointwise<T>(plan, DifferenceTimes{}, Number::rounded, gradInput, input, target, gradOutput);
  if (!number) number = contiguousAs(dtype, gradOutput, gradInput);
  const double factor = sizeAverage ? 2 / double(input->numel) : 2;
  runPointwise<T>(plan, Difference<T>{thc::elements<const T>(number), factor}, Number::rounded, gradInput, input,
                  target);
}

}  // namespace
}  // namespace thcunn

THCUNN_DEFINE(MSECriterion_updateOutput, floating,
              (THNNState *, const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage,
               bool reduce),
              thcunn::mse<T>(input, target, output, sizeAverage, reduce))
THCUNN_DEFINE(MSECriterion_updateGradInput, floating,
              (THNNState *, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
               THTensor *gradInput, bool sizeAverage, bool reduce),
              thcunn::mseBackward<T>(input, target, gradOutput, gradInput, sizeAverage, reduce))
