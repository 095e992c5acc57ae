// Elementary functions of complex numbers, by the C library's. All compute in complex128: there are no
// vector instructions to lose, and complex64's results are right to the last place.
#include <TH/THTensorComplex.h>

#include <cmath>
#include <complex>
#include "kit/floats.hpp"
#include "kit/kernel.hpp"

namespace th {
namespace {

using Z = std::complex<double>;  // laid out as THComplexDouble

Z over(Z x, Z y) {
  const THComplexDouble q = THComplexDouble(x.real(), x.imag()) / THComplexDouble(y.real(), y.imag());
  return {q.real(), q.imag()};
}

// One loop for both dtypes.
template <class Loop>
constexpr KernelTable inDouble(Loop loop) {
  KernelTable table{};
  table.of[TH_ComplexFloat] = table.of[TH_ComplexDouble] = {loop, TH_ComplexDouble, TH_ComplexDouble};
  return table;
}
template <Z (*function)(Z)>
void loopOf(char *const *data, const int64_t *strides, int64_t n, const void *) {
  for (int64_t i = 0; i < n; i++)
    *reinterpret_cast<Z *>(data[0] + i * strides[0]) = function(*reinterpret_cast<const Z *>(data[1] + i * strides[1]));
}

Z root(Z z) { return std::sqrt(z); }
Z inverseRoot(Z z) { return over(Z(1), std::sqrt(z)); }
Z exponential(Z z) { return std::exp(z); }
Z exponential2(Z z) { return std::exp(z * M_LN2); }
Z logarithm(Z z) { return std::log(z); }
Z logarithm2(Z z) { return std::log(z) / M_LN2; }
Z logarithm10(Z z) { return std::log(z) / M_LN10; }
Z sine(Z z) { return std::sin(z); }
Z cosine(Z z) { return std::cos(z); }
Z tangent(Z z) { return std::tan(z); }
Z arcSine(Z z) { return std::asin(z); }
Z arcCosine(Z z) { return std::acos(z); }
Z arcTangent(Z z) { return std::atan(z); }
Z hyperbolicSine(Z z) { return std::sinh(z); }
Z hyperbolicCosine(Z z) { return std::cosh(z); }
Z hyperbolicTangent(Z z) { return std::tanh(z); }
Z areaSine(Z z) { return std::asinh(z); }
Z areaCosine(Z z) { return std::acosh(z); }
Z areaTangent(Z z) { return std::atanh(z); }
Z logistic(Z z) { return over(Z(1), Z(1) + std::exp(-z)); }
Z cardinalSine(Z z) { return z == 0.0 ? Z(1) : over(std::sin(z * M_PI), z * M_PI); }
Z sign(Z z) { return z == 0.0 ? Z(0) : z / std::abs(z); }

// e^z - 1 without cancellation: the real part is expm1(x) cos y - 2 sin²(y / 2).
Z exponentialLess1(Z z) {
  const double x = z.real(), y = z.imag(), half = std::sin(y / 2);
  return {std::expm1(x) * std::cos(y) - 2 * half * half, std::exp(x) * std::sin(y)};
}
// log|1 + z| is half of log1p(x (2 + x) + y²), near 0.
Z logarithmOf1Plus(Z z) {
  const double x = z.real(), y = z.imag(), angle = std::atan2(y, x + 1);
  if (std::abs(z) >= 0.5) return {std::log(std::hypot(x + 1, y)), angle};
  const double r = x * (2 + x) + y * y;
  return {r == 0 ? x : 0.5 * std::log1p(r), angle};
}

// The angle of (real, imaginary): both lie in the one operand.
template <class T>
void argumentLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  char *const parts[] = {data[0], data[1] + sizeof(T), data[1]};
  const int64_t steps[] = {strides[0], strides[1], strides[1]};
  const Kernel &angle = sizeof(T) == 4 ? kernelOfFloats(FloatFunction::angle) : kernelOfDoubles(DoubleFunction::angle);
  angle.loop(parts, steps, n, nullptr);
}
constexpr KernelTable argument = [] {
  KernelTable table{};
  table.of[TH_ComplexFloat] = {argumentLoop<float>, TH_ComplexFloat, TH_Float};
  table.of[TH_ComplexDouble] = {argumentLoop<double>, TH_ComplexDouble, TH_Double};
  return table;
}();

Z power(Z z, Z e) {
  if (e == 0.0) return 1;
  if (e == 1.0) return z;
  if (e == 2.0) return z * z;
  if (e == 3.0) return z * z * z;
  if (e == 0.5) return std::sqrt(z);
  if (e == -0.5) return inverseRoot(z);
  if (e == -1.0) return over(Z(1), z);
  if (e == -2.0) return over(Z(1), z * z);
  return std::pow(z, e);
}
void powerLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  for (int64_t i = 0; i < n; i++)
    *reinterpret_cast<Z *>(data[0] + i * strides[0]) = power(*reinterpret_cast<const Z *>(data[1] + i * strides[1]),
                                                             *reinterpret_cast<const Z *>(data[2] + i * strides[2]));
}

void polarLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  for (int64_t i = 0; i < n; i++) {
    const double length = *reinterpret_cast<const double *>(data[1] + i * strides[1]);
    const double angle = *reinterpret_cast<const double *>(data[2] + i * strides[2]);
    *reinterpret_cast<Z *>(data[0] + i * strides[0]) = {length * std::cos(angle), length * std::sin(angle)};
  }
}
constexpr KernelTable polar = [] {
  KernelTable table{};
  table.of[TH_Float] = table.of[TH_Double] = {polarLoop, TH_Double, TH_ComplexDouble};
  return table;
}();

template <Z (*function)(Z)>
void unary(THDtype dtype, THTensor *r, const THTensor *t) {
  static constexpr KernelTable table = inDouble(loopOf<function>);
  pointwise(table, dtype, nullptr, r, {t});
}

}  // namespace
}  // namespace th

using namespace th;

#define UNARY (THTensor *r, const THTensor *t)
TH_DEFINE(sqrt, complex, UNARY, unary<root>(dtype, r, t))
TH_DEFINE(rsqrt, complex, UNARY, unary<inverseRoot>(dtype, r, t))
TH_DEFINE(exp, complex, UNARY, unary<exponential>(dtype, r, t))
TH_DEFINE(exp2, complex, UNARY, unary<exponential2>(dtype, r, t))
TH_DEFINE(expm1, complex, UNARY, unary<exponentialLess1>(dtype, r, t))
TH_DEFINE(log, complex, UNARY, unary<logarithm>(dtype, r, t))
TH_DEFINE(log1p, complex, UNARY, unary<logarithmOf1Plus>(dtype, r, t))
TH_DEFINE(log2, complex, UNARY, unary<logarithm2>(dtype, r, t))
TH_DEFINE(log10, complex, UNARY, unary<logarithm10>(dtype, r, t))
TH_DEFINE(sin, complex, UNARY, unary<sine>(dtype, r, t))
TH_DEFINE(cos, complex, UNARY, unary<cosine>(dtype, r, t))
TH_DEFINE(tan, complex, UNARY, unary<tangent>(dtype, r, t))
TH_DEFINE(asin, complex, UNARY, unary<arcSine>(dtype, r, t))
TH_DEFINE(acos, complex, UNARY, unary<arcCosine>(dtype, r, t))
TH_DEFINE(atan, complex, UNARY, unary<arcTangent>(dtype, r, t))
TH_DEFINE(sinh, complex, UNARY, unary<hyperbolicSine>(dtype, r, t))
TH_DEFINE(cosh, complex, UNARY, unary<hyperbolicCosine>(dtype, r, t))
TH_DEFINE(tanh, complex, UNARY, unary<hyperbolicTangent>(dtype, r, t))
TH_DEFINE(asinh, complex, UNARY, unary<areaSine>(dtype, r, t))
TH_DEFINE(acosh, complex, UNARY, unary<areaCosine>(dtype, r, t))
TH_DEFINE(atanh, complex, UNARY, unary<areaTangent>(dtype, r, t))
TH_DEFINE(sigmoid, complex, UNARY, unary<logistic>(dtype, r, t))
TH_DEFINE(sinc, complex, UNARY, unary<cardinalSine>(dtype, r, t))
TH_DEFINE(sgn, complex, UNARY, unary<sign>(dtype, r, t))
TH_DEFINE(arg, complex, UNARY, pointwise(argument, dtype, nullptr, r, {t}))
TH_DEFINE(cpow, complex, (THTensor *r, const THTensor *t, const THTensor *src),
          pointwise(inDouble(powerLoop), dtype, nullptr, r, {t, src}))
TH_DEFINE(fromPolar, complex, (THTensor *r, const THTensor *length, const THTensor *angle),
          pointwise(polar, realDtype(dtype), nullptr, r, {length, angle}))
