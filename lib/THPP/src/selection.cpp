// Elements chosen by indices and masks.
#include "results.h"

#include "bodies.h"

namespace thpp {

void body::nonzero_out(Tensor &out, const Tensor &self) { thpp::_nonzero_out(out, self); }

std::variant<Tensor, std::vector<Tensor>> body::nonzero(const Tensor &self, bool as_tuple) {
  if (as_tuple) return thpp::where(self);
  return thpp::nonzero(self);
}

std::vector<Tensor> body::where(const Tensor &condition) {
  return thpp::unbind(thpp::nonzero(condition.dim() ? condition : thpp::unsqueeze(condition, 0)), 1);
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
    exact_target(out, self.dtype());
    thpp::_resize_as_(out, source);
    thpp::_copy_(out, source);
  }
  thpp::_masked_fill_(out, mask, value.item());
}

void body::scatter_out(Tensor &out, const Tensor &self, int64_t dim, const Tensor &index, const Tensor &src) {
  const int d = TH_wrapDim(dim, self.dim());
  scattered(out, self, [&](const Tensor &to) { thpp::_scatter_(to, d, index, src); });
}
void body::scatter_out(Tensor &out, const Tensor &self, int64_t dim, const Tensor &index, const Scalar &value) {
  const int d = TH_wrapDim(dim, self.dim());
  scattered(out, self, [&](const Tensor &to) { thpp::_scatter_fill_(to, d, index, value); });
}

void body::index_fill_out(Tensor &out, const Tensor &self, int64_t dim, const Tensor &index, const Tensor &value) {
  const int d = TH_wrapDim(dim, self.dim());
  if (value.dim() != 0)
    THError(TH_ERROR_RUNTIME,
            "index_fill_ only supports a 0-dimensional value tensor, but got tensor with %d dimension(s).",
            value.dim());
  if (is_complex(value.dtype()) && !is_complex(self.dtype()))
    THError(TH_ERROR_RUNTIME, "index_fill_(): Converting complex Scalar to non-complex type is not supported");
  scattered(out, self, [&](const Tensor &to) { thpp::_index_fill_(to, d, index, value.item()); });
}

Tensor body::flip(const Tensor &self, IntList dims) {
  const Tensor result = thpp::empty_like(self);
  const uint64_t mask = dim_mask(dims, self.dim());
  THTensor_flip(result.get(), self.get(), dims.empty() ? 0 : mask);
  return result;
}

void body::take_out(Tensor &out, const Tensor &self, const Tensor &index) {
  if (index.dtype() != TH_Long)
    THError(TH_ERROR_RUNTIME, "take(): Expected a long tensor for index, but got torch.%s",
            TH_dtypeName(index.dtype()));
  const int64_t n = self.numel();
  if (index.numel()) {
    const int64_t least = thpp::amin(index).item().to_int(), greatest = thpp::amax(index).item().to_int();
    if (least < -n || greatest >= n)
      THError(TH_ERROR_INDEX, "out of range: tried to access index %lld on a tensor of %lld elements.",
              (long long)(least < -n ? least : greatest), (long long)n);
  }
  const Tensor flat = thpp::ravel(self);
  thpp::_index_out(out, flat, {index});
}

namespace {

// The index tensors that TH takes: a mask (bool, uint8) becomes one tensor for each of its
// dimensions.
std::vector<Tensor> integer_indices(const Tensor &self, TensorList indices) {
  std::vector<Tensor> result;
  for (const Tensor &index : indices) {
    if (!index.defined() || (index.dtype() != TH_Bool && index.dtype() != TH_Byte)) {
      if (index.defined() && TH_kind(index.dtype()) == TH_KIND_float)
        THError(TH_ERROR_INDEX, "tensors used as indices must be long, int, byte or bool tensors");
      result.push_back(index);
      continue;
    }
    const int first = int(result.size());
    for (int d = 0; d < index.dim(); ++d)
      if (first + d >= self.dim() || index.size(d) != self.size(first + d))
        THError(TH_ERROR_INDEX,
                "The shape of the mask %s at index %d does not match the shape of the indexed "
                "tensor %s at index %d",
                shape_text(index).c_str(), d, shape_text(self).c_str(), first + d);
    for (Tensor &part : thpp::unbind(thpp::nonzero(index), 1)) result.push_back(std::move(part));
  }
  if (int(result.size()) > self.dim())
    THError(TH_ERROR_INDEX, "too many indices for tensor of dimension %d (got %zu)", self.dim(), result.size());
  return result;
}

}  // namespace

Tensor body::index(const Tensor &self, TensorList indices) {
  const std::vector<Tensor> integers = integer_indices(self, indices);
  return thpp::_index(self, integers);
}

const Tensor &body::index_put_(const Tensor &self, TensorList indices, const Tensor &values, bool accumulate) {
  if (values.dtype() != self.dtype())
    THError(TH_ERROR_RUNTIME,
            "Index put requires the source and destination dtypes match, got %s for the "
            "destination and %s for the source.",
            TH_typeName(self.dtype()), TH_typeName(values.dtype()));
  const std::vector<Tensor> integers = integer_indices(self, indices);
  thpp::_index_put_(self, integers, values, accumulate);
  return self;
}
Tensor body::index_put(const Tensor &self, TensorList indices, const Tensor &values, bool accumulate) {
  return thpp::index_put_(thpp::clone(self), indices, values, accumulate);
}

void body::nonzero_static_out(Tensor &out, const Tensor &self, int64_t size, int64_t fill_value) {
  if (size < 0) THError(TH_ERROR_RUNTIME, "nonzero_static: 'size' must be an non-negative integer");
  if (out.defined() && out.dtype() != TH_Long)
    THError(TH_ERROR_RUNTIME, "nonzero_static: Expected out tensor to have scalar type Long but got scalar type%s",
            TH_typeName(out.dtype()));
  const Tensor all = thpp::nonzero(self);
  const int64_t rows = std::min(size, all.size(0));
  const Tensor result = thpp::full({size, int64_t(self.dim())}, fill_value, TH_Long);
  thpp::copy_(thpp::narrow(result, 0, 0, rows), thpp::narrow(all, 0, 0, rows), false);
  store(out, result);
}

}  // namespace thpp
