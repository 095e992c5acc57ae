// Of products and powers that are made of others.
#pragma once

#include "pointwise.h"

namespace torch::autograd {

// The vector product of `a` and `b` along the dimension that cross() took of a tensor of these sizes.
Tensor cross_backward(const Tensor &a, const Tensor &b, IntList sizes, std::optional<int64_t> dim);

}  // namespace torch::autograd
