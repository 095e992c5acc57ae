// Orthogonal polynomials, in double.
#include <THC/THCTensorSpecial.h>
#include "kit/pointwise.cuh"
#include "special/polynomials.hpp"

#define POLYNOMIAL(op, expression)                                                                     \
  namespace thc {                                                                                      \
  namespace {                                                                                          \
  template <class T>                                                                                   \
  struct Of_##op {                                                                                     \
    __device__ double operator()(double x, double n) const { return expression; }                      \
  };                                                                                                   \
  }                                                                                                    \
  }                                                                                                    \
  THC_DEFINE(op, float_double, (THTensor *r, const THTensor *t, const THTensor *n),                    \
             thc::pointwise<T, double>(thc::Of_##op<T>{}, r, t, n))
TH_POLYNOMIALS(POLYNOMIAL)
