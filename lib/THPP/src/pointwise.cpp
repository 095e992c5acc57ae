// Pointwise operators that are more than one kernel.
#include "results.h"

#include <cstring>

#include "bodies.h"

namespace thpp {

Tensor body::rsub(const Tensor &self, const Tensor &other, const Scalar &alpha) {
  return thpp::sub(other, self, alpha);
}

void body::div_out(Tensor &out, const Tensor &self, const Tensor &other, const char *rounding_mode) {
  if (!rounding_mode)
    thpp::div_out(out, self, other);
  else if (!std::strcmp(rounding_mode, "floor"))
    thpp::floor_divide_out(out, self, other);
  else if (!std::strcmp(rounding_mode, "trunc"))
    thpp::_div_trunc_out(out, self, other);
  else
    THError(TH_ERROR_RUNTIME, "div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '%s'",
            rounding_mode);
}

namespace {

// One value in self's shape.
void fill_to(Tensor &out, const Tensor &self, THDtype t, const Scalar &value) {
  target(out, self.device(), t);
  if (!out.is_same(self)) thpp::_resize_as_(out, self);
  thpp::_fill_(out, value);
}

}  // namespace

void body::pow_out(Tensor &out, const Tensor &self, const Tensor &exponent) {
  if (exponent.is_wrapped_number())
    thpp::pow_out(out, self, exponent.item());
  else if (self.is_wrapped_number())
    thpp::pow_out(out, self.item(), exponent);
  else
    thpp::_pow_out(out, self, exponent);
}
void body::pow_out(Tensor &out, const Tensor &self, const Scalar &exponent) {
  if (exponent.is_complex()) {
    if (exponent.to_complex() == 0.0) return fill_to(out, self, promote(self, exponent), 1);
    return thpp::_pow_out(out, self, wrapped_number(exponent));
  }
  const double e = exponent.to_double();
  if (exponent.kind != TH_KIND_float && e < 0 && !is_inexact(self.dtype()))
    THError(TH_ERROR_RUNTIME, "Integers to negative integer powers are not allowed.");
  const THDtype t = promote(self, exponent);
  if (e == 0) return fill_to(out, self, t, 1);
  if (e == 1) return copy_to(out, self, t);
  if (is_inexact(self.dtype())) {
    if (e == 2) return thpp::_square_out(out, self);
    if (e == -1) return thpp::reciprocal_out(out, self);
    if (e == 0.5 && t != TH_Half) return thpp::sqrt_out(out, self);
    if (e == -0.5 && t != TH_Half) return thpp::rsqrt_out(out, self);
  }
  // Where the exponent does not fit into t this refuses it; in float and double it is infinite.
  const bool wide = t == TH_Float || t == TH_Double || is_complex(t);
  thpp::_pow_out(out, self, wide ? wrapped_number(exponent) : Tensor::steal(THTensor_newWithScalar(t, exponent)));
}
void body::pow_out(Tensor &out, const Scalar &self, const Tensor &exponent) {
  const THDtype t = promote(exponent, self);
  if (self.to_complex() == 1.0 && t != TH_Bool) return fill_to(out, exponent, t, 1);
  thpp::_pow_out(out, wrapped_number(self), exponent);
}

void body::square_out(Tensor &out, const Tensor &self) {
  if (self.dtype() == TH_Bool)
    copy_to(out, self, TH_Long);
  else
    thpp::_square_out(out, self);
}

namespace {

void rounded(Tensor &out, const Tensor &self, const char *name, void (*kernel)(Tensor &, const Tensor &)) {
  if (is_floating(self.dtype())) return kernel(out, self);
  const bool is_round = kernel == _round_out;  // which looks at its result first
  if (!is_complex(self.dtype()) || is_round) check_exact(out, self);
  if (is_complex(self.dtype())) THError(TH_ERROR_NOT_IMPLEMENTED, "%s is not supported for complex inputs", name);
  if (self.dtype() == TH_Bool) THError(TH_ERROR_NOT_IMPLEMENTED, "\"%s_cpu\" not implemented for 'Bool'", name);
  copy_to(out, self, self.dtype());
}

}  // namespace

void body::floor_out(Tensor &out, const Tensor &self) { rounded(out, self, "floor", _floor_out); }
void body::ceil_out(Tensor &out, const Tensor &self) { rounded(out, self, "ceil", _ceil_out); }
void body::round_out(Tensor &out, const Tensor &self) { rounded(out, self, "round", _round_out); }
void body::trunc_out(Tensor &out, const Tensor &self) { rounded(out, self, "trunc", _trunc_out); }

Tensor body::positive(const Tensor &self) {
  if (self.dtype() == TH_Bool) THError(TH_ERROR_RUNTIME, "The `+` operator, on a bool tensor is not supported.");
  return self;
}

namespace {

// Of a complex tensor: what either part is, or both are.
Tensor of_parts(const Tensor &self, Tensor (*test)(const Tensor &), Tensor (*join)(const Tensor &, const Tensor &)) {
  return join(test(thpp::real(self)), test(thpp::imag(self)));
}

}  // namespace

// Of the formats of float8, the one that has infinities is tested as the float16 that it begins.
static bool is_short_half(const Tensor &self) { return self.dtype() == TH_Float8_e5m2; }

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
  if (condition.dtype() != TH_Bool && condition.dtype() != TH_Byte)
    THError(TH_ERROR_RUNTIME, "where expected condition to be a boolean tensor, but got a tensor with dtype %s",
            TH_typeName(condition.dtype()));
  thpp::_where_out(out, thpp::to(condition, TH_Bool), self, other);
}
Tensor body::where_self(const Tensor &self, const Tensor &condition, const Tensor &other) {
  return thpp::where(condition, self, other);
}

}  // namespace thpp
