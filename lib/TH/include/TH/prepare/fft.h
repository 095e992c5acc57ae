/* Fourier transforms along one dimension: see THPrepare.h. */
#ifndef TH_PREPARE_FFT_H
#define TH_PREPARE_FFT_H

#include <TH/prepare/result.h>

/* r may be t. From elements of one dtype to those of another, real or complex; dim is not negative. `onesided`: of a result whose
 * second half mirrors the first, only the first n / 2 + 1 elements. */
TH_API void THPrepare_fft(THResult *result, THDtype to, THDtype from, THTensor *r, const THTensor *t, int dim,
                          int64_t n, bool onesided);
TH_API void THPrepare_overlapAdd(THResult *result, THDtype dtype, THTensor *r, const THTensor *t, int64_t hop);

#endif
