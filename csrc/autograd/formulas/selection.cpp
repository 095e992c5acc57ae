#include "selection.h"

#include "operators.h"

namespace torch::autograd {

Tensor index_backward(const Tensor &grad, IntList sizes, TensorList indices) {
  return thpp::index_put_(thpp::new_zeros(grad, sizes), indices, grad, true);
}

Tensor index_select_backward(const Tensor &grad, IntList sizes, int64_t dim, const Tensor &index) {
  return thpp::index_add_(thpp::new_zeros(grad, sizes), dim, index, grad);
}

Tensor gather_backward(const Tensor &grad, IntList sizes, int64_t dim, const Tensor &index) {
  return thpp::scatter_add_(thpp::new_zeros(grad, sizes), dim, index, grad);
}

Tensor take_backward(const Tensor &grad, IntList sizes, const Tensor &index) {
  return thpp::put_(thpp::new_zeros(grad, sizes), index, grad, true);
}

Tensor masked_select_backward(const Tensor &grad, IntList sizes, const Tensor &mask) {
  return thpp::masked_scatter(thpp::new_zeros(grad, sizes), mask, grad);
}

Tensor picked_backward(const Tensor &grad, IntList sizes, int64_t dim, const Tensor &indices, bool keepdim) {
  const Tensor zeros = thpp::new_zeros(grad, sizes);
  if (keepdim || sizes.empty()) return thpp::scatter_(zeros, dim, indices, grad);
  const int d = TH_wrapDim(dim, int(sizes.size()));
  return thpp::scatter_(zeros, d, thpp::unsqueeze(indices, d), thpp::unsqueeze(grad, d));
}

Tensor masked_zero(const Tensor &grad, const Tensor &mask) { return thpp::masked_fill(grad, mask, number(0)); }

Tensor masked_sum(const Tensor &grad, const Tensor &mask) {
  return thpp::sum(thpp::masked_fill(grad, thpp::logical_not(mask), number(0)));
}

Tensor index_zero(const Tensor &grad, int64_t dim, const Tensor &index) {
  return thpp::index_fill(grad, dim, index, number(0));
}

Tensor index_sum(const Tensor &grad, int64_t dim, const Tensor &index) {
  // A slice that is named twice has been written once.
  return masked_sum(grad, thpp::index_fill_(thpp::zeros_like(grad, TH_Bool), dim, index, number(1)));
}

// A mask may be one of bytes, through which no single number is written.
Tensor index_put_zero(const Tensor &grad, TensorList indices) {
  std::vector<Tensor> chosen(indices.begin(), indices.end());
  for (Tensor &index : chosen)
    if (index.defined() && index.dtype() == TH_Byte) index = thpp::to(index, TH_Bool);
  return thpp::index_put(grad, chosen, thpp::new_zeros(grad, {}));
}

}  // namespace torch::autograd
