// Sorting that is more than one kernel.
#include "results.h"

#include "bodies.h"

namespace thpp {

namespace {

// The signed dtype of the same width.
THDtype signed_dtype(THDtype dtype) { return dtype == TH_UInt16 ? TH_Short : dtype == TH_UInt32 ? TH_Int : TH_Long; }

// Signed numbers with the first bit flipped.
Tensor first_bit_flipped(const Tensor &self) {
  const int64_t bit = int64_t(~uint64_t(0) << (8 * TH_elementSize(self.dtype()) - 1));
  return thpp::bitwise_xor(self, wrapped_number(bit));
}

void sort_unsigned(Tensor &values, Tensor &indices, const Tensor &self, int64_t dim, bool descending, bool stable) {
  exact_target(values, self.device(), self.dtype());
  Tensor sorted;
  thpp::_sort_out(sorted, indices, in_signed_order(self), dim, descending, stable);
  write_out(values, from_signed_order(sorted, self.dtype()));
}

}  // namespace

Tensor in_signed_order(const Tensor &self) {
  return first_bit_flipped(thpp::view_dtype(self, signed_dtype(self.dtype())));
}
Tensor from_signed_order(const Tensor &ordered, THDtype dtype) {
  return thpp::view_dtype(first_bit_flipped(ordered), dtype);
}

void body::sort_out(Tensor &values, Tensor &indices, const Tensor &self, int64_t dim, bool descending,
                    std::optional<bool> stable) {
  TH_wrapDim(dim, self.dim());  // refused before the dtype is
  if (!values.defined()) values = thpp::empty_like(self);  // keeps the order of strides
  if (!indices.defined()) indices = thpp::empty_like(self, TH_Long);
  if (is_wide_unsigned(self.dtype()))
    return sort_unsigned(values, indices, self, dim, descending, stable.value_or(false));
  thpp::_sort_out(values, indices, self, dim, descending, stable.value_or(false));
}

void body::argsort_out(Tensor &out, const Tensor &self, bool stable, int64_t dim, bool descending) {
  Tensor values;
  thpp::sort_out(values, out, self, dim, descending, stable);
}

}  // namespace thpp
