#include "complex.h"

namespace torch::autograd {

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

}  // namespace torch::autograd
