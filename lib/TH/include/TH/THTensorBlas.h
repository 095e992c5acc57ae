/* Products of matrices and vectors. T is the dtype of all tensors. float and double go to BLAS,
 * half types through float, integers through a blocked loop. beta == 0 ignores t's elements
 * (NaN too; t may then be NULL, or r, whatever its shape). r may share memory with any argument. */
#ifndef TH_TENSOR_BLAS_H
#define TH_TENSOR_BLAS_H

#include <TH/THTensor.h>

TH_FUNCTION(dot, number, (THTensor *r, const THTensor *a, const THTensor *b)) /* r: 0-dim */
TH_FUNCTION(addmv, number,
            (THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *m, const THTensor *v))
TH_FUNCTION(addmm, number,
            (THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *m1, const THTensor *m2))
TH_FUNCTION(baddbmm, number,
            (THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *b1, const THTensor *b2))

TH_FUNCTION(addbmm, number_complex, /* the sum of a batch's products */
            (THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *b1, const THTensor *b2))
/* The outer product; v1 and v2 are vectors, and tensors of other dtypes are converted. */
TH_FUNCTION(addr, all_complex,
            (THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THTensor *v1, const THTensor *v2))
/* Vector products along dim, where a and b, which are broadcast, have size 3. */
TH_FUNCTION(cross, number_complex, (THTensor *r, const THTensor *a, const THTensor *b, int dim))
TH_FUNCTION(trace, number_complex, (THTensor *r, const THTensor *t)) /* r: 0-dim, of any dtype */

#endif
