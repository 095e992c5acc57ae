// Functions of complex numbers in double that are made of elementary ones: those of Z, which is std::complex on the CPU, and
// th::complex where the standard library has no functions.
#pragma once

#include <cmath>
#include <TH/THComplex.hpp>

namespace th::complex_functions {

// By th::complex's division.
template <class Z>
constexpr Z over(Z x, Z y) {
  const complex<double> q = complex<double>(x.real(), x.imag()) / complex<double>(y.real(), y.imag());
  return {q.real(), q.imag()};
}
template <class Z>
constexpr Z times(Z z, double factor) {
  return {z.real() * factor, z.imag() * factor};
}
template <class Z>
constexpr Z dividedBy(Z z, double divisor) {
  return {z.real() / divisor, z.imag() / divisor};
}

template <class Z>
constexpr Z inverseRoot(Z z) {
  return over(Z(1), sqrt(z));
}
template <class Z>
constexpr Z exponential2(Z z) {
  return exp(times(z, M_LN2));
}
template <class Z>
constexpr Z logarithm2(Z z) {
  return dividedBy(log(z), M_LN2);
}
template <class Z>
constexpr Z logarithm10(Z z) {
  return dividedBy(log(z), M_LN10);
}
template <class Z>
constexpr Z logistic(Z z) {
  return over(Z(1), Z(1) + exp(-z));
}
template <class Z>
constexpr Z cardinalSine(Z z) {
  return z == Z(0) ? Z(1) : over(sin(times(z, M_PI)), times(z, M_PI));
}
template <class Z>
constexpr Z sign(Z z) {
  return z == Z(0) ? Z(0) : dividedBy(z, abs(z));
}

// e^z - 1 without cancellation: the real part is expm1(x) cos y - 2 sin²(y / 2).
template <class Z>
constexpr Z exponentialLess1(Z z) {
  const double x = z.real(), y = z.imag(), half = std::sin(y / 2);
  return {std::expm1(x) * std::cos(y) - 2 * half * half, std::exp(x) * std::sin(y)};
}
// log|1 + z| is half of log1p(x (2 + x) + y²), near 0.
template <class Z>
constexpr Z logarithmOf1Plus(Z z) {
  const double x = z.real(), y = z.imag(), angle = std::atan2(y, x + 1);
  if (abs(z) >= 0.5) return {std::log(std::hypot(x + 1, y)), angle};
  const double r = x * (2 + x) + y * y;
  return {r == 0 ? x : 0.5 * std::log1p(r), angle};
}

template <class Z>
constexpr Z power(Z z, Z e) {
  if (e == Z(0)) return 1;
  if (e == Z(1)) return z;
  if (e == Z(2)) return z * z;
  if (e == Z(3)) return z * z * z;
  if (e == Z(0.5)) return sqrt(z);
  if (e == Z(-0.5)) return inverseRoot(z);
  if (e == Z(-1)) return over(Z(1), z);
  if (e == Z(-2)) return over(Z(1), z * z);
  return pow(z, e);
}

template <class Z>
constexpr Z polar(double length, double angle) {
  return {length * std::cos(angle), length * std::sin(angle)};
}

}  // namespace th::complex_functions
