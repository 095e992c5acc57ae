// Reductions and sorting that are more than one kernel.
#include "results.h"

#include "bodies.h"

namespace thpp {

namespace {

using Search = void (*)(Tensor &, const Tensor &, int64_t, bool, bool);

void search(Tensor &out, const Tensor &self, std::optional<int64_t> dim, bool keepdim, const char *name,
            Search kernel) {
  if (self.dtype() == TH_Bool) THError(TH_ERROR_RUNTIME, "%s(): bool tensors are not supported", name);
  if (!dim && self.numel() == 0)
    THError(TH_ERROR_INDEX,
            "%s(): Expected reduction dim to be specified for input.numel() == 0. Specify the "
            "reduction dim with the 'dim' argument.",
            name);
  kernel(out, self, dim ? TH_wrapDim(*dim, self.dim()) : 0, keepdim, !dim);
}

}  // namespace

void body::argmax_out(Tensor &out, const Tensor &self, std::optional<int64_t> dim, bool keepdim) {
  search(out, self, dim, keepdim, "argmax", _argmax_out);
}
void body::argmin_out(Tensor &out, const Tensor &self, std::optional<int64_t> dim, bool keepdim) {
  search(out, self, dim, keepdim, "argmin", _argmin_out);
}

Tensor body::prod(const Tensor &self, std::optional<THDtype> dtype) {
  return thpp::_prod(self, IntList(), false, dtype);
}
void body::prod_out(Tensor &out, const Tensor &self, int64_t dim, bool keepdim, std::optional<THDtype> dtype) {
  thpp::_prod_out(out, self, {&dim, 1}, keepdim, dtype);
}

namespace {

// Numbers of an unsigned dtype as signed ones in the same order, and back: all but the first bit stay.
Tensor with_first_bit_flipped(const Tensor &self, THDtype as) {
  const int64_t bit = int64_t(~uint64_t(0) << (8 * TH_elementSize(as) - 1));
  const size_t width = TH_elementSize(as);
  const Tensor bits = thpp::view_dtype(self, width == 2 ? TH_Short : width == 4 ? TH_Int : TH_Long);
  return thpp::view_dtype(thpp::bitwise_xor(bits, wrapped_number(bit)), as);
}

// Sorting has no kernels for these.
void sort_unsigned(Tensor &values, Tensor &indices, const Tensor &self, int64_t dim, bool descending, bool stable) {
  const THDtype as = self.dtype() == TH_UInt16 ? TH_Short : self.dtype() == TH_UInt32 ? TH_Int : TH_Long;
  exact_target(values, self.device(), self.dtype());
  Tensor sorted;
  thpp::_sort_out(sorted, indices, with_first_bit_flipped(self, as), dim, descending, stable);
  store(values, with_first_bit_flipped(sorted, self.dtype()));
}

}  // namespace

void body::sort_out(Tensor &values, Tensor &indices, const Tensor &self, int64_t dim, bool descending,
                    std::optional<bool> stable) {
  TH_wrapDim(dim, self.dim());  // refused before the dtype is
  if (!values.defined()) values = thpp::empty_like(self);  // keeps the order of strides
  if (!indices.defined()) indices = thpp::empty_like(self, TH_Long);
  if (self.dtype() >= TH_UInt16 && self.dtype() <= TH_UInt64)
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
