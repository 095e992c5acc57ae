/* Pointwise kernels.
 *
 * The function's dtype T is the one that is computed in. Inputs and results may have any dtype:
 * the iterator converts them, block by block. Inputs are broadcast. A result that is also an
 * input (the same pointer) is written in place and must have the broadcast shape already; any
 * other result is resized to it, and then lies in memory as the inputs do. A result that overlaps
 * itself, or an input other than exactly, is refused (between views that are not dense, partial
 * overlap is not looked for). Comparisons and predicates compute in T and give bool.
 * Half types compute in float and round once; +, -, * and / take a one-element input of another
 * dtype at its full precision there, as torch takes numbers.
 * Errors of elementary functions stay below 4 units in the last place. */
#ifndef TH_TENSOR_MATH_H
#define TH_TENSOR_MATH_H

#include <TH/THTensor.h>

/* r = t + value * src */
TH_FUNCTION(cadd, all, (THTensor *r, const THTensor *t, THScalar value, const THTensor *src))
TH_FUNCTION(csub, number, (THTensor *r, const THTensor *t, THScalar value, const THTensor *src))
TH_FUNCTION(cmul, all, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(cdiv, floating, (THTensor *r, const THTensor *t, const THTensor *src))
/* quotient rounded towards zero, towards minus infinity; integers raise "ZeroDivisionError" before anything is written */
TH_FUNCTION(cdivTrunc, number, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(cdivFloor, number, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(cremainder, number, (THTensor *r, const THTensor *t, const THTensor *src)) /* sign of src */
TH_FUNCTION(cfmod, number, (THTensor *r, const THTensor *t, const THTensor *src))      /* sign of t */
TH_FUNCTION(cpow, number,
            (THTensor *r, const THTensor *t,
             const THTensor *src)) /* a negative TH_WRAPPED_NUMBER is no exponent for integers */
TH_FUNCTION(cmax, all, (THTensor *r, const THTensor *t, const THTensor *src)) /* NaN wins */
TH_FUNCTION(cmin, all, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(atan2, floating, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(cbitand, bits, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(cbitor, bits, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(cbitxor, bits, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(clshift, integral, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(crshift, integral, (THTensor *r, const THTensor *t, const THTensor *src))

TH_FUNCTION(ltTensor, all, (THTensor *r, const THTensor *a, const THTensor *b))
TH_FUNCTION(leTensor, all, (THTensor *r, const THTensor *a, const THTensor *b))
TH_FUNCTION(gtTensor, all, (THTensor *r, const THTensor *a, const THTensor *b))
TH_FUNCTION(geTensor, all, (THTensor *r, const THTensor *a, const THTensor *b))
TH_FUNCTION(eqTensor, all, (THTensor *r, const THTensor *a, const THTensor *b))
TH_FUNCTION(neTensor, all, (THTensor *r, const THTensor *a, const THTensor *b))
TH_FUNCTION(logicalAnd, all_complex, (THTensor *r, const THTensor *a, const THTensor *b))
TH_FUNCTION(logicalOr, all_complex, (THTensor *r, const THTensor *a, const THTensor *b))
TH_FUNCTION(logicalXor, all_complex, (THTensor *r, const THTensor *a, const THTensor *b))
TH_FUNCTION(logicalNot, all_complex, (THTensor *r, const THTensor *t))
TH_FUNCTION(isnan, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(isinf, floating, (THTensor *r, const THTensor *t))

TH_FUNCTION(neg, number, (THTensor *r, const THTensor *t))
TH_FUNCTION(abs, number, (THTensor *r, const THTensor *t))
TH_FUNCTION(sign, all, (THTensor *r, const THTensor *t))
TH_FUNCTION(square, number, (THTensor *r, const THTensor *t))
TH_FUNCTION(bitnot, bits, (THTensor *r, const THTensor *t))
TH_FUNCTION(exp, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(expm1, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(log, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(log1p, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(log2, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(log10, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(sqrt, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(rsqrt, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(sin, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(cos, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(tan, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(asin, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(acos, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(atan, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(sinh, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(cosh, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(tanh, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(sigmoid, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(erf, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(floor, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(ceil, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(round, floating, (THTensor *r, const THTensor *t)) /* ties to even */
TH_FUNCTION(trunc, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(frac, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(cinv, floating, (THTensor *r, const THTensor *t)) /* 1 / t */

/* bounds may be tensors of any shape that broadcasts; NULL: no bound. NaN stays NaN. */
TH_FUNCTION(clamp, all, (THTensor *r, const THTensor *t, const THTensor *low, const THTensor *high))

/* r = condition ? a : b; a and b of any dtype, r of its own: no arithmetic, so no T in the name */
TH_API void THTensor_where(THTensor *r, const THTensor *condition, const THTensor *a, const THTensor *b);
/* self[mask] = value, in place; mask is bool and broadcasts to self */
TH_API void THTensor_maskedFill(THTensor *self, const THTensor *mask, THScalar value);

/* ---- filling by a formula. The result has its shape already, or (arange, linspace, eye) gets it. ---- */
TH_FUNCTION(arange, number, (THTensor *r, THScalar start, THScalar end, THScalar step))
TH_FUNCTION(linspace, number, (THTensor *r, THScalar start, THScalar end, int64_t steps))
TH_FUNCTION(range, number, (THTensor *r, THScalar start, THScalar end, THScalar step)) /* with `end` */
TH_FUNCTION(logspace, number, (THTensor *r, THScalar start, THScalar end, int64_t steps, double base))
TH_FUNCTION(eye, all_complex, (THTensor *r, int64_t rows, int64_t columns))

#endif
