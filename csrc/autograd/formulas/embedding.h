// Gradients of rows of tables.
#pragma once

#include <THPP/Functions.h>

namespace torch::autograd {

using thpp::Tensor;

// Of the table: dense, or by rows that were named.
Tensor embedding_backward(const Tensor &grad, const Tensor &indices, int64_t num_weights, int64_t padding_idx,
                          bool scale_grad_by_freq, bool sparse);
Tensor embedding_bag_backward(const Tensor &grad, const Tensor &indices, const Tensor &offset2bag,
                              const Tensor &bag_size, const Tensor &maximum_indices, int64_t num_weights,
                              bool scale_grad_by_freq, int64_t mode, bool sparse, const Tensor &per_sample_weights,
                              int64_t padding_idx);
Tensor embedding_dense_double_backward(const Tensor &grad, const Tensor &indices, int64_t padding_idx,
                                       bool scale_grad_by_freq);

}  // namespace torch::autograd
