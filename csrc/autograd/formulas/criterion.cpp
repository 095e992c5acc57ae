#include "criterion.h"

#include "pointwise.h"

namespace torch::autograd {

namespace {

// The losses' gradients: of a mean, each one's share.
Tensor shared(const Tensor &grad, const Tensor &self, int64_t reduction) {
  return reduction == 1 ? grad / double(self.numel()) : grad;
}
Tensor weighted(const Tensor &grad, const Tensor &weight) { return weight.defined() ? grad * weight : grad; }

}  // namespace

Tensor kl_div_target_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction,
                              bool log_target) {
  const Tensor share = shared(grad, self, reduction);
  if (log_target) return share * thpp::exp(target) * (target - self + 1);
  return share * (thpp::log(target) + 1 - self);
}

Tensor binary_cross_entropy_target_backward(const Tensor &grad, const Tensor &self, const Tensor &,
                                            const Tensor &weight, int64_t reduction) {
  return weighted(shared(grad, self, reduction) * (thpp::log(1 - self) - thpp::log(self)), weight);
}

Tensor mixed_loss_backward(const Tensor &self, const Tensor &other) {
  THError(TH_ERROR_RUNTIME, "Found dtype %s but expected %s: this loss has gradients where both have one dtype",
          TH_typeName(other.dtype()), TH_typeName(self.dtype()));
}

// The loss has the target's dtype.
Tensor logits_backward(const Tensor &loss_grad, const Tensor &self, const Tensor &target, const Tensor &weight,
                       const Tensor &pos_weight, int64_t reduction) {
  const Tensor grad = thpp::to(loss_grad, thpp::promote_types(self.dtype(), target.dtype()));
  if (!weight.defined() && !pos_weight.defined() && TH_kind(self.dtype()) == TH_KIND_float)
    return thpp::_bce_with_logits_backward(grad, thpp::to(self, grad.dtype()), thpp::to(target, grad.dtype()),
                                           reduction);
  const Tensor share = weighted(shared(grad, self, reduction), weight), probability = thpp::sigmoid(self);
  if (!pos_weight.defined()) return share * (probability - target);
  const Tensor positive = target * pos_weight;
  return share * ((positive + 1 - target) * probability - positive);
}

Tensor logits_target_backward(const Tensor &grad, const Tensor &self, const Tensor &, const Tensor &weight,
                              const Tensor &pos_weight, int64_t reduction) {
  const Tensor share = weighted(shared(grad, self, reduction), weight);
  if (!pos_weight.defined()) return -(share * self);
  return share * ((pos_weight - 1) * thpp::nn_softplus(-self) - self);
}

}  // namespace torch::autograd
