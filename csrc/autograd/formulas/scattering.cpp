#include "scattering.h"

#include <algorithm>
#include <string_view>
#include <tuple>

#include "memory_layout.h"

namespace torch::autograd {

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
    const Tensor nonzero = thpp::masked_fill(self, thpp::eq(self, number(0)), number(1));
    of_self = grad * conjugate(thpp::scatter_reduce(nonzero, dim, index, src, product, include_self) / nonzero);
  }
  if (wanted[1]) {
    const Tensor is_zero = thpp::eq(src, number(0));
    const Tensor zeros = thpp::to(is_zero, TH_Long);
    const Tensor counts = thpp::scatter_add_(thpp::zeros_like(self, TH_Long), dim, index, zeros);
    if (thpp::grad_mode() && thpp::any(thpp::gt(counts, number(1))).item().to_int())
      THError(TH_ERROR_RUNTIME,
              "scatter_reduce(): the gradient of the gradient of a product is not known where more than one of its "
              "factors is zero");
    const Tensor alone = thpp::logical_and(is_zero, thpp::eq(thpp::gather(counts, dim, index), number(1)));
    const Tensor others = thpp::scatter_reduce(self, dim, index, thpp::masked_fill(src, alone, number(1)), product,
                                               include_self);
    const Tensor of_alone = thpp::gather(grad * conjugate(others), dim, index);
    const Tensor of_rest = thpp::gather(grad * conjugate(result), dim, index) /
                           conjugate(thpp::masked_fill(src, is_zero, number(1)));
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
    thpp::masked_fill_(counts, thpp::eq(counts, number(0)), number(1));
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

namespace {

// `part`: a view of `grad`; embed(zeros) is `grad` with zeros there.
template <class Embed>
std::vector<Tensor> replaced(const Tensor &part, const std::vector<bool> &wanted, const Embed &embed) {
  return {wanted[0] ? embed(thpp::new_zeros(part, part.sizes())) : Tensor(), wanted[1] ? part : Tensor()};
}

}  // namespace

std::vector<Tensor> select_scatter_backward(const Tensor &grad, int64_t dim, int64_t index,
                                            const std::vector<bool> &wanted) {
  return replaced(thpp::select(grad, dim, index), wanted,
                  [&](const Tensor &zeros) { return thpp::select_scatter(grad, zeros, dim, index); });
}

std::vector<Tensor> slice_scatter_backward(const Tensor &grad, int64_t dim, std::optional<int64_t> start,
                                           std::optional<int64_t> end, int64_t step, const std::vector<bool> &wanted) {
  const int64_t size = grad.size(TH_wrapDim(dim, grad.dim()));
  return replaced(thpp::slice(grad, dim, start.value_or(0), end.value_or(size), step), wanted,
                  [&](const Tensor &zeros) { return thpp::slice_scatter(grad, zeros, dim, start, end, step); });
}

std::vector<Tensor> diagonal_scatter_backward(const Tensor &grad, int64_t offset, int64_t dim1, int64_t dim2,
                                              const std::vector<bool> &wanted) {
  return replaced(thpp::diagonal(grad, offset, dim1, dim2), wanted,
                  [&](const Tensor &zeros) { return thpp::diagonal_scatter(grad, zeros, offset, dim1, dim2); });
}

std::vector<Tensor> as_strided_scatter_backward(const Tensor &grad, IntList sizes, IntList strides,
                                                int64_t storage_offset, IntList size, IntList stride,
                                                std::optional<int64_t> offset, const std::vector<bool> &wanted) {
  // The result lies in memory as self does, or row by row where that overlaps itself.
  Layout whole(sizes, strides, storage_offset);
  if (whole.may_overlap()) {
    int64_t step = 1;
    for (size_t d = whole.size.size(); d-- > 0; step *= whole.size[d]) whole.stride[d] = step;
    whole.offset = 0;
  }
  const Layout part(size, stride, offset.value_or(whole.offset));
  if (whole.empty() || part.empty()) return {grad, thpp::new_zeros(grad, size)};
  const int64_t base = std::min(whole.offset, part.offset);
  const int64_t length = std::max(whole.last(), part.last()) + 1 - base;
  const Tensor memory = scattered(grad, whole, base, length);
  const Tensor of_src = part.of(memory, base);
  return replaced(of_src, wanted, [&](const Tensor &zeros) {
    return whole.of(thpp::as_strided_scatter(memory, zeros, part.size, part.stride, part.offset - base), base);
  });
}

}  // namespace torch::autograd
