// Between layouts.
#include <algorithm>

#include "places.h"

namespace thpp {

using namespace sparse;

namespace {

IntList first(IntList sizes, int64_t n) { return sizes.first(size_t(n)); }
IntList rest(IntList sizes, int64_t n) { return sizes.subspan(size_t(n)); }

// Rows of places, by which tensors are indexed.
std::vector<Tensor> rows_of(const Tensor &places) {
  std::vector<Tensor> rows;
  for (int64_t d = 0; d < places.size(0); ++d) rows.push_back(thpp::select(places, 0, d));
  return rows;
}

Tensor strided_to_coo(const Tensor &self, int64_t sparse) {
  if (sparse < 0) sparse = self.dim();
  if (sparse > self.dim() || (sparse == 0 && self.dim() > 0))
    THError(TH_ERROR_RUNTIME, "sparse_dim argument must be in >=%d,<=%d range, but %lld is given", self.dim() ? 1 : 0,
            self.dim(), (long long)sparse);
  Tensor there = thpp::ne(self, wrapped_number(int64_t(0)));
  if (sparse == 0) {
    const Tensor one = thpp::reshape(self, {1});
    const Tensor values = there.item().to_int() ? thpp::clone(one) : thpp::narrow(one, 0, 0, 0);
    return coo(thpp::empty({0, values.size(0)}, TH_Long, MemoryFormat::Contiguous, self.device()), values, {}, true);
  }
  if (sparse < self.dim()) there = thpp::any(thpp::flatten(there, sparse, -1), {-1}, false);
  const Tensor places = thpp::contiguous(thpp::t(thpp::nonzero(there)));
  return coo(places, thpp::index(self, rows_of(places)), self.sizes(), true);
}

Tensor coo_to_dense(const Tensor &self) {
  const int sparse = sparse_dims(self);
  const Tensor from = thpp::coalesce(self), values = raw_values(from);
  const std::vector<int64_t> flat = joined({product(first(self.sizes(), sparse))}, rest(self.sizes(), sparse));
  const Tensor out = thpp::zeros(flat, self.dtype(), self.device());
  if (nnz(from)) thpp::index_copy_(out, 0, keys_of(raw_indices(from), self.sizes()), values);
  return thpp::view(out, self.sizes());
}

// The places of entries, (batch + 2, all of them), in the order of values.
Tensor places_of(const Tensor &self) {
  if (is_coo(self)) return raw_indices(self);
  const bool by_rows = is_by_rows(self.layout());
  const int batch = batch_dims(self);
  const Tensor begins = raw_indices(self), across = thpp::to(thpp::reshape(raw_plain(self), {-1}), TH_Long);
  const int64_t lines = begins.size(-1) - 1;
  const Tensor counts = thpp::to(thpp::sub(thpp::narrow(begins, -1, 1, lines), thpp::narrow(begins, -1, 0, lines)),
                                 TH_Long);
  const Tensor line = thpp::repeat_interleave(thpp::reshape(counts, {-1}), std::optional<int64_t>(across.size(0)));
  std::vector<Tensor> rows;
  Tensor matrix = lines ? thpp::div(line, wrapped_number(lines), "floor") : line;
  for (int d = batch - 1; d >= 0; --d) {
    rows.insert(rows.begin(), thpp::remainder(matrix, wrapped_number(self.sizes()[size_t(d)])));
    matrix = thpp::div(matrix, wrapped_number(self.sizes()[size_t(d)]), "floor");
  }
  const Tensor along = batch && lines ? thpp::remainder(line, wrapped_number(lines)) : line;
  Tensor row = by_rows ? along : across, column = by_rows ? across : along;
  const auto [height, width] = block_of(self);
  if (is_blocked(self.layout())) {
    // One entry for each element of each block.
    const int64_t n = across.size(0);
    const auto spread = [&](const Tensor &t) {
      return thpp::reshape(thpp::expand(thpp::view(t, {n, 1, 1}), {n, height, width}), {-1});
    };
    const auto inside = [&](const Tensor &t, int64_t size, IntList shape) {
      const Tensor steps = thpp::view(thpp::arange(Scalar(size), TH_Long, self.device()), shape);
      const Tensor all = thpp::add(thpp::mul(thpp::view(t, {n, 1, 1}), wrapped_number(size)), steps);
      return thpp::reshape(thpp::expand(all, {n, height, width}), {-1});
    };
    row = inside(row, height, {1, height, 1});
    column = inside(column, width, {1, 1, width});
    for (Tensor &t : rows) t = spread(t);
  }
  rows.push_back(row);
  rows.push_back(column);
  return thpp::stack(rows, 0);
}

// Values with one dimension of entries, in the order of places_of.
Tensor entries_of(const Tensor &self, const Tensor &values) {
  if (is_coo(self)) return values;
  const IntList sizes = self.sizes();
  const int64_t batch = batch_dims(self), dense = dense_dims(self);
  const auto [height, width] = block_of(self);
  const int64_t entries = product(first(sizes, batch)) * nnz(self) * height * width;
  return thpp::reshape(values, joined(IntList({entries}), rest(sizes, self.dim() - dense)));
}

// Of a batch of matrices, each of which must have as many entries as the others.
template <class Convert>
Tensor by_matrices(const Tensor &self, int batch, THLayout layout, const Convert &convert) {
  const IntList sizes = self.sizes();
  const Tensor flat = thpp::reshape(self, joined({product(first(sizes, batch))}, rest(sizes, batch)));
  std::vector<Tensor> begins, across, values;
  for (int64_t m = 0; m < flat.size(0); ++m) {
    const Tensor one = convert(thpp::select(flat, 0, m));
    begins.push_back(raw_indices(one));
    across.push_back(raw_plain(one));
    values.push_back(raw_values(one));
    if (across.back().size(0) != across[0].size(0))
      THError(TH_ERROR_RUNTIME, "Expect the same number of specified elements per batch.");
  }
  if (begins.empty()) THError(TH_ERROR_RUNTIME, "a batch of no matrices has no layout torch.%s", name_of(layout));
  const auto batched = [&](const std::vector<Tensor> &all) {
    return thpp::reshape(thpp::stack(all, 0), joined(first(sizes, batch), all[0].sizes()));
  };
  return compressed(layout, batched(begins), batched(across), batched(values), sizes);
}

// Entries by lines, of a matrix whose places are different and ascend in each line.
Tensor by_lines(const Tensor &from, THLayout layout, IntList size) {
  const int along = is_by_rows(layout) ? 0 : 1;
  const Tensor places = raw_indices(from), line = thpp::contiguous(thpp::select(places, 0, along));
  const auto [begins, order] = thpp::_sparse_group(line, from.size(along));
  return compressed(layout, begins, thpp::index_select(thpp::select(places, 0, 1 - along), 0, order),
                    thpp::index_select(raw_values(from), 0, order), size);
}

// The same of a matrix that stands by the other lines.
Tensor turned(const Tensor &self, THLayout layout) {
  const auto [begins, across, values] = thpp::_sparse_turn(self);
  return compressed(layout, begins, across, values, self.sizes());
}
bool is_other(THLayout layout, THLayout to) {
  return (layout == TH_SPARSE_CSR && to == TH_SPARSE_CSC) || (layout == TH_SPARSE_CSC && to == TH_SPARSE_CSR);
}

// A coalesced tensor of two sparse dimensions, whose entries may be blocks: their places are those of blocks.
Tensor compress(const Tensor &self, THLayout layout, IntList size) {
  if (!is_by_rows(layout)) return by_lines(self, layout, size);
  const Tensor places = raw_indices(self);
  const Tensor begins = thpp::_sparse_compress(thpp::contiguous(thpp::select(places, 0, 0)), self.size(0));
  return compressed(layout, begins, thpp::contiguous(thpp::select(places, 0, 1)), raw_values(self), size);
}

void check_blocks(IntList size, IntList block) {
  for (size_t d = 0; d < 2; ++d)
    if (block[d] < 1 || size[d] % block[d])
      THError(TH_ERROR_RUNTIME, "tensor sparse size (%lld,%lld) must be divisible by given blocksize (%lld,%lld)",
              (long long)size[0], (long long)size[1], (long long)block[0], (long long)block[1]);
}

// Coordinates of blocks, each with its elements, of a tensor of two sparse dimensions.
Tensor blocks_of(const Tensor &self, IntList block) {
  check_blocks(self.sizes(), block);
  const Tensor from = thpp::coalesce(self), places = raw_indices(from), values = raw_values(from);
  const Tensor sizes = thpp::stack(std::vector<Tensor>{thpp::full({1}, Scalar(block[0]), TH_Long, self.device()),
                                                       thpp::full({1}, Scalar(block[1]), TH_Long, self.device())},
                                   0);
  const Tensor outer = thpp::div(places, sizes, "floor"), inner = thpp::remainder(places, sizes);
  const std::vector<int64_t> grid{self.size(0) / block[0], self.size(1) / block[1]};
  const Tensor pattern = thpp::coalesce(coo(outer, thpp::ones({places.size(1)}, TH_Bool, self.device()), grid, false));
  const std::vector<int64_t> shape = joined({nnz(pattern), block[0], block[1]}, rest(self.sizes(), 2));
  const Tensor filled = thpp::zeros(shape, self.dtype(), self.device());
  thpp::index_put_(
      filled,
      std::vector<Tensor>{thpp::_sparse_find(pattern, outer), thpp::select(inner, 0, 0), thpp::select(inner, 0, 1)},
      values, false);
  return coo(raw_indices(pattern), filled, joined(grid, rest(shape, 1)), true);
}

Tensor matrix_to_compressed(const Tensor &self, THLayout layout, IntList block) {
  return compress(is_blocked(layout) ? blocks_of(self, block) : thpp::coalesce(self), layout, self.sizes());
}

}  // namespace

Tensor sparse::to_coo(const Tensor &t) {
  if (is_coo(t)) return t;
  const bool in_order = t.layout() == TH_SPARSE_CSR;
  return coo(places_of(t), entries_of(t, thpp::_values(t)), t.sizes(), in_order);
}

Tensor sparse::in_layout_of(const Tensor &t, const Tensor &like) {
  if (!is_sparse(like)) return is_sparse(t) ? thpp::_to_dense(t) : t;
  if (is_coo(like)) return is_coo(t) ? t : thpp::_to_sparse(t, sparse_dims(like));
  const auto [height, width] = block_of(like);
  if (t.layout() == like.layout() && block_of(t) == block_of(like)) return t;
  if (!is_blocked(like.layout())) return thpp::_to_sparse_compressed(t, like.layout(), IntList(), dense_dims(like));
  return thpp::_to_sparse_compressed(t, like.layout(), {height, width}, dense_dims(like));
}

Tensor body::coalesce(const Tensor &self) {
  THSTensor_checkCoordinates(self.get(), "coalesce");
  THSTensor_checkBounds(self.get());
  if (coalesced(self)) return self;
  const auto [places, values] = thpp::_sparse_coalesce(self);
  return coo(places, values, self.sizes(), true);
}

Tensor body::_to_dense(const Tensor &self, std::optional<THDtype> dtype, std::optional<bool>) {
  const Tensor from = dtype ? thpp::to(self, *dtype) : self;
  if (!is_sparse(from)) return from;
  return coo_to_dense(to_coo(from));
}

Tensor body::_to_sparse(const Tensor &self, int64_t sparse_dim) {
  if (!is_sparse(self)) return strided_to_coo(self, sparse_dim);
  const Tensor made = to_coo(self);
  if (sparse_dim < 0) return made;
  if (sparse_dim > self.dim() || (sparse_dim == 0 && self.dim() > 0)) return strided_to_coo(on_meta(self), sparse_dim);
  return regridded(made, sparse_dim);
}

Tensor body::_to_sparse_compressed(const Tensor &self, int64_t layout, IntList blocksize, int64_t dense_dim) {
  const THLayout to = compressed_layout(layout);
  if (is_blocked(to) != (blocksize.size() == 2))
    THError(TH_ERROR_RUNTIME, "a tensor of layout torch.%s has %s, got blocksize %s", name_of(to),
            is_blocked(to) ? "blocks of two sizes" : "no blocks", text(blocksize).c_str());
  if (is_sparse(self)) {
    if (is_other(self.layout(), to) && !batch_dims(self)) return turned(self, to);
    const Tensor from = to_coo(self);
    if (sparse_dims(from) == 2) return matrix_to_compressed(from, to, blocksize);
    if (is_coo(self))
      THError(TH_ERROR_RUNTIME, "conversion from Sparse to %s for input tensors with sparse_dim()!=2 is not supported",
              name_of(to));
    return thpp::_to_sparse_compressed(coo_to_dense(from), layout, blocksize, dense_dims(self));
  }
  const int64_t dense = std::max<int64_t>(0, dense_dim), batch = self.dim() - dense - 2;
  if (batch < 0)
    THError(TH_ERROR_RUNTIME,
            "to_sparse_%s: expected a tensor of two dimensions or more besides %lld dense ones, got size %s",
            name_of(to) + 7, (long long)dense, text(self.sizes()).c_str());
  const auto convert = [&](const Tensor &matrix) {
    return matrix_to_compressed(strided_to_coo(matrix, 2), to, blocksize);
  };
  return batch ? by_matrices(self, int(batch), to, convert) : convert(self);
}

std::tuple<Tensor, Tensor, Tensor> fallback::sparse_turn(const Tensor &self) {
  const Tensor made = by_lines(to_coo(self), self.layout() == TH_SPARSE_CSR ? TH_SPARSE_CSC : TH_SPARSE_CSR,
                               self.sizes());
  return {raw_indices(made), raw_plain(made), raw_values(made)};
}

Tensor body::_sparse_sample(const Tensor &self, const Tensor &like) {
  const Tensor places = places_of(like), kept = raw_values(like);
  const int64_t sparse = places.size(0);
  Tensor found;
  if (!is_sparse(self) || sparse_dims(to_coo(self)) != sparse) {
    const Tensor dense = thpp::_to_dense(self);
    const IntList sizes = dense.sizes();
    const Tensor flat = thpp::reshape(dense, joined({product(first(sizes, sparse))}, rest(sizes, sparse)));
    found = thpp::index_select(flat, 0, keys_of(places, sizes));
  } else {
    const Tensor from = to_coalesced(self), values = raw_values(from);
    if (!nnz(from)) {
      found = thpp::zeros(joined({places.size(1)}, rest(values.sizes(), 1)), values.dtype(), values.device());
    } else {
      const Tensor at = thpp::_sparse_find(from, places);
      found = thpp::index_select(values, 0, thpp::clamp_min(at, wrapped_number(int64_t(0))));
      const Tensor missing = thpp::nonzero(thpp::lt(at, wrapped_number(int64_t(0))));
      if (missing.size(0)) thpp::index_fill_(found, 0, thpp::view(missing, {-1}), wrapped_number(int64_t(0)));
    }
  }
  return is_coo(like) ? found : thpp::reshape(found, kept.sizes());
}

Tensor body::sparse_mask(const Tensor &self, const Tensor &mask) {
  if (!is_sparse(mask)) THError(TH_ERROR_RUNTIME, "sparse_mask: mask has to be a sparse tensor, got a strided one");
  if (!std::ranges::equal(self.sizes(), mask.sizes()))
    THError(TH_ERROR_RUNTIME, "sparse_mask(): operands have incompatible sizes; self has size %s but mask has size %s",
            text(self.sizes()).c_str(), text(mask.sizes()).c_str());
  const Tensor at = distinct(mask);
  return thpp::_sparse_with_values(at, thpp::_sparse_sample(self, at));
}

Tensor body::_sparse_sparse_matmul(const Tensor &self, const Tensor &mat2) {
  const auto csr = [](const Tensor &t) {
    return t.layout() == TH_SPARSE_CSR ? t : thpp::_to_sparse_compressed(t, TH_SPARSE_CSR);
  };
  const auto [begins, across, values] = thpp::_sparse_spgemm(csr(self), csr(mat2));
  const Tensor made = compressed(TH_SPARSE_CSR, begins, across, values, {self.size(0), mat2.size(1)});
  return is_coo(self) ? in_layout_of(made, self) : made;
}

}  // namespace thpp
