// Bessel functions of orders 0 and 1, Airy's, and the incomplete gamma functions, in double.
#include <TH/THTensorSpecial.h>

#include <cmath>

#include "bessel.hpp"
#include "kit/kernel.hpp"
#include "kit/special.hpp"

namespace th::special {
namespace {

double besselK(int order, double x, bool scaled) {
  return formulas::besselK(order, x, scaled, [](int k, double z) { return std::cyl_bessel_k(double(k), z); });
}

// By Bessel functions of order 1/3.
double airy(double x) {
  if (x != x) return x;
  if (std::isinf(x)) return x > 0 ? 0 : kNan;
  const double a = std::fabs(x);
  if (a < 1e-8) return 0.355028053887817239 - 0.258819403792806798 * x;
  const double z = 2.0 / 3 * a * std::sqrt(a);
  if (x > 0) return z > 700 ? 0 : std::sqrt(a / 3) / kPi * std::cyl_bessel_k(1.0 / 3, z);
  // J(-1/3) = (J(1/3) - sqrt(3) Y(1/3)) / 2
  return std::sqrt(a) / 3 * (1.5 * std::cyl_bessel_j(1.0 / 3, z) - std::sqrt(0.75) * std::cyl_neumann(1.0 / 3, z));
}

}  // namespace
}  // namespace th::special

namespace th {
namespace {

#define TH_UNARY_FUNCTION(name, dtypes, expression)                                                    \
  template <class T> struct Of_##name {                                                                \
    T operator()(T t) const {                                                                          \
      const double x = t;                                                                              \
      return T(expression);                                                                            \
    }                                                                                                  \
  };                                                                                                   \
  constexpr KernelTable k_##name = makeTable(Dtypes<TH_Float, TH_Double>{}, PlainUnary<Of_##name>{});
#define TH_UNARY_FUNCTIONS(X)                                    \
  X(besselJ0, float_double, ::j0(x))                                   \
  X(besselJ1, float_double, ::j1(x))                                   \
  X(besselY0, float_double, x < 0 ? special::kNan : ::y0(x))           \
  X(besselY1, float_double, x < 0 ? special::kNan : ::y1(x))           \
  X(besselK0, float_double, special::besselK(0, x, false))             \
  X(besselK1, float_double, special::besselK(1, x, false))             \
  X(scaledBesselK0, float_double, special::besselK(0, x, true))        \
  X(scaledBesselK1, float_double, special::besselK(1, x, true))        \
  X(sphericalBesselJ0, float_double, formulas::sphericalJ0(x))          \
  X(airyAi, float_double, special::airy(x))
TH_UNARY_FUNCTIONS(TH_UNARY_FUNCTION)

template <class T> struct LowerGamma {
  T operator()(T a, T x) const { return T(formulas::incompleteGamma(double(a), double(x), false)); }
};
template <class T> struct UpperGamma {
  T operator()(T a, T x) const { return T(formulas::incompleteGamma(double(a), double(x), true)); }
};
constexpr KernelTable lowerGamma = makeTable(FloatingDtypes{}, PlainBinary<LowerGamma>{});
constexpr KernelTable upperGamma = makeTable(FloatingDtypes{}, PlainBinary<UpperGamma>{});

}  // namespace
}  // namespace th

#define TH_DEFINE_FUNCTION(name, dtypes, expression)                \
  TH_DEFINE(name, dtypes, (THTensor *r, const THTensor *t),         \
            th::pointwise(th::k_##name, dtype, nullptr, r, {t}))
TH_UNARY_FUNCTIONS(TH_DEFINE_FUNCTION)

TH_DEFINE(igamma, floating, (THTensor *r, const THTensor *a, const THTensor *x),
          th::pointwise(th::lowerGamma, dtype, nullptr, r, {a, x}))
TH_DEFINE(igammac, floating, (THTensor *r, const THTensor *a, const THTensor *x),
          th::pointwise(th::upperGamma, dtype, nullptr, r, {a, x}))
