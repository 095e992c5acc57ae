#include "indexing.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "operators.h"

namespace torch::autograd {

namespace {

Tensor zero() { return thpp::wrapped_number(0); }
Tensor one() { return thpp::wrapped_number(1); }

}  // namespace

// ---- elements picked -------------------------------------------------------------------------------
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

Tensor cumulative_pick_backward(const Tensor &grad, int64_t dim, const Tensor &indices) {
  return grad.numel() ? gather_backward(grad, grad.sizes(), dim, indices) : grad;
}

// ---- elements written --------------------------------------------------------------------------
Tensor masked_zero(const Tensor &grad, const Tensor &mask) { return thpp::masked_fill(grad, mask, zero()); }
Tensor masked_sum(const Tensor &grad, const Tensor &mask) {
  return thpp::sum(thpp::masked_fill(grad, thpp::logical_not(mask), zero()));
}
Tensor index_zero(const Tensor &grad, int64_t dim, const Tensor &index) {
  return thpp::index_fill(grad, dim, index, zero());
}
Tensor index_sum(const Tensor &grad, int64_t dim, const Tensor &index) {
  // A slice that is named twice has been written once.
  return masked_sum(grad, thpp::index_fill_(thpp::zeros_like(grad, TH_Bool), dim, index, one()));
}
Tensor index_slices(const Tensor &grad, IntList sizes, int64_t dim, const Tensor &index) {
  return thpp::reshape(thpp::index_select(grad, dim, index), sizes);
}
Tensor scatter_zero(const Tensor &grad, int64_t dim, const Tensor &index) {
  return thpp::scatter(grad, dim, index, thpp::Scalar(0));
}

Tensor gather_elements(const Tensor &grad, IntList sizes, int64_t dim, const Tensor &index) {
  if (!index.numel()) return thpp::new_zeros(grad, sizes);
  const Tensor found = thpp::gather(grad, dim, index);
  if (std::ranges::equal(sizes, index.sizes()) || sizes.empty() || index.dim() == 0) return thpp::reshape(found, sizes);
  std::vector<int64_t> pad;  // elements behind those of the index have not been used
  for (int d = int(sizes.size()) - 1; d >= 0; --d) pad.insert(pad.end(), {0, sizes[d] - index.size(d)});
  return thpp::constant_pad_nd(found, pad);
}

// A mask may be one of bytes, through which no single number is written.
Tensor index_put_zero(const Tensor &grad, TensorList indices) {
  std::vector<Tensor> chosen(indices.begin(), indices.end());
  for (Tensor &index : chosen)
    if (index.defined() && index.dtype() == TH_Byte) index = thpp::to(index, TH_Bool);
  return thpp::index_put(grad, chosen, thpp::new_zeros(grad, {}));
}
Tensor put_zero(const Tensor &grad, const Tensor &index) {
  return thpp::put(grad, index, thpp::new_zeros(grad, index.sizes()));
}

Tensor masked_scatter_source(const Tensor &grad, IntList sizes, const Tensor &mask) {
  Tensor used = thpp::masked_select(grad, mask);
  int64_t rest = -used.numel(), all = 1;
  for (const int64_t size : sizes) all *= size;
  rest += all;
  if (rest > 0) used = thpp::constant_pad_nd(used, {0, rest});
  return thpp::reshape(used, sizes);
}

// ---- elements reduced ----------------------------------------------------------------------------
namespace {

// A part of `src` as large as the index: elements behind it are not used.
Tensor used_part(const Tensor &src, const Tensor &index) {
  Tensor part = src;
  for (int d = 0; d < index.dim() && d < src.dim(); ++d)
    if (src.size(d) != index.size(d)) part = thpp::narrow(part, d, 0, index.size(d));
  return part;
}

// Of a product. A zero factor has the product of the others, whatever stands there.
std::pair<Tensor, Tensor> of_product(const Tensor &grad, const Tensor &self, int64_t dim, const Tensor &index,
                                     const Tensor &src, bool include_self, const Tensor &result,
                                     const std::vector<bool> &wanted) {
  const char *const product = "prod";
  Tensor of_self, of_src;
  if (wanted[0]) {
    const Tensor nonzero = thpp::masked_fill(self, thpp::eq(self, zero()), one());
    of_self = grad * conjugate(thpp::scatter_reduce(nonzero, dim, index, src, product, include_self) / nonzero);
  }
  if (wanted[1]) {
    const Tensor is_zero = thpp::eq(src, zero());
    const Tensor zeros = thpp::to(is_zero, TH_Long);
    const Tensor counts = thpp::scatter_add_(thpp::zeros_like(self, TH_Long), dim, index, zeros);
    const Tensor alone = thpp::logical_and(is_zero, thpp::eq(thpp::gather(counts, dim, index), one()));
    const Tensor others = thpp::scatter_reduce(self, dim, index, thpp::masked_fill(src, alone, one()), product,
                                               include_self);
    const Tensor of_alone = thpp::gather(grad * conjugate(others), dim, index);
    const Tensor of_rest = thpp::gather(grad * conjugate(result), dim, index) /
                           conjugate(thpp::masked_fill(src, is_zero, one()));
    of_src = thpp::where(alone, of_alone, of_rest);
  }
  return {of_self, of_src};
}

}  // namespace

std::vector<Tensor> scatter_reduce_backward(const Tensor &grad, const Tensor &self, int64_t dim, const Tensor &index,
                                            const Tensor &src, const char *reduce, bool include_self,
                                            const Tensor &result, const std::vector<bool> &wanted) {
  if (!index.numel()) return {grad, thpp::new_zeros(grad, src.sizes())};
  const std::string_view how = reduce;
  const Tensor part = used_part(src, index);
  Tensor of_self, of_src;
  if (how == "sum") {
    of_self = grad;
    if (wanted[1]) of_src = thpp::gather(grad, dim, index);
  } else if (how == "mean") {
    const Tensor counts = thpp::scatter_add_(include_self ? thpp::ones_like(grad) : thpp::zeros_like(grad), dim, index,
                                             thpp::ones_like(part, grad.dtype()));
    thpp::masked_fill_(counts, thpp::eq(counts, zero()), one());
    of_self = grad / counts;
    if (wanted[1]) of_src = thpp::gather(of_self, dim, index);
  } else if (how == "prod") {
    std::tie(of_self, of_src) = of_product(grad, self, dim, index, part, include_self, result, wanted);
  } else {  // An extremum that stands at several places is shared by all of them, self among them in any case.
    const Tensor is_self = thpp::eq(self, result), is_src = thpp::eq(part, thpp::gather(result, dim, index));
    const Tensor counts = thpp::scatter_add(thpp::to(is_self, grad.dtype()), dim, index,
                                            thpp::to(is_src, grad.dtype()));
    const Tensor share = grad / counts;
    of_self = is_self * share;
    if (wanted[1]) of_src = is_src * thpp::gather(share, dim, index);
  }
  if (wanted[0] && !include_self) of_self = scatter_zero(of_self, dim, index);
  if (wanted[1] && !std::ranges::equal(src.sizes(), part.sizes())) {
    std::vector<int64_t> pad;
    for (int d = src.dim() - 1; d >= 0; --d) pad.insert(pad.end(), {0, src.size(d) - part.size(d)});
    of_src = thpp::constant_pad_nd(of_src, pad);
  }
  return {wanted[0] ? of_self : Tensor(), of_src};
}

std::vector<Tensor> index_reduce_backward(const Tensor &grad, const Tensor &self, int64_t dim, const Tensor &index,
                                          const Tensor &source, const char *reduce, bool include_self,
                                          const Tensor &result, const std::vector<bool> &wanted) {
  // A slice's index is that of all its elements.
  const int d = TH_wrapDim(dim, self.dim());
  std::vector<int64_t> along(size_t(source.dim()), 1);
  if (source.dim()) along[d] = index.numel();
  const Tensor everywhere = thpp::expand(thpp::reshape(thpp::to(index, TH_Long), along), source.sizes());
  return scatter_reduce_backward(grad, self, d, everywhere, source, reduce, include_self, result, wanted);
}

}  // namespace torch::autograd
