// Of elements that are picked by indices or masks, or written there. Sizes are those of the input: its gradient has them.
#pragma once

#include "shared.h"

namespace torch::autograd {

Tensor index_backward(const Tensor &grad, IntList sizes, TensorList indices);
Tensor index_select_backward(const Tensor &grad, IntList sizes, int64_t dim, const Tensor &index);
Tensor gather_backward(const Tensor &grad, IntList sizes, int64_t dim, const Tensor &index);
Tensor take_backward(const Tensor &grad, IntList sizes, const Tensor &index);
Tensor masked_select_backward(const Tensor &grad, IntList sizes, const Tensor &mask);
// Of one slice of each row, in a result without that dimension unless `keepdim`.
Tensor picked_backward(const Tensor &grad, IntList sizes, int64_t dim, const Tensor &indices, bool keepdim);
Tensor masked_zero(const Tensor &grad, const Tensor &mask);
Tensor masked_sum(const Tensor &grad, const Tensor &mask);
Tensor index_zero(const Tensor &grad, int64_t dim, const Tensor &index);
Tensor index_sum(const Tensor &grad, int64_t dim, const Tensor &index);
Tensor index_put_zero(const Tensor &grad, TensorList indices);

}  // namespace torch::autograd
