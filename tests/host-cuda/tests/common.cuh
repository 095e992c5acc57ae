// What the tests share. They use nothing that NVIDIA's toolkit does not have, so its nvcc compiles them, too.
#ifndef HOST_CUDA_TESTS_COMMON_CUH
#define HOST_CUDA_TESTS_COMMON_CUH

#include <cuda_runtime.h>
#include <gtest/gtest.h>

#include <tuple>
#include <vector>

#ifndef THC_SHARED
#define THC_SHARED(type, name, count) __shared__ type name[count]
#define THC_DYNAMIC_SHARED(type, name) \
  extern __shared__ unsigned char name##Bytes[]; \
  type *const name = reinterpret_cast<type *>(name##Bytes)
#endif

#define OK(call) ASSERT_EQ(call, cudaSuccess)

// A kernel with arguments that are converted to its parameters' types.
template <class... Parameters, class... Arguments>
cudaError_t launch(void (*kernel)(Parameters...), dim3 grid, dim3 block, size_t shared, cudaStream_t stream,
                   Arguments... arguments) {
  std::tuple<Parameters...> values(static_cast<Parameters>(arguments)...);
  return std::apply(
      [&](auto &...value) {
        void *pointers[] = {&value..., nullptr};
        return cudaLaunchKernel(kernel, grid, block, pointers, shared, stream);
      },
      values);
}

template <class T>
T *onDevice(const std::vector<T> &values) {
  T *data = nullptr;
  EXPECT_EQ(cudaMalloc(&data, values.size() * sizeof(T)), cudaSuccess);
  EXPECT_EQ(cudaMemcpy(data, values.data(), values.size() * sizeof(T), cudaMemcpyHostToDevice), cudaSuccess);
  return data;
}

template <class T>
std::vector<T> fromDevice(const T *data, size_t count) {
  std::vector<T> values(count);
  EXPECT_EQ(cudaMemcpy(values.data(), data, count * sizeof(T), cudaMemcpyDeviceToHost), cudaSuccess);
  return values;
}

// Every test begins with devices that nobody has used.
class Cuda : public testing::Test {
 protected:
  void SetUp() override {
    for (int device : {1, 0}) {
      OK(cudaSetDevice(device));
      OK(cudaDeviceReset());
    }
    cudaGetLastError();
  }
  // The kernel that was launched ends with this error, and a message on stderr that holds `words`.
  void expectStop(cudaError_t error, const std::string &words) {
    testing::internal::CaptureStderr();
    EXPECT_EQ(cudaDeviceSynchronize(), error);
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_NE(text.find(words), std::string::npos) << text;
    EXPECT_EQ(cudaDeviceSynchronize(), error) << "it stays";
    void *p;
    EXPECT_EQ(cudaMalloc(&p, 4), error) << "for all that the device is asked for";
  }
};

#endif
