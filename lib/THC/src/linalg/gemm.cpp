// Products by cuBLAS.
#include "linalg/gemm.hpp"

#include <atomic>
#include <climits>
#include <cublas_v2.h>

#include <THC/THCTensorBlas.h>
#include "kit/scalar.hpp"

namespace thc {
namespace {

std::atomic<bool> allowTF32{false};

void check(cublasStatus_t status, const char *function) {
  if (status != CUBLAS_STATUS_SUCCESS)
    THError(TH_ERROR_RUNTIME, "CUDA error: %s when calling `%s`", cublasGetStatusName(status), function);
}

int blasInt(int64_t n) {
  if (n > INT_MAX) THError(TH_ERROR_RUNTIME, "cuBLAS cannot handle a size or stride of %lld", (long long)n);
  return int(n);
}

// What cuBLAS computes a dtype in: half types in float.
struct Format {
  cudaDataType_t data;
  cublasComputeType_t compute;
};
Format formatOf(THDtype dtype) {
  switch (dtype) {
    case TH_Half: return {CUDA_R_16F, CUBLAS_COMPUTE_32F};
    case TH_BFloat16: return {CUDA_R_16BF, CUBLAS_COMPUTE_32F};
    case TH_Float: return {CUDA_R_32F, CUBLAS_COMPUTE_32F};
    case TH_Double: return {CUDA_R_64F, CUBLAS_COMPUTE_64F};
    case TH_ComplexFloat: return {CUDA_C_32F, CUBLAS_COMPUTE_32F};
    default: return {CUDA_C_64F, CUBLAS_COMPUTE_64F};
  }
}

struct alignas(16) Factor {
  char bytes[th::kWidest];
  Factor(THDtype dtype, THScalar value) : bytes() {
    th::scalarToBytes(th::isHalf(dtype) ? TH_Float : dtype, value, bytes);
  }
};

// A matrix as an argument: cuBLAS is column-major, so it sees the transposed of what is row-major here.
struct Operand {
  cublasOperation_t operation;
  int leading;
  template <class T>
  explicit Operand(const th::Matrix<T> &m)
      : operation(m.isRowMajor() ? CUBLAS_OP_N : CUBLAS_OP_T),
        leading(blasInt(m.isRowMajor() ? m.leadingDimension() : m.transposed().leadingDimension())) {}
};

}  // namespace

void multiplyByBlas(const Product &p, int device) {
  if (!p.c.isRowMajor()) {  // C' = B' A'
    Product q = p;
    q.c = p.c.transposed(), q.a = p.b.transposed(), q.b = p.a.transposed();
    std::swap(q.aStep, q.bStep);
    return multiplyByBlas(q, device);
  }
  const Format format = formatOf(p.dtype);
  const Factor alpha(p.dtype, p.alpha), beta(p.dtype, p.beta);
  const Operand a(p.a), b(p.b);
  const int m = blasInt(p.c.rows), n = blasInt(p.c.columns), k = blasInt(p.a.columns);
  const int ldc = blasInt(p.c.leadingDimension());
  const auto handle = static_cast<cublasHandle_t>(THCState_blasHandle(THC_state(device)));
  check(cublasSetMathMode(handle, allowTF32 && p.dtype == TH_Float ? CUBLAS_TF32_TENSOR_OP_MATH : CUBLAS_DEFAULT_MATH),
        "cublasSetMathMode");
  if (p.batch == 1)
    check(cublasGemmEx(handle, b.operation, a.operation, n, m, k, &alpha, p.b.data, format.data, b.leading, p.a.data,
                       format.data, a.leading, &beta, p.c.data, format.data, ldc, format.compute, CUBLAS_GEMM_DEFAULT),
          "cublasGemmEx");
  else
    check(cublasGemmStridedBatchedEx(handle, b.operation, a.operation, n, m, k, &alpha, p.b.data, format.data,
                                     b.leading, p.bStep, p.a.data, format.data, a.leading, p.aStep, &beta, p.c.data,
                                     format.data, ldc, p.cStep, blasInt(p.batch), format.compute, CUBLAS_GEMM_DEFAULT),
          "cublasGemmStridedBatchedEx");
}

}  // namespace thc

bool THC_setAllowTF32(bool allow) { return thc::allowTF32.exchange(allow); }
bool THC_allowTF32(void) { return thc::allowTF32; }
