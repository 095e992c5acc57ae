// Gradients of normalisations that no kernel computes.
#pragma once

#include "operators.h"

namespace torch::autograd {

// Those of v and g that are wanted.
std::vector<Tensor> weight_norm_backward(const Tensor &grad, const Tensor &v, const Tensor &g, const Tensor &norms,
                                         int64_t dim, const std::vector<bool> &wanted);

}  // namespace torch::autograd
