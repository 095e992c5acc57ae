/* Kernels that work along one dimension: scans, sorting, order statistics. See THPrepare.h. */
#ifndef TH_PREPARE_ROWS_H
#define TH_PREPARE_ROWS_H

#include <TH/prepare/result.h>

/* A contiguous tensor as rows along a dimension. Row k starts at element k / stride * stride * length + k % stride, and
 * its elements are `stride` apart. */
typedef struct THRows {
  int64_t count, length, stride;
} THRows;

typedef struct THRowsPlan {
  int dim;     /* not negative */
  THRows rows; /* of the input, were it contiguous */
  int64_t k;   /* topk: how many of each row are wanted; kthvalue: which, from 1 on */
  THResult result[2]; /* values, and indices where the kernel gives such */
} THRowsPlan;

/* cumsum, cumprod, logcumsumexp: result[0] is r, which may be t. t is converted to the dtype of the computation, and what
 * comes of it to r's. */
TH_API void THPrepare_scan(THRowsPlan *plan, THTensor *r, const THTensor *t, int dim);
/* cummax, cummin: values may be t. */
TH_API void THPrepare_scanExtremum(THRowsPlan *plan, THDtype dtype, THTensor *values, THTensor *indices,
                                   const THTensor *t, int dim);
/* values may share memory with t. */
TH_API void THPrepare_sort(THRowsPlan *plan, THDtype dtype, THTensor *values, THTensor *indices, const THTensor *t,
                           int dim);
TH_API void THPrepare_topk(THRowsPlan *plan, THDtype dtype, THTensor *values, THTensor *indices, const THTensor *t,
                           int64_t k, int dim);
TH_API void THPrepare_kthvalue(THRowsPlan *plan, THDtype dtype, THTensor *values, THTensor *indices, const THTensor *t,
                               int64_t k, int dim, bool keepdim);
/* median, nanmedian, mode: `name` is the operator's, for messages. */
TH_API void THPrepare_orderStatistic(THRowsPlan *plan, const char *name, THDtype dtype, THTensor *values,
                                     THTensor *indices, const THTensor *t, int dim, bool keepdim);

/* unique and, with `slices`, uniqueSlices. How many there are is known by the elements alone: raises on TH_Meta, else the
 * caller, having counted, keeps values apart from t and gives the results their shapes. What is not wanted is NULL. */
TH_API void THPrepare_unique(THDtype dtype, THTensor *values, THTensor *inverse, THTensor *counts, const THTensor *t,
                             bool sorted, bool slices);

#endif
