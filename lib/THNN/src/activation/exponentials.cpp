// Activations of exponentials: ELU, GatedLinear, GELU, LogSigmoid, Mish, SiLU, SoftPlus.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "activation/exponentials.cpp"
#include <hwy/foreach_target.h>
#include "kit/lanes-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

#define LANES template <class D, class V> HWY_INLINE V operator()

// `low` is alpha times scale, `high` scale.
template <class T> struct ELU {
  T low, high, inner;
  LANES(D d, V x) const {
    const V below = hn::Mul(negativeExpm1(d, hn::Mul(x, hn::Set(d, inner))), hn::Set(d, low));
    return hn::IfThenElse(hn::Le(x, hn::Zero(d)), below, hn::Mul(x, hn::Set(d, high)));
  }
};
template <class T> struct ELUGradient {  // by the input
  T low, high, inner;
  LANES(D d, V g, V x) const {
    const V slope = hn::Mul(decayOf(d, hn::Mul(x, hn::Set(d, inner))), hn::Set(d, low * inner));
    return hn::Mul(g, hn::IfThenElse(hn::Le(x, hn::Zero(d)), slope, hn::Set(d, high)));
  }
};
template <class T> struct ELUGradientOfOutput {
  T low, high, inner;
  LANES(D d, V g, V y) const {
    const V slope = hn::Mul(hn::Add(y, hn::Set(d, low)), hn::Set(d, inner));
    return hn::Mul(g, hn::IfThenElse(hn::Le(y, hn::Zero(d)), slope, hn::Set(d, high)));
  }
};

template <class T> struct SiLU {
  LANES(D d, V x) const { return hn::Mul(x, sigmoidOf(d, x).value); }
};
template <class T> struct SiLUGradient {
  LANES(D d, V x, V g) const {
    const auto share = sigmoidOf(d, x);
    return hn::Mul(g, hn::Mul(share.value, hn::MulAdd(x, share.rest, set(d, 1))));
  }
};

// tanh(log(1 + e^x)) = part / whole and 1 less that; with z = e^-|x| no power overflows.
template <class D, class V>
HWY_INLINE Shares<V> mishFactor(D d, V x, V z) {
  const V one = set(d, 1), two = set(d, 2);
  const auto negative = hn::Lt(x, hn::Zero(d));
  const V part = hn::IfThenElse(negative, hn::Mul(z, hn::Add(z, two)), hn::MulAdd(two, z, one));
  const V other = hn::IfThenElse(negative, two, hn::Mul(two, hn::Mul(z, z)));
  const V inverse = hn::Div(one, hn::Add(part, other));
  return {hn::Mul(part, inverse), hn::Mul(other, inverse)};
}
template <class T> struct Mish {
  LANES(D d, V x) const { return hn::Mul(x, mishFactor(d, x, decayOf(d, x)).value); }
};
template <class T> struct MishGradient {
  LANES(D d, V x, V g) const {
    const V z = decayOf(d, x), one = set(d, 1);
    const auto factor = mishFactor(d, x, z);
    const V larger = hn::Div(one, hn::Add(one, z));
    const V share = hn::IfThenElse(hn::Lt(x, hn::Zero(d)), hn::Mul(z, larger), larger);
    const V slope = hn::Mul(hn::Mul(factor.rest, hn::Add(one, factor.value)), share);
    return hn::Mul(g, hn::MulAdd(x, slope, factor.value));
  }
};

template <class T> struct SoftPlus {
  T beta, threshold, inverse;
  LANES(D d, V x) const {
    const V scaled = hn::Mul(x, hn::Set(d, beta));
    const V curved = hn::Mul(softPlusOf(d, scaled, decayOf(d, scaled)), hn::Set(d, inverse));
    return hn::IfThenElse(hn::Gt(scaled, hn::Set(d, threshold)), x, curved);
  }
};
template <class T> struct SoftPlusGradient {
  T beta, threshold;
  LANES(D d, V x, V g) const {
    const V scaled = hn::Mul(x, hn::Set(d, beta));
    return hn::IfThenElse(hn::Gt(scaled, hn::Set(d, threshold)), g, hn::Mul(g, sigmoidOf(d, scaled).value));
  }
};

template <class T> struct LogSigmoid {
  LANES(D d, V x) const {
    const V turned = hn::Neg(x);
    return hn::Neg(softPlusOf(d, turned, decayOf(d, x)));
  }
};
template <class T> struct LogSigmoidGradient {
  LANES(D d, V x, V g) const { return hn::Mul(g, sigmoidOf(d, x).rest); }
};

template <class T> struct GELU {
  LANES(D d, V x) const { return hn::Mul(x, normalOf(d, x).area); }
};
template <class T> struct GELUGradient {
  LANES(D d, V x, V g) const {
    const auto normal = normalOf(d, x);
    const V slope = hn::Mul(x, hn::Mul(normal.density, set(d, 0.39894228040143267794)));  // 1 / sqrt(2 pi)
    return hn::Mul(g, hn::Add(normal.area, slope));
  }
};
// (1 + tanh(u)) / 2 = sigmoid(2 u), with u = sqrt(2 / pi) (x + 0.044715 x^3)
constexpr double kTwiceRoot = 1.5957691216057307117, kCubic = 0.044715;
template <class T> struct GELUTanh {
  LANES(D d, V x) const {
    const V u = hn::Mul(hn::MulAdd(hn::Mul(x, x), set(d, kTwiceRoot * kCubic), set(d, kTwiceRoot)), x);
    return hn::Mul(x, sigmoidOf(d, u).value);
  }
};
template <class T> struct GELUTanhGradient {
  LANES(D d, V x, V g) const {
    const V square = hn::Mul(x, x), root = set(d, kTwiceRoot);
    const V u = hn::Mul(hn::MulAdd(square, set(d, kTwiceRoot * kCubic), root), x);
    const auto share = sigmoidOf(d, u);
    const V slope = hn::MulAdd(square, set(d, 3 * kTwiceRoot * kCubic), root);
    const V rest = hn::MulAdd(hn::Mul(x, slope), share.rest, set(d, 1));
    return hn::Mul(g, hn::Mul(share.value, rest));
  }
};

// value times sigmoid(gate), and its gradients for both
template <class T> struct GatedLinear {
  LANES(D d, V value, V gate) const { return hn::Mul(value, sigmoidOf(d, gate).value); }
};
template <class T> struct GateGradient {
  LANES(D d, V value, V gate, V g) const {
    const auto share = sigmoidOf(d, gate);
    return hn::Mul(hn::Mul(g, value), hn::Mul(share.value, share.rest));
  }
};
#undef LANES

#define TABLE(name, Functor, inputs) constexpr KernelTable name = makeTable(FloatingDtypes{}, Map<Functor, inputs>{});
TABLE(elu, ELU, 1)
TABLE(eluGradient, ELUGradient, 2)
TABLE(eluGradientOfOutput, ELUGradientOfOutput, 2)
TABLE(silu, SiLU, 1)
TABLE(siluGradient, SiLUGradient, 2)
TABLE(mish, Mish, 1)
TABLE(mishGradient, MishGradient, 2)
TABLE(softPlus, SoftPlus, 1)
TABLE(softPlusGradient, SoftPlusGradient, 2)
TABLE(logSigmoid, LogSigmoid, 1)
TABLE(logSigmoidGradient, LogSigmoidGradient, 2)
TABLE(gelu, GELU, 1)
TABLE(geluGradient, GELUGradient, 2)
TABLE(geluTanh, GELUTanh, 1)
TABLE(geluTanhGradient, GELUTanhGradient, 2)
TABLE(gatedLinear, GatedLinear, 2)
TABLE(gateGradient, GateGradient, 3)
#undef TABLE

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "activation.hpp"

namespace thnn {
namespace {

// The two halves along a dimension.
struct Halves {
  const Ref first, second;
  Halves(const THTensor *t, int64_t dim) : first(half(t, dim, 0)), second(half(t, dim, 1)) {}
  static THTensor *half(const THTensor *t, int64_t dim, int64_t which) {
    const int d = TH_wrapDim(dim, t->ndim);
    return THTensor_newNarrow(const_cast<THTensor *>(t), d, which * (t->size[d] / 2), t->size[d] / 2);
  }
};

template <class T>
void gate(const THTensor *input, THTensor *output, int64_t dim) {
  THResult result;
  THNNPrepare_GatedLinear_updateOutput(&result, DtypeOf<T>::value, input, output, dim);
  if (!hasMemory(output)) return resizeResults(&result);
  const Halves x(input, dim);
  Output made(&result, 1, {input}, false);
  pointwise(TH_BEST_TARGET(gatedLinear), DtypeOf<T>::value, nullptr, made.tensor(), {x.first, x.second});
  made.finish();
}

template <class T>
void gateBackward(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, int64_t dim) {
  constexpr THDtype dtype = DtypeOf<T>::value;
  THResult result;
  THNNPrepare_GatedLinear_updateGradInput(&result, dtype, input, gradOutput, gradInput, dim);
  if (!hasMemory(gradInput)) return resizeResults(&result);
  const Halves x(input, dim);
  Output made(&result, 1, {input, gradOutput}, false);
  const Halves r(made.tensor(), dim);
  pointwise(TH_BEST_TARGET(gatedLinear), dtype, nullptr, r.first, {gradOutput, x.second});
  pointwise(TH_BEST_TARGET(gateGradient), dtype, nullptr, r.second, {x.first, x.second, gradOutput});
  made.finish();
}

}  // namespace
}  // namespace thnn

THNN_FORWARD_INPLACE(ELU, elu, (double alpha, double scale, double input_scale), alpha *scale, scale, input_scale)
THNN_DEFINE(ELU_updateGradInput, floating,
            (THNNState *, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output, double alpha,
             double scale, double input_scale, bool is_result),
            thnn::activateBackwardByOutput<T>(is_result ? TH_BEST_TARGET(eluGradientOfOutput)
                                                        : TH_BEST_TARGET(eluGradient),
                                              gradOutput, gradInput, output, {alpha * scale, scale, input_scale}))
THNN_FORWARD(SiLU, silu, ())
THNN_BACKWARD(SiLU, siluGradient, ())
THNN_FORWARD(Mish, mish, ())
THNN_BACKWARD(Mish, mishGradient, ())
THNN_FORWARD(SoftPlus, softPlus, (double beta, double threshold), beta, threshold, 1 / beta)
THNN_BACKWARD(SoftPlus, softPlusGradient, (double beta, double threshold), beta, threshold)
THNN_FORWARD(LogSigmoid, logSigmoid, ())
THNN_BACKWARD(LogSigmoid, logSigmoidGradient, ())
THNN_DEFINE(GELU_updateOutput, floating, (THNNState *, const THTensor *input, THTensor *output, bool tanh),
            thnn::activate<T>(tanh ? TH_BEST_TARGET(geluTanh) : TH_BEST_TARGET(gelu), input, output))
THNN_DEFINE(GELU_updateGradInput, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, bool tanh),
            thnn::activateBackward<T>(tanh ? TH_BEST_TARGET(geluTanhGradient) : TH_BEST_TARGET(geluGradient), input,
                                      gradOutput, gradInput))
THNN_DEFINE(GatedLinear_updateOutput, floating, (THNNState *, const THTensor *input, THTensor *output, int64_t dim),
            thnn::gate<T>(input, output, dim))
THNN_DEFINE(GatedLinear_updateGradInput, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, int64_t dim),
            thnn::gateBackward<T>(input, gradOutput, gradInput, dim))

#endif
