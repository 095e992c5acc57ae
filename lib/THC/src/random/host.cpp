// Random numbers whose steps follow one another, or which draw as many words as they need: TH computes them on the host,
// so they are the CPU's, and copies move arguments and results. Complex ones: their parts.
#include <THC/THCTensorCopy.h>
#include <THC/THCTensorRandom.h>
#include <TH/THPrepare.h>
#include <TH/THTensorComplex.h>

#include <cmath>

#include "kit/failure.cuh"
#include "kit/operands.hpp"

namespace thc {
namespace {

using th::dtypeOf;

Ref onHost(const THTensor *t) {
  Ref copy(THTensor_newWithSize(dtypeOf(t), t->ndim, t->size));
  THCTensor_copy(copy, t);
  return copy;
}

// r, which `shape` is for, becomes what run(tensor of the host) leaves.
template <class Run>
void byHost(const THResult &shape, const Run &run) {
  const Ref made(THTensor_newWithSize(dtypeOf(shape.tensor), shape.ndim, shape.size));
  run(made);
  THResult_resize(&shape, 1);
  THCTensor_copy(shape.tensor, made);
}

// The same memory as real numbers, with one more dimension for the two parts.
Ref partsOf(const THTensor *t) {
  int64_t size[TH_MAX_DIM + 1], stride[TH_MAX_DIM + 1];
  for (int d = 0; d < t->ndim; d++) size[d] = t->size[d], stride[d] = TH_saturatedProduct(t->stride[d], 2);
  size[t->ndim] = 2, stride[t->ndim] = 1;
  return Ref(THTensor_newWithStorage(th::realDtype(dtypeOf(t)), t->storage, TH_saturatedProduct(t->offset, 2),
                                     t->ndim + 1, size, stride));
}

// As TH's complex functions, which take any complex dtype.
void uniformParts(THTensor *self, THGenerator *generator, double from, double to) {
  const Ref parts = partsOf(self);
  const auto fill = dtypeOf(parts) == TH_Half    ? THCudaHalfTensor_uniform
                    : dtypeOf(parts) == TH_Float ? THCudaTensor_uniform
                                                 : THCudaDoubleTensor_uniform;
  fill(parts, generator, from, to);
}
void normalParts(THTensor *self, THGenerator *generator, double mean, double std) {
  const Ref parts = partsOf(self);
  const auto fill = dtypeOf(parts) == TH_Half    ? THCudaHalfTensor_normal
                    : dtypeOf(parts) == TH_Float ? THCudaTensor_normal
                                                 : THCudaDoubleTensor_normal;
  fill(parts, generator, mean, std * M_SQRT1_2);  // each part has half of the variance
}

}  // namespace
}  // namespace thc

using namespace thc;

#define RANDPERM(Name, _)                                                            \
  void THC_TENSOR(Name, randperm)(THTensor * r, THGenerator * generator, int64_t n) { \
    const Operator named("randperm"); \
    THResult shape;                                                                  \
    THPrepare_randperm(&shape, TH_##Name, r, n);                                     \
    byHost(shape, [&](THTensor *made) { TH##Name##Tensor_randperm(made, generator, n); }); \
  }
TH_FOR_number(RANDPERM, )

#define POISSON(Name, _)                                                                              \
  void THC_TENSOR(Name, poisson)(THTensor * r, const THTensor *rate, THGenerator *generator) {        \
    const Operator named("poisson"); \
    requireOneDevice({r}, {rate});                                                                    \
    THResult shape;                                                                                   \
    THPrepare_poisson(&shape, TH_##Name, r, rate);                                                    \
    byHost(shape, [&](THTensor *made) { TH##Name##Tensor_poisson(made, onHost(rate), generator); }); \
  }
TH_FOR_floating(POISSON, )

#define BINOMIAL(Name, _)                                                                                     \
  void THC_TENSOR(Name, binomial)(THTensor * r, const THTensor *count, const THTensor *prob,                  \
                                  THGenerator *generator) {                                                   \
    const Operator named("binomial"); \
    requireOneDevice({r}, {count, prob});                                                                     \
    THResult shape;                                                                                           \
    THPrepare_binomial(&shape, TH_##Name, r, count, prob);                                                    \
    byHost(shape,                                                                                             \
           [&](THTensor *made) { TH##Name##Tensor_binomial(made, onHost(count), onHost(prob), generator); }); \
  }
TH_FOR_float_double(BINOMIAL, )

#define MULTINOMIAL(Name, _)                                                                              \
  void THC_TENSOR(Name, multinomial)(THTensor * r, const THTensor *weights, int64_t n, bool replacement,  \
                                     THGenerator *generator) {                                            \
    const Operator named("multinomial"); \
    requireOneDevice({r}, {weights});                                                                     \
    THResult shape;                                                                                       \
    THPrepare_multinomial(&shape, TH_##Name, r, weights, n, replacement);                                 \
    byHost(shape, [&](THTensor *made) {                                                                   \
      TH##Name##Tensor_multinomial(made, onHost(weights), n, replacement, generator);                     \
    });                                                                                                   \
  }
    TH_FOR_floating(MULTINOMIAL, )

#define COMPLEX_PARTS(Name, _)                                                                              \
  void THC_TENSOR(Name, uniform)(THTensor * self, THGenerator * generator, double from, double to) {         \
    uniformParts(self, generator, from, to);                                                                 \
  }                                                                                                          \
  void THC_TENSOR(Name, normal)(THTensor * self, THGenerator * generator, double mean, double std) {         \
    normalParts(self, generator, mean, std);                                                                 \
  }
TH_FOR_complex(COMPLEX_PARTS, )
