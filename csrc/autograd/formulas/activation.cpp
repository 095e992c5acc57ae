#include "activation.h"

#include "kernels.h"
#include "pointwise.h"

namespace torch::autograd {

namespace nn = thpp::nn;

namespace {

Tensor number(double x) { return wrapped_number(x); }
// Slopes are constant between the corners: the gradient's own gradient for the input is 0, not missing.
Tensor flat(const Tensor &grad, const Tensor &self) { return grad + thpp::sgn(self) * 0; }
Tensor normal_density(const Tensor &x) { return thpp::exp(x * x * -0.5) * 0.39894228040143267794; }

}  // namespace

Tensor gelu_backward(const Tensor &grad, const Tensor &self, const char *approximate) {
  const bool by_tanh = *approximate == 't';
  if (by_kernel(self))
    return from_kernel(grad, self,
                       [&](const Tensor &g, const Tensor &r) { nn::GELU_updateGradInput(self, g, r, by_tanh); });
  if (!by_tanh) return grad * ((thpp::erf(self * 0.70710678118654752440) + 1) * 0.5 + self * normal_density(self));
  constexpr double root = 1.5957691216057307117, cubic = 0.044715;  // sqrt(2 / pi), twice
  const Tensor square = self * self;
  const Tensor share = thpp::sigmoid(self * (square * (root * cubic) + root));
  return grad * share * (self * (square * (3 * root * cubic) + root) * (1 - share) + 1);
}

Tensor silu_backward(const Tensor &grad, const Tensor &self) {
  if (by_kernel(self))
    return from_kernel(grad, self, [&](const Tensor &g, const Tensor &r) { nn::SiLU_updateGradInput(self, g, r); });
  const Tensor share = thpp::sigmoid(self);
  return grad * thpp::conj(share * (self * (1 - share) + 1));
}

Tensor mish_backward(const Tensor &grad, const Tensor &self) {
  if (by_kernel(self))
    return from_kernel(grad, self, [&](const Tensor &g, const Tensor &r) { nn::Mish_updateGradInput(self, g, r); });
  const Tensor factor = thpp::tanh(thpp::nn_softplus(self));
  return grad * (factor + self * (1 - factor * factor) * thpp::sigmoid(self));
}

Tensor hardsigmoid_backward(const Tensor &grad, const Tensor &self) {
  if (by_kernel(self))
    return from_kernel(grad, self,
                       [&](const Tensor &g, const Tensor &r) { nn::HardSigmoid_updateGradInput(self, g, r); });
  return flat(keep(grad * (1.0 / 6), thpp::logical_and(thpp::gt(self, number(-3)), thpp::lt(self, number(3)))), self);
}

Tensor hardswish_backward(const Tensor &grad, const Tensor &self) {
  if (by_kernel(self))
    return from_kernel(grad, self,
                       [&](const Tensor &g, const Tensor &r) { nn::HardSwish_updateGradInput(self, g, r); });
  const Tensor between = drop(grad * (self * (1.0 / 3) + 0.5), thpp::le(self, number(-3)));
  return thpp::where(thpp::ge(self, number(3)), grad, between);
}

Tensor softplus_backward(const Tensor &grad, const Tensor &self, double beta, double threshold) {
  if (by_kernel(self))
    return from_kernel(grad, self, [&](const Tensor &g, const Tensor &r) {
      nn::SoftPlus_updateGradInput(self, g, r, beta, threshold);
    });
  const Tensor scaled = self * beta;
  return thpp::where(thpp::gt(scaled, number(threshold)), grad, grad * thpp::sigmoid(scaled));
}

Tensor log_sigmoid_backward(const Tensor &grad, const Tensor &self) {
  if (by_kernel(self))
    return from_kernel(grad, self,
                       [&](const Tensor &g, const Tensor &r) { nn::LogSigmoid_updateGradInput(self, g, r); });
  return grad * thpp::sigmoid(-self);
}

Tensor shrink_backward(const Tensor &grad, const Tensor &self, double lambda) {
  if (by_kernel(self))
    return from_kernel(grad, self,
                       [&](const Tensor &g, const Tensor &r) { nn::HardShrink_updateGradInput(self, g, r, lambda); });
  return flat(drop(grad, thpp::logical_and(thpp::ge(self, number(-lambda)), thpp::le(self, number(lambda)))), self);
}

Tensor hardtanh_backward(const Tensor &grad, const Tensor &known, double low, double high) {
  if (by_kernel(known))
    return from_kernel(grad, known, [&](const Tensor &g, const Tensor &r) {
      nn::HardTanh_updateGradInput(known, g, r, low, high, false);
    });
  return flat(drop(grad, thpp::logical_or(thpp::le(known, number(low)), thpp::ge(known, number(high)))), known);
}

Tensor threshold_backward(const Tensor &grad, const Tensor &self, double threshold) {
  if (by_kernel(self))
    return from_kernel(grad, self, [&](const Tensor &g, const Tensor &r) {
      nn::Threshold_updateGradInput(self, g, r, threshold, 0, false);
    });
  return flat(drop(grad, thpp::le(self, number(threshold))), self);
}

Tensor leaky_relu_backward(const Tensor &grad, const Tensor &known, double slope, bool is_result) {
  if (is_result && slope < 0)
    THError(TH_ERROR_RUNTIME,
            "In-place leakyReLu backward calculation is triggered with a negative slope which is not supported: the "
            "slope is %g, and signs of results do not say where the input was positive. Call leaky_relu() with "
            "inplace=False",
            slope);
  if (by_kernel(known))
    return from_kernel(grad, known, [&](const Tensor &g, const Tensor &r) {
      nn::LeakyReLU_updateGradInput(known, g, r, slope, false);
    });
  return flat(thpp::where(thpp::gt(known, number(0)), grad, grad * slope), known);
}

Tensor elu_backward(const Tensor &grad, const Tensor &known, double alpha, double scale, double input_scale,
                    bool is_result) {
  if (is_result && alpha < 0)
    THError(TH_ERROR_RUNTIME,
            "In-place elu backward calculation is triggered with a negative slope which is not supported: alpha is %g, "
            "and signs of results do not say where the input was positive. Call elu() with inplace=False",
            alpha);
  if (by_kernel(known))
    return from_kernel(grad, known, [&](const Tensor &g, const Tensor &r) {
      nn::ELU_updateGradInput(g, r, known, alpha, scale, input_scale, is_result);
    });
  const double low = alpha * scale;
  // masked: the exponential of what is not taken must not be infinite, 0 times its gradient would be no number
  const Tensor below = keep(known, thpp::lt(known, number(0)));
  const Tensor slope = is_result ? (below + low) * input_scale : thpp::exp(below * input_scale) * (low * input_scale);
  return thpp::where(thpp::le(known, number(0)), grad * slope, grad * scale);
}

std::vector<Tensor> prelu_backward(const Tensor &grad, const Tensor &self, const Tensor &weight,
                                   const std::vector<bool> &wanted) {
  std::vector<Tensor> made(2);
  if (by_kernel(self)) {
    if (wanted[0])
      made[0] = from_kernel(grad, self,
                            [&](const Tensor &g, const Tensor &r) { nn::PReLU_updateGradInput(self, g, r, weight); });
    if (wanted[1]) {
      made[1] = thpp::zeros_like(weight);
      nn::PReLU_accGradParameters(self, thpp::to(grad, self.dtype()), made[1], 1);
    }
    return made;
  }
  const Tensor positive = thpp::gt(self, number(0));
  std::vector<int64_t> shape(size_t(self.dim()), 1), others;
  if (weight.numel() != 1) shape[self.dim() > 1 ? 1 : 0] = -1;
  for (int d = 0; d < self.dim(); ++d)
    if (shape[size_t(d)] == 1) others.push_back(d);
  if (wanted[0]) made[0] = flat(thpp::where(positive, grad, grad * thpp::view(weight, shape)), self);
  if (wanted[1]) {
    const Tensor each = drop(grad * self, positive);
    const Tensor sum = self.dim() && !others.empty() ? thpp::sum(each, others, false) : each;
    made[1] = flat(thpp::reshape(sum, weight.sizes()), weight);
  }
  return made;
}

Tensor glu_backward(const Tensor &grad, const Tensor &self, int64_t dim) {
  if (by_kernel(self))
    return from_kernel(grad, self,
                       [&](const Tensor &g, const Tensor &r) { nn::GatedLinear_updateGradInput(self, g, r, dim); });
  const int64_t half = self.size(TH_wrapDim(dim, self.dim())) / 2;
  const Tensor share = thpp::sigmoid(thpp::narrow(self, dim, half, half));
  const Tensor first = grad * share;
  return thpp::cat({first, first * thpp::narrow(self, dim, 0, half) * (1 - share)}, dim);
}

Tensor sigmoid_backward(const Tensor &grad, const Tensor &result) {
  if (by_kernel(result))
    return from_kernel(grad, result,
                       [&](const Tensor &g, const Tensor &r) { nn::Sigmoid_updateGradInput(g, r, result); });
  return grad * thpp::conj(result * (1 - result));
}

Tensor tanh_backward(const Tensor &grad, const Tensor &result) {
  if (by_kernel(result))
    return from_kernel(grad, result, [&](const Tensor &g, const Tensor &r) { nn::Tanh_updateGradInput(g, r, result); });
  return grad * thpp::conj(1 - result * result);
}

}  // namespace torch::autograd
