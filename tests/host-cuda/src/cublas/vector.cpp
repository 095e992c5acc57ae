// Products with vectors: sums in the order of the elements.
#include "handle.hpp"

namespace hostcuda {
namespace {

struct Vector {
  int count;
  long long step;  // negative: from the end
  cudaDataType type;
  const char *at(const void *data, long long i) const {
    const long long first = step < 0 ? -step * (count - 1) : 0;
    return static_cast<const char *>(data) + (first + step * i) * (long long)sizeOf(type);
  }
  bool allowed(int device, const void *data) const {
    const long long length = count ? (step < 0 ? -step : step) * (count - 1) + 1 : 0;
    return hostcudaMayTouch(device, data, size_t(length) * sizeOf(type), "cuBLAS");
  }
};

template <class T>
T conjugateIf(bool yes, T value) {
  if constexpr (std::is_floating_point_v<T>)
    return value;
  else
    return yes ? std::conj(value) : value;
}

template <class T>
T dotOf(const Vector &xs, const void *x, const Vector &ys, const void *y, bool conjugate) {
  T sum{};
  for (int i = 0; i < xs.count; i++)
    sum += conjugateIf(conjugate, load<T>(xs.at(x, i), xs.type)) * load<T>(ys.at(y, i), ys.type);
  return sum;
}

// Calls f with a value of the type that is computed in.
template <class F>
auto inType(cudaDataType type, F &&f) {
  switch (type) {
    case CUDA_R_32F: return f(float());
    case CUDA_R_64F: return f(double());
    case CUDA_C_32F: return f(std::complex<float>());
    default: return f(std::complex<double>());
  }
}

cublasStatus_t dot(cublasHandle_t handle, int n, const void *x, cudaDataType xType, int incx, const void *y,
                   cudaDataType yType, int incy, void *result, cudaDataType resultType, cudaDataType executionType,
                   bool conjugate) {
  if (!isHandle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (!result) return CUBLAS_STATUS_INVALID_VALUE;
  const bool half = xType == CUDA_R_16F || xType == CUDA_R_16BF;
  if (xType != yType || resultType != xType || executionType != (half ? CUDA_R_32F : xType) || !sizeOf(xType))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  const Vector xs{n < 0 ? 0 : n, incx, xType}, ys{n < 0 ? 0 : n, incy, yType};
  const int device = handle->device;
  const bool toHost = handle->pointerMode == CUBLAS_POINTER_MODE_HOST;
  const cublasStatus_t status = queue(handle, [=] {
    if (!xs.allowed(device, x) || !ys.allowed(device, y)) return cudaErrorIllegalAddress;
    if (!toHost && !hostcudaMayTouch(device, result, sizeOf(resultType), "cuBLAS")) return cudaErrorIllegalAddress;
    inType(executionType,
           [&](auto zero) { store(result, resultType, dotOf<decltype(zero)>(xs, x, ys, y, conjugate)); });
    return cudaSuccess;
  });
  if (status || !toHost) return status;
  return cudaStreamSynchronize(handle->stream) ? CUBLAS_STATUS_EXECUTION_FAILED : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t gemv(cublasHandle_t handle, cublasOperation_t t, int m, int n, const void *alpha, const void *A, int lda,
                    const void *x, int incx, const void *beta, void *y, int incy, cudaDataType type) {
  if (!isHandle(handle)) return CUBLAS_STATUS_NOT_INITIALIZED;
  if (m < 0 || n < 0 || lda < (m > 1 ? m : 1) || !incx || !incy || unsigned(t) > CUBLAS_OP_C || !alpha || !beta)
    return CUBLAS_STATUS_INVALID_VALUE;
  if (!m || !n) return CUBLAS_STATUS_SUCCESS;
  const bool plain = t == CUBLAS_OP_N;
  const Vector xs{plain ? n : m, incx, type}, ys{plain ? m : n, incy, type};
  const Scalar a(handle, alpha, type), b(handle, beta, type);
  const int device = handle->device;
  return queue(handle, [=] {
    const size_t size = sizeOf(type), span = (size_t(lda) * size_t(n - 1) + size_t(m)) * size;
    if (!hostcudaMayTouch(device, A, span, "cuBLAS") || !xs.allowed(device, x) || !ys.allowed(device, y) ||
        !a.readable() || !b.readable())
      return cudaErrorIllegalAddress;
    inType(type, [&](auto zero) {
      using T = decltype(zero);
      for (int i = 0; i < ys.count; i++) {
        // A row of A, or, transposed, a column: elements that lie lda or 1 apart.
        const Vector row{xs.count, plain ? lda : 1, type};
        const char *first = static_cast<const char *>(A) + size_t(i) * (plain ? 1 : size_t(lda)) * size;
        char *to = const_cast<char *>(ys.at(y, i));
        const T product = a.get<T>() * dotOf<T>(row, first, xs, x, t == CUBLAS_OP_C);
        store<T>(to, type, b.get<T>() == T() ? product : product + b.get<T>() * load<T>(to, type));
      }
    });
    return cudaSuccess;
  });
}

}  // namespace
}  // namespace hostcuda

using namespace hostcuda;

extern "C" {

cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType, int incx, const void *y,
                           cudaDataType yType, int incy, void *result, cudaDataType resultType,
                           cudaDataType executionType) {
  return dot(handle, n, x, xType, incx, y, yType, incy, result, resultType, executionType, false);
}

cublasStatus_t cublasDotcEx(cublasHandle_t handle, int n, const void *x, cudaDataType xType, int incx, const void *y,
                            cudaDataType yType, int incy, void *result, cudaDataType resultType,
                            cudaDataType executionType) {
  return dot(handle, n, x, xType, incx, y, yType, incy, result, resultType, executionType, true);
}

#define DOT(name, T, data, kind) \
  cublasStatus_t cublas##name(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy, T *result) { \
    return cublas##kind##Ex(handle, n, x, data, incx, y, data, incy, result, data, data); \
  }
HOST_CUDA_BLAS_DOTS(DOT)

#define GEMV(L, T, data, compute) \
  cublasStatus_t cublas##L##gemv_v2(cublasHandle_t handle, cublasOperation_t t, int m, int n, const T *alpha, const T *A, \
                                    int lda, const T *x, int incx, const T *beta, T *y, int incy) { \
    return gemv(handle, t, m, n, alpha, A, lda, x, incx, beta, y, incy, data); \
  }
HOST_CUDA_BLAS_TYPES(GEMV)

}  // extern "C"
