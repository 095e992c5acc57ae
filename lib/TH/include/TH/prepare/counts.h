/* Histograms, searches among sorted numbers, quantiles: see THPrepare.h. The results of histogram, histc, quantile and of
 * bincount with weights may share memory with the inputs. */
#ifndef TH_PREPARE_COUNTS_H
#define TH_PREPARE_COUNTS_H

#include <TH/prepare/result.h>

/* How many bins there are is known by the elements alone: the first function raises on TH_Meta and judges the arguments,
 * the second, called with the number, what shares memory. */
TH_API void THPrepare_bincount(THDtype dtype, const THTensor *r, const THTensor *t, const THTensor *weights,
                               int64_t minlength);
TH_API void THPrepare_bincountResult(THResult *result, THTensor *r, const THTensor *t, const THTensor *weights,
                                     int64_t bins);

TH_API void THPrepare_histogram(THResult *result, THTensor *r, const THTensor *t, const THTensor *weights,
                                const THTensor *edges);
TH_API void THPrepare_histc(THResult *result, THDtype dtype, THTensor *r, const THTensor *t, int64_t bins, double low,
                            double high);
TH_API void THPrepare_searchsorted(THResult *result, THTensor *r, const THTensor *boundaries, const THTensor *values,
                                   const THTensor *sorter);
TH_API void THPrepare_quantile(THResult *result, THDtype dtype, THTensor *r, const THTensor *t, const THTensor *q);

#endif
