// Of scans along a dimension.
#pragma once

#include "selection.h"

namespace torch::autograd {

Tensor cumsum_backward(const Tensor &grad, int64_t dim);
Tensor cumprod_backward(const Tensor &grad, const Tensor &self, int64_t dim, const Tensor &result);
Tensor logcumsumexp_backward(const Tensor &grad, const Tensor &self, int64_t dim, const Tensor &result);
// The same of cummax and cummin, where an element may have been picked several times.
Tensor cumulative_pick_backward(const Tensor &grad, int64_t dim, const Tensor &indices);

}  // namespace torch::autograd
