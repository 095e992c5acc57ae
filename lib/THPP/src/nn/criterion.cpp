// Criterions: checks as torch has them, over THNN's kernels; on other devices than the CPU by operators.
#include <utility>

#include "activation.h"
#include "operators.h"

namespace thpp {

namespace {

enum Reduction : int64_t { None, Mean, Sum };

Tensor reduced(const Tensor &loss, int64_t reduction) {
  return reduction == Mean ? thpp::mean(loss) : reduction == Sum ? thpp::sum(loss) : loss;
}

// A kernel's result, which has the input's shape or none.
Tensor loss_like(const Tensor &self, int64_t reduction) {
  return reduction == None ? thpp::empty_like(self)
                           : thpp::empty({}, self.dtype(), MemoryFormat::Contiguous, self.device());
}

// Of one dtype and one shape.
std::pair<Tensor, Tensor> alike(const Tensor &self, const Tensor &target) {
  const Tensor *const both[] = {&self, &target};
  const THDtype dtype = self.dtype() == target.dtype() ? self.dtype() : result_type(both);
  const Tensor a = self.dtype() == dtype ? self : thpp::to(self, dtype);
  const Tensor b = target.dtype() == dtype ? target : thpp::to(target, dtype);
  if (std::ranges::equal(a.sizes(), b.sizes())) return {a, b};
  const Tensor pair[] = {a, b};
  std::vector<Tensor> made = thpp::broadcast_tensors(TensorList(pair, 2));
  return {made[0], made[1]};
}

template <class Kernel, class Composed>
Tensor loss_of(const Tensor &self, const char *name, int64_t reduction, const Kernel &kernel,
               const Composed &composed) {
  require_floating(name, self);
  if (!has_nn_kernels(self)) return reduced(composed(), reduction);
  const Tensor made = loss_like(self, reduction);
  kernel(made, reduction == Mean, reduction != None);
  return made;
}

Tensor absolute(const Tensor &self, const Tensor &target) { return thpp::abs(thpp::sub(self, target)); }

}  // namespace

Tensor body::nn_l1_loss(const Tensor &self, const Tensor &target, int64_t reduction) {
  const auto [a, b] = alike(self, target);
  if (reduction == None || !is_floating(a.dtype())) return reduced(absolute(a, b), reduction);
  return thpp::_l1_loss(a, b, reduction);
}
Tensor body::_l1_loss(const Tensor &self, const Tensor &target, int64_t reduction) {
  return loss_of(
      self, "abs_cpu", reduction,
      [&](const Tensor &r, bool mean, bool reduce) { nn::AbsCriterion_updateOutput(self, target, r, mean, reduce); },
      [&] { return absolute(self, target); });
}

Tensor body::nn_mse_loss(const Tensor &self, const Tensor &target, int64_t reduction) {
  const auto [a, b] = alike(self, target);
  return thpp::_mse_loss(a, b, reduction);
}
Tensor body::_mse_loss(const Tensor &self, const Tensor &target, int64_t reduction) {
  return loss_of(
      self, "mse_cpu", reduction,
      [&](const Tensor &r, bool mean, bool reduce) { nn::MSECriterion_updateOutput(self, target, r, mean, reduce); },
      [&] { return thpp::square(thpp::sub(self, target)); });
}

Tensor body::nn_smooth_l1_loss(const Tensor &self, const Tensor &target, int64_t reduction, double beta) {
  if (beta < 0) THError(TH_ERROR_RUNTIME, "smooth_l1_loss does not support negative values for beta.");
  const auto [a, b] = alike(self, target);
  return beta == 0 ? thpp::nn_l1_loss(a, b, reduction) : thpp::_smooth_l1_loss(a, b, reduction, beta);
}
Tensor body::_smooth_l1_loss(const Tensor &self, const Tensor &target, int64_t reduction, double beta) {
  return loss_of(
      self, "smooth_l1_cpu", reduction,
      [&](const Tensor &r, bool mean, bool reduce) {
        nn::SmoothL1Criterion_updateOutput(self, target, r, mean, reduce, beta);
      },
      [&] {
        const Tensor distance = absolute(self, target);
        return thpp::where(thpp::lt(distance, number(beta)), times(thpp::square(distance), 0.5 / beta),
                           thpp::sub(distance, number(0.5 * beta)));
      });
}

Tensor body::nn_huber_loss(const Tensor &self, const Tensor &target, int64_t reduction, double delta) {
  if (!(delta > 0)) THError(TH_ERROR_RUNTIME, "huber_loss does not support non-positive values for delta.");
  const auto [a, b] = alike(self, target);
  return thpp::_huber_loss(a, b, reduction, delta);
}
Tensor body::_huber_loss(const Tensor &self, const Tensor &target, int64_t reduction, double delta) {
  return loss_of(
      self, "huber_cpu", reduction,
      [&](const Tensor &r, bool mean, bool reduce) {
        nn::HuberCriterion_updateOutput(self, target, r, mean, reduce, delta);
      },
      [&] {
        const Tensor distance = absolute(self, target);
        return thpp::where(thpp::le(distance, number(delta)), times(thpp::square(distance), 0.5),
                           times(thpp::sub(distance, number(0.5 * delta)), delta));
      });
}

Tensor body::nn_soft_margin_loss(const Tensor &self, const Tensor &target, int64_t reduction) {
  if (!is_floating(self.dtype()) && !is_complex(self.dtype()))
    THError(TH_ERROR_RUNTIME, "result type Float can't be cast to the desired output type %s",
            TH_typeName(self.dtype()));
  const auto [a, b] = alike(self, target);
  return thpp::_soft_margin_loss(a, b, reduction);
}
Tensor body::_soft_margin_loss(const Tensor &self, const Tensor &target, int64_t reduction) {
  return loss_of(
      self, "soft_margin_cpu", reduction,
      [&](const Tensor &r, bool mean, bool reduce) {
        nn::SoftMarginCriterion_updateOutput(self, target, r, mean, reduce);
      },
      [&] { return thpp::log1p(thpp::exp(thpp::neg(thpp::mul(target, self)))); });
}

static Tensor divergence(const Tensor &self, const Tensor &target, bool log_target) {
  if (log_target) return thpp::mul(thpp::exp(target), thpp::sub(target, self));
  return thpp::sub(thpp::xlogy(target, target), thpp::mul(target, self));
}
Tensor body::kl_div(const Tensor &self, const Tensor &target, int64_t reduction, bool log_target) {
  for (const Tensor *values : {&self, &target})
    if (!is_floating(values->dtype()) && !is_complex(values->dtype()))
      THError(TH_ERROR_RUNTIME, "kl_div: Integral inputs not supported.");
  const auto [a, b] = alike(self, target);
  if (reduction == None || !is_floating(a.dtype())) return reduced(divergence(a, b, log_target), reduction);
  return thpp::_kl_div(a, b, reduction, log_target);
}
Tensor body::_kl_div(const Tensor &self, const Tensor &target, int64_t reduction, bool log_target) {
  return loss_of(
      self, "kl_div", reduction,
      [&](const Tensor &r, bool mean, bool reduce) {
        nn::DistKLDivCriterion_updateOutput(self, target, r, mean, reduce, log_target);
      },
      [&] { return divergence(self, target, log_target); });
}

Tensor body::nn_binary_cross_entropy(const Tensor &self, const Tensor &target, const Tensor &weight,
                                     int64_t reduction) {
  const Tensor same = thpp::to(target, self.dtype());
  const Tensor all = weight.defined() ? thpp::expand(thpp::to(weight, self.dtype()), self.sizes()) : weight;
  return loss_of(
      self, "binary_cross_entropy", reduction,
      [&](const Tensor &r, bool mean, bool reduce) { nn::BCECriterion_updateOutput(self, same, r, mean, all, reduce); },
      [&] {
        const auto log = [](const Tensor &x) { return thpp::clamp_min(thpp::log(x), number(-100)); };
        const Tensor rest = thpp::mul(thpp::sub(same, number(1)), log(thpp::sub(number(1), self)));
        const Tensor loss = thpp::sub(rest, thpp::mul(same, log(self)));
        return weight.defined() ? thpp::mul(loss, all) : loss;
      });
}

Tensor body::binary_cross_entropy_with_logits(const Tensor &self, const Tensor &target, const Tensor &weight,
                                              const Tensor &pos_weight, int64_t reduction) {
  const bool simple = !weight.defined() && !pos_weight.defined() && is_floating(self.dtype()) &&
                      std::ranges::equal(self.sizes(), target.sizes()) && has_nn_kernels(self);
  if (simple) {
    const Tensor made = loss_like(self, reduction);
    nn::BCEWithLogitsCriterion_updateOutput(self, thpp::to(target, self.dtype()), made, reduction == Mean,
                                            reduction != None);
    return made;
  }
  Tensor log = thpp::nn_softplus(thpp::neg(self), 1, 1e30);
  if (pos_weight.defined())
    log = thpp::mul(log, thpp::add(thpp::mul(thpp::sub(pos_weight, number(1)), target), number(1)));
  const Tensor loss = thpp::add(thpp::mul(thpp::sub(number(1), target), self), log);
  return reduced(weight.defined() ? thpp::mul(loss, weight) : loss, reduction);
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
  if (self.dim() <= 2) {
    if (target.dim() > 1) THError(TH_ERROR_RUNTIME, "0D or 1D target tensor expected, multi-target not supported");
    if (self.dim() == 1 && target.dim() == 1 && target.size(0) != 1)
      THError(TH_ERROR_RUNTIME, "size mismatch (got input: %s, target: %s)", shape_text(self).c_str(),
              shape_text(target).c_str());
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
  if (target.dtype() != TH_Long && target.dtype() != TH_Byte)
    THError(TH_ERROR_RUNTIME, "expected target dtype to be Long or Byte, but got %s", TH_typeName(target.dtype()));
  const int64_t classes = self.size(self.dim() == 1 ? 0 : 1);
  if (!weight.defined() || (weight.dim() == 1 && weight.numel() == classes)) return;
  if (self.dim() == 4) THError(TH_ERROR_RUNTIME, "weight tensor should be defined either for all or no classes");
  THError(
      TH_ERROR_RUNTIME,
      "weight tensor should be defined either for all %lld classes or no classes but got weight tensor of shape: %s",
      (long long)classes, shape_text(weight).c_str());
}

int64_t class_dim(const Tensor &self) { return self.dim() == 1 ? 0 : 1; }

std::tuple<Tensor, Tensor> nll(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t reduction,
                               int64_t ignore_index) {
  check_classes(self, target, weight);
  return thpp::_nll_loss(self, target.dtype() == TH_Long ? target : thpp::to(target, TH_Long), weight, reduction,
                         ignore_index);
}

// By operators; gives the losses, and the weights of their targets.
std::pair<Tensor, Tensor> picked(const Tensor &self, const Tensor &target, const Tensor &weight, int64_t ignore_index) {
  const Tensor ignored = thpp::eq(target, wrapped_number(ignore_index));
  const Tensor classes = thpp::masked_fill(target, ignored, wrapped_number(int64_t(0)));
  const int64_t dim = class_dim(self);
  const bool single = self.dim() == 1 && target.dim() == 1;
  const Tensor at = single ? thpp::gather(self, 0, classes)
                           : thpp::squeeze(thpp::gather(self, dim, thpp::unsqueeze(classes, dim)), {dim});
  const Tensor weights = weight.defined() ? thpp::reshape(thpp::index_select(weight, 0, thpp::reshape(classes, {-1})),
                                                          target.sizes())
                                          : thpp::ones_like(at);
  const Tensor counted = thpp::masked_fill(weights, ignored, number(0));
  return {thpp::masked_fill(thpp::neg(thpp::mul(at, counted)), ignored, number(0)), counted};
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
  if (smoothing > 0) smooth = thpp::add(times(target, 1 - smoothing), number(smoothing / double(classes)));
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

void body::_nll_loss_out(Tensor &result, Tensor &total_weight, const Tensor &self, const Tensor &target,
                         const Tensor &weight, int64_t reduction, int64_t ignore_index) {
  require_floating("nll_loss_out_frame", self);
  if (!has_nn_kernels(self)) {
    const auto [losses, weights] = picked(self, target, weight, ignore_index);
    total_weight = thpp::sum(weights);
    result = reduction == None ? losses : thpp::sum(losses);
    if (reduction == Mean) result = thpp::div(result, total_weight);
    return;
  }
  result = without_elements(self);
  total_weight = thpp::empty({}, self.dtype(), MemoryFormat::Contiguous, self.device());
  const auto kernel = self.dim() > 2 ? nn::SpatialClassNLLCriterion_updateOutput : nn::ClassNLLCriterion_updateOutput;
  kernel(self, target, result, reduction == Mean, weight, total_weight, ignore_index, reduction != None);
  if (reduction == None && self.dim() == 1 && target.dim() == 1) result = thpp::reshape(result, {1});
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
  check_classes(self, target, weight);
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
  return thpp::add(times(loss, 1 - label_smoothing), times(smooth, label_smoothing / double(self.size(int(dim)))));
}

// ---- margins -------------------------------------------------------------------------------------------------
namespace {

Tensor as_samples(const Tensor &t) { return t.dim() < 2 ? thpp::reshape(t, {1, -1}) : t; }

// The losses of samples, as the result of this shape.
Tensor of_samples(const Tensor &losses, const Tensor &self, IntList shape, int64_t reduction) {
  return thpp::to(reduction == None ? thpp::reshape(losses, shape) : reduced(losses, reduction), self.dtype());
}

}  // namespace

Tensor body::nn_multi_margin_loss(const Tensor &self, const Tensor &target, int64_t p, double margin,
                                  const Tensor &weight, int64_t reduction) {
  require_floating("multi_margin_loss_cpu", self);
  if (!has_nn_kernels(self)) {
    const Tensor checked = prepared(self.dtype());
    nn::MultiMarginCriterion_updateOutput(on_meta(self), on_meta(thpp::to(target, TH_Long)), checked, reduction == Mean,
                                          p, on_meta(weight), margin, reduction != None);
    const Tensor x = as_samples(in_float(self)), right = thpp::reshape(thpp::to(target, TH_Long), {-1, 1});
    Tensor over = thpp::clamp_min(x - thpp::gather(x, 1, right) + margin, number(0));
    if (p == 2) over = over * over;
    Tensor losses = thpp::sum(thpp::scatter(over, 1, right, Scalar(0)), {1}) / double(x.size(1));
    if (weight.defined()) losses = losses * thpp::index_select(in_float(weight), 0, thpp::reshape(right, {-1}));
    return of_samples(losses, self, checked.sizes(), reduction);
  }
  const Tensor made = without_elements(self);
  nn::MultiMarginCriterion_updateOutput(self, thpp::to(target, TH_Long), made, reduction == Mean, p, weight, margin,
                                        reduction != None);
  return made;
}

Tensor body::nn_multilabel_margin_loss(const Tensor &self, const Tensor &target, int64_t reduction) {
  require_floating("multilabel_margin_loss_forward_out_frame", self);
  if (!has_nn_kernels(self)) {
    const Tensor checked = prepared(self.dtype());
    nn::MultiLabelMarginCriterion_updateOutput(on_meta(self), on_meta(target), checked, reduction == Mean,
                                               reduction != None);
    const Tensor x = as_samples(in_float(self)), labels = as_samples(target);
    // Labels end with a row's first negative one, and pair with classes that are none of them.
    const Tensor zero = wrapped_number(int64_t(0));
    const Tensor is_label = thpp::eq(thpp::cumsum(thpp::to(thpp::lt(labels, zero), TH_Long), 1), zero);
    const Tensor places = or_else(is_label, labels, 0);
    const Tensor times = thpp::scatter_add(thpp::zeros_like(labels), 1, places, thpp::to(is_label, TH_Long));
    const Tensor counted = thpp::logical_and(thpp::unsqueeze(is_label, 2), thpp::unsqueeze(thpp::eq(times, zero), 1));
    const Tensor over = thpp::clamp_min(thpp::unsqueeze(x, 1) - thpp::unsqueeze(thpp::gather(x, 1, places), 2) + 1,
                                        number(0));
    const Tensor losses = thpp::sum(or_else(counted, over, 0), {1, 2}) / double(x.size(1));
    return of_samples(losses, self, checked.sizes(), reduction);
  }
  const Tensor made = without_elements(self);
  nn::MultiLabelMarginCriterion_updateOutput(self, target, made, reduction == Mean, reduction != None);
  return made;
}

}  // namespace thpp
