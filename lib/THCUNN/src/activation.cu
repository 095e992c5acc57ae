// Sigmoid, Tanh, Threshold.
#include "kernel.cuh"
#include "kit/pointwise.cuh"

namespace thcunn {
namespace {

struct SigmoidGradient {
  template <class C>
  __device__ C operator()(C g, C y) const {
    return g * (1 - y) * y;
  }
};
struct TanhGradient {
  template <class C>
  __device__ C operator()(C g, C y) const {
    return g * (1 - y * y);
  }
};
// Written so that NaN, which compares false, is kept.
template <class C>
struct Threshold {
  C limit, other;
  __device__ C operator()(C x) const { return x <= limit ? other : x; }
};
template <class C>
struct ThresholdGradient {
  C limit;
  __device__ C operator()(C x, C g) const { return x <= limit ? C(0) : g; }
};

using Function = void (*)(THTensor *, const THTensor *);
void unary(Function function, THDtype dtype, THTensor *output, const THTensor *input) {
  requireOneDevice({output}, {input});
  THPointwisePlan plan;
  if (THNNPrepare_activation(&plan, dtype, input, output)) function(output, input);
}

template <class T, class Op>
void gradient(const Op &op, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output) {
  requireOneDevice({gradInput}, {gradOutput, output});
  THPointwisePlan plan;
  if (THNNPrepare_activationGradient(&plan, th::DtypeOf<T>::value, gradOutput, gradInput, output))
    runPointwise<T>(plan, op, Number::rounded, gradInput, gradOutput, output);
}

// A parameter as elements are: rounded to T.
template <class T>
Compute<T> rounded(double x) {
  return Compute<T>(T(Compute<T>(x)));
}

template <class T>
void threshold(THTensor *input, THTensor *output, double threshold, double value, bool inplace) {
  requireOneDevice({output, inplace ? input : nullptr}, {input});
  THPointwisePlan plan;
  if (THNNPrepare_Threshold_updateOutput(&plan, th::DtypeOf<T>::value, input, output, inplace))
    runPointwise<T>(plan, Threshold<Compute<T>>{rounded<T>(threshold), rounded<T>(value)}, Number::rounded,
                    inplace ? input : output, input);
}

template <class T>
void thresholdBackward(const THTensor *input, THTensor *gradOutput, THTensor *gradInput, double threshold,
                       bool inplace) {
  requireOneDevice({gradInput, inplace ? gradOutput : nullptr}, {input, gradOutput});
  THPointwisePlan plan;
  if (THNNPrepare_Threshold_updateGradInput(&plan, th::DtypeOf<T>::value, input, gradOutput, gradInput, inplace))
    runPointwise<T>(plan, ThresholdGradient<Compute<T>>{rounded<T>(threshold)}, Number::rounded,
                    inplace ? gradOutput : gradInput, input, gradOutput);
}

}  // namespace
}  // namespace thcunn

// THC has these two already.
#define UNARY(Name, op, th)                                                           \
  void THCUNN_NAME(Name, op)(THNNState *, const THTensor *input, THTensor *output) { \
    const thc::Operator named(#op);  \
    thcunn::unary(THC_TENSOR(Name, th), TH_##Name, output, input);                    \
  }
TH_FOR_floating(UNARY, Sigmoid_updateOutput, sigmoid)
TH_FOR_floating(UNARY, Tanh_updateOutput, tanh)

THCUNN_DEFINE(Sigmoid_updateGradInput, floating,
              (THNNState *, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output),
              thcunn::gradient<T>(thcunn::SigmoidGradient{}, gradOutput, gradInput, output))
THCUNN_DEFINE(Tanh_updateGradInput, floating,
              (THNNState *, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output),
              thcunn::gradient<T>(thcunn::TanhGradient{}, gradOutput, gradInput, output))
THCUNN_DEFINE(Threshold_updateOutput, floating,
              (THNNState *, THTensor *input, THTensor *output, double threshold, double value, bool inplace),
              thcunn::threshold<T>(input, output, threshold, value, inplace))
THCUNN_DEFINE(Threshold_updateGradInput, floating,
              (THNNState *, const THTensor *input, THTensor *gradOutput, THTensor *gradInput, double threshold, double,
               bool inplace),
              thcunn::thresholdBackward<T>(input, gradOutput, gradInput, threshold, inplace))
