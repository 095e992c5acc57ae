// The words of MT19937, its state, and normal deviates one by one.
#include "mersenne.hpp"

#include <cmath>

namespace th {

void Mersenne::seed(uint64_t seed) {
  seed_ = seed;
  words_[0] = uint32_t(seed);  // the upper half of a seed has no say
  for (uint32_t i = 1; i < words_.size(); i++) words_[i] = 1812433253u * (words_[i - 1] ^ words_[i - 1] >> 30) + i;
  left_ = 1, next_ = 0;
  hasNormal_ = hasNormal32_ = false;
}

// x[i + 624] = x[i + 397] ^ (the upper bit of x[i] and the lower ones of x[i + 1]) · A
void Mersenne::refill() {
  constexpr int n = 624, m = 397;
  const auto twisted = [](uint32_t far, uint32_t upper, uint32_t lower) {
    const uint32_t x = (upper & 0x80000000u) | (lower & 0x7fffffffu);
    return far ^ x >> 1 ^ (-(lower & 1) & 0x9908b0dfu);
  };
  uint32_t *const w = words_.data();
  for (int i = 0; i < n - m; i++) w[i] = twisted(w[i + m], w[i], w[i + 1]);
  for (int i = n - m; i < n - 1; i++) w[i] = twisted(w[i + m - n], w[i], w[i + 1]);
  w[n - 1] = twisted(w[m - 1], w[n - 1], w[0]);
  left_ = n, next_ = 0;
}

double Mersenne::normal() {
  if (hasNormal_) {
    hasNormal_ = false;
    return normal_;
  }
  const double u = fraction<double>(), v = fraction<double>();
  const double radius = std::sqrt(-2 * std::log1p(-v)), angle = 2 * M_PI * u;
  normal_ = radius * std::sin(angle), hasNormal_ = true;
  return radius * std::cos(angle);
}

MersenneState Mersenne::state() const {
  MersenneState state{};
  state.seed = seed_, state.left = left_, state.seeded = 1, state.next = next_;
  for (size_t i = 0; i < words_.size(); i++) state.words[i] = words_[i];
  if (hasNormal_) state.normal = normal_, state.hasNormal = 1;
  if (hasNormal32_) state.normal32 = normal32_, state.hasNormal32 = true;
  return state;
}

bool Mersenne::setState(const MersenneState &state) {
  if (state.seeded != 1 || state.left < 1 || state.left > 624 || state.next > 624) return false;
  if (state.left > 1 && uint64_t(state.left) + state.next > 625) return false;  // it would read beyond the words
  seed_ = state.seed, left_ = state.left, next_ = uint32_t(state.next);
  for (size_t i = 0; i < words_.size(); i++) words_[i] = uint32_t(state.words[i]);
  hasNormal_ = state.hasNormal != 0, normal_ = state.normal;
  hasNormal32_ = state.hasNormal32, normal32_ = state.normal32;
  return true;
}

}  // namespace th
