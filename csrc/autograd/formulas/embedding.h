// Gradients of rows of tables.
#pragma once

#include <THPP/Functions.h>

namespace torch::autograd {

using thpp::Tensor;

Tensor embedding_dense_double_backward(const Tensor &grad, const Tensor &indices, int64_t padding_idx,
                                       bool scale_grad_by_freq);

}  // namespace torch::autograd
