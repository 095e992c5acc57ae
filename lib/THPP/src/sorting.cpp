// Sorting that is more than one kernel.
#include "results.h"

#include "bodies.h"

namespace thpp {

namespace {

// The signed dtype of the same width.
THDtype signed_dtype(THDtype dtype) {
  return dtype == TH_UInt16 ? TH_Short : dtype == TH_UInt32 ? TH_Int : TH_Long;
}

// Numbers as `as`, another dtype of the same width, with the first bit flipped: unsigned ones become signed ones in the
// same order, and signed ones what they were.
Tensor with_first_bit_flipped(const Tensor &self, THDtype as) {
  const THDtype bits = is_signed(as) ? as : self.dtype();
  const int64_t bit = -(int64_t(1) << (8 * TH_elementSize(bits) - 1));
  return thpp::view_dtype(thpp::bitwise_xor(thpp::view_dtype(self, bits), wrapped_number(bit)), as);
}

// There are no kernels for unsigned integers wider than 8 bits.
void sort_unsigned(Tensor &values, Tensor &indices, const Tensor &self, int64_t dim, bool descending, bool stable) {
  exact_target(values, self.device(), self.dtype());
  Tensor sorted;
  thpp::_sort_out(sorted, indices, with_first_bit_flipped(self, signed_dtype(self.dtype())), dim, descending, stable);
  write_out(values, with_first_bit_flipped(sorted, self.dtype()));
}

}  // namespace

void body::sort_out(Tensor &values, Tensor &indices, const Tensor &self, int64_t dim, bool descending,
                    std::optional<bool> stable) {
  TH_wrapDim(dim, self.dim());  // refused before the dtype is
  if (!values.defined()) values = thpp::empty_like(self);  // keeps the order of strides
  if (!indices.defined()) indices = thpp::empty_like(self, TH_Long);
  if (is_wide_unsigned(self.dtype()))
    return sort_unsigned(values, indices, self, dim, descending, stable.value_or(false));
  thpp::_sort_out(values, indices, self, dim, descending, stable.value_or(false));
}

Tensor body::argsort(const Tensor &self, int64_t dim, bool descending) {
  return std::get<1>(thpp::sort(self, dim, descending));
}

void body::argsort_out(Tensor &out, const Tensor &self, bool stable, int64_t dim, bool descending) {
  Tensor values;
  thpp::sort_out(values, out, self, dim, descending, stable);
}

}  // namespace thpp
