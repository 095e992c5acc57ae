// a + b, 1 - a, a > 0, a += b, …
#pragma once

#include <torch/tensor.h>

namespace torch {

// Spelled out for two tensors and for a number on either side: C++20 turns == around by itself, and
// a template or a conversion would make that ambiguous.
#define TORCH_OPERATOR(op, function)                                                      \
  inline Tensor operator op(const Tensor &a, const Tensor &b) {                           \
    return thpp::function(detail::defined(a), detail::defined(b));                        \
  }                                                                                       \
  inline Tensor operator op(const Tensor &a, const Scalar &b) {                           \
    return thpp::function(detail::defined(a), Operand(b));                                \
  }                                                                                       \
  inline Tensor operator op(const Scalar &a, const Tensor &b) {                           \
    return thpp::function(Operand(a), detail::defined(b));                                \
  }
TORCH_OPERATOR(+, add)
TORCH_OPERATOR(-, sub)
TORCH_OPERATOR(*, mul)
TORCH_OPERATOR(/, div)
TORCH_OPERATOR(%, remainder)
TORCH_OPERATOR(&, bitwise_and)
TORCH_OPERATOR(|, bitwise_or)
TORCH_OPERATOR(^, bitwise_xor)
TORCH_OPERATOR(<<, bitwise_left_shift)
TORCH_OPERATOR(>>, bitwise_right_shift)
TORCH_OPERATOR(==, eq)
TORCH_OPERATOR(!=, ne)
TORCH_OPERATOR(<, lt)
TORCH_OPERATOR(<=, le)
TORCH_OPERATOR(>, gt)
TORCH_OPERATOR(>=, ge)
#undef TORCH_OPERATOR

#define TORCH_OPERATOR(op, function)                                                      \
  inline const Tensor &operator op(const Tensor &a, const Tensor &b) {                    \
    return thpp::function(detail::defined(a), detail::defined(b)), a;                     \
  }                                                                                       \
  inline const Tensor &operator op(const Tensor &a, const Scalar &b) {                    \
    return thpp::function(detail::defined(a), Operand(b)), a;                             \
  }
TORCH_OPERATOR(+=, add_)
TORCH_OPERATOR(-=, sub_)
TORCH_OPERATOR(*=, mul_)
TORCH_OPERATOR(/=, div_)
TORCH_OPERATOR(&=, bitwise_and_)
TORCH_OPERATOR(|=, bitwise_or_)
TORCH_OPERATOR(^=, bitwise_xor_)
#undef TORCH_OPERATOR

inline Tensor operator-(const Tensor &a) { return thpp::neg(detail::defined(a)); }
inline Tensor operator~(const Tensor &a) { return thpp::bitwise_not(detail::defined(a)); }
inline Tensor operator!(const Tensor &a) { return thpp::logical_not(detail::defined(a)); }

}  // namespace torch
