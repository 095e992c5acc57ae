#include "criterion.h"

#include "kernels.h"
#include "pointwise.h"

namespace torch::autograd {

namespace nn = thpp::nn;

namespace {

// The losses' gradients: of a mean, each one's share.
Tensor shared(const Tensor &grad, const Tensor &self, int64_t reduction) {
  return reduction == 1 ? grad / double(self.numel()) : grad;
}
Tensor weighted(const Tensor &grad, const Tensor &weight) { return weight.defined() ? grad * weight : grad; }

// kernel(gradient, result, whether it is of a mean, of one number)
template <class Kernel>
Tensor loss_kernel(const Tensor &grad, const Tensor &self, int64_t reduction, const Kernel &kernel) {
  return from_kernel(grad, self,
                     [&](const Tensor &g, const Tensor &r) { kernel(g, r, reduction == 1, reduction != 0); });
}

}  // namespace

Tensor l1_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction) {
  if (by_kernel(self))
    return loss_kernel(grad, self, reduction, [&](const Tensor &g, const Tensor &r, bool mean, bool reduce) {
      nn::AbsCriterion_updateGradInput(self, target, g, r, mean, reduce);
    });
  return shared(grad, self, reduction) * thpp::sgn(self - target);
}

Tensor mse_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction) {
  if (by_kernel(self))
    return loss_kernel(grad, self, reduction, [&](const Tensor &g, const Tensor &r, bool mean, bool reduce) {
      nn::MSECriterion_updateGradInput(self, target, g, r, mean, reduce);
    });
  return shared(grad, self, reduction) * ((self - target) * 2);
}

Tensor smooth_l1_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction,
                               double beta) {
  if (by_kernel(self))
    return loss_kernel(grad, self, reduction, [&](const Tensor &g, const Tensor &r, bool mean, bool reduce) {
      nn::SmoothL1Criterion_updateGradInput(self, target, g, r, mean, reduce, beta);
    });
  const Tensor difference = self - target;
  const Tensor sign = thpp::sgn(difference);
  const Tensor slope = beta == 0 ? sign
                                 : thpp::where(thpp::lt(thpp::abs(difference), wrapped_number(beta)), difference / beta,
                                               sign);
  return shared(grad, self, reduction) * slope;
}

Tensor huber_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction,
                           double delta) {
  if (by_kernel(self))
    return loss_kernel(grad, self, reduction, [&](const Tensor &g, const Tensor &r, bool mean, bool reduce) {
      nn::HuberCriterion_updateGradInput(self, target, g, r, mean, reduce, delta);
    });
  const Tensor difference = self - target;
  return shared(grad, self, reduction) *
         thpp::where(thpp::le(thpp::abs(difference), wrapped_number(delta)), difference, thpp::sgn(difference) * delta);
}

Tensor soft_margin_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction) {
  if (by_kernel(self))
    return loss_kernel(grad, self, reduction, [&](const Tensor &g, const Tensor &r, bool mean, bool reduce) {
      nn::SoftMarginCriterion_updateGradInput(self, target, g, r, mean, reduce);
    });
  return -(shared(grad, self, reduction) * target * thpp::sigmoid(-(self * target)));
}

Tensor kl_div_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction,
                       bool log_target) {
  if (by_kernel(self))
    return loss_kernel(grad, self, reduction, [&](const Tensor &g, const Tensor &r, bool mean, bool reduce) {
      nn::DistKLDivCriterion_updateGradInput(self, target, g, r, mean, reduce, log_target);
    });
  return -(shared(grad, self, reduction) * (log_target ? thpp::exp(target) : target));
}

Tensor kl_div_target_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction,
                              bool log_target) {
  const Tensor share = shared(grad, self, reduction);
  if (log_target) return share * thpp::exp(target) * (target - self + 1);
  return share * (thpp::log(target) + 1 - self);
}

Tensor binary_cross_entropy_backward(const Tensor &grad, const Tensor &self, const Tensor &target, const Tensor &weight,
                                     int64_t reduction) {
  if (by_kernel(self))
    return loss_kernel(grad, self, reduction, [&](const Tensor &g, const Tensor &r, bool mean, bool reduce) {
      const Tensor all = weight.defined() ? thpp::expand(thpp::to(weight, self.dtype()), self.sizes()) : weight;
      nn::BCECriterion_updateGradInput(self, thpp::to(target, self.dtype()), g, r, mean, all, reduce);
    });
  const Tensor variance = thpp::clamp_min((1 - self) * self, wrapped_number(1e-12));
  return weighted(shared(grad, self, reduction) * (self - target), weight) / variance;
}

Tensor binary_cross_entropy_target_backward(const Tensor &grad, const Tensor &self, const Tensor &,
                                            const Tensor &weight, int64_t reduction) {
  return weighted(shared(grad, self, reduction) * (thpp::log(1 - self) - thpp::log(self)), weight);
}

Tensor logits_backward(const Tensor &grad, const Tensor &self, const Tensor &target, const Tensor &weight,
                       const Tensor &pos_weight, int64_t reduction) {
  if (by_kernel(self) && !weight.defined() && !pos_weight.defined())
    return loss_kernel(grad, self, reduction, [&](const Tensor &g, const Tensor &r, bool mean, bool reduce) {
      nn::BCEWithLogitsCriterion_updateGradInput(self, thpp::to(target, self.dtype()), g, r, mean, reduce);
    });
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

Tensor nll_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, const Tensor &weight,
                         int64_t reduction, int64_t ignore_index, const Tensor &total_weight) {
  if (by_kernel(self))
    return loss_kernel(grad, self, reduction, [&](const Tensor &g, const Tensor &r, bool mean, bool reduce) {
      const auto kernel = self.dim() > 2 ? nn::SpatialClassNLLCriterion_updateGradInput
                                         : nn::ClassNLLCriterion_updateGradInput;
      kernel(self, target, g, r, mean, weight, total_weight, ignore_index, reduce);
    });
  const int64_t dim = self.dim() == 1 ? 0 : 1;
  const Tensor ignored = thpp::eq(target, wrapped_number(ignore_index));
  const Tensor classes = thpp::masked_fill(target, ignored, wrapped_number(int64_t(0)));
  const Tensor share = reduction == 1 ? grad / total_weight : grad;
  Tensor each = drop(thpp::expand(-share, target.sizes()), ignored);
  if (weight.defined())
    each = each * thpp::reshape(thpp::index_select(weight, 0, thpp::reshape(classes, {-1})), target.sizes());
  const bool single = self.dim() == 1 && target.dim() == 1;  // a target of one element
  const Tensor places = single ? classes : thpp::unsqueeze(classes, dim);
  // of the input, of whose elements the gradient is no function, 0 times the signs: its own gradient is 0, not missing
  return thpp::scatter(thpp::sgn(self) * 0, dim, places, single ? each : thpp::unsqueeze(each, dim));
}

Tensor multi_margin_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t p,
                                  double margin, const Tensor &weight, int64_t reduction) {
  if (by_kernel(self))
    return loss_kernel(grad, self, reduction, [&](const Tensor &g, const Tensor &r, bool mean, bool reduce) {
      nn::MultiMarginCriterion_updateGradInput(self, thpp::to(target, TH_Long), g, r, mean, p, weight, margin, reduce);
    });
  const Tensor rows = self.dim() < 2 ? thpp::reshape(self, {1, -1}) : self;
  const Tensor index = thpp::reshape(thpp::to(target, TH_Long), {-1, 1});
  const Tensor z = rows + margin - thpp::gather(rows, 1, index);
  const Tensor over = thpp::gt(z, wrapped_number(0));
  Tensor share = thpp::reshape(reduction == 1 ? grad / double(rows.size(0)) : grad, {-1, 1}) / double(rows.size(1));
  if (weight.defined())
    share = share * thpp::reshape(thpp::index_select(weight, 0, thpp::reshape(index, {-1})), {-1, 1});
  Tensor slopes = keep(p == 2 ? share * (z * 2) : thpp::expand(share, rows.sizes()), over);
  slopes = thpp::scatter(slopes, 1, index, thpp::zeros_like(index, slopes.dtype()));
  return thpp::reshape(thpp::scatter_add(slopes, 1, index, -thpp::sum(slopes, {1}, true)), self.sizes());
}

// By operators, of each sample's loss or of its share in the mean: how many labels each class exceeds by more than -1, and
// of a label itself how many classes do, as often as it is there. Labels end with a row's first negative one.
static Tensor multilabel_margin_slopes(const Tensor &self, const Tensor &target, int64_t reduction) {
  const bool single = self.dim() < 2;
  const Tensor x = single ? thpp::reshape(self, {1, -1}) : self,
               labels = single ? thpp::reshape(target, {1, -1}) : target;
  const Tensor ended = thpp::cumsum(thpp::to(thpp::lt(labels, wrapped_number(0)), x.dtype()), 1);
  const Tensor is_label = thpp::to(thpp::eq(ended, wrapped_number(0)), x.dtype());
  const Tensor places = thpp::clamp_min(labels, wrapped_number(int64_t(0)));
  const Tensor rights = thpp::scatter_add(thpp::zeros_like(x), 1, places, is_label);
  const Tensor wrong = thpp::to(thpp::eq(rights, wrapped_number(0)), x.dtype());
  // (samples, classes, labels)
  const Tensor z = thpp::unsqueeze(x, 2) - thpp::unsqueeze(thpp::gather(x, 1, places), 1) + 1;
  const Tensor over = thpp::to(thpp::gt(z, wrapped_number(0)), x.dtype()) * thpp::unsqueeze(wrong, 2) *
                      thpp::unsqueeze(is_label, 1);
  const Tensor slopes = thpp::scatter_add(thpp::sum(over, {2}), 1, places, -thpp::sum(over, {1}));
  return thpp::reshape(slopes / double(x.size(1) * (reduction == 1 ? x.size(0) : 1)), self.sizes());
}

// Slopes are constant between corners, so that their products with the gradient are all to be recorded.
Tensor multilabel_margin_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target,
                                       int64_t reduction) {
  const auto kernel = [&](const Tensor &g) {
    return loss_kernel(g, self, reduction, [&](const Tensor &g, const Tensor &r, bool mean, bool reduce) {
      nn::MultiLabelMarginCriterion_updateGradInput(self, target, g, r, mean, reduce);
    });
  };
  if (by_kernel(self)) return kernel(grad);
  Tensor slopes;
  {
    const thpp::NoRecording off;
    slopes = self.device().kind == TH_CUDA ? multilabel_margin_slopes(self, target, reduction)
                                           : kernel(thpp::ones_like(grad));
  }
  return slopes * (grad.dim() && self.dim() > 1 ? thpp::unsqueeze(grad, 1) : grad);
}

}  // namespace torch::autograd
