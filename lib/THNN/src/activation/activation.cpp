// Sigmoid, Tanh, Threshold.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "activation/activation.cpp"
#include <hwy/foreach_target.h>
#include "kit/loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T> struct SigmoidGradient {
  T operator()(T g, T y) const { return g * (1 - y) * y; }
};
template <class T> struct TanhGradient {
  T operator()(T g, T y) const { return g * (1 - y * y); }
};
// Written so that NaN, which compares false, is kept.
template <class T> struct Threshold {
  T limit, other;
  T operator()(T x) const { return x <= limit ? other : x; }
};
template <class T> struct ThresholdGradient {
  T limit, other;
  T operator()(T x, T g) const { return x <= limit ? T(0) : g; }
};

constexpr KernelTable sigmoidGradient = makeTable(FloatingDtypes{}, Binary<SigmoidGradient>{});
constexpr KernelTable tanhGradient = makeTable(FloatingDtypes{}, Binary<TanhGradient>{});
constexpr KernelTable threshold = makeTable(FloatingDtypes{}, Unary<Threshold>{});
constexpr KernelTable thresholdGradient = makeTable(FloatingDtypes{}, Binary<ThresholdGradient>{});

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "kit/module.hpp"

namespace thnn {
namespace {

using Function = void (*)(THTensor *, const THTensor *);
void unary(Function function, THDtype dtype, THTensor *output, const THTensor *input) {
  checkOutput(dtype, input, output);
  function(output, input);
}

void gradient(const KernelTable &table, THDtype dtype, THTensor *gradInput, const THTensor *gradOutput,
              const THTensor *output) {
  checkGradient(dtype, gradOutput, gradInput, output);
  pointwise(table, dtype, nullptr, gradInput, {gradOutput, output});
}

// The parameters as the loops want them, which is rounded to T.
template <class T>
struct Parameters {
  Compute<T> limit, other;
  Parameters(double threshold, double value) : limit(rounded(threshold)), other(rounded(value)) {}
  static Compute<T> rounded(double x) { return Compute<T>(T(Compute<T>(x))); }
};

template <class T>
void threshold(THDtype dtype, THTensor *input, THTensor *output, double threshold, double value, bool inplace) {
  checkThreshold(dtype, input, output, inplace);
  const Parameters<T> parameters(threshold, value);
  pointwise(TH_BEST_TARGET(threshold), dtype, &parameters, inplace ? input : output, {input});
  if (inplace) shareMemory(output, input);
}

template <class T>
void thresholdBackward(THDtype dtype, const THTensor *input, THTensor *gradOutput, THTensor *gradInput,
                       double threshold, double value, bool inplace) {
  checkThresholdGradient(dtype, input, gradOutput, gradInput, inplace);
  const Parameters<T> parameters(threshold, value);
  pointwise(TH_BEST_TARGET(thresholdGradient), dtype, &parameters, inplace ? gradOutput : gradInput,
            {input, gradOutput});
  if (inplace) shareMemory(gradInput, gradOutput);
}

}  // namespace
}  // namespace thnn

// TH has these two already.
#define UNARY(Name, op, th)                                                                \
  void THNN_##Name##op(THNNState *, const THTensor *input, THTensor *output) {             \
    thnn::unary(TH##Name##Tensor_##th, TH_##Name, output, input);                          \
  }
TH_FOR_floating(UNARY, Sigmoid_updateOutput, sigmoid)
TH_FOR_floating(UNARY, Tanh_updateOutput, tanh)

THNN_DEFINE(Sigmoid_updateGradInput, floating,
            (THNNState *, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output),
            thnn::gradient(TH_BEST_TARGET(sigmoidGradient), dtype, gradInput, gradOutput, output))
THNN_DEFINE(Tanh_updateGradInput, floating,
            (THNNState *, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output),
            thnn::gradient(TH_BEST_TARGET(tanhGradient), dtype, gradInput, gradOutput, output))
THNN_DEFINE(Threshold_updateOutput, floating,
            (THNNState *, THTensor *input, THTensor *output, double threshold, double value, bool inplace),
            thnn::threshold<T>(dtype, input, output, threshold, value, inplace))
THNN_DEFINE(Threshold_updateGradInput, floating,
            (THNNState *, const THTensor *input, THTensor *gradOutput, THTensor *gradInput, double threshold,
             double value, bool inplace),
            thnn::thresholdBackward<T>(dtype, input, gradOutput, gradInput, threshold, value, inplace))

#endif
