/* The runtime's C++ interface: launches, whose argument types come from the kernel's. */
#ifndef HOST_CUDA_RUNTIME_H
#define HOST_CUDA_RUNTIME_H

#include "cuda_runtime_api.h"
#include "vector_functions.h"

#ifndef __host__
#define __host__
#define __device__
#define __global__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __align__(n) __attribute__((aligned(n)))
#endif

#ifdef __cplusplus
#include <cstdint>
#include <type_traits>
#include <utility>

namespace hostcuda {

// Calls a kernel once, for one thread, with arguments that lie at `arguments`.
using Invoke = void (*)(const void *function, void *const *arguments);
struct Parameters {
  Invoke invoke;
  int count;
  const size_t *sizes;
};

template <class Function>
struct KernelOf {
  static_assert(std::is_function_v<Function>, "a launch names the kernel itself, with its type");
};
template <class... Arguments>
struct KernelOf<void(Arguments...)> {
  static_assert(((std::is_trivially_copy_constructible_v<Arguments> && std::is_trivially_destructible_v<Arguments>) &&
                 ...),
                "a kernel's arguments are copied as bytes");
  static_assert((!std::is_reference_v<Arguments> && ...), "a kernel takes its arguments by value");
  static_assert((0 + ... + sizeof(Arguments)) <= 32764, "a kernel's arguments take at most 32764 bytes");
  static constexpr size_t sizes[sizeof...(Arguments) + 1] = {sizeof(Arguments)...};

  template <size_t... I>
  __attribute__((no_sanitize("kernel-address", "address"))) static void call(const void *function,
                                                                             void *const *arguments,
                                                                             std::index_sequence<I...>) {
    reinterpret_cast<void (*)(Arguments...)>(const_cast<void *>(function))(*static_cast<Arguments *>(arguments[I])...);
  }
  __attribute__((no_sanitize("kernel-address", "address"))) static void invoke(const void *function,
                                                                               void *const *arguments) {
    call(function, arguments, std::index_sequence_for<Arguments...>{});
  }
  static constexpr Parameters parameters{invoke, int(sizeof...(Arguments)), sizes};
};

HOST_CUDA_API cudaError_t hostcudaLaunch(const void *function, const Parameters *parameters, dim3 grid, dim3 block,
                                         void **arguments, size_t shared, cudaStream_t stream);
HOST_CUDA_API cudaError_t hostcudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *function);
HOST_CUDA_API cudaError_t hostcudaFuncSetAttribute(const void *function, cudaFuncAttribute attribute, int value);
HOST_CUDA_API cudaError_t hostcudaOccupancy(int *blocks, const void *function, int blockSize, size_t shared);

}  // namespace hostcuda

template <class T>
cudaError_t cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **arguments, size_t shared = 0,
                             cudaStream_t stream = nullptr) {
  return hostcuda::hostcudaLaunch(reinterpret_cast<const void *>(function), &hostcuda::KernelOf<T>::parameters, grid,
                                  block, arguments, shared, stream);
}
template <class T>
cudaError_t cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *function) {
  return hostcuda::hostcudaFuncGetAttributes(attributes, reinterpret_cast<const void *>(function));
}
template <class T>
cudaError_t cudaFuncSetAttribute(T *function, cudaFuncAttribute attribute, int value) {
  return hostcuda::hostcudaFuncSetAttribute(reinterpret_cast<const void *>(function), attribute, value);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T *function, int blockSize, size_t shared) {
  return hostcuda::hostcudaOccupancy(blocks, reinterpret_cast<const void *>(function), blockSize, shared);
}
template <class T>
cudaError_t cudaMalloc(T **pointer, size_t bytes) {
  return cudaMalloc(reinterpret_cast<void **>(pointer), bytes);
}
template <class T>
cudaError_t cudaMallocAsync(T **pointer, size_t bytes, cudaStream_t stream) {
  return cudaMallocAsync(reinterpret_cast<void **>(pointer), bytes, stream);
}
template <class T>
cudaError_t cudaMallocHost(T **pointer, size_t bytes, unsigned flags = cudaHostAllocDefault) {
  return cudaHostAlloc(reinterpret_cast<void **>(pointer), bytes, flags);
}
template <class T>
cudaError_t cudaHostAlloc(T **pointer, size_t bytes, unsigned flags) {
  return cudaHostAlloc(reinterpret_cast<void **>(pointer), bytes, flags);
}
template <class T>
cudaError_t cudaHostGetDevicePointer(T **device, void *host, unsigned flags) {
  return cudaHostGetDevicePointer(reinterpret_cast<void **>(device), host, flags);
}
inline cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned flags) {
  return cudaEventCreateWithFlags(event, flags);
}
#endif

#endif
