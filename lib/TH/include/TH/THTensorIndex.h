/* Moving elements by index. Where there is no arithmetic (all but scatterAdd … scatterAmin), one
 * function serves every dtype; tensors that exchange elements must have the same dtype. Index tensors are int64
 * (int32 too where noted). An index out of range raises before anything is written: TH_ERROR_INDEX,
 * but TH_ERROR_RUNTIME in gather and scatter, as torch does. */
#ifndef TH_TENSOR_INDEX_H
#define TH_TENSOR_INDEX_H

#include <TH/THTensor.h>

/* raises TH_ERROR_INDEX in the name of a function unless index has one dimension or none: indexSelect and indexAdd do so */
TH_API void THTensor_checkIndex(const THTensor *index, const char *function);
TH_API void THTensor_indexSelect(THTensor *r, const THTensor *t, int dim,
                                 const THTensor *index); /* index 1-dim, int64 or int32 */
/* index int64 or int32; it may be smaller than t, and gives r its shape. Of several elements that
 * are scattered to one place the last along dim stays. */
TH_API void THTensor_gather(THTensor *r, const THTensor *t, int dim, const THTensor *index);
TH_API void THTensor_scatter(THTensor *self, int dim, const THTensor *index, const THTensor *src);
TH_API void THTensor_scatterFill(THTensor *self, int dim, const THTensor *index, THScalar value);

/* self[index[i]…] = self[index[i]…] op src[i]…, elements that meet at one place in the order of dim,
 * for any number of threads; half types are added up in float and rounded once */
TH_FUNCTION(scatterAdd, all_complex, (THTensor *self, int dim, const THTensor *index, const THTensor *src))
TH_FUNCTION(scatterProd, all_complex, (THTensor *self, int dim, const THTensor *index, const THTensor *src))
TH_FUNCTION(scatterAmax, all, (THTensor *self, int dim, const THTensor *index, const THTensor *src)) /* NaN wins */
TH_FUNCTION(scatterAmin, all, (THTensor *self, int dim, const THTensor *index, const THTensor *src))

/* t[indices[0], indices[1], …] as NumPy does it: indices[d] belongs to dimension d of t, NULL takes
 * all of it. Integer index tensors (int64, int32, int16, int8) broadcast together; their shape stands
 * where the first of them stood if they are neighbours, else in front. Negative indices count from
 * the end. Masks must have been turned into indices by nonzero before. */
TH_API void THTensor_index(THTensor *r, const THTensor *t, int n, const THTensor *const *indices);
/* self[indices…] = value (broadcast); the last of duplicates stays; with accumulate all are added */
TH_API void THTensor_indexPut(THTensor *self, int n, const THTensor *const *indices, const THTensor *value,
                              bool accumulate);

/* Slices along dim: self's slice index[i] = slice i of src, += slice i of src, = value. index has one dimension or none;
 * it is int64, for indexAdd int32 too. Of slices that meet at one place the last stays, or all are added in turn. Only
 * indexFill counts negative indices from the end. */
TH_API void THTensor_indexCopy(THTensor *self, int dim, const THTensor *index, const THTensor *src);
TH_API void THTensor_indexAdd(THTensor *self, int dim, const THTensor *index, const THTensor *src);
TH_API void THTensor_indexFill(THTensor *self, int dim, const THTensor *index, THScalar value);

TH_API void THTensor_nonzero(THTensor *r, const THTensor *t); /* r: int64, (count, t.ndim), row-major order */
TH_API void THTensor_maskedSelect(THTensor *r, const THTensor *t, const THTensor *mask); /* both broadcast */
TH_API void THTensor_maskedCopy(THTensor *self, const THTensor *mask,
                                const THTensor *src); /* the next element of src where mask is true */
/* t with zeros above (below) diagonal k of each matrix of its last two dimensions; r may be t */
TH_API void THTensor_tril(THTensor *r, const THTensor *t, int64_t k);
TH_API void THTensor_triu(THTensor *r, const THTensor *t, int64_t k);
TH_API void THTensor_diag(THTensor *r, const THTensor *t,
                          int64_t k); /* of a vector the matrix with it on diagonal k; of a matrix diagonal k */
TH_API void THTensor_cat(THTensor *r, int n, const THTensor *const *tensors,
                         int dim); /* 1-dim empty ones are skipped; dtypes may differ from r's */
/* r, of t's dtype and shape, becomes t with the elements along the dimensions of the bit mask in reverse order. */
TH_API void THTensor_flip(THTensor *r, const THTensor *t, uint64_t dims);

#endif
