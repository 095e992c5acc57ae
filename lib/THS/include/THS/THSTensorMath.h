/* What is computed with sparse tensors. Results are strided tensors, the members of what Python gets.
 *
 * Each function is one per dtype of its values: THS_FUNCTION(coalesce, …) is THSFloatTensor_coalesce and its kin. Half types
 * are added up in float. What is added up, is so in the order in which entries stand: results do not depend on the number of
 * threads. A column of indices is also called a place. */
#ifndef THS_TENSOR_MATH_H
#define THS_TENSOR_MATH_H

#include <THS/THSTensor.h>

#define THS_FUNCTION(op, dtypes, args) TH_FOR_##dtypes(THS_FUNCTION_, op, args)
#define THS_FUNCTION_(Name, op, args) TH_API void THS##Name##Tensor_##op args;

/* The members of coordinates once they are coalesced: values of one place are added up (of bool: or). */
THS_FUNCTION(coalesce, all_complex, (THTensor *indices, THTensor *values, const THSTensor *self))
/* The members of self + alpha other, which are both coalesced, of the same sizes and dimensions. */
THS_FUNCTION(cadd, all_complex,
             (THTensor *indices, THTensor *values, const THSTensor *self, THScalar alpha, const THSTensor *other))

/* The same of compressed ones, of one layout and of blocks of one size. No batches. int64. */
THS_FUNCTION(caddCompressed, all_complex,
             (THTensor *compressed, THTensor *plain, THTensor *values, const THSTensor *self, THScalar alpha,
              const THSTensor *other))

/* The members, int64, of a CSR matrix as CSC, or of a CSC matrix as CSR. No batches. */
THS_FUNCTION(turn, all_complex, (THTensor *compressed, THTensor *plain, THTensor *values, const THSTensor *self))

/* For each column of `indices`, where it stands among those of self, which is coalesced; -1: nowhere. int64. */
TH_API void THSTensor_find(THTensor *r, const THSTensor *self, const THTensor *indices);
/* Where each of n rows begins among ascending `rows` (nnz): (n + 1), int64. */
TH_API void THSTensor_compress(THTensor *r, const THTensor *rows, int64_t n);
/* The same of rows in any order, once they are put in order, and that order: for each place the entry that goes there. Entries
 * of one row keep their order: a counting sort. */
TH_API void THSTensor_group(THTensor *begins, THTensor *order, const THTensor *rows, int64_t n);
/* The numbers from[k] … to[k] - 1 of each k, one after the other; and where those of each begin, n + 1. */
TH_API void THSLongTensor_ranges(THTensor *begins, THTensor *numbers, const THTensor *from, const THTensor *to);

/* r = beta t + alpha sparse × dense. sparse: a matrix by coordinates or CSR. dense: a matrix. beta 0: what t holds does not count.
 * Work is shared out by entries, not by rows. */
THS_FUNCTION(spaddmm, number_complex,
             (THTensor *r, THScalar beta, const THTensor *t, THScalar alpha, const THSTensor *sparse,
              const THTensor *dense))
/* The members, int64, of the CSR matrix a × b, both CSR; Gustavson's method. */
THS_FUNCTION(spgemm, number_complex,
             (THTensor *compressed, THTensor *plain, THTensor *values, const THSTensor *a, const THSTensor *b))
/* For each entry of `pattern`, a matrix by coordinates or CSR, the product of the row of a and the column of b that meet there. */
THS_FUNCTION(sampled, number_complex,
             (THTensor *values, const THTensor *a, const THTensor *b, const THSTensor *pattern))
/* r solves a × r = b, with the upper or lower triangle of the square CSR matrix a; unit: its diagonal counts as ones. */
THS_FUNCTION(trsm, lapack, (THTensor *r, const THTensor *b, const THSTensor *a, bool upper, bool unit))

#endif
