// Of arithmetic and limits, element by element.
#pragma once

#include "pointwise.h"

namespace torch::autograd {

// Division with a rounding mode (nullptr: none) is flat between its steps.
Tensor div_self_backward(const Tensor &grad, const Tensor &other, const char *rounding_mode);
Tensor div_other_backward(const Tensor &grad, const Tensor &self, const Tensor &other, const char *rounding_mode);
Tensor pow_backward(const Tensor &grad, const Tensor &self, const Scalar &exponent);
Tensor pow_self_backward(const Tensor &grad, const Tensor &self, const Tensor &exponent);
Tensor pow_exponent_backward(const Tensor &grad, const Tensor &self, const Tensor &exponent, const Tensor &result);
Tensor pow_exponent_backward(const Tensor &grad, const Scalar &self, const Tensor &exponent, const Tensor &result);
std::vector<Tensor> atan2_backward(const Tensor &grad, const Tensor &self, const Tensor &other,
                                   const std::vector<bool> &wanted);
// Bounds may be undefined.
Tensor clamp_self_backward(const Tensor &grad, const Tensor &self, const Tensor &min, const Tensor &max);
Tensor clamp_min_bound_backward(const Tensor &grad, const Tensor &self, const Tensor &min, const Tensor &max);
Tensor clamp_max_bound_backward(const Tensor &grad, const Tensor &self, const Tensor &min, const Tensor &max);

}  // namespace torch::autograd
