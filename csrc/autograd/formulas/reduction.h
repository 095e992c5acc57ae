// Of reductions. Sizes are those of the input; `dims`: the dimensions that were reduced, none for all of them; `keepdim`:
// they stayed, of size 1.
#pragma once

#include "shared.h"

namespace torch::autograd {

// A result, or its gradient, with the reduced dimensions put back, of size 1.
Tensor restored(const Tensor &reduced, IntList sizes, IntList dims, bool keepdim);
Tensor sum_backward(const Tensor &grad, IntList sizes, IntList dims, bool keepdim);
Tensor mean_backward(const Tensor &grad, IntList sizes, IntList dims, bool keepdim);
// Zeros among the factors count.
Tensor prod_backward(const Tensor &grad, const Tensor &self);
Tensor prod_backward(const Tensor &grad, const Tensor &self, int64_t dim, bool keepdim);
// Of amax and amin, the extremum of each group of elements: those that are equal to it share its gradient.
Tensor extremum_backward(const Tensor &grad, const Tensor &self, const Tensor &result, IntList dims, bool keepdim);
// The same of max() and min() of all elements, where NaN is equal to NaN.
Tensor extremum_of_all_backward(const Tensor &grad, const Tensor &self, const Tensor &result);
// Of the larger (or smaller) of two elements, for the first: half of it where they are equal.
Tensor larger_backward(const Tensor &grad, const Tensor &mine, const Tensor &other);
Tensor smaller_backward(const Tensor &grad, const Tensor &mine, const Tensor &other);

}  // namespace torch::autograd
