/* Scans, order statistics, histograms, sets: what runs along one dimension or puts elements in order.
 *
 * T is the dtype that is computed in. Scans and searches convert inputs of other dtypes to it; the
 * others want T. NaN is the greatest, as in sort; results are made contiguous where they have to
 * change shape. Results do not depend on the number of threads. */
#ifndef TH_TENSOR_ORDER_H
#define TH_TENSOR_ORDER_H

#include <TH/THTensor.h>

/* r[i] = t[0] + … + t[i] along dim; r may be t. Floats are added in double, half types in float,
 * integers modulo 2^64. */
TH_FUNCTION(cumsum, number_complex, (THTensor *r, const THTensor *t, int dim))
TH_FUNCTION(cumprod, number_complex, (THTensor *r, const THTensor *t, int dim))
TH_FUNCTION(logcumsumexp, floating_complex, (THTensor *r, const THTensor *t, int dim))
/* With the index of the last element that was as great (small); the first NaN wins, then the last. */
TH_FUNCTION(cummax, all, (THTensor *values, THTensor *indices, const THTensor *t, int dim))
TH_FUNCTION(cummin, all, (THTensor *values, THTensor *indices, const THTensor *t, int dim))

/* The k-th smallest, k from 1, along dim, and where it stands: of equals the one that comes k-th. */
TH_FUNCTION(kthvalue, number,
            (THTensor *values, THTensor *indices, const THTensor *t, int64_t k, int dim, bool keepdim))
/* The lower one of two in the middle; a NaN is the median, for nanmedian only among nothing else. */
TH_FUNCTION(median, number, (THTensor *values, THTensor *indices, const THTensor *t, int dim, bool keepdim))
TH_FUNCTION(nanmedian, number, (THTensor *values, THTensor *indices, const THTensor *t, int dim, bool keepdim))
/* The most frequent, of several the smallest, and where it stands last. */
TH_FUNCTION(mode, all, (THTensor *values, THTensor *indices, const THTensor *t, int dim, bool keepdim))

/* r[j][i] = the quantile q[j] of row i of t, which is a sorted matrix; q is a vector of T. */
typedef enum THInterpolation {
  TH_INTERPOLATE_LINEAR,
  TH_INTERPOLATE_LOWER,
  TH_INTERPOLATE_HIGHER,
  TH_INTERPOLATE_MIDPOINT,
  TH_INTERPOLATE_NEAREST
} THInterpolation;
TH_FUNCTION(quantile, floating, (THTensor *r, const THTensor *t, const THTensor *q, int interpolation, bool ignoreNan))

/* r (int64) counts how often each number occurs in t, a vector of integers that are not negative;
 * with weights, r (float32 or float64) adds them up. r has at least minlength elements. */
TH_FUNCTION(bincount, integral, (THTensor *r, const THTensor *t, const THTensor *weights, int64_t minlength))
/* How many elements (or what weight, unless NULL) lie between neighbouring edges, an ascending
 * vector; the last bin has both its edges. `uniform`: edges are equally spaced. `exact`: and
 * an element is compared with the edges themselves, not only with their formula. */
TH_FUNCTION(histogram, floating,
            (THTensor *r, const THTensor *t, const THTensor *weights, const THTensor *edges, bool uniform, bool exact))
/* The same for `bins` bins from low to high; low = high: from the smallest to the greatest element. */
TH_FUNCTION(histc, floating, (THTensor *r, const THTensor *t, int64_t bins, double low, double high))

/* Where each value would go in its sorted row of boundaries (or in the only one): before equals, or
 * behind them if `right`. r is int32 or int64. sorter: NULL, or the order in which boundaries are sorted. */
TH_FUNCTION(searchsorted, number,
            (THTensor *r, const THTensor *boundaries, const THTensor *values, const THTensor *sorter, bool right))

/* Different elements in ascending order (or, not `sorted`, runs of equal ones as they come), where
 * each element of t went, and how many went there. inverse and counts may be NULL. */
TH_FUNCTION(unique, all, (THTensor *values, THTensor *inverse, THTensor *counts, const THTensor *t, bool sorted))
/* The same of the slices along dimension 0. */
TH_FUNCTION(uniqueSlices, all, (THTensor *values, THTensor *inverse, THTensor *counts, const THTensor *t, bool sorted))

#endif
