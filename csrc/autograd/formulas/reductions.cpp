#include "reductions.h"

#include <cfloat>

#include "operators.h"

namespace torch::autograd {

namespace {

Tensor number(thpp::Scalar value) { return thpp::wrapped_number(value); }

// Bit d: dimension d is reduced.
uint64_t reduced(IntList dims, int ndim) {
  uint64_t mask = dims.empty() ? ~uint64_t(0) : 0;
  for (const int64_t dim : dims) mask |= uint64_t(1) << TH_wrapDim(dim, ndim);
  return mask;
}

Tensor in_dtype(const Tensor &t, THDtype dtype) { return t.dtype() == dtype ? t : thpp::to(t, dtype); }

// Sums from each element to the end.
Tensor sums_to_end(const Tensor &t, int64_t dim) { return thpp::flip(thpp::cumsum(thpp::flip(t, {dim}), dim), {dim}); }

}  // namespace

Tensor restored(const Tensor &reduced_, IntList sizes, IntList dims, bool keepdim) {
  const int ndim = int(sizes.size());
  if (keepdim || !ndim || reduced_.dim() == ndim) return reduced_;
  const uint64_t mask = reduced(dims, ndim);
  std::vector<int64_t> shape(sizes.begin(), sizes.end());
  for (int d = 0; d < ndim; ++d)
    if (mask >> d & 1) shape[d] = 1;
  return thpp::reshape(reduced_, shape);
}

Tensor sum_backward(const Tensor &grad, IntList sizes, IntList dims, bool keepdim) {
  return thpp::expand(restored(grad, sizes, dims, keepdim), sizes);
}

Tensor mean_backward(const Tensor &grad, IntList sizes, IntList dims, bool keepdim) {
  const uint64_t mask = reduced(dims, int(sizes.size()));
  int64_t count = 1;
  for (size_t d = 0; d < sizes.size(); ++d)
    if (mask >> d & 1) count *= sizes[d];
  return sum_backward(grad / thpp::Scalar(double(count)), sizes, dims, keepdim);
}

// ---- products ------------------------------------------------------------------------------------
namespace {

// Of the product along dimension d, with `grad` of size 1 there.
Tensor product_backward(const Tensor &grad, const Tensor &self, int d) {
  const int64_t size = self.size(d);
  if (size == 1 || !self.numel()) return thpp::expand(grad, self.sizes());
  if (!thpp::grad_mode()) {
    // Without zeros, the product by each factor; one zero has the product of the others, and the others have nothing.
    const Tensor is_zero = thpp::eq(self, number(0));
    const Tensor zeros = thpp::sum(is_zero, {d}, true);
    const Tensor nonzero = thpp::masked_fill(self, is_zero, number(1));
    const Tensor product = grad * conjugate(thpp::prod(nonzero, d, true));
    const Tensor alone = thpp::logical_and(is_zero, thpp::eq(zeros, number(1)));
    const Tensor none = thpp::eq(zeros, number(0));
    const Tensor shares = product / conjugate(nonzero);
    return thpp::masked_fill(shares, thpp::logical_not(thpp::logical_or(alone, none)), number(0));
  }
  // What stands before a factor times what stands behind it: that can be differentiated at zeros too.
  std::vector<int64_t> one(self.sizes().begin(), self.sizes().end());
  one[d] = 1;
  const Tensor ones = thpp::new_ones(self, one);
  const Tensor first[] = {ones, thpp::narrow(self, d, 0, size - 1)};
  const Tensor last[] = {ones, thpp::flip(thpp::narrow(self, d, 1, size - 1), {d})};
  const Tensor before = thpp::cumprod(thpp::cat(first, d), d);
  const Tensor behind = thpp::flip(thpp::cumprod(thpp::cat(last, d), d), {d});
  return grad * conjugate(before * behind);
}

}  // namespace

Tensor prod_backward(const Tensor &grad, const Tensor &self) {
  if (self.dim() == 0) return grad;
  const Tensor flat = thpp::reshape(in_dtype(self, grad.dtype()), {-1});
  return thpp::reshape(product_backward(thpp::reshape(grad, {1}), flat, 0), self.sizes());
}

Tensor prod_backward(const Tensor &grad, const Tensor &self, int64_t dim, bool keepdim) {
  if (self.dim() == 0) return grad;
  const int d = TH_wrapDim(dim, self.dim());
  return product_backward(keepdim ? grad : thpp::unsqueeze(grad, d), in_dtype(self, grad.dtype()), d);
}

// ---- extrema -----------------------------------------------------------------------------------
Tensor extremum_backward(const Tensor &grad, const Tensor &self, const Tensor &result, IntList dims, bool keepdim) {
  const Tensor mask = thpp::eq(self, restored(result, self.sizes(), dims, keepdim));
  const Tensor counts = self.dim() ? thpp::sum(mask, dims, true) : mask;
  return mask * (restored(grad, self.sizes(), dims, keepdim) / counts);
}

Tensor extremum_of_all_backward(const Tensor &grad, const Tensor &self, const Tensor &result) {
  // Where an element is NaN, so is the result.
  const Tensor mask = thpp::logical_or(thpp::eq(self, result), thpp::isnan(self));
  return mask * (grad / thpp::sum(mask));
}

namespace {

Tensor shared(const Tensor &grad, const Tensor &mine, const Tensor &other, const Tensor &loses) {
  return thpp::masked_fill(thpp::where(thpp::eq(mine, other), grad / thpp::Scalar(2), grad), loses, number(0));
}

}  // namespace

Tensor larger_backward(const Tensor &grad, const Tensor &mine, const Tensor &other) {
  return shared(grad, mine, other, thpp::lt(mine, other));
}
Tensor smaller_backward(const Tensor &grad, const Tensor &mine, const Tensor &other) {
  return shared(grad, mine, other, thpp::gt(mine, other));
}

// ---- scans ---------------------------------------------------------------------------------------
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

static double lowest(THDtype dtype) {
  switch (dtype) {
    case TH_Half: return -65504;
    case TH_BFloat16: return -0x1.FEp127;
    case TH_Float: return -FLT_MAX;
    default: return -DBL_MAX;
  }
}

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

}  // namespace torch::autograd
