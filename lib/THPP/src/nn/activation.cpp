// Activations: what is judged before their kernels; and what stands in for kernels, made of operators.
#include <cstring>

#include <THPP/Guard.h>
#include <THNN/Check.h>

#include "arguments.h"
#include "operators.h"

namespace thpp {

namespace {

Tensor number(double x) { return wrapped_number(x); }

// ---- checks ----------------------------------------------------------------------------------------------
[[noreturn]] void throw_lost_signs(const char *name, const char *argument, double value) {
  THError(TH_ERROR_RUNTIME,
          "In-place %s backward calculation is triggered with a negative slope which is not supported: %s is %g, and "
          "signs of results do not say where the input was positive. Call the function that is not in place",
          name, argument, value);
}

}  // namespace

void check_gelu(THDtype, const Tensor &, const char *approximate) {
  if (std::strcmp(approximate, "none") != 0 && !by_tanh(approximate))
    THError(TH_ERROR_RUNTIME, "approximate argument must be either none or tanh.");
}

void check_softshrink(THDtype t, const Tensor &, double lambd) {
  if (is_floating(t) && lambd < 0)
    THError(TH_ERROR_RUNTIME, "lambda must be in range [0, %g] for input dtype %s, but found %g", TH_finfoMax(t),
            TH_typeName(t), lambd);
}

void check_celu(THDtype, const Tensor &, double alpha) {
  if (alpha == 0) THError(TH_ERROR_RUNTIME, "ZeroDivisionError: alpha cannot be 0 for CELU");
}

void check_prelu(THDtype, const Tensor &self, const Tensor &weight) {
  if (self.dtype() != weight.dtype())
    THError(TH_ERROR_RUNTIME, "prelu: Type promoting not supported. Got %s and %s", TH_typeName(self.dtype()),
            TH_typeName(weight.dtype()));
}

void check_glu(THDtype, const Tensor &self, int64_t dim) { THNNCheck_halved(self.get(), dim); }

void check_leaky_relu_backward(THDtype, const Tensor &, const Tensor &, double negative_slope, bool self_is_result) {
  if (self_is_result && negative_slope < 0) throw_lost_signs("leakyReLu", "the slope", negative_slope);
}

void check_elu_backward(THDtype, const Tensor &, double alpha, double, double, bool is_result, const Tensor &) {
  if (is_result && alpha < 0) throw_lost_signs("elu", "alpha", alpha);
}

// ---- forward ---------------------------------------------------------------------------------------------
namespace {

Tensor relu6_of_x_plus_3_over_6(const Tensor &x) { return thpp::clamp(x + 3, number(0), number(6)) * (1.0 / 6); }

// What PReLU's weight is expanded to.
std::vector<int64_t> along_channels(const Tensor &x, const Tensor &weight) {
  std::vector<int64_t> shape(size_t(x.dim()), 1);
  if (weight.numel() != 1) shape[x.dim() > 1 ? 1 : 0] = -1;
  return shape;
}

}  // namespace

Tensor fallback::gelu(const Tensor &x, const char *approximate) {
  if (!by_tanh(approximate)) return x * 0.5 * (thpp::erf(x * 0.70710678118654752440) + 1);
  return x * thpp::sigmoid(x * (x * x * 0.044715 + 1) * 1.5957691216057307117);
}
Tensor fallback::silu(const Tensor &x) { return x * thpp::sigmoid(x); }
Tensor fallback::mish(const Tensor &x) { return x * thpp::tanh(thpp::nn_softplus(x)); }
Tensor fallback::hardsigmoid(const Tensor &x) { return relu6_of_x_plus_3_over_6(x); }
Tensor fallback::hardswish(const Tensor &x) { return x * relu6_of_x_plus_3_over_6(x); }
Tensor fallback::log_sigmoid(const Tensor &x) { return -thpp::logaddexp(-x, thpp::zeros_like(x)); }
Tensor fallback::softplus(const Tensor &x, double beta, double threshold) {
  const Tensor scaled = x * beta;
  return thpp::where(thpp::gt(scaled, number(threshold)), x, thpp::logaddexp(scaled, thpp::zeros_like(x)) * (1 / beta));
}
Tensor fallback::hardshrink(const Tensor &x, double lambd) {
  return thpp::masked_fill(x, thpp::logical_and(thpp::ge(x, number(-lambd)), thpp::le(x, number(lambd))), number(0));
}
Tensor fallback::softshrink(const Tensor &x, double lambd) { return x - thpp::clamp(x, number(-lambd), number(lambd)); }

// Of integers, too.
Tensor fallback::hardtanh(const Tensor &x, double low, double high) {
  if (x.dtype() == TH_Byte && (low < 0 || high < 0))
    THError(TH_ERROR_RUNTIME, "cannot do hardtanh on an unsigned type with negative limits");
  if (x.dtype() == TH_Bool) THError(TH_ERROR_RUNTIME, "Bool inputs not supported for hardtanh");
  const Tensor above = thpp::masked_fill(x, thpp::le(x, number(low)), number(low));
  return thpp::masked_fill(above, thpp::ge(x, number(high)), number(high));
}
Tensor fallback::threshold(const Tensor &x, double threshold, double value) {
  return thpp::masked_fill(x, thpp::le(x, number(threshold)), thpp::to(number(value), x.dtype()));
}

Tensor fallback::leaky_relu(const Tensor &x, double slope) { return thpp::where(thpp::gt(x, number(0)), x, x * slope); }
Tensor fallback::elu(const Tensor &x, double alpha, double scale, double input_scale) {
  const Tensor below = thpp::expm1(thpp::clamp_max(x, number(0)) * input_scale) * (alpha * scale);
  return thpp::where(thpp::le(x, number(0)), below, x * scale);
}
Tensor fallback::celu(const Tensor &x, double alpha) { return fallback::elu(x, alpha, 1, 1 / alpha); }
Tensor fallback::prelu(const Tensor &x, const Tensor &weight) {
  return thpp::where(thpp::gt(x, number(0)), x, x * thpp::view(weight, along_channels(x, weight)));
}
Tensor fallback::glu(const Tensor &x, int64_t dim) {
  const int64_t half = x.size(TH_wrapDim(dim, x.dim())) / 2;
  return thpp::narrow(x, dim, 0, half) * thpp::sigmoid(thpp::narrow(x, dim, half, half));
}

// ---- gradients -------------------------------------------------------------------------------------------
namespace {

Tensor normal_density(const Tensor &x) { return thpp::exp(x * x * -0.5) * 0.39894228040143267794; }

}  // namespace

Tensor fallback::gelu_backward(const Tensor &grad, const Tensor &x, const char *approximate) {
  if (!by_tanh(approximate)) return grad * ((thpp::erf(x * 0.70710678118654752440) + 1) * 0.5 + x * normal_density(x));
  constexpr double root = 1.5957691216057307117, cubic = 0.044715;  // sqrt(2 / pi), twice
  const Tensor square = x * x;
  const Tensor share = thpp::sigmoid(x * (square * (root * cubic) + root));
  return grad * share * (x * (square * (3 * root * cubic) + root) * (1 - share) + 1);
}

Tensor fallback::silu_backward(const Tensor &grad, const Tensor &x) {
  const Tensor share = thpp::sigmoid(x);
  return grad * thpp::conj(share * (x * (1 - share) + 1));
}

Tensor fallback::mish_backward(const Tensor &grad, const Tensor &x) {
  const Tensor factor = thpp::tanh(thpp::nn_softplus(x));
  return grad * (factor + x * (1 - factor * factor) * thpp::sigmoid(x));
}

Tensor fallback::hardsigmoid_backward(const Tensor &grad, const Tensor &x) {
  return flat(keep(grad * (1.0 / 6), thpp::logical_and(thpp::gt(x, number(-3)), thpp::lt(x, number(3)))), x);
}

Tensor fallback::hardswish_backward(const Tensor &grad, const Tensor &x) {
  const Tensor between = drop(grad * (x * (1.0 / 3) + 0.5), thpp::le(x, number(-3)));
  return thpp::where(thpp::ge(x, number(3)), grad, between);
}

Tensor fallback::softplus_backward(const Tensor &grad, const Tensor &x, double beta, double threshold) {
  const Tensor scaled = x * beta;
  return thpp::where(thpp::gt(scaled, number(threshold)), grad, grad * thpp::sigmoid(scaled));
}

Tensor fallback::log_sigmoid_backward(const Tensor &grad, const Tensor &x) { return grad * thpp::sigmoid(-x); }

Tensor fallback::shrink_backward(const Tensor &grad, const Tensor &x, double lambd) {
  return flat(drop(grad, thpp::logical_and(thpp::ge(x, number(-lambd)), thpp::le(x, number(lambd)))), x);
}

Tensor fallback::hardtanh_backward(const Tensor &grad, const Tensor &known, double low, double high) {
  return flat(drop(grad, thpp::logical_or(thpp::le(known, number(low)), thpp::ge(known, number(high)))), known);
}

Tensor fallback::threshold_backward(const Tensor &grad, const Tensor &x, double threshold) {
  return flat(drop(grad, thpp::le(x, number(threshold))), x);
}

Tensor fallback::leaky_relu_backward(const Tensor &grad, const Tensor &known, double slope, bool) {
  return flat(thpp::where(thpp::gt(known, number(0)), grad, grad * slope), known);
}

Tensor fallback::elu_backward(const Tensor &grad, double alpha, double scale, double input_scale, bool is_result,
                              const Tensor &known) {
  const double low = alpha * scale;
  // masked: the exponential of what is not taken must not be infinite, 0 times its gradient would be no number
  const Tensor below = keep(known, thpp::lt(known, number(0)));
  const Tensor slope = is_result ? (below + low) * input_scale : thpp::exp(below * input_scale) * (low * input_scale);
  return thpp::where(thpp::le(known, number(0)), grad * slope, grad * scale);
}

Tensor fallback::prelu_input_backward(const Tensor &grad, const Tensor &x, const Tensor &weight) {
  const Tensor slopes = thpp::view(weight, along_channels(x, weight));
  return flat(thpp::where(thpp::gt(x, number(0)), grad, grad * slopes), x);
}

Tensor body::_prelu_weight_backward(const Tensor &grad, const Tensor &x, const Tensor &weight) {
  const Tensor made = thpp::zeros_like(weight);
  thpp::_prelu_add_weight_grad_(made, x, grad);
  return grad_mode() ? flat(made, weight) : made;
}

const Tensor &fallback::prelu_add_weight_grad(const Tensor &made, const Tensor &x, const Tensor &grad) {
  const std::vector<int64_t> shape = along_channels(x, made);
  std::vector<int64_t> others;
  for (int d = 0; d < x.dim(); ++d)
    if (shape[size_t(d)] == 1) others.push_back(d);
  const Tensor each = drop(grad * x, thpp::gt(x, number(0)));
  const Tensor sum = x.dim() && !others.empty() ? thpp::sum(each, others, false) : each;
  return thpp::add_(made, thpp::reshape(sum, made.sizes()));
}

Tensor fallback::glu_backward(const Tensor &grad, const Tensor &x, int64_t dim) {
  const int64_t half = x.size(TH_wrapDim(dim, x.dim())) / 2;
  const Tensor share = thpp::sigmoid(thpp::narrow(x, dim, half, half));
  const Tensor first = grad * share;
  return thpp::cat({first, first * thpp::narrow(x, dim, 0, half) * (1 - share)}, dim);
}

Tensor fallback::sigmoid_backward(const Tensor &grad, const Tensor &output) {
  return grad * thpp::conj(output * (1 - output));
}
Tensor fallback::tanh_backward(const Tensor &grad, const Tensor &output) {
  return grad * thpp::conj(1 - output * output);
}

// ---- random slopes ---------------------------------------------------------------------------------------
std::tuple<Tensor, Tensor> fallback::rrelu_training(const Tensor &self, double lower, double upper,
                                                    THGenerator *generator) {
  const Tensor drawn = thpp::uniform_(thpp::empty_like(self), lower, upper, generator);
  const Tensor slopes = thpp::where(thpp::le(self, number(0)), drawn, thpp::ones_like(self));
  return {self * slopes, slopes};
}

void body::_rrelu_out(Tensor &result, Tensor &slopes, const Tensor &self, double lower, double upper, bool training,
                      THGenerator *generator) {
  if (lower > upper) THError(TH_ERROR_RUNTIME, "Lower bound should be less than or equal to the upper bound");
  if (training) return thpp::_rrelu_training_out(result, slopes, self, lower, upper, generator);
  const double slope = (lower + upper) / 2;
  result = thpp::nn_leaky_relu(self, slope);
  slopes = thpp::where(thpp::le(self, number(0)), thpp::full_like(self, Scalar(slope)), thpp::ones_like(self));
}
void body::rrelu_out(Tensor &result, const Tensor &self, double lower, double upper, bool training,
                     THGenerator *generator) {
  const Tensor made = std::get<0>(thpp::_rrelu(self, lower, upper, training, generator));
  if (result.defined())  // in place
    thpp::copy_(result, made);
  else
    result = made;
}

}  // namespace thpp
