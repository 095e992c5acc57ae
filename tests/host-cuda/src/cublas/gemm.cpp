// Products of matrices: brought to the host in the type that is computed in, multiplied by the host's BLAS, brought back.
// So BLAS's own threads, which may not touch the memory of devices, need not.
#include <cblas.h>

#include <algorithm>

#include "handle.hpp"

namespace hostcuda {
namespace {

void product(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, float alpha, const float *a, int lda,
             const float *b, int ldb, float beta, float *c) {
  cblas_sgemm(CblasColMajor, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, m);
}
void product(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, double alpha, const double *a, int lda,
             const double *b, int ldb, double beta, double *c) {
  cblas_dgemm(CblasColMajor, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, m);
}
using ComplexFloat = std::complex<float>;
using ComplexDouble = std::complex<double>;
void product(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, ComplexFloat alpha, const ComplexFloat *a,
             int lda, const ComplexFloat *b, int ldb, ComplexFloat beta, ComplexFloat *c) {
  cblas_cgemm(CblasColMajor, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, m);
}
void product(CBLAS_TRANSPOSE ta, CBLAS_TRANSPOSE tb, int m, int n, int k, ComplexDouble alpha, const ComplexDouble *a,
             int lda, const ComplexDouble *b, int ldb, ComplexDouble beta, ComplexDouble *c) {
  cblas_zgemm(CblasColMajor, ta, tb, m, n, k, &alpha, a, lda, b, ldb, &beta, c, m);
}

struct Matrix {
  int rows, columns, leading;
  cudaDataType type;
  size_t span() const {
    return rows && columns ? (size_t(leading) * size_t(columns - 1) + size_t(rows)) * sizeOf(type) : 0;
  }
};

struct Gemm {
  cublasOperation_t ta, tb;
  int m, n, k;
  Matrix a, b, c;
  Scalar alpha, beta;
  int device, count;
};

// Where the matrices of each product lie.
struct Places {
  const void *a, *b;
  void *c;
};

CBLAS_TRANSPOSE transposeOf(cublasOperation_t t) {
  return t == CUBLAS_OP_N ? CblasNoTrans : t == CUBLAS_OP_T ? CblasTrans : CblasConjTrans;
}

template <class T>
std::vector<T> fetch(const void *data, const Matrix &matrix) {
  const size_t size = sizeOf(matrix.type);
  std::vector<T> values(size_t(matrix.rows) * size_t(matrix.columns));
  for (size_t j = 0, i = 0; j < size_t(matrix.columns); j++)
    for (size_t r = 0; r < size_t(matrix.rows); r++)
      values[i++] = load<T>(static_cast<const char *>(data) + (j * size_t(matrix.leading) + r) * size, matrix.type);
  return values;
}

template <class T>
cudaError_t multiply(const Gemm &g, const Places &at) {
  const auto may = [&](const void *p, const Matrix &matrix) {
    return hostcudaMayTouch(g.device, p, matrix.span(), "a product of cuBLAS");
  };
  if (!may(at.a, g.a) || !may(at.b, g.b) || !may(at.c, g.c) || !g.alpha.readable() || !g.beta.readable())
    return cudaErrorIllegalAddress;
  if (!g.m || !g.n) return cudaSuccess;
  const T alpha = g.alpha.get<T>(), beta = g.beta.get<T>();
  std::vector<T> c = beta == T() ? std::vector<T>(size_t(g.m) * size_t(g.n)) : fetch<T>(at.c, g.c);
  if (g.k == 0 || alpha == T()) {
    for (T &v : c) v *= beta;
  } else {
    const std::vector<T> a = fetch<T>(at.a, g.a), b = fetch<T>(at.b, g.b);
    product(transposeOf(g.ta), transposeOf(g.tb), g.m, g.n, g.k, alpha, a.data(), g.a.rows, b.data(), g.b.rows, beta,
            c.data());
  }
  const size_t size = sizeOf(g.c.type);
  for (size_t j = 0, i = 0; j < size_t(g.n); j++)
    for (size_t r = 0; r < size_t(g.m); r++)
      store<T>(static_cast<char *>(at.c) + (j * size_t(g.c.leading) + r) * size, g.c.type, c[i++]);
  return cudaSuccess;
}

bool fits(const Matrix &matrix) { return matrix.leading >= std::max(1, matrix.rows); }

// The type of alpha and beta, in which is computed; or one that sizeOf does not know.
cudaDataType scaleOf(cublasComputeType_t compute, bool complexNumbers) {
  switch (compute) {
    case CUBLAS_COMPUTE_32F:
    case CUBLAS_COMPUTE_32F_PEDANTIC:
    case CUBLAS_COMPUTE_32F_FAST_16F:
    case CUBLAS_COMPUTE_32F_FAST_16BF:
    case CUBLAS_COMPUTE_32F_FAST_TF32: return complexNumbers ? CUDA_C_32F : CUDA_R_32F;
    case CUBLAS_COMPUTE_64F:
    case CUBLAS_COMPUTE_64F_PEDANTIC: return complexNumbers ? CUDA_C_64F : CUDA_R_64F;
    default: return CUDA_R_32I;
  }
}

// The combinations of types that cuBLAS's table has, of those that are carried out.
bool supported(cudaDataType scale, cudaDataType a, cudaDataType b, cudaDataType c) {
  if (a != b) return false;
  if (scale == CUDA_R_32F && (a == CUDA_R_16F || a == CUDA_R_16BF)) return c == a || c == CUDA_R_32F;
  return a == scale && c == scale;
}

template <class PlacesOf>
cublasStatus_t gemm(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                    const void *alpha, cudaDataType Atype, int lda, cudaDataType Btype, int ldb, const void *beta,
                    cudaDataType Ctype, int ldc, int count, cublasComputeType_t compute, PlacesOf placesOf) {
  if (!isHandle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || k < 0 || count < 0 || unsigned(ta) > CUBLAS_OP_C || unsigned(tb) > CUBLAS_OP_C || !alpha ||
      !beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  const cudaDataType scale = scaleOf(compute, isComplex(Ctype));
  if (!sizeOf(scale) || !supported(scale, Atype, Btype, Ctype)) return CUBLAS_STATUS_NOT_SUPPORTED;
  const bool plainA = ta == CUBLAS_OP_N, plainB = tb == CUBLAS_OP_N;
  const Gemm g{ta,
               tb,
               m,
               n,
               k,
               {plainA ? m : k, plainA ? k : m, lda, Atype},
               {plainB ? k : n, plainB ? n : k, ldb, Btype},
               {m, n, ldc, Ctype},
               Scalar(handle, alpha, scale),
               Scalar(handle, beta, scale),
               handle->device,
               count};
  if (!fits(g.a) || !fits(g.b) || !fits(g.c)) return CUBLAS_STATUS_INVALID_VALUE;
  return queue(handle, [g, scale, placesOf] {
    for (int i = 0; i < g.count; i++) {
      Places at;
      cudaError_t error = placesOf(g.device, i, at);
      if (!error) switch (scale) {
          case CUDA_R_32F: error = multiply<float>(g, at); break;
          case CUDA_R_64F: error = multiply<double>(g, at); break;
          case CUDA_C_32F: error = multiply<std::complex<float>>(g, at); break;
          default: error = multiply<std::complex<double>>(g, at);
        }
      if (error) return error;
    }
    return cudaSuccess;
  });
}

// Of a batch whose pointers lie on the device.
auto pointersOf(const void *const *a, const void *const *b, void *const *c) {
  return [=](int device, int i, Places &at) {
    for (const void *p :
         {static_cast<const void *>(a + i), static_cast<const void *>(b + i), static_cast<const void *>(c + i)})
      if (!hostcudaMayTouch(device, p, sizeof(void *), "a batch of cuBLAS")) return cudaErrorIllegalAddress;
    at = {a[i], b[i], c[i]};
    return cudaSuccess;
  };
}

}  // namespace
}  // namespace hostcuda

using namespace hostcuda;

extern "C" {

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m,
                                          int n, int k, const void *alpha, const void *A, cudaDataType Atype, int lda,
                                          long long strideA, const void *B, cudaDataType Btype, int ldb,
                                          long long strideB, const void *beta, void *C, cudaDataType Ctype, int ldc,
                                          long long strideC, int count, cublasComputeType_t compute, cublasGemmAlgo_t) {
  return gemm(handle, ta, tb, m, n, k, alpha, Atype, lda, Btype, ldb, beta, Ctype, ldc, count, compute,
              [=](int, int i, Places &at) {
                at = {static_cast<const char *>(A) + strideA * i * (long long)sizeOf(Atype),
                      static_cast<const char *>(B) + strideB * i * (long long)sizeOf(Btype),
                      static_cast<char *>(C) + strideC * i * (long long)sizeOf(Ctype)};
                return cudaSuccess;
              });
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k,
                            const void *alpha, const void *A, cudaDataType Atype, int lda, const void *B,
                            cudaDataType Btype, int ldb, const void *beta, void *C, cudaDataType Ctype, int ldc,
                            cublasComputeType_t compute, cublasGemmAlgo_t algorithm) {
  return cublasGemmStridedBatchedEx(handle, ta, tb, m, n, k, alpha, A, Atype, lda, 0, B, Btype, ldb, 0, beta, C, Ctype,
                                    ldc, 0, 1, compute, algorithm);
}

cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n,
                                   int k, const void *alpha, const void *const A[], cudaDataType Atype, int lda,
                                   const void *const B[], cudaDataType Btype, int ldb, const void *beta,
                                   void *const C[], cudaDataType Ctype, int ldc, int count, cublasComputeType_t compute,
                                   cublasGemmAlgo_t) {
  return gemm(handle, ta, tb, m, n, k, alpha, Atype, lda, Btype, ldb, beta, Ctype, ldc, count, compute,
              pointersOf(A, B, C));
}

#define GEMM(L, T, data, compute) \
  cublasStatus_t cublas##L##gemm_v2(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, \
                                    const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta, T *C, \
                                    int ldc) { \
    return cublasGemmEx(handle, ta, tb, m, n, k, alpha, A, data, lda, B, data, ldb, beta, C, data, ldc, compute, \
                        CUBLAS_GEMM_DEFAULT); \
  } \
  cublasStatus_t cublas##L##gemmStridedBatched(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, \
                                               int n, int k, const T *alpha, const T *A, int lda, long long strideA, \
                                               const T *B, int ldb, long long strideB, const T *beta, T *C, int ldc, \
                                               long long strideC, int count) { \
    return cublasGemmStridedBatchedEx(handle, ta, tb, m, n, k, alpha, A, data, lda, strideA, B, data, ldb, strideB, beta, \
                                      C, data, ldc, strideC, count, compute, CUBLAS_GEMM_DEFAULT); \
  } \
  cublasStatus_t cublas##L##gemmBatched(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n, \
                                        int k, const T *alpha, const T *const A[], int lda, const T *const B[], int ldb, \
                                        const T *beta, T *const C[], int ldc, int count) { \
    return cublasGemmBatchedEx(handle, ta, tb, m, n, k, alpha, reinterpret_cast<const void *const *>(A), data, lda, \
                               reinterpret_cast<const void *const *>(B), data, ldb, beta, \
                               reinterpret_cast<void *const *>(C), data, ldc, count, compute, CUBLAS_GEMM_DEFAULT); \
  }
HOST_CUDA_BLAS_TYPES(GEMM)

}  // extern "C"
