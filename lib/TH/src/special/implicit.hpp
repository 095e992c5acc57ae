// How deviates of the gamma and the Dirichlet distribution move with their parameters: -(∂F/∂a) / (∂F/∂x) of the
// distribution function F. Series and continued fractions of F are computed together with their derivatives by a.
#pragma once

#include "kit/special.hpp"

namespace th::implicit {

using special::kNan;

// A number, and its derivative by the parameter.
struct Dual {
  double value, slope = 0;
};
constexpr Dual operator+(Dual a, Dual b) { return {a.value + b.value, a.slope + b.slope}; }
constexpr Dual operator*(Dual a, Dual b) { return {a.value * b.value, a.slope * b.value + a.value * b.slope}; }
constexpr Dual operator/(Dual a, Dual b) {
  const double q = a.value / b.value;
  return {q, (a.slope - q * b.slope) / b.value};
}

constexpr int kMostTerms = 20000;  // enough for parameters up to some 1e8
constexpr double kNear = 1e-16;

// A continued fraction by Lentz's method: step(k, c, d) makes the next of two quotients, whose product is a factor.
struct Lentz {
  Dual c, d, product;
  // with the next partial numerator a and denominator b
  constexpr double step(Dual a, Dual b) {
    d = Dual{1} / (a * d + b);
    c = b + a / c;
    const Dual factor = c * d;
    product = product * factor;
    return std::fabs(factor.value - 1) + std::fabs(factor.slope);
  }
};

// Below the mean by the power series of the lower incomplete function, above by the upper one's continued fraction; of
// large shapes by Wilson and Hilferty's: the cube root is normal.
inline double gammaSlope(double a, double x) {
  if (!(a > 0) || x != x) return kNan;
  if (x <= 0) return 0;
  if (a > 1e4) {
    const double root = std::cbrt(x / a);
    return root * root * (root + 3 * ((1 - root) / 2 + 1 / (18 * a)));
  }
  if (x <= a + 1) {
    double term = 1, fall = 0, sum = 1, slope = 0;  // fall: of the term's logarithm
    for (int n = 1; n < kMostTerms && term * (1 - fall) > kNear * sum; n++) {
      term *= x / (a + n), fall -= 1 / (a + n);
      sum += term, slope += term * fall;
    }
    return -x / a * (slope + sum * (std::log(x) - special::digamma(a + 1)));
  }
  Dual b{x + 1 - a, -1};
  const Dual first = Dual{1} / b;
  Lentz fraction{{1e300}, first, first};
  for (int n = 1; n < kMostTerms; n++) {
    b = b + Dual{2};
    if (fraction.step({-n * (n - a), double(n)}, b) < kNear) break;
  }
  const Dual upper = fraction.product;
  return x * (upper.slope + upper.value * (std::log(x) - special::digamma(a)));
}

// Of the incomplete beta function I_x(a, b), over x^a (1 - x)^b / (a B(a, b)).
inline Dual betaFraction(Dual a, Dual b, double x) {
  const Dual sum = a + b, one{1};
  const Dual first = one / (one + Dual{-x} * sum / (a + one));
  Lentz fraction{one, first, first};
  for (int m = 1; m < kMostTerms; m++) {
    const Dual k{double(m)}, even = a + Dual{2.0 * m}, before = even + Dual{-1}, after = even + one;
    const double away = fraction.step(k * (b + Dual{-double(m)}) * Dual{x} / (before * even), one);
    if (fraction.step(Dual{-x} * (a + k) * (sum + k) / (even * after), one) + away < kNear) break;
  }
  return fraction.product;
}

// By whichever of I_x(a, b) and I_(1-x)(b, a) converges.
inline double dirichletSlope(double x, double a, double total) {
  const double b = total - a;
  if (!(a > 0) || !(b > 0) || x != x) return kNan;
  if (x <= 0) return 0;
  const double log = std::log(x) + special::digamma(total) - special::digamma(a);
  if (x <= (a + 1) / (total + 2)) {
    const Dual lower = betaFraction({a, 1}, {b}, x);
    return -x / a * (lower.slope + lower.value * (log - 1 / a));
  }
  const Dual upper = betaFraction({b}, {a, 1}, x < 1 ? 1 - x : 0);
  return x / b * (upper.slope + upper.value * log);
}

}  // namespace th::implicit
