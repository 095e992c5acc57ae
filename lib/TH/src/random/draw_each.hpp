// A distribution per element: the elements draw as many numbers as they need.
#pragma once

#include <algorithm>

#include "random.hpp"

namespace th {

// The numbers of one element: a block of the stream, which is given, and that block's own further streams, of which four
// are computed at once.
class Draws {
 public:
  Draws(uint64_t seed, uint64_t block, const uint32_t *words) : seed_(seed), block_(block), at_(words), left_(4) {}
  Draws(const Draws &) = delete;  // it points into itself
  double operator()() {  // in (0, 1)
    if (left_ == 0) refill();
    const uint64_t word = at_[0] | uint64_t(at_[1]) << 32;
    at_ += 2, left_ -= 2;
    return double(int64_t(word >> 12 << 1 | 1)) * 0x1p-53;
  }

 private:
  void refill() {
    uint32_t c[4][4];
    for (int i = 0; i < 4; i++)
      c[0][i] = uint32_t(block_), c[1][i] = uint32_t(block_ >> 32), c[2][i] = ++retry_, c[3][i] = 0;
    philox(c, seed_);
    for (int i = 0; i < 4; i++)
      for (int w = 0; w < 4; w++) words_[4 * i + w] = c[w][i];
    at_ = words_, left_ = 16;
  }
  uint64_t seed_, block_;
  const uint32_t *at_;
  int left_;
  uint32_t retry_ = 0, words_[16];
};

inline constexpr int64_t kDrawn = 64;  // elements at a time

// r = deviate(i, draws) in the shape of `like`, which it has; element i owns block i.
template <class T, class Deviate>
void drawEach(THTensor *r, const THTensor *like, THGenerator *generator, const Deviate &deviate) {
  ContiguousResult result(r);
  const uint64_t seed = generator->seed, offset = takeBlocks(generator, uint64_t(like->numel));
  T *const out = result.data<T>();
  parallelFor(like->numel, 512, [&](int64_t begin, int64_t end) {
    Deviate own = deviate;
    alignas(64) uint32_t words[4 * kDrawn];
    for (int64_t first = begin; first < end; first += kDrawn) {
      const int64_t last = std::min(end, first + kDrawn);
      philoxWords(words, seed, offset + uint64_t(first), kDrawn);
      if constexpr (requires { own.prepare(first, last); }) own.prepare(first, last);
      for (int64_t i = first; i < last; i++)
        out[i] = convertTo<T>(own(i, Draws(seed, offset + uint64_t(i), words + 4 * (i - first))));
    }
  });
  result.finish();
}

}  // namespace th
