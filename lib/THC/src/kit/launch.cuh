// Launching kernels, and the one thing in them that toolkits spell in different ways.
#pragma once

#include <tuple>
#include <cuda_runtime.h>
#include "kit/cuda.hpp"

// Shared memory of the block: `count` elements of `type`, as many at each launch; or as many bytes as the launch says.
#ifndef THC_SHARED
#define THC_SHARED(type, name, count) __shared__ type name[count]
#define THC_DYNAMIC_SHARED(type, name)                          \
  extern __shared__ __align__(16) unsigned char name##_bytes[]; \
  type *const name = reinterpret_cast<type *>(name##_bytes)
#endif

namespace thc {

// kernel<<<grid, block, sharedBytes, stream>>>(arguments…), converted to the kernel's parameters; raises what the driver
// refuses.
template <class... Parameter, class... Argument>
void launch(void (*kernel)(Parameter...), dim3 grid, dim3 block, size_t sharedBytes, cudaStream_t stream,
            const Argument &...arguments) {
  std::tuple<Parameter...> values(static_cast<Parameter>(arguments)...);
  const cudaError_t error = std::apply(
      [&](auto &...value) {
        void *addresses[] = {&value...};
        return cudaLaunchKernel(kernel, grid, block, addresses, sharedBytes, stream);
      },
      values);
  THC_checkLaunchError(stream, error, "a kernel");
}

constexpr int kWarp = 32;
constexpr unsigned kFullWarp = 0xffffffffu;
constexpr int kBlock = 256;  // threads, where nothing speaks for another number

// As many blocks as `n` threads' work needs, but no more than a grid-stride loop can use well.
inline unsigned blocksFor(int64_t n, int perBlock = kBlock) {
  const int64_t blocks = (n + perBlock - 1) / perBlock;
  return unsigned(blocks < 1 ? 1 : blocks > 65536 ? 65536 : blocks);
}

}  // namespace thc
