// Products of cuBLAS. Compiled by the host's compiler, as libraries do.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace {

#define OK(call) ASSERT_EQ(call, cudaSuccess)
#define BLAS(call) ASSERT_EQ(call, CUBLAS_STATUS_SUCCESS)

class Blas : public testing::Test {
 protected:
  void SetUp() override {
    OK(cudaSetDevice(0));
    OK(cudaDeviceReset());
    BLAS(cublasCreate(&handle));
  }
  void TearDown() override { BLAS(cublasDestroy(handle)); }
  template <class T>
  T *onDevice(const std::vector<T> &values) {
    T *p = nullptr;
    EXPECT_EQ(cudaMalloc(&p, values.size() * sizeof(T)), cudaSuccess);
    EXPECT_EQ(cudaMemcpy(p, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
    return p;
  }
  template <class T>
  std::vector<T> fromDevice(const T *p, size_t n) {
    std::vector<T> values(n);
    EXPECT_EQ(cudaMemcpy(values.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
    return values;
  }
  cublasHandle_t handle;
};

TEST_F(Blas, Gemm) {
  const float one = 1, two = 2;
  float *a = onDevice<float>({1, 2, 3, 4, 5, 6}), *b = onDevice<float>({1, 0, 0, 1, 1, 1}),
        *c = onDevice<float>({1, 1, 1, 1});
  // [1 3 5; 2 4 6] times the 3x2 matrix [1 1; 0 1; 0 1], plus twice ones.
  BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 3, &one, a, 2, b, 3, &two, c, 2));
  EXPECT_EQ(fromDevice(c, 4), (std::vector<float>{3, 4, 11, 14}));
  // With beta 0 what is there does not count.
  const float nan = NAN, zero = 0;
  float *d = onDevice<float>({nan, nan, nan, nan});
  BLAS(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, 2, 2, 3, &one, a, 3, b, 3, &zero, d, 2));
  EXPECT_EQ(fromDevice(d, 4), (std::vector<float>{1, 4, 6, 15}));
}

TEST_F(Blas, IsQueued) {
  const double one = 1, zero = 0;
  double *a = onDevice<double>({3}), *b = onDevice<double>({5}), *host;
  OK(cudaMallocHost(&host, 8));
  *host = -1;
  cudaStream_t stream;
  OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  BLAS(cublasSetStream(handle, stream));
  BLAS(cublasDgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a, 1, b, 1, &zero, host, 1));
  EXPECT_EQ(*host, -1);
  OK(cudaStreamSynchronize(stream));
  EXPECT_EQ(*host, 15);
}

TEST_F(Blas, HalfAndBfloat16) {
  const float one = 1, zero = 0;
  uint16_t *h = onDevice<uint16_t>({0x3c00, 0x4000}), *r = onDevice<uint16_t>({0});  // 1, 2
  BLAS(cublasGemmEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, 1, 1, 2, &one, h, CUDA_R_16F, 2, h, CUDA_R_16F, 2, &zero, r,
                    CUDA_R_16F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  EXPECT_EQ(fromDevice(r, 1)[0], 0x4500);  // 5
  uint16_t *b = onDevice<uint16_t>({0x3f80, 0x4000});
  BLAS(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, b, CUDA_R_16BF, 1, 1, b + 1,
                                  CUDA_R_16BF, 1, -1, &zero, b, CUDA_R_16BF, 1, 1, 2, CUBLAS_COMPUTE_32F,
                                  CUBLAS_GEMM_DEFAULT));
  EXPECT_EQ(fromDevice(b, 2), (std::vector<uint16_t>{0x4000, 0x4080}));  // 1·2, then 2·2
}

TEST_F(Blas, Complex) {
  const cuComplex one = make_cuComplex(1, 0), zero = make_cuComplex(0, 0);
  cuComplex *a = onDevice<cuComplex>({make_cuComplex(1, 2)}), *c = onDevice<cuComplex>({zero});
  BLAS(cublasCgemm(handle, CUBLAS_OP_C, CUBLAS_OP_N, 1, 1, 1, &one, a, 1, a, 1, &zero, c, 1));
  EXPECT_EQ(fromDevice(c, 1)[0].x, 5);
  cuComplex dot;
  BLAS(cublasCdotu(handle, 1, a, 1, a, 1, &dot));
  EXPECT_EQ(dot.x, -3);
  EXPECT_EQ(dot.y, 4);
}

TEST_F(Blas, Vectors) {
  const double one = 1, zero = 0;
  double *a = onDevice<double>({1, 2, 3, 4, 5, 6}), *x = onDevice<double>({1, 10, 100}),
         *y = onDevice<double>({0, 0, 0});
  BLAS(cublasDgemv(handle, CUBLAS_OP_N, 2, 3, &one, a, 2, x, 1, &zero, y, 2));
  EXPECT_EQ(fromDevice(y, 3), (std::vector<double>{531, 0, 642}));
  BLAS(cublasDgemv(handle, CUBLAS_OP_T, 2, 3, &one, a, 2, x, 1, &zero, y, -1));
  EXPECT_EQ(fromDevice(y, 3), (std::vector<double>{65, 43, 21}));
  double dot;
  BLAS(cublasDdot(handle, 3, x, -1, a, 2, &dot));
  EXPECT_EQ(dot, 135);
}

TEST_F(Blas, RefusesWhatDoesNotFit) {
  const float one = 1;
  float *a = onDevice<float>({1, 2, 3, 4});
  EXPECT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, a, 1, a, 2, &one, a, 2),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, -1, 2, 2, &one, a, 2, a, 2, &one, a, 2),
            CUBLAS_STATUS_INVALID_VALUE);
  EXPECT_EQ(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, 1, 1, 1, &one, a, CUDA_R_32F, 1, a, CUDA_R_16F, 1, &one, a,
                         CUDA_R_32F, 1, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT),
            CUBLAS_STATUS_NOT_SUPPORTED);
  EXPECT_EQ(cublasSetStream(nullptr, nullptr), CUBLAS_STATUS_NOT_INITIALIZED);
}

TEST_F(Blas, OperandsLieOnTheDevice) {
  const float one = 1;
  float *c = onDevice<float>({1, 2, 3, 4});
  std::vector<float> mine(4);
  testing::internal::CaptureStderr();
  BLAS(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, 2, 2, 2, &one, mine.data(), 2, c, 2, &one, c, 2));
  EXPECT_EQ(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
  EXPECT_NE(testing::internal::GetCapturedStderr().find("memory of the host"), std::string::npos);
}

}  // namespace
