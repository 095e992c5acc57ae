// Floating-point and complex products by BLAS.
// BLAS's own threads cut matrices by how many they are, and its kernels round differently at the
// cuts. So we cut, by shape alone, and each piece is computed by one thread.
#include "gemm.hpp"

#include <algorithm>
#include <atomic>
#include <limits>
#include <vector>

#include <TH/THBlas.h>

#include "blas_thread.hpp"
#include "cblas.hpp"
#include "kit/parallel.hpp"

namespace th {
namespace {

blasint blasInt(int64_t n) {
  if (n > std::numeric_limits<blasint>::max())
    THError(TH_ERROR_RUNTIME, "a matrix dimension of %lld is too large for BLAS", (long long)n);
  return blasint(n);
}

std::atomic<THFloatBlasProduct> floatProduct = nullptr;

void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, blasint m, blasint n, blasint k, float alpha, const float *a,
          blasint lda, const float *b, blasint ldb, float beta, float *c, blasint ldc) {
  if (ta != CblasTrans && tb == CblasTrans && multiplyFewRows(m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)) return;
  if (const auto other = floatProduct.load(std::memory_order_relaxed))
    if (other(ta == CblasTrans, tb == CblasTrans, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)) return;
  cblas_sgemm(CblasRowMajor, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, blasint m, blasint n, blasint k, double alpha, const double *a,
          blasint lda, const double *b, blasint ldb, double beta, double *c, blasint ldc) {
  cblas_dgemm(CblasRowMajor, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, blasint m, blasint n, blasint k, THComplexFloat alpha,
          const THComplexFloat *a, blasint lda, const THComplexFloat *b, blasint ldb, THComplexFloat beta,
          THComplexFloat *c, blasint ldc) {
  cblas_cgemm(CblasRowMajor, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
}
void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, blasint m, blasint n, blasint k, THComplexDouble alpha,
          const THComplexDouble *a, blasint lda, const THComplexDouble *b, blasint ldb, THComplexDouble beta,
          THComplexDouble *c, blasint ldc) {
  cblas_zgemm(CblasRowMajor, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, ldc);
}

int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }

std::atomic<const THHalfBlasProduct *> halfProduct = nullptr;

template <class T>
constexpr bool isHalfType = std::is_same_v<T, THHalf> || std::is_same_v<T, THBFloat16>;

template <class Half>
  requires isHalfType<Half>
void gemm(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, blasint m, blasint n, blasint k, float alpha, const Half *a,
          blasint lda, const Half *b, blasint ldb, float beta, Half *c, blasint ldc) {
  constexpr THDtype dtype = std::is_same_v<Half, THHalf> ? TH_Half : TH_BFloat16;
  const THHalfProduct product = {
      dtype, ta == CblasTrans, tb == CblasTrans, 1, m, n, k, alpha, beta, a, b, c, lda, ldb, ldc, 0, 0, 0};
  halfProduct.load(std::memory_order_relaxed)->run(&product);
}

// A batch of small matrices, some of them a call.
template <class Half>
void multiplyBatch(const Product<Half> &p, bool transa, bool transb, int64_t lda, int64_t ldb, int64_t ldc) {
  const int64_t m = p.c.rows, n = p.c.columns, k = p.a.columns;
  const int64_t atOnce = std::clamp<int64_t>(int64_t(double(1 << 21) / (double(m) * double(n) * double(k))), 1,
                                             p.batch);
  parallelFor(ceilDiv(p.batch, atOnce), 1, [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; t++) {
      const int64_t from = t * atOnce;
      const THHalfProduct product = {std::is_same_v<Half, THHalf> ? TH_Half : TH_BFloat16,
                                     transa,
                                     transb,
                                     std::min(atOnce, p.batch - from),
                                     m,
                                     n,
                                     k,
                                     p.alpha,
                                     p.beta,
                                     p.a.data + from * p.aStep,
                                     p.b.data + from * p.bStep,
                                     p.c.data + from * p.cStep,
                                     lda,
                                     ldb,
                                     ldc,
                                     p.aStep,
                                     p.bStep,
                                     p.cStep};
      halfProduct.load(std::memory_order_relaxed)->run(&product);
    }
  });
}

void gemv(CBLAS_TRANSPOSE t, blasint m, blasint n, float alpha, const float *a, blasint lda, const float *x,
          blasint incx, float beta, float *y, blasint incy) {
  cblas_sgemv(CblasRowMajor, t, m, n, alpha, a, lda, x, incx, beta, y, incy);
}
void gemv(CBLAS_TRANSPOSE t, blasint m, blasint n, double alpha, const double *a, blasint lda, const double *x,
          blasint incx, double beta, double *y, blasint incy) {
  cblas_dgemv(CblasRowMajor, t, m, n, alpha, a, lda, x, incx, beta, y, incy);
}
void gemv(CBLAS_TRANSPOSE t, blasint m, blasint n, THComplexFloat alpha, const THComplexFloat *a, blasint lda,
          const THComplexFloat *x, blasint incx, THComplexFloat beta, THComplexFloat *y, blasint incy) {
  cblas_cgemv(CblasRowMajor, t, m, n, &alpha, a, lda, x, incx, &beta, y, incy);
}
void gemv(CBLAS_TRANSPOSE t, blasint m, blasint n, THComplexDouble alpha, const THComplexDouble *a, blasint lda,
          const THComplexDouble *x, blasint incx, THComplexDouble beta, THComplexDouble *y, blasint incy) {
  cblas_zgemv(CblasRowMajor, t, m, n, &alpha, a, lda, x, incx, &beta, y, incy);
}
float dot(blasint n, const float *a, blasint inca, const float *b, blasint incb) {
  return cblas_sdot(n, a, inca, b, incb);
}
double dot(blasint n, const double *a, blasint inca, const double *b, blasint incb) {
  return cblas_ddot(n, a, inca, b, incb);
}

THComplexFloat dot(blasint n, const THComplexFloat *a, blasint inca, const THComplexFloat *b, blasint incb) {
  THComplexFloat sum;
  cblas_cdotu_sub(n, a, inca, b, incb, &sum);
  return sum;
}
THComplexDouble dot(blasint n, const THComplexDouble *a, blasint inca, const THComplexDouble *b, blasint incb) {
  THComplexDouble sum;
  cblas_zdotu_sub(n, a, inca, b, incb, &sum);
  return sum;
}

// The rectangles that an m x n result is cut into.
struct Tiles {
  int64_t rows, columns, down, across;
  int64_t count() const { return down * across; }
};

// Up to 32 tiles of at least 2^23 multiplications, halving the longer side. BLAS packs the rows and the columns of each
// tile anew, which costs a product of 1024 x 1024 a tenth of its time in four tiles and a half in 32: a few tiles may be
// small, for as many threads to have work, more of them not: 1024 x 1024 is four tiles, 2048 x 2048 sixteen. Tiles that are higher than wide are the faster ones.
Tiles tilesFor(int64_t m, int64_t n, int64_t k) {
  constexpr int64_t few = 4, leastOfFew = 64, least = 512, multiple = 64;
  int64_t rows = m, columns = n;
  const double work = double(m) * double(n) * double(k);
  for (int64_t parts = 1; parts < 32 && work / double(2 * parts) >= double(1 << 23); parts *= 2) {
    int64_t &longer = rows > columns ? rows : columns;
    if (longer < 2 * (parts < few ? leastOfFew : least)) break;
    longer = ceilDiv(ceilDiv(longer, 2), multiple) * multiple;
  }
  return {rows, columns, ceilDiv(m, rows), ceilDiv(n, columns)};
}

// A matrix as an argument of cblas, which is told that everything is row-major.
template <class T>
struct Operand {
  CBLAS_TRANSPOSE transpose;
  blasint leading;
  explicit Operand(const Matrix<T> &m)
      : transpose(m.isRowMajor() ? CblasNoTrans : CblasTrans),
        leading(blasInt(m.isRowMajor() ? m.leadingDimension() : m.transposed().leadingDimension())) {}
};

template <class T>
void multiplyMatrices(const Product<T> &p) {
  if (!p.c.isRowMajor()) {  // C' = B' A'
    Product<T> q = p;
    q.c = p.c.transposed(), q.a = p.b.transposed(), q.b = p.a.transposed();
    std::swap(q.aStep, q.bStep);
    return multiplyMatrices(q);
  }
  const int64_t m = p.c.rows, n = p.c.columns, k = p.a.columns;
  const Operand<const T> a(p.a), b(p.b);
  const blasint ldc = blasInt(p.c.leadingDimension()), inner = blasInt(k);
  const Tiles tiles = tilesFor(m, n, k);
  blasInt(tiles.rows), blasInt(tiles.columns);
  if constexpr (isHalfType<T>)
    if (p.batch > 1 && tiles.count() == 1)
      return multiplyBatch(p, a.transpose == CblasTrans, b.transpose == CblasTrans, a.leading, b.leading, ldc);
  // Tiny products of a batch are not worth a thread each.
  const int64_t grain = std::max<int64_t>(1, (1 << 18) / std::max<int64_t>(1, m * n * std::min<int64_t>(k, 1 << 18)));
  parallelFor(p.batch * tiles.count(), grain, [&](int64_t begin, int64_t end) {
    const OneBlasThread one;
    for (int64_t t = begin; t < end; t++) {
      const int64_t batch = t / tiles.count(), tile = t % tiles.count();
      const int64_t i = tile / tiles.across * tiles.rows, j = tile % tiles.across * tiles.columns;
      gemm(a.transpose, b.transpose, blasint(std::min(tiles.rows, m - i)), blasint(std::min(tiles.columns, n - j)),
           inner, p.alpha, p.a.data + batch * p.aStep + i * p.a.rowStride, a.leading,
           p.b.data + batch * p.bStep + j * p.b.columnStride, b.leading, p.beta,
           p.c.data + batch * p.cStep + i * p.c.rowStride + j * p.c.columnStride, ldc);
    }
  });
}

// c and b are columns. Pieces are runs of c's elements, of about 2^16 multiplications.
template <class T>
void multiplyVector(const Product<T> &p) {
  const int64_t m = p.c.rows, k = p.a.columns;
  const Operand<const T> a(p.a);
  const blasint inner = blasInt(k), incx = blasInt(k > 1 ? p.b.rowStride : 1),
                incy = blasInt(m > 1 ? p.c.rowStride : 1);
  const bool byRows = a.transpose == CblasNoTrans;
  const int64_t piece = std::max<int64_t>(byRows ? 16 : 128, ceilDiv((1 << 16) / std::max<int64_t>(k, 1), 16) * 16);
  const int64_t pieces = ceilDiv(m, piece);
  parallelFor(p.batch * pieces, 2, [&](int64_t begin, int64_t end) {
    const OneBlasThread one;
    for (int64_t t = begin; t < end; t++) {
      const int64_t batch = t / pieces, i = t % pieces * piece;
      const blasint count = blasint(std::min(piece, m - i));
      const T *matrix = p.a.data + batch * p.aStep + i * p.a.rowStride;
      T *const y = p.c.data + batch * p.cStep + i * p.c.rowStride;
      if (p.beta == T(0))  // some versions of gemv multiply by beta even then, and keep a NaN
        for (blasint k = 0; k < count; k++) y[int64_t(k) * incy] = 0;
      gemv(a.transpose, byRows ? count : inner, byRows ? inner : count, p.alpha, matrix, a.leading,
           p.b.data + batch * p.bStep, incx, p.beta, y, incy);
    }
  });
}

// c = beta c, for an empty inner dimension.
template <class T>
void scale(const Product<T> &p) {
  for (int64_t b = 0; b < p.batch; b++)
    for (int64_t i = 0; i < p.c.rows; i++)
      for (int64_t j = 0; j < p.c.columns; j++) {
        T &c = p.c.data[b * p.cStep + i * p.c.rowStride + j * p.c.columnStride];
        c = p.beta == T(0) ? T(0) : p.beta * c;
      }
}

template <class T>
void multiplyAny(const Product<T> &p) {
  if (p.a.columns == 0) return scale(p);
  if (p.c.columns == 1) return multiplyVector(p);
  if (p.c.rows == 1) {
    Product<T> q = p;
    q.c = p.c.transposed(), q.a = p.b.transposed(), q.b = p.a.transposed();
    std::swap(q.aStep, q.bStep);
    return multiplyVector(q);
  }
  multiplyMatrices(p);
}

template <class T>
T dotAny(int64_t n, const T *a, int64_t aStride, const T *b, int64_t bStride) {
  constexpr int64_t piece = 1 << 15;
  const int64_t pieces = ceilDiv(n, piece);
  const blasint inca = blasInt(aStride), incb = blasInt(bStride);
  if (pieces <= 1) return OneBlasThread(), dot(blasint(n), a, inca, b, incb);
  std::vector<T> partial(static_cast<size_t>(pieces));
  parallelFor(pieces, 2, [&](int64_t begin, int64_t end) {
    const OneBlasThread one;
    for (int64_t t = begin; t < end; t++)
      partial[size_t(t)] = dot(blasint(std::min(piece, n - t * piece)), a + t * piece * aStride, inca,
                               b + t * piece * bStride, incb);
  });
  std::conditional_t<std::is_floating_point_v<T>, double, THComplexDouble> sum = 0;
  for (const T x : partial) sum += decltype(sum)(x);
  return T(sum);
}

}  // namespace

void multiply(const Product<float> &product) { multiplyAny(product); }
void multiply(const Product<double> &product) { multiplyAny(product); }
void multiply(const Product<THComplexFloat> &product) { multiplyAny(product); }
void multiply(const Product<THComplexDouble> &product) { multiplyAny(product); }
void multiply(const Product<THHalf> &product) { multiplyMatrices(product); }
void multiply(const Product<THBFloat16> &product) { multiplyMatrices(product); }
bool hasHalfProduct(THDtype dtype, int64_t batch, int64_t m, int64_t n, int64_t k, float alpha, float beta) {
  const THHalfBlasProduct *const product = halfProduct.load(std::memory_order_relaxed);
  return product && product->isFaster(dtype, batch, m, n, k, alpha, beta);
}
float dotProduct(int64_t n, const float *a, int64_t aStride, const float *b, int64_t bStride) {
  return dotAny(n, a, aStride, b, bStride);
}
double dotProduct(int64_t n, const double *a, int64_t aStride, const double *b, int64_t bStride) {
  return dotAny(n, a, aStride, b, bStride);
}
THComplexFloat dotProduct(int64_t n, const THComplexFloat *a, int64_t aStride, const THComplexFloat *b,
                          int64_t bStride) {
  return dotAny(n, a, aStride, b, bStride);
}
THComplexDouble dotProduct(int64_t n, const THComplexDouble *a, int64_t aStride, const THComplexDouble *b,
                           int64_t bStride) {
  return dotAny(n, a, aStride, b, bStride);
}

}  // namespace th

namespace {

template <class T>
void columnMajor(char transa, char transb, int64_t m, int64_t n, int64_t k, T alpha, const T *a, int64_t lda,
                 const T *b, int64_t ldb, T beta, T *c, int64_t ldc) {
  if (m == 0 || n == 0) return;
  const auto transposed = [](char word) { return word == 't' ? CblasTrans : CblasNoTrans; };
  const th::OneBlasThread one;
  // Row by row it is c' = b' a'.
  th::gemm(transposed(transb), transposed(transa), th::blasInt(n), th::blasInt(m), th::blasInt(k), alpha, b,
           th::blasInt(std::max<int64_t>(1, ldb)), a, th::blasInt(std::max<int64_t>(1, lda)), beta, c,
           th::blasInt(ldc));
}

}  // namespace

void THFloatBlas_setProduct(THFloatBlasProduct product) { th::floatProduct.store(product, std::memory_order_relaxed); }
void THHalfBlas_setProduct(const THHalfBlasProduct *product) {
  th::halfProduct.store(product, std::memory_order_relaxed);
}

void THFloatBlas_gemm(char transa, char transb, int64_t m, int64_t n, int64_t k, float alpha, const float *a,
                      int64_t lda, const float *b, int64_t ldb, float beta, float *c, int64_t ldc) {
  columnMajor(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
void THDoubleBlas_gemm(char transa, char transb, int64_t m, int64_t n, int64_t k, double alpha, const double *a,
                       int64_t lda, const double *b, int64_t ldb, double beta, double *c, int64_t ldc) {
  columnMajor(transa, transb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}
