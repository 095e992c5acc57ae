// Random tensors.
#include "results.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "bodies.h"

namespace thpp {

namespace {

void throw_complex_bounds(THDtype dtype) {
  if (is_complex(dtype))
    THError(TH_ERROR_RUNTIME, "check_random_bounds handles only integral, floating-point and boolean types");
}

}  // namespace

void body::rand_out(Tensor &out, IntList size, THGenerator *generator, std::optional<THDtype> dtype,
                    std::optional<THDevice> device) {
  filled(out, size, dtype, default_dtype(), [&](Tensor &all) { thpp::uniform_(all, 0, 1, generator); }, device);
}
void body::randn_out(Tensor &out, IntList size, THGenerator *generator, std::optional<THDtype> dtype,
                     std::optional<THDevice> device) {
  filled(out, size, dtype, default_dtype(), [&](Tensor &all) { thpp::normal_(all, 0, 1, generator); }, device);
}
void body::randint_out(Tensor &out, int64_t low, int64_t high, IntList size, THGenerator *generator,
                       std::optional<THDtype> dtype, std::optional<THDevice> device) {
  throw_complex_bounds(dtype.value_or(out.defined() ? out.dtype() : TH_Long));
  THCheck_random(low, high);  // on meta, too, where random_ has nothing to do
  filled(out, size, dtype, TH_Long, [&](Tensor &all) { thpp::random_(all, low, high, generator); }, device);
}
void body::randperm_out(Tensor &out, int64_t n, THGenerator *generator, std::optional<THDtype> dtype,
                        std::optional<THDevice> device) {
  if (n < 0) THError(TH_ERROR_RUNTIME, "n must be non-negative, got %lld", (long long)n);
  typed(out, dtype, TH_Long, device);
  if (!has_values(out)) return void(thpp::_resize_(out, {n}));  // of any dtype: no number has to fit
  if (!THTensor_overlapsItself(out.get()) || out.dim() != 1 || out.size(0) != n)
    return thpp::_randperm_out(out, generator, n);
  // One element in every place: the last number written stays.
  Tensor all = thpp::empty({n}, out.dtype());
  thpp::_randperm_out(all, generator, n);
  thpp::copy_(thpp::select(out, 0, 0), thpp::select(all, 0, n - 1));
}

namespace {

// The greatest integer up to which the dtype holds all of them.
int64_t greatest_of(THDtype dtype) {
  const int digits = TH_digits(dtype);
  if (is_inexact(dtype)) return int64_t(1) << digits;
  return digits < 63 ? (int64_t(1) << digits) - 1 : std::numeric_limits<int64_t>::max();
}

// Where there is no kernel: by way of the widest integers.
const Tensor &random_unsigned(const Tensor &self, int64_t from, int64_t to, THGenerator *generator) {
  for (const int64_t x : {from, to - 1})
    if (x < 0 || x > greatest_of(self.dtype()))
      THError(TH_ERROR_RUNTIME, "%s: %lld is out of bounds for %s", x == from ? "from" : "to - 1", (long long)x,
              TH_typeName(self.dtype()));
  return thpp::copy_(self, thpp::_random_(thpp::empty_like(self, TH_Long), generator, from, to));
}

// Any number of uint64, of two halves.
const Tensor &random_bits(const Tensor &self, THGenerator *generator) {
  const auto half = [&] { return thpp::_random_(thpp::empty_like(self, TH_Long), generator, 0, int64_t(1) << 32); };
  const Tensor high = thpp::bitwise_left_shift(half(), wrapped_number(32));
  return thpp::copy_(self, thpp::view_dtype(thpp::bitwise_or(high, half()), TH_UInt64));
}

}  // namespace

const Tensor &fallback::random_nonnegative(const Tensor &self, THGenerator *generator) {
  return thpp::_random_(self, generator, 0, int64_t(INT32_MAX) + 1);
}
const Tensor &body::random_(const Tensor &self, THGenerator *generator) {
  if (self.dtype() == TH_UInt64 && has_values(self)) return random_bits(self, generator);
  if (self.dtype() == TH_Int && has_values(self)) return thpp::_random_nonnegative_(self, generator);
  return thpp::random_(self, 0, std::nullopt, generator);
}
const Tensor &body::random_(const Tensor &self, int64_t from, std::optional<int64_t> to, THGenerator *generator) {
  if (!has_values(self)) return self;  // PyTorch's meta tensors check neither bounds nor dtypes here
  if (!to && self.dtype() == TH_UInt64)
    THError(TH_ERROR_RUNTIME, "to - 1 is out of bounds for %s: its greatest number is no int64",
            TH_typeName(TH_UInt64));
  const int64_t greatest = greatest_of(self.dtype());
  if (!to && self.dtype() == TH_Long) return thpp::_random_up_to_(self, generator, from, greatest);
  if (!to && is_floating(self.dtype()) && from >= greatest)
    THError(TH_ERROR_RUNTIME,
            "random_ expects 'from' casted to dtype to be less than or equal to 'to_inc' casted to dtype, but got "
            "from=%lld > to_inc=%lld",
            (long long)from, (long long)greatest);
  // A `from` beyond the greatest is the kernel's to refuse.
  const int64_t end = to ? *to : TH_saturatedSum(std::max(from, greatest), 1);
  THCheck_random(from, end);
  if (to) throw_complex_bounds(self.dtype());
  if (is_wide_unsigned(self.dtype())) return random_unsigned(self, from, end, generator);
  return thpp::_random_(self, generator, from, end);
}

}  // namespace thpp
