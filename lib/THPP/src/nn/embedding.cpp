// Rows of tables, and sums of them: what is judged and converted before THNN's LookupTable; and what stands in for it, made
// of operators.
#include "operators.h"

#include <cmath>

#include <THNN/Check.h>
#include <THNN/LookupTable.h>

namespace thpp {

namespace {

void require_index_type(const Tensor &indices, int place, const char *name) {
  if (indices.dtype() == TH_Long || indices.dtype() == TH_Int) return;
  THError(TH_ERROR_RUNTIME,
          "Expected tensor for argument #%d 'indices' to have one of the following scalar types: Long, Int; but got "
          "torch.%sTensor instead (while checking arguments for %s)",
          place, TH_typeName(indices.dtype()), name);
}

Tensor as_long(const Tensor &indices) { return thpp::to(indices, TH_Long); }

std::vector<int64_t> with_row(const Tensor &indices, int64_t width) {
  std::vector<int64_t> size(indices.sizes().begin(), indices.sizes().end());
  size.push_back(width);
  return size;
}

}  // namespace

Tensor body::embedding(const Tensor &weight, const Tensor &indices, int64_t, bool, bool) {
  if (weight.dim() != 2) THError(TH_ERROR_RUNTIME, "'weight' must be 2-D");
  require_index_type(indices, 1, "embedding");
  if (indices.dim() == 1) return thpp::index_select(weight, 0, indices);
  return thpp::view(thpp::index_select(weight, 0, thpp::reshape(indices, {-1})), with_row(indices, weight.size(1)));
}

Tensor body::embedding_dense_backward(const Tensor &grad_output, const Tensor &indices, int64_t num_weights,
                                      int64_t padding_idx, bool scale_grad_by_freq) {
  const Tensor result = thpp::zeros({num_weights, grad_output.size(-1)}, grad_output.dtype(), grad_output.device());
  thpp::_embedding_add_grad_(result, grad_output, as_long(indices), padding_idx, scale_grad_by_freq);
  return result;
}
const Tensor &fallback::embedding_add_grad(const Tensor &self, const Tensor &grad_output, const Tensor &indices,
                                           int64_t padding_idx, bool scale_grad_by_freq) {
  const Tensor flat = thpp::reshape(indices, {-1});
  Tensor rows = thpp::reshape(grad_output, {-1, self.size(1)});
  if (padding_idx >= 0 || scale_grad_by_freq)
    rows = rows * thpp::_embedding_scale(flat, rows, self.size(0), padding_idx, scale_grad_by_freq);
  return thpp::index_add_(self, 0, flat, rows);
}

const Tensor &body::embedding_renorm_(const Tensor &self, const Tensor &indices, double max_norm, double norm_type) {
  if (self.dim() != 2)
    THError(TH_ERROR_RUNTIME,
            "Expected 2-dimensional tensor, but got %d-dimensional tensor for argument #1 'self' (while checking "
            "arguments for embedding_renorm_)",
            self.dim());
  require_index_type(indices, 2, "embedding_renorm_");
  return thpp::_embedding_renorm_(self, as_long(indices), max_norm, norm_type);
}
const Tensor &fallback::embedding_renorm(const Tensor &self, const Tensor &indices, double max_norm, double norm_type) {
  // A row that is named twice is written twice, with the same elements.
  const Tensor places = thpp::reshape(indices, {-1});
  const Tensor rows = in_float(thpp::index_select(self, 0, places));
  const Tensor norms = thpp::linalg_vector_norm(rows, Scalar(norm_type), {1}, true);
  const Tensor factors = or_else(thpp::gt(norms, wrapped_number(max_norm)), max_norm / (norms + 1e-7), 1);
  return thpp::index_copy_(self, 0, places, thpp::to(rows * factors, self.dtype()));
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
  Tensor used = flat(indices), factors = per_sample_weights.defined() ? flat(per_sample_weights) : per_sample_weights;
  Tensor begins = as_long(offsets);
  if (include_last_offset) {
    const int64_t bags = offsets.numel() - 1;
    if (has_values(begins)) {
      const int64_t end = thpp::select(begins, 0, bags).item().to_int(), n = used.numel();
      THNNCheck_lastOffset(end, n);
      used = thpp::narrow(used, 0, 0, end);
      if (factors.defined()) factors = thpp::narrow(factors, 0, 0, end);
    }
    begins = thpp::narrow(begins, 0, 0, bags);
  }
  return thpp::_embedding_bag(weight, as_long(used), begins, scale_grad_by_freq, mode, sparse, factors, padding_idx);
}

// Whether an index is no padding, (n, 1).
Tensor counting(const Tensor &indices, int64_t padding_idx) {
  return thpp::unsqueeze(thpp::ne(indices, wrapped_number(padding_idx)), 1);
}

struct Bags {
  Tensor rows, bag_of, sizes, sources;
};

// By operators. Offsets are believed: to look at them the host would have to wait.
Bags bags_composed(const Tensor &weight, const Tensor &indices, const Tensor &offsets, int64_t mode,
                   const Tensor &factors, int64_t padding_idx) {
  const int64_t bags = offsets.numel(), width = weight.size(1), n = indices.numel();
  const THDevice device = weight.device();
  Bags made;
  const Tensor places = thpp::arange(Scalar(n), std::optional(TH_Long), std::optional(device));
  made.bag_of = thpp::sub(thpp::searchsorted(offsets, places, false, true), wrapped_number(int64_t(1)));
  const Tensor counts = counting(indices, padding_idx);
  made.sizes = thpp::index_add(thpp::zeros({bags}, TH_Long, device), 0, made.bag_of,
                               thpp::to(thpp::squeeze(counts, {1}), TH_Long));
  made.sources = thpp::empty({0}, TH_Long, MemoryFormat::Contiguous, device);
  Tensor rows = in_float(thpp::index_select(weight, 0, indices));
  const Tensor none = thpp::zeros({bags, width}, rows.dtype(), device);
  if (mode != THNN_BAG_MAX) {
    if (factors.defined()) rows = rows * thpp::unsqueeze(in_float(factors), 1);
    made.rows = thpp::index_add(none, 0, made.bag_of, or_else(counts, rows, 0));
    if (mode == THNN_BAG_MEAN)
      made.rows = made.rows / thpp::unsqueeze(thpp::clamp_min(made.sizes, wrapped_number(int64_t(1))), 1);
    return made;
  }
  // The greatest, and the first index of the bag that has it.
  const Tensor at = thpp::expand(thpp::unsqueeze(made.bag_of, 1), {n, width});
  const Tensor most = thpp::scatter_reduce(thpp::full_like(none, Scalar(-INFINITY)), 0, at,
                                           or_else(counts, rows, -INFINITY), "amax");
  const Tensor theirs = thpp::gather(most, 0, at);
  const Tensor is_most = thpp::logical_or(thpp::eq(rows, theirs),
                                          thpp::logical_and(thpp::isnan(rows), thpp::isnan(theirs)));
  const Tensor candidates = or_else(thpp::logical_and(is_most, counts),
                                    thpp::expand(thpp::unsqueeze(places, 1), {n, width}), n);
  const Tensor first = thpp::scatter_reduce(thpp::full({bags, width}, Scalar(n), TH_Long, device), 0, at, candidates,
                                            "amin");
  const Tensor ended = thpp::cat({indices, thpp::full({1}, Scalar(-1), TH_Long, device)});
  made.sources = thpp::reshape(thpp::index_select(ended, 0, thpp::reshape(first, {-1})), {bags, width});
  made.rows = or_else(thpp::ge(made.sources, wrapped_number(int64_t(0))), most, 0);
  return made;
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

std::tuple<Tensor, Tensor, Tensor, Tensor> fallback::embedding_bag(const Tensor &weight, const Tensor &indices,
                                                                   const Tensor &offsets, bool, int64_t mode, bool,
                                                                   const Tensor &per_sample_weights,
                                                                   int64_t padding_idx) {
  const Bags bags = bags_composed(weight, indices, offsets, mode, per_sample_weights, padding_idx);
  return {thpp::to(bags.rows, weight.dtype()), bags.bag_of, bags.sizes, bags.sources};
}

Tensor body::_embedding_bag_dense_backward(const Tensor &grad_output, const Tensor &indices, const Tensor &offset2bag,
                                           const Tensor &bag_size, const Tensor &maximum_indices, int64_t num_weights,
                                           bool scale_grad_by_freq, int64_t mode, const Tensor &per_sample_weights,
                                           int64_t padding_idx) {
  const Tensor result = thpp::zeros({num_weights, grad_output.size(1)}, grad_output.dtype(), grad_output.device());
  thpp::_embedding_bag_add_grad_(result, grad_output, indices, offset2bag, bag_size, maximum_indices,
                                 scale_grad_by_freq, mode, per_sample_weights, padding_idx);
  return result;
}
const Tensor &fallback::embedding_bag_add_grad(const Tensor &self, const Tensor &grad_output, const Tensor &indices,
                                               const Tensor &offset2bag, const Tensor &bag_size,
                                               const Tensor &maximum_indices, bool scale_grad_by_freq, int64_t mode,
                                               const Tensor &per_sample_weights, int64_t padding_idx) {
  if (mode == THNN_BAG_MAX) {
    const Tensor has = thpp::ge(maximum_indices, wrapped_number(int64_t(0)));
    return thpp::scatter_add_(self, 0, or_else(has, maximum_indices, 0), or_else(has, grad_output, 0));
  }
  Tensor rows = thpp::index_select(grad_output, 0, offset2bag);
  rows = rows * thpp::_embedding_scale(indices, rows, self.size(0), padding_idx, scale_grad_by_freq);
  if (per_sample_weights.defined()) rows = rows * thpp::unsqueeze(per_sample_weights, 1);
  if (mode == THNN_BAG_MEAN) {
    const Tensor sizes = thpp::clamp_min(bag_size, wrapped_number(int64_t(1)));
    rows = rows / thpp::unsqueeze(thpp::index_select(sizes, 0, offset2bag), 1);
  }
  return thpp::index_add_(self, 0, indices, rows);
}

Tensor fallback::embedding_bag_per_sample_weights_backward(const Tensor &grad_output, const Tensor &weight,
                                                           const Tensor &indices, const Tensor &offset2bag,
                                                           int64_t padding_idx) {
  const Tensor products = in_float(thpp::index_select(weight, 0, indices)) *
                          in_float(thpp::index_select(grad_output, 0, offset2bag));
  return thpp::to(thpp::sum(or_else(counting(indices, padding_idx), products, 0), {1}), weight.dtype());
}

}  // namespace thpp
