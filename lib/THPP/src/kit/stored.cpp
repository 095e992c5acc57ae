#include "stored.h"

#include "results.h"

namespace thpp {

// Signed numbers with the first bit flipped.
static Tensor first_bit_flipped(const Tensor &self) {
  const int64_t bit = int64_t(~uint64_t(0) << (8 * TH_elementSize(self.dtype()) - 1));
  return thpp::bitwise_xor(self, wrapped_number(bit));
}

Rounded::Rounded(THDtype t, THDtype r, Tensor &out, std::initializer_list<const Tensor *> operands)
    : r_(r), out_(out), needed_(out.defined() && out.dtype() != r) {
  for (const Tensor *operand : operands) needed_ |= operand->defined() && operand->dtype() != t;
  if (!needed_) return;
  const THTensor *handles[std::size(operands_)];
  size_t n = 0;
  for (const Tensor *operand : operands) handles[n++] = operand->get();  // nullptr of one that is not there
  check_pointwise(r, out, {handles, n});
  n = 0;
  for (const Tensor *operand : operands) operands_[n++] = operand->defined() ? thpp::to(*operand, t) : Tensor();
}

Tensor in_signed_order(const Tensor &self) {
  return first_bit_flipped(thpp::view_dtype(self, kernels_of(self.dtype())));
}
Tensor from_signed_order(const Tensor &ordered, THDtype dtype) {
  return thpp::view_dtype(first_bit_flipped(ordered), dtype);
}

Tensor BySigned::operator()(const Tensor &operand) const {
  if (!operand.defined()) return operand;
  if (exact_ && operand.dtype() != t_) throw_dtypes(t_, operand.dtype());
  const Tensor rounded = thpp::to(operand, t_);
  return way_ == Order ? in_signed_order(rounded) : thpp::view_dtype(rounded, dtype());
}

Tensor BySigned::back(const Tensor &result) const {
  return way_ == Order ? from_signed_order(result, t_) : thpp::view_dtype(result, t_);
}

}  // namespace thpp
