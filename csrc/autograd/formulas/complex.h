// Of complex numbers.
#pragma once

#include "pointwise.h"

namespace torch::autograd {

Tensor sgn_backward(const Tensor &grad, const Tensor &self, const Tensor &result);
Tensor angle_backward(const Tensor &grad, const Tensor &self);
Tensor polar_angle_backward(const Tensor &grad, const Tensor &result);

}  // namespace torch::autograd
