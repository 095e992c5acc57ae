#include "statistics.h"

#include <TH/THTensorOrder.h>

#include "linalg_norms.h"
#include "reduction.h"

namespace torch::autograd {

namespace {

// How many elements make one of the result.
int64_t reduced_count(const Tensor &self, IntList dim) {
  if (dim.empty()) return self.numel();
  int64_t count = 1;
  for (const int64_t d : dim) count *= self.dim() ? self.size(TH_wrapDim(d, self.dim())) : 1;
  return count;
}

}  // namespace

// ---- variance ---------------------------------------------------------------------------------------
Tensor var_backward(const Tensor &grad, const Tensor &self, IntList dim, const std::optional<Scalar> &correction,
                    bool keepdim) {
  const double freedom = double(reduced_count(self, dim)) - (correction ? correction->to_double() : 1);
  const Tensor distance = self - thpp::mean(self, dim, true), to = restored(grad, self.sizes(), dim, keepdim);
  if (freedom > 0) return to * (2 / freedom) * distance;
  // The variance is infinite, or NaN where nothing is apart.
  return to * thpp::where(thpp::eq(distance, wrapped_number(0)), wrapped_number(NAN), wrapped_number(INFINITY));
}

Tensor std_backward(const Tensor &grad, const Tensor &self, const Tensor &result, IntList dim,
                    const std::optional<Scalar> &correction, bool keepdim) {
  const Tensor of_var = drop(grad / (result * 2), thpp::eq(result, wrapped_number(0)));
  return var_backward(of_var, self, dim, correction, keepdim);
}

namespace {

Tensor with_mean(const Tensor &gradient, const Tensor &grad, const Tensor &self, IntList dim, bool keepdim) {
  if (!grad.defined()) return gradient;
  const Tensor share = restored(grad, self.sizes(), dim, keepdim) / double(reduced_count(self, dim));
  return gradient.defined() ? gradient + share : thpp::expand(share, self.sizes());
}

}  // namespace

Tensor var_mean_backward(const std::vector<Tensor> &grads, const Tensor &self, IntList dim,
                         const std::optional<Scalar> &correction, bool keepdim) {
  Tensor gradient;
  if (grads[0].defined()) gradient = var_backward(grads[0], self, dim, correction, keepdim);
  return with_mean(gradient, grads[1], self, dim, keepdim);
}

Tensor std_mean_backward(const std::vector<Tensor> &grads, const Tensor &self, const std::vector<Tensor> &results,
                         IntList dim, const std::optional<Scalar> &correction, bool keepdim) {
  Tensor gradient;
  if (grads[0].defined()) gradient = std_backward(grads[0], self, results[0], dim, correction, keepdim);
  return with_mean(gradient, grads[1], self, dim, keepdim);
}

// Of a slice s of norm n > maxnorm, s maxnorm / (n + 1e-7).
Tensor renorm_backward(const Tensor &grad, const Tensor &self, const Scalar &p, int64_t dim, const Scalar &maxnorm) {
  std::vector<int64_t> others;
  for (int d = 0; d < self.dim(); ++d)
    if (d != TH_wrapDim(dim, self.dim())) others.push_back(d);
  const Tensor norm = thpp::linalg_vector_norm(self, p, others, true);
  const Tensor product = grad * conj(self);
  const Tensor along = thpp::sum(complex_valued(product) ? thpp::real(product) : product, others, true);
  const Tensor factor = thpp::reciprocal(norm + 1e-7);
  const Tensor by_norm = vector_norm_backward(along, self, norm, p, others, true);
  const Tensor scaled = (grad - by_norm * factor) * factor * maxnorm;
  return thpp::where(thpp::gt(norm, wrapped_number(maxnorm)), scaled, grad);
}

// ---- sums -------------------------------------------------------------------------------------------
Tensor logsumexp_backward(const Tensor &grad, const Tensor &self, const Tensor &result, IntList dim, bool keepdim) {
  const Tensor of = restored(result, self.sizes(), dim, keepdim);
  return restored(grad, self.sizes(), dim, keepdim) * conj(thpp::exp(self - of));
}

Tensor nansum_backward(const Tensor &grad, const Tensor &self, IntList dim, bool keepdim) {
  return drop(restored(grad, self.sizes(), dim, keepdim), thpp::isnan(self));
}

// ---- extrema and order statistics -------------------------------------------------------------------
Tensor aminmax_backward(const Tensor &grad_min, const Tensor &grad_max, const Tensor &self, const Tensor &min,
                        const Tensor &max, std::optional<int64_t> dim, bool keepdim) {
  const int64_t along = dim.value_or(0);
  const IntList dims = dim ? IntList(&along, 1) : IntList();
  const auto part = [&](const Tensor &grad, const Tensor &of) {
    return grad.defined() ? extremum_backward(grad, self, of, dims, keepdim) : grad;
  };
  return part(grad_min, min) + part(grad_max, max);
}

Tensor nanmedian_backward(const Tensor &grad, const Tensor &self, const Tensor &result) {
  const Tensor nothing = thpp::logical_and(thpp::isnan(self), thpp::isnan(result));
  const Tensor mask = thpp::logical_or(thpp::eq(self, result), nothing);
  return mask * (grad / thpp::sum(mask));
}

// Quantile q stands at rank q (n - 1) of n numbers: the element there, or one between its neighbours.
std::vector<Tensor> quantile_backward(const Tensor &grad, const Tensor &self, const Tensor &q, int interpolation,
                                      bool ignore_nan, const std::vector<bool> &wanted) {
  const bool linear = interpolation == TH_INTERPOLATE_LINEAR;
  const int64_t last = self.size(1) - 1;
  const Tensor levels = thpp::detach(q), to = thpp::transpose(grad, 0, 1);
  Tensor steps, ranks;  // how far a rank moves with q; ranks of each row
  if (ignore_nan) {
    const Tensor numbers = thpp::sum(thpp::eq(self, self), {1}, true);
    steps = thpp::to(thpp::clamp_min(numbers - 1, wrapped_number(0)), self.dtype());
    ranks = levels * steps;
  } else {
    const Tensor broken = thpp::isnan(thpp::narrow(self, 1, last, 1));  // NaN, which stands last, is the result
    steps = drop(thpp::full_like(thpp::to(broken, self.dtype()), double(last)), broken);
    ranks = thpp::where(broken, wrapped_number(double(last)), levels * double(last));
  }
  const auto places = [](const Tensor &rounded) { return thpp::to(rounded, TH_Long); };
  const bool between = linear || interpolation == TH_INTERPOLATE_MIDPOINT;
  const Tensor below = places(interpolation == TH_INTERPOLATE_NEAREST  ? thpp::round(ranks)
                              : interpolation == TH_INTERPOLATE_HIGHER ? thpp::ceil(ranks)
                                                                       : thpp::floor(ranks));
  std::vector<Tensor> gradients(2);
  if (!between) {
    if (wanted[0]) gradients[0] = thpp::scatter_add(thpp::zeros_like(self), 1, below, to);
    return gradients;
  }
  const Tensor above = places(thpp::ceil(ranks));
  if (wanted[0]) {
    const Tensor weight = linear ? ranks - thpp::floor(ranks) : thpp::full_like(ranks, 0.5);
    const Tensor lower = thpp::scatter_add(thpp::zeros_like(self), 1, below, to * (1 - weight));
    gradients[0] = thpp::scatter_add(lower, 1, above, to * weight);
  }
  if (wanted[1] && linear) {
    const Tensor gap = thpp::gather(self, 1, above) - thpp::gather(self, 1, below);
    gradients[1] = thpp::sum(to * drop(gap, thpp::eq(above, below)) * steps, {0}, false);
  }
  return gradients;
}

}  // namespace torch::autograd
