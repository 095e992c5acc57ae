#include "sparse.h"

namespace torch::autograd {

Tensor sparse_sample_backward(const Tensor &grad, const Tensor &self, const Tensor &like) {
  const Tensor there = thpp::_sparse_with_values(like, grad);
  return self.layout() == TH_STRIDED ? thpp::_to_dense(there) : there;
}

static Tensor distinct(const Tensor &t) { return t.layout() == TH_SPARSE_COO ? thpp::coalesce(t) : t; }

Tensor at_places_of(const Tensor &t, const Tensor &sparse) { return thpp::sparse_mask(t, distinct(sparse)); }

Tensor sparse_values_backward(const Tensor &grad, const Tensor &self) {
  const Tensor given = thpp::_sparse_with_values(self, grad);
  if (self.layout() != TH_SPARSE_COO || thpp::is_coalesced(self)) return given;
  // All that is computed of entries is computed alike of those of one place: their mean is what each has.
  const Tensor ones = thpp::ones({grad.size(0)}, grad.dtype(), grad.device());
  Tensor counts = thpp::_values(thpp::coalesce(thpp::_sparse_with_values(self, ones)));
  while (counts.dim() < grad.dim()) counts = thpp::unsqueeze(counts, -1);
  const Tensor sums = thpp::coalesce(given);
  return thpp::_sparse_with_values(sums, thpp::div(thpp::_values(sums), counts));
}

// The layout, and the blocks, of self with an entry for each of its elements.
static Tensor everywhere(const Tensor &self) {
  const Tensor ones = thpp::ones(self.sizes(), self.dtype(), self.device());
  const THLayout layout = self.layout();
  if (layout == TH_SPARSE_COO) return thpp::_to_sparse(ones, thpp::sparse_dim(self));
  std::vector<int64_t> block;
  if (layout == TH_SPARSE_BSR || layout == TH_SPARSE_BSC) {
    const Tensor begins = layout == TH_SPARSE_BSR ? thpp::crow_indices(self) : thpp::ccol_indices(self);
    const Tensor values = thpp::_values(self);
    block = {values.size(begins.dim()), values.size(begins.dim() + 1)};
  }
  return thpp::_to_sparse_compressed(ones, layout, block, thpp::dense_dim(self));
}

Tensor to_dense_backward(const Tensor &grad, const Tensor &self, std::optional<bool> masked) {
  if (self.layout() == TH_STRIDED) return grad;
  return thpp::sparse_mask(grad, masked.value_or(true) ? distinct(self) : everywhere(self));
}

Tensor to_sparse_backward(const Tensor &grad, const Tensor &self) {
  switch (self.layout()) {
    case TH_STRIDED: return thpp::_to_dense(grad);
    case TH_SPARSE_COO: return thpp::_to_sparse(grad, thpp::sparse_dim(self));
    default: return at_places_of(grad, self);
  }
}

Tensor sparse_factor_gradient(const Tensor &grad, const Tensor &mat1, const Tensor &mat2, const Scalar &alpha) {
  const Tensor pattern = distinct(mat1);
  const Tensor values = thpp::_sparse_sampled(grad, thpp::adjoint(mat2), pattern);
  return thpp::_sparse_with_values(pattern, thpp::mul(values, thpp::wrapped_number(conj(alpha))));
}

}  // namespace torch::autograd
