#include "sparse_products.h"

namespace torch::autograd {

Tensor sparse_trsm_backward(const Tensor &grad, const Tensor &mat, bool upper, bool unitriangular) {
  const Tensor turned = thpp::_to_sparse_compressed(thpp::adjoint(mat), TH_SPARSE_CSR);
  return thpp::_sparse_trsm(grad, turned, !upper, unitriangular);
}

Tensor sparse_trsm_matrix_backward(const Tensor &grad, const Tensor &mat, const Tensor &result, bool upper,
                                   bool unitriangular) {
  const Tensor of_right = sparse_trsm_backward(grad, mat, upper, unitriangular);
  const Tensor values = thpp::neg(thpp::_sparse_sampled(of_right, thpp::adjoint(result), mat));
  const Tensor all = thpp::_sparse_with_values(mat, values);
  return upper ? thpp::triu(all, unitriangular) : thpp::tril(all, -int64_t(unitriangular));
}

}  // namespace torch::autograd
