// Softmax and its logarithm: what stands in for the kernels of their gradients, and is recorded.
#include "operators.h"

namespace thpp {

Tensor fallback::softmax_backward(const Tensor &grad, const Tensor &output, int64_t dim) {
  const Tensor weighted = grad * output;
  return weighted - output * thpp::sum(weighted, {dim}, true);
}

Tensor fallback::log_softmax_backward(const Tensor &grad, const Tensor &output, int64_t dim) {
  return grad - thpp::exp(output) * thpp::sum(grad, {dim}, true);
}

}  // namespace thpp
