// Elementary functions, by Highway's vector mathematics.
//
// Each function names the interval in which the vector code is right (to 4 units in the last
// place); elements outside of it, and NaN, are computed one by one by the C library. Every element
// goes the same way wherever it stands: the end of a run is padded to a full vector, not left to
// other code, so results do not depend on how a tensor is cut into runs.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elementwise/elementary.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <initializer_list>
#include <limits>
#include "kit/convert.hpp"
#include "kit/floats.hpp"
#include "kit/kernel.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class T> constexpr size_t kMaxLanes = HWY_MAX_BYTES / sizeof(T);
template <class T> constexpr T kInf = std::numeric_limits<T>::infinity();
template <class T> constexpr T kMax = std::numeric_limits<T>::max();
template <class T> constexpr T kTiny = std::numeric_limits<T>::denorm_min();
template <class T> constexpr T kExpMax = sizeof(T) == 4 ? T(88.7) : T(706);  // e^x overflows soon after

// Name, expression of a vector x (lanes described by d), expression of one x, lowest and highest
// x for the vector code.
#define TH_ELEMENTARY(Name, vector, one, low, high)                           \
  template <class T>                                                          \
  struct Name {                                                               \
    static constexpr T kLow = low, kHigh = high;                              \
    template <class D, class V> static HWY_INLINE V lanes(D d, V x) { return vector; } \
    static T single(T x) { return one; }                                      \
  };
TH_ELEMENTARY(Exp, hn::Exp(d, x), std::exp(x), -kInf<T>, kExpMax<T>)
// Highway's of -0 is 0, as is its sine.
TH_ELEMENTARY(Expm1, hn::CopySign(hn::Expm1(d, x), x), std::expm1(x), -kInf<T>, kExpMax<T>)
TH_ELEMENTARY(Log, hn::Log(d, x), std::log(x), kTiny<T>, kMax<T>)
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
  return hn::Mul(hn::Exp(d, hn::Mul(hn::Sub(x, n), hn::Set(d, T(0.693147180559945309417)))), hn::BitCast(d, power));
}
TH_ELEMENTARY(Exp2, exp2Lanes(d, x), std::exp2(x), sizeof(T) == 4 ? T(-126) : T(-1022),
              sizeof(T) == 4 ? T(127.4) : T(1023.4))

template <class D, class V>
HWY_INLINE V coshLanes(D d, V x) {
  const auto half = hn::Set(d, hn::TFromD<D>(0.5)), e = hn::Exp(d, hn::Abs(x));
  return hn::MulAdd(half, e, hn::Div(half, e));
}
TH_ELEMENTARY(Cosh, coshLanes(d, x), std::cosh(x), T(-88), T(88))

template <class D, class V>
HWY_INLINE V sigmoidLanes(D d, V x) {
  const auto one = hn::Set(d, hn::TFromD<D>(1));
  return hn::Div(one, hn::Add(one, hn::Exp(d, hn::Neg(x))));
}
TH_ELEMENTARY(Sigmoid, sigmoidLanes(d, x), x < 0 ? std::exp(x) / (1 + std::exp(x)) : 1 / (1 + std::exp(-x)),
              -kExpMax<T>, kInf<T>)
// In float only. Up to 1: x + x q(x^2); beyond: 1 - e^p(|x|), where p approximates the logarithm of
// 1 - erf, which is smooth; from 4 on nothing is left of it. Both by interpolation at Chebyshev's
// nodes; errors stay below 2 units in the last place.
template <class D, class V>
HWY_INLINE V polynomial(D d, V x, std::initializer_list<float> highestFirst) {
  auto r = hn::Zero(d);
  for (float c : highestFirst) r = hn::MulAdd(r, x, hn::Set(d, c));
  return r;
}
template <class D, class V>
HWY_INLINE V erfLanes(D d, V x) {
  const auto a = hn::Abs(x), one = hn::Set(d, 1.0f);
  const auto q = polynomial(d, hn::Mul(x, x),
                            {-9.667044571e-06f, 1.126595903e-04f, -8.484080405e-04f, 5.221031808e-03f,
                             -2.686543073e-02f, 1.128378250e-01f, -3.761263847e-01f, 1.283791671e-01f});
  const auto p = polynomial(
      d, a,
      {-7.582681970e-08f, 3.321684591e-06f, -6.229835325e-05f, 6.858366831e-04f, -5.064946920e-03f, 2.709952329e-02f,
       -1.110550174e-01f, -6.309530298e-01f, -1.130675144e+00f, 4.163292177e-04f});
  const auto large = hn::IfThenElse(hn::Gt(a, hn::Set(d, 4.0f)), one, hn::Sub(one, hn::Exp(d, p)));
  return hn::IfThenElse(hn::Lt(a, one), hn::MulAdd(x, q, x), hn::CopySign(large, x));
}
TH_ELEMENTARY(ErrorFunction, erfLanes(d, x), std::erf(x), -kInf<T>, kInf<T>)
#undef TH_ELEMENTARY

// One vector's worth.
template <class Fn, class T>
HWY_INLINE void evaluate(T *r, const T *a) {
  const hn::ScalableTag<T> d;
  const auto x = hn::LoadU(d, a);
  const auto inside = hn::And(hn::Ge(x, hn::Set(d, Fn::kLow)), hn::Le(x, hn::Set(d, Fn::kHigh)));
  const auto y = Fn::lanes(d, x);
  if (HWY_LIKELY(hn::AllTrue(d, inside))) return hn::StoreU(y, d, r);
  T xs[kMaxLanes<T>], ys[kMaxLanes<T>];
  hn::StoreU(x, d, xs);
  hn::StoreU(y, d, ys);
  for (size_t i = 0; i < hn::Lanes(d); i++) r[i] = xs[i] >= Fn::kLow && xs[i] <= Fn::kHigh ? ys[i] : Fn::single(xs[i]);
}

// The end of a run is a run of one vector: the function is compiled once.
template <class Fn, class T>
HWY_NOINLINE void contiguous(T *r, const T *a, int64_t n) {
  const int64_t lanes = int64_t(hn::Lanes(hn::ScalableTag<T>()));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) evaluate<Fn>(r + i, a + i);
  if (i == n) return;
  T padded[kMaxLanes<T>];
  std::fill_n(padded, kMaxLanes<T>, a[i]);
  std::memcpy(padded, a + i, size_t(n - i) * sizeof(T));
  contiguous<Fn>(padded, padded, lanes);
  std::memcpy(r + i, padded, size_t(n - i) * sizeof(T));
}

template <class Fn, class T>
void elementaryLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  if (strides[0] == sizeof(T) && strides[1] == sizeof(T))
    return contiguous<Fn>(reinterpret_cast<T *>(data[0]), reinterpret_cast<const T *>(data[1]), n);
  T block[kBlock];
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t m = n - i < kBlock ? n - i : kBlock;
    gather(block, data[1] + i * strides[1], strides[1], m, sizeof(T));
    contiguous<Fn>(block, block, m);
    scatter(data[0] + i * strides[0], strides[0], block, m, sizeof(T));
  }
}

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
constexpr KernelTable tanh = makeTable(FloatingDtypes{}, Elementary<Tanh>{});
constexpr KernelTable sigmoid = makeTable(FloatingDtypes{}, Elementary<Sigmoid>{});

constexpr Kernel erfInFloat = {elementaryLoop<ErrorFunction<float>, float>, TH_Float, TH_Float};

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
const KernelTable &tangent() {
  static const KernelTable table = withDouble(kernelOfFloats(FloatFunction::tangent),
                                              kernelOfDoubles(DoubleFunction::tangent));
  return table;
}
const KernelTable &errorFunction() {
  static const KernelTable table = withDouble(TH_BEST_TARGET(erfInFloat), kernelOfDoubles(DoubleFunction::erf));
  return table;
}

}  // namespace
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
ELEMENTARY(tanh)
ELEMENTARY(sigmoid)
TH_DEFINE(tan, floating, UNARY, pointwise(th::tangent(), dtype, nullptr, r, {t}))
TH_DEFINE(erf, floating, UNARY, pointwise(th::errorFunction(), dtype, nullptr, r, {t}))

#endif
