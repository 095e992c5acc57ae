// Views, copies, joining and splitting.
#include "results.h"

#include "bodies.h"

namespace thpp {

namespace {

Tensor unsqueezed(const Tensor &self, int dim) { return Tensor::steal(THTensor_newUnsqueeze1d(self.get(), dim)); }

// The memory format of all of them.
MemoryFormat common_format(TensorList tensors) {
  const MemoryFormat first = tensors[0].suggest_memory_format();
  for (const Tensor &tensor : tensors.subspan(1))
    if (tensor.suggest_memory_format() != first) return MemoryFormat::Contiguous;
  return first;
}

}  // namespace

Tensor body::view_dtype(const Tensor &self, THDtype dtype) {
  const int64_t from = int64_t(TH_elementSize(self.dtype())), to = int64_t(TH_elementSize(dtype));
  std::vector<int64_t> size(self.sizes().begin(), self.sizes().end());
  std::vector<int64_t> stride(self.strides().begin(), self.strides().end());
  int64_t offset = self.storage_offset();
  if (from != to) {
    if (size.empty())
      THError(TH_ERROR_RUNTIME, "self.dim() cannot be 0 to view %s as %s (different element sizes)",
              TH_typeName(self.dtype()), TH_typeName(dtype));
    if (stride.back() != 1)
      THError(TH_ERROR_RUNTIME, "self.stride(-1) must be 1 to view %s as %s (different element sizes), but got %lld",
              TH_typeName(self.dtype()), TH_typeName(dtype), (long long)stride.back());
    const auto convert = [&](int64_t n) {  // a count of elements
      if (n * from % to)
        THError(TH_ERROR_RUNTIME, "self's sizes, strides and storage_offset must be divisible by %lld to view %s as %s",
                (long long)(to / from), TH_typeName(self.dtype()), TH_typeName(dtype));
      return n * from / to;
    };
    size.back() = convert(size.back());
    for (size_t d = 0; d + 1 < stride.size(); ++d) stride[d] = convert(stride[d]);
    offset = convert(offset);
  }
  return reinterpreted(self, dtype, offset, size, stride);
}

Tensor body::narrow_at(const Tensor &self, int64_t dim, const Tensor &start, int64_t length) {
  if (start.dim() != 0 || TH_kind(start.dtype()) != TH_KIND_int)
    THError(TH_ERROR_RUNTIME, "start must be an 0-dim integral Tensor, but its shape is %s and its dtype torch.%s",
            shape_text(start).c_str(), TH_dtypeName(start.dtype()));
  return thpp::narrow(self, dim, start.item().to_int(), length);
}

Tensor body::view_as(const Tensor &self, const Tensor &other) { return thpp::view(self, other.sizes()); }
Tensor body::reshape_as(const Tensor &self, const Tensor &other) { return thpp::reshape(self, other.sizes()); }
Tensor body::expand_as(const Tensor &self, const Tensor &other) { return thpp::expand(self, other.sizes()); }

std::vector<Tensor> body::broadcast_tensors(TensorList tensors) {
  int64_t size[TH_MAX_DIM];
  const int ndim = TH_broadcastShape(int(tensors.size()), handles(tensors), size);
  std::vector<Tensor> result;
  const IntList shape(size, size_t(ndim));
  for (const Tensor &tensor : tensors)
    result.push_back(std::ranges::equal(tensor.sizes(), shape) ? tensor : thpp::expand(tensor, shape));
  return result;
}

Tensor body::t(const Tensor &self) {
  if (self.dim() > 2)
    THError(TH_ERROR_RUNTIME, "t() expects a tensor with <= 2 dimensions, but self is %dD", self.dim());
  return self.dim() < 2 ? thpp::alias(self) : thpp::transpose(self, 0, 1);
}

Tensor body::movedim(const Tensor &self, IntList source, IntList destination) {
  const int ndim = self.dim();
  if (source.size() != destination.size())
    THError(TH_ERROR_RUNTIME,
            "movedim: Invalid source or destination dims: source (%zu dims) should contain the "
            "same number of "
            "dims as destination (%zu dims)",
            source.size(), destination.size());
  if (source.empty() || ndim == 0) return thpp::alias(self);
  dim_mask(source, ndim);  // refuses repeated ones
  dim_mask(destination, ndim);
  std::vector<int64_t> order(ndim, -1);
  uint64_t moved = 0;
  for (size_t i = 0; i < source.size(); ++i) {
    order[wrap(destination[i], self)] = wrap(source[i], self);
    moved |= uint64_t(1) << wrap(source[i], self);
  }
  int next = 0;
  for (int64_t &dim : order) {
    if (dim >= 0) continue;
    while (moved >> next & 1) ++next;
    dim = next++;
  }
  return thpp::permute(self, order);
}

Tensor body::select(const Tensor &self, int64_t dim, int64_t index) {
  return thpp::_select(self, self.dim() ? wrap(dim, self) : 0, index);
}

Tensor body::squeeze(const Tensor &self, IntList dim) {
  const uint64_t mask = dim.empty() ? 0 : dim_mask(dim, self.dim());
  Tensor result = thpp::alias(self);
  for (int d = self.dim() - 1; d >= 0; --d)
    if (mask >> d & 1) result = Tensor::steal(THTensor_newSqueeze1d(result.get(), d));
  return result;
}

Tensor body::unsqueeze(const Tensor &self, int64_t dim) { return unsqueezed(self, TH_wrapDim(dim, self.dim() + 1)); }

Tensor body::flatten(const Tensor &self, int64_t start_dim, int64_t end_dim) {
  const int start = wrap(start_dim, self), end = wrap(end_dim, self);
  if (start > end) THError(TH_ERROR_RUNTIME, "flatten() has invalid args: start_dim cannot come after end_dim");
  if (self.dim() == 0) return thpp::reshape(self, {1});
  if (start == end) return self;
  std::vector<int64_t> size(self.sizes().begin(), self.sizes().begin() + start);
  int64_t product = 1;
  for (int d = start; d <= end; ++d) product *= self.size(d);
  size.push_back(product);
  size.insert(size.end(), self.sizes().begin() + end + 1, self.sizes().end());
  return thpp::reshape(self, size);
}
Tensor body::ravel(const Tensor &self) { return thpp::reshape(self, {-1}); }

Tensor body::as_strided(const Tensor &self, IntList size, IntList stride, std::optional<int64_t> storage_offset) {
  if (size.size() != stride.size()) THError(TH_ERROR_RUNTIME, "mismatch in length of strides and shape");
  return Tensor::steal(THTensor_newAsStrided(self.get(), int(size.size()), size.data(), stride.data(),
                                             storage_offset.value_or(self.storage_offset())));
}

std::vector<Tensor> body::unbind(const Tensor &self, int64_t dim) {
  if (self.dim() == 0)
    THError(TH_ERROR_INDEX, "Dimension specified as %lld but tensor has no dimensions", (long long)dim);
  const int d = wrap(dim, self);
  std::vector<Tensor> result;
  result.reserve(self.size(d));
  for (int64_t i = 0; i < self.size(d); ++i) result.push_back(thpp::_select(self, d, i));
  return result;
}

std::vector<Tensor> body::split(const Tensor &self, int64_t split_size, int64_t dim) {
  if (self.dim() == 0) THError(TH_ERROR_RUNTIME, "split expects at least a 1-dimensional tensor");
  const int d = wrap(dim, self);
  const int64_t total = self.size(d);
  if (split_size < 0)
    THError(TH_ERROR_RUNTIME, "split expects split_size be non-negative, but got split_size=%lld",
            (long long)split_size);
  if (split_size == 0 && total != 0)
    THError(TH_ERROR_RUNTIME, "split_size can only be 0 if dimension size is 0, but got dimension size of %lld",
            (long long)total);
  std::vector<Tensor> result;
  result.reserve(total ? (total - 1) / split_size + 1 : 1);
  int64_t first = 0;
  do {
    const int64_t length = std::min(split_size, total - first);
    result.push_back(thpp::narrow(self, d, first, length));
    first += length;
  } while (first < total);
  return result;
}

std::vector<Tensor> body::split(const Tensor &self, IntList sizes, int64_t dim) {
  if (self.dim() == 0) THError(TH_ERROR_RUNTIME, "split expects at least a 1-dimensional tensor");
  const int d = wrap(dim, self);
  int64_t sum = 0;
  for (int64_t size : sizes) {
    if (size < 0) THError(TH_ERROR_RUNTIME, "split_with_sizes expects split_sizes have only non-negative entries");
    sum = TH_saturatedSum(sum, size);
  }
  if (sum != self.size(d))
    THError(TH_ERROR_RUNTIME,
            "split_with_sizes expects split_sizes to sum exactly to %lld (input tensor's size at "
            "dimension %d), but they sum to %lld",
            (long long)self.size(d), d, (long long)sum);
  std::vector<Tensor> result;
  result.reserve(sizes.size());
  int64_t first = 0;
  for (int64_t size : sizes) {
    result.push_back(thpp::narrow(self, d, first, size));
    first += size;
  }
  return result;
}

std::vector<Tensor> body::chunk(const Tensor &self, int64_t chunks, int64_t dim) {
  if (self.dim() == 0) THError(TH_ERROR_RUNTIME, "chunk expects at least a 1-dimensional tensor");
  if (chunks <= 0)
    THError(TH_ERROR_RUNTIME, "chunk expects `chunks` to be greater than 0, got: %lld", (long long)chunks);
  const int64_t total = self.size(wrap(dim, self));
  if (total == 0) return thpp::split(self, std::vector<int64_t>(chunks, 0), dim);
  return thpp::split(self, (total - 1) / chunks + 1, dim);
}

void body::cat_out(Tensor &out, TensorList tensors, int64_t dim) {
  THCheck_cat(int(tensors.size()), handles(tensors));
  int ndim = 0;
  for (const Tensor &tensor : tensors)  // vectors of no elements are skipped
    if (!ndim && (tensor.dim() > 1 || tensor.numel() > 0)) ndim = tensor.dim();
  const THDtype t = promote(tensors);
  if (out.defined() && !can_cast(t, out.dtype()))
    THError(TH_ERROR_TYPE, "torch.cat(): input types can't be cast to the desired output type %s",
            TH_typeName(out.dtype()));
  // Of such vectors alone every dimension will do.
  const int d = ndim ? TH_wrapDim(dim, ndim) : 0;
  const MemoryFormat format = common_format(tensors);
  if (!channels_last(format)) return thpp::_cat_out(out, tensors, d);
  std::vector<int64_t> size = list(tensors[0].sizes());
  for (const Tensor &tensor : tensors.subspan(1)) size[d] += tensor.size(d);
  if (out.defined() && std::ranges::equal(out.sizes(), size)) return thpp::_cat_out(out, tensors, d);
  if (out.defined()) check_apart(out, tensors);
  Tensor fresh = empty_strided(out.defined() ? out.dtype() : t, size, format_strides(format, size),
                               tensors[0].device());
  thpp::_cat_out(fresh, tensors, d);
  if (out.defined()) {
    thpp::_resize_(out, size);
    thpp::_set_(out, thpp::as_strided(out, size, fresh.strides()));
  }
  write_out(out, fresh);
}

void body::stack_out(Tensor &out, TensorList tensors, int64_t dim) {
  if (tensors.empty()) THError(TH_ERROR_RUNTIME, "stack expects a non-empty TensorList");
  const int d = TH_wrapDim(dim, tensors[0].dim() + 1);
  std::vector<Tensor> parts;
  for (size_t i = 0; i < tensors.size(); ++i) {
    if (!THTensor_isSameSizeAs(tensors[0].get(), tensors[i].get()))
      THError(TH_ERROR_RUNTIME, "stack expects each tensor to be equal size, but got %s at entry 0 and %s at entry %zu",
              shape_text(tensors[0]).c_str(), shape_text(tensors[i]).c_str(), i);
    parts.push_back(unsqueezed(tensors[i], d));
  }
  // Joined along a dimension of their own, which is then divided, the tensors keep their format.
  if (!out.defined() && d < tensors[0].dim() && channels_last(common_format(tensors))) {
    std::vector<int64_t> size = list(tensors[0].sizes());
    size.insert(size.begin() + d, int64_t(tensors.size()));
    out = thpp::view(thpp::cat(tensors, d), size);
    return;
  }
  thpp::cat_out(out, parts, d);
}

Tensor body::contiguous(const Tensor &self, MemoryFormat format) {
  if (self.is_contiguous(format)) return self;
  if (format == MemoryFormat::Preserve)
    THError(TH_ERROR_RUNTIME, "contiguous(): preserve memory format is unsupported: it names no layout for the result");
  return thpp::clone(self, format);
}

Tensor body::clone(const Tensor &self, std::optional<MemoryFormat> format) {
  const Tensor result = thpp::empty_like(self, std::nullopt, format);
  thpp::_copy_(result, self);
  return result;
}

Tensor body::to(const Tensor &self, THDtype dtype, bool copy, std::optional<THDevice> device,
                std::optional<MemoryFormat> format) {
  const THDevice from = self.device(), to = device.value_or(from);
  const bool laid_out = !format || format == MemoryFormat::Preserve || format == self.suggest_memory_format();
  if (self.dtype() == dtype && from.kind == to.kind && from.index == to.index && laid_out && !copy) return self;
  warn_if_discards(self.dtype(), dtype);
  return thpp::_to_copy(self, dtype, to, format);
}
Tensor body::_to_copy(const Tensor &self, THDtype dtype, THDevice device, std::optional<MemoryFormat> format) {
  const Tensor result = thpp::empty_like(self, dtype, format, device);
  thpp::_copy_(result, self);
  return result;
}

const Tensor &body::copy_(const Tensor &self, const Tensor &src, bool non_blocking) {
  warn_if_discards(src.dtype(), self.dtype());
  const NonBlocking scope(non_blocking, THDeviceKind(self.device().kind), THDeviceKind(src.device().kind));
  thpp::_copy_(self, src);
  return self;
}

const Tensor &body::fill_(const Tensor &self, const Tensor &value) {
  if (value.dim() != 0)
    THError(TH_ERROR_RUNTIME, "fill_ only supports 0-dimension value tensor but got tensor with %d dimensions.",
            value.dim());
  if (value.is_wrapped_number()) return thpp::_fill_(self, number_for(self, value));
  THTensor_checkDistinct(self.get());  // and what a number of self's dtype cannot hold is converted, not refused
  thpp::_fill_(self, number_for(self, thpp::to(value, self.dtype())));
  return self;
}

}  // namespace thpp
