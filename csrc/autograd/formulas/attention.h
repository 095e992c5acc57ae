// Of attention in tiles: the kernel where nothing is recorded, else its formula.
#pragma once

#include "operators.h"

namespace torch::autograd {

// The gradients for query, key and value.
std::vector<Tensor> attention_backward(const Tensor &grad, const Tensor &query, const Tensor &key, const Tensor &value,
                                       const Tensor &output, const Tensor &logsumexp, const Tensor &mask,
                                       bool is_causal, std::optional<double> scale);

}  // namespace torch::autograd
