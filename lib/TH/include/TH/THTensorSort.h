/* Order along one dimension. T is the dtype of t and of values; indices are int64. NaN is the
 * largest, -0 equals 0. Equal elements keep their order, and topk takes the first of them, whether
 * `stable` is asked for or not. values may be t. */
#ifndef TH_TENSOR_SORT_H
#define TH_TENSOR_SORT_H

#include <TH/THTensor.h>

TH_FUNCTION(sort, all, (THTensor *values, THTensor *indices, const THTensor *t, int dim, bool descending, bool stable))
/* The k largest (smallest); `sorted`: best first, else in any order. */
TH_FUNCTION(topk, all,
            (THTensor *values, THTensor *indices, const THTensor *t, int64_t k, int dim, bool largest, bool sorted))

#endif
