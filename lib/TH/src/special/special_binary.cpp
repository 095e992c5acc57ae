// Further functions of two operands, and some of one with parameters. Those that are a few instructions are
// vectorised.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "special/special_binary.cpp"
#include <hwy/foreach_target.h>
#include "kit/loops-inl.hpp"

#include <bit>
#include <cmath>
#include <limits>

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T> struct CopySign {
  T operator()(T a, T b) const { return std::copysign(a, b); }
};
// In double nothing of a float's square is lost.
struct Hypotenuse {
  float operator()(float a, float b) const {
    const double r = std::sqrt(double(a) * a + double(b) * b);
    return (std::fabs(a) == INFINITY) | (std::fabs(b) == INFINITY) ? INFINITY : float(r);
  }
};
// The next number of T towards b: as integers, numbers of one sign are in order. (As torch, b where they are equal.)
template <class T> struct Next {
  T operator()(T a, T b) const {
    using Bits = std::conditional_t<sizeof(T) == 4, int32_t, int64_t>;
    const Bits bits = std::bit_cast<Bits>(a), away = Bits((a < b) == (a > 0) ? 1 : -1);
    const T next = std::bit_cast<T>(Bits(std::make_unsigned_t<Bits>(bits) + std::make_unsigned_t<Bits>(away))),
            least = std::numeric_limits<T>::denorm_min();
    const T r = a == 0 ? (b < 0 ? -least : least) : next;
    return a == b ? b : (a != a) | (b != b) ? a + b : r;
  }
};
template <class T> struct Step {
  T operator()(T a, T b) const { return a == 0 ? b : T(a > 0); }
};
// The number where the other is NaN; of equals (0 and -0) the first.
template <class T> struct Largest {
  T operator()(T a, T b) const { return (b != b) | (a >= b) ? a : b; }
};
template <class T> struct Smallest {
  T operator()(T a, T b) const { return (b != b) | (a <= b) ? a : b; }
};
template <class T> struct SignBit {
  bool operator()(T a) const { return std::signbit(a); }
};
template <std::integral T> struct SignBit<T> {
  bool operator()(T a) const { return a < 0; }
};

// ---- with parameters, which are the functor ----
template <class T> struct Replace {
  T nan, high, low;
  T operator()(T x) const {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    return x != x ? nan : x == infinity ? high : x == -infinity ? low : x;
  }
};
template <class T> struct RoundDown {  // to decimals
  T power;
  T operator()(T x) const { return std::rint(x * power) / power; }
};
template <class T> struct RoundUp {  // to tens, hundreds, …
  T power;
  T operator()(T x) const { return std::rint(x / power) * power; }
};
// |a - b| <= atol + |rtol b|, in T; equal infinities are close, others are not.
template <class T> struct Close {
  T rtol, atol;
  bool nan;
  bool operator()(T a, T b) const {
    constexpr T infinity = std::numeric_limits<T>::infinity();
    const T error = std::fabs(a - b);
    return (a == b) | ((error < infinity) & (error <= atol + std::fabs(rtol * b))) | (nan & (a != a) & (b != b));
  }
};
struct CloseKernel {
  template <THDtype d> constexpr Kernel operator()() const {
    using T = Element<d>;
    return {binaryLoop<Close<T>, uint8_t, T>, d, TH_Bool};
  }
};
constexpr KernelTable close = makeTable(Dtypes<TH_Float, TH_Double>{}, CloseKernel{});
constexpr KernelTable replace = makeTable(FloatingDtypes{}, Unary<Replace>{});
constexpr KernelTable roundDown = makeTable(FloatingDtypes{}, Unary<RoundDown>{});
constexpr KernelTable roundUp = makeTable(FloatingDtypes{}, Unary<RoundUp>{});

constexpr KernelTable copySign = makeTable(FloatingDtypes{}, Binary<CopySign>{});
constexpr Kernel hypotenuse = {binaryLoop<Hypotenuse, float, float>, TH_Float, TH_Float};
constexpr KernelTable next = makeTable(Dtypes<TH_Float, TH_Double>{}, Binary<Next>{});
constexpr KernelTable step = makeTable(AllDtypes{}, Binary<Step, native, LoopType>{});
constexpr KernelTable largest = makeTable(AllDtypes{}, Binary<Largest, native, LoopType>{});
constexpr KernelTable smallest = makeTable(AllDtypes{}, Binary<Smallest, native, LoopType>{});
constexpr KernelTable signBit = makeTable(AllDtypes{}, UnaryTest<SignBit, native, LoopType>{});

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THTensorSpecial.h>
#include "binary.hpp"
#include "kit/floats.hpp"
#include "kit/scalar.hpp"
#include "kit/special.hpp"

namespace th {
namespace {

// In double for every T, rounded once.
#define TH_BY_DOUBLE(Name, expression)                    \
  template <class T> struct Name {                        \
    T operator()(T t, T src) const {                      \
      const double x = t, y = src;                        \
      return T(expression);                               \
    }                                                     \
  };                                                      \
  constexpr KernelTable k##Name = makeTable(FloatingDtypes{}, PlainBinary<Name>{});
TH_BY_DOUBLE(XLogY, y != y ? y : x == 0 ? 0 : x * std::log(y))
TH_BY_DOUBLE(XLog1PY, y != y ? y : x == 0 ? 0 : x * std::log1p(y))
TH_BY_DOUBLE(Zeta, special::zeta(x, y))
#undef TH_BY_DOUBLE

template <class T> struct LogAddExp {
  T operator()(T a, T b) const { return T(formulas::logAddExp(double(a), double(b))); }
};
template <class T> struct LogAddExp2 {
  T operator()(T a, T b) const { return T(formulas::logAddExp2(double(a), double(b))); }
};
constexpr KernelTable kLogAddExp = makeTable(FloatingDtypes{}, PlainBinary<LogAddExp>{});
constexpr KernelTable kLogAddExp2 = makeTable(FloatingDtypes{}, PlainBinary<LogAddExp2>{});

// The vectors of floats.cpp in place of the loop for floats.
template <FloatFunction function>
const KernelTable &byFloats(const KernelTable &others) {
  static const KernelTable table = withFloats(others, function);
  return table;
}

// In float as it is, in double by floats.cpp.
const KernelTable &hypotenuse() {
  static const KernelTable table = [] {
    KernelTable both{};
    both.of[TH_Half] = both.of[TH_BFloat16] = both.of[TH_Float] = TH_BEST_TARGET(hypotenuse);
    return withDoubles(both, DoubleFunction::hypotenuse);
  }();
  return table;
}

template <class T> struct ScaleByPower {
  T operator()(T a, T b) const { return T(formulas::scaleByPower(double(a), double(b))); }
};
constexpr KernelTable kScaleByPower = makeTable(FloatingDtypes{}, PlainBinary<ScaleByPower>{});

// Half types have a loop of their own: the number after one of them is not that of floats.
template <class T> struct NextHalf {
  T operator()(T a, T b) const { return formulas::nextHalf(a, b); }
};
constexpr THDtype itself(THDtype d) { return d; }
const KernelTable &next() {
  static const KernelTable table = [] {
    KernelTable all = makeTable(Dtypes<TH_Half, TH_BFloat16>{}, PlainBinary<NextHalf, itself>{});
    for (const THDtype d : {TH_Float, TH_Double}) all.of[d] = TH_BEST_TARGET(next).of[d];
    return all;
  }();
  return table;
}

// Parameters in the type that the loop for `dtype` computes in.
template <class T>
struct Parameters {
  Compute<T> values[3];
};
template <class T>
Parameters<T> decimalPower(int64_t decimals) {
  return {{Compute<T>(std::pow(10.0, std::fabs(double(decimals))))}};
}
// Rounded to T first, which may make them infinite.
template <class T>
Parameters<T> replacements(double nan, double posinf, double neginf) {
  return {{convertTo<T>(nan), convertTo<T>(posinf), convertTo<T>(neginf)}};
}
template <class T> struct Closeness {
  T rtol, atol;
  bool nan;
};

}  // namespace
}  // namespace th

using namespace th;

#define BINARY (THTensor *r, const THTensor *t, const THTensor *src)
TH_DEFINE(copysign, floating, BINARY, pointwise(TH_BEST_TARGET(copySign), dtype, nullptr, r, {t, src}))
TH_DEFINE(hypot, floating, BINARY, pointwise(hypotenuse(), dtype, nullptr, r, {t, src}))
TH_DEFINE(heaviside, all, BINARY, pointwise(TH_BEST_TARGET(step), dtype, nullptr, r, {t, src}))
TH_DEFINE(fmax, all, BINARY, pointwise(TH_BEST_TARGET(largest), dtype, nullptr, r, {t, src}))
TH_DEFINE(fmin, all, BINARY, pointwise(TH_BEST_TARGET(smallest), dtype, nullptr, r, {t, src}))
TH_DEFINE(signbit, all, (THTensor *r, const THTensor *t), pointwise(TH_BEST_TARGET(signBit), dtype, nullptr, r, {t}))
TH_DEFINE(nanToNum, floating, (THTensor *r, const THTensor *t, double nan, double posinf, double neginf),
          pointwise(TH_BEST_TARGET(replace), dtype, replacements<T>(nan, posinf, neginf).values, r, {t}))
TH_DEFINE(roundDecimals, floating, (THTensor *r, const THTensor *t, int64_t decimals),
          pointwise(decimals < 0 ? TH_BEST_TARGET(roundUp) : TH_BEST_TARGET(roundDown), dtype,
                    decimalPower<T>(decimals).values, r, {t}))
#define TH_FOR_wide(X, ...) X(Float, __VA_ARGS__) X(Double, __VA_ARGS__)
TH_DEFINE(isclose, wide, (THTensor *r, const THTensor *t, const THTensor *src, double rtol, double atol, bool nan), {
  const Closeness<T> param{T(rtol), T(atol), nan};
  pointwise(TH_BEST_TARGET(close), dtype, &param, r, {t, src});
})
TH_DEFINE(xlogy, floating, BINARY, pointwise(byFloats<FloatFunction::xLogY>(kXLogY), dtype, nullptr, r, {t, src}))
TH_DEFINE(xlog1py, floating, BINARY, pointwise(kXLog1PY, dtype, nullptr, r, {t, src}))
TH_DEFINE(zeta, floating, BINARY, pointwise(kZeta, dtype, nullptr, r, {t, src}))
TH_DEFINE(logaddexp, floating, BINARY,
          pointwise(byFloats<FloatFunction::logAddExp>(kLogAddExp), dtype, nullptr, r, {t, src}))
TH_DEFINE(logaddexp2, floating, BINARY,
          pointwise(byFloats<FloatFunction::logAddExp2>(kLogAddExp2), dtype, nullptr, r, {t, src}))
TH_DEFINE(ldexp, floating, BINARY, pointwise(kScaleByPower, dtype, nullptr, r, {t, src}))
TH_DEFINE(nextafter, floating, BINARY, pointwise(next(), dtype, nullptr, r, {t, src}))

#endif
