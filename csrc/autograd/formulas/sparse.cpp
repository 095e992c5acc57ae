#include "sparse.h"

namespace torch::autograd {

Tensor sparse_sample_backward(const Tensor &grad, const Tensor &self, const Tensor &like) {
  const Tensor there = thpp::_sparse_with_values(like, grad);
  return self.layout() == TH_STRIDED ? thpp::_to_dense(there) : there;
}

Tensor to_dense_backward(const Tensor &grad, const Tensor &self, std::optional<bool> masked) {
  return self.layout() != TH_STRIDED && masked.value_or(true) ? thpp::sparse_mask(grad, self) : grad;
}

Tensor to_sparse_backward(const Tensor &grad, const Tensor &self) {
  switch (self.layout()) {
    case TH_STRIDED: return thpp::_to_dense(grad);
    case TH_SPARSE_COO: return thpp::_to_sparse(grad, thpp::sparse_dim(self));
    default: return thpp::sparse_mask(grad, self);
  }
}

Tensor sparse_factor_gradient(const Tensor &grad, const Tensor &mat1, const Tensor &mat2, const Scalar &alpha) {
  const Tensor pattern = mat1.layout() == TH_SPARSE_COO ? thpp::coalesce(mat1) : mat1;
  const Tensor values = thpp::_sparse_sampled(grad, thpp::adjoint(mat2), pattern);
  return thpp::_sparse_with_values(pattern, thpp::mul(values, thpp::wrapped_number(conj(alpha))));
}

}  // namespace torch::autograd
