// Philox 4x32-10: a 128-bit counter and a 64-bit key in, 128 random bits out.
#pragma once

#include <array>
#include <cstdint>

namespace th {

using PhiloxBlock = std::array<uint32_t, 4>;

#include "philox-inl.hpp"

struct PhiloxNumbers {
  using Word = uint64_t;
  static constexpr Word of(uint32_t x) { return x; }
  static constexpr Word product(Word a, uint32_t factor) { return uint64_t(uint32_t(a)) * factor; }
  static constexpr Word upper(Word a) { return a >> 32; }
  static constexpr Word either(Word a, Word b) { return a ^ b; }
};

// `Lanes` counters at once, c[word][lane], for the vectoriser.
template <int Lanes>
constexpr void philox(uint32_t (&c)[4][Lanes], uint64_t key) {
  uint64_t words[4][Lanes] = {};
  for (int w = 0; w < 4; w++)
    for (int i = 0; i < Lanes; i++) words[w][i] = c[w][i];
  philoxRounds<PhiloxNumbers>(words, key);
  for (int w = 0; w < 4; w++)
    for (int i = 0; i < Lanes; i++) c[w][i] = uint32_t(words[w][i]);
}

constexpr PhiloxBlock philox(const PhiloxBlock &counter, uint64_t key) {
  uint32_t c[4][1] = {{counter[0]}, {counter[1]}, {counter[2]}, {counter[3]}};
  philox(c, key);
  return {c[0][0], c[1][0], c[2][0], c[3][0]};
}

// A seed's stream is the sequence of blocks 0, 1, 2, …; each has four 32-bit words. `retry` counts
// further streams, for the draws that rejection repeats.
constexpr PhiloxBlock philoxBlock(uint64_t seed, uint64_t block, uint32_t retry = 0) {
  return philox({uint32_t(block), uint32_t(block >> 32), retry, 0}, seed);
}

}  // namespace th
