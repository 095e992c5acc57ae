// Elementary functions of complex numbers. All compute in complex128: one kernel for both dtypes.
#include <THC/THCTensorMath.h>
#include <THC/THCTensorSpecial.h>
#include "complex.cuh"
#include "elementwise/complex_functions.hpp"
#include "kit/pointwise.cuh"

#define UNARY (THTensor *r, const THTensor *t)
// The kernel's name, the functor's, and an expression of z.
#define ELEMENTARY(op, Name, expression)                                                       \
  namespace thc {                                                                              \
  namespace {                                                                                  \
  struct Name {                                                                                \
    __device__ THComplexDouble operator()(THComplexDouble z) const { return expression; }      \
  };                                                                                           \
  }                                                                                            \
  }                                                                                            \
  THC_DEFINE(op, complex, UNARY, thc::pointwise<T, THComplexDouble>(thc::Name{}, r, t))

ELEMENTARY(sqrt, Root, sqrt(z))
ELEMENTARY(rsqrt, InverseRoot, th::complex_functions::inverseRoot(z))
ELEMENTARY(exp, Exp, exp(z))
ELEMENTARY(exp2, Exp2, th::complex_functions::exponential2(z))
ELEMENTARY(expm1, Expm1, th::complex_functions::exponentialLess1(z))
ELEMENTARY(log, Log, log(z))
ELEMENTARY(log1p, Log1p, th::complex_functions::logarithmOf1Plus(z))
ELEMENTARY(log2, Log2, th::complex_functions::logarithm2(z))
ELEMENTARY(log10, Log10, th::complex_functions::logarithm10(z))
ELEMENTARY(sin, Sin, sin(z))
ELEMENTARY(cos, Cos, cos(z))
ELEMENTARY(tan, Tan, tan(z))
ELEMENTARY(asin, Asin, asin(z))
ELEMENTARY(acos, Acos, acos(z))
ELEMENTARY(atan, Atan, atan(z))
ELEMENTARY(sinh, Sinh, sinh(z))
ELEMENTARY(cosh, Cosh, cosh(z))
ELEMENTARY(tanh, Tanh, tanh(z))
ELEMENTARY(asinh, Asinh, asinh(z))
ELEMENTARY(acosh, Acosh, acosh(z))
ELEMENTARY(atanh, Atanh, atanh(z))
ELEMENTARY(sigmoid, Sigmoid, th::complex_functions::logistic(z))
ELEMENTARY(sgn, Sign, th::complex_functions::sign(z))
ELEMENTARY(sinc, Sinc, th::complex_functions::cardinalSine(z))

namespace thc {
namespace {

struct Power {
  __device__ THComplexDouble operator()(THComplexDouble z, THComplexDouble e) const {
    return th::complex_functions::power(z, e);
  }
};
struct Polar {
  __device__ THComplexDouble operator()(double length, double angle) const {
    return th::complex_functions::polar<THComplexDouble>(length, angle);
  }
};

}  // namespace
}  // namespace thc

THC_DEFINE(cpow, complex, (THTensor *r, const THTensor *t, const THTensor *src),
           thc::pointwise<T, THComplexDouble>(thc::Power{}, r, t, src))
THC_DEFINE(fromPolar, complex, (THTensor *r, const THTensor *length, const THTensor *angle),
           thc::pointwise<T::value_type, double>(thc::Polar{}, r, length, angle))
