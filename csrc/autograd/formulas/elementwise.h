// Of further functions of single elements.
#pragma once

#include "pointwise.h"

namespace torch::autograd {

Scalar one_less(const Scalar &weight);  // 1 - weight
Tensor ldexp_self_backward(const Tensor &grad, const Tensor &other);
Tensor copysign_backward(const Tensor &grad, const Tensor &self, const Tensor &result);
// Whether fmax and fmin give `self`.
Tensor takes_first(const Tensor &self, const Tensor &other, bool greatest);
Tensor nan_to_num_backward(const Tensor &grad, const Tensor &self);

}  // namespace torch::autograd
