#include "unfolding.h"

namespace torch::autograd {

IntList last_two(IntList size) { return IntList(size.data() + size.size() - 2, 2); }

Tensor channel_unshuffle(const Tensor &grad, int64_t groups) {
  return thpp::channel_shuffle(grad, grad.size(1) ? grad.size(1) / groups : 1);
}

}  // namespace torch::autograd
