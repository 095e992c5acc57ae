// Of softmax and log_softmax. The kernels are used where nothing is recorded.
#pragma once

#include "operators.h"

namespace torch::autograd {

// The gradient in result's dtype; `result` is what the operator gave.
Tensor softmax_backward(const Tensor &grad, const Tensor &result, int64_t dim);
Tensor log_softmax_backward(const Tensor &grad, const Tensor &result, int64_t dim);

}  // namespace torch::autograd
