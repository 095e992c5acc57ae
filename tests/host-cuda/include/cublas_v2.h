/* cuBLAS, as far as it is carried out here, over the host's BLAS. */
#ifndef HOST_CUDA_CUBLAS_V2_H
#define HOST_CUDA_CUBLAS_V2_H

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUBLAS_VER_MAJOR 13
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 2
#define CUBLAS_VERSION 130002

#define HOST_CUDA_BLAS_STATUS(X) \
  X(SUCCESS, 0, "success") \
  X(NOT_INITIALIZED, 1, "the library was not initialized") \
  X(ALLOC_FAILED, 3, "the resource allocation failed") \
  X(INVALID_VALUE, 7, "an invalid value was passed") \
  X(ARCH_MISMATCH, 8, "the device lacks a feature") \
  X(MAPPING_ERROR, 11, "memory could not be mapped") \
  X(EXECUTION_FAILED, 13, "the function failed on the device") \
  X(INTERNAL_ERROR, 14, "an internal operation failed") \
  X(NOT_SUPPORTED, 15, "the operation is not supported")
#define HOST_CUDA_BLAS_ENUM(name, value, text) CUBLAS_STATUS_##name = value,
typedef enum { HOST_CUDA_BLAS_STATUS(HOST_CUDA_BLAS_ENUM) } cublasStatus_t;
#undef HOST_CUDA_BLAS_ENUM

typedef enum { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 } cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 } cublasGemmAlgo_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;

typedef struct cublasContext *cublasHandle_t;

HOST_CUDA_API const char *cublasGetStatusName(cublasStatus_t status);
HOST_CUDA_API const char *cublasGetStatusString(cublasStatus_t status);
HOST_CUDA_API cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);

/* The names of the second interface. */
#define cublasCreate cublasCreate_v2
#define cublasDestroy cublasDestroy_v2
#define cublasGetVersion cublasGetVersion_v2
#define cublasSetStream cublasSetStream_v2
#define cublasGetStream cublasGetStream_v2
#define cublasSetWorkspace cublasSetWorkspace_v2
#define cublasSetPointerMode cublasSetPointerMode_v2
#define cublasGetPointerMode cublasGetPointerMode_v2
HOST_CUDA_API cublasStatus_t cublasCreate(cublasHandle_t *handle);
HOST_CUDA_API cublasStatus_t cublasDestroy(cublasHandle_t handle);
HOST_CUDA_API cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
HOST_CUDA_API cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
HOST_CUDA_API cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
HOST_CUDA_API cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes);
HOST_CUDA_API cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
HOST_CUDA_API cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
HOST_CUDA_API cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
HOST_CUDA_API cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);

/* C = alpha op(A) op(B) + beta C, matrices in column order. */
HOST_CUDA_API cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m,
                                          int n, int k, const void *alpha, const void *A, cudaDataType Atype, int lda,
                                          const void *B, cudaDataType Btype, int ldb, const void *beta, void *C,
                                          cudaDataType Ctype, int ldc, cublasComputeType_t compute,
                                          cublasGemmAlgo_t algorithm);
HOST_CUDA_API cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t ta,
                                                        cublasOperation_t tb, int m, int n, int k, const void *alpha,
                                                        const void *A, cudaDataType Atype, int lda, long long strideA,
                                                        const void *B, cudaDataType Btype, int ldb, long long strideB,
                                                        const void *beta, void *C, cudaDataType Ctype, int ldc,
                                                        long long strideC, int count, cublasComputeType_t compute,
                                                        cublasGemmAlgo_t algorithm);
HOST_CUDA_API cublasStatus_t cublasGemmBatchedEx(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb,
                                                 int m, int n, int k, const void *alpha, const void *const A[],
                                                 cudaDataType Atype, int lda, const void *const B[], cudaDataType Btype,
                                                 int ldb, const void *beta, void *const C[], cudaDataType Ctype,
                                                 int ldc, int count, cublasComputeType_t compute,
                                                 cublasGemmAlgo_t algorithm);
/* Sum of x y; the first of Dotc's is conjugated. */
HOST_CUDA_API cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType, int incx,
                                         const void *y, cudaDataType yType, int incy, void *result,
                                         cudaDataType resultType, cudaDataType executionType);
HOST_CUDA_API cublasStatus_t cublasDotcEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType, int incx,
                                          const void *y, cudaDataType yType, int incy, void *result,
                                          cudaDataType resultType, cudaDataType executionType);

/* Those of one type: X(letter, type, cudaDataType, cublasComputeType_t). */
#define HOST_CUDA_BLAS_TYPES(X) \
  X(S, float, CUDA_R_32F, CUBLAS_COMPUTE_32F) \
  X(D, double, CUDA_R_64F, CUBLAS_COMPUTE_64F) \
  X(C, cuComplex, CUDA_C_32F, CUBLAS_COMPUTE_32F) \
  X(Z, cuDoubleComplex, CUDA_C_64F, CUBLAS_COMPUTE_64F)
#define HOST_CUDA_BLAS(L, T, data, compute) \
  HOST_CUDA_API cublasStatus_t cublas##L##gemm_v2(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, \
                                                  int m, int n, int k, const T *alpha, const T *A, int lda, const T *B, \
                                                  int ldb, const T *beta, T *C, int ldc); \
  HOST_CUDA_API cublasStatus_t cublas##L##gemmStridedBatched( \
      cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T *alpha, \
      const T *A, int lda, long long strideA, const T *B, int ldb, long long strideB, const T *beta, T *C, int ldc, \
      long long strideC, int count); \
  HOST_CUDA_API cublasStatus_t cublas##L##gemmBatched(cublasHandle_t handle, cublasOperation_t ta, cublasOperation_t tb, \
                                                      int m, int n, int k, const T *alpha, const T *const A[], int lda, \
                                                      const T *const B[], int ldb, const T *beta, T *const C[], int ldc, \
                                                      int count); \
  HOST_CUDA_API cublasStatus_t cublas##L##gemv_v2(cublasHandle_t handle, cublasOperation_t t, int m, int n, \
                                                  const T *alpha, const T *A, int lda, const T *x, int incx, \
                                                  const T *beta, T *y, int incy);
HOST_CUDA_BLAS_TYPES(HOST_CUDA_BLAS)
#undef HOST_CUDA_BLAS
#define cublasSgemm cublasSgemm_v2
#define cublasDgemm cublasDgemm_v2
#define cublasCgemm cublasCgemm_v2
#define cublasZgemm cublasZgemm_v2
#define cublasSgemv cublasSgemv_v2
#define cublasDgemv cublasDgemv_v2
#define cublasCgemv cublasCgemv_v2
#define cublasZgemv cublasZgemv_v2

#define cublasSdot cublasSdot_v2
#define cublasDdot cublasDdot_v2
#define cublasCdotu cublasCdotu_v2
#define cublasCdotc cublasCdotc_v2
#define cublasZdotu cublasZdotu_v2
#define cublasZdotc cublasZdotc_v2
#define HOST_CUDA_BLAS_DOTS(X) \
  X(Sdot_v2, float, CUDA_R_32F, Dot) \
  X(Ddot_v2, double, CUDA_R_64F, Dot) \
  X(Cdotu_v2, cuComplex, CUDA_C_32F, Dot) \
  X(Cdotc_v2, cuComplex, CUDA_C_32F, Dotc) \
  X(Zdotu_v2, cuDoubleComplex, CUDA_C_64F, Dot) \
  X(Zdotc_v2, cuDoubleComplex, CUDA_C_64F, Dotc)
#define HOST_CUDA_BLAS(name, T, data, kind) \
  HOST_CUDA_API cublasStatus_t cublas##name(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy, \
                                            T *result);
HOST_CUDA_BLAS_DOTS(HOST_CUDA_BLAS)
#undef HOST_CUDA_BLAS

#endif
