#include "derived.h"

namespace torch::autograd {

Tensor cross_backward(const Tensor &a, const Tensor &b, IntList sizes, std::optional<int64_t> dim) {
  const int ndim = int(sizes.size());
  int d = dim ? TH_wrapDim(*dim, ndim) : 0;
  while (!dim && sizes[size_t(d)] != 3) ++d;
  return thpp::cross(a, b, d);
}

// The derivative of each power is the power before it, times the exponent.
Tensor vander_backward(const Tensor &grad, const Tensor &result, bool increasing) {
  const int64_t n = result.size(1);
  if (n < 2) return thpp::new_zeros(grad, {result.size(0)});
  const Tensor slopes = thpp::narrow(grad, 1, increasing ? 1 : 0, n - 1);
  const Tensor powers = thpp::narrow(result, 1, increasing ? 0 : 1, n - 1);
  const Tensor exponents = increasing ? thpp::arange(1, Scalar(n), 1, TH_Long, grad.device())
                                      : thpp::arange(Scalar(n - 1), 0, -1, TH_Long, grad.device());
  return thpp::sum(slopes * conj(powers * exponents), {1}, false);
}

}  // namespace torch::autograd
