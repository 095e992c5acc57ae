#include "derived.h"

namespace torch::autograd {

Tensor cross_backward(const Tensor &a, const Tensor &b, IntList sizes, std::optional<int64_t> dim) {
  const int ndim = int(sizes.size());
  int d = dim ? TH_wrapDim(*dim, ndim) : 0;
  while (!dim && sizes[size_t(d)] != 3) ++d;
  return thpp::cross(a, b, d);
}

}  // namespace torch::autograd
