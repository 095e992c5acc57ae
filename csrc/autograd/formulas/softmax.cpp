#include "softmax.h"

#include <THPP/Guard.h>
#include <THPP/NN.h>

namespace torch::autograd {

Tensor softmax_backward(const Tensor &grad, const Tensor &result, int64_t dim) {
  if (!thpp::grad_mode()) {
    const Tensor made = thpp::empty_like(result);
    thpp::nn::SoftMax_updateGradInput(thpp::to(grad, result.dtype()), made, result, dim);
    return made;
  }
  const Tensor weighted = grad * result;
  return weighted - result * thpp::sum(weighted, {dim}, true);
}

Tensor log_softmax_backward(const Tensor &grad, const Tensor &result, int64_t dim) {
  if (!thpp::grad_mode()) {
    const Tensor made = thpp::empty_like(result);
    thpp::nn::LogSoftMax_updateGradInput(thpp::to(grad, result.dtype()), made, result, dim);
    return made;
  }
  return grad - thpp::exp(result) * thpp::sum(grad, {dim}, true);
}

}  // namespace torch::autograd
