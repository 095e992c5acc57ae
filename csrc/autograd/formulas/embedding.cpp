#include "embedding.h"

namespace torch::autograd {

// The rows, with the factors that their gradients had.
Tensor embedding_dense_double_backward(const Tensor &grad, const Tensor &indices, int64_t padding_idx,
                                       bool scale_grad_by_freq) {
  const Tensor flat = thpp::reshape(indices, {-1});
  Tensor rows = thpp::index_select(grad, 0, flat);
  if (padding_idx >= 0 || scale_grad_by_freq)
    rows = thpp::mul(rows, thpp::_embedding_scale(flat, grad, grad.size(0), padding_idx, scale_grad_by_freq));
  std::vector<int64_t> size(indices.sizes().begin(), indices.sizes().end());
  size.push_back(grad.size(1));
  return thpp::view(rows, size);
}

}  // namespace torch::autograd
