#include "scan.h"

#include <cfloat>

#include "operators.h"

namespace torch::autograd {

namespace {

// Sums from each element to the end.
Tensor sums_to_end(const Tensor &t, int64_t dim) { return thpp::flip(thpp::cumsum(thpp::flip(t, {dim}), dim), {dim}); }

}  // namespace

Tensor cumsum_backward(const Tensor &grad, int64_t dim) { return grad.numel() <= 1 ? grad : sums_to_end(grad, dim); }

namespace {

// Of cumprod, by what stands before an element and the sums of what it is multiplied with behind it,
// behind[i] = grad[i] + self[i + 1] * behind[i + 1]: that can be differentiated at zeros too.
Tensor cumprod_recurrence(const Tensor &grad, const Tensor &self, int d) {
  const int64_t size = self.size(d);
  std::vector<int64_t> one(self.sizes().begin(), self.sizes().end());
  one[d] = 1;
  const Tensor first[] = {thpp::new_ones(self, one), thpp::narrow(self, d, 0, size - 1)};
  const Tensor before = conjugate(thpp::cumprod(thpp::cat(first, d), d));
  const std::vector<Tensor> grads = thpp::unbind(grad, d), factors = thpp::unbind(conjugate(self), d);
  std::vector<Tensor> behind = grads;
  for (int64_t i = size - 1; i-- > 0;) behind[i] = grads[i] + factors[i + 1] * behind[i + 1];
  return before * thpp::stack(behind, d);
}

// The same by kernels, where nothing is recorded. Up to the first zero of a row, the quotient; the first zero has what
// the elements up to the second one make of it; from there on nothing counts.
Tensor cumprod_masked(const Tensor &grad, const Tensor &self, int d, const Tensor &result) {
  const Tensor is_zero = thpp::eq(self, number(0));
  const Tensor zeros = thpp::cumsum(is_zero, d);
  const Tensor none = thpp::eq(zeros, number(0)), one = thpp::eq(zeros, number(1));
  const Tensor first = thpp::logical_and(is_zero, one);
  const Tensor quotients = sums_to_end(grad * conjugate(result), d) /
                           conjugate(thpp::masked_fill(self, is_zero, number(1)));
  const Tensor products = grad * conjugate(thpp::cumprod(thpp::masked_fill(self, first, number(1)), d));
  const Tensor of_zero = thpp::sum(thpp::masked_fill(products, thpp::logical_not(one), number(0)), {d}, true);
  return thpp::where(none, quotients, thpp::where(first, of_zero, thpp::zeros_like(quotients)));
}

}  // namespace

Tensor cumprod_backward(const Tensor &grad, const Tensor &self, int64_t dim, const Tensor &result) {
  if (grad.numel() <= 1) return grad;
  const int d = TH_wrapDim(dim, self.dim());
  const Tensor factors = in_dtype(self, grad.dtype());
  if (!thpp::grad_mode()) return cumprod_masked(grad, factors, d, result);
  const Tensor has_zero = thpp::any(thpp::eq(factors, number(0)));
  if (has_zero.device().kind != TH_Meta && has_zero.item().to_int()) return cumprod_recurrence(grad, factors, d);
  return sums_to_end(grad * conjugate(result), d) / conjugate(factors);
}

namespace {

static double lowest(THDtype dtype) {
  switch (dtype) {
    case TH_Half: return -65504;
    case TH_BFloat16: return -0x1.FEp127;
    case TH_Float: return -FLT_MAX;
    default: return -DBL_MAX;
  }
}

}  // namespace

Tensor logcumsumexp_backward(const Tensor &grad, const Tensor &self, int64_t dim, const Tensor &result) {
  if (grad.dim() == 0 || grad.numel() == 0) return grad;
  // exp(self) * the sum to the end of grad * exp(-result), by logarithms, as exponentials may overflow.
  const auto exp_of_sums = [&](const Tensor &logs) {
    const Tensor sums = thpp::flip(thpp::logcumsumexp(thpp::flip(logs - result, {dim}), dim), {dim});
    return thpp::exp(sums + self);
  };
  if (TH_kind(grad.dtype()) == TH_KIND_complex) return thpp::conj(exp_of_sums(thpp::log(thpp::conj(grad))));
  // The logarithm of nothing: minus infinity, less another one, would be NaN.
  const Tensor logs = thpp::log(thpp::abs(grad)), nothing = number(lowest(grad.dtype()));
  const Tensor positive = thpp::where(thpp::gt(grad, number(0)), logs, nothing);
  const Tensor negative = thpp::where(thpp::lt(grad, number(0)), logs, nothing);
  return exp_of_sums(positive) - exp_of_sums(negative);
}

Tensor cumulative_pick_backward(const Tensor &grad, int64_t dim, const Tensor &indices) {
  return grad.numel() ? gather_backward(grad, grad.sizes(), dim, indices) : grad;
}

}  // namespace torch::autograd
