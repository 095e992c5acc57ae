// Criterions: what is judged and converted before their kernels; and what stands in for kernels, made of operators.
#include <utility>

#include <THPP/Guard.h>
#include <THNN/Check.h>

#include "operators.h"

namespace thpp {

namespace {

enum Reduction : int64_t { None, Mean, Sum };

Tensor number(double x) { return wrapped_number(x); }

Tensor reduced(const Tensor &loss, int64_t reduction) {
  return reduction == Mean ? thpp::mean(loss) : reduction == Sum ? thpp::sum(loss) : loss;
}
// The losses' gradients: of a mean, each one's share.
Tensor shared(const Tensor &grad, const Tensor &self, int64_t reduction) {
  return reduction == Mean ? grad / double(self.numel()) : grad;
}
Tensor weighted(const Tensor &t, const Tensor &weight) { return weight.defined() ? t * weight : t; }

THDtype promoted(const Tensor &self, const Tensor &target) {
  const Tensor *const both[] = {&self, &target};
  return result_type(both);
}

// Of one dtype and one shape.
std::pair<Tensor, Tensor> alike(const Tensor &self, const Tensor &target) {
  const THDtype dtype = self.dtype() == target.dtype() ? self.dtype() : promoted(self, target);
  const Tensor a = self.dtype() == dtype ? self : thpp::to(self, dtype);
  const Tensor b = target.dtype() == dtype ? target : thpp::to(target, dtype);
  if (std::ranges::equal(a.sizes(), b.sizes())) return {a, b};
  const Tensor pair[] = {a, b};
  std::vector<Tensor> made = thpp::broadcast_tensors(TensorList(pair, 2));
  return {made[0], made[1]};
}

// Of losses whose results have the dtype of one argument, whatever they are computed in.
void check_converts(THDtype computed, THDtype result) {
  if (!can_cast(computed, result)) throw_cast(computed, result);
}

}  // namespace

// ---- element by element ----------------------------------------------------------------------------------
Tensor body::nn_l1_loss(const Tensor &self, const Tensor &target, int64_t reduction) {
  check_sub(self.dtype(), self, target, Scalar(1));  // before bools become numbers
  const auto [a, b] = alike(self, target);
  if (reduction == None || !is_floating(a.dtype())) return reduced(thpp::abs(a - b), reduction);
  return thpp::_l1_loss(a, b, reduction);
}
Tensor fallback::l1_loss(const Tensor &self, const Tensor &target, int64_t reduction) {
  return reduced(thpp::abs(self - target), reduction);
}
Tensor fallback::l1_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction) {
  return shared(grad, self, reduction) * thpp::sgn(self - target);
}

Tensor body::nn_mse_loss(const Tensor &self, const Tensor &target, int64_t reduction) {
  const auto [a, b] = alike(self, target);
  return thpp::_mse_loss(a, b, reduction);
}
Tensor fallback::mse_loss(const Tensor &self, const Tensor &target, int64_t reduction) {
  return reduced(thpp::square(self - target), reduction);
}
Tensor fallback::mse_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction) {
  return shared(grad, self, reduction) * ((self - target) * 2);
}

Tensor body::nn_smooth_l1_loss(const Tensor &self, const Tensor &target, int64_t reduction, double beta) {
  if (beta < 0) THError(TH_ERROR_RUNTIME, "smooth_l1_loss does not support negative values for beta.");
  if (beta == 0) return thpp::nn_l1_loss(self, target, reduction);
  const auto [a, b] = alike(self, target);
  return thpp::_smooth_l1_loss(a, b, reduction, beta);
}
Tensor fallback::smooth_l1_loss(const Tensor &self, const Tensor &target, int64_t reduction, double beta) {
  const Tensor distance = thpp::abs(self - target);
  return reduced(
      thpp::where(thpp::lt(distance, number(beta)), thpp::square(distance) * (0.5 / beta), distance - 0.5 * beta),
      reduction);
}
Tensor fallback::smooth_l1_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target,
                                         int64_t reduction, double beta) {
  const Tensor difference = self - target;
  const Tensor sign = thpp::sgn(difference);
  return shared(grad, self, reduction) *
         thpp::where(thpp::lt(thpp::abs(difference), number(beta)), difference / beta, sign);
}

Tensor body::nn_huber_loss(const Tensor &self, const Tensor &target, int64_t reduction, double delta) {
  if (!(delta > 0)) THError(TH_ERROR_RUNTIME, "huber_loss does not support non-positive values for delta.");
  if (self.dtype() != target.dtype()) return thpp::_mixed_huber_loss(self, target, reduction, delta);
  const auto [a, b] = alike(self, target);
  return thpp::_huber_loss(a, b, reduction, delta);
}
Tensor body::_mixed_huber_loss(const Tensor &self, const Tensor &target, int64_t reduction, double delta) {
  check_converts(promoted(self, target), self.dtype());
  const auto [a, b] = alike(self, target);
  return reduced(thpp::to(thpp::_huber_loss(a, b, None, delta), self.dtype()), reduction);
}
Tensor fallback::huber_loss(const Tensor &self, const Tensor &target, int64_t reduction, double delta) {
  const Tensor distance = thpp::abs(self - target);
  return reduced(
      thpp::where(thpp::le(distance, number(delta)), thpp::square(distance) * 0.5, (distance - 0.5 * delta) * delta),
      reduction);
}
Tensor fallback::huber_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction,
                                     double delta) {
  const Tensor difference = self - target;
  return shared(grad, self, reduction) *
         thpp::where(thpp::le(thpp::abs(difference), number(delta)), difference, thpp::sgn(difference) * delta);
}

Tensor body::nn_soft_margin_loss(const Tensor &self, const Tensor &target, int64_t reduction) {
  const THDtype computed = promoted(self, target);
  check_converts(is_floating(computed) || is_complex(computed) ? computed : TH_Float, self.dtype());
  const bool same_shape = std::ranges::equal(self.sizes(), target.sizes());
  const auto [a, b] = alike(self, same_shape ? target : thpp::expand(target, self.sizes()));
  if (a.dtype() == self.dtype() && !is_complex(computed)) return thpp::_soft_margin_loss(a, b, reduction);
  const Tensor each = is_complex(computed) ? fallback::soft_margin_loss(a, b, None)
                                           : thpp::_soft_margin_loss(a, b, None);
  return reduced(thpp::to(each, self.dtype()), reduction);
}
Tensor fallback::soft_margin_loss(const Tensor &self, const Tensor &target, int64_t reduction) {
  return reduced(thpp::log1p(thpp::exp(-(target * self))), reduction);
}
Tensor fallback::soft_margin_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target,
                                           int64_t reduction) {
  return -(shared(grad, self, reduction) * target * thpp::sigmoid(-(self * target)));
}

Tensor body::kl_div(const Tensor &self, const Tensor &target, int64_t reduction, bool log_target) {
  for (const Tensor *values : {&self, &target})
    if (!is_floating(values->dtype()))
      THError(TH_ERROR_RUNTIME, "kl_div: %s inputs not supported.",
              is_complex(values->dtype()) ? "Complex" : "Integral");
  const auto [a, b] = alike(self, target);
  if (reduction == None) return fallback::kl_div(a, b, reduction, log_target);
  return thpp::_kl_div(a, b, reduction, log_target);
}
Tensor fallback::kl_div(const Tensor &self, const Tensor &target, int64_t reduction, bool log_target) {
  const Tensor each = log_target ? thpp::exp(target) * (target - self) : thpp::xlogy(target, target) - target * self;
  return reduced(each, reduction);
}
Tensor fallback::kl_div_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t reduction,
                                 bool log_target) {
  return -(shared(grad, self, reduction) * (log_target ? thpp::exp(target) : target));
}

Tensor body::nn_binary_cross_entropy(const Tensor &self, const Tensor &target, const Tensor &weight,
                                     int64_t reduction) {
  const Tensor all = weight.defined() ? thpp::expand(thpp::to(weight, self.dtype()), self.sizes()) : weight;
  return thpp::_binary_cross_entropy(self, thpp::to(target, self.dtype()), all, reduction);
}
Tensor fallback::binary_cross_entropy(const Tensor &self, const Tensor &target, const Tensor &weight,
                                      int64_t reduction) {
  const auto log = [](const Tensor &x) { return thpp::clamp_min(thpp::log(x), number(-100)); };
  return reduced(weighted((target - 1) * log(1 - self) - target * log(self), weight), reduction);
}
Tensor fallback::binary_cross_entropy_backward(const Tensor &grad, const Tensor &self, const Tensor &target,
                                               const Tensor &weight, int64_t reduction) {
  const Tensor variance = thpp::clamp_min((1 - self) * self, number(1e-12));
  return weighted(shared(grad, self, reduction) * (self - target), weight) / variance;
}

// With any weights, which may be undefined.
static Tensor logits_loss(const Tensor &self, const Tensor &target, const Tensor &weight, const Tensor &pos_weight,
                          int64_t reduction) {
  Tensor log = thpp::nn_softplus(-self, 1, 1e30);
  if (pos_weight.defined()) log = log * ((pos_weight - 1) * target + 1);
  return reduced(weighted((1 - target) * self + log, weight), reduction);
}
Tensor body::binary_cross_entropy_with_logits(const Tensor &self, const Tensor &target, const Tensor &weight,
                                              const Tensor &pos_weight, int64_t reduction) {
  if (!is_floating(self.dtype())) thpp::nn_log_sigmoid(self);  // which refuses it
  const THDtype computed = promoted(self, target), result = target.dtype();
  check_converts(computed, result);
  const bool plain = !weight.defined() && !pos_weight.defined() && is_floating(computed) &&
                     std::ranges::equal(self.sizes(), target.sizes());
  if (plain && self.dtype() == result) return thpp::_bce_with_logits(self, target, reduction);
  const Tensor each = plain ? thpp::_bce_with_logits(thpp::to(self, computed), thpp::to(target, computed), None)
                            : logits_loss(self, target, weight, pos_weight, None);
  return reduced(thpp::to(each, result), reduction);
}
Tensor fallback::bce_with_logits(const Tensor &self, const Tensor &target, int64_t reduction) {
  return logits_loss(self, target, Tensor(), Tensor(), reduction);
}
Tensor fallback::bce_with_logits_backward(const Tensor &grad, const Tensor &self, const Tensor &target,
                                          int64_t reduction) {
  return shared(grad, self, reduction) * (thpp::sigmoid(self) - target);
}

// ---- classes ---------------------------------------------------------------------------------------------
namespace {

// The shapes of nll_loss: input (N, C, d…) or (C), target (N, d…) or ().
void check_classes(const Tensor &self, const Tensor &target, const Tensor &weight) {
  const auto fits = [&] {
    if (target.dim() != self.dim() - 1 || target.size(0) != self.size(0)) return false;
    for (int d = 1; d < target.dim(); ++d)
      if (target.size(d) != self.size(d + 1)) return false;
    return true;
  };
  if (!self.dim()) THError(TH_ERROR_VALUE, "Expected 1 or more dimensions (got 0)");
  if (self.dim() != 1 && (!target.dim() || self.size(0) != target.size(0)))
    THError(TH_ERROR_VALUE, "Expected input batch_size (%lld) to match target batch_size (%lld).",
            (long long)self.size(0), (long long)(target.dim() ? target.size(0) : 0));
  const bool counts = target.dtype() == TH_Long || target.dtype() == TH_Byte;
  if (counts && self.dim() == 1 && target.dim() == 1 && target.size(0) != 1)
    THError(TH_ERROR_VALUE, "For 1D input, 1D target must have size 1, but got target size: %lld",
            (long long)target.size(0));
  if (self.dim() <= 2) {
    THNNCheck_targets(self.get(), target.get());
  } else if (self.dim() == 4) {
    if (target.dim() != 3)
      THError(TH_ERROR_RUNTIME,
              "only batches of spatial targets supported (3D tensors) but got targets of dimension: %d", target.dim());
    if (!fits())
      THError(TH_ERROR_RUNTIME, "size mismatch (got input: %s , target: %s", shape_text(self).c_str(),
              shape_text(target).c_str());
  } else if (!fits()) {
    std::vector<int64_t> expected = list(self.sizes());
    expected.erase(expected.begin() + 1);
    THError(TH_ERROR_RUNTIME, "Expected target size %s, got %s", text(expected).c_str(), shape_text(target).c_str());
  }
  if (!counts)
    THError(TH_ERROR_RUNTIME, "expected target dtype to be Long or Byte, but got %s", TH_typeName(target.dtype()));
  const int64_t classes = self.size(self.dim() == 1 ? 0 : 1);
  if (self.dim() == 4 && weight.defined() && (weight.dim() != 1 || weight.numel() != classes))
    THError(TH_ERROR_RUNTIME, "weight tensor should be defined either for all or no classes");
  THNNCheck_classWeights(classes, weight.get());
}

int64_t class_dim(const Tensor &self) { return self.dim() == 1 ? 0 : 1; }

std::tuple<Tensor, Tensor> nll(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t reduction,
                               int64_t ignore_index) {
  check_classes(self, target, weight);
  const Tensor classes = target.dtype() == TH_Long ? target : thpp::to(target, TH_Long);
  if (self.dim() > 2) return thpp::_nll_loss2d(self, classes, weight, reduction, ignore_index);
  if (self.dim() == 2 || target.dim() == 0) return thpp::_nll_loss(self, classes, weight, reduction, ignore_index);
  // one sample, whose loss has the shape of its target: (1)
  const auto [loss, total] = thpp::_nll_loss(self, thpp::reshape(classes, {}), weight, reduction, ignore_index);
  return {reduction == None ? thpp::reshape(loss, {1}) : loss, total};
}

Tensor along(const Tensor &weight, const Tensor &self) {
  std::vector<int64_t> shape(size_t(self.dim()), 1);
  shape[size_t(class_dim(self))] = -1;
  return thpp::view(weight, shape);
}

Tensor cross_entropy_of_probabilities(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t reduction,
                                      double smoothing) {
  const int64_t dim = class_dim(self), classes = self.size(int(dim));
  if (weight.defined() && (weight.dim() != 1 || weight.numel() != classes))
    THError(TH_ERROR_RUNTIME,
            "cross_entropy: weight tensor should be defined either for all %lld classes or no classes but got weight "
            "tensor of shape: %s",
            (long long)classes, shape_text(weight).c_str());
  Tensor smooth = target;
  if (smoothing > 0) smooth = target * (1 - smoothing) + smoothing / double(classes);
  Tensor loss = thpp::mul(thpp::log_softmax(self, dim), smooth);
  if (weight.defined()) loss = thpp::mul(loss, along(weight, self));
  if (reduction == None) return thpp::neg(thpp::sum(loss, {dim}));
  const Tensor total = thpp::neg(thpp::sum(loss));
  return reduction == Mean ? thpp::div(total, number(double(self.numel()) / double(classes))) : total;
}

}  // namespace

Tensor body::nn_nll_loss_nd(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t reduction,
                            int64_t ignore_index) {
  return std::get<0>(nll(self, target, weight, reduction, ignore_index));
}

// Which targets are ignored, and the classes with 0 in place of these.
static std::pair<Tensor, Tensor> counted_classes(const Tensor &target, int64_t ignore_index) {
  const Tensor ignored = thpp::eq(target, wrapped_number(ignore_index));
  return {ignored, thpp::masked_fill(target, ignored, wrapped_number(int64_t(0)))};
}
static Tensor weights_of(const Tensor &weight, const Tensor &classes) {
  return thpp::reshape(thpp::index_select(weight, 0, thpp::reshape(classes, {-1})), classes.sizes());
}

std::tuple<Tensor, Tensor> fallback::nll_loss(const Tensor &self, const Tensor &target, const Tensor &weight,
                                              int64_t reduction, int64_t ignore_index) {
  const auto [ignored, classes] = counted_classes(target, ignore_index);
  const int64_t dim = class_dim(self);
  const Tensor at = thpp::squeeze(thpp::gather(self, dim, thpp::unsqueeze(classes, dim)), {dim});
  const Tensor weights = thpp::masked_fill(weight.defined() ? weights_of(weight, classes) : thpp::ones_like(at),
                                           ignored, number(0));
  const Tensor losses = thpp::masked_fill(-(at * weights), ignored, number(0)), total = thpp::sum(weights);
  if (reduction == None) return {losses, total};
  return {reduction == Mean ? thpp::sum(losses) / total : thpp::sum(losses), total};
}
Tensor fallback::nll_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, const Tensor &weight,
                                   int64_t reduction, int64_t ignore_index, const Tensor &total_weight) {
  const auto [ignored, classes] = counted_classes(target, ignore_index);
  const int64_t dim = class_dim(self);
  const Tensor share = reduction == Mean ? grad / total_weight : grad;
  Tensor each = drop(thpp::expand(-share, target.sizes()), ignored);
  if (weight.defined()) each = each * weights_of(weight, classes);
  // of the input, of whose elements the gradient is no function, 0 times the signs: its own gradient is 0, not missing
  return thpp::scatter(thpp::sgn(self) * 0, dim, thpp::unsqueeze(classes, dim), thpp::unsqueeze(each, dim));
}

Tensor body::nn_cross_entropy_loss(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t reduction,
                                   int64_t ignore_index, double label_smoothing) {
  if (!(label_smoothing >= 0 && label_smoothing <= 1))
    THError(TH_ERROR_RUNTIME, "label_smoothing must be between 0.0 and 1.0. Got: %g", label_smoothing);
  if (std::ranges::equal(self.sizes(), target.sizes())) {
    if (!is_floating(target.dtype()))
      THError(TH_ERROR_RUNTIME, "Expected floating point type for target with class probabilities, got %s",
              TH_typeName(target.dtype()));
    if (ignore_index >= 0) THError(TH_ERROR_RUNTIME, "ignore_index is not supported for floating point target");
    return cross_entropy_of_probabilities(self, target, weight, reduction, label_smoothing);
  }
  const int64_t dim = class_dim(self);
  const Tensor logarithms = thpp::log_softmax(self, dim);
  const auto [loss, total] = nll(logarithms, target, weight, reduction, ignore_index);
  if (label_smoothing == 0) return loss;
  const Tensor weighted = weight.defined() ? thpp::mul(logarithms, along(weight, self)) : logarithms;
  const Tensor ignored = thpp::eq(target, wrapped_number(ignore_index));
  Tensor smooth = thpp::neg(thpp::sum(weighted, {dim}));
  smooth = thpp::masked_fill(smooth, thpp::reshape(ignored, smooth.sizes()), number(0));
  if (reduction != None) smooth = thpp::sum(smooth);
  if (reduction == Mean) smooth = thpp::div(smooth, total);
  return loss * (1 - label_smoothing) + smooth * (label_smoothing / double(self.size(int(dim))));
}

// ---- margins -------------------------------------------------------------------------------------------------
namespace {

Tensor as_samples(const Tensor &t) { return t.dim() < 2 ? thpp::reshape(t, {1, -1}) : t; }

// The losses of samples, of which a single one has no dimension.
Tensor of_samples(const Tensor &losses, const Tensor &self, int64_t reduction) {
  const Tensor each = self.dim() < 2 ? thpp::reshape(losses, {}) : losses;
  return thpp::to(reduced(each, reduction), self.dtype());
}

}  // namespace

Tensor body::nn_multi_margin_loss(const Tensor &self, const Tensor &target, int64_t p, double margin,
                                  const Tensor &weight, int64_t reduction) {
  return thpp::_multi_margin_loss(self, target, p, margin, weight, reduction);
}
Tensor fallback::multi_margin_loss(const Tensor &self, const Tensor &target, int64_t p, double margin,
                                   const Tensor &weight, int64_t reduction) {
  const Tensor x = as_samples(in_float(self)), right = thpp::reshape(target, {-1, 1});
  Tensor over = thpp::clamp_min(x - thpp::gather(x, 1, right) + margin, number(0));
  if (p == 2) over = over * over;
  Tensor losses = thpp::sum(thpp::scatter(over, 1, right, Scalar(0)), {1}) / double(x.size(1));
  if (weight.defined()) losses = losses * thpp::index_select(in_float(weight), 0, thpp::reshape(right, {-1}));
  return of_samples(losses, self, reduction);
}
Tensor fallback::multi_margin_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target, int64_t p,
                                            double margin, const Tensor &weight, int64_t reduction) {
  const Tensor rows = as_samples(self), index = thpp::reshape(target, {-1, 1});
  const Tensor z = rows + margin - thpp::gather(rows, 1, index);
  const Tensor over = thpp::gt(z, number(0));
  Tensor share = thpp::reshape(shared(grad, index, reduction), {-1, 1}) / double(rows.size(1));
  if (weight.defined())
    share = share * thpp::reshape(thpp::index_select(weight, 0, thpp::reshape(index, {-1})), {-1, 1});
  Tensor slopes = keep(p == 2 ? share * (z * 2) : thpp::expand(share, rows.sizes()), over);
  slopes = thpp::scatter(slopes, 1, index, thpp::zeros_like(index, slopes.dtype()));
  return thpp::reshape(thpp::scatter_add(slopes, 1, index, -thpp::sum(slopes, {1}, true)), self.sizes());
}

Tensor body::nn_multilabel_margin_loss(const Tensor &self, const Tensor &target, int64_t reduction) {
  return thpp::_multilabel_margin_loss(self, target, reduction);
}
Tensor fallback::multilabel_margin_loss(const Tensor &self, const Tensor &target, int64_t reduction) {
  const Tensor x = as_samples(in_float(self)), labels = as_samples(target);
  // Labels end with a row's first negative one, and pair with classes that are none of them.
  const Tensor zero = wrapped_number(int64_t(0));
  const Tensor is_label = thpp::eq(thpp::cumsum(thpp::to(thpp::lt(labels, zero), TH_Long), 1), zero);
  const Tensor places = or_else(is_label, labels, 0);
  const Tensor times = thpp::scatter_add(thpp::zeros_like(labels), 1, places, thpp::to(is_label, TH_Long));
  const Tensor counted = thpp::logical_and(thpp::unsqueeze(is_label, 2), thpp::unsqueeze(thpp::eq(times, zero), 1));
  const Tensor over = thpp::clamp_min(thpp::unsqueeze(x, 1) - thpp::unsqueeze(thpp::gather(x, 1, places), 2) + 1,
                                      number(0));
  return of_samples(thpp::sum(or_else(counted, over, 0), {1, 2}) / double(x.size(1)), self, reduction);
}

// Of each sample's loss or of its share in the mean: how many labels each class exceeds by more than -1, and of a label
// itself how many classes do, as often as it is there. Labels end with a row's first negative one.
static Tensor multilabel_margin_slopes(const Tensor &self, const Tensor &target, int64_t reduction) {
  const Tensor x = as_samples(self), labels = as_samples(target);
  const Tensor ended = thpp::cumsum(thpp::to(thpp::lt(labels, number(0)), x.dtype()), 1);
  const Tensor is_label = thpp::to(thpp::eq(ended, number(0)), x.dtype());
  const Tensor places = thpp::clamp_min(labels, wrapped_number(int64_t(0)));
  const Tensor rights = thpp::scatter_add(thpp::zeros_like(x), 1, places, is_label);
  const Tensor wrong = thpp::to(thpp::eq(rights, number(0)), x.dtype());
  // (samples, classes, labels)
  const Tensor z = thpp::unsqueeze(x, 2) - thpp::unsqueeze(thpp::gather(x, 1, places), 1) + 1;
  const Tensor over = thpp::to(thpp::gt(z, number(0)), x.dtype()) * thpp::unsqueeze(wrong, 2) *
                      thpp::unsqueeze(is_label, 1);
  const Tensor slopes = thpp::scatter_add(thpp::sum(over, {2}), 1, places, -thpp::sum(over, {1}));
  return thpp::reshape(slopes / double(x.size(1) * (reduction == Mean ? x.size(0) : 1)), self.sizes());
}

// Slopes are constant between corners, so that their products with the gradient are all to be recorded.
Tensor fallback::multilabel_margin_loss_backward(const Tensor &grad, const Tensor &self, const Tensor &target,
                                                 int64_t reduction) {
  Tensor slopes;
  {
    const NoRecording off;
    slopes = multilabel_margin_slopes(self, target, reduction);
  }
  return slopes * (grad.dim() && self.dim() > 1 ? thpp::unsqueeze(grad, 1) : grad);
}

}  // namespace thpp
