// Of the functions that torch.special alone has.
#pragma once

#include "pointwise.h"

namespace torch::autograd {

// Of Bessel functions of order 1, which divide by their argument: 1/2 at 0.
Tensor i1_backward(const Tensor &grad, const Tensor &self, const Tensor &result);
Tensor i1e_backward(const Tensor &grad, const Tensor &self, const Tensor &result);
Tensor log_ndtr_backward(const Tensor &grad, const Tensor &self);

}  // namespace torch::autograd
