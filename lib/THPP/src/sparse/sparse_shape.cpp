// Other shapes and parts: what becomes of places.
#include <algorithm>

#include "places.h"

namespace thpp {

using namespace sparse;

namespace {

// Of a compressed tensor, one of the matrices of its batch, or one of its elements' dense parts.
Tensor select_member(const Tensor &self, int at, int64_t index) {
  std::vector<int64_t> size = list(self.sizes());
  size.erase(size.begin() + at);
  const int batch = batch_dims(self), matrix = is_blocked(self.layout()) ? 3 : 1;
  const Tensor values = thpp::_values(self);
  if (at < batch)
    return compressed(self.layout(), thpp::contiguous(thpp::select(raw_indices(self), at, index)),
                      thpp::contiguous(thpp::select(raw_plain(self), at, index)), thpp::select(values, at, index),
                      size);
  return compressed(self.layout(), raw_indices(self), raw_plain(self), thpp::select(values, at - 2 + matrix, index),
                    size);
}

}  // namespace

namespace sparse {

Tensor permute(const Tensor &self, IntList dims) {
  if (is_compressed(self)) {
    const bool turned = self.dim() == 2 && dims.size() == 2 && TH_wrapDim(dims[0], 2) == 1 &&
                        TH_wrapDim(dims[1], 2) == 0;
    return turned ? sparse::transpose(self, 0, 1) : sparse::permute(to_coo(self), dims);
  }
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
      THError(
          TH_ERROR_RUNTIME,
          "sparse::transpose(): of a tensor of layout torch.%s rows and columns can be exchanged, got dimensions %d and %d",
          name_of(self.layout()), a, b);
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
  std::vector<int64_t> dims(static_cast<size_t>(ndim));
  for (int d = 0; d < ndim; ++d) dims[size_t(d)] = d == a ? b : d == b ? a : d;
  return sparse::permute(self, dims);
}

Tensor t(const Tensor &self) {
  if (self.dim() > 2)
    THError(TH_ERROR_RUNTIME, "t() expects a tensor with <= 2 dimensions, but self is %dD", self.dim());
  return self.dim() < 2 ? self : sparse::transpose(self, 0, 1);
}

Tensor unsqueeze(const Tensor &self, int64_t dim) {
  if (is_compressed(self)) return sparse::unsqueeze(to_coo(self), dim);
  const int at = TH_wrapDim(dim, self.dim() + 1), sparse = sparse_dims(self);
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
  if (!is_coo(self)) {
    const int batch = batch_dims(self);
    if (at < batch || at >= batch + 2) return select_member(self, at, index);
    const Tensor made = sparse::select(to_coo(self), at, index);
    return is_coo(made) ? thpp::coalesce(made) : made;
  }
  const int sparse = sparse_dims(self);
  std::vector<int64_t> size = list(self.sizes());
  size.erase(size.begin() + at);
  const Tensor places = raw_indices(self), values = thpp::_values(self);
  if (at >= sparse) return coo(places, thpp::select(values, at - sparse + 1, index), size, nnz(self) < 2);
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
  if (!is_coo(self))
    return by_coordinates(self, [&](const Tensor &from) { return sparse::narrow(from, at, start, length); });
  const int sparse = sparse_dims(self);
  std::vector<int64_t> size = list(self.sizes());
  size[size_t(at)] = length;
  const Tensor places = raw_indices(self), values = thpp::_values(self);
  if (at >= sparse) return coo(places, thpp::narrow(values, at - sparse + 1, start, length), size, coalesced(self));
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

Tensor index_select(const Tensor &self, int64_t dim, const Tensor &index) {
  if (!is_coo(self))
    return by_coordinates(self, [&](const Tensor &from) { return sparse::index_select(from, dim, index); });
  const int at = own_dim(dim, self), sparse = sparse_dims(self);
  if (is_sparse(index) || index.dim() > 1 || (index.dtype() != TH_Long && index.dtype() != TH_Int))
    THError(TH_ERROR_INDEX,
            "index_select(): of a sparse tensor, the index has to be a strided vector of int64 or int32, got size %s, "
            "%s and layout torch.%s",
            text(index.sizes()).c_str(), TH_dtypeName(index.dtype()), name_of(index.layout()));
  std::vector<int64_t> size = list(self.sizes());
  const Tensor wanted = thpp::to(thpp::reshape(index, {-1}), TH_Long), values = thpp::_values(self),
               places = raw_indices(self);
  const int64_t length = size[size_t(at)], n = wanted.size(0);
  if (n) {
    const int64_t least = thpp::min(wanted).item().to_int(), most = thpp::max(wanted).item().to_int();
    if (least < -length || most >= length)
      THError(TH_ERROR_INDEX,
              "sparse::index_select(): index contains %lld that is out of range for tensor of size %s at dimension %d",
              (long long)(most >= length ? most : least), text(self.sizes()).c_str(), at);
  }
  size[size_t(at)] = n;
  const Tensor line = thpp::remainder(wanted, wrapped_number(std::max<int64_t>(1, length)));
  if (at >= sparse) return coo(places, thpp::index_select(values, at - sparse + 1, line), size, nnz(self) < 2);
  // Entries by their index along `dim`; then, for each that is wanted, those it has.
  const Tensor row = thpp::select(places, 0, at);
  const auto [sorted, order] = thpp::sort(row, 0, false);
  const Tensor begins = thpp::_sparse_compress(sorted, length);
  const Tensor from = thpp::index_select(begins, 0, line);
  const Tensor counts = thpp::sub(thpp::index_select(begins, 0, thpp::add(line, wrapped_number(int64_t(1)))), from);
  const Tensor target = thpp::repeat_interleave(counts);
  // Which of them: the place in the list of all less where its group begins in it.
  const Tensor ends = thpp::cumsum(counts, 0);
  const Tensor step = thpp::sub(from, thpp::sub(ends, counts));
  const Tensor which = thpp::index_select(
      order, 0,
      thpp::add(thpp::arange(Scalar(target.size(0)), TH_Long, self.device()), thpp::index_select(step, 0, target)));
  const Tensor found = thpp::index_select(places, 1, which);
  thpp::copy_(thpp::select(found, 0, at), target);
  return chosen(self, which, found, size);
}

}  // namespace sparse
}  // namespace thpp
