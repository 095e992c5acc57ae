// Gradients of criterions that no kernel computes. `reduction` is 0 for losses of single elements, 1 for their mean, 2 for
// their sum; weights may be undefined.
#pragma once

#include "operators.h"

namespace torch::autograd {

Tensor kl_div_target_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction,
                              bool log_target);
Tensor binary_cross_entropy_target_backward(const Tensor &grad, const Tensor &self, const Tensor &target,
                                            const Tensor &weight, int64_t reduction);
// Of an argument of another dtype than the other one's: RuntimeError.
Tensor mixed_loss_backward(const Tensor &self, const Tensor &other);
Tensor logits_backward(const Tensor &grad, const Tensor &self, const Tensor &target, const Tensor &weight,
                       const Tensor &pos_weight, int64_t reduction);
Tensor logits_target_backward(const Tensor &grad, const Tensor &self, const Tensor &target, const Tensor &weight,
                              const Tensor &pos_weight, int64_t reduction);

}  // namespace torch::autograd
