#include "special.h"

namespace torch::autograd {

Tensor mvlgamma_backward(const Tensor &grad, const Tensor &self, int64_t p) {
  const Tensor steps = thpp::arange(0, Scalar(p), 1, grad.dtype(), grad.device()) * 0.5;
  return grad * thpp::sum(thpp::digamma(thpp::unsqueeze(self, -1) - steps), {-1}, false);
}

// (pi x cos(pi x) - sin(pi x)) / (pi x^2)
Tensor sinc_backward(const Tensor &grad, const Tensor &self) {
  const Tensor angle = self * M_PI, below = self * self * M_PI;
  const Tensor slope = (angle * thpp::cos(angle) - thpp::sin(angle)) / below;
  return drop(grad * conj(slope), thpp::eq(below, wrapped_number(0)));
}

Tensor logit_backward(const Tensor &grad, const Tensor &self, std::optional<double> eps) {
  const double low = eps.value_or(0), high = eps ? 1 - *eps : 1;
  const Tensor inside = thpp::logical_and(thpp::ge(self, wrapped_number(low)), thpp::le(self, wrapped_number(high)));
  return thpp::where(inside, grad / (self * (1 - self)), wrapped_number(eps ? 0.0 : NAN));
}

Tensor xlog_self_backward(const Tensor &grad, const Tensor &self, const Tensor &other, const Tensor &log,
                          double least) {
  return drop(grad * log, thpp::logical_and(thpp::eq(self, wrapped_number(0)), thpp::le(other, wrapped_number(least))));
}

// The root of a product is not the product of the roots where both are of negative or complex numbers.
Tensor acosh_backward(const Tensor &grad, const Tensor &self) {
  if (!complex_valued(self)) return grad * thpp::rsqrt(self * self - 1);
  return grad * conj(thpp::rsqrt(self - 1) * thpp::rsqrt(self + 1));
}

Tensor igamma_other_backward(const Tensor &grad, const Tensor &self, const Tensor &other) {
  return grad * thpp::exp((self - 1) * thpp::log(other) - other - thpp::lgamma(self));
}

}  // namespace torch::autograd
