// Softmax and its logarithm, where no kernel computes them or their gradients.
#include "operators.h"

namespace thpp {

// What has no elements has no shares, of whatever dtype; undefined where there are some to compute.
static Tensor nothing_of(const Tensor &values, const char *name) {
  if (values.numel() == 0) return thpp::empty_like(values);
  require_floating(name, values);
  return {};
}

Tensor fallback::log_softmax(const Tensor &self, int64_t dim, std::optional<THDtype> dtype) {
  const Tensor values = thpp::to(self, dtype.value_or(self.dtype()));
  if (Tensor nothing = nothing_of(values, "log_softmax"); nothing.defined()) return nothing;
  return thpp::sub(values, thpp::logsumexp(values, {dim}, true));
}

Tensor fallback::softmax(const Tensor &self, int64_t dim, std::optional<THDtype> dtype) {
  const Tensor values = thpp::to(self, dtype.value_or(self.dtype()));
  if (Tensor nothing = nothing_of(values, "softmax"); nothing.defined()) return nothing;
  return thpp::exp(thpp::log_softmax(values, dim));
}

Tensor fallback::softmax_backward(const Tensor &grad, const Tensor &output, int64_t dim) {
  const Tensor weighted = grad * output;
  return weighted - output * thpp::sum(weighted, {dim}, true);
}

Tensor fallback::log_softmax_backward(const Tensor &grad, const Tensor &output, int64_t dim) {
  return grad - thpp::exp(output) * thpp::sum(grad, {dim}, true);
}

}  // namespace thpp
