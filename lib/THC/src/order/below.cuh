// A place in ascending numbers.
#pragma once

#include <cstdint>

namespace thc {

// How many of n ascending keys are below `key`.
template <class Key>
__device__ int64_t countBelow(const Key *keys, int64_t n, uint64_t key) {
  int64_t low = 0;
  while (low < n) {
    const int64_t middle = low + (n - low) / 2;
    if (keys[middle] < key)
      low = middle + 1;
    else
      n = middle;
  }
  return low;
}

}  // namespace thc
