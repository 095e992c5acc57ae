// Of views, their lists and what is joined: where gradients go. Sizes are those of the input: its gradient has them.
#pragma once

#include "shared.h"

#include <autograd/info.h>

namespace torch::autograd {

Tensor permute_backward(const Tensor &grad, IntList dims);
Tensor select_backward(const Tensor &grad, IntList sizes, int64_t dim, int64_t index);
Tensor slice_backward(const Tensor &grad, IntList sizes, int64_t dim, int64_t first, int64_t last, int64_t step);
Tensor narrow_backward(const Tensor &grad, IntList sizes, int64_t dim, int64_t start, int64_t length);
Tensor diagonal_backward(const Tensor &grad, IntList sizes, int64_t offset, int64_t dim1, int64_t dim2);
Tensor unfold_backward(const Tensor &grad, IntList sizes, int64_t dim, int64_t size, int64_t step);
// Of a tensor that may overlap itself: what went to a place in memory is divided among the elements that lie there.
Tensor as_strided_backward(const Tensor &grad, IntList sizes, IntList strides, int64_t storage_offset, IntList size,
                           IntList stride, std::optional<int64_t> offset);
Tensor moved(const Tensor &grad, THDevice device);
// `strides`: the tensor's own, whose order in memory the gradient takes.
Tensor unbind_backward(const std::vector<Tensor> &grads, IntList sizes, IntList strides, int64_t dim);
Tensor split_with_sizes_backward(const std::vector<Tensor> &grads, IntList sizes, IntList split_sizes, int64_t dim);
Tensor split_backward(const std::vector<Tensor> &grads, IntList sizes, int64_t split_size, int64_t dim);
std::vector<Tensor> cat_backward(const Tensor &grad, const std::vector<TensorInfo> &tensors, int64_t dim);

}  // namespace torch::autograd
