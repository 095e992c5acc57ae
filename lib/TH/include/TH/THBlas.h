/* BLAS on plain memory, for the kernels of other libraries. */
#ifndef TH_BLAS_H
#define TH_BLAS_H

#include <TH/THDtype.h>
#include <TH/THGeneral.h>

/* c = alpha op(a) op(b) + beta c, column by column as in BLAS: op(a) is m x k, op(b) k x n, c m x n; trans 't' or 'n'.
 * Computed by the calling thread alone, so that the sums do not depend on how many there are: callers split work. With
 * beta 0, c is not read. */
TH_API void THFloatBlas_gemm(char transa, char transb, int64_t m, int64_t n, int64_t k, float alpha, const float *a,
                             int64_t lda, const float *b, int64_t ldb, float beta, float *c, int64_t ldc);
TH_API void THDoubleBlas_gemm(char transa, char transb, int64_t m, int64_t n, int64_t k, double alpha, const double *a,
                              int64_t lda, const double *b, int64_t ldb, double beta, double *c, int64_t ldc);

/* Another sgemm, row by row: c (m x n) = alpha op(a) op(b) + beta c, by the calling thread alone. False, with nothing
 * written: the product is left to BLAS. It must not depend on anything but its arguments, so that results do not. */
typedef bool (*THFloatBlasProduct)(bool transa, bool transb, int64_t m, int64_t n, int64_t k, float alpha,
                                   const float *a, int64_t lda, const float *b, int64_t ldb, float beta, float *c,
                                   int64_t ldc);

/* Every product of matrices in single precision is offered to this one first; NULL: to none. A library that has a faster
 * one sets it when it is loaded (THNN: oneDNN's), so that TH depends on no more than a BLAS. */
TH_API void THFloatBlas_setProduct(THFloatBlasProduct product);

/* c = alpha op(a) op(b) + beta c for `batch` matrices in TH_Half or TH_BFloat16, row by row. Terms are added up in
 * single precision, and sums rounded once. */
typedef struct THHalfProduct {
  THDtype dtype;
  bool transa, transb;
  int64_t batch, m, n, k;
  float alpha, beta;
  const void *a, *b;
  void *c;
  int64_t lda, ldb, ldc;
  int64_t aStep, bStep, cStep; /* elements from one matrix to the next */
} THHalfProduct;

/* BLAS has no such products, so TH converts all to single precision unless isFaster. run: by the calling thread. */
typedef struct THHalfBlasProduct {
  bool (*isFaster)(THDtype dtype, int64_t batch, int64_t m, int64_t n, int64_t k, float alpha, float beta);
  void (*run)(const THHalfProduct *product);
} THHalfBlasProduct;
TH_API void THHalfBlas_setProduct(const THHalfBlasProduct *product); /* kept as a pointer; NULL: none */

#endif
