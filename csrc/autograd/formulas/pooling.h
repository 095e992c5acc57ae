// Gradients of pooling, which are pooling, or its inverse, again.
#pragma once

#include <THPP/Functions.h>

namespace torch::autograd {

using thpp::IntList;
using thpp::Tensor;

// The sizes of the last n dimensions.
inline IntList last_sizes(IntList sizes, int64_t n) {
  return IntList(sizes.data() + sizes.size() - size_t(n), size_t(n));
}

Tensor avg_pool_backward(const Tensor &grad, IntList sizes, int64_t n, IntList kernel, IntList stride, IntList padding,
                         bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor);
Tensor avg_pool(const Tensor &input, IntList kernel, IntList stride, IntList padding, bool ceil_mode,
                bool count_include_pad, std::optional<int64_t> divisor);
// `sizes`: of what has, in its last dimensions, the size of the result; `space`: input's last dimensions.
Tensor adaptive_avg_pool(const Tensor &input, IntList sizes, IntList space);

}  // namespace torch::autograd
