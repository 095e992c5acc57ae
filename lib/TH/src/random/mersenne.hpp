// The Mersenne Twister MT19937 (Matsumoto and Nishimura, "Mersenne twister: a 623-dimensionally equidistributed uniform
// pseudo-random number generator", 1998), and how PyTorch's generator of the CPU makes numbers of its words. One word
// comes after another, so whoever draws holds the lock from the first to the last.
#pragma once

#include <array>
#include <cstdint>
#include <mutex>

namespace th {

// What PyTorch's `get_state` of a generator of the CPU returns: its words stand in 64 bits each, and behind them what
// it has put aside of a pair of normal deviates. `x` and `radius` have had no use since 2018.
struct MersenneState {
  uint64_t seed;
  int32_t left, seeded;  // words before the next ones have to be made, plus 1
  uint64_t next;
  uint64_t words[624];
  double x, normal, radius;
  int32_t hasNormal;
  float normal32;
  bool hasNormal32;
};
static_assert(sizeof(MersenneState) == 5056);

class Mersenne {
 public:
  std::mutex mutex;  // to be held by callers of what follows

  void seed(uint64_t seed);
  uint64_t initialSeed() const { return seed_; }
  MersenneState state() const;
  // Whether it is one that a generator can be in; changes nothing where not.
  bool setState(const MersenneState &state);

  uint32_t word() {
    if (--left_ == 0) refill();
    uint32_t y = words_[next_++];
    y ^= y >> 11;
    y ^= y << 7 & 0x9d2c5680u;
    y ^= y << 15 & 0xefc60000u;
    return y ^ y >> 18;
  }
  uint64_t word64() {  // the upper half first
    const uint64_t upper = word();
    return upper << 32 | word();
  }
  // In [0, 1): the lower bits of a word, as many as R has digits.
  template <class R>
  R fraction() {
    if constexpr (sizeof(R) == 8)
      return R(int64_t(word64() & 0x1fffffffffffffu)) * 0x1p-53;
    else
      return R(int32_t(word() & 0xffffffu)) * 0x1p-24f;
  }
  double normal();  // by Box and Muller, whose second deviate waits for the next call

 private:
  void refill();

  std::array<uint32_t, 624> words_;
  int32_t left_;
  uint32_t next_;
  bool hasNormal_ = false, hasNormal32_ = false;
  uint64_t seed_;
  double normal_ = 0;
  float normal32_ = 0;  // kept for whoever reads the state
};

}  // namespace th
