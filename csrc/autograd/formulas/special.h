// Derivatives of special functions.
#pragma once

#include "pointwise.h"

namespace torch::autograd {

Tensor mvlgamma_backward(const Tensor &grad, const Tensor &self, int64_t p);
Tensor sinc_backward(const Tensor &grad, const Tensor &self);
Tensor logit_backward(const Tensor &grad, const Tensor &self, std::optional<double> eps);
// 0 where self is 0 and the function is, however steep the logarithm: of `log`, for others at or below `least`.
Tensor xlog_self_backward(const Tensor &grad, const Tensor &self, const Tensor &other, const Tensor &log, double least);
Tensor acosh_backward(const Tensor &grad, const Tensor &self);
// Of the regularised lower incomplete gamma function, whose integrand it is.
Tensor igamma_other_backward(const Tensor &grad, const Tensor &self, const Tensor &other);

}  // namespace torch::autograd
