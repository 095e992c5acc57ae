#include "assembling.h"

#include "operators.h"

namespace torch::autograd {

std::vector<Tensor> block_diag_backward(const Tensor &grad, const std::vector<TensorInfo> &tensors) {
  std::vector<Tensor> parts;
  parts.reserve(tensors.size());
  int64_t row = 0, column = 0;
  for (const TensorInfo &tensor : tensors) {
    const int64_t height = tensor.dim() == 2 ? tensor.size(0) : 1, width = tensor.dim() ? tensor.size(-1) : 1;
    const Tensor block = thpp::narrow(thpp::narrow(grad, 0, row, height), 1, column, width);
    parts.push_back(thpp::reshape(block, tensor.sizes()));
    row += height;
    column += width;
  }
  return parts;
}

}  // namespace torch::autograd
