// Of operators that pick elements by indices or masks, or write them: where their gradients go.
//
// Sizes are those of the input: its gradient has them.
#pragma once

#include "shapes.h"

namespace torch::autograd {

// ---- elements picked -------------------------------------------------------------------------------
Tensor index_backward(const Tensor &grad, IntList sizes, TensorList indices);
Tensor index_select_backward(const Tensor &grad, IntList sizes, int64_t dim, const Tensor &index);
Tensor gather_backward(const Tensor &grad, IntList sizes, int64_t dim, const Tensor &index);
Tensor take_backward(const Tensor &grad, IntList sizes, const Tensor &index);
Tensor masked_select_backward(const Tensor &grad, IntList sizes, const Tensor &mask);
// Of one slice of each row, in a result without that dimension unless `keepdim`.
Tensor picked_backward(const Tensor &grad, IntList sizes, int64_t dim, const Tensor &indices, bool keepdim);
// The same of cummax and cummin, where an element may have been picked several times.
Tensor cumulative_pick_backward(const Tensor &grad, int64_t dim, const Tensor &indices);

// ---- elements written: zeros where they were, what is there now, and the sum of that ---------
Tensor masked_zero(const Tensor &grad, const Tensor &mask);
Tensor masked_sum(const Tensor &grad, const Tensor &mask);
Tensor index_zero(const Tensor &grad, int64_t dim, const Tensor &index);
Tensor index_sum(const Tensor &grad, int64_t dim, const Tensor &index);
Tensor index_slices(const Tensor &grad, IntList sizes, int64_t dim, const Tensor &index);
Tensor scatter_zero(const Tensor &grad, int64_t dim, const Tensor &index);
Tensor gather_elements(const Tensor &grad, IntList sizes, int64_t dim, const Tensor &index);
Tensor index_put_zero(const Tensor &grad, TensorList indices);
Tensor put_zero(const Tensor &grad, const Tensor &index);
Tensor masked_scatter_source(const Tensor &grad, IntList sizes, const Tensor &mask);

// ---- elements reduced: the gradients of self and of src or source ----------------------------
std::vector<Tensor> scatter_reduce_backward(const Tensor &grad, const Tensor &self, int64_t dim, const Tensor &index,
                                            const Tensor &src, const char *reduce, bool include_self,
                                            const Tensor &result, const std::vector<bool> &wanted);
std::vector<Tensor> index_reduce_backward(const Tensor &grad, const Tensor &self, int64_t dim, const Tensor &index,
                                          const Tensor &source, const char *reduce, bool include_self,
                                          const Tensor &result, const std::vector<bool> &wanted);

}  // namespace torch::autograd
