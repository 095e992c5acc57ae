/* More pointwise kernels, under the rules of THTensorMath.h: functions of three operands, further
 * functions of one and two, special functions.
 *
 * Errors in units in the last place (ulp) of double, measured against mpmath: erfc 2, erfinv 4, lgamma
 * 2 (but near its zeros below -2), digamma 6 and polygamma 8 of the larger of the result and 1 (they cancel
 * near their zeros), zeta 8, i0 and i1 8, ndtr, log_ndtr, ndtri, erfcx 3, hypot 1, logaddexp 2. float and
 * the half types compute these in double: 1. For all types: exp2 3, asinh, acosh, atanh 4. logit and
 * sinc are off by the rounding of the logarithm's and the sine's argument, as torch's are. */
#ifndef TH_TENSOR_SPECIAL_H
#define TH_TENSOR_SPECIAL_H

#include <TH/THTensor.h>

/* r = t + value * src1 * src2; value must fit into T */
TH_FUNCTION(addcmul, number,
            (THTensor *r, const THTensor *t, THScalar value, const THTensor *src1, const THTensor *src2))
/* r = t + value * src1 / src2 */
TH_FUNCTION(addcdiv, floating,
            (THTensor *r, const THTensor *t, THScalar value, const THTensor *src1, const THTensor *src2))
/* r = a + weight * (b - a), exact for the weights 0 and 1 */
TH_FUNCTION(lerp, floating, (THTensor *r, const THTensor *a, const THTensor *b, THScalar weight))
TH_FUNCTION(lerpTensor, floating, (THTensor *r, const THTensor *a, const THTensor *b, const THTensor *weight))

TH_FUNCTION(erfc, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(erfinv, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(lgamma, floating, (THTensor *r, const THTensor *t)) /* log |gamma(t)| */
TH_FUNCTION(digamma, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(polygamma, floating, (THTensor *r, int64_t n, const THTensor *t)) /* n >= 0 */
TH_FUNCTION(exp2, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(asinh, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(acosh, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(atanh, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(sinc, floating, (THTensor *r, const THTensor *t)) /* sin(pi t) / (pi t) */
TH_FUNCTION(i0, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(i0e, floating, (THTensor *r, const THTensor *t)) /* exp(-|t|) i0(t) */
TH_FUNCTION(i1, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(i1e, floating, (THTensor *r, const THTensor *t))
TH_FUNCTION(entr, floating, (THTensor *r, const THTensor *t)) /* -t log t */
TH_FUNCTION(erfcx, floating, (THTensor *r, const THTensor *t)) /* exp(t^2) erfc(t) */
TH_FUNCTION(ndtr, floating, (THTensor *r, const THTensor *t))  /* of the normal distribution: P(X < t), */
TH_FUNCTION(logNdtr, floating, (THTensor *r, const THTensor *t)) /* its logarithm, */
TH_FUNCTION(ndtri, floating, (THTensor *r, const THTensor *t))   /* its inverse */
/* log(t / (1 - t)); t is limited to eps … 1 - eps unless eps is negative */
TH_FUNCTION(logit, floating, (THTensor *r, const THTensor *t, double eps))
TH_FUNCTION(roundDecimals, floating, (THTensor *r, const THTensor *t, int64_t decimals))
TH_FUNCTION(nanToNum, floating, (THTensor *r, const THTensor *t, double nan, double posinf, double neginf))
TH_FUNCTION(signbit, all, (THTensor *r, const THTensor *t))
/* t = mantissa * 2^exponent, 0.5 <= |mantissa| < 1; exponent is int32 */
TH_FUNCTION(frexp, floating, (THTensor *mantissa, THTensor *exponent, const THTensor *t))

TH_FUNCTION(hypot, floating, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(copysign, floating, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(nextafter, floating, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(ldexp, floating, (THTensor *r, const THTensor *t, const THTensor *src)) /* t * 2^src */
TH_FUNCTION(xlogy, floating, (THTensor *r, const THTensor *t, const THTensor *src)) /* t log src, 0 if t is */
TH_FUNCTION(xlog1py, floating, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(logaddexp, floating, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(logaddexp2, floating, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(zeta, floating, (THTensor *r, const THTensor *t, const THTensor *src)) /* Hurwitz's */
TH_FUNCTION(heaviside, all, (THTensor *r, const THTensor *t, const THTensor *src)) /* src where t is 0 */
TH_FUNCTION(fmax, all, (THTensor *r, const THTensor *t, const THTensor *src))      /* NaN loses */
TH_FUNCTION(fmin, all, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(gcd, integral, (THTensor *r, const THTensor *t, const THTensor *src))
TH_FUNCTION(lcm, integral, (THTensor *r, const THTensor *t, const THTensor *src))

/* r (bool) = whether |t - src| <= atol + |rtol * src|, computed in T, or t == src; NaNs are close if `nan` */
TH_API void THFloatTensor_isclose(THTensor *r, const THTensor *t, const THTensor *src, double rtol, double atol,
                                  bool nan);
TH_API void THDoubleTensor_isclose(THTensor *r, const THTensor *t, const THTensor *src, double rtol, double atol,
                                   bool nan);

/* r (bool, of t's shape) = whether t's elements are among `elements`, or are not if `invert`; NaN is among nothing */
TH_FUNCTION(isin, number, (THTensor *r, const THTensor *t, const THTensor *elements, bool invert))

/* Bessel functions, Airy's, and polynomials of degree n (0 for n < 0, NaN above a million), in double. */
TH_FUNCTION(besselJ0, float_double, (THTensor *r, const THTensor *t))
TH_FUNCTION(besselJ1, float_double, (THTensor *r, const THTensor *t))
TH_FUNCTION(besselY0, float_double, (THTensor *r, const THTensor *t))
TH_FUNCTION(besselY1, float_double, (THTensor *r, const THTensor *t))
TH_FUNCTION(besselK0, float_double, (THTensor *r, const THTensor *t))
TH_FUNCTION(besselK1, float_double, (THTensor *r, const THTensor *t))
TH_FUNCTION(scaledBesselK0, float_double, (THTensor *r, const THTensor *t))
TH_FUNCTION(scaledBesselK1, float_double, (THTensor *r, const THTensor *t))
TH_FUNCTION(sphericalBesselJ0, float_double, (THTensor *r, const THTensor *t))
TH_FUNCTION(airyAi, float_double, (THTensor *r, const THTensor *t))
TH_FUNCTION(chebyshevT, float_double, (THTensor *r, const THTensor *t, const THTensor *n))
TH_FUNCTION(chebyshevU, float_double, (THTensor *r, const THTensor *t, const THTensor *n))
TH_FUNCTION(chebyshevV, float_double, (THTensor *r, const THTensor *t, const THTensor *n))
TH_FUNCTION(chebyshevW, float_double, (THTensor *r, const THTensor *t, const THTensor *n))
TH_FUNCTION(shiftedChebyshevT, float_double, (THTensor *r, const THTensor *t, const THTensor *n))
TH_FUNCTION(shiftedChebyshevU, float_double, (THTensor *r, const THTensor *t, const THTensor *n))
TH_FUNCTION(shiftedChebyshevV, float_double, (THTensor *r, const THTensor *t, const THTensor *n))
TH_FUNCTION(shiftedChebyshevW, float_double, (THTensor *r, const THTensor *t, const THTensor *n))
TH_FUNCTION(hermiteH, float_double, (THTensor *r, const THTensor *t, const THTensor *n))
TH_FUNCTION(hermiteHe, float_double, (THTensor *r, const THTensor *t, const THTensor *n))
TH_FUNCTION(laguerreL, float_double, (THTensor *r, const THTensor *t, const THTensor *n))
TH_FUNCTION(legendreP, float_double, (THTensor *r, const THTensor *t, const THTensor *n))
/* The regularised incomplete gamma functions: the lower one, and 1 minus that. */
TH_FUNCTION(igamma, floating, (THTensor *r, const THTensor *a, const THTensor *x))
TH_FUNCTION(igammac, floating, (THTensor *r, const THTensor *a, const THTensor *x))
/* How a deviate x of the gamma distribution of shape a moves with a where its probability igamma(a, x) is kept (Figurnov,
 * Mohamed and Mnih, "Implicit reparameterization gradients", 2018). Up to shapes of 1e4 to 1e-9 of it, beyond to 1e-6. */
TH_FUNCTION(standardGammaGrad, floating, (THTensor *r, const THTensor *a, const THTensor *x))
/* The same of a coordinate x of a Dirichlet distribution, whose concentration is a, that of all coordinates `total`; over
 * 1 - x, so that times (coordinate i is this one ? 1 - x : -x_i) it is the derivative of coordinate i. */
TH_FUNCTION(dirichletGrad, floating, (THTensor *r, const THTensor *x, const THTensor *a, const THTensor *total))

#endif
