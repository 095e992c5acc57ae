// Of elements that are scattered, and of parts of a copy replaced: the gradients of self and of what is written.
// Sizes are those of the input: its gradient has them.
#pragma once

#include "shared.h"

namespace torch::autograd {

Tensor index_slices(const Tensor &grad, IntList sizes, int64_t dim, const Tensor &index);
Tensor scatter_zero(const Tensor &grad, int64_t dim, const Tensor &index);
Tensor gather_elements(const Tensor &grad, IntList sizes, int64_t dim, const Tensor &index);
Tensor put_zero(const Tensor &grad, const Tensor &index);
Tensor masked_scatter_source(const Tensor &grad, IntList sizes, const Tensor &mask);
std::vector<Tensor> scatter_reduce_backward(const Tensor &grad, const Tensor &self, int64_t dim, const Tensor &index,
                                            const Tensor &src, const char *reduce, bool include_self,
                                            const Tensor &result, const std::vector<bool> &wanted);
std::vector<Tensor> index_reduce_backward(const Tensor &grad, const Tensor &self, int64_t dim, const Tensor &index,
                                          const Tensor &source, const char *reduce, bool include_self,
                                          const Tensor &result, const std::vector<bool> &wanted);
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
