/* Kernels of complex tensors. Where the name is that of a kernel in another header, so are arguments and
 * rules; the result of abs and arg is real. Elementary functions compute in complex128. */
#ifndef TH_TENSOR_COMPLEX_H
#define TH_TENSOR_COMPLEX_H

#include <TH/THRandom.h>

TH_FUNCTION(cadd, complex, (THTensor *r, const THTensor *t, THScalar value, const THTensor *src))
TH_FUNCTION(csub, complex, (THTensor *r, const THTensor *t, THScalar value, const THTensor *src))
TH_FUNCTION(cmul, complex, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(cdiv, complex, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(cpow, complex, (THTensor *r, const THTensor *t, const THTensor *src))

TH_FUNCTION(eqTensor, complex, (THTensor *r, const THTensor *a, const THTensor *b))
TH_FUNCTION(neTensor, complex, (THTensor *r, const THTensor *a, const THTensor *b))

TH_FUNCTION(conj, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(abs, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(arg, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(sgn, complex, (THTensor *r, const THTensor *t)) /* t / |t|; 0 for 0 */
TH_FUNCTION(neg, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(square, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(cinv, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(sqrt, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(rsqrt, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(exp, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(exp2, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(expm1, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(log, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(log1p, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(log2, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(log10, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(sin, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(cos, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(tan, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(asin, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(acos, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(atan, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(sinh, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(cosh, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(tanh, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(asinh, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(acosh, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(atanh, complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(sigmoid, complex, (THTensor *r, const THTensor *t))

/* r = t + value * src1 * src2; r = t + value * src1 / src2; r = a + weight * (b - a); sin(pi t) / (pi t) */
TH_FUNCTION(addcmul, complex,
            (THTensor *r, const THTensor *t, THScalar value, const THTensor *src1, const THTensor *src2))
TH_FUNCTION(addcdiv, complex,
            (THTensor *r, const THTensor *t, THScalar value, const THTensor *src1, const THTensor *src2))
TH_FUNCTION(lerp, complex, (THTensor *r, const THTensor *a, const THTensor *b, THScalar weight))
TH_FUNCTION(lerpTensor, complex, (THTensor *r, const THTensor *a, const THTensor *b, const THTensor *weight))
TH_FUNCTION(sinc, complex, (THTensor *r, const THTensor *t))

/* r = real + i imag; r = length (cos angle + i sin angle): of real tensors */
TH_FUNCTION(fromParts, complex, (THTensor *r, const THTensor *real, const THTensor *imag))
TH_FUNCTION(fromPolar, complex, (THTensor *r, const THTensor *length, const THTensor *angle))
TH_FUNCTION(linspace, complex, (THTensor *r, THScalar start, THScalar end, int64_t steps))

/* both parts are random; std is that of the whole */
TH_FUNCTION(uniform, complex, (THTensor *self, THGenerator *generator, double from, double to))
TH_FUNCTION(normal, complex, (THTensor *self, THGenerator *generator, double mean, double std))

TH_FUNCTION(sum, complex, (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim))
TH_FUNCTION(prod, complex, (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim))
TH_FUNCTION(mean, complex, (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim))

TH_FUNCTION(dot, complex, (THTensor *r, const THTensor *a, const THTensor *b)) /* nothing is conjugated */
TH_FUNCTION(addmv, complex,
            (THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *m, const THTensor *v))
TH_FUNCTION(addmm, complex,
            (THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *m1, const THTensor *m2))
TH_FUNCTION(baddbmm, complex,
            (THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *b1, const THTensor *b2))

#endif
