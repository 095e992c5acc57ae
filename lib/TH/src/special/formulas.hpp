// Special functions of real numbers, in double, as templates: kernels of devices call them, too. Each function is a short
// series where it converges, and a reduction to that range outside of it. special.hpp has the same functions for the CPU,
// compiled once.
#pragma once

#include <cstdint>

#include "kit/special.hpp"

namespace th::formulas {

using special::kInfinity, special::kNan, special::kPi;

// By Winitzki's closed formula (2 digits), then steps of Halley's method, each of which triples the
// digits. Towards the ends the error is measured by erfc, which keeps its digits there.
template <class Real>
constexpr Real erfinv(Real x) {
  const double a = std::fabs(x);
  if (!(a < 1)) return a == 1 ? std::copysign(kInfinity, x) : kNan;
  const double rest = 1 - a;
  const double l = std::log(rest * (1 + a)), c = 2 / (kPi * 0.147) + l / 2;
  double y = a < 1e-7 ? a * std::sqrt(kPi) / 2 : std::sqrt(std::sqrt(c * c - l / 0.147) - c);
  for (int step = 0; step < 4 && y > 0; step++) {
    const double error = a < 0.5 ? std::erf(y) - a : rest - std::erfc(y);
    const double newton = error * std::sqrt(kPi) / 2 * std::exp(y * y);
    const double change = newton / (1 + y * newton);
    y -= change;
    if (std::fabs(change) < 1e-6 * y) break;
  }
  return std::copysign(y, x);
}

template <class Real>
constexpr Real lgamma(Real x) {
#ifdef __CUDA_ARCH__
  return ::lgamma(x);
#else
  int sign = 0;  // lgamma itself would write a global variable
  return ::lgamma_r(x, &sign);
#endif
}

// psi(x) = psi(x + 1) - 1/x up to where the asymptotic series has all digits; below zero by
// psi(1 - x) - psi(x) = pi / tan(pi x).
template <class Real>
constexpr Real digamma(Real x) {
  if (x == 0) return std::copysign(kInfinity, -x);
  double result = 0;
  if (x < 0) {
    const double fraction = x - std::rint(x);  // exact, so the tangent is right beside the poles too
    if (fraction == 0 || std::isinf(x)) return kNan;
    result = -kPi / std::tan(kPi * fraction);
    x = 1 - x;
  }
  if (x >= 1.4 && x <= 1.52) {  // around the zero, where the recurrence would cancel: Taylor, digits of mpmath
    const double d = (x - 1.4616321449683622) - 9.549995429965697e-17;
    constexpr double taylor[] = {0.9676722454476212,   -0.4427631689835921,  0.258499760955651,
                                 -0.16394270544240652, 0.10782405069126237,  -0.07219956125645471,
                                 0.04880428816414311,  -0.03316112647484736, 0.022597648232218104,
                                 -0.01542476590494896, 0.010538791616612175, -0.007204534386356869};
    double sum = 0;
    for (int i = 11; i >= 0; i--) sum = sum * d + taylor[i];
    return result + sum * d;
  }
  while (x < 10) result -= 1 / x++;
  const double y = 1 / (x * x);
  if (!std::isinf(x))
    result -= 1 / (2 * x) +
              y * (1. / 12 -
                   y * (1. / 120 - y * (1. / 252 - y * (1. / 240 - y * (1. / 132 - y * (691. / 32760 - y / 12))))));
  return result + std::log(x);
}

// For q > 0: Euler and Maclaurin's formula from where its terms fall fast enough.
template <class Real>
constexpr Real zetaPositive(Real s, Real q) {
  double sum = 0;
  while (q < 10 + s) {
    const double term = std::pow(q, -s);
    sum += term;
    if (term <= sum * 1e-17) return sum;
    q++;
  }
  // B(2j) / (2j)!
  constexpr double bernoulli[] = {1. / 12,          -1. / 720,
                                  1. / 30240,       -1. / 1209600,
                                  1. / 47900160,    -691. / 1307674368000,
                                  1. / 74724249600, -3617. / 10670622842880000};
  const double power = std::pow(q, -s);
  sum += power * q / (s - 1) + power / 2;
  double factor = power * s / q;
  for (int j = 0; j < 8; j++) {
    const double term = bernoulli[j] * factor;
    sum += term;
    if (std::fabs(term) < std::fabs(sum) * 1e-17) break;
    factor *= (s + 2 * j + 1) * (s + 2 * j + 2) / (q * q);
  }
  return sum;
}

template <class Real>
constexpr Real zeta(Real s, Real q) {
  if (s == 1) return kInfinity;
  if (!(s > 1) || std::isnan(q)) return kNan;
  if (q > 0) return std::isinf(q) ? 0 : zetaPositive(s, q);
  if (q == std::floor(q)) return std::isinf(q) ? kNan : kInfinity;
  if (s != std::floor(s)) return kNan;
  // The terms below zero are n more of the same kind with the sign (-1)^s, from 1 - f on.
  const double n = -std::floor(q), f = q + n, g = 1 - n - q;  // g is 1 - f, without f's rounding error
  // The two large parts first: for an odd s they cancel, wholly where f is a half.
  const double sign = std::fmod(s, 2) == 0 ? 1 : -1;
  return (zetaPositive(s, f) + sign * zetaPositive(s, g)) - sign * zetaPositive(s, 1 - q);
}

// As digamma: the recurrence adds 1/x^2, the reflection is pi^2 / sin^2.
template <class Real>
constexpr Real trigamma(Real x) {
  double result = 0, sign = 1;
  if (x < 0.5 && !std::isinf(x)) {
    const double sine = std::sin(kPi * (x - std::rint(x)));
    if (sine == 0) return kInfinity;
    result = kPi * kPi / (sine * sine);
    sign = -1;
    x = 1 - x;
  }
  if (std::isinf(x)) return x > 0 ? 0 : kNan;
  for (; x < 12; x++) result += sign / (x * x);
  const double y = 1 / (x * x);
  const double series = 1. / 6 -
                        y * (1. / 30 - y * (1. / 42 - y * (1. / 30 - y * (5. / 66 - y * (691. / 2730 - y * 7 / 6)))));
  return result + sign * (1 / x + y / 2 + y / x * series);
}

template <class Real>
constexpr Real polygamma(int64_t n, Real x) {
  if (n == 0) return digamma(x);
  if (n == 1) return trigamma(x);
  if (x == 0 && n % 2 == 0) return -kInfinity;
  const double sum = zeta(double(n) + 1, x);
  // The factorial alone overflows beyond 170.
  const double value = n <= 170 ? std::tgamma(double(n) + 1) * sum
                                : std::copysign(std::exp(lgamma(double(n) + 1) + std::log(std::fabs(sum))), sum);
  return n % 2 ? value : -value;
}

// I(order, x): the power series, all of whose terms are positive; from 20 on the asymptotic one.
template <class Real>
constexpr Real besselI(int order, Real x, bool scaled) {
  const double a = std::fabs(x);
  double result;
  if (a < 20) {
    const double quarter = a * a / 4;
    double term = order ? a / 2 : 1, sum = term;
    for (int k = 1; term > sum * 1e-17; k++) sum += term *= quarter / (double(k) * (k + order));
    result = scaled ? sum * std::exp(-a) : sum;
  } else if (std::isinf(a)) {
    result = scaled ? 0 : kInfinity;
  } else {
    double term = 1, sum = 1;
    for (int k = 1; k < 40 && std::fabs(term) > 1e-17; k++)
      sum += term *= ((2 * k - 1.) * (2 * k - 1.) - 4. * order) / (8 * a * k);
    sum /= 4 * std::sqrt(kPi / 8 * a);  // 2 pi a may overflow
    // Half of the exponent at a time: the whole may overflow where the result does not.
    const double e = std::exp(a / 2);
    result = scaled ? sum : sum * e * e;
  }
  return order ? std::copysign(result, x) : result;  // also of -0
}

template <class Real>
constexpr Real besselI0(Real x, bool scaled) {
  return std::isnan(x) ? x : besselI(0, x, scaled);
}
template <class Real>
constexpr Real besselI1(Real x, bool scaled) {
  return std::isnan(x) ? x : besselI(1, x, scaled);
}

// exp(x^2) with the square's rounding error taken along, which would cost digits.
template <class Real>
constexpr Real expSquare(Real x) {
  const double square = x * x;
  return std::exp(square) * (1 + std::fma(x, x, -square));
}

template <class Real>
constexpr Real erfcx(Real x) {
  if (std::isnan(x)) return x;
  if (x < -26.7) return kInfinity;
  if (x < 10) return expSquare(x) * std::erfc(x);
  // asymptotic: 1 / (x sqrt(pi)) (1 - 1/(2 x^2) + 3/(2 x^2)^2 - …)
  const double y = 1 / (2 * x * x);
  double sum = 1;
  for (int k = 14; k > 0; k--) sum = 1 - (2 * k - 1) * y * sum;
  return sum / std::sqrt(kPi) / x;
}

// erfc(-x / sqrt(2)) / 2. In the tail erfc magnifies its argument's rounding error, so that is put right
// by the derivative.
template <class Real>
constexpr Real ndtr(Real x) {
  const double t = x * 0.70710678118654752440;
  const double rest = std::fma(x, 0.70710678118654752440, -t) - x * 4.833646656726457e-17;
  const double tail = std::erfc(-t);
  return tail > 0 && tail < 2 ? (tail + rest * 2 / std::sqrt(kPi) * std::exp(-t * t)) / 2 : tail / 2;
}

template <class Real>
constexpr Real logNdtr(Real x) {
  if (!(x < -1)) return std::log1p(-ndtr(-x));
  const double t = x * 0.70710678118654752440;
  return std::log(erfcx(-t) / 2) - x * x / 2;
}

// The inverse of ndtr: by erfinv in the middle; in the tails Newton's method on the logarithm, which
// is nearly a parabola there.
template <class Real>
constexpr Real ndtri(Real p) {
  if (!(p >= 0 && p <= 1)) return kNan;
  if (p == 0 || p == 1) return p ? kInfinity : -kInfinity;
  if (p > 0.1 && p < 0.9) return 1.41421356237309504880 * erfinv(2 * p - 1);
  const double tail = p < 0.5 ? p : 1 - p, wanted = std::log(tail);
  double x = -std::sqrt(-2 * wanted);
  for (int step = 0; step < 8; step++) {
    const double value = logNdtr(x);
    const double slope = std::exp(-x * x / 2 - value) / std::sqrt(2 * kPi);
    const double change = (value - wanted) / slope;
    x -= change;
    if (std::fabs(change) < 1e-15 * std::fabs(x)) break;
  }
  return p < 0.5 ? x : -x;
}

}  // namespace th::formulas
