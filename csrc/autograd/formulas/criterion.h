// Gradients of criterions: THNN's kernels where nothing is recorded, else operators. `reduction` is 0 for losses of single
// elements, 1 for their mean, 2 for their sum.
#pragma once

#include "operators.h"

namespace torch::autograd {

// For the first operand. Losses of a difference have the same gradient for the other one, operands exchanged.
Tensor l1_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction);
Tensor mse_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction);
Tensor smooth_l1_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction,
                               double beta);
Tensor huber_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction,
                           double delta);
Tensor soft_margin_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction);
Tensor kl_div_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction,
                       bool log_target);
Tensor kl_div_target_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction,
                              bool log_target);
// Weights may be undefined.
Tensor binary_cross_entropy_backward(const Tensor &grad, const Tensor &self, const Tensor &target, const Tensor &weight,
                                     int64_t reduction);
Tensor binary_cross_entropy_target_backward(const Tensor &grad, const Tensor &self, const Tensor &target,
                                            const Tensor &weight, int64_t reduction);
Tensor logits_backward(const Tensor &grad, const Tensor &self, const Tensor &target, const Tensor &weight,
                       const Tensor &pos_weight, int64_t reduction);
Tensor logits_target_backward(const Tensor &grad, const Tensor &self, const Tensor &target, const Tensor &weight,
                              const Tensor &pos_weight, int64_t reduction);
Tensor nll_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, const Tensor &weight,
                         int64_t reduction, int64_t ignore_index, const Tensor &total_weight);
Tensor multi_margin_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t p,
                                  double margin, const Tensor &weight, int64_t reduction);
Tensor multilabel_margin_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction);

}  // namespace torch::autograd
