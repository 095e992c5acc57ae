// Rows of tables, and sums of them, by THNN's LookupTable.
#include "results.h"

#include <THPP/NN.h>

#include "bodies.h"

namespace thpp {

namespace {

void require_index_type(const Tensor &indices, int place, const char *name) {
  if (indices.dtype() == TH_Long || indices.dtype() == TH_Int) return;
  THError(TH_ERROR_RUNTIME,
          "Expected tensor for argument #%d 'indices' to have one of the following scalar types: Long, Int; but got "
          "torch.%sTensor instead (while checking arguments for %s)",
          place, TH_typeName(indices.dtype()), name);
}

void refuse_sparse(bool sparse, const char *name) {
  if (sparse)
    THError(TH_ERROR_NOT_IMPLEMENTED, "%s(sparse=True): sparse gradients are not built yet; use sparse=False", name);
}

Tensor as_long(const Tensor &indices) { return thpp::to(indices, TH_Long); }

std::vector<int64_t> with_row(const Tensor &indices, int64_t width) {
  std::vector<int64_t> size(indices.sizes().begin(), indices.sizes().end());
  size.push_back(width);
  return size;
}

}  // namespace

Tensor body::embedding(const Tensor &weight, const Tensor &indices, int64_t, bool, bool sparse) {
  if (weight.dim() != 2) THError(TH_ERROR_RUNTIME, "'weight' must be 2-D");
  require_index_type(indices, 1, "embedding");
  refuse_sparse(sparse, "embedding");
  if (indices.dim() == 1) return thpp::index_select(weight, 0, indices);
  return thpp::view(thpp::index_select(weight, 0, thpp::reshape(indices, {-1})), with_row(indices, weight.size(1)));
}

Tensor body::embedding_dense_backward(const Tensor &grad_output, const Tensor &indices, int64_t num_weights,
                                      int64_t padding_idx, bool scale_grad_by_freq) {
  const int64_t width = grad_output.size(-1);
  const Tensor result = thpp::zeros({num_weights, width}, grad_output.dtype(), grad_output.device());
  if (!has_nn_kernels(result)) {
    const Tensor flat = thpp::reshape(indices, {-1}), rows = thpp::reshape(grad_output, {-1, width});
    const bool scaled = padding_idx >= 0 || scale_grad_by_freq;
    return thpp::index_add(
        result, 0, flat,
        scaled ? thpp::mul(rows, thpp::_embedding_scale(flat, rows, num_weights, padding_idx, scale_grad_by_freq))
               : rows);
  }
  nn::LookupTable_accGradParameters(as_long(indices), grad_output, result, scale_grad_by_freq, padding_idx, 1);
  return result;
}

const Tensor &body::embedding_renorm_(const Tensor &self, const Tensor &indices, double max_norm, double norm_type) {
  if (self.dim() != 2)
    THError(TH_ERROR_RUNTIME,
            "Expected 2-dimensional tensor, but got %d-dimensional tensor for argument #1 'self' (while checking "
            "arguments for embedding_renorm_)",
            self.dim());
  require_index_type(indices, 2, "embedding_renorm_");
  nn::LookupTable_renorm(as_long(indices), self, max_norm, norm_type);
  return self;
}

Tensor body::_embedding_scale(const Tensor &indices, const Tensor &rows, int64_t num_weights, int64_t padding_idx,
                              bool scale_grad_by_freq) {
  const THDtype dtype = rows.dtype();
  Tensor scale = thpp::ones({indices.numel()}, dtype, indices.device());
  if (scale_grad_by_freq) {
    const Tensor counts = thpp::index_add(thpp::zeros({num_weights}, dtype, indices.device()), 0, indices, scale);
    scale = thpp::div(scale, thpp::index_select(counts, 0, indices));
  }
  if (padding_idx >= 0) scale = thpp::mul(scale, thpp::to(thpp::ne(indices, wrapped_number(padding_idx)), dtype));
  return thpp::unsqueeze(scale, 1);
}

// ---- bags ----------------------------------------------------------------------------------------------------

namespace {

// Those of torch, in its order.
void check_bag(const Tensor &weight, const Tensor &indices, const Tensor &offsets, int64_t mode,
               const Tensor &per_sample_weights, bool include_last_offset) {
  require_index_type(indices, 1, "embedding_bag");
  if (offsets.dtype() != TH_Long && offsets.dtype() != TH_Int)
    THError(TH_ERROR_RUNTIME,
            "Expected tensor for argument #1 'offsets' to have one of the following scalar types: Long, Int; but got "
            "torch.%sTensor instead (while checking arguments for embedding_bag)",
            TH_typeName(offsets.dtype()));
  if (mode < THNN_BAG_SUM || mode > THNN_BAG_MAX) THError(TH_ERROR_RUNTIME, "`mode` must be sum, mean, or max.");
  if (weight.dim() != 2) THError(TH_ERROR_RUNTIME, "'weight' must be 2-D");
  if (offsets.dim() != 1)
    THError(TH_ERROR_RUNTIME, "offsets has to be a 1D Tensor, but got Tensor of dimension %d", offsets.dim());
  if (include_last_offset && !offsets.numel())
    THError(TH_ERROR_RUNTIME, "include_last_offset: number of offset should be at least 1");
  if (!per_sample_weights.defined()) return;
  if (mode != THNN_BAG_SUM)
    THError(TH_ERROR_RUNTIME, "embedding_bag: per_sample_weights only supported with mode='sum'");
  if (per_sample_weights.dtype() != weight.dtype())
    THError(TH_ERROR_RUNTIME,
            "Expected tensor for argument #1 'weight' to have the same type as tensor for argument #1 "
            "'per_sample_weights'; but type torch.%sTensor does not equal torch.%sTensor (while checking arguments for "
            "embedding_bag)",
            TH_typeName(weight.dtype()), TH_typeName(per_sample_weights.dtype()));
  if (per_sample_weights.numel() != indices.numel())
    THError(TH_ERROR_RUNTIME, "per_sample_weights must have one element per index (%lld), but got %lld",
            (long long)indices.numel(), (long long)per_sample_weights.numel());
}

Tensor flat(const Tensor &t) { return t.dim() == 1 ? t : thpp::reshape(t, {-1}); }

// The last offset is an end: it ends the indices, and begins no bag.
std::tuple<Tensor, Tensor, Tensor, Tensor> run_bag(const Tensor &weight, const Tensor &indices, const Tensor &offsets,
                                                   bool scale_grad_by_freq, int64_t mode, bool sparse,
                                                   const Tensor &per_sample_weights, bool include_last_offset,
                                                   int64_t padding_idx) {
  check_bag(weight, indices, offsets, mode, per_sample_weights, include_last_offset);
  refuse_sparse(sparse, "embedding_bag");
  Tensor used = flat(indices), factors = per_sample_weights.defined() ? flat(per_sample_weights) : per_sample_weights;
  Tensor begins = as_long(offsets);
  if (include_last_offset) {
    const int64_t bags = offsets.numel() - 1;
    if (has_values(begins)) {
      const int64_t end = thpp::select(begins, 0, bags).item().to_int(), n = used.numel();
      if (end > n || end < 0)
        THError(TH_ERROR_RUNTIME, "offsets[-1] can not be greater than input's length %lld but got offsets[-1] of %lld",
                (long long)n, (long long)end);
      used = thpp::narrow(used, 0, 0, end);
      if (factors.defined()) factors = thpp::narrow(factors, 0, 0, end);
    }
    begins = thpp::narrow(begins, 0, 0, bags);
  }
  return thpp::_embedding_bag(weight, as_long(used), begins, scale_grad_by_freq, mode, factors, padding_idx);
}

}  // namespace

void body::embedding_bag_out(Tensor &result0, Tensor &result1, Tensor &result2, Tensor &result3, const Tensor &weight,
                             const Tensor &indices, const Tensor &offsets, bool scale_grad_by_freq, int64_t mode,
                             bool sparse, const Tensor &per_sample_weights, bool include_last_offset) {
  std::tie(result0, result1, result2, result3) = run_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse,
                                                         per_sample_weights, include_last_offset, -1);
}
void body::embedding_bag_padded_out(Tensor &result0, Tensor &result1, Tensor &result2, Tensor &result3,
                                    const Tensor &weight, const Tensor &indices, const Tensor &offsets,
                                    bool scale_grad_by_freq, int64_t mode, bool sparse,
                                    const Tensor &per_sample_weights, bool include_last_offset,
                                    std::optional<int64_t> padding_idx) {
  int64_t padding = -1;
  if (padding_idx) {
    const int64_t rows = weight.dim() ? weight.size(0) : 0;
    if (*padding_idx < -rows || *padding_idx >= rows)
      THError(TH_ERROR_RUNTIME, "padding_idx must be within the number of embeddings, %lld through %lld, but got %lld",
              (long long)-rows, (long long)rows - 1, (long long)*padding_idx);
    padding = *padding_idx < 0 ? *padding_idx + rows : *padding_idx;
  }
  std::tie(result0, result1, result2, result3) = run_bag(weight, indices, offsets, scale_grad_by_freq, mode, sparse,
                                                         per_sample_weights, include_last_offset, padding);
}

void body::_embedding_bag_out(Tensor &result0, Tensor &result1, Tensor &result2, Tensor &result3, const Tensor &weight,
                              const Tensor &indices, const Tensor &offsets, bool, int64_t mode,
                              const Tensor &per_sample_weights, int64_t padding_idx) {
  result0 = without_elements(weight);
  for (Tensor *made : {&result1, &result2, &result3}) *made = without_elements(weight, TH_Long);
  nn::LookupTableBag_updateOutput(indices, offsets, weight, result0, result1, result2, result3, mode,
                                  per_sample_weights, padding_idx);
}

Tensor body::_embedding_bag_dense_backward(const Tensor &grad_output, const Tensor &indices, const Tensor &offset2bag,
                                           const Tensor &bag_size, const Tensor &maximum_indices, int64_t num_weights,
                                           bool scale_grad_by_freq, int64_t mode, const Tensor &per_sample_weights,
                                           int64_t padding_idx) {
  const Tensor result = thpp::zeros({num_weights, grad_output.size(1)}, grad_output.dtype(), grad_output.device());
  nn::LookupTableBag_accGradParameters(indices, grad_output, result, offset2bag, bag_size, maximum_indices, mode,
                                       per_sample_weights, scale_grad_by_freq, padding_idx, 1);
  return result;
}

Tensor body::_embedding_bag_per_sample_weights_backward(const Tensor &grad_output, const Tensor &weight,
                                                        const Tensor &indices, const Tensor &offset2bag,
                                                        int64_t padding_idx) {
  const Tensor result = without_elements(weight);
  nn::LookupTableBag_updateGradSampleWeights(grad_output, weight, indices, offset2bag, result, padding_idx);
  return result;
}

}  // namespace thpp
