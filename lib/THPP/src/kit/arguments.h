// What declarations hand to kernels in place of their own arguments.
#pragma once

#include <cmath>
#include <cstring>
#include <optional>
#include <vector>

#include <THPP/Tensor.h>

namespace thpp {

// The fixed point of mean 0 and variance 1 of "Self-Normalizing Neural Networks".
inline constexpr double kSeluAlpha = 1.6732632423543772848170429916717, kSeluScale = 1.0507009873554804934193349852946;

// gelu's argument `approximate`, which has been checked.
inline bool by_tanh(const char *approximate) { return std::strcmp(approximate, "tanh") == 0; }

// What attention multiplies scores by, unless it is given.
inline double attention_scale(std::optional<double> scale, const Tensor &query) {
  return scale.value_or(1 / std::sqrt(double(query.size(query.dim() - 1))));
}

// A list of `n` entries, all of which one number stands for.
inline std::vector<int64_t> each_of(IntList list, size_t n) {
  return list.size() == 1 ? std::vector<int64_t>(n, list[0]) : std::vector<int64_t>(list.begin(), list.end());
}

// Of the last n dimensions.
inline IntList last_sizes(const Tensor &t, size_t n) { return {t.sizes().data() + size_t(t.dim()) - n, n}; }

// What upsampling is asked for by a size or by factors, of which one must be there: the size of n dimensions, and the d-th
// factor.
std::vector<int64_t> upsampled_size(int n, const Tensor &self, IntList output_size, FloatList factors);
inline std::optional<double> factor_at(FloatList factors, size_t d) {
  return d < factors.size() ? std::optional(factors[d]) : std::nullopt;
}

}  // namespace thpp
