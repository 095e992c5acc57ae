// Gradients of pooling, which are pooling, or its inverse, again.
#pragma once

#include <THPP/Functions.h>

namespace torch::autograd {

using thpp::IntList;
using thpp::Tensor;

Tensor avg_pool_backward(const Tensor &grad, const Tensor &self, int64_t n, IntList kernel, IntList stride,
                         IntList padding, bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor);
Tensor avg_pool(const Tensor &input, IntList kernel, IntList stride, IntList padding, bool ceil_mode,
                bool count_include_pad, std::optional<int64_t> divisor);
// `sizes`: of what has, in its last n dimensions, the size of the result.
Tensor adaptive_avg_pool(const Tensor &input, IntList sizes, int64_t n);
// What the result took from its input; of nothing a constant.
Tensor max_unpool_backward(const Tensor &grad, const Tensor &indices, int64_t n);

}  // namespace torch::autograd
