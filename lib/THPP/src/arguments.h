// What declarations hand to kernels in place of their own arguments.
#pragma once

#include <cmath>
#include <cstring>
#include <optional>

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

}  // namespace thpp
