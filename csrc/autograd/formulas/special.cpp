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
