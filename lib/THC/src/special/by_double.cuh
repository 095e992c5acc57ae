// Functions of one operand that compute in double, whatever the dtype.
#pragma once

#include "kit/pointwise.cuh"

#define UNARY (THTensor *r, const THTensor *t)
// The kernel's name and dtypes, the functor's name, and an expression of x, a double.
#define BY_DOUBLE(op, dtypes, Name, expression)                         \
  namespace thc {                                                       \
  namespace {                                                           \
  struct Name {                                                         \
    __device__ double operator()(double x) const { return expression; } \
  };                                                                    \
  }                                                                     \
  }                                                                     \
  THC_DEFINE(op, dtypes, UNARY, thc::pointwise<T, double>(thc::Name{}, r, t))
