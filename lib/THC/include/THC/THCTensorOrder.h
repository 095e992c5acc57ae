/* Scans, sorting, order statistics, histograms, sets: see TH/THTensorOrder.h, THTensorSort.h. */
#ifndef THC_TENSOR_ORDER_H
#define THC_TENSOR_ORDER_H

#include <THC/THCGeneral.h>

THC_FUNCTION(cumsum, number_complex)
THC_FUNCTION(cumprod, number_complex)
THC_FUNCTION(logcumsumexp, floating_complex)
THC_FUNCTION(cummax, all)
THC_FUNCTION(cummin, all)

THC_FUNCTION(kthvalue, number)
THC_FUNCTION(median, number)
THC_FUNCTION(nanmedian, number)
THC_FUNCTION(mode, all)
THC_FUNCTION(quantile, floating)

THC_FUNCTION(bincount, integral)
THC_FUNCTION(histogram, floating)
THC_FUNCTION(histc, floating)

THC_FUNCTION(searchsorted, number)

THC_FUNCTION(unique, all)
THC_FUNCTION(uniqueSlices, all)

THC_FUNCTION(sort, all)
THC_FUNCTION(topk, all)

#endif
