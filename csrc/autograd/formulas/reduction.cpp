#include "reduction.h"

#include "operators.h"

namespace torch::autograd {

namespace {

// Bit d: dimension d is reduced.
uint64_t reduced(IntList dims, int ndim) {
  uint64_t mask = dims.empty() ? ~uint64_t(0) : 0;
  for (const int64_t dim : dims) mask |= uint64_t(1) << TH_wrapDim(dim, ndim);
  return mask;
}

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

}  // namespace torch::autograd
