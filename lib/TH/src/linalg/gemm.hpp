// Products of strided matrices in the six types that there is arithmetic for; the other dtypes are
// converted to one of them (blas.cpp).
#pragma once

#include <cstdint>
#include <type_traits>
#include <TH/THDtype.h>
#include "matrix.hpp"

namespace th {

// c[b] = alpha a[b] b[b] + beta c[b] for `batch` matrices that are so many elements apart. All
// matrices must be BLAS-ready, and no dimension but the inner one 0. beta 0: c is not read.
template <class T>
struct Product {
  using Factor = std::conditional_t<std::is_same_v<T, THHalf> || std::is_same_v<T, THBFloat16>, float, T>;
  Matrix<T> c;
  Matrix<const T> a, b;
  Factor alpha, beta;
  int64_t batch = 1, cStep = 0, aStep = 0, bStep = 0;
};
void multiply(const Product<float> &product);
void multiply(const Product<double> &product);
void multiply(const Product<THComplexFloat> &product);
void multiply(const Product<THComplexDouble> &product);
void multiply(const Product<int32_t> &product);
void multiply(const Product<int64_t> &product);

// c = alpha a b' + beta c, row by row, where there are so few rows of a that BLAS is slow at it; otherwise false, with
// nothing written. The sums depend on nothing but their terms.
bool multiplyFewRows(int64_t m, int64_t n, int64_t k, float alpha, const float *a, int64_t lda, const float *b,
                     int64_t ldb, float beta, float *c, int64_t ldc);

// Where another library has set such products, THBlas.h, and is faster at this one.
bool hasHalfProduct(THDtype dtype, int64_t batch, int64_t m, int64_t n, int64_t k, float alpha, float beta);
void multiply(const Product<THHalf> &product);
void multiply(const Product<THBFloat16> &product);

// sum of a[i * aStride] * b[i * bStride]; strides are at least 1
float dotProduct(int64_t n, const float *a, int64_t aStride, const float *b, int64_t bStride);
double dotProduct(int64_t n, const double *a, int64_t aStride, const double *b, int64_t bStride);
THComplexFloat dotProduct(int64_t n, const THComplexFloat *a, int64_t aStride, const THComplexFloat *b,
                          int64_t bStride);
THComplexDouble dotProduct(int64_t n, const THComplexDouble *a, int64_t aStride, const THComplexDouble *b,
                           int64_t bStride);
int32_t dotProduct(int64_t n, const int32_t *a, int64_t aStride, const int32_t *b, int64_t bStride);
int64_t dotProduct(int64_t n, const int64_t *a, int64_t aStride, const int64_t *b, int64_t bStride);

}  // namespace th
