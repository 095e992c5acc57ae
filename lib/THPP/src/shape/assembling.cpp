// Grids and combinations, parts, shapes changed in place, tensors by a formula.
#include "results.h"

#include <array>
#include <cstring>
#include <numeric>

#include <THPP/Meta.h>
#include "bodies.h"
#include "guard.h"

namespace thpp {

Tensor body::block_diag(TensorList tensors) {
  if (tensors.empty()) return thpp::empty({1, 0});
  int64_t rows = 0, columns = 0;
  const auto height = [](const Tensor &t) { return t.dim() == 2 ? t.size(0) : int64_t(1); };
  const auto width = [](const Tensor &t) { return t.dim() == 0 ? int64_t(1) : t.size(t.dim() - 1); };
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (tensors[i].dim() > 2)
      THError(TH_ERROR_RUNTIME,
              "torch.block_diag: Input tensors must have 2 or fewer dimensions. Input %zu has %d dimensions", i,
              tensors[i].dim());
    rows += height(tensors[i]);
    columns += width(tensors[i]);
  }
  const Tensor result = thpp::new_zeros(tensors[0], {rows, columns}, promote(tensors));
  int64_t row = 0, column = 0;
  for (const Tensor &tensor : tensors) {
    const int64_t h = height(tensor), w = width(tensor);
    thpp::copy_(thpp::narrow(thpp::narrow(result, 0, row, h), 1, column, w), tensor, false);
    row += h;
    column += w;
  }
  return result;
}

std::vector<Tensor> body::meshgrid(TensorList tensors, const char *indexing) {
  if (tensors.empty()) THError(TH_ERROR_RUNTIME, "meshgrid expects a non-empty TensorList");
  for (const Tensor &tensor : tensors) {
    if (tensor.dim() > 1)
      THError(TH_ERROR_RUNTIME, "torch.meshgrid: Expected 0D or 1D tensor in the tensor list but got: %s",
              shape_text(tensor).c_str());
    if (tensor.dtype() != tensors[0].dtype())
      THError(TH_ERROR_RUNTIME, "torch.meshgrid expects all tensors to have the same dtype");
  }
  if (!indexing) warn("torch.meshgrid: without the indexing argument, which should be passed, it is \"ij\".");
  const bool xy = indexing && !std::strcmp(indexing, "xy");
  if (indexing && !xy && std::strcmp(indexing, "ij"))
    THError(TH_ERROR_RUNTIME, "torch.meshgrid: indexing must be one of \"xy\" or \"ij\", but received: %s", indexing);
  std::vector<Tensor> vectors(tensors.begin(), tensors.end());
  const bool swapped = xy && vectors.size() > 1;
  if (swapped) std::swap(vectors[0], vectors[1]);
  std::vector<int64_t> shape, own(vectors.size(), 1);
  for (const Tensor &vector : vectors) shape.push_back(vector.numel());
  for (size_t i = 0; i < vectors.size(); ++i) {
    own[i] = -1;
    vectors[i] = thpp::expand(thpp::view(vectors[i], own), shape);
    own[i] = 1;
  }
  if (swapped) std::swap(vectors[0], vectors[1]);
  return vectors;
}

Tensor body::cartesian_prod(TensorList tensors) {
  for (const Tensor &tensor : tensors)
    if (tensor.dim() != 1)
      THError(TH_ERROR_RUNTIME, "Expect a 1D vector, but got shape %s", shape_text(tensor).c_str());
  if (tensors.size() == 1) return tensors[0];
  std::vector<Tensor> columns = thpp::meshgrid(tensors, "ij");
  for (Tensor &column : columns) column = thpp::flatten(column, 0, -1);
  return thpp::stack(columns, 1);
}

Tensor body::combinations(const Tensor &self, int64_t r, bool with_replacement) {
  if (self.dim() != 1) THError(TH_ERROR_RUNTIME, "Expect a 1D vector, but got shape %s", shape_text(self).c_str());
  if (r < 0) THError(TH_ERROR_RUNTIME, "Expect a non-negative number, but got %lld", (long long)r);
  if (r == 0) return thpp::new_empty(self, {0});
  const int64_t n = self.numel(), top = with_replacement ? TH_saturatedSum(n, r - 1) : n;
  // Their number is the binomial coefficient of `top` and r.
  __int128 count = top >= r;
  const int64_t chosen = std::min(r, top - r);  // or left out
  for (int64_t i = 1; i <= chosen && count < (__int128(1) << 62); ++i) count = count * (top - chosen + i) / i;
  if (n == 0) count = 0;
  if (count > INT64_MAX / r)
    THError(TH_ERROR_RUNTIME, "combinations: %lld of %lld are too many", (long long)r, (long long)n);
  const Tensor index = Tensor::steal(THTensor_newWithSize(TH_Long, 1, std::array{int64_t(count) * r}.data()));
  std::vector<int64_t> now(r, 0);
  if (!with_replacement) std::iota(now.begin(), now.end(), 0);
  int64_t *to = index.data<int64_t>();
  for (int64_t k = 0; k < int64_t(count); ++k) {
    to = std::ranges::copy(now, to).out;
    int64_t i = r - 1;  // the last place that can still go up
    while (i >= 0 && now[i] == (with_replacement ? n - 1 : n - r + i)) --i;
    if (i < 0) break;
    ++now[i];
    for (int64_t j = i + 1; j < r; ++j) now[j] = with_replacement ? now[i] : now[j - 1] + 1;
  }
  return thpp::view(thpp::index_select(self, 0, thpp::to(index, TH_Long, false, self.device())), {int64_t(count), r});
}

// ---- parts ---------------------------------------------------------------------------------------
std::vector<Tensor> body::tensor_split(const Tensor &self, int64_t sections, int64_t dim) {
  if (self.dim() == 0)
    THError(TH_ERROR_RUNTIME, "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
  const int d = wrap(dim, self);
  if (sections <= 0)
    THError(TH_ERROR_RUNTIME, "number of sections must be larger than 0, got %lld", (long long)sections);
  std::vector<Tensor> result;
  result.reserve(sections);  // too many are refused here, not when the memory is full
  const int64_t least = self.size(d) / sections, longer = self.size(d) % sections;
  for (int64_t i = 0, first = 0; i < sections; ++i) {
    const int64_t length = least + (i < longer);
    result.push_back(thpp::narrow(self, d, first, length));
    first += length;
  }
  return result;
}

std::vector<Tensor> body::tensor_split(const Tensor &self, IntList indices, int64_t dim) {
  if (self.dim() == 0)
    THError(TH_ERROR_RUNTIME, "tensor_split expected at least a 1-dimensional tensor, but got a tensor with 0 dims");
  const int d = wrap(dim, self);
  std::vector<Tensor> result;
  result.reserve(indices.size() + 1);
  int64_t first = 0;
  for (int64_t last : indices) {
    result.push_back(thpp::slice(self, d, first, last, 1));
    first = last;
  }
  result.push_back(thpp::slice(self, d, first, self.size(d), 1));
  return result;
}

std::vector<Tensor> body::tensor_split(const Tensor &self, const Tensor &where, int64_t dim) {
  if (where.dtype() != TH_Long)
    THError(TH_ERROR_RUNTIME, "tensor_split expected tensor_indices_or_sections to have dtype of long, but got %s",
            TH_typeName(where.dtype()));
  if (where.dim() > 1)
    THError(TH_ERROR_RUNTIME,
            "tensor_split expected tensor_indices_or_sections to be a zero-dimensional or one-dimensional tensor, but "
            "got a tensor with %d dims",
            where.dim());
  if (!is_host_memory(where.device()))
    THError(TH_ERROR_RUNTIME, "tensor_split expected tensor_indices_or_sections to be on cpu, but it's on %s",
            TH_deviceName(THDeviceKind(where.device().kind)));
  if (where.dim() == 0) return thpp::tensor_split(self, where.item().to_int(), dim);
  const Tensor plain = thpp::contiguous(where);
  return thpp::tensor_split(self, IntList(plain.data<int64_t>(), size_t(plain.numel())), dim);
}

namespace {

// hsplit, vsplit and dsplit.
int split_dim(const Tensor &self, const char *name, int least) {
  if (self.dim() < least)
    THError(TH_ERROR_RUNTIME,
            "torch.%s requires a tensor with at least %d dimension, but got a tensor with %d dimensions!", name, least,
            self.dim());
  return least == 1 ? self.dim() > 1 : least == 2 ? 0 : 2;
}
std::vector<Tensor> split_even(const Tensor &self, const char *name, int least, int64_t sections) {
  const int d = split_dim(self, name, least);
  if (sections == 0 || self.size(d) % sections != 0)
    THError(
        TH_ERROR_RUNTIME,
        "torch.%s attempted to split along dimension %d, but the size of the dimension %lld is not divisible by the "
        "split_size %lld!",
        name, d, (long long)self.size(d), (long long)sections);
  return thpp::tensor_split(self, sections, d);
}

}  // namespace

std::vector<Tensor> body::hsplit(const Tensor &self, int64_t sections) {
  return split_even(self, "hsplit", 1, sections);
}
std::vector<Tensor> body::vsplit(const Tensor &self, int64_t sections) {
  return split_even(self, "vsplit", 2, sections);
}
std::vector<Tensor> body::dsplit(const Tensor &self, int64_t sections) {
  return split_even(self, "dsplit", 3, sections);
}
std::vector<Tensor> body::hsplit(const Tensor &self, IntList indices) {
  return thpp::tensor_split(self, indices, split_dim(self, "hsplit", 1));
}
std::vector<Tensor> body::vsplit(const Tensor &self, IntList indices) {
  return thpp::tensor_split(self, indices, split_dim(self, "vsplit", 2));
}
std::vector<Tensor> body::dsplit(const Tensor &self, IntList indices) {
  return thpp::tensor_split(self, indices, split_dim(self, "dsplit", 3));
}

std::vector<Tensor> body::unsafe_split(const Tensor &self, int64_t split_size, int64_t dim) {
  std::vector<Tensor> parts = thpp::split(self, split_size, dim);
  forget_any_base(parts);
  return parts;
}
std::vector<Tensor> body::unsafe_chunk(const Tensor &self, int64_t chunks, int64_t dim) {
  if (self.dim() == 0) THError(TH_ERROR_RUNTIME, "chunk expects at least a 1-dimensional tensor");
  if (chunks <= 0)
    THError(TH_ERROR_RUNTIME, "chunk expects `chunks` to be greater than 0, got: %lld", (long long)chunks);
  const int64_t total = self.size(wrap(dim, self));
  if (total == 0) return thpp::unsafe_split_with_sizes(self, std::vector<int64_t>(chunks, 0), dim);
  return thpp::unsafe_split(self, (total - 1) / chunks + 1, dim);
}

Tensor body::unflatten(const Tensor &self, int64_t dim, IntList sizes) {
  const int d = wrap(dim, self);
  if (sizes.empty()) THError(TH_ERROR_RUNTIME, "unflatten: sizes must be non-empty");
  if (self.dim() == 0) THError(TH_ERROR_RUNTIME, "unflatten: a 0-dim tensor has no dimension to split");
  const int64_t length = self.size(d);
  int64_t product = 1, open = 0;
  for (int64_t size : sizes) {
    if (size < -1) THError(TH_ERROR_RUNTIME, "invalid shape dimension %lld", (long long)size);
    size == -1 ? ++open : product = TH_saturatedProduct(product, size);
  }
  if (open > 1) THError(TH_ERROR_RUNTIME, "unflatten: only one dimension can be inferred");
  if (open ? product == 0 || length % product : product != length)
    THError(TH_ERROR_RUNTIME,
            "unflatten: Provided sizes %s don't multiply up to the size of dim %d (%lld) in the input tensor",
            text(sizes).c_str(), d, (long long)length);
  std::vector<int64_t> shape(self.sizes().begin(), self.sizes().begin() + d);
  for (int64_t size : sizes) shape.push_back(size == -1 ? length / product : size);
  shape.insert(shape.end(), self.sizes().begin() + d + 1, self.sizes().end());
  return thpp::view(self, shape);
}

void body::narrow_copy_out(Tensor &out, const Tensor &self, int64_t dim, int64_t start, int64_t length) {
  const Tensor part = thpp::narrow(self, self.dim() ? dim : 0, start, length);
  write_out_exact(out, out.defined() ? part : thpp::clone(part, MemoryFormat::Contiguous));
}

// ---- changes of this tensor's own shape ----------------------------------------------------------
namespace {

const Tensor &become(const Tensor &self, const Tensor &view) {
  thpp::set_(self, view);
  return self;
}

}  // namespace

const Tensor &body::resize_(const Tensor &self, IntList size, std::optional<MemoryFormat> format) {
  writable(self);
  if (guard_flags(self) & TH_RECORDED) THError(TH_ERROR_RUNTIME, "cannot resize variables that require grad");
  if (format == MemoryFormat::Preserve)
    THError(TH_ERROR_RUNTIME, "resize_(): unsupported memory format Preserve, as the new shape has no strides yet");
  std::vector<int64_t> stride;
  if (format && channels_last(*format)) stride = format_strides(*format, size);
  const bool other = !std::ranges::equal(self.sizes(), size);
  thpp::_resize_(self, size);
  if (format == MemoryFormat::Contiguous && !self.is_contiguous()) {  // the same shape keeps its strides
    thpp::_resize_(self, {0});
    thpp::_resize_(self, size);
  }
  if (!stride.empty()) thpp::_set_(self, thpp::as_strided(self, size, stride));
  if (other) self.bump_version();
  return self;
}
const Tensor &body::resize_as_(const Tensor &self, const Tensor &the_template, std::optional<MemoryFormat> format) {
  const std::vector<int64_t> size = list(the_template.sizes());
  return thpp::resize_(self, size, format == MemoryFormat::Preserve ? the_template.suggest_memory_format() : format);
}
const Tensor &body::squeeze_(const Tensor &self) { return become(self, thpp::squeeze(self)); }
const Tensor &body::squeeze_(const Tensor &self, IntList dim) { return become(self, thpp::squeeze(self, dim)); }
const Tensor &body::unsqueeze_(const Tensor &self, int64_t dim) { return become(self, thpp::unsqueeze(self, dim)); }
const Tensor &body::t_(const Tensor &self) {
  if (self.dim() > 2)
    THError(TH_ERROR_RUNTIME, "t_() expects a tensor with <= 2 dimensions, but self is %dD", self.dim());
  return become(self, thpp::t(self));
}
const Tensor &body::as_strided_(const Tensor &self, IntList size, IntList stride,
                                std::optional<int64_t> storage_offset) {
  return become(self, thpp::as_strided(self, size, stride, storage_offset));
}

Tensor body::sum_to_size(const Tensor &self, IntList size) {
  const int front = self.dim() - int(size.size());
  bool fits = front >= 0;
  std::vector<int64_t> dims;
  for (int d = 0; fits && d < self.dim(); ++d) {
    if (d >= front) fits = size[d - front] == self.size(d) || size[d - front] == 1;
    if (d < front || (size[d - front] == 1 && self.size(d) != 1)) dims.push_back(d);
  }
  if (!fits)
    THError(TH_ERROR_RUNTIME, "size {%s} is not expandable to size {%s}.", text(size).c_str(),
            shape_text(self).c_str());
  if (size.empty()) return thpp::sum(self);
  return dims.empty() ? self : thpp::view(thpp::sum(self, dims, true, std::nullopt), size);
}

std::vector<Tensor> body::unsafe_split_with_sizes(const Tensor &self, IntList split_sizes, int64_t dim) {
  std::vector<Tensor> parts = thpp::split_with_sizes(self, split_sizes, dim);
  forget_any_base(parts);
  return parts;
}

// ---- made from nothing ---------------------------------------------------------------------------
Tensor body::empty_with_strides(IntList size, IntList stride, std::optional<THDtype> dtype,
                                std::optional<THDevice> device) {
  if (size.size() != stride.size())
    THError(TH_ERROR_RUNTIME, "mismatch in length of strides and shape: got %zu sizes and %zu strides", size.size(),
            stride.size());
  TH_numel(int(size.size()), size.data());
  for (int64_t step : stride)
    if (step < 0) THError(TH_ERROR_RUNTIME, "Trying to create tensor with negative stride: %s", text(stride).c_str());
  return empty_strided(dtype.value_or(default_dtype()), size, stride, device.value_or(THDevice{}));
}

void body::range_out(Tensor &out, const Scalar &start, const Scalar &end, const Scalar &step,
                     std::optional<THDtype> dtype, std::optional<THDevice> device) {
  warn("torch.range is deprecated: it includes `end`, as Python's range does not. torch.arange leaves it out.");
  typed(out, dtype, default_dtype(), device);
  thpp::_range_out(out, start, end, step);
}

void body::logspace_out(Tensor &out, const Scalar &start, const Scalar &end, int64_t steps, double base,
                        std::optional<THDtype> dtype, std::optional<THDevice> device) {
  THCheck_steps(steps);
  typed(out, dtype, default_dtype(), device);
  thpp::_logspace_out(out, start, end, steps, base);
}

}  // namespace thpp
