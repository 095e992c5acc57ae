#include "convolution.h"

#include <algorithm>

namespace torch::autograd {

// `size`: the input's. A stride may leave elements at its end that no position meets: a transposed convolution is told
// how many, and of one the gradient has positions that the input has not.
Tensor convolution_input_gradient(const Tensor &grad, const Tensor &weight, IntList size, IntList stride,
                                  IntList padding, IntList dilation, bool transposed, int64_t groups,
                                  thpp::MemoryFormat format) {
  std::vector<int64_t> left(stride.size());
  if (!transposed)
    for (size_t d = 0; d < stride.size(); ++d)
      left[d] = size[d + 2] - ((grad.sizes()[d + 2] - 1) * stride[d] - 2 * padding[d] +
                               dilation[d] * (weight.sizes()[d + 2] - 1) + 1);
  Tensor gradient = thpp::convolution(thpp::contiguous(grad, format), weight, Tensor(), stride, padding, dilation,
                                      !transposed, left, groups);
  for (int d = 2; d < gradient.dim(); ++d)
    if (gradient.size(d) > size[size_t(d)]) gradient = thpp::narrow(gradient, d, 0, size[size_t(d)]);
  return gradient;
}

Tensor convolution_weight_gradient(const Tensor &grad, const Tensor &input, IntList size, IntList stride,
                                   IntList padding, IntList dilation, bool transposed, int64_t groups,
                                   thpp::MemoryFormat format) {
  const IntList kernel = IntList(size.data() + 2, size.size() - 2);
  const Tensor laid = thpp::contiguous(grad, format);
  const Tensor gradient = transposed
                              ? thpp::_convolution_weight(laid, input, kernel, stride, padding, dilation, groups)
                              : thpp::_convolution_weight(input, laid, kernel, stride, padding, dilation, groups);
  return thpp::contiguous(gradient, format);  // of images of one element the strides do not say it
}

Tensor convolution_bias_gradient(const Tensor &grad) {
  std::vector<int64_t> dims{0};
  for (int d = 2; d < grad.dim(); ++d) dims.push_back(d);
  return thpp::sum(grad, dims);
}

// The input's step t meets the kernel's step k in the result's step t + pad - k: the convolution of the gradient with the
// kernel backwards, padded by what the kernel reaches further than the padding, or cut where the padding reaches further.
Tensor conv_tbc_input_gradient(const Tensor &grad, const Tensor &weight, int64_t pad) {
  const int64_t reach = weight.size(0) - 1 - pad;
  const Tensor backwards = thpp::conj(thpp::transpose(thpp::flip(weight, {0}), 1, 2));
  const Tensor none = thpp::zeros({weight.size(1)}, grad.dtype(), grad.device());
  if (reach >= 0) return thpp::conv_tbc(grad, backwards, none, reach);
  return thpp::conv_tbc(thpp::narrow(grad, 0, -reach, grad.size(0) + 2 * reach), backwards, none, 0);
}

// The input's channels and the gradient's outputs are the matrices' sides, and time and batch are summed over.
Tensor conv_tbc_weight_gradient(const Tensor &grad, const Tensor &input, int64_t kernel, int64_t pad) {
  const int64_t channels = input.size(2), outputs = grad.size(2);
  std::vector<Tensor> steps;
  for (int64_t k = 0; k < kernel; ++k) {
    const int64_t first = std::max<int64_t>(0, pad - k);
    const int64_t count = std::max<int64_t>(0, std::min(grad.size(0), input.size(0) + pad - k) - first);
    const Tensor seen = thpp::narrow(input, 0, count ? first + k - pad : 0, count);
    const Tensor given = thpp::narrow(grad, 0, count ? first : 0, count);
    const Tensor rows = thpp::reshape(seen, {count * input.size(1), channels});
    steps.push_back(thpp::mm(thpp::conj(thpp::t(rows)), thpp::reshape(given, {count * input.size(1), outputs})));
  }
  return thpp::stack(steps, 0);
}

}  // namespace torch::autograd
