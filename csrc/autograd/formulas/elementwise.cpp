#include "elementwise.h"

namespace torch::autograd {

Scalar one_less(const Scalar &weight) {
  return weight.is_complex() ? Scalar(1.0 - weight.to_complex()) : Scalar(1 - weight.to_double());
}

Tensor ldexp_self_backward(const Tensor &grad, const Tensor &other) { return thpp::ldexp(grad, conj(other)); }

Tensor copysign_backward(const Tensor &grad, const Tensor &self, const Tensor &result) {
  return grad * drop(result / self, thpp::eq(self, wrapped_number(0)));
}

Tensor takes_first(const Tensor &self, const Tensor &other, bool greatest) {
  return thpp::logical_or(greatest ? thpp::ge(self, other) : thpp::le(self, other), thpp::isnan(other));
}

Tensor nan_to_num_backward(const Tensor &grad, const Tensor &self) {
  if (!complex_valued(self)) return keep(grad, thpp::isfinite(self));
  return thpp::complex(keep(thpp::real(grad), thpp::isfinite(thpp::real(self))),
                       keep(thpp::imag(grad), thpp::isfinite(thpp::imag(self))));
}

}  // namespace torch::autograd
