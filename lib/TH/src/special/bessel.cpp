// Bessel functions of orders 0 and 1, Airy's, and the incomplete gamma functions, in double.
#include <TH/THTensorSpecial.h>

#include <cmath>

#include "kit/kernel.hpp"
#include "kit/special.hpp"

namespace th::special {
namespace {

// exp(x) K(order, x), scaled; or without that factor. Far out by Hankel's expansion.
double besselK(double order, double x, bool scaled) {
  if (x != x) return x;
  if (x <= 0) return x == 0 ? kInfinity : kNan;
  if (x < 1e-10) return order == 0 ? 0.11593151565841245 - std::log(x) : 1 / x;  // log(2) less Euler's constant
  if (x <= 50) return std::cyl_bessel_k(order, x) * (scaled ? std::exp(x) : 1);
  const double mu = 4 * order * order;
  double term = 1, sum = 1;
  for (int k = 1; k < 20; k++) {
    term *= (mu - (2 * k - 1) * (2 * k - 1)) / (8 * k * x);
    sum += term;
  }
  return std::sqrt(kPi / (2 * x)) * sum * (scaled ? 1 : std::exp(-x));
}

double sphericalJ0(double x) {
  if (std::isinf(x)) return 0;
  return x == 0 ? 1 : std::sin(x) / x;
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

// ---- the incomplete gamma functions ---------------------------------------------------------------------
// log(1 + u) - u
double log1pMinus(double u) {
  if (std::fabs(u) > 0.3) return std::log1p(u) - u;
  double power = u, sum = 0;
  for (int k = 2; k < 60; k++) {
    power *= -u;
    sum += power / k;
  }
  return sum;
}

// x^a exp(-x) / gamma(a + 1); for large a by Stirling's series, in which nothing cancels.
double density(double a, double x) {
  if (a < 20) return std::exp(a * std::log(x) - x - lgamma(a + 1));
  const double tail = (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / 1680 / (a * a)) / (a * a)) / (a * a)) / a;
  return std::exp(a * log1pMinus((x - a) / a) - tail) / std::sqrt(2 * kPi * a);
}

// The lower one (P), or with `upper` the upper one (Q); P + Q = 1.
double incompleteGamma(double a, double x, bool upper) {
  if (a != a || x != x || a < 0 || x < 0) return kNan;
  if (a == 0) return x > 0 ? !upper : kNan;
  if (x == 0) return upper;
  if (std::isinf(a)) return std::isinf(x) ? kNan : upper;
  if (std::isinf(x)) return !upper;
  if (a > 1e6) {  // Temme's expansion, its first terms
    const double u = (x - a) / a, half = -log1pMinus(u);
    const double eta = std::copysign(std::sqrt(2 * half), u);
    const double rest = std::exp(-a * half) / std::sqrt(2 * kPi * a) *
                        (std::fabs(u) < 1e-4 ? -1.0 / 3 + u / 12 : 1 / u - 1 / eta);
    return upper ? std::erfc(eta * std::sqrt(a / 2)) / 2 + rest : std::erfc(-eta * std::sqrt(a / 2)) / 2 - rest;
  }
  constexpr double small = 1e-17;
  constexpr int kSteps = 100000;  // some multiple of the square root of the largest a
  if (x < a + 1) {
    double term = 1, sum = 1;
    for (int k = 1; k < kSteps && term > small * sum; k++) {
      term *= x / (a + k);
      sum += term;
    }
    const double lower = density(a, x) * sum;
    return upper ? 1 - lower : lower;
  }
  // Lentz's way through the continued fraction.
  double b = x + 1 - a, c = 1e300, d = 1 / b, h = d;
  for (int k = 1; k < kSteps; k++) {
    const double an = -k * (k - a);
    b += 2;
    d = 1 / (an * d + b);
    c = b + an / c;
    h *= c * d;
    if (std::fabs(c * d - 1) < 1e-16) break;
  }
  const double q = density(a, x) * a * h;
  return upper ? q : 1 - q;
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
  X(sphericalBesselJ0, float_double, special::sphericalJ0(x))          \
  X(airyAi, float_double, special::airy(x))
TH_UNARY_FUNCTIONS(TH_UNARY_FUNCTION)

template <class T> struct LowerGamma {
  T operator()(T a, T x) const { return T(special::incompleteGamma(a, x, false)); }
};
template <class T> struct UpperGamma {
  T operator()(T a, T x) const { return T(special::incompleteGamma(a, x, true)); }
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
