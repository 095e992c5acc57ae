// Where the memory of devices and page-locked memory of the host lie, for memory.cpp and the checks of kernels' accesses.
//
// One range of addresses is reserved. Each device has a span of it, the last span is for page-locked memory. An allocation
// takes whole pages, and the page behind it is never used. A table tells for each page how many of its bytes may be
// touched.
#ifndef HOST_CUDA_SRC_MEMORY_HPP
#define HOST_CUDA_SRC_MEMORY_HPP

#include "runtime.hpp"

// Under AddressSanitizer what may not be touched is poisoned, and it reports who does.
#if defined __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(data, size) ((void)(data), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(data, size) ((void)(data), (void)(size))
#endif

namespace hostcuda {

constexpr size_t pageSize = 4096;
constexpr int pinnedSpan = maxDevices, numSpans = maxDevices + 1;

struct Arena {
  uintptr_t base = 0;
  size_t size = 0;
  int spanShift = 0;
  uint16_t *limits = nullptr;  // per page
};
extern Arena arena;

// Is [address, address + size) inside one live allocation of a span whose bit is set in `spans`? The way of one page.
inline bool isLive(uintptr_t address, size_t size, unsigned spans) {
  const size_t offset = address - arena.base;
  return offset < arena.size && (offset & (pageSize - 1)) + size <= arena.limits[offset / pageSize] &&
         (spans >> (offset >> arena.spanShift) & 1);
}
// The same for any number of pages.
bool isLiveRange(uintptr_t address, size_t size, unsigned spans);
bool isRegistered(uintptr_t address, size_t size);

}  // namespace hostcuda

#endif
