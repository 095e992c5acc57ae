// Comparisons and predicates that are more than one kernel.
#include "results.h"

#include "bodies.h"

namespace thpp {

namespace {

// Of a complex tensor: what either part is, or both are.
Tensor of_parts(const Tensor &self, Tensor (*test)(const Tensor &), Tensor (*join)(const Tensor &, const Tensor &)) {
  return join(test(thpp::real(self)), test(thpp::imag(self)));
}

// Of the formats of float8, the one that has infinities is tested as the float16 that it begins.
bool is_short_half(const Tensor &self) { return self.dtype() == TH_Float8_e5m2; }

}  // namespace

Tensor body::isnan(const Tensor &self) {
  if (is_complex(self.dtype())) return of_parts(self, isnan, logical_or);
  return is_floating(self.dtype()) ? thpp::_isnan(self) : thpp::zeros_like(self, TH_Bool);
}
Tensor body::isinf(const Tensor &self) {
  if (is_complex(self.dtype())) return of_parts(self, isinf, logical_or);
  if (is_short_half(self)) return thpp::_isinf(thpp::to(self, TH_Half));
  return is_floating(self.dtype()) ? thpp::_isinf(self) : thpp::zeros_like(self, TH_Bool);
}
Tensor body::isfinite(const Tensor &self) {
  if (is_complex(self.dtype())) return of_parts(self, isfinite, logical_and);
  if (is_short_half(self)) return thpp::isfinite(thpp::to(self, TH_Half));
  if (!is_floating(self.dtype())) return thpp::ones_like(self, TH_Bool);
  return thpp::eq(thpp::sub(self, self), wrapped_number(0));  // infinity minus itself is NaN
}

Tensor body::isclose(const Tensor &self, const Tensor &other, double rtol, double atol, bool equal_nan) {
  if (self.dtype() != other.dtype())
    THError(TH_ERROR_RUNTIME, "%s did not match %s", TH_typeName(self.dtype()), TH_typeName(other.dtype()));
  if (!(rtol >= 0)) THError(TH_ERROR_RUNTIME, "rtol must be greater than or equal to zero, but got %g", rtol);
  if (!(atol >= 0)) THError(TH_ERROR_RUNTIME, "atol must be greater than or equal to zero, but got %g", atol);
  if (self.dtype() == TH_Float || self.dtype() == TH_Double)  // the common ones in one pass
    return thpp::_isclose(self, other, rtol, atol, equal_nan);
  const Tensor close = thpp::eq(self, other);
  if (equal_nan && is_inexact(self.dtype()))
    thpp::logical_or_(close, thpp::logical_and(thpp::ne(self, self), thpp::ne(other, other)));
  if (rtol == 0 && atol == 0) return close;
  const Tensor reference = thpp::to(other, floating(other.dtype()));
  const Tensor allowed = thpp::add(thpp::abs(thpp::mul(reference, wrapped_number(rtol))), wrapped_number(atol));
  const Tensor error = thpp::abs(thpp::sub(thpp::to(self, reference.dtype()), reference));
  thpp::logical_or_(close, thpp::logical_and(thpp::isfinite(error), thpp::le(error, allowed)));
  return close;
}
bool body::allclose(const Tensor &self, const Tensor &other, double rtol, double atol, bool equal_nan) {
  return thpp::all(thpp::isclose(self, other, rtol, atol, equal_nan)).item().to_int();
}

bool body::equal(const Tensor &self, const Tensor &other) {
  if (self.dtype() == other.dtype() || !has_values(self)) return thpp::_equal(self, other);
  if (!THTensor_isSameSizeAs(self.get(), other.get())) return false;
  return thpp::all(thpp::eq(self, other)).item().to_int();
}

void body::where_out(Tensor &out, const Tensor &condition, const Tensor &self, const Tensor &other) {
  if (out.defined() && (self.is_wrapped_number() || other.is_wrapped_number()))
    THError(TH_ERROR_TYPE, "where(): with out=, argument '%s' must be Tensor, not a number",
            self.is_wrapped_number() ? "input" : "other");
  if (condition.dtype() != TH_Bool && condition.dtype() != TH_Byte)
    THError(TH_ERROR_RUNTIME, "where expected condition to be a boolean tensor, but got a tensor with dtype %s",
            TH_typeName(condition.dtype()));
  const THDtype t = promote(self, other);
  if (out.defined()) exact_target(out, self.device(), t);
  if (has_values(condition)) check_holds(t, self, true), check_holds(t, other, true);
  thpp::_where_out(out, thpp::to(condition, TH_Bool), self, other);
}

std::vector<Tensor> body::where(const Tensor &condition) {
  return thpp::unbind(thpp::nonzero(condition.dim() ? condition : thpp::unsqueeze(condition, 0)), 1);
}

}  // namespace thpp
