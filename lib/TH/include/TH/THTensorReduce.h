/* Reductions.
 *
 * T is the dtype that is computed in (half types accumulate in float); input and result may have
 * any dtype and are converted. `dims` has bit d set for each dimension to reduce; TH_ALL_DIMS
 * means every one, whatever their number. With keepdim a reduced dimension stays, of size 1.
 * Results do not depend on the number of threads: the tree of partial results is fixed by the
 * shape alone. */
#ifndef TH_TENSOR_REDUCE_H
#define TH_TENSOR_REDUCE_H

#include <TH/THTensor.h>

#define TH_ALL_DIMS (~(uint64_t)0)

TH_FUNCTION(sum, number, (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim))
TH_FUNCTION(prod, number, (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim))
TH_FUNCTION(mean, floating, (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim))
/* the sum of what is not NaN */
TH_FUNCTION(nansum, floating, (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim))
/* Squared distances from the mean, divided by count - correction (0 where that is negative); the
 * root of that for std. Computed in double. r or mean may be NULL. */
TH_FUNCTION(var, floating,
            (THTensor *r, THTensor *mean, const THTensor *t, uint64_t dims, bool keepdim, double correction))
TH_FUNCTION(std, floating,
            (THTensor *r, THTensor *mean, const THTensor *t, uint64_t dims, bool keepdim, double correction))
/* (|t|^p summed up)^(1/p); p = 0 counts nonzero elements, p = inf (-inf) takes the greatest (smallest) */
TH_FUNCTION(norm, floating, (THTensor *r, const THTensor *t, double p, uint64_t dims, bool keepdim))
/* the norm of a - b */
TH_FUNCTION(dist, floating, (THTensor *r, const THTensor *a, const THTensor *b, double p))
/* Slices along dim whose norm is greater than maxnorm are scaled down to it; r may be t. */
TH_FUNCTION(renorm, floating, (THTensor *r, const THTensor *t, double p, int dim, double maxnorm))
/* NaN wins; an empty reduced extent raises TH_ERROR_INDEX */
TH_FUNCTION(amax, all, (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim))
TH_FUNCTION(amin, all, (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim))
TH_FUNCTION(any, all_complex, (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim))
TH_FUNCTION(all, all_complex, (THTensor *r, const THTensor *t, uint64_t dims, bool keepdim))

/* Along one dimension, with the index (int64) of the first extreme element; the first NaN wins. */
TH_FUNCTION(max, all, (THTensor *values, THTensor *indices, const THTensor *t, int dim, bool keepdim))
TH_FUNCTION(min, all, (THTensor *values, THTensor *indices, const THTensor *t, int dim, bool keepdim))
/* Index only. `flat` reduces the whole tensor, in row-major order, and ignores dim. */
TH_FUNCTION(argmax, all, (THTensor *indices, const THTensor *t, int dim, bool keepdim, bool flat))
TH_FUNCTION(argmin, all, (THTensor *indices, const THTensor *t, int dim, bool keepdim, bool flat))

TH_API bool THTensor_equal(const THTensor *a, const THTensor *b); /* same shape and elements; dtypes must be equal */

#endif
