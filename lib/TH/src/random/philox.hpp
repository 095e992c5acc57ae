// Philox 4x32-10: a 128-bit counter and a 64-bit key in, 128 random bits out.
#pragma once

#include <array>
#include <cstdint>

namespace th {

using PhiloxBlock = std::array<uint32_t, 4>;
constexpr uint32_t kPhiloxFactor[] = {0xD2511F53u, 0xCD9E8D57u}, kPhiloxStep[] = {0x9E3779B9u, 0xBB67AE85u};

// Ten rounds of multiplication and exclusive or over `Lanes` counters at once; c[word][lane].
// The lanes are there for the vectoriser.
template <int Lanes>
inline void philox(uint32_t (&c)[4][Lanes], uint64_t key) {
  uint32_t k0 = uint32_t(key), k1 = uint32_t(key >> 32);
  for (int round = 0; round < 10; round++) {
    for (int i = 0; i < Lanes; i++) {
      const uint64_t p0 = uint64_t(kPhiloxFactor[0]) * c[0][i], p1 = uint64_t(kPhiloxFactor[1]) * c[2][i];
      c[0][i] = uint32_t(p1 >> 32) ^ c[1][i] ^ k0;
      c[1][i] = uint32_t(p1);
      c[2][i] = uint32_t(p0 >> 32) ^ c[3][i] ^ k1;
      c[3][i] = uint32_t(p0);
    }
    k0 += kPhiloxStep[0];
    k1 += kPhiloxStep[1];
  }
}

inline PhiloxBlock philox(const PhiloxBlock &counter, uint64_t key) {
  uint32_t c[4][1] = {{counter[0]}, {counter[1]}, {counter[2]}, {counter[3]}};
  philox(c, key);
  return {c[0][0], c[1][0], c[2][0], c[3][0]};
}

// A seed's stream is the sequence of blocks 0, 1, 2, …; each has four 32-bit words. `retry` counts
// further streams, for the draws that rejection repeats.
inline PhiloxBlock philoxBlock(uint64_t seed, uint64_t block, uint32_t retry = 0) {
  return philox({uint32_t(block), uint32_t(block >> 32), retry, 0}, seed);
}

// Words of blocks first … first + n - 1. n is a multiple of 4.
void philoxWords(uint32_t *words, uint64_t seed, uint64_t first, int64_t n);

}  // namespace th
