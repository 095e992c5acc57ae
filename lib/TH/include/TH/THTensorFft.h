/* Fourier transforms along one dimension, by pocketfft. Several dimensions are transformed one after the other.
 *
 * The transform of x is y[k] = scale * sum of x[j] exp(-2 pi i jk / n), that with `forward` false has +2 pi i.
 * Along `dim` the input is cut, or continued with zeros, to what n asks for, and the result is resized to what n
 * gives; in the other dimensions they agree. No element of the result may lie in the input's memory, unless
 * both are the same tensor and keep their shape. */
#ifndef TH_TENSOR_FFT_H
#define TH_TENSOR_FFT_H

#include <TH/THTensor.h>

TH_FUNCTION(fftC2C, complex, (THTensor *r, const THTensor *t, int dim, int64_t n, bool forward, double scale))
/* t is real. Of the result, whose second half mirrors the first, `onesided` leaves the first n / 2 + 1 elements. */
TH_FUNCTION(fftR2C, complex,
            (THTensor *r, const THTensor *t, int dim, int64_t n, bool forward, double scale, bool onesided))
/* r is real, of n elements; t is the first n / 2 + 1 elements of what would have to be transformed for that. */
TH_FUNCTION(fftC2R, complex, (THTensor *r, const THTensor *t, int dim, int64_t n, bool forward, double scale))

/* t: (signals, pieces, elements); r: signals in which each piece was added `hop` elements after the one before. */
TH_FUNCTION(overlapAdd, lapack, (THTensor *r, const THTensor *t, int64_t hop))

#endif
