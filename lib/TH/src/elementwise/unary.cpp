// Functions of one element that are a few instructions: signs, rounding, roots, powers that are products.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elementwise/unary.cpp"
#include <hwy/foreach_target.h>
#include "kit/loops-inl.hpp"

#include <bit>
#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T> struct Negate {
  T operator()(T a) const { return T(-a); }
};
template <class T> struct Absolute {
  T operator()(T a) const { return std::fabs(a); }
};
template <std::integral T> struct Absolute<T> {
  T operator()(T a) const { return a < 0 ? T(-std::make_unsigned_t<T>(a)) : a; }
};
template <class T> struct Sign {
  T operator()(T a) const { return T((a > 0) - (a < 0)); }
};
template <class T> struct Square {
  T operator()(T a) const { return T(a * a); }
};
template <> struct Square<uint16_t> {
  uint16_t operator()(uint32_t a) const { return uint16_t(a * a); }
};

template <class T> struct Root {
  T operator()(T a) const { return std::sqrt(a); }
};
template <class T> struct InverseRoot {
  T operator()(T a) const { return T(1) / std::sqrt(a); }
};
template <class T> struct Inverse {
  T operator()(T a) const { return T(1) / a; }
};
template <class T> struct InverseSquare {
  T operator()(T a) const { return T(1) / (a * a); }
};
template <class T> struct Cube {
  T operator()(T a) const { return a * a * a; }
};
template <class T> struct Floor {
  T operator()(T a) const { return std::floor(a); }
};
template <class T> struct Ceil {
  T operator()(T a) const { return std::ceil(a); }
};
template <class T> struct Round {
  T operator()(T a) const { return std::rint(a); }
};
template <class T> struct Truncate {
  T operator()(T a) const { return std::trunc(a); }
};
template <class T> struct Fraction {
  T operator()(T a) const { return a - std::trunc(a); }
};

template <class T> struct IsNan {
  bool operator()(T a) const { return a != a; }
};
template <class T> struct IsInf {
  bool operator()(T a) const { return std::fabs(a) == std::numeric_limits<T>::infinity(); }
};

// A number as m 2^e with m from 1/2 to 1: both by its bits. Subnormal ones are made normal first.
template <class T> struct Parts {
  using Bits = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
  static constexpr int digits = std::numeric_limits<T>::digits, bias = std::numeric_limits<T>::max_exponent - 2;
  static constexpr Bits mask = Bits(2 * bias + 3) << (digits - 1);  // where the exponent stands
  static constexpr T upscale = T(Bits(1) << digits);
  Bits bits;
  int32_t exponent;
  bool plain;  // 0, infinite or NaN
  explicit Parts(T a) {
    const bool small = std::fabs(a) < std::numeric_limits<T>::min();
    bits = std::bit_cast<Bits>(small ? a * upscale : a);
    exponent = int32_t((bits & mask) >> (digits - 1)) - bias - (small ? digits : 0);
    plain = (a == 0) | !(std::fabs(a) <= std::numeric_limits<T>::max());
  }
};
template <class T> struct Significand {
  T operator()(T a) const {
    using P = Parts<T>;
    const P p(a);
    const typename P::Bits half = (p.bits & ~P::mask) | typename P::Bits(P::bias) << (P::digits - 1);
    return p.plain ? a : std::bit_cast<T>(half);
  }
};
template <class T> struct Exponent {
  int32_t operator()(T a) const {
    const Parts<T> p(a);
    return p.plain ? 0 : p.exponent;
  }
};
struct ExponentKernel {
  template <THDtype d> constexpr Kernel operator()() const {
    using T = Element<native(d)>;
    return {unaryLoop<Exponent<T>, int32_t, T>, native(d), TH_Int};
  }
};

constexpr KernelTable significand = makeTable(FloatingDtypes{}, Unary<Significand>{});
constexpr KernelTable exponent = makeTable(FloatingDtypes{}, ExponentKernel{});
constexpr KernelTable negate = makeTable(NumberDtypes{}, Unary<Negate>{});
constexpr KernelTable absolute = makeTable(NumberDtypes{}, Unary<Absolute, native, LoopType>{});
constexpr KernelTable sign = makeTable(AllDtypes{}, Unary<Sign, native, LoopType>{});
constexpr KernelTable square = makeTable(NumberDtypes{}, Unary<Square>{});
constexpr KernelTable root = makeTable(FloatingDtypes{}, Unary<Root>{});
constexpr KernelTable inverseRoot = makeTable(FloatingDtypes{}, Unary<InverseRoot>{});
constexpr KernelTable inverse = makeTable(FloatingDtypes{}, Unary<Inverse>{});
constexpr KernelTable inverseSquare = makeTable(FloatingDtypes{}, Unary<InverseSquare>{});
constexpr KernelTable cube = makeTable(FloatingDtypes{}, Unary<Cube>{});
constexpr KernelTable floor = makeTable(FloatingDtypes{}, Unary<Floor>{});
constexpr KernelTable ceil = makeTable(FloatingDtypes{}, Unary<Ceil>{});
constexpr KernelTable round = makeTable(FloatingDtypes{}, Unary<Round>{});
constexpr KernelTable truncate = makeTable(FloatingDtypes{}, Unary<Truncate>{});
constexpr KernelTable fraction = makeTable(FloatingDtypes{}, Unary<Fraction>{});
constexpr KernelTable isNan = makeTable(FloatingDtypes{}, UnaryTest<IsNan>{});
constexpr KernelTable isInf = makeTable(FloatingDtypes{}, UnaryTest<IsInf>{});

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THTensorMath.h>
#include <TH/THTensorSpecial.h>
#include "power.hpp"
#include "kit/result.hpp"

const th::KernelTable *th::powerKernel(double exponent) {
  return exponent == 2      ? &TH_BEST_TARGET(square)
         : exponent == 3    ? &TH_BEST_TARGET(cube)
         : exponent == 0.5  ? &TH_BEST_TARGET(root)
         : exponent == -0.5 ? &TH_BEST_TARGET(inverseRoot)
         : exponent == -1   ? &TH_BEST_TARGET(inverse)
         : exponent == -2   ? &TH_BEST_TARGET(inverseSquare)
                            : nullptr;
}

using th::pointwise;

#define UNARY (THTensor *r, const THTensor *t)
TH_DEFINE(neg, number, UNARY, pointwise(TH_BEST_TARGET(negate), dtype, nullptr, r, {t}))
TH_DEFINE(abs, number, UNARY, pointwise(TH_BEST_TARGET(absolute), dtype, nullptr, r, {t}))
TH_DEFINE(sign, all, UNARY, pointwise(TH_BEST_TARGET(sign), dtype, nullptr, r, {t}))
TH_DEFINE(square, number, UNARY, pointwise(TH_BEST_TARGET(square), dtype, nullptr, r, {t}))
TH_DEFINE(sqrt, floating, UNARY, pointwise(TH_BEST_TARGET(root), dtype, nullptr, r, {t}))
TH_DEFINE(rsqrt, floating, UNARY, pointwise(TH_BEST_TARGET(inverseRoot), dtype, nullptr, r, {t}))
TH_DEFINE(cinv, floating, UNARY, pointwise(TH_BEST_TARGET(inverse), dtype, nullptr, r, {t}))
TH_DEFINE(floor, floating, UNARY, pointwise(TH_BEST_TARGET(floor), dtype, nullptr, r, {t}))
TH_DEFINE(ceil, floating, UNARY, pointwise(TH_BEST_TARGET(ceil), dtype, nullptr, r, {t}))
TH_DEFINE(round, floating, UNARY, pointwise(TH_BEST_TARGET(round), dtype, nullptr, r, {t}))
TH_DEFINE(trunc, floating, UNARY, pointwise(TH_BEST_TARGET(truncate), dtype, nullptr, r, {t}))
TH_DEFINE(frac, floating, UNARY, pointwise(TH_BEST_TARGET(fraction), dtype, nullptr, r, {t}))
TH_DEFINE(isnan, floating, UNARY, pointwise(TH_BEST_TARGET(isNan), dtype, nullptr, r, {t}))
TH_DEFINE(frexp, floating, (THTensor *mantissa, THTensor *exponent, const THTensor *t), {
  th::requireDtype(exponent, TH_Int, "exponent");
  pointwise(TH_BEST_TARGET(exponent), dtype, nullptr, exponent, {t});  // first, because mantissa may be t
  pointwise(TH_BEST_TARGET(significand), dtype, nullptr, mantissa, {t});
})
TH_DEFINE(isinf, floating, UNARY, pointwise(TH_BEST_TARGET(isInf), dtype, nullptr, r, {t}))

#endif
