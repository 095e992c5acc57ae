// From random words to numbers: what the host's loops and the kernels of devices share.
#pragma once

#include <cmath>
#include <cstdint>

#include "philox.hpp"
#include "kit/scalar.hpp"

namespace th {

// ---- uniform: as many random bits as T has digits ------------------------------------------------

// The number before `to`, which rounding must not reach; `from` itself if the two are equal.
template <class T>
T largestBelow(T to, T from) {
  if constexpr (isHalfType<T>) {
    if (!(float(from) < float(to))) return from;
    if (float(to) == 0)
      to.bits = 0x8001;
    else
      to.bits = uint16_t(float(to) > 0 ? to.bits - 1 : to.bits + 1);
    return to;
  } else {
    return std::nextafter(to, from);
  }
}

// Word `index` of the stream, given that it was refused `retry - 1` times.
constexpr uint32_t word32(uint64_t seed, uint64_t index, uint32_t retry) {
  return philoxBlock(seed, index / 4, retry)[index % 4];
}
constexpr uint64_t word64(uint64_t seed, uint64_t index, uint32_t retry) {
  const PhiloxBlock block = philoxBlock(seed, index / 2, retry);
  return block[index % 2 * 2] | uint64_t(block[index % 2 * 2 + 1]) << 32;
}

// ---- integers: the upper half of word · range; the words whose lower half is below 2^bits mod range
// would come once too often and are drawn again (Lemire, "Fast random integer generation in an
// interval", 2019). -----------------------------------------------------------------------------------

constexpr uint32_t below32(uint32_t word, uint32_t range, uint64_t seed, uint64_t index) {
  uint64_t product = uint64_t(word) * range;
  if (uint32_t(product) < range) [[unlikely]] {
    const uint32_t refused = (0u - range) % range;
    for (uint32_t retry = 1; uint32_t(product) < refused; retry++)
      product = uint64_t(word32(seed, index, retry)) * range;
  }
  return uint32_t(product >> 32);
}

constexpr uint64_t below64(uint64_t word, uint64_t range, uint64_t seed, uint64_t index) {
  using Wide = unsigned __int128;
  Wide product = Wide(word) * range;
  if (uint64_t(product) < range) [[unlikely]] {
    const uint64_t refused = (0u - range) % range;
    for (uint32_t retry = 1; uint64_t(product) < refused; retry++) product = Wide(word64(seed, index, retry)) * range;
  }
  return uint64_t(product >> 64);
}

}  // namespace th
