/* A sparse tensor: the elements that are there, and their places, in strided tensors, its members.
 *
 * It is a THTensor like any other, with dtype, sizes and device, whose layout is not TH_STRIDED. Its storage has no bytes
 * but the members; what shares the storage (THTensor_newWithTensor) shares them, and the version. Its strides are 0.
 *
 * TH_SPARSE_COO (coordinates): `indices` (sparse_dim, nnz) of int64, a column for each entry; `values` (nnz, …), whose further
 * sizes are the tensor's last dense_dim ones. Coalesced: columns are different and in ascending order.
 *
 * TH_SPARSE_CSR and BSR: `indices` (…, rows + 1) says where each row begins among the entries, from 0 to nnz; `plain` (…, nnz)
 * has the column of each, ascending in a row. CSC and BSC: rows and columns exchanged. Both are of int64 or both of int32.
 * `values` (…, nnz, …); those of the blocked ones (…, nnz, height, width, …), and rows and columns are those of blocks. What
 * stands before are sizes of a batch, each of which has as many entries. */
#ifndef THS_TENSOR_H
#define THS_TENSOR_H

#include <TH/TH.h>

typedef THTensor THSTensor;

typedef struct THSMembers {
  THTensor *indices; /* of coordinates; or the compressed ones */
  THTensor *plain;   /* NULL: coordinates */
  THTensor *values;
  int8_t sparse_dim, dense_dim;
  bool coalesced; /* of coordinates */
  /* Whether indices were found to be in bounds (THSTensor_checkBounds), of these versions of the two (THTensor_version). */
  bool bounded;
  uint32_t bounded_versions[2];
} THSMembers;
static inline THSMembers *THSTensor_members(const THSTensor *self) { return (THSMembers *)self->storage->data; }

/* ---- life. Members are retained. Sizes, dimensions and dtypes are checked; what indices say is not. ---------------- */
TH_API THSTensor *THSTensor_newWithTensorAndSize(THTensor *indices, THTensor *values, int ndim, const int64_t *size,
                                                 bool coalesced);
TH_API THSTensor *THSTensor_newCompressed(THLayout layout, THTensor *compressed, THTensor *plain, THTensor *values,
                                          int ndim, const int64_t *size);
/* The members of source, which has the same sizes, layout and dtype, or may have others, become self's. */
TH_API void THSTensor_set(THSTensor *self, const THSTensor *source);
TH_API void THSTensor_setCoalesced(THSTensor *self, bool coalesced);

/* ---- questions. Those that a layout has no answer to raise. ---------------------------------------------------------- */
TH_API int64_t THSTensor_nnz(const THSTensor *self); /* entries; of a batch, of each of its matrices */
TH_API int64_t THSTensor_nDimensionI(const THTensor *self); /* sparse ones: none of a strided tensor */
TH_API int64_t THSTensor_nDimensionV(const THTensor *self); /* dense ones */
TH_API bool THSTensor_isCoalesced(const THSTensor *self); /* by coordinates */
/* Raises "<what> expected sparse coordinate tensor layout" for others. */
TH_API void THSTensor_checkCoordinates(const THTensor *self, const char *what);
/* Another view of a member. */
TH_API THTensor *THSTensor_newIndices(const THSTensor *self); /* by coordinates */
TH_API THTensor *THSTensor_newCrowIndices(const THSTensor *self);
TH_API THTensor *THSTensor_newColIndices(const THSTensor *self);
TH_API THTensor *THSTensor_newCcolIndices(const THSTensor *self);
TH_API THTensor *THSTensor_newRowIndices(const THSTensor *self);
TH_API THTensor *THSTensor_newValues(const THSTensor *self);
/* Raises if an index would lead out of the tensor. Looks once at each version of the indices. */
TH_API void THSTensor_checkBounds(const THSTensor *self);
/* Raises if an index is out of bounds, or not where its layout wants it. */
TH_API void THSTensor_checkInvariants(const THSTensor *self);
/* For debugging: whether these are checked of every tensor that is made, in all threads. Not at first. */
TH_API void THSTensor_setChecking(bool on);
TH_API bool THSTensor_isChecking(void);

#endif
