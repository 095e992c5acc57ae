// Activations of comparisons and products: HardShrink, HardSigmoid, HardSwish, HardTanh, LeakyReLU, SoftShrink, Threshold;
// and Abs, Sqrt, Square, and the gradients of Sigmoid and Tanh, whose values TH has.
//
// All are written so that NaN, which compares false, is kept.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "activation/rectifiers.cpp"
#include <hwy/foreach_target.h>
#include "kit/loops-inl.hpp"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T> struct SigmoidGradient {
  T operator()(T g, T y) const { return g * (1 - y) * y; }
};
template <class T> struct TanhGradient {
  T operator()(T g, T y) const { return g * (1 - y * y); }
};

template <class T> struct Threshold {
  T limit, other;
  T operator()(T x) const {
    const T fill = other;  // loaded in any case, so that the compiler makes no branch of it
    T y = x;
    if (x <= limit) y = fill;
    return y;
  }
};
template <class T> struct ThresholdGradient {
  T limit;
  T operator()(T x, T g) const { return x <= limit ? T(0) : g; }
};

template <class T> struct HardTanh {
  T low, high;
  T operator()(T x) const {
    const T y = x < low ? low : x;
    return y > high ? high : y;
  }
};
template <class T> struct HardTanhGradient {
  T low, high;
  T operator()(T x, T g) const {
    const T y = x <= low ? T(0) : g;
    return x >= high ? T(0) : y;
  }
};

template <class T> struct LeakyReLU {
  T slope;
  T operator()(T x) const { return x > 0 ? x : x * slope; }
};
template <class T> struct LeakyReLUGradient {
  T slope;
  T operator()(T x, T g) const { return x > 0 ? g : g * slope; }
};

template <class T> struct HardShrink {
  T lambda;
  T operator()(T x) const {
    const T y = x >= -lambda ? T(0) : x;
    return x <= lambda ? y : x;
  }
};
template <class T> struct ShrinkGradient {
  T lambda;
  T operator()(T x, T g) const {
    const T y = x >= -lambda ? T(0) : g;
    return x <= lambda ? y : g;
  }
};
template <class T> struct SoftShrink {
  T lambda;
  T operator()(T x) const {
    const T below = x < -lambda ? x + lambda : x * 0;  // not a number stays so
    return x > lambda ? x - lambda : below;
  }
};

// min(max(x + 3, 0), 6) / 6
template <class T> T step(T x) {
  const T y = x + 3, z = y < 0 ? T(0) : y;
  return (z > 6 ? T(6) : z) * T(1.0 / 6);
}
template <class T> struct HardSigmoid {
  T operator()(T x) const { return step(x); }
};
template <class T> struct HardSigmoidGradient {
  T operator()(T x, T g) const {
    const T y = x > -3 ? g * T(1.0 / 6) : T(0);
    return x < 3 ? y : T(0);
  }
};
template <class T> struct HardSwish {
  T operator()(T x) const { return x * step(x); }
};
template <class T> struct HardSwishGradient {
  T operator()(T x, T g) const {
    const T y = x <= -3 ? T(0) : g * (x * T(1.0 / 3) + T(0.5));
    return x >= 3 ? g : y;
  }
};

template <class T> struct Abs {
  T operator()(T x) const { return std::fabs(x); }
};
template <class T> struct AbsGradient {
  T operator()(T x, T g) const {
    const T y = x < 0 ? -g : T(0);
    return x > 0 ? g : y;
  }
};
template <class T> struct Sqrt {
  T operator()(T x) const { return std::sqrt(x); }
};
template <class T> struct SqrtGradient {
  T operator()(T g, T y) const { return y == 0 ? T(0) : g / (2 * y); }
};
template <class T> struct Square {
  T operator()(T x) const { return x * x; }
};
template <class T> struct SquareGradient {
  T operator()(T x, T g) const { return 2 * x * g; }
};

template <class T> struct Product {  // with RReLU's slopes
  T operator()(T x, T y) const { return x * y; }
};
template <class T> struct Slope {  // where the input is positive, 1
  T operator()(T x, T drawn) const { return x <= 0 ? drawn : T(1); }
};

#define TABLE(name, Shape, Functor) constexpr KernelTable name = makeTable(FloatingDtypes{}, Shape<Functor>{});
TABLE(sigmoidGradient, Binary, SigmoidGradient)
TABLE(tanhGradient, Binary, TanhGradient)
TABLE(threshold, Unary, Threshold)
TABLE(thresholdGradient, Binary, ThresholdGradient)
TABLE(hardTanh, Unary, HardTanh)
TABLE(hardTanhGradient, Binary, HardTanhGradient)
TABLE(leakyReLU, Unary, LeakyReLU)
TABLE(leakyReLUGradient, Binary, LeakyReLUGradient)
TABLE(hardShrink, Unary, HardShrink)
TABLE(softShrink, Unary, SoftShrink)
TABLE(shrinkGradient, Binary, ShrinkGradient)
TABLE(hardSigmoid, Unary, HardSigmoid)
TABLE(hardSigmoidGradient, Binary, HardSigmoidGradient)
TABLE(hardSwish, Unary, HardSwish)
TABLE(hardSwishGradient, Binary, HardSwishGradient)
TABLE(abs, Unary, Abs)
TABLE(absGradient, Binary, AbsGradient)
TABLE(sqrt, Unary, Sqrt)
TABLE(sqrtGradient, Binary, SqrtGradient)
TABLE(square, Unary, Square)
TABLE(squareGradient, Binary, SquareGradient)
TABLE(product, Binary, Product)
TABLE(slope, Binary, Slope)
#undef TABLE

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "activation.hpp"

namespace thnn {
namespace {

using Function = void (*)(THTensor *, const THTensor *);
void unary(Function function, THDtype dtype, THTensor *output, const THTensor *input) {
  checkOutput(dtype, input, output);
  function(output, input);
}

// Rounded to T, as the input's elements are.
template <class T>
double rounded(double x) {
  return double(Compute<T>(T(Compute<T>(x))));
}

// A Mersenne Twister, which draws one number after the other, gives numbers only to where there is a slope.
template <class T>
void slopesInTurn(THTensor *noise, THTensor *input, THGenerator *generator, double lower, double upper) {
  const th::Ref x(THTensor_newContiguous(input));
  const T *const at = th::elements<T>(x);
  const auto slopes = [&](int64_t i) { return th::Compute<T>(at[i]) <= 0; };
  int64_t n = 0;
  for (int64_t i = 0; i < input->numel; i++) n += slopes(i);
  const th::Ref drawn(THTensor_newWithSize(TH_Double, 1, &n));
  THDoubleTensor_uniform(drawn, generator, rounded<T>(lower), rounded<T>(upper));
  const double *next = th::elements<double>(drawn);
  th::ContiguousResult result(noise);
  T *const out = result.data<T>();
  for (int64_t i = 0; i < input->numel; i++) out[i] = slopes(i) ? T(th::Compute<T>(*next++)) : T(th::Compute<T>(1));
  result.finish();
}

template <class T>
void rrelu(THTensor *input, THTensor *output, THTensor *noise, double lower, double upper, bool train, bool inplace,
           THGenerator *generator, void (*uniform)(THTensor *, THGenerator *, double, double)) {
  constexpr THDtype dtype = DtypeOf<T>::value;
  if (!train) return activate<T>(TH_BEST_TARGET(leakyReLU), input, output, inplace, {(lower + upper) / 2});
  THResult slopes;
  THNNPrepare_RReLU_noise(&slopes, dtype, input, output, noise, inplace);
  resizeResults(&slopes);
  if (!hasMemory(noise)) return resizeTo(output, input->ndim, input->size, nullptr);
  if (THGenerator_kind(generator) == TH_MT19937)
    slopesInTurn<T>(noise, input, generator, lower, upper);
  else
    uniform(noise, generator, lower, upper);
  pointwise(TH_BEST_TARGET(slope), dtype, nullptr, noise, {input, noise});
  pointwise(TH_BEST_TARGET(product), dtype, nullptr, inplace ? input : output, {input, noise});
  if (inplace) shareMemory(output, input);
}

template <class T>
void rreluBackward(const THTensor *input, THTensor *gradOutput, THTensor *gradInput, const THTensor *noise,
                   double lower, double upper, bool train, bool inplace) {
  if (!train)
    return activateBackward<T>(TH_BEST_TARGET(leakyReLUGradient), input, gradOutput, gradInput, inplace,
                               {(lower + upper) / 2});
  activateBackward<T>(TH_BEST_TARGET(product), noise, gradOutput, gradInput, inplace, {});
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
#undef UNARY

// Where the output is what the gradient needs
#define BY_OUTPUT(Name, table)                                                                       \
  THNN_DEFINE(Name##_updateGradInput, floating,                                                      \
              (THNNState *, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output), \
              thnn::activateBackwardByOutput<T>(TH_BEST_TARGET(table), gradOutput, gradInput, output))
BY_OUTPUT(Sigmoid, sigmoidGradient)
BY_OUTPUT(Tanh, tanhGradient)
BY_OUTPUT(Sqrt, sqrtGradient)
#undef BY_OUTPUT

THNN_FORWARD_INPLACE(Threshold, threshold, (double threshold, double value), thnn::rounded<T>(threshold),
                     thnn::rounded<T>(value))
THNN_DEFINE(Threshold_updateGradInput, floating,
            (THNNState *, const THTensor *input, THTensor *gradOutput, THTensor *gradInput, double threshold, double,
             bool inplace),
            thnn::activateBackward<T>(TH_BEST_TARGET(thresholdGradient), input, gradOutput, gradInput, inplace,
                                      {thnn::rounded<T>(threshold)}))
THNN_FORWARD_INPLACE(HardTanh, hardTanh, (double min_val, double max_val), thnn::rounded<T>(min_val),
                     thnn::rounded<T>(max_val))
THNN_BACKWARD_INPLACE(HardTanh, hardTanhGradient, (double min_val, double max_val), thnn::rounded<T>(min_val),
                      thnn::rounded<T>(max_val))
THNN_FORWARD_INPLACE(LeakyReLU, leakyReLU, (double negval), negval)
THNN_BACKWARD_INPLACE(LeakyReLU, leakyReLUGradient, (double negval), negval)
THNN_FORWARD(HardShrink, hardShrink, (double lambda), thnn::rounded<T>(lambda))
THNN_BACKWARD(HardShrink, shrinkGradient, (double lambda), thnn::rounded<T>(lambda))
THNN_FORWARD(SoftShrink, softShrink, (double lambda), thnn::rounded<T>(lambda))
THNN_BACKWARD(SoftShrink, shrinkGradient, (double lambda), thnn::rounded<T>(lambda))
THNN_FORWARD(HardSigmoid, hardSigmoid, ())
THNN_BACKWARD(HardSigmoid, hardSigmoidGradient, ())
THNN_FORWARD(HardSwish, hardSwish, ())
THNN_BACKWARD(HardSwish, hardSwishGradient, ())
THNN_FORWARD(Abs, abs, ())
THNN_BACKWARD(Abs, absGradient, ())
THNN_FORWARD(Sqrt, sqrt, ())
THNN_FORWARD(Square, square, ())
THNN_BACKWARD(Square, squareGradient, ())

#define RRELU(Name, op)                                                                                               \
  void THNN_##Name##RReLU_updateOutput(THNNState *, THTensor *input, THTensor *output, THTensor *noise, double lower, \
                                       double upper, bool train, bool inplace, THGenerator *generator) {              \
    thnn::rrelu<th::Element<TH_##Name>>(input, output, noise, lower, upper, train, inplace, generator,                \
                                        TH##Name##Tensor_uniform);                                                    \
  }
TH_FOR_floating(RRELU, )
#undef RRELU
THNN_DEFINE(RReLU_updateGradInput, floating,
            (THNNState *, const THTensor *input, THTensor *gradOutput, THTensor *gradInput, const THTensor *noise,
             double lower, double upper, bool train, bool inplace),
            thnn::rreluBackward<T>(input, gradOutput, gradInput, noise, lower, upper, train, inplace))

#endif
