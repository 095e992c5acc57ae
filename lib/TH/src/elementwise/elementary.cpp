// Elementary functions: exponentials and the logarithm of floats by elementary-inl.hpp, the others by Highway's vector
// mathematics.
//
// Each function names the interval in which the vector code is right (to 4 units in the last
// place); elements outside of it, and NaN, are computed one by one by the C library.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elementwise/elementary.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>

#include <cmath>
#include <limits>

#include "elementary-inl.hpp"
#include "kit/floats.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class T> constexpr T kExpMax = sizeof(T) == 4 ? T(88.7) : T(706);  // e^x overflows at 88.73 and 709.79

// Highway's logarithm takes subnormal numbers, too.
template <class T> constexpr T kLogLow = sizeof(T) == 4 ? kLeast<T> : kTiny<T>;
template <class D, class V>
HWY_INLINE V logLanes(D d, V x) {
  if constexpr (sizeof(hn::TFromD<D>) == 4)
    return logOf(d, x);
  else
    return hn::Log(d, x);
}

// Name, expression of a vector x (lanes described by d), expression of one x, lowest and highest
// x for the vector code.
#define TH_ELEMENTARY(Name, vector, one, low, high)                           \
  template <class T>                                                          \
  struct Name {                                                               \
    static constexpr T kLow = low, kHigh = high;                              \
    template <class D, class V> static HWY_INLINE V lanes(D d, V x) { return vector; } \
    static T single(T x) { return one; }                                      \
  };
TH_ELEMENTARY(Exp, expOf(d, x), std::exp(x), -kInf<T>, kExpMax<T>)
// Highway's of -0 is 0, as is its sine.
TH_ELEMENTARY(Expm1, hn::CopySign(hn::Expm1(d, x), x), std::expm1(x), -kInf<T>, kExpMax<T>)
TH_ELEMENTARY(Log, logLanes(d, x), std::log(x), kLogLow<T>, kMax<T>)
// Of the odds x / (1 - x), rounded in between as in torch.
TH_ELEMENTARY(Logit, logLanes(d, hn::Div(x, hn::Sub(hn::Set(d, T(1)), x))), std::log(x / (1 - x)), kLeast<T>,
              1 - std::numeric_limits<T>::epsilon() / 2)
TH_ELEMENTARY(Log1p, hn::Log1p(d, x), std::log1p(x), T(-0.999), T(1e30))
TH_ELEMENTARY(Log2, hn::Log2(d, x), std::log2(x), kTiny<T>, kMax<T>)
TH_ELEMENTARY(Log10, hn::Log10(d, x), std::log10(x), kTiny<T>, kMax<T>)
TH_ELEMENTARY(Sin, hn::IfThenElse(hn::Eq(x, hn::Zero(d)), x, hn::Sin(d, x)), std::sin(x), T(-39000), T(39000))
// Highway's cosine of 0 is off by one unit in double.
TH_ELEMENTARY(Cos, hn::IfThenElse(hn::Lt(hn::Abs(x), hn::Set(d, T(1e-9))), hn::Set(d, T(1)), hn::Cos(d, x)),
              std::cos(x), T(-39000), T(39000))
TH_ELEMENTARY(Asin, hn::Asin(d, x), std::asin(x), T(-1), T(1))
TH_ELEMENTARY(Acos, hn::Acos(d, x), std::acos(x), T(-1), T(1))
TH_ELEMENTARY(Atan, hn::Atan(d, x), std::atan(x), -kMax<T>, kMax<T>)
TH_ELEMENTARY(Sinh, hn::Sinh(d, x), std::sinh(x), T(-88), T(88))
TH_ELEMENTARY(Asinh, hn::Asinh(d, x), std::asinh(x), T(-1e15), T(1e15))
TH_ELEMENTARY(Acosh, hn::Acosh(d, x), std::acosh(x), T(1), T(1e15))
TH_ELEMENTARY(Atanh, hn::Atanh(d, x), std::atanh(x), T(-0.999), T(0.999))
TH_ELEMENTARY(Tanh, hn::Tanh(d, x), std::tanh(x), -kMax<T>, kMax<T>)

// x = n + f: 2^x = e^(f ln 2) * 2^n, the second by its bits. (Highway's own Exp2 is younger than Debian 12's.)
template <class D, class V>
HWY_INLINE V exp2Lanes(D d, V x) {
  using T = hn::TFromD<D>;
  const hn::RebindToSigned<D> integers;
  constexpr int kMantissa = sizeof(T) == 4 ? 23 : 52;
  const auto bias = hn::Set(integers, hn::TFromD<decltype(integers)>(sizeof(T) == 4 ? 127 : 1023));
  const auto n = hn::Round(x);
  const auto power = hn::ShiftLeft<kMantissa>(hn::Add(hn::ConvertTo(integers, n), bias));
  return hn::Mul(expOf(d, hn::Mul(hn::Sub(x, n), hn::Set(d, T(0.693147180559945309417)))), hn::BitCast(d, power));
}
TH_ELEMENTARY(Exp2, exp2Lanes(d, x), std::exp2(x), sizeof(T) == 4 ? T(-126) : T(-1022),
              sizeof(T) == 4 ? T(127.4) : T(1023.4))

template <class D, class V>
HWY_INLINE V coshLanes(D d, V x) {
  const auto half = hn::Set(d, hn::TFromD<D>(0.5)), e = expOf(d, hn::Abs(x));
  return hn::MulAdd(half, e, hn::Div(half, e));
}
TH_ELEMENTARY(Cosh, coshLanes(d, x), std::cosh(x), T(-88), T(88))

template <class D, class V>
HWY_INLINE V sigmoidLanes(D d, V x) {
  const auto one = hn::Set(d, hn::TFromD<D>(1));
  return hn::Div(one, hn::Add(one, expOf(d, hn::Neg(x))));
}
TH_ELEMENTARY(Sigmoid, sigmoidLanes(d, x), x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)),
              -kExpMax<T>, kInf<T>)
#undef TH_ELEMENTARY

template <template <class> class Fn>
struct Elementary {
  template <THDtype d> constexpr Kernel operator()() const {
    constexpr THDtype c = native(d);
    return {elementaryLoop<Fn<Element<c>>, Element<c>>, c, c};
  }
};

constexpr KernelTable exp = makeTable(FloatingDtypes{}, Elementary<Exp>{});
constexpr KernelTable expm1 = makeTable(FloatingDtypes{}, Elementary<Expm1>{});
constexpr KernelTable log = makeTable(FloatingDtypes{}, Elementary<Log>{});
constexpr KernelTable log1p = makeTable(FloatingDtypes{}, Elementary<Log1p>{});
constexpr KernelTable log2 = makeTable(FloatingDtypes{}, Elementary<Log2>{});
constexpr KernelTable log10 = makeTable(FloatingDtypes{}, Elementary<Log10>{});
constexpr KernelTable sin = makeTable(FloatingDtypes{}, Elementary<Sin>{});
constexpr KernelTable cos = makeTable(FloatingDtypes{}, Elementary<Cos>{});
constexpr KernelTable asin = makeTable(FloatingDtypes{}, Elementary<Asin>{});
constexpr KernelTable acos = makeTable(FloatingDtypes{}, Elementary<Acos>{});
constexpr KernelTable atan = makeTable(FloatingDtypes{}, Elementary<Atan>{});
constexpr KernelTable sinh = makeTable(FloatingDtypes{}, Elementary<Sinh>{});
constexpr KernelTable cosh = makeTable(FloatingDtypes{}, Elementary<Cosh>{});
constexpr KernelTable exp2 = makeTable(FloatingDtypes{}, Elementary<Exp2>{});
constexpr KernelTable asinh = makeTable(FloatingDtypes{}, Elementary<Asinh>{});
constexpr KernelTable acosh = makeTable(FloatingDtypes{}, Elementary<Acosh>{});
constexpr KernelTable atanh = makeTable(FloatingDtypes{}, Elementary<Atanh>{});
constexpr KernelTable sigmoid = makeTable(FloatingDtypes{}, Elementary<Sigmoid>{});

constexpr KernelTable logit = makeTable(Dtypes<TH_Float, TH_Double>{}, Elementary<Logit>{});
constexpr Kernel tanhInDouble = inDouble<Tanh<double>>;

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THTensorMath.h>
#include <TH/THTensorSpecial.h>

namespace th {
namespace {

// One kernel for float and the half types, another for double.
KernelTable withDouble(const Kernel &others, const Kernel &twofold) {
  KernelTable table{};
  table.of[TH_Half] = table.of[TH_BFloat16] = table.of[TH_Float] = others;
  table.of[TH_Double] = twofold;
  return table;
}
KernelTable ofPieces(PiecewiseFunction function, const Kernel &twofold) {
  return withDouble(kernelOfPieces(function), twofold);
}
const KernelTable &tangent() {
  static const KernelTable table = ofPieces(PiecewiseFunction::tangent, kernelOfDoubles(DoubleFunction::tangent));
  return table;
}
const KernelTable &errorFunction() {
  static const KernelTable table = ofPieces(PiecewiseFunction::erf, kernelOfPieces(PiecewiseFunction::erfOfDoubles));
  return table;
}
const KernelTable &hyperbolicTangent() {
  static const KernelTable table = ofPieces(PiecewiseFunction::hyperbolicTangent, TH_BEST_TARGET(tanhInDouble));
  return table;
}

}  // namespace

const KernelTable &logitKernels() { return TH_BEST_TARGET(logit); }

}  // namespace th

using th::pointwise;

#define UNARY (THTensor *r, const THTensor *t)
#define ELEMENTARY(op) TH_DEFINE(op, floating, UNARY, pointwise(TH_BEST_TARGET(op), dtype, nullptr, r, {t}))
ELEMENTARY(exp)
ELEMENTARY(expm1)
ELEMENTARY(log)
ELEMENTARY(log1p)
ELEMENTARY(log2)
ELEMENTARY(log10)
ELEMENTARY(sin)
ELEMENTARY(cos)
ELEMENTARY(asin)
ELEMENTARY(acos)
ELEMENTARY(atan)
ELEMENTARY(sinh)
ELEMENTARY(cosh)
ELEMENTARY(exp2)
ELEMENTARY(asinh)
ELEMENTARY(acosh)
ELEMENTARY(atanh)
ELEMENTARY(sigmoid)
TH_DEFINE(tan, floating, UNARY, pointwise(th::tangent(), dtype, nullptr, r, {t}))
TH_DEFINE(tanh, floating, UNARY, pointwise(th::hyperbolicTangent(), dtype, nullptr, r, {t}))
TH_DEFINE(erf, floating, UNARY, pointwise(th::errorFunction(), dtype, nullptr, r, {t}))

#endif
