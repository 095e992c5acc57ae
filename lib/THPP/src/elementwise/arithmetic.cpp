// Arithmetic that is more than one kernel.
#include "results.h"

#include <cstring>

#include "bodies.h"

namespace thpp {

namespace {

// One value in self's shape.
void fill_to(Tensor &out, const Tensor &self, THDtype t, const Scalar &value) {
  target(out, self.device(), t);
  if (!out.is_same(self)) thpp::_resize_as_(out, self);
  THTensor_checkDistinct(out.get());
  thpp::_fill_(out, value);
}

}  // namespace

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
    if (exponent.to_complex() == 1.0) return copy_to(out, self, promote(self, exponent));
    return thpp::_pow_out(out, self, wrapped_number(exponent));
  }
  const double e = exponent.to_double();
  THCheck_exponent(self.dtype(), exponent);
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

}  // namespace thpp
