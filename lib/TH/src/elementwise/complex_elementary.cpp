// Elementary functions of complex numbers, by the C library's. All compute in complex128: there are no
// vector instructions to lose, and complex64's results are right to the last place.
#include <TH/THTensorComplex.h>

#include <cmath>
#include <complex>
#include "complex_functions.hpp"
#include "kit/floats.hpp"
#include "kit/kernel.hpp"

namespace th {
namespace {

using namespace complex_functions;
using Z = std::complex<double>;  // laid out as THComplexDouble

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
Z exponential(Z z) { return std::exp(z); }
Z logarithm(Z z) { return std::log(z); }
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

void powerLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  for (int64_t i = 0; i < n; i++)
    *reinterpret_cast<Z *>(data[0] + i * strides[0]) = power(*reinterpret_cast<const Z *>(data[1] + i * strides[1]),
                                                             *reinterpret_cast<const Z *>(data[2] + i * strides[2]));
}

void polarLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  for (int64_t i = 0; i < n; i++) {
    const double length = *reinterpret_cast<const double *>(data[1] + i * strides[1]);
    const double angle = *reinterpret_cast<const double *>(data[2] + i * strides[2]);
    *reinterpret_cast<Z *>(data[0] + i * strides[0]) = polar<Z>(length, angle);
  }
}
constexpr KernelTable kPolar = [] {
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
          pointwise(kPolar, realDtype(dtype), nullptr, r, {length, angle}))
