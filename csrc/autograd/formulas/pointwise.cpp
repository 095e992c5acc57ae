#include "pointwise.h"

#include <complex>

namespace torch::autograd {

// ---- arithmetic -------------------------------------------------------------------------------------
Tensor div_self_backward(const Tensor &grad, const Tensor &other, const char *rounding_mode) {
  return rounding_mode ? thpp::zeros_like(grad) : grad / conj(other);
}
Tensor div_other_backward(const Tensor &grad, const Tensor &self, const Tensor &other, const char *rounding_mode) {
  return rounding_mode ? thpp::zeros_like(grad) : -grad * conj(self / other / other);
}

Tensor pow_backward(const Tensor &grad, const Tensor &self, const Scalar &exponent) {
  const THComplexDouble e = exponent.to_complex();
  if (e == 0.0) return thpp::zeros_like(grad);
  if (e == 1.0) return grad;
  if (e == 2.0) return grad * conj(self * 2);
  const Scalar lower = exponent.is_complex()            ? Scalar(e - 1.0)
                       : exponent.kind == TH_KIND_float ? Scalar(exponent.to_double() - 1)
                                                        : Scalar(exponent.to_int() - 1);
  return grad * conj(thpp::pow(self, lower) * exponent);
}

Tensor pow_self_backward(const Tensor &grad, const Tensor &self, const Tensor &exponent) {
  return drop(grad * conj(exponent * thpp::pow(self, exponent - 1)), thpp::eq(exponent, wrapped_number(0)));
}

namespace {

// Where 0 stays 0 however the exponent changes, though its logarithm is infinite.
Tensor not_negative(const Tensor &exponent) {
  return thpp::ge(complex_valued(exponent) ? thpp::real(exponent) : exponent, wrapped_number(0));
}

}  // namespace

Tensor pow_exponent_backward(const Tensor &grad, const Tensor &self, const Tensor &exponent, const Tensor &result) {
  return drop(grad * conj(result * thpp::log(thpp::to(self, result.dtype()))),
              thpp::logical_and(thpp::eq(self, wrapped_number(0)), not_negative(exponent)));
}

Tensor pow_exponent_backward(const Tensor &grad, const Scalar &self, const Tensor &exponent, const Tensor &result) {
  const THComplexDouble base = self.to_complex();
  const std::complex<double> log = std::log(std::complex<double>(base.real(), base.imag()));
  const Scalar factor = complex_valued(result) ? Scalar(THComplexDouble(log.real(), log.imag()))
                                               : Scalar(std::log(base.real()));
  const Tensor slope = grad * conj(result * factor);
  return base == 0.0 ? drop(slope, not_negative(exponent)) : slope;
}

std::vector<Tensor> atan2_backward(const Tensor &grad, const Tensor &self, const Tensor &other,
                                   const std::vector<bool> &wanted) {
  const Tensor square = self * self + other * other;
  const Tensor scaled = grad * drop(thpp::reciprocal(square), thpp::eq(square, wrapped_number(0)));
  return {wanted[0] ? scaled * other : Tensor(), wanted[1] ? -scaled * self : Tensor()};
}

Scalar one_less(const Scalar &weight) {
  return weight.is_complex() ? Scalar(1.0 - weight.to_complex()) : Scalar(1 - weight.to_double());
}

Tensor ldexp_self_backward(const Tensor &grad, const Tensor &other) { return thpp::ldexp(grad, conj(other)); }

Tensor copysign_backward(const Tensor &grad, const Tensor &self, const Tensor &result) {
  return grad * drop(result / self, thpp::eq(self, wrapped_number(0)));
}

// ---- limits -----------------------------------------------------------------------------------------
Tensor takes_first(const Tensor &self, const Tensor &other, bool greatest) {
  return thpp::logical_or(greatest ? thpp::ge(self, other) : thpp::le(self, other), thpp::isnan(other));
}

Tensor clamp_self_backward(const Tensor &grad, const Tensor &self, const Tensor &min, const Tensor &max) {
  if (!max.defined()) return keep(grad, thpp::ge(self, min));
  if (!min.defined()) return keep(grad, thpp::le(self, max));
  return keep(grad, thpp::logical_and(thpp::ge(self, min), thpp::le(self, max)));
}

// Where the lower bound is above the upper one, the result is the upper one.
Tensor clamp_min_bound_backward(const Tensor &grad, const Tensor &self, const Tensor &min, const Tensor &max) {
  const Tensor below = thpp::lt(self, min);
  return keep(grad, max.defined() ? thpp::logical_and(below, thpp::lt(min, max)) : below);
}
Tensor clamp_max_bound_backward(const Tensor &grad, const Tensor &self, const Tensor &min, const Tensor &max) {
  const Tensor above = thpp::gt(self, max);
  return keep(grad, min.defined() ? thpp::logical_or(above, thpp::lt(max, min)) : above);
}

Tensor nan_to_num_backward(const Tensor &grad, const Tensor &self) {
  if (!complex_valued(self)) return keep(grad, thpp::isfinite(self));
  return thpp::complex(keep(thpp::real(grad), thpp::isfinite(thpp::real(self))),
                       keep(thpp::imag(grad), thpp::isfinite(thpp::imag(self))));
}

// ---- complex numbers --------------------------------------------------------------------------------
// The part of the gradient across the direction, divided by the length.
Tensor sgn_backward(const Tensor &grad, const Tensor &self, const Tensor &result) {
  if (!complex_valued(self)) return thpp::zeros_like(grad);
  const Tensor length = thpp::abs(self);
  const Tensor along = result * thpp::real(conj(grad) * result);
  return drop((grad - along) / length, thpp::eq(length, wrapped_number(0)));
}

Tensor angle_backward(const Tensor &grad, const Tensor &self) {
  if (!complex_valued(self)) return thpp::zeros_like(grad);
  const Tensor length = thpp::abs(self);
  const Tensor turned = thpp::sgn(self) * Scalar(THComplexDouble(0, 1));
  return grad * drop(turned / length, thpp::eq(length, wrapped_number(0)));
}

Tensor polar_angle_backward(const Tensor &grad, const Tensor &result) {
  return thpp::real(conj(grad) * (result * Scalar(THComplexDouble(0, 1))));
}

// ---- products ---------------------------------------------------------------------------------------
Tensor cross_backward(const Tensor &a, const Tensor &b, IntList sizes, std::optional<int64_t> dim) {
  const int ndim = int(sizes.size());
  int d = dim ? TH_wrapDim(*dim, ndim) : 0;
  while (!dim && sizes[size_t(d)] != 3) ++d;
  return thpp::cross(a, b, d);
}

}  // namespace torch::autograd
