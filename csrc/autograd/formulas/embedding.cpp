#include "embedding.h"

namespace torch::autograd {

static constexpr int64_t kMean = 1, kMax = 2;  // modes of bags

static void check_unscaled(bool scale_grad_by_freq) {
  if (scale_grad_by_freq)
    THError(TH_ERROR_RUNTIME, "embedding_backward: scale_grad_by_freq not supported with sparse gradients");
}

// An entry for each index that is no padding, with its row of `rows` (…, width).
static Tensor rows_named(const Tensor &rows, const Tensor &indices, int64_t num_weights, int64_t padding_idx) {
  const int64_t width = rows.size(-1);
  Tensor places = thpp::to(thpp::reshape(indices, {-1}), TH_Long, true);
  Tensor values = thpp::reshape(rows, {places.numel(), width});
  if (padding_idx >= 0) {
    const Tensor kept = thpp::nonzero(thpp::ne(places, thpp::wrapped_number(padding_idx)));
    const Tensor which = thpp::view(kept, {-1});
    places = thpp::index_select(places, 0, which);
    values = thpp::index_select(values, 0, which);
  }
  return thpp::_sparse_coo_tensor_unsafe(thpp::unsqueeze(places, 0), values, {num_weights, width}, false);
}

Tensor embedding_backward(const Tensor &grad, const Tensor &indices, int64_t num_weights, int64_t padding_idx,
                          bool scale_grad_by_freq, bool sparse) {
  if (!sparse) return thpp::embedding_dense_backward(grad, indices, num_weights, padding_idx, scale_grad_by_freq);
  check_unscaled(scale_grad_by_freq);
  return rows_named(grad, indices, num_weights, padding_idx);
}

Tensor embedding_bag_backward(const Tensor &grad, const Tensor &indices, const Tensor &offset2bag,
                              const Tensor &bag_size, const Tensor &maximum_indices, int64_t num_weights,
                              bool scale_grad_by_freq, int64_t mode, bool sparse, const Tensor &per_sample_weights,
                              int64_t padding_idx) {
  if (!sparse)
    return thpp::_embedding_bag_dense_backward(grad, indices, offset2bag, bag_size, maximum_indices, num_weights,
                                               scale_grad_by_freq, mode, per_sample_weights, padding_idx);
  check_unscaled(scale_grad_by_freq);
  if (mode == kMax)
    THError(TH_ERROR_RUNTIME, "embedding_bag_backward: sparse gradients are there of sums and means, not of maxima");
  Tensor of_bags = grad;
  if (mode == kMean) {
    const Tensor sizes = thpp::clamp_min(bag_size, thpp::wrapped_number(int64_t(1)));
    of_bags = thpp::div(of_bags, thpp::to(thpp::unsqueeze(sizes, 1), grad.dtype()));
  }
  Tensor rows = thpp::index_select(of_bags, 0, offset2bag);
  if (per_sample_weights.defined()) rows = thpp::mul(rows, thpp::unsqueeze(per_sample_weights, 1));
  return rows_named(rows, indices, num_weights, padding_idx);
}

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
