// What the environment says about memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace thc {

constexpr size_t kMiB = size_t(1) << 20;

struct MemoryConfig {
  bool caching = true;             // not with PYTORCH_NO_CUDA_MEMORY_CACHING
  size_t maxSplit = SIZE_MAX;      // larger free blocks are not split
  double garbageThreshold = 0;     // the part of what may be reserved beyond which unused segments go back; 0: never
  // Steps in each interval between powers of two to which requests are rounded up: (requests below this many bytes, steps).
  std::vector<std::pair<size_t, size_t>> divisions;

  size_t divisionsOf(size_t nbytes) const;
};

// Of this process; raises when it is read first, if it cannot be understood.
const MemoryConfig &memoryConfig();

// `text` is PYTORCH_CUDA_ALLOC_CONF's: "max_split_size_mb:128,garbage_collection_threshold:0.8,
// roundup_power2_divisions:[256:1,512:2,>:4]". Raises TH_ERROR_RUNTIME, naming what it does not know.
MemoryConfig parseMemoryConfig(const char *text);

}  // namespace thc
