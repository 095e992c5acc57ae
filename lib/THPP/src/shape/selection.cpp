// Elements chosen by indices and masks.
#include "results.h"

#include "bodies.h"

namespace thpp {

void body::nonzero_out(Tensor &out, const Tensor &self) { thpp::_nonzero_out(out, self); }

std::variant<Tensor, std::vector<Tensor>> body::nonzero(const Tensor &self, bool as_tuple) {
  if (as_tuple) return thpp::where(self);
  return thpp::nonzero(self);
}
Tensor body::nonzero(const Tensor &self, bool as_tuple, const Tensor &out) {
  if (as_tuple) THError(TH_ERROR_RUNTIME, "nonzero does not support the out kwarg when as_tuple is True");
  thpp::nonzero_out(in_place(out), self);
  return out;
}

void body::masked_fill_out(Tensor &out, const Tensor &self, const Tensor &mask, const Tensor &value) {
  if (mask.dtype() != TH_Bool)
    THError(TH_ERROR_RUNTIME, "masked_fill only supports boolean masks, but got mask with dtype %s",
            TH_typeName(mask.dtype()));
  if (value.dim() != 0)
    THError(TH_ERROR_RUNTIME,
            "masked_fill only supports a 0-dimensional value tensor, but got tensor with %d "
            "dimension(s).",
            value.dim());
  if (!out.is_same(self)) {
    const Tensor parts[] = {self, mask};
    const Tensor source = thpp::broadcast_tensors(parts)[0];
    exact_target(out, self.device(), self.dtype());
    thpp::_resize_as_(out, source);
    thpp::_copy_(out, source);
  }
  thpp::_masked_fill_(out, mask, number_for(out, value));
}

void body::index_fill_out(Tensor &out, const Tensor &self, int64_t dim, const Tensor &index, const Tensor &value) {
  const int d = TH_wrapDim(dim, self.dim());
  if (value.dim() != 0)
    THError(TH_ERROR_RUNTIME,
            "index_fill_ only supports a 0-dimensional value tensor, but got tensor with %d dimension(s).",
            value.dim());
  if (is_complex(value.dtype()) && !is_complex(self.dtype()))
    THError(TH_ERROR_RUNTIME, "index_fill_(): Converting complex Scalar to non-complex type is not supported");
  scattered(
      out, self, {index}, [&](const Tensor &to) { thpp::_index_fill_(to, d, index, number_for(to, value)); },
      MemoryFormat::Preserve);
}

Tensor body::flip(const Tensor &self, IntList dims) {
  Tensor result = thpp::empty_like(self);
  if (dims.empty())  // which to a reduction means all of them
    thpp::_copy_(result, self);
  else
    thpp::_flip_out(result, self, dims);
  return result;
}

void body::take_out(Tensor &out, const Tensor &self, const Tensor &index) {
  if (index.dtype() != TH_Long)
    THError(TH_ERROR_RUNTIME, "take(): Expected a long tensor for index, but got torch.%s",
            TH_dtypeName(index.dtype()));
  const int64_t n = self.numel();
  if (index.numel() && has_values(index)) {
    const int64_t least = thpp::amin(index).item().to_int(), greatest = thpp::amax(index).item().to_int();
    if (least < -n || greatest >= n)
      THError(TH_ERROR_INDEX, "out of range: tried to access index %lld on a tensor of %lld elements.",
              (long long)(least < -n ? least : greatest), (long long)n);
  }
  if (index.numel()) require_computed("take", self);
  const Tensor flat = thpp::ravel(self);
  thpp::_index_out(out, flat, {index});
}

namespace {

bool is_mask(const Tensor &index) { return index.dtype() == TH_Bool || index.dtype() == TH_Byte; }

// Refuses a mask that is not as large as the dimensions of self that it stands for.
void check_mask_shape(const Tensor &self, const Tensor &mask, int first) {
  for (int d = 0; d < mask.dim(); ++d)
    if (first + d >= self.dim() || mask.size(d) != self.size(first + d))
      THError(TH_ERROR_INDEX,
              "The shape of the mask %s at index %d does not match the shape of the indexed tensor %s at index %d",
              shape_text(mask).c_str(), d, shape_text(self).c_str(), first + d);
}

void check_count(const Tensor &self, size_t count) {
  if (count > size_t(self.dim()))
    THError(TH_ERROR_INDEX, "too many indices for tensor of dimension %d (got %zu)", self.dim(), count);
}

void check_devices_of(const Tensor &self, TensorList indices) {
  for (const Tensor &index : indices)
    if (index.defined() && index.device().kind != TH_CPU && index.device().kind != self.device().kind)
      THError(TH_ERROR_RUNTIME, "indices should be either on cpu or on the same device as the indexed tensor (%s)",
              TH_deviceName(THDeviceKind(self.device().kind)));
}

// The index tensors that TH takes: a mask (bool, uint8) becomes one tensor for each of its dimensions.
std::vector<Tensor> integer_indices(const Tensor &self, TensorList indices) {
  for (const Tensor &index : indices)
    if (index.defined() && !is_mask(index) && index.dtype() != TH_Long && index.dtype() != TH_Int)
      THError(TH_ERROR_INDEX, "tensors used as indices must be long, int, byte or bool tensors");
  std::vector<Tensor> result;
  for (const Tensor &index : indices) {
    if (!index.defined() || !is_mask(index)) {
      result.push_back(index);
      continue;
    }
    if (index.dtype() == TH_Byte)
      warn("indexing with dtype torch.uint8 is now deprecated, please use a dtype torch.bool instead.");
    check_mask_shape(self, index, int(result.size()));
    for (Tensor &part : thpp::unbind(thpp::nonzero(index), 1)) result.push_back(std::move(part));
  }
  check_count(self, result.size());
  return result;
}

// Whether masks among the indices fit where they stand.
void check_masks(const Tensor &self, TensorList indices) {
  size_t d = 0;
  for (const Tensor &index : indices) {
    const bool mask = index.defined() && is_mask(index);
    if (mask) check_mask_shape(self, index, int(d));
    d += mask ? size_t(index.dim()) : 1;
  }
  check_count(self, d);
}

// The mask that is all there is of these indices, as it broadcasts to self; undefined if they are anything else.
Tensor only_mask(const Tensor &self, TensorList indices) {
  Tensor mask;
  int first = 0;
  for (const Tensor &index : indices) {
    if (!index.defined()) {
      first += !mask.defined();
      continue;
    }
    if (mask.defined() || !is_mask(index)) return {};
    mask = index;
  }
  if (!mask.defined()) return mask;
  check_mask_shape(self, mask, first);
  while (mask.dim() < self.dim() - first) mask = thpp::unsqueeze(mask, -1);
  return mask;
}

}  // namespace

Tensor body::index(const Tensor &self, TensorList indices) {
  check_count(self, indices.size());
  check_devices_of(self, indices);
  if (indices.size() == 1 && indices[0].defined() && indices[0].dtype() == TH_Bool && indices[0].dim() &&
      indices[0].dim() == self.dim()) {
    check_mask_shape(self, indices[0], 0);
    return thpp::masked_select(self, indices[0]);
  }
  const std::vector<Tensor> integers = integer_indices(self, indices);
  return thpp::_index(self, integers);
}

const Tensor &body::index_put_(const Tensor &self, TensorList indices, const Tensor &values, bool accumulate) {
  check_count(self, indices.size());
  check_devices_of(self, indices);
  if (!accumulate && values.numel() == 1)
    if (const Tensor mask = only_mask(self, indices); mask.defined())
      return thpp::masked_fill_(self, thpp::to(mask, mask.dtype(), false, self.device()),
                                values.dim() ? thpp::view(values, {}) : values);
  check_apart(self, {&values, 1});
  check_apart(self, indices);
  const auto unknown = [](const Tensor &index) { return index.defined() && is_mask(index) && !has_values(index); };
  if (std::ranges::any_of(indices, unknown)) {  // how many elements they choose depends on values
    check_masks(self, indices);
    return self;
  }
  const std::vector<Tensor> integers = integer_indices(self, indices);
  thpp::_index_put_(self, integers, values, accumulate);
  return self;
}

void body::nonzero_static_out(Tensor &out, const Tensor &self, int64_t size, int64_t fill_value) {
  if (size < 0) THError(TH_ERROR_RUNTIME, "nonzero_static: 'size' must be an non-negative integer");
  if (out.defined() && out.dtype() != TH_Long)
    THError(TH_ERROR_RUNTIME, "nonzero_static: Expected out tensor to have scalar type Long but got scalar type%s",
            TH_typeName(out.dtype()));
  const Tensor result = thpp::new_full(self, {size, int64_t(self.dim())}, fill_value, TH_Long);
  if (has_values(self)) {
    const Tensor all = thpp::nonzero(self);
    const int64_t rows = std::min(size, all.size(0));
    thpp::copy_(thpp::narrow(result, 0, 0, rows), thpp::narrow(all, 0, 0, rows), false);
  }
  write_out(out, result);
}

}  // namespace thpp
