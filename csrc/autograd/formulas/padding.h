// Of padding.
#pragma once

#include "shared.h"

namespace torch::autograd {

Tensor constant_pad_backward(const Tensor &grad, IntList pad);

}  // namespace torch::autograd
