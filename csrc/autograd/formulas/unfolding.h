// Of columns, and of elements in other places.
#pragma once

#include <vector>

#include <THPP/Functions.h>

namespace torch::autograd {

using thpp::IntList;
using thpp::Tensor;

IntList last_two(IntList size);
Tensor channel_unshuffle(const Tensor &grad, int64_t groups);

}  // namespace torch::autograd
