/* The first half of products (TH/THPrepare.h says what that is): raises where sizes do not fit. Looks at no
 * element. */
#ifndef THS_PREPARE_H
#define THS_PREPARE_H

#include <THS/THSTensor.h>

TH_API void THSPrepare_product(const THTensor *a, const THTensor *b); /* of spaddmm and spgemm: a × b */
TH_API void THSPrepare_sampled(const THTensor *a, const THTensor *b, const THSTensor *pattern);
TH_API void THSPrepare_trsm(const THTensor *b, const THSTensor *a);

#endif
