// Gradients of activations: THNN's kernels where nothing is recorded, else operators.
#pragma once

#include <THPP/NN.h>

#include "operators.h"

namespace torch::autograd {

Tensor gelu_backward(const Tensor &grad, const Tensor &self, const char *approximate);
Tensor silu_backward(const Tensor &grad, const Tensor &self);
Tensor mish_backward(const Tensor &grad, const Tensor &self);
Tensor hardsigmoid_backward(const Tensor &grad, const Tensor &self);
Tensor hardswish_backward(const Tensor &grad, const Tensor &self);
Tensor softplus_backward(const Tensor &grad, const Tensor &self, double beta, double threshold);
Tensor log_sigmoid_backward(const Tensor &grad, const Tensor &self);
Tensor shrink_backward(const Tensor &grad, const Tensor &self, double lambda);
// `known` is the input or the result.
Tensor hardtanh_backward(const Tensor &grad, const Tensor &known, double low, double high);
Tensor threshold_backward(const Tensor &grad, const Tensor &self, double threshold);
// `is_result`: `known` is the result, of a function in place. RuntimeError for a slope by which that says too little.
Tensor leaky_relu_backward(const Tensor &grad, const Tensor &known, double slope, bool is_result);
Tensor elu_backward(const Tensor &grad, const Tensor &known, double alpha, double scale, double input_scale,
                    bool is_result);
std::vector<Tensor> prelu_backward(const Tensor &grad, const Tensor &self, const Tensor &weight,
                                   const std::vector<bool> &wanted);
Tensor glu_backward(const Tensor &grad, const Tensor &self, int64_t dim);
// Of sigmoid and tanh.
Tensor sigmoid_backward(const Tensor &grad, const Tensor &result);
Tensor tanh_backward(const Tensor &grad, const Tensor &result);

}  // namespace torch::autograd
