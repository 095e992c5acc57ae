#include "convolution.h"

namespace torch::autograd {

// `size`: the input's. A stride may leave elements at its end that no position meets: a transposed convolution is told
// how many, and of one the gradient has positions that the input has not.
Tensor convolution_input_gradient(const Tensor &grad, const Tensor &weight, IntList size, IntList stride,
                                  IntList padding, IntList dilation, bool transposed, int64_t groups) {
  std::vector<int64_t> left(stride.size());
  if (!transposed)
    for (size_t d = 0; d < stride.size(); ++d)
      left[d] = size[d + 2] - ((grad.sizes()[d + 2] - 1) * stride[d] - 2 * padding[d] +
                               dilation[d] * (weight.sizes()[d + 2] - 1) + 1);
  Tensor gradient = thpp::convolution(grad, weight, Tensor(), stride, padding, dilation, !transposed, left, groups);
  for (int d = 2; d < gradient.dim(); ++d)
    if (gradient.size(d) > size[size_t(d)]) gradient = thpp::narrow(gradient, d, 0, size[size_t(d)]);
  return gradient;
}

Tensor convolution_weight_gradient(const Tensor &grad, const Tensor &input, IntList size, IntList stride,
                                   IntList padding, IntList dilation, bool transposed, int64_t groups) {
  const IntList kernel = IntList(size.data() + 2, size.size() - 2);
  return transposed ? thpp::_convolution_weight(grad, input, kernel, stride, padding, dilation, groups)
                    : thpp::_convolution_weight(input, grad, kernel, stride, padding, dilation, groups);
}

Tensor convolution_bias_gradient(const Tensor &grad) {
  std::vector<int64_t> dims{0};
  for (int d = 2; d < grad.dim(); ++d) dims.push_back(d);
  return thpp::sum(grad, dims);
}

}  // namespace torch::autograd
