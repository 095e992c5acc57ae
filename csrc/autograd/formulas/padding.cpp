#include "padding.h"

#include "operators.h"

namespace torch::autograd {

Tensor constant_pad_backward(const Tensor &grad, IntList pad) {
  std::vector<int64_t> cut;
  for (const int64_t n : pad) cut.push_back(-n);
  return thpp::constant_pad_nd(grad, cut);
}

}  // namespace torch::autograd
