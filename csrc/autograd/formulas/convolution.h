// Gradients of convolutions, which are convolutions again.
#pragma once

#include <THPP/Functions.h>

namespace torch::autograd {

using thpp::IntList;
using thpp::Tensor;

Tensor convolution_input_gradient(const Tensor &grad, const Tensor &weight, IntList size, IntList stride,
                                  IntList padding, IntList dilation, bool transposed, int64_t groups);
Tensor convolution_weight_gradient(const Tensor &grad, const Tensor &input, IntList size, IntList stride,
                                   IntList padding, IntList dilation, bool transposed, int64_t groups);
Tensor convolution_bias_gradient(const Tensor &grad);

}  // namespace torch::autograd
