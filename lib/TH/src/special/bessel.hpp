// Bessel functions and the incomplete gamma functions, in double, as templates: see formulas.hpp.
#pragma once

#include "formulas.hpp"

namespace th::formulas {

// exp(x) K(order, x), scaled; or without that factor. Far out by Hankel's expansion; in the middle by
// between(order, x).
template <class Real, class Between>
constexpr Real besselK(int order, Real x, bool scaled, const Between &between) {
  if (x != x) return x;
  if (x <= 0) return x == 0 ? kInfinity : kNan;
  if (x < 1e-10) return order == 0 ? 0.11593151565841245 - std::log(x) : 1 / x;  // log(2) less Euler's constant
  if (x <= 50) return between(order, x) * (scaled ? std::exp(x) : 1);
  const double mu = 4.0 * order * order;
  double term = 1, sum = 1;
  for (int k = 1; k < 20; k++) {
    term *= (mu - (2 * k - 1) * (2 * k - 1)) / (8 * k * x);
    sum += term;
  }
  return std::sqrt(kPi / (2 * x)) * sum * (scaled ? 1 : std::exp(-x));
}

template <class Real>
constexpr Real sphericalJ0(Real x) {
  if (std::isinf(x)) return 0;
  return x == 0 ? 1 : std::sin(x) / x;
}

// ---- the incomplete gamma functions ---------------------------------------------------------------------
// log(1 + u) - u
template <class Real>
constexpr Real log1pMinus(Real u) {
  if (std::fabs(u) > 0.3) return std::log1p(u) - u;
  double power = u, sum = 0;
  for (int k = 2; k < 60; k++) {
    power *= -u;
    sum += power / k;
  }
  return sum;
}

// x^a exp(-x) / gamma(a + 1); for large a by Stirling's series, in which nothing cancels.
template <class Real>
constexpr Real density(Real a, Real x) {
  if (a < 20) return std::exp(a * std::log(x) - x - lgamma(a + 1));
  const double tail = (1.0 / 12 - (1.0 / 360 - (1.0 / 1260 - 1.0 / 1680 / (a * a)) / (a * a)) / (a * a)) / a;
  return std::exp(a * log1pMinus((x - a) / a) - tail) / std::sqrt(2 * kPi * a);
}

// The lower one (P), or with `upper` the upper one (Q); P + Q = 1.
template <class Real>
constexpr Real incompleteGamma(Real a, Real x, bool upper) {
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

}  // namespace th::formulas
