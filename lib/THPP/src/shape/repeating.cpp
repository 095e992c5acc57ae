// Repeating, rolling and turning; diagonals and triangles.
#include "results.h"

#include "bodies.h"

namespace thpp {

Tensor body::repeat(const Tensor &self, IntList repeats) {
  const int n = int(repeats.size()), front = n - self.dim();
  if (front < 0)
    THError(TH_ERROR_RUNTIME,
            "Number of dimensions of repeat dims can not be smaller than number of dimensions of tensor");
  // Each dimension of the result is a pair, (repeat, size); the source is expanded along the repeats.
  std::vector<int64_t> size(n), pairs, stride;
  for (int d = 0; d < n; ++d) {
    const bool own = d >= front;
    const int64_t length = own ? self.size(d - front) : 1;
    size[d] = TH_saturatedProduct(repeats[d], length);
    pairs.insert(pairs.end(), {repeats[d], length});
    stride.insert(stride.end(), {0, own ? self.strides()[d - front] : 0});
  }
  TH_numel(n, size.data());  // refuses negative sizes
  const Tensor result = thpp::new_empty(self, size);
  if (result.numel()) {
    // A dimension that is 1 long or not repeated needs no pair, so that 64 of them suffice.
    std::vector<int64_t> shown, steps;
    for (size_t k = 0; k < pairs.size(); ++k)
      if (pairs[k] != 1) {
        shown.push_back(pairs[k]);
        steps.push_back(stride[k]);
      }
    thpp::copy_(thpp::view(result, shown), thpp::as_strided(self, shown, steps, self.storage_offset()), false);
  }
  return result;
}

Tensor body::tile(const Tensor &self, IntList dims) {
  std::vector<int64_t> repeats(std::max<size_t>(dims.size(), self.dim()), 1);
  std::ranges::copy(dims, repeats.end() - dims.size());
  return thpp::repeat(self, repeats);
}

Tensor body::repeat_interleave(const Tensor &repeats, std::optional<int64_t> output_size) {
  if (repeats.dim() != 1) THError(TH_ERROR_RUNTIME, "repeat_interleave only accept 1D vector as repeat");
  if (repeats.dtype() != TH_Long && repeats.dtype() != TH_Int)
    THError(TH_ERROR_NOT_IMPLEMENTED, "\"repeat_interleave\" not implemented for '%s'", TH_typeName(repeats.dtype()));
  if (!has_values(repeats)) {
    if (!output_size) THError(TH_ERROR_RUNTIME, "cannot repeat_interleave a meta tensor without output_size");
    return thpp::new_empty(repeats, {*output_size});
  }
  const Tensor counts = on_host(thpp::to(repeats, TH_Long));
  const int64_t *const count = counts.data<int64_t>();
  int64_t total = 0;
  for (int64_t i = 0; i < counts.numel(); ++i) {
    if (count[i] < 0) THError(TH_ERROR_RUNTIME, "repeats can not be negative");
    if (__builtin_add_overflow(total, count[i], &total)) THError(TH_ERROR_RUNTIME, "the sum of repeats overflows");
  }
  if (output_size && *output_size != total)
    THError(TH_ERROR_RUNTIME, "allocated size does not match required size: %lld, %lld", (long long)*output_size,
            (long long)total);
  const Tensor result = Tensor::steal(THTensor_newWithSize(TH_Long, 1, &total));
  int64_t *to = result.data<int64_t>();
  for (int64_t i = 0; i < counts.numel(); ++i) to = std::fill_n(to, count[i], i);
  return thpp::to(result, repeats.dtype(), false, repeats.device());
}

Tensor body::repeat_interleave(const Tensor &self, const Tensor &repeats, std::optional<int64_t> dim,
                               std::optional<int64_t> output_size) {
  const Tensor input = dim ? self : thpp::flatten(self, 0, -1);
  const int d = dim ? own_dim(*dim, self) : 0;
  const int64_t length = input.size(d);
  Tensor counts = repeats;
  if (repeats.dim() == 0 || (repeats.dim() == 1 && repeats.numel() == 1))
    counts = thpp::expand(thpp::reshape(repeats, {1}), {length});
  else if (repeats.dim() != 1)
    THError(TH_ERROR_RUNTIME, "repeats must be 0-dim or 1-dim tensor");
  else if (repeats.numel() != length)
    THError(TH_ERROR_RUNTIME,
            "repeats must have the same size as input along dim, but got repeats.size(0) = %lld "
            "and input.size(%d) = %lld",
            (long long)repeats.numel(), d, (long long)length);
  return thpp::index_select(input, d, thpp::repeat_interleave(counts, output_size));
}

Tensor body::repeat_interleave(const Tensor &self, int64_t repeats, std::optional<int64_t> dim,
                               std::optional<int64_t> output_size) {
  if (repeats < 0) THError(TH_ERROR_RUNTIME, "Repeats must be non-negative");
  const Tensor input = dim ? self : thpp::flatten(self, 0, -1);
  const int d = dim ? own_dim(*dim, self) : 0;
  const int64_t length = input.size(d);
  const int64_t total = TH_saturatedProduct(length, repeats);
  if (output_size && *output_size != total)
    THError(TH_ERROR_RUNTIME, "repeat_interleave: Invalid output_size, got %lld but expected %lld",
            (long long)*output_size, (long long)total);
  std::vector<int64_t> size = list(input.sizes());
  size.insert(size.begin() + d + 1, repeats);
  const Tensor wide = thpp::expand(thpp::unsqueeze(input, d + 1), size);
  return thpp::flatten(thpp::clone(wide, MemoryFormat::Contiguous), d, d + 1);
}

namespace {

Tensor rolled(const Tensor &self, int64_t shift, int64_t dim) {
  if (!self.numel()) return thpp::clone(self);
  const int d = own_dim(dim, self);
  const int64_t size = self.size(d), head = (size - shift % size) % size;
  const Tensor parts[] = {thpp::narrow(self, d, head, size - head), thpp::narrow(self, d, 0, head)};
  return thpp::cat(parts, d);
}

}  // namespace

Tensor body::roll(const Tensor &self, IntList shifts, IntList dims) {
  if (shifts.empty()) THError(TH_ERROR_RUNTIME, "`shifts` required");
  if (dims.empty() && shifts.size() == 1) {
    const Tensor flat = thpp::flatten(self, 0, -1);
    return thpp::reshape(rolled(flat, shifts[0], 0), self.sizes());
  }
  if (shifts.size() != dims.size())
    THError(TH_ERROR_RUNTIME, "shifts and dimensions must align. shifts: %zu, dims:%zu", shifts.size(), dims.size());
  Tensor result = self;
  for (size_t i = 0; i < dims.size(); ++i) result = rolled(result, shifts[i], dims[i]);
  return result;
}

Tensor body::rot90(const Tensor &self, int64_t k, IntList dims) {
  const int64_t plane[] = {0, 1};
  if (dims.empty()) dims = IntList(plane, 2);
  const int n = self.dim();
  if (dims.size() != 2) THError(TH_ERROR_RUNTIME, "expected total rotation dims == 2, but got dims = %zu", dims.size());
  if (n < 2) THError(TH_ERROR_RUNTIME, "expected total dims >= 2, but got total dims = %d", n);
  const int a = wrap(dims[0], self), b = wrap(dims[1], self);
  if (a == b)
    THError(TH_ERROR_RUNTIME, "expected rotation dims to be different, but got dim0 = %lld and dim1 = %lld",
            (long long)dims[0], (long long)dims[1]);
  switch ((k % 4 + 4) % 4) {
    case 1: return thpp::transpose(thpp::flip(self, {b}), a, b);
    case 2: return thpp::flip(self, {a, b});
    case 3: return thpp::transpose(thpp::flip(self, {a}), a, b);
    default: return thpp::clone(self, MemoryFormat::Contiguous);
  }
}

Tensor body::fliplr(const Tensor &self) {
  if (self.dim() < 2) THError(TH_ERROR_RUNTIME, "Input must be >= 2-d.");
  return thpp::flip(self, {1});
}
Tensor body::flipud(const Tensor &self) {
  if (self.dim() < 1) THError(TH_ERROR_RUNTIME, "Input must be >= 1-d.");
  return thpp::flip(self, {0});
}

// ---- diagonals -----------------------------------------------------------------------------------
Tensor body::diag_embed(const Tensor &self, int64_t offset, int64_t dim1, int64_t dim2) {
  const int n = self.dim() + 1, a = TH_wrapDim(dim1, n), b = TH_wrapDim(dim2, n);
  if (a == b)
    THError(TH_ERROR_RUNTIME, "diagonal dimensions cannot be identical %lld, %lld", (long long)dim1, (long long)dim2);
  if (self.dim() == 0)
    THError(TH_ERROR_INDEX, "Dimension out of range (expected to be in range of [-1, 0], but got 0)");
  std::vector<int64_t> size(self.sizes().begin(), self.sizes().end() - 1);
  int64_t side;
  if (offset < -std::numeric_limits<int64_t>::max() ||
      __builtin_add_overflow(self.size(self.dim() - 1), std::abs(offset), &side))
    THError(TH_ERROR_RUNTIME, "diag_embed: a diagonal %lld off the main one is out of range", (long long)offset);
  size.insert(size.begin() + std::min(a, b), side);
  size.insert(size.begin() + std::max(a, b), side);
  const Tensor result = thpp::new_zeros(self, size);
  thpp::copy_(thpp::diagonal(result, offset, a, b), self, false);
  return result;
}

void body::diag_out(Tensor &out, const Tensor &self, int64_t diagonal) {
  const Tensor result = thpp::_diag(self, diagonal);  // not into `out`, which may be self
  if (out.defined()) exact_target(out, self.device(), self.dtype());
  write_out(out, result);
}

Tensor body::trace(const Tensor &self) {
  require_kernel("trace", self, kRounded | 1u << TH_Bool);
  THCheck_trace(self.get());
  return thpp::sum(thpp::diagonal(self, 0, 0, 1));
}

const Tensor &body::fill_diagonal_(const Tensor &self, const Scalar &fill_value, bool wrap) {
  const int n = self.dim();
  if (n < 2) THError(TH_ERROR_RUNTIME, "dimensions must larger than 1");
  int64_t least = self.size(0), step = 0;
  for (int d = 0; d < n; ++d) {
    if (n > 2 && self.size(d) != self.size(0))
      THError(TH_ERROR_RUNTIME, "all dimensions of input must be of equal length");
    least = std::min(least, self.size(d));
    step += self.strides()[d];
  }
  const auto fill = [&](int64_t count, int64_t offset) {
    thpp::_fill_(thpp::as_strided(self, {count}, {step}, self.storage_offset() + offset), fill_value);
  };
  if (!self.numel()) return self;
  fill(least, 0);
  if (wrap && n == 2 && self.size(0) > self.size(1) + 1)
    for (int64_t row = self.size(1) + 1; row < self.size(0); row += self.size(1) + 1)
      fill(std::min(self.size(1), self.size(0) - row), row * self.strides()[0]);
  return self;
}

namespace {

__extension__ using Wide = __int128;  // sums of sizes and offsets fit
int64_t within(Wide i, int64_t last) { return int64_t(std::clamp<Wide>(i, 0, last)); }

// Where a triangle's elements are. They are counted without a walk over the rows, which may be many and empty.
template <bool lower>
Tensor triangle_indices(const char *name, int64_t row, int64_t col, Wide offset, THDtype dtype, THDevice device) {
  if (row < 0) THError(TH_ERROR_RUNTIME, "row must be non-negative, got%lld", (long long)row);
  if (col < 0) THError(TH_ERROR_RUNTIME, "col must be non-negative, got%lld", (long long)col);
  if (dtype != TH_Int && dtype != TH_Long) throw_kernel(name, dtype);
  // Of the part that is left of column i + offset in row i: rows before `empty` have nothing in it, from `full` on all.
  if (lower) ++offset;
  const int64_t empty = within(1 - offset, row), full = std::max(empty, within(col - offset, row));
  const Wide growing = full - empty;
  const Wide left = growing * (2 * (empty + offset) + growing - 1) / 2 + Wide(row - full) * col;
  const Wide count = lower ? left : Wide(row) * col - left;
  const int64_t size[] = {2, int64_t(std::min<Wide>(count, std::numeric_limits<int64_t>::max()))};
  if (!count || !has_values(device)) return Tensor::steal(THTensor_newWithSizeOn(device, dtype, 2, size));
  const Tensor result = Tensor::steal(THTensor_newWithSize(TH_Long, 2, size));
  int64_t *rows = result.data<int64_t>(), *columns = rows + size[1];
  for (int64_t i = lower ? empty : 0; i < (lower ? row : full); ++i) {
    const int64_t edge = within(i + offset, col);
    for (int64_t j = lower ? 0 : edge; j < (lower ? edge : col); ++j) *rows++ = i, *columns++ = j;
  }
  return thpp::to(result, dtype, false, device);
}

}  // namespace

Tensor body::tril_indices(int64_t row, int64_t col, int64_t offset, std::optional<THDtype> dtype,
                          std::optional<THDevice> device) {
  return triangle_indices<true>("tril_indices", row, col, offset, dtype.value_or(TH_Long), device.value_or(THDevice{}));
}
Tensor body::triu_indices(int64_t row, int64_t col, int64_t offset, std::optional<THDtype> dtype,
                          std::optional<THDevice> device) {
  return triangle_indices<false>("triu_indices", row, col, offset, dtype.value_or(TH_Long),
                                 device.value_or(THDevice{}));
}

// ---- stacks --------------------------------------------------------------------------------------
Tensor body::atleast_1d(const Tensor &self) { return self.dim() < 1 ? thpp::reshape(self, {1}) : self; }
Tensor body::atleast_2d(const Tensor &self) {
  return self.dim() == 0 ? thpp::reshape(self, {1, 1}) : self.dim() == 1 ? thpp::unsqueeze(self, 0) : self;
}
Tensor body::atleast_3d(const Tensor &self) {
  if (self.dim() == 0) return thpp::reshape(self, {1, 1, 1});
  if (self.dim() == 1) return thpp::unsqueeze(thpp::unsqueeze(self, 0), -1);
  return self.dim() == 2 ? thpp::unsqueeze(self, -1) : self;
}

namespace {

template <class F>
std::vector<Tensor> each(TensorList tensors, const F &f) {
  std::vector<Tensor> result;
  for (const Tensor &tensor : tensors) result.push_back(f(tensor));
  return result;
}
using Change = Tensor(const Tensor &);

void stacked(Tensor &out, const char *name, TensorList tensors, Change *change, int dim) {
  if (tensors.empty()) THError(TH_ERROR_RUNTIME, "%s expects a non-empty TensorList", name);
  const std::vector<Tensor> parts = each(tensors, change);
  thpp::cat_out(out, parts, dim >= 0 ? dim : parts[0].dim() > 1);
}

Tensor as_column(const Tensor &self) { return self.dim() < 2 ? thpp::reshape(self, {self.numel(), 1}) : self; }

}  // namespace

std::vector<Tensor> body::atleast_1d(TensorList tensors) { return each(tensors, static_cast<Change *>(atleast_1d)); }
std::vector<Tensor> body::atleast_2d(TensorList tensors) { return each(tensors, static_cast<Change *>(atleast_2d)); }
std::vector<Tensor> body::atleast_3d(TensorList tensors) { return each(tensors, static_cast<Change *>(atleast_3d)); }

void body::hstack_out(Tensor &out, TensorList tensors) { stacked(out, "hstack", tensors, atleast_1d, -1); }
void body::vstack_out(Tensor &out, TensorList tensors) { stacked(out, "vstack", tensors, atleast_2d, 0); }
void body::dstack_out(Tensor &out, TensorList tensors) { stacked(out, "dstack", tensors, atleast_3d, 2); }
void body::column_stack_out(Tensor &out, TensorList tensors) { stacked(out, "column_stack", tensors, as_column, 1); }

}  // namespace thpp
