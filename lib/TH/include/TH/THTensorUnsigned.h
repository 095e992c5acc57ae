/* What unsigned integers wider than 8 bits compute otherwise than signed ones of their width: order, quotients, the bits that
 * a shift lets in, numbers of a range. One kernel, in uint64, serves all three, because kernels convert operands and results;
 * the bits of a sum, a product or a mask are those that the signed dtypes' kernels give. */
#ifndef TH_TENSOR_UNSIGNED_H
#define TH_TENSOR_UNSIGNED_H

#include <TH/THRandom.h>
#include <TH/THTensor.h>

#define TH_FOR_uint64(X, ...) X(UInt64, __VA_ARGS__)

TH_FUNCTION(cdivTrunc, uint64, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(cdivFloor, uint64, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(cremainder, uint64, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(cfmod, uint64, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(cpow, uint64, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(crshift, uint64, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(gcd, uint64, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(lcm, uint64, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(cmax, uint64, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(cmin, uint64, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(fmax, uint64, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(fmin, uint64, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(clamp, uint64, (THTensor *r, const THTensor *t, const THTensor *low, const THTensor *high))
TH_FUNCTION(abs, uint64, (THTensor *r, const THTensor *t))
TH_FUNCTION(sign, uint64, (THTensor *r, const THTensor *t))
TH_FUNCTION(heaviside, uint64, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(ltTensor, uint64, (THTensor *r, const THTensor *a, const THTensor *b))
TH_FUNCTION(leTensor, uint64, (THTensor *r, const THTensor *a, const THTensor *b))
TH_FUNCTION(gtTensor, uint64, (THTensor *r, const THTensor *a, const THTensor *b))
TH_FUNCTION(geTensor, uint64, (THTensor *r, const THTensor *a, const THTensor *b))
TH_FUNCTION(arange, uint64, (THTensor *r, THScalar start, THScalar end, THScalar step))
TH_FUNCTION(range, uint64, (THTensor *r, THScalar start, THScalar end, THScalar step))
TH_FUNCTION(linspace, uint64, (THTensor *r, THScalar start, THScalar end, int64_t steps))
TH_FUNCTION(logspace, uint64, (THTensor *r, THScalar start, THScalar end, int64_t steps, double base))
TH_FUNCTION(randperm, uint64, (THTensor *r, THGenerator *generator, int64_t n))

#endif
