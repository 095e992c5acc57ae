// Of repeated, rolled and diagonal elements. Sizes are those of the input: its gradient has them.
#pragma once

#include "structure.h"

namespace torch::autograd {

Tensor repeat_backward(const Tensor &grad, IntList sizes, IntList repeats);
Tensor roll_backward(const Tensor &grad, IntList shifts, IntList dims);
Tensor diag_backward(const Tensor &grad, IntList sizes, int64_t diagonal);
Tensor trace_backward(const Tensor &grad, IntList sizes);

}  // namespace torch::autograd
