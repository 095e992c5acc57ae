// Of views and of operators that move elements: where their gradients go.
//
// Sizes are those of the input: its gradient has them.
#pragma once

#include <THPP/Functions.h>
#include <THPP/Guard.h>

#include <autograd/info.h>

namespace torch::autograd {

using thpp::IntList;
using thpp::Tensor;
using thpp::TensorList;

// A real tensor as it is.
inline Tensor conjugate(const Tensor &t) { return TH_kind(t.dtype()) == TH_KIND_complex ? thpp::conj(t) : t; }

// ---- views -------------------------------------------------------------------------------------------
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

// ---- lists of views: undefined gradients are zeros ---------------------------------------------
// `strides`: the tensor's own, whose order in memory the gradient takes.
Tensor unbind_backward(const std::vector<Tensor> &grads, IntList sizes, IntList strides, int64_t dim);
Tensor split_backward(const std::vector<Tensor> &grads, IntList sizes, int64_t split_size, int64_t dim);
Tensor split_with_sizes_backward(const std::vector<Tensor> &grads, IntList sizes, IntList split_sizes, int64_t dim);

// ---- joining -------------------------------------------------------------------------------------
std::vector<Tensor> cat_backward(const Tensor &grad, const std::vector<TensorInfo> &tensors, int64_t dim);
std::vector<Tensor> block_diag_backward(const Tensor &grad, const std::vector<TensorInfo> &tensors);

// ---- copies ----------------------------------------------------------------------------------------
Tensor repeat_backward(const Tensor &grad, IntList sizes, IntList repeats);
Tensor roll_backward(const Tensor &grad, IntList shifts, IntList dims);
Tensor constant_pad_backward(const Tensor &grad, IntList pad);
Tensor diag_backward(const Tensor &grad, IntList sizes, int64_t diagonal);
Tensor trace_backward(const Tensor &grad, IntList sizes);

// ---- parts of a copy replaced: the gradients of self and of src ----------------------------------
std::vector<Tensor> select_scatter_backward(const Tensor &grad, int64_t dim, int64_t index,
                                            const std::vector<bool> &wanted);
std::vector<Tensor> slice_scatter_backward(const Tensor &grad, int64_t dim, std::optional<int64_t> start,
                                           std::optional<int64_t> end, int64_t step, const std::vector<bool> &wanted);
std::vector<Tensor> diagonal_scatter_backward(const Tensor &grad, int64_t offset, int64_t dim1, int64_t dim2,
                                              const std::vector<bool> &wanted);
std::vector<Tensor> as_strided_scatter_backward(const Tensor &grad, IntList sizes, IntList strides,
                                                int64_t storage_offset, IntList size, IntList stride,
                                                std::optional<int64_t> offset, const std::vector<bool> &wanted);

}  // namespace torch::autograd
