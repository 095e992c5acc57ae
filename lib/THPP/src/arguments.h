// What declarations hand to kernels in place of their own arguments.
#pragma once

#include <cstring>
#include <vector>

#include <THPP/Tensor.h>

namespace thpp {

// The fixed point of mean 0 and variance 1 of "Self-Normalizing Neural Networks".
inline constexpr double kSeluAlpha = 1.6732632423543772848170429916717, kSeluScale = 1.0507009873554804934193349852946;

// gelu's argument `approximate`, which has been checked.
inline bool by_tanh(const char *approximate) { return std::strcmp(approximate, "tanh") == 0; }

// A list of `n` entries, all of which one number stands for.
inline std::vector<int64_t> each_of(IntList list, size_t n) {
  return list.size() == 1 ? std::vector<int64_t>(n, list[0]) : std::vector<int64_t>(list.begin(), list.end());
}

// Of the last n dimensions.
inline IntList last_sizes(const Tensor &t, size_t n) { return {t.sizes().data() + size_t(t.dim()) - n, n}; }

}  // namespace thpp
