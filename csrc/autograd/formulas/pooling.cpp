#include "pooling.h"

namespace torch::autograd {

static std::vector<int64_t> entries(IntList list, int64_t n) {
  return list.size() == 1 ? std::vector<int64_t>(size_t(n), list[0]) : std::vector<int64_t>(list.begin(), list.end());
}

Tensor avg_pool_backward(const Tensor &grad, const Tensor &self, int64_t n, IntList kernel, IntList stride,
                         IntList padding, bool ceil_mode, bool count_include_pad, std::optional<int64_t> divisor) {
  return thpp::_avg_pool_backward(grad, self, entries(kernel, n), entries(stride.empty() ? kernel : stride, n),
                                  entries(padding, n), ceil_mode, count_include_pad, divisor);
}

Tensor avg_pool(const Tensor &input, IntList kernel, IntList stride, IntList padding, bool ceil_mode,
                bool count_include_pad, std::optional<int64_t> divisor) {
  const auto forward = kernel.size() == 3 ? thpp::nn_avg_pool3d : thpp::nn_avg_pool2d;
  return forward(input, kernel, stride, padding, ceil_mode, count_include_pad, divisor);
}

Tensor adaptive_avg_pool(const Tensor &input, IntList sizes, int64_t n) {
  const IntList output(sizes.data() + sizes.size() - size_t(n), size_t(n));
  return n == 3 ? thpp::_adaptive_avg_pool3d(input, output) : thpp::_adaptive_avg_pool2d(input, output);
}

Tensor max_unpool_backward(const Tensor &grad, const Tensor &indices, int64_t n) {
  if (indices.numel()) return thpp::_max_pool_picked(grad, indices, n);
  return thpp::empty(indices.sizes(), grad.dtype(), thpp::MemoryFormat::Contiguous, grad.device());
}

}  // namespace torch::autograd
