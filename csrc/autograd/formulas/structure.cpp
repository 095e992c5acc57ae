#include "structure.h"

#include "memory_layout.h"

namespace torch::autograd {

Tensor permute_backward(const Tensor &grad, IntList dims) {
  std::vector<int64_t> inverse(dims.size());
  for (size_t d = 0; d < dims.size(); ++d) inverse[TH_wrapDim(dims[d], int(dims.size()))] = int64_t(d);
  return thpp::permute(grad, inverse);
}

Tensor select_backward(const Tensor &grad, IntList sizes, int64_t dim, int64_t index) {
  return embedded(
      grad, sizes, [&](const Tensor &zeros) { return thpp::select(zeros, dim, index); },
      [&](const Tensor &zeros, const Tensor &part) { return thpp::select_scatter(zeros, part, dim, index); });
}

Tensor slice_backward(const Tensor &grad, IntList sizes, int64_t dim, int64_t first, int64_t last, int64_t step) {
  return embedded(
      grad, sizes, [&](const Tensor &zeros) { return thpp::slice(zeros, dim, first, last, step); },
      [&](const Tensor &zeros, const Tensor &part) {
        return thpp::slice_scatter(zeros, part, dim, first, last, step);
      });
}

Tensor narrow_backward(const Tensor &grad, IntList sizes, int64_t dim, int64_t start, int64_t length) {
  if (start < 0) start += sizes[TH_wrapDim(dim, int(sizes.size()))];
  return slice_backward(grad, sizes, dim, start, start + length, 1);
}

Tensor diagonal_backward(const Tensor &grad, IntList sizes, int64_t offset, int64_t dim1, int64_t dim2) {
  return embedded(
      grad, sizes, [&](const Tensor &zeros) { return thpp::diagonal(zeros, offset, dim1, dim2); },
      [&](const Tensor &zeros, const Tensor &part) { return thpp::diagonal_scatter(zeros, part, offset, dim1, dim2); });
}

Tensor unfold_backward(const Tensor &grad, IntList sizes, int64_t dim, int64_t size, int64_t step) {
  if (sizes.empty()) return size ? thpp::reshape(grad, {}) : thpp::new_zeros(grad, {});
  const Tensor zeros = thpp::new_zeros(grad, sizes);
  const int d = TH_wrapDim(dim, int(sizes.size()));
  const int64_t windows = grad.size(d);
  if (!grad.numel()) return zeros;
  if (!thpp::grad_mode() && step >= size) {
    thpp::copy_(thpp::unfold(zeros, d, size, step), grad);
    return zeros;
  }
  // Element k of window i is element i * step + k.
  const Tensor first = thpp::arange(0, windows * step, step, TH_Long, grad.device());
  const Tensor within = thpp::arange(0, size, 1, TH_Long, grad.device());
  const Tensor index = thpp::reshape(thpp::unsqueeze(first, 1) + within, {windows * size});
  const Tensor rows = thpp::flatten(thpp::movedim(grad, {-1}, {int64_t(d) + 1}), d, d + 1);
  return thpp::index_add_(zeros, d, index, rows);
}

Tensor as_strided_backward(const Tensor &grad, IntList sizes, IntList strides, int64_t storage_offset, IntList size,
                           IntList stride, std::optional<int64_t> offset) {
  const Layout in(sizes, strides, storage_offset), out(size, stride, offset.value_or(storage_offset));
  if (in.empty() || out.empty()) return thpp::new_zeros(grad, in.size);
  const int64_t base = std::min(in.offset, out.offset), length = std::max(in.last(), out.last()) + 1 - base;
  // Repeated dimensions are added up first: they would be many additions to few places.
  Layout once = out;
  std::vector<int64_t> repeated;
  for (size_t d = 0; d < once.size.size(); ++d)
    if (once.stride[d] == 0 && once.size[d] != 1) {
      repeated.push_back(int64_t(d));
      once.size[d] = 1;
    }
  Tensor memory = scattered(repeated.empty() ? grad : thpp::sum(grad, repeated, true), once, base, length);
  if (in.may_overlap()) {
    const Tensor ones = thpp::ones(in.size, TH_realDtype(grad.dtype()), grad.device());
    const Tensor counts = scattered(ones, in, base, length);
    memory = memory / thpp::masked_fill(counts, thpp::eq(counts, thpp::wrapped_number(0)), thpp::wrapped_number(1));
  }
  return in.of(memory, base);
}

Tensor moved(const Tensor &grad, THDevice device) {
  const THDevice from = grad.device();
  if (from.kind == device.kind && from.index == device.index) return grad;
  return thpp::to(grad, grad.dtype(), false, device);
}

namespace {

// A defined one.
const Tensor &some(const std::vector<Tensor> &grads) {
  return *std::ranges::find_if(grads, [](const Tensor &grad) { return grad.defined(); });
}

// Dense, with the dimensions in memory ordered as they are in a tensor of these strides.
static std::vector<int64_t> dense_strides(IntList sizes, IntList strides) {
  std::vector<size_t> inward(sizes.size());
  std::iota(inward.begin(), inward.end(), 0);
  std::ranges::stable_sort(inward, [&](size_t a, size_t b) { return strides[a] > strides[b]; });
  std::vector<int64_t> dense(sizes.size());
  int64_t step = 1;
  for (size_t k = inward.size(); k-- > 0; step *= std::max<int64_t>(1, sizes[inward[k]])) dense[inward[k]] = step;
  return dense;
}

}  // namespace

Tensor unbind_backward(const std::vector<Tensor> &grads, IntList sizes, IntList strides, int64_t dim) {
  const int d = TH_wrapDim(dim, int(sizes.size()));
  if (!thpp::grad_mode()) {
    // In the order of the tensor itself: where that was a turned view of another, such as the heads of queries, keys and
    // values in one product, turning back takes no copy.
    const Tensor made = thpp::new_empty_strided(some(grads), sizes, dense_strides(sizes, strides));
    for (size_t i = 0; i < grads.size(); ++i) {
      Tensor slice = thpp::select(made, d, int64_t(i));
      if (grads[i].defined())
        thpp::copy_(slice, grads[i]);
      else
        thpp::zero_(slice);
    }
    return made;
  }
  std::vector<int64_t> rest = list(sizes);
  rest.erase(rest.begin() + d);
  Tensor zeros;
  std::vector<Tensor> parts = grads;
  for (Tensor &part : parts) {
    if (part.defined()) continue;
    if (!zeros.defined()) zeros = thpp::new_zeros(some(grads), rest);
    part = zeros;
  }
  return thpp::stack(parts, d);
}

namespace {

// Where one of them is sparse, all become sparse, of as many dimensions, so that they can be joined.
void make_alike(std::vector<Tensor> &parts) {
  const auto sparse = std::ranges::find_if(parts, [](const Tensor &t) { return t.layout() != TH_STRIDED; });
  if (sparse == parts.end()) return;
  const int64_t dims = thpp::sparse_dim(thpp::_to_sparse(*sparse));
  for (Tensor &part : parts) part = thpp::_to_sparse(part, dims);
}

}  // namespace

Tensor split_with_sizes_backward(const std::vector<Tensor> &grads, IntList sizes, IntList split_sizes, int64_t dim) {
  const int d = TH_wrapDim(dim, int(sizes.size()));
  std::vector<Tensor> parts = grads;
  std::vector<int64_t> size = list(sizes);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].defined()) continue;
    size[d] = split_sizes[i];
    const Tensor &like = some(grads);
    parts[i] = thpp::new_zeros(like.layout() == TH_STRIDED ? like : thpp::_to_sparse(like), size);
  }
  make_alike(parts);
  return thpp::cat(parts, d);
}

Tensor split_backward(const std::vector<Tensor> &grads, IntList sizes, int64_t split_size, int64_t dim) {
  std::vector<int64_t> each(grads.size(), split_size);
  if (!each.empty()) each.back() += sizes[TH_wrapDim(dim, int(sizes.size()))] - split_size * int64_t(each.size());
  return split_with_sizes_backward(grads, sizes, each, dim);
}

std::vector<Tensor> cat_backward(const Tensor &grad, const std::vector<TensorInfo> &tensors, int64_t dim) {
  const int d = grad.dim() == 1 ? 0 : TH_wrapDim(dim, grad.dim());
  std::vector<Tensor> parts;
  parts.reserve(tensors.size());
  int64_t first = 0;
  for (const TensorInfo &tensor : tensors) {
    if (tensor.dim() == 1 && tensor.numel() == 0 && grad.dim() != 1) {  // which cat passes over
      parts.push_back(thpp::new_zeros(grad, {0}));
      continue;
    }
    parts.push_back(thpp::narrow(grad, d, first, tensor.size(d)));
    first += tensor.size(d);
  }
  return parts;
}

}  // namespace torch::autograd
