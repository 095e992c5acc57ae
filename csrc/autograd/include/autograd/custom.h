// Results of a function whose gradient its user wrote, in Python or in C++.
#pragma once

#include <autograd/record.h>

namespace torch::autograd {

struct CustomResult {
  bool input = false;  // it is an argument of the call
  bool dirty = false;  // one that the call has written
  bool differentiable = true;  // not marked otherwise
};
// Makes a result of the forward call the next output of its node, and returns what the caller gets for it: the tensor
// itself, or a view where it is an argument. `recording`: the call is recorded; `several`: more than one result has a
// gradient. Raises for a dirty leaf that requires grad, and for one of several results that is a dirty view.
AUTOGRAD_API Tensor add_result(const Ref<Node> &node, const Tensor &result, CustomResult is, bool recording,
                               bool several);

}  // namespace torch::autograd
