/* Pointwise kernels with a number or a list among their arguments: see THPrepare.h. Once that is judged, what is left of
 * their prepare is THPrepare_pointwise. */
#ifndef TH_PREPARE_NUMBERS_H
#define TH_PREPARE_NUMBERS_H

#include <TH/prepare/pointwise.h>

/* The number of addcmul, addcdiv and lerp. `element`, of the dtype's size and alignment, becomes it in the dtype (of half
 * types in float), unless r has no memory; raises if that cannot hold it. */
TH_API void THPrepare_number(void *element, THDtype dtype, const THTensor *r, THScalar value);

/* cpow: is the exponent one number of the host's, for which there may be a shorter way? Reads that element. Raises where Python gave an integer
 * below 0 for a power of integers. */
TH_API bool THPrepare_exponent(THScalar *exponent, THDtype dtype, const THTensor *src);

/* isin: the operands are r and t; all of `elements` are looked up for each. */
TH_API bool THPrepare_isin(THPointwisePlan *plan, THDtype dtype, THTensor *r, const THTensor *t,
                           const THTensor *elements);

#endif
