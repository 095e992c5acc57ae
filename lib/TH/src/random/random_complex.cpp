// Random complex numbers: random parts.
#include <TH/THTensorComplex.h>

#include <algorithm>
#include <cmath>
#include "kit/tensor.hpp"

namespace th {
namespace {

// The same memory as real numbers, with one more dimension for the two parts.
Ref partsOf(const THTensor *t) {
  int64_t size[TH_MAX_DIM + 1], stride[TH_MAX_DIM + 1];
  for (int d = 0; d < t->ndim; d++) size[d] = t->size[d], stride[d] = TH_saturatedProduct(t->stride[d], 2);
  size[t->ndim] = 2, stride[t->ndim] = 1;
  return Ref(THTensor_newWithStorage(realDtype(dtypeOf(t)), t->storage, TH_saturatedProduct(t->offset, 2), t->ndim + 1,
                                     size, stride));
}

void uniform(THTensor *self, THGenerator *generator, double from, double to) {
  const Ref parts = partsOf(self);
  const auto fill = dtypeOf(parts) == TH_Half    ? THHalfTensor_uniform
                    : dtypeOf(parts) == TH_Float ? THFloatTensor_uniform
                                                 : THDoubleTensor_uniform;
  fill(parts, generator, from, to);
}

// Each part has half of the variance.
void normal(THTensor *self, THGenerator *generator, double mean, double std) {
  const Ref parts = partsOf(self);
  const auto fill = dtypeOf(parts) == TH_Half    ? THHalfTensor_normal
                    : dtypeOf(parts) == TH_Float ? THFloatTensor_normal
                                                 : THDoubleTensor_normal;
  // As PyTorch rounds it, where its bits are asked for.
  const double part = THGenerator_kind(generator) == TH_MT19937 ? std / std::sqrt(2.0) : std * M_SQRT1_2;
  fill(parts, generator, mean, part);
}

}  // namespace
}  // namespace th

TH_DEFINE(uniform, complex, (THTensor *self, THGenerator *generator, double from, double to),
          th::uniform(self, generator, from, to))
TH_DEFINE(normal, complex, (THTensor *self, THGenerator *generator, double mean, double std),
          th::normal(self, generator, mean, std))
