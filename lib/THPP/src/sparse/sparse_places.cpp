#include "places.h"

std::tuple<thpp::Tensor, thpp::Tensor> thpp::fallback::sparse_ranges(const Tensor &first, const Tensor &last) {
  const Tensor counts = thpp::sub(last, first), ends = thpp::cumsum(counts, 0);
  const Tensor range = thpp::repeat_interleave(counts), before = thpp::sub(ends, counts);
  const Tensor step = thpp::index_select(thpp::sub(first, before), 0, range);
  const Tensor numbers = thpp::add(thpp::arange(Scalar(range.size(0)), TH_Long, first.device()), step);
  return {thpp::cat(std::vector<Tensor>{thpp::zeros({1}, TH_Long, first.device()), ends}, 0), numbers};
}

namespace thpp::sparse {

Tensor lines(const Tensor &places, const std::vector<int64_t> &which) {
  std::vector<Tensor> found;
  for (int64_t d : which) found.push_back(line_of(places, d));
  if (found.empty()) return thpp::empty({0, places.size(1)}, TH_Long, MemoryFormat::Contiguous, places.device());
  return thpp::stack(found, 0);
}

// Matrices of a batch have as many entries each, which is not known of a result; blocks divide a matrix.
bool could_be_like(const Tensor &made, const Tensor &like) {
  if (!is_compressed(like)) return is_coo(like) && is_sparse(made);
  if (!is_sparse(made) || made.dim() != like.dim() || dense_dims(made) != dense_dims(like) || batch_dims(like))
    return false;
  const auto [height, width] = block_of(like);
  return made.size(0) % height == 0 && made.size(1) % width == 0;
}

Tensor keys_of(const Tensor &places, IntList size) {
  if (!places.size(0)) return thpp::zeros({places.size(1)}, TH_Long, places.device());
  Tensor key = line_of(places, 0);
  for (int64_t d = 1; d < places.size(0); ++d)
    key = thpp::add(thpp::mul(key, number(size[size_t(d)])), line_of(places, d));
  return key;
}

Tensor places_of_keys(const Tensor &keys, IntList size) {
  if (size.empty()) return thpp::empty({0, keys.size(0)}, TH_Long, MemoryFormat::Contiguous, keys.device());
  std::vector<Tensor> found(size.size());
  Tensor rest = keys;
  for (size_t d = size.size(); d-- > 1;) {
    const Tensor by = number(std::max<int64_t>(1, size[d]));
    found[d] = thpp::remainder(rest, by);
    rest = thpp::div(rest, by, "floor");
  }
  found[0] = rest;
  return thpp::stack(found, 0);
}

Tensor chosen(const Tensor &self, const Tensor &which) {
  return coo(thpp::index_select(raw_indices(self), 1, which), thpp::index_select(thpp::_values(self), 0, which),
             self.sizes(), coalesced(self));
}

Tensor chosen(const Tensor &self, const Tensor &which, const Tensor &places, IntList size) {
  return coo(places, thpp::index_select(thpp::_values(self), 0, which), size, which.size(0) < 2);
}

namespace {

// More sparse dimensions: an entry for each element of the values' first dimensions.
Tensor split(const Tensor &self, size_t more) {
  const Tensor values = thpp::_values(self), places = raw_indices(self);
  const auto sparse = size_t(sparse_dims(self));
  const IntList inner = self.sizes().subspan(sparse, more), kept = self.sizes().subspan(sparse + more);
  const int64_t n = places.size(1), block = product(inner);
  const auto spread = [&](const Tensor &t, IntList shape) {
    return thpp::reshape(thpp::expand(thpp::view(t, shape), {n, block}), {n * block});
  };
  std::vector<Tensor> found;
  for (size_t d = 0; d < sparse; ++d) found.push_back(spread(thpp::contiguous(line_of(places, int64_t(d))), {n, 1}));
  const Tensor inside = places_of_keys(thpp::arange(Scalar(block), TH_Long, self.device()), inner);
  for (size_t d = 0; d < inner.size(); ++d)
    found.push_back(spread(thpp::contiguous(line_of(inside, int64_t(d))), {1, block}));
  return coo(thpp::stack(found, 0), thpp::reshape(values, joined(IntList({n * block}), kept)), self.sizes(),
             coalesced(self));
}

// Fewer: entries with the same first indices become one, a block with zeros.
Tensor joined_blocks(const Tensor &self, int64_t sparse) {
  const Tensor from = thpp::coalesce(self), places = raw_indices(from);
  const IntList sizes = self.sizes();
  const int64_t before = sparse_dims(self);
  const Tensor outer = thpp::narrow(places, 0, 0, sparse);
  const Tensor pattern = thpp::coalesce(
      coo(outer, thpp::ones({places.size(1)}, TH_Bool, self.device()), sizes.first(size_t(sparse)), false));
  const Tensor filled = thpp::zeros(joined(IntList({nnz(pattern)}), sizes.subspan(size_t(sparse))), self.dtype(),
                                    self.device());
  std::vector<Tensor> where{thpp::_sparse_find(pattern, outer)};
  for (int64_t d = sparse; d < before; ++d) where.push_back(line_of(places, d));
  return coo(raw_indices(pattern), thpp::index_put(filled, where, thpp::_values(from), false), sizes, true);
}

}  // namespace

Tensor regridded(const Tensor &self, int64_t sparse) {
  const int64_t before = sparse_dims(self);
  if (sparse == before) return self;
  return sparse > before ? split(self, size_t(sparse - before)) : joined_blocks(self, sparse);
}

// The operator: places of elements that are not 0, in order.
Tensor nonzero(const Tensor &self) {
  const Tensor from = regridded(to_coalesced(self), self.dim());
  const Tensor there = numbers_of(thpp::ne(raw_values(from), number(0)));
  return thpp::contiguous(thpp::t(thpp::index_select(raw_indices(from), 1, there)));
}

}  // namespace thpp::sparse
