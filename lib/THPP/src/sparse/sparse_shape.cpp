// Other shapes and parts: what becomes of places.
#include <algorithm>
#include <numeric>

#include "places.h"

namespace thpp {

using namespace sparse;

namespace {

// Of a compressed tensor, one of the matrices of its batch, or one of its elements' dense parts.
Tensor select_member(const Tensor &self, int at, int64_t index) {
  if (at < batch_dims(self)) return by_batch(self, [&](const Tensor &t) { return thpp::select(t, at, index); });
  std::vector<int64_t> size = list(self.sizes());
  size.erase(size.begin() + at);
  const int matrix = is_blocked(self.layout()) ? 3 : 1;
  return compressed(self.layout(), raw_indices(self), raw_plain(self),
                    thpp::select(thpp::_values(self), at - 2 + matrix, index), size);
}

std::vector<int64_t> exchanged(int ndim, int a, int b) {
  std::vector<int64_t> dims;
  for (int d = 0; d < ndim; ++d) dims.push_back(d == a ? b : d == b ? a : d);
  return dims;
}

// A batch of compressed matrices in another order, its matrices turned or not; what mixes the two is by coordinates.
Tensor permute_batch(const Tensor &self, IntList dims) {
  const int ndim = self.dim(), batch = batch_dims(self);
  std::vector<int64_t> from;
  for (int64_t d : dims) from.push_back(TH_wrapDim(d, ndim));
  if (int(from.size()) != ndim) return sparse::permute(to_coo(self), dims);
  const auto begin = from.begin() + batch;
  std::vector<int64_t> in_order(size_t(ndim), 0);
  std::iota(in_order.begin(), in_order.end(), 0);
  const bool turned = begin[0] == batch + 1 && begin[1] == batch && !dense_dims(self);
  std::vector<int64_t> matrix(begin, from.end());
  if (turned) std::swap(matrix[0], matrix[1]);
  const auto own = in_order.begin() + batch;
  if (!std::is_permutation(from.begin(), begin, in_order.begin(), own) ||
      !std::equal(matrix.begin(), matrix.end(), own, in_order.end()))
    return sparse::permute(to_coo(self), dims);
  const bool same = std::is_sorted(from.begin(), begin);
  const Tensor ordered = same ? self : by_batch(self, [&](const Tensor &t) {
    std::vector<int64_t> order(from.begin(), begin);
    for (int d = batch; d < t.dim(); ++d) order.push_back(d);
    return thpp::permute(t, order);
  });
  return turned ? sparse::transpose(ordered, batch, batch + 1) : ordered;
}

// Whether entries stand by dimension `at`: those of one index in it follow each other, and indices ascend.
bool stands_by(const Tensor &self, int at) {
  if (is_coo(self)) return at == 0 && sparse_dims(self) > 0 && coalesced(self);
  return !batch_dims(self) && !is_blocked(self.layout()) && at == (is_by_rows(self.layout()) ? 0 : 1);
}

// Entries [first, first + second) of such a tensor are those whose index in that dimension is in [start, end).
std::pair<int64_t, int64_t> entries_between(const Tensor &self, int64_t start, int64_t end) {
  const auto at = [&](int64_t line) {
    if (is_coo(self)) return thpp::searchsorted(thpp::select(raw_indices(self), 0, 0), number(line)).item().to_int();
    return thpp::select(raw_indices(self), 0, line).item().to_int();
  };
  const int64_t first = at(start), last = at(end);
  // What indices say may not be so.
  if (first < 0 || last < first || last > nnz(self))
    THError(TH_ERROR_RUNTIME, "entries of indices %lld to %lld would be those from %lld to %lld of %lld",
            (long long)start, (long long)end, (long long)first, (long long)last, (long long)nnz(self));
  return {first, last - first};
}

Tensor copy_of_part(const Tensor &t, int64_t dim, int64_t start, int64_t length) {
  return thpp::clone(thpp::narrow(t, dim, start, length), MemoryFormat::Contiguous);
}

// From where to where entries of each wanted index stand, of n that it may be, in ascending `line`.
std::pair<Tensor, Tensor> between(const Tensor &begins, const Tensor &wanted) {
  return {thpp::index_select(begins, 0, wanted), thpp::index_select(begins, 0, thpp::add(wanted, number(1)))};
}
std::pair<Tensor, Tensor> found_in(const Tensor &line, const Tensor &wanted, int64_t n) {
  // To look for few is faster than to look at all.
  if (wanted.size(0) < line.size(0) / 128 || n / 4 > line.size(0))
    return {thpp::searchsorted(line, wanted), thpp::searchsorted(line, wanted, false, true)};
  return between(thpp::_sparse_compress(line, n), wanted);
}

}  // namespace

namespace sparse {

Tensor permute(const Tensor &self, IntList dims) {
  if (is_compressed(self)) return permute_batch(self, dims);
  const int ndim = self.dim(), sparse = sparse_dims(self);
  if (int(dims.size()) != ndim)
    THError(TH_ERROR_RUNTIME,
            "sparse::permute(sparse_coo): number of dimensions in the tensor input does not match the length of the "
            "desired ordering of dimensions i.e. input.dim() = %d is not equal to len(dims) = %zu",
            ndim, dims.size());
  std::vector<int64_t> outer, inner{0}, size;
  bool same = true;
  std::vector<bool> seen(size_t(ndim), false);
  for (int d = 0; d < ndim; ++d) {
    const int from = TH_wrapDim(dims[size_t(d)], ndim);
    if (seen[size_t(from)]) THError(TH_ERROR_RUNTIME, "sparse::permute(sparse_coo): duplicate dims are not allowed.");
    seen[size_t(from)] = true;
    if ((from < sparse) != (d < sparse))
      THError(
          TH_ERROR_RUNTIME,
          "sparse::permute(sparse_coo): sparse dimensions stay before dense ones, but dimension %d would come from %d",
          d, from);
    if (d < sparse) same = same && from == d;
    size.push_back(self.sizes()[size_t(from)]);
    if (d < sparse)
      outer.push_back(from);
    else
      inner.push_back(from - sparse + 1);
  }
  const Tensor values = thpp::_values(self);
  return coo(lines(raw_indices(self), outer), thpp::permute(values, inner), size, same && coalesced(self));
}

Tensor transpose(const Tensor &self, int64_t dim0, int64_t dim1) {
  const int ndim = self.dim(), a = TH_wrapDim(dim0, ndim), b = TH_wrapDim(dim1, ndim);
  if (is_compressed(self)) {
    const int batch = batch_dims(self);
    if (a == b) return self;
    if (std::min(a, b) != batch || std::max(a, b) != batch + 1 || dense_dims(self))
      return permute_batch(self, exchanged(ndim, a, b));
    const THLayout layout = self.layout();
    const THLayout turned = layout == TH_SPARSE_CSR   ? TH_SPARSE_CSC
                            : layout == TH_SPARSE_CSC ? TH_SPARSE_CSR
                            : layout == TH_SPARSE_BSR ? TH_SPARSE_BSC
                                                      : TH_SPARSE_BSR;
    Tensor values = thpp::_values(self);
    if (is_blocked(layout)) values = thpp::transpose(values, batch + 1, batch + 2);
    std::vector<int64_t> size = list(self.sizes());
    std::swap(size[size_t(a)], size[size_t(b)]);
    return compressed(turned, raw_indices(self), raw_plain(self), values, size);
  }
  return sparse::permute(self, exchanged(ndim, a, b));
}

Tensor t(const Tensor &self) {
  if (self.dim() > 2)
    THError(TH_ERROR_RUNTIME, "t() expects a tensor with <= 2 dimensions, but self is %dD", self.dim());
  return self.dim() < 2 ? self : sparse::transpose(self, 0, 1);
}

Tensor unsqueeze(const Tensor &self, int64_t dim) {
  const int at = TH_wrapDim(dim, self.dim() + 1), sparse = sparse_dims(self);
  if (is_compressed(self)) {
    if (at > batch_dims(self)) return sparse::unsqueeze(to_coo(self), dim);
    return by_batch(self, [&](const Tensor &t) { return thpp::unsqueeze(t, at); });
  }
  std::vector<int64_t> size = list(self.sizes());
  size.insert(size.begin() + at, 1);
  const Tensor places = raw_indices(self);
  if (at > sparse) return coo(places, thpp::unsqueeze(thpp::_values(self), at - sparse + 1), size, nnz(self) < 2);
  const Tensor none = thpp::zeros({1, places.size(1)}, TH_Long, places.device());
  const std::vector<Tensor> parts{thpp::narrow(places, 0, 0, at), none, thpp::narrow(places, 0, at, sparse - at)};
  return coo(thpp::cat(parts, 0), thpp::_values(self), size, false);
}

Tensor select(const Tensor &self, int64_t dim, int64_t index) {
  const int at = own_dim(dim, self);
  const int64_t length = self.sizes()[size_t(at)];
  if (index < -length || index >= length)
    THError(TH_ERROR_INDEX, "sparse::select(): index %lld out of range for tensor of size %s at dimension %d",
            (long long)index, text(self.sizes()).c_str(), at);
  if (index < 0) index += length;
  std::vector<int64_t> size = list(self.sizes());
  size.erase(size.begin() + at);
  if (!is_coo(self)) {
    const int batch = batch_dims(self);
    if (at < batch || at >= batch + 2) return select_member(self, at, index);
    if (stands_by(self, at)) {
      const auto [first, n] = entries_between(self, index, index + 1);
      const Tensor places = thpp::to(thpp::narrow(raw_plain(self), 0, first, n), TH_Long, true);
      return coo(thpp::unsqueeze(places, 0), copy_of_part(thpp::_values(self), 0, first, n), size, true);
    }
    const Tensor made = sparse::select(to_coo(self), at, index);
    return is_coo(made) ? thpp::coalesce(made) : made;
  }
  const int sparse = sparse_dims(self);
  const Tensor places = raw_indices(self), values = thpp::_values(self);
  if (at >= sparse) return coo(places, thpp::select(values, at - sparse + 1, index), size, nnz(self) < 2);
  if (stands_by(self, at) && sparse > 1) {
    const auto [first, n] = entries_between(self, index, index + 1);
    const Tensor found = thpp::narrow(thpp::narrow(places, 0, 1, sparse - 1), 1, first, n);
    return coo(thpp::clone(found, MemoryFormat::Contiguous), copy_of_part(values, 0, first, n), size, n < 2);
  }
  const Tensor which = numbers_of(thpp::eq(thpp::select(places, 0, at), wrapped_number(index)));
  if (sparse == 1) {
    const Tensor found = thpp::index_select(values, 0, which);
    return self.dtype() == TH_Bool ? thpp::any(found, {0}, false) : thpp::sum(found, {0}, false, self.dtype());
  }
  std::vector<int64_t> kept;
  for (int d = 0; d < sparse; ++d)
    if (d != at) kept.push_back(d);
  return chosen(self, which, thpp::index_select(lines(places, kept), 1, which), size);
}

Tensor narrow(const Tensor &self, int64_t dim, int64_t start, int64_t length) {
  const int at = own_dim(dim, self);
  thpp::narrow(on_meta(self), dim, start, length);  // says what cannot be
  if (start < 0) start += self.sizes()[size_t(at)];
  std::vector<int64_t> size = list(self.sizes());
  size[size_t(at)] = length;
  if (!is_coo(self) && stands_by(self, at)) {
    const auto [first, n] = entries_between(self, start, start + length);
    const Tensor begins = thpp::narrow(raw_indices(self), 0, start, length + 1);
    return compressed(self.layout(), thpp::sub(begins, number(first)), copy_of_part(raw_plain(self), 0, first, n),
                      copy_of_part(thpp::_values(self), 0, first, n), size);
  }
  if (!is_coo(self)) {
    if (at < batch_dims(self))
      return by_batch(self, [&](const Tensor &t) { return thpp::narrow(t, at, start, length); });
    return by_coordinates(self, [&](const Tensor &from) { return sparse::narrow(from, at, start, length); });
  }
  const int sparse = sparse_dims(self);
  const Tensor places = raw_indices(self), values = thpp::_values(self);
  if (at >= sparse) return coo(places, thpp::narrow(values, at - sparse + 1, start, length), size, coalesced(self));
  if (stands_by(self, at)) {
    const auto [first, n] = entries_between(self, start, start + length);
    const Tensor kept = copy_of_part(places, 1, first, n);
    thpp::sub_(thpp::select(kept, 0, 0), wrapped_number(start));
    return coo(kept, copy_of_part(values, 0, first, n), size, true);
  }
  const Tensor row = thpp::select(places, 0, at);
  const Tensor which = numbers_of(
      thpp::logical_and(thpp::ge(row, wrapped_number(start)), thpp::lt(row, wrapped_number(start + length))));
  const Tensor kept = thpp::index_select(places, 1, which);
  thpp::sub_(thpp::select(kept, 0, at), wrapped_number(start));
  return coo(kept, thpp::index_select(values, 0, which), size, coalesced(self));
}

Tensor cat(TensorList tensors, int64_t dim) {
  for (const Tensor &t : tensors)
    if (!is_coo(t)) {
      if (!is_sparse(t))
        THError(TH_ERROR_RUNTIME, "cat: sparse and strided tensors cannot be joined; to_dense() or to_sparse() first");
      std::vector<Tensor> all;
      for (const Tensor &each : tensors) all.push_back(to_coo(each));
      const Tensor made = sparse::cat(all, dim);
      return back_to_layout(made, t);
    }
  const Tensor &first = tensors[0];
  const int at = own_dim(dim, first), sparse = sparse_dims(first);
  std::vector<Tensor> places, values;
  std::vector<int64_t> size = list(first.sizes());
  int64_t whole = 0;
  for (const Tensor &t : tensors) {
    std::vector<int64_t> fits = list(t.sizes());
    if (int(fits.size()) == first.dim()) fits[size_t(at)] = first.sizes()[size_t(at)];
    if (sparse_dims(t) != sparse || !std::ranges::equal(fits, first.sizes()))
      THError(TH_ERROR_RUNTIME,
              "All tensors must have the same shape: %s (except in the concatenating dimension), and as many sparse "
              "dimensions; got %s",
              text(first.sizes()).c_str(), text(t.sizes()).c_str());
    whole += t.sizes()[size_t(at)];
  }
  int64_t offset = 0;
  for (const Tensor &t : tensors) {
    Tensor where = raw_indices(t), value = thpp::_values(t);
    if (at < sparse) {
      if (offset) {
        where = thpp::clone(where);
        thpp::add_(thpp::select(where, 0, at), wrapped_number(offset));
      }
    } else {
      // Along a dense dimension each has its part of a value, and zeros beside it.
      std::vector<int64_t> before = list(value.sizes());
      std::vector<int64_t> total = before;
      before[size_t(at - sparse + 1)] = offset;
      total[size_t(at - sparse + 1)] = whole - offset - t.sizes()[size_t(at)];
      value = thpp::cat(std::vector<Tensor>{thpp::zeros(before, value.dtype(), value.device()), value,
                                            thpp::zeros(total, value.dtype(), value.device())},
                        at - sparse + 1);
    }
    places.push_back(where);
    values.push_back(value);
    offset += t.sizes()[size_t(at)];
  }
  size[size_t(at)] = offset;
  return coo(thpp::cat(places, 1), thpp::cat(values, 0), size, false);
}

Tensor stack(TensorList tensors, int64_t dim) {
  std::vector<Tensor> all;
  for (const Tensor &t : tensors) all.push_back(thpp::unsqueeze(is_sparse(t) ? to_coo(t) : t, dim));
  return sparse::cat(all, dim);
}

// Rows of a sparse table.
Tensor embedding(const Tensor &weight, const Tensor &indices, int64_t padding_idx, bool scale_grad_by_freq, bool) {
  if (padding_idx >= 0 || scale_grad_by_freq || is_sparse(indices))
    THError(TH_ERROR_NOT_IMPLEMENTED,
            "embedding: of a sparse table all rows have gradients, and as they are: it takes no padding_idx and no "
            "scale_grad_by_freq, and strided indices");
  const Tensor rows = thpp::index_select(weight, 0, thpp::reshape(indices, {-1}));
  return indices.dim() == 1 ? rows : thpp::reshape(rows, joined(indices.sizes(), weight.sizes().subspan(1)));
}

Tensor index_select(const Tensor &self, int64_t dim, const Tensor &index) {
  const int at = own_dim(dim, self);
  if (is_sparse(index) || index.dim() > 1 || (index.dtype() != TH_Long && index.dtype() != TH_Int))
    THError(TH_ERROR_INDEX,
            "index_select(): of a sparse tensor, the index has to be a strided vector of int64 or int32, got size %s, "
            "%s and layout torch.%s",
            text(index.sizes()).c_str(), TH_dtypeName(index.dtype()), name_of(index.layout()));
  const bool by_lines = is_compressed(self) && stands_by(self, at);
  if (!is_coo(self) && !by_lines) {
    if (at < batch_dims(self)) return by_batch(self, [&](const Tensor &t) { return thpp::index_select(t, at, index); });
    return by_coordinates(self, [&](const Tensor &from) { return sparse::index_select(from, dim, index); });
  }
  std::vector<int64_t> size = list(self.sizes());
  const Tensor wanted = thpp::to(thpp::reshape(index, {-1}), TH_Long), values = thpp::_values(self);
  const int64_t length = size[size_t(at)], n = wanted.size(0);
  int64_t least = 0;
  if (n) {
    const auto [low, high] = thpp::aminmax(wanted);
    least = low.item().to_int();
    const int64_t most = high.item().to_int();
    if (least < -length || most >= length)
      THError(TH_ERROR_INDEX,
              "sparse::index_select(): index contains %lld that is out of range for tensor of size %s at dimension %d",
              (long long)(most >= length ? most : least), text(self.sizes()).c_str(), at);
  }
  size[size_t(at)] = n;
  const Tensor line = least < 0 ? thpp::remainder(wanted, wrapped_number(length)) : wanted;
  if (by_lines) {
    const auto [first, last] = between(raw_indices(self), line);
    const auto [begins, which] = thpp::_sparse_ranges(thpp::to(first, TH_Long), thpp::to(last, TH_Long));
    return compressed(self.layout(), begins, thpp::to(thpp::index_select(raw_plain(self), 0, which), TH_Long),
                      thpp::index_select(values, 0, which), size);
  }
  const int sparse = sparse_dims(self);
  const Tensor places = raw_indices(self);
  if (at >= sparse) return coo(places, thpp::index_select(values, at - sparse + 1, line), size, nnz(self) < 2);
  // Entries by their index along `dim`; then, for each that is wanted, those it has.
  const Tensor row = thpp::select(places, 0, at);
  Tensor order;
  std::pair<Tensor, Tensor> bounds;
  if (stands_by(self, at)) {
    bounds = found_in(row, line, length);
  } else if (length / 4 > nnz(self)) {
    const auto [sorted, stood] = thpp::sort(row, 0, false);
    order = stood;
    bounds = found_in(sorted, line, length);
  } else {
    const auto [begins, stood] = thpp::_sparse_group(row, length);
    order = stood;
    bounds = between(begins, line);
  }
  const auto [begins, numbers] = thpp::_sparse_ranges(bounds.first, bounds.second);
  const Tensor target = thpp::repeat_interleave(thpp::sub(bounds.second, bounds.first));
  const Tensor which = order.defined() ? thpp::index_select(order, 0, numbers) : numbers;
  std::vector<Tensor> found;
  for (int d = 0; d < sparse; ++d) found.push_back(d == at ? target : thpp::index_select(line_of(places, d), 0, which));
  return chosen(self, which, thpp::stack(found, 0), size);
}

}  // namespace sparse
}  // namespace thpp
