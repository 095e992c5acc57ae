// Sigmoid, Tanh, Threshold.
#include "kernel.hpp"

namespace thnn {
namespace {

// r[i] = f(a[i], b[i]), computed in float for half types
template <class T, class F>
void zip(THTensor *r, const char *nameOfR, const THTensor *a, const char *nameOfA, const THTensor *b,
         const char *nameOfB, const F &f) {
  const Input<T> x(a, nameOfA), y(b, nameOfB);
  requireSameShape(a, nameOfA, b, nameOfB);
  checkOutput(r, kDtype<T>, nameOfR, a->ndim, a->size);
  Output<T> result(r, a->ndim, a->size, {a, b});
  const T *const from = x.data(), *const with = y.data();
  T *const to = result.data();
  parallelFor(a->numel, kGrain, [=](int64_t begin, int64_t end) {
    using C = Compute<T>;
#pragma GCC ivdep
    for (int64_t i = begin; i < end; i++) to[i] = T(f(C(from[i]), C(with[i])));
  });
  result.finish();
}

template <class T>
void sigmoidBackward(const THTensor *gradOutput, THTensor *gradInput, const THTensor *output) {
  using C = Compute<T>;
  zip<T>(gradInput, "gradInput", gradOutput, "gradOutput", output, "output", [](C g, C y) { return g * (1 - y) * y; });
}

template <class T>
void tanhBackward(const THTensor *gradOutput, THTensor *gradInput, const THTensor *output) {
  using C = Compute<T>;
  zip<T>(gradInput, "gradInput", gradOutput, "gradOutput", output, "output", [](C g, C y) { return g * (1 - y * y); });
}

// Written so that NaN, which compares false, is kept.
template <class T>
void threshold(THTensor *input, THTensor *output, double threshold, double value, bool inplace) {
  using C = Compute<T>;
  const C limit = C(T(C(threshold))), other = C(T(C(value)));
  THTensor *r = inplace ? input : output;
  if (inplace) requireDtype(output, kDtype<T>, "output");
  zip<T>(r, "output", input, "input", input, "input", [=](C x, C) { return x <= limit ? other : x; });
  if (inplace && output != input) THTensor_set(output, input);
}

template <class T>
void thresholdBackward(const THTensor *input, THTensor *gradOutput, THTensor *gradInput, double threshold,
                       bool inplace) {
  using C = Compute<T>;
  const C limit = C(T(C(threshold)));
  THTensor *r = inplace ? gradOutput : gradInput;
  if (inplace) requireDtype(gradInput, kDtype<T>, "gradInput");
  zip<T>(r, "gradInput", input, "input", gradOutput, "gradOutput", [=](C x, C g) { return x <= limit ? C(0) : g; });
  if (inplace && gradInput != gradOutput) THTensor_set(gradInput, gradOutput);
}

using Unary = void (*)(THTensor *, const THTensor *);
void unary(Unary function, THDtype dtype, THTensor *output, const THTensor *input) {
  requireDtype(input, dtype, "input");
  requireDtype(output, dtype, "output");
  function(output, input);
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
            thnn::sigmoidBackward<T>(gradOutput, gradInput, output))
THNN_DEFINE(Tanh_updateGradInput, floating,
            (THNNState *, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output),
            thnn::tanhBackward<T>(gradOutput, gradInput, output))
THNN_DEFINE(Threshold_updateOutput, floating,
            (THNNState *, THTensor *input, THTensor *output, double threshold, double value, bool inplace),
            thnn::threshold<T>(input, output, threshold, value, inplace))
THNN_DEFINE(Threshold_updateGradInput, floating,
            (THNNState *, const THTensor *input, THTensor *gradOutput, THTensor *gradInput, double threshold, double,
             bool inplace),
            thnn::thresholdBackward<T>(input, gradOutput, gradInput, threshold, inplace))
