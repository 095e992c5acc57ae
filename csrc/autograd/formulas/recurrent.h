// Gradients of recurrent layers.
#pragma once

#include <vector>

#include <THPP/Functions.h>

namespace torch::autograd {

using thpp::IntList;
using thpp::Tensor;

// grads: for the outputs and both states after, undefined for zeros; inputs: the input, both states and the five weights
// of _recurrent_layer, of which some may be undefined.
std::vector<Tensor> recurrent_layer_backward(const std::vector<Tensor> &grads, const std::vector<Tensor> &inputs,
                                             const Tensor &output, const Tensor &storage, IntList sizes, bool reverse,
                                             int64_t mode, const std::vector<bool> &wanted);

}  // namespace torch::autograd
