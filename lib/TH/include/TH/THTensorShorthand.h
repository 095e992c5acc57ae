/* Shorthands for programs in C: each function is a line over one of another header. They have the names that TH had
 * them under in 2017; docs/th-names.toml says what became of the others. */
#ifndef TH_TENSOR_SHORTHAND_H
#define TH_TENSOR_SHORTHAND_H

#include <TH/THRandom.h>
#include <TH/THTensor.h>

/* ---- a tensor's fields ---------------------------------------------------------------------------- */
TH_API int THTensor_nDimension(const THTensor *self);
TH_API int64_t THTensor_nElement(const THTensor *self);
TH_API int64_t THTensor_storageOffset(const THTensor *self);
TH_API THStorage *THTensor_storage(const THTensor *self); /* borrowed */
TH_API bool THTensor_isSize(const THTensor *self, int ndim, const int64_t *size);

/* ---- a fixed number of dimensions ------------------------------------------------------------------- */
TH_API THTensor *THTensor_newWithSize1d(THDtype dtype, int64_t size0);
TH_API THTensor *THTensor_newWithSize2d(THDtype dtype, int64_t size0, int64_t size1);
TH_API THTensor *THTensor_newWithSize3d(THDtype dtype, int64_t size0, int64_t size1, int64_t size2);
TH_API THTensor *THTensor_newWithSize4d(THDtype dtype, int64_t size0, int64_t size1, int64_t size2, int64_t size3);
TH_API void THTensor_resize1d(THTensor *self, int64_t size0);
TH_API void THTensor_resize2d(THTensor *self, int64_t size0, int64_t size1);
TH_API void THTensor_resize3d(THTensor *self, int64_t size0, int64_t size1, int64_t size2);
TH_API void THTensor_resize4d(THTensor *self, int64_t size0, int64_t size1, int64_t size2, int64_t size3);
TH_API void THTensor_resize5d(THTensor *self, int64_t size0, int64_t size1, int64_t size2, int64_t size3,
                              int64_t size4);
/* One element; self must have so many dimensions, and each index be in 0 … size - 1, else TH_ERROR_INDEX. */
TH_API void THTensor_set1d(THTensor *self, int64_t i0, THScalar value);
TH_API void THTensor_set2d(THTensor *self, int64_t i0, int64_t i1, THScalar value);
TH_API void THTensor_set3d(THTensor *self, int64_t i0, int64_t i1, int64_t i2, THScalar value);
TH_API void THTensor_set4d(THTensor *self, int64_t i0, int64_t i1, int64_t i2, int64_t i3, THScalar value);
TH_API THScalar THTensor_get1d(const THTensor *self, int64_t i0);
TH_API THScalar THTensor_get2d(const THTensor *self, int64_t i0, int64_t i1);
TH_API THScalar THTensor_get3d(const THTensor *self, int64_t i0, int64_t i1, int64_t i2);
TH_API THScalar THTensor_get4d(const THTensor *self, int64_t i0, int64_t i1, int64_t i2, int64_t i3);

/* ---- self becomes a view of src, NULL: of itself; as the new… function of that name makes it ---------- */
TH_API void THTensor_select(THTensor *self, THTensor *src, int dim, int64_t index);
TH_API void THTensor_narrow(THTensor *self, THTensor *src, int dim, int64_t first, int64_t length);
TH_API void THTensor_transpose(THTensor *self, THTensor *src, int dim0, int dim1);
TH_API void THTensor_unfold(THTensor *self, THTensor *src, int dim, int64_t size, int64_t step);
TH_API void THTensor_expand(THTensor *self, THTensor *src, int ndim, const int64_t *size);
TH_API void THTensor_squeeze(THTensor *self, THTensor *src);
TH_API void THTensor_squeeze1d(THTensor *self, THTensor *src, int dim);
TH_API void THTensor_unsqueeze1d(THTensor *self, THTensor *src, int dim);
/* … of a storage that reaches the last element; stride NULL: contiguous */
TH_API void THTensor_setStorage(THTensor *self, THStorage *storage, int64_t offset, int ndim, const int64_t *size,
                                const int64_t *stride);

/* ---- made and copied ----------------------------------------------------------------------------------- */
TH_API void THTensor_zeros(THTensor *r, int ndim, const int64_t *size);
TH_API void THTensor_ones(THTensor *r, int ndim, const int64_t *size);
TH_FUNCTION(rand, floating, (THTensor *r, THGenerator *generator, int ndim, const int64_t *size)) /* uniform, [0, 1) */
TH_FUNCTION(randn, floating, (THTensor *r, THGenerator *generator, int ndim, const int64_t *size)) /* normal, 0, 1 */
TH_API void THTensor_reshape(THTensor *r, THTensor *t, int ndim, const int64_t *size); /* a copy of that shape */
TH_API void THTensor_freeCopyTo(THTensor *self, THTensor *to); /* copies and frees self; if it raises, neither */

/* ---- a number, of dtype T, as the second operand: of the function with a c in front, or with Tensor at the end ---- */
TH_FUNCTION(add, number_complex, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(sub, number_complex, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(mul, number_complex, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(div, number_complex, (THTensor *r, const THTensor *t, THScalar value)) /* integers: towards zero */
TH_FUNCTION(fmod, number, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(remainder, number, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(pow, number_complex, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(tpow, number_complex, (THTensor *r, THScalar value, const THTensor *t)) /* value^t */
TH_FUNCTION(lshift, integral, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(rshift, integral, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(bitand, bits, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(bitor, bits, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(bitxor, bits, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(cmaxValue, all, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(cminValue, all, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(ltValue, all, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(leValue, all, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(gtValue, all, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(geValue, all, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(eqValue, all_complex, (THTensor *r, const THTensor *t, THScalar value))
TH_FUNCTION(neValue, all_complex, (THTensor *r, const THTensor *t, THScalar value))

/* ---- the whole tensor to one number; integers are added and multiplied as int64 ---------------------------- */
TH_FUNCTION_RETURNS(THScalar, sumall, number_complex, (const THTensor *t))
TH_FUNCTION_RETURNS(THScalar, prodall, number_complex, (const THTensor *t))
TH_FUNCTION_RETURNS(THScalar, meanall, floating_complex, (const THTensor *t))
TH_FUNCTION_RETURNS(THScalar, minall, all, (const THTensor *t))
TH_FUNCTION_RETURNS(THScalar, maxall, all, (const THTensor *t))
TH_FUNCTION_RETURNS(THScalar, varall, floating, (const THTensor *t, double correction))
TH_FUNCTION_RETURNS(THScalar, stdall, floating, (const THTensor *t, double correction))
TH_FUNCTION_RETURNS(THScalar, normall, floating, (const THTensor *t, double p))
TH_FUNCTION_RETURNS(bool, logicalall, all_complex, (const THTensor *t))
TH_FUNCTION_RETURNS(bool, logicalany, all_complex, (const THTensor *t))

/* histc of each row of a matrix */
TH_FUNCTION(bhistc, floating, (THTensor *r, const THTensor *t, int64_t bins, double low, double high))

#endif
