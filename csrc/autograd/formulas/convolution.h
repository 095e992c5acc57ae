// Gradients of convolutions, which are convolutions again.
#pragma once

#include <THPP/Functions.h>

namespace torch::autograd {

using thpp::IntList;
using thpp::Tensor;

// `format`: the result's, which both gradients have, whatever `grad` has.
Tensor convolution_input_gradient(const Tensor &grad, const Tensor &weight, IntList size, IntList stride,
                                  IntList padding, IntList dilation, bool transposed, int64_t groups,
                                  thpp::MemoryFormat format);
Tensor convolution_weight_gradient(const Tensor &grad, const Tensor &input, IntList size, IntList stride,
                                   IntList padding, IntList dilation, bool transposed, int64_t groups,
                                   thpp::MemoryFormat format);
Tensor convolution_bias_gradient(const Tensor &grad);
Tensor conv_tbc_input_gradient(const Tensor &grad, const Tensor &weight, int64_t pad);
Tensor conv_tbc_weight_gradient(const Tensor &grad, const Tensor &input, int64_t kernel, int64_t pad);

}  // namespace torch::autograd
