#include "special_namespace.h"

namespace torch::autograd {

namespace {

// `slope(x)`, and 1/2 at 0, where nothing is divided by it.
Tensor half_at_zero(const Tensor &self, const auto &slope) {
  const Tensor zero = thpp::eq(self, wrapped_number(0));
  return thpp::where(zero, wrapped_number(0.5), slope(thpp::where(zero, wrapped_number(1), self)));
}

}  // namespace

Tensor i1_backward(const Tensor &grad, const Tensor &self, const Tensor &result) {
  return grad * half_at_zero(self, [&](const Tensor &x) { return thpp::i0(x) - result / x; });
}

Tensor i1e_backward(const Tensor &grad, const Tensor &self, const Tensor &result) {
  return grad * half_at_zero(self, [&](const Tensor &x) {
           return thpp::special_i0e(x) - result * (thpp::sign(x) + thpp::reciprocal(x));
         });
}

// The density divided by the probability, neither of which vanishes if both are scaled.
Tensor log_ndtr_backward(const Tensor &grad, const Tensor &self) {
  return grad / thpp::special_erfcx(self * -M_SQRT1_2) * (M_SQRT1_2 * M_2_SQRTPI);
}

}  // namespace torch::autograd
