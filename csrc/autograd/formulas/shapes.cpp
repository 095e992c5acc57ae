#include "shapes.h"

#include <algorithm>
#include <numeric>

#include "operators.h"

namespace torch::autograd {

namespace {

std::vector<int64_t> list(IntList values) { return {values.begin(), values.end()}; }

int64_t product(IntList sizes) {
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(1), std::multiplies<int64_t>());
}

// Zeros of this shape with `grad` in the view that view(zeros) gives. Where it is recorded, embed(zeros, grad) does it,
// which is one node; else the copy of the zeros is saved.
template <class View, class Embed>
Tensor embedded(const Tensor &grad, IntList sizes, const View &view, const Embed &embed) {
  const Tensor zeros = thpp::new_zeros(grad, sizes);
  if (thpp::grad_mode()) return embed(zeros, grad);
  thpp::copy_(view(zeros), grad);
  return zeros;
}

// A defined one.
const Tensor &some(const std::vector<Tensor> &grads) {
  return *std::ranges::find_if(grads, [](const Tensor &grad) { return grad.defined(); });
}

}  // namespace

// ---- views -------------------------------------------------------------------------------------------
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

namespace {

// A tensor's place in memory, from its first element on.
struct Layout {
  std::vector<int64_t> size, stride;
  int64_t offset;

  Layout(IntList size, IntList stride, int64_t offset) : size(list(size)), stride(list(stride)), offset(offset) {}
  bool empty() const { return product(size) == 0; }
  int64_t last() const {  // element of a tensor that is not empty
    int64_t at = offset;
    for (size_t d = 0; d < size.size(); ++d) at += (size[d] - 1) * stride[d];
    return at;
  }
  // Whether two of its elements may lie at one place. Certain if it says no.
  bool may_overlap() const {
    std::vector<size_t> order;
    for (size_t d = 0; d < size.size(); ++d)
      if (size[d] != 1) order.push_back(d);
    std::ranges::sort(order, {}, [&](size_t d) { return stride[d]; });
    int64_t extent = 0;  // of the dimensions before
    for (const size_t d : order) {
      if (stride[d] <= extent) return true;
      extent += (size[d] - 1) * stride[d];
    }
    return false;
  }
  Tensor of(const Tensor &memory, int64_t base) const { return thpp::as_strided(memory, size, stride, offset - base); }
};

// A tensor for memory with the elements of `values` where they lie, added where several lie at one place.
Tensor scattered(const Tensor &values, const Layout &layout, int64_t base, int64_t length) {
  const Tensor memory = thpp::new_zeros(values, {length});
  if (layout.empty()) return memory;
  if (!thpp::grad_mode() && !layout.may_overlap()) {
    thpp::copy_(layout.of(memory, base), values);
    return memory;
  }
  const Tensor places = layout.of(thpp::arange(length, TH_Long, values.device()), base);
  return thpp::index_add_(memory, 0, thpp::reshape(places, {-1}), thpp::reshape(values, {-1}));
}

}  // namespace

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

// ---- lists of views --------------------------------------------------------------------------------
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

Tensor split_with_sizes_backward(const std::vector<Tensor> &grads, IntList sizes, IntList split_sizes, int64_t dim) {
  const int d = TH_wrapDim(dim, int(sizes.size()));
  std::vector<Tensor> parts = grads;
  std::vector<int64_t> size = list(sizes);
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].defined()) continue;
    size[d] = split_sizes[i];
    parts[i] = thpp::new_zeros(some(grads), size);
  }
  return thpp::cat(parts, d);
}

Tensor split_backward(const std::vector<Tensor> &grads, IntList sizes, int64_t split_size, int64_t dim) {
  std::vector<int64_t> each(grads.size(), split_size);
  if (!each.empty()) each.back() += sizes[TH_wrapDim(dim, int(sizes.size()))] - split_size * int64_t(each.size());
  return split_with_sizes_backward(grads, sizes, each, dim);
}

// ---- joining -------------------------------------------------------------------------------------
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

std::vector<Tensor> block_diag_backward(const Tensor &grad, const std::vector<TensorInfo> &tensors) {
  std::vector<Tensor> parts;
  parts.reserve(tensors.size());
  int64_t row = 0, column = 0;
  for (const TensorInfo &tensor : tensors) {
    const int64_t height = tensor.dim() == 2 ? tensor.size(0) : 1, width = tensor.dim() ? tensor.size(-1) : 1;
    const Tensor block = thpp::narrow(thpp::narrow(grad, 0, row, height), 1, column, width);
    parts.push_back(thpp::reshape(block, tensor.sizes()));
    row += height;
    column += width;
  }
  return parts;
}

// ---- copies ----------------------------------------------------------------------------------------
Tensor repeat_backward(const Tensor &grad, IntList sizes, IntList repeats) {
  if (!grad.numel()) return thpp::new_zeros(grad, sizes);
  // Each dimension of grad is a pair, (repeat, size); the repeats are added up.
  const size_t front = repeats.size() - sizes.size();
  std::vector<int64_t> pairs, added;
  for (size_t d = 0; d < repeats.size(); ++d) {
    if (repeats[d] != 1) {
      added.push_back(int64_t(pairs.size()));
      pairs.push_back(repeats[d]);
    }
    if (d >= front) pairs.push_back(sizes[d - front]);
  }
  if (added.empty()) return thpp::reshape(grad, sizes);
  return thpp::sum(thpp::reshape(grad, pairs), added);
}

Tensor roll_backward(const Tensor &grad, IntList shifts, IntList dims) {
  std::vector<int64_t> back;
  for (const int64_t shift : shifts) back.push_back(-shift);
  return thpp::roll(grad, back, dims);
}

Tensor constant_pad_backward(const Tensor &grad, IntList pad) {
  std::vector<int64_t> cut;
  for (const int64_t n : pad) cut.push_back(-n);
  return thpp::constant_pad_nd(grad, cut);
}

Tensor diag_backward(const Tensor &grad, IntList sizes, int64_t diagonal) {
  return sizes.size() == 1 ? thpp::diagonal(grad, diagonal) : diagonal_backward(grad, sizes, diagonal, 0, 1);
}

Tensor trace_backward(const Tensor &grad, IntList sizes) {
  return diagonal_backward(thpp::expand(grad, {std::min(sizes[0], sizes[1])}), sizes, 0, 0, 1);
}

// ---- parts of a copy replaced --------------------------------------------------------------------
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
