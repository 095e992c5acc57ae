#include "linear.h"

namespace torch::autograd {

Tensor adjoint_product(const Tensor &a, const Tensor &b, IntList strides) {
  if (strides[0] == 1 && strides[1] > 1) return thpp::t(thpp::mm(thpp::t(b), thpp::conj(a)));
  return thpp::mm(thpp::adjoint(a), b);
}

}  // namespace torch::autograd
