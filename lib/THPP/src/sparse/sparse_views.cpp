// Other shapes of the same elements, and some of them repeated or left out.
#include <algorithm>

#include "places.h"

namespace thpp {

using namespace sparse;

namespace {

// A size with one -1, which stands for what is left.
std::vector<int64_t> whole_size(IntList size, int64_t elements) {
  const Tensor flat = thpp::empty({elements}, TH_Bool, MemoryFormat::Contiguous, THDevice{TH_Meta, 0});
  return list(thpp::view(flat, size).sizes());
}

// Without those of its dimensions, all of length 1, that the mask has.
Tensor without(const Tensor &self, uint64_t gone) {
  if (!is_coo(self)) return gone ? without(to_coo(self), gone) : self;
  const int sparse = sparse_dims(self);
  std::vector<int64_t> kept, inner, size;
  for (int d = 0; d < self.dim(); ++d) {
    const bool out = gone >> d & 1;
    if (!out) size.push_back(self.sizes()[size_t(d)]);
    if (!out && d < sparse) kept.push_back(d);
    if (out && d >= sparse) inner.push_back(d - sparse + 1);
  }
  Tensor values = thpp::_values(self);
  if (!inner.empty()) values = thpp::squeeze(values, inner);
  return coo(lines(raw_indices(self), kept), values, size, coalesced(self));
}

uint64_t ones_of(const Tensor &self) {
  uint64_t mask = 0;
  for (int d = 0; d < self.dim(); ++d) mask |= uint64_t(self.sizes()[size_t(d)] == 1) << d;
  return mask;
}

// `times` copies one after another along a dimension; copies of one element if that is 1 long.
Tensor copies_along(const Tensor &self, int64_t dim, int64_t times) {
  const int sparse = sparse_dims(self);
  std::vector<int64_t> size = list(self.sizes());
  const int64_t length = size[size_t(dim)];
  size[size_t(dim)] = TH_saturatedProduct(length, times);
  const Tensor values = thpp::_values(self), places = raw_indices(self);
  std::vector<int64_t> along(size_t(values.dim()), 1);
  if (dim >= sparse) {
    along[size_t(dim - sparse + 1)] = times;
    return coo(places, thpp::repeat(values, along), size, coalesced(self));
  }
  along[0] = times;
  const int64_t n = places.size(1);
  const Tensor steps = thpp::mul(thpp::arange(Scalar(times), TH_Long, self.device()), number(length));
  const Tensor shift = thpp::reshape(thpp::expand(thpp::unsqueeze(steps, 1), {times, n}), {-1});
  std::vector<Tensor> found;
  for (int d = 0; d < sparse; ++d) {
    const Tensor line = thpp::repeat(line_of(places, d), {times});
    found.push_back(d == dim ? thpp::add(line, shift) : line);
  }
  return coo(thpp::stack(found, 0), thpp::repeat(values, along), size, coalesced(self) && dim == 0);
}

Tensor with_leading(Tensor self, int64_t more) {
  for (int64_t i = 0; i < more; ++i) self = thpp::unsqueeze(self, 0);
  return self;
}

// In order again, where `like` is.
Tensor ordered_like(const Tensor &made, const Tensor &like) { return coalesced(like) ? thpp::coalesce(made) : made; }

}  // namespace

namespace sparse {

Tensor reshape(const Tensor &self, IntList shape) {
  const std::vector<int64_t> size = whole_size(shape, self.numel());
  if (std::ranges::equal(size, self.sizes())) return thpp::alias(self);
  if (!is_coo(self)) {
    const Tensor made = sparse::reshape(to_coo(self), size);
    return size.size() == 2 && !is_blocked(self.layout()) ? in_layout_of(made, self) : made;
  }
  const auto dense = size_t(dense_dims(self)), sparse = size_t(sparse_dims(self));
  const IntList outer = self.sizes().first(sparse), inner = self.sizes().subspan(sparse), wanted(size);
  // Dense dimensions stay as they are, or become sparse.
  const bool fits = wanted.size() > dense && std::ranges::equal(wanted.last(dense), inner) &&
                    product(wanted.first(wanted.size() - dense)) == product(outer);
  if (dense && !fits) return sparse::reshape(regridded(self, self.dim()), size);
  const Tensor keys = keys_of(raw_indices(self), outer);
  return coo(places_of_keys(keys, wanted.first(wanted.size() - dense)), thpp::_values(self), size, coalesced(self));
}

Tensor squeeze(const Tensor &self) { return without(self, ones_of(self)); }
Tensor squeeze(const Tensor &self, IntList dim) {
  return without(self, dim.empty() ? 0 : dim_mask(dim, self.dim()) & ones_of(self));
}

Tensor expand(const Tensor &self, IntList size) {
  const int64_t more = int64_t(size.size()) - self.dim();
  if (more < 0)
    THError(TH_ERROR_RUNTIME,
            "expand: the number of sizes provided (%zu) must be greater or equal to the number of dimensions in the "
            "tensor (%d)",
            size.size(), self.dim());
  if (is_compressed(self)) {
    // Matrices that stay as they are.
    const auto matrix = size_t(self.dim() - batch_dims(self));
    const bool whole = std::ranges::equal(size.last(matrix), self.sizes().last(matrix),
                                          [](int64_t wants, int64_t has) { return wants == has || wants == -1; });
    if (whole)
      return by_batch(self, [&](const Tensor &t) {
        const IntList inner = t.sizes().subspan(size_t(batch_dims(self)));
        return thpp::expand(t, joined(size.first(size.size() - matrix), inner));
      });
  }
  return by_coordinates(self, [&](const Tensor &from) {
    Tensor made = with_leading(from, more);
    for (int64_t d = 0; d < int64_t(size.size()); ++d) {
      const int64_t has = made.sizes()[size_t(d)], wants = size[size_t(d)];
      if (wants == has || (wants == -1 && d >= more)) continue;
      if (has != 1 || wants < 0)
        THError(TH_ERROR_RUNTIME,
                "The expanded size of the tensor (%lld) must match the existing size (%lld) at non-singleton dimension "
                "%lld.  Target sizes: %s.  Tensor sizes: %s",
                (long long)wants, (long long)has, (long long)d, text(size).c_str(), text(self.sizes()).c_str());
      made = copies_along(made, d, wants);
    }
    return ordered_like(made, from);
  });
}

Tensor repeat(const Tensor &self, IntList repeats) {
  const int64_t more = int64_t(repeats.size()) - self.dim();
  if (more < 0)
    THError(TH_ERROR_RUNTIME,
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
  if (std::ranges::any_of(repeats, [](int64_t n) { return n < 0; }))
    THError(TH_ERROR_RUNTIME, "repeat: no dimension is repeated a negative number of times, got %s",
            text(repeats).c_str());
  return by_coordinates(self, [&](const Tensor &from) {
    Tensor made = with_leading(from, more);
    for (int64_t d = 0; d < int64_t(repeats.size()); ++d)
      if (repeats[size_t(d)] != 1) made = copies_along(made, d, repeats[size_t(d)]);
    return ordered_like(made, from);
  });
}

Tensor flip(const Tensor &self, IntList dims) {
  const uint64_t mask = dims.empty() ? 0 : dim_mask(dims, self.dim());
  return by_coordinates(self, [&](const Tensor &from) {
    const int sparse = sparse_dims(from);
    std::vector<int64_t> inner;
    std::vector<Tensor> found;
    for (int d = 0; d < from.dim(); ++d) {
      const bool turned = mask >> d & 1;
      if (d >= sparse) {
        if (turned) inner.push_back(d - sparse + 1);
        continue;
      }
      const Tensor line = line_of(raw_indices(from), d);
      found.push_back(turned ? thpp::sub(number(from.sizes()[size_t(d)] - 1), line) : line);
    }
    Tensor values = thpp::_values(from);
    if (!inner.empty()) values = thpp::flip(values, inner);
    return ordered_like(coo(found.empty() ? raw_indices(from) : thpp::stack(found, 0), values, from.sizes(), false),
                        from);
  });
}

Tensor slice(const Tensor &self, int64_t dim, int64_t first, int64_t last, int64_t step) {
  const int at = own_dim(dim, self);
  const int64_t length = self.sizes()[size_t(at)];
  thpp::slice(on_meta(self), dim, first, last, step);  // says what cannot be
  const auto bound = [&](int64_t i) { return std::clamp<int64_t>(i < 0 ? i + length : i, 0, length); };
  const int64_t from = bound(first), to = std::max(from, bound(last));
  const Tensor part = from == 0 && to == length ? thpp::alias(self) : thpp::narrow(self, at, from, to - from);
  if (step == 1) return part;
  return thpp::index_select(part, at,
                            thpp::arange(Scalar(int64_t(0)), Scalar(to - from), Scalar(step), TH_Long, self.device()));
}

std::vector<Tensor> unbind(const Tensor &self, int64_t dim) {
  const int at = own_dim(dim, self);
  std::vector<Tensor> parts;
  const int64_t length = self.sizes()[size_t(at)];
  if (!is_coo(self) || at >= sparse_dims(self) || sparse_dims(self) == 1) {
    for (int64_t i = 0; i < length; ++i) parts.push_back(thpp::select(self, at, i));
    return parts;
  }
  // One sort for all of them.
  const Tensor places = raw_indices(self);
  const auto [sorted, order] = thpp::sort(line_of(places, at), 0, false, true);
  const Tensor begins = thpp::_sparse_compress(sorted, length);
  std::vector<int64_t> kept, size = list(self.sizes());
  size.erase(size.begin() + at);
  for (int d = 0; d < sparse_dims(self); ++d)
    if (d != at) kept.push_back(d);
  const Tensor others = lines(places, kept);
  int64_t begin = 0;
  for (int64_t i = 0; i < length; ++i) {
    const int64_t end = thpp::select(begins, 0, i + 1).item().to_int();
    const Tensor which = thpp::narrow(order, 0, begin, end - begin);
    parts.push_back(chosen(self, which, thpp::index_select(others, 1, which), size));
    begin = end;
  }
  return parts;
}

// A[i] of a list or a mask of one dimension.
Tensor index(const Tensor &self, TensorList indices) {
  int at = -1;
  for (size_t d = 0; d < indices.size(); ++d) {
    if (!indices[d].defined()) continue;
    if (at >= 0 || is_sparse(indices[d]) || indices[d].dim() != 1 || int(d) >= self.dim())
      THError(TH_ERROR_NOT_IMPLEMENTED,
              "a sparse tensor is indexed by one list or mask of one dimension; index_select and sparse_mask "
              "choose more");
    at = int(d);
  }
  if (at < 0) return self;
  Tensor index = indices[size_t(at)];
  if (index.dtype() == TH_Bool || index.dtype() == TH_Byte) {
    if (index.size(0) != self.sizes()[size_t(at)])
      THError(TH_ERROR_INDEX,
              "The shape of the mask %s at index 0 does not match the shape of the indexed tensor %s at index %d",
              text(index.sizes()).c_str(), text(self.sizes()).c_str(), at);
    index = numbers_of(index);
  }
  // A list in brackets is made on the CPU.
  return thpp::index_select(self, at, thpp::to(index, index.dtype(), false, self.device()));
}

namespace {

Tensor before(const Tensor &self) { return before_write(self, flags_of(self)); }

// A tensor whose members become those of another shape of it.
const Tensor &become(const Tensor &self, const Tensor &made) {
  if (made.layout() != self.layout())
    THError(TH_ERROR_RUNTIME, "in place, a tensor of layout torch.%s cannot become one of layout torch.%s",
            name_of(self.layout()), name_of(made.layout()));
  assign(self, made);
  return self;
}

}  // namespace

const Tensor &t_(const Tensor &self) { return become(self, thpp::t(before(self))); }
const Tensor &transpose_(const Tensor &self, int64_t dim0, int64_t dim1) {
  return become(self, thpp::transpose(before(self), dim0, dim1));
}
const Tensor &unsqueeze_(const Tensor &self, int64_t dim) { return become(self, thpp::unsqueeze(before(self), dim)); }
const Tensor &squeeze_(const Tensor &self) { return become(self, thpp::squeeze(before(self))); }
const Tensor &squeeze_(const Tensor &self, IntList dim) { return become(self, thpp::squeeze(before(self), dim)); }

}  // namespace sparse
}  // namespace thpp
