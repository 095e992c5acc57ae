/* Threads of a kernel: who they are, shared memory, barriers, warps. */
#ifndef HOST_CUDA_DEVICE_H
#define HOST_CUDA_DEVICE_H

#include <bit>
#include <type_traits>

#include "../cuda_runtime.h"

#define HOST_CUDA_THREAD extern "C" __attribute__((visibility("default"), tls_model("initial-exec"))) const __thread
HOST_CUDA_THREAD uint3 threadIdx;
HOST_CUDA_THREAD uint3 blockIdx;
HOST_CUDA_THREAD uint3 blockDim;
HOST_CUDA_THREAD uint3 gridDim;
constexpr int warpSize = 32;

namespace hostcuda {
enum WarpOperation {
  warpSync,
  warpIndex,
  warpUp,
  warpDown,
  warpXor,
  warpBallot,
  warpAny,
  warpAll,
  warpMatchAny,
  warpMatchAll
};
enum BlockOperation { blockSync, blockOr, blockAnd, blockCount };
struct Site {  // of a call
  const char *file;
  int line;
};
}  // namespace hostcuda

/* A static variable in shared memory: one for each place that declares it. `key` tells them apart. */
HOST_CUDA_API void *hostcudaShared(const void *key, size_t bytes, size_t alignment);
HOST_CUDA_API void *hostcudaDynamicShared(void);
HOST_CUDA_API int hostcudaBarrier(hostcuda::BlockOperation operation, int value, hostcuda::Site site);
HOST_CUDA_API unsigned long long hostcudaWarp(hostcuda::WarpOperation operation, unsigned mask,
                                              unsigned long long value, unsigned argument, int width,
                                              hostcuda::Site site);
HOST_CUDA_API unsigned hostcudaActiveMask(void);
HOST_CUDA_API long long hostcudaClock(void);
HOST_CUDA_API void hostcudaTrap(void) __attribute__((noreturn));
HOST_CUDA_API void hostcudaAssertFail(const char *condition, const char *file, unsigned line,
                                      const char *function) noexcept __attribute__((noreturn));
#define __assert_fail hostcudaAssertFail

#define THC_SHARED(type, name, count) \
  static_assert(sizeof(type) * (count) <= 48 * 1024, "a block has 48 KiB of static shared memory"); \
  static const char name##HostCudaKey = 0; \
  type(&name)[count] = *static_cast<type(*)[count]>( \
      static_cast<void *>(hostcudaShared(&name##HostCudaKey, sizeof(type) * (count), alignof(type))))
#define THC_DYNAMIC_SHARED(type, name) type *const name = static_cast<type *>(hostcudaDynamicShared())

#define HOST_CUDA_SITE const char *file = __builtin_FILE(), int line = __builtin_LINE()
inline void __syncthreads(HOST_CUDA_SITE) { hostcudaBarrier(hostcuda::blockSync, 0, {file, line}); }
inline int __syncthreads_or(int value, HOST_CUDA_SITE) {
  return hostcudaBarrier(hostcuda::blockOr, value, {file, line});
}
inline int __syncthreads_and(int value, HOST_CUDA_SITE) {
  return hostcudaBarrier(hostcuda::blockAnd, value, {file, line});
}
inline int __syncthreads_count(int value, HOST_CUDA_SITE) {
  return hostcudaBarrier(hostcuda::blockCount, value, {file, line});
}
inline void __syncwarp(unsigned mask = 0xffffffffu, HOST_CUDA_SITE) {
  hostcudaWarp(hostcuda::warpSync, mask, 0, 0, 32, {file, line});
}
inline unsigned __ballot_sync(unsigned mask, int value, HOST_CUDA_SITE) {
  return unsigned(hostcudaWarp(hostcuda::warpBallot, mask, value != 0, 0, 32, {file, line}));
}
inline int __any_sync(unsigned mask, int value, HOST_CUDA_SITE) {
  return int(hostcudaWarp(hostcuda::warpAny, mask, value != 0, 0, 32, {file, line}));
}
inline int __all_sync(unsigned mask, int value, HOST_CUDA_SITE) {
  return int(hostcudaWarp(hostcuda::warpAll, mask, value != 0, 0, 32, {file, line}));
}
inline unsigned __activemask() { return hostcudaActiveMask(); }

namespace hostcuda {
// The types that CUDA's shuffles take.
template <class T>
concept Shuffled = std::is_same_v<T, int> || std::is_same_v<T, unsigned> || std::is_same_v<T, long> ||
                   std::is_same_v<T, unsigned long> || std::is_same_v<T, long long> ||
                   std::is_same_v<T, unsigned long long> || std::is_same_v<T, float> || std::is_same_v<T, double>;
template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, unsigned, unsigned long long>;
template <class T>
T shuffle(WarpOperation operation, unsigned mask, T value, unsigned argument, int width, Site site) {
  return std::bit_cast<T>(Bits<T>(hostcudaWarp(operation, mask, std::bit_cast<Bits<T>>(value), argument, width, site)));
}
}  // namespace hostcuda

/* Other integers become int, as with overloaded functions. */
#define HOST_CUDA_SHUFFLE(name, operation, Argument) \
  template <hostcuda::Shuffled T> \
  T name(unsigned mask, T value, Argument argument, int width = 32, HOST_CUDA_SITE) { \
    return hostcuda::shuffle(hostcuda::operation, mask, value, unsigned(argument), width, {file, line}); \
  } \
  template <class T> \
    requires(std::is_integral_v<T> && sizeof(T) < 4) \
  int name(unsigned mask, T value, Argument argument, int width = 32, HOST_CUDA_SITE) { \
    return hostcuda::shuffle(hostcuda::operation, mask, int(value), unsigned(argument), width, {file, line}); \
  }
HOST_CUDA_SHUFFLE(__shfl_sync, warpIndex, int)
HOST_CUDA_SHUFFLE(__shfl_up_sync, warpUp, unsigned)
HOST_CUDA_SHUFFLE(__shfl_down_sync, warpDown, unsigned)
HOST_CUDA_SHUFFLE(__shfl_xor_sync, warpXor, int)
#undef HOST_CUDA_SHUFFLE

template <hostcuda::Shuffled T>
unsigned __match_any_sync(unsigned mask, T value, HOST_CUDA_SITE) {
  return unsigned(
      hostcudaWarp(hostcuda::warpMatchAny, mask, std::bit_cast<hostcuda::Bits<T>>(value), 0, 32, {file, line}));
}
template <hostcuda::Shuffled T>
unsigned __match_all_sync(unsigned mask, T value, int *all, HOST_CUDA_SITE) {
  const unsigned found = unsigned(
      hostcudaWarp(hostcuda::warpMatchAll, mask, std::bit_cast<hostcuda::Bits<T>>(value), 0, 32, {file, line}));
  *all = found != 0;
  return found;
}

inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_block() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline void __threadfence_system() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
inline long long clock64() { return hostcudaClock(); }
inline void __nanosleep(unsigned) {}
[[noreturn]] inline void __trap() { hostcudaTrap(); }
template <class T>
T __ldg(const T *pointer) {
  return *pointer;
}

#endif
