// Elementary functions, by the toolkit's library: right to 2 units in the last place, as it documents.
#include <THC/THCTensorMath.h>
#include <THC/THCTensorSpecial.h>
#include "kit/pointwise.cuh"

#define UNARY (THTensor *r, const THTensor *t)
// The kernel's name, the functor's, and an expression of x, a float or a double.
#define ELEMENTARY(op, Name, expression)             \
  namespace thc {                                    \
  namespace {                                        \
  struct Name {                                      \
    template <class C>                               \
    __device__ C operator()(C x) const {             \
      return expression;                             \
    }                                                \
  };                                                 \
  }                                                  \
  }                                                  \
  THC_DEFINE(op, floating, UNARY, thc::pointwise<T>(thc::Name{}, r, t))

ELEMENTARY(exp, Exp, std::exp(x))
ELEMENTARY(expm1, Expm1, std::expm1(x))
ELEMENTARY(log, Log, std::log(x))
ELEMENTARY(log1p, Log1p, std::log1p(x))
ELEMENTARY(log2, Log2, std::log2(x))
ELEMENTARY(log10, Log10, std::log10(x))
ELEMENTARY(sin, Sin, std::sin(x))
ELEMENTARY(cos, Cos, std::cos(x))
ELEMENTARY(tan, Tan, std::tan(x))
ELEMENTARY(asin, Asin, std::asin(x))
ELEMENTARY(acos, Acos, std::acos(x))
ELEMENTARY(atan, Atan, std::atan(x))
ELEMENTARY(sinh, Sinh, std::sinh(x))
ELEMENTARY(cosh, Cosh, std::cosh(x))
ELEMENTARY(tanh, Tanh, std::tanh(x))
ELEMENTARY(sigmoid, Sigmoid, C(1) / (C(1) + std::exp(-x)))
ELEMENTARY(erf, Erf, std::erf(x))
ELEMENTARY(exp2, Exp2, std::exp2(x))
ELEMENTARY(asinh, Asinh, std::asinh(x))
ELEMENTARY(acosh, Acosh, std::acosh(x))
ELEMENTARY(atanh, Atanh, std::atanh(x))
ELEMENTARY(erfc, Erfc, std::erfc(x))
ELEMENTARY(lgamma, Lgamma, std::lgamma(x))
