// Activations: checks as torch has them, over THNN's kernels; on other devices than the CPU by operators.
#include "activation.h"

#include <string>

namespace thpp {

namespace {

// The fixed point of mean 0 and variance 1 of "Self-Normalizing Neural Networks".
constexpr double kSeluAlpha = 1.6732632423543772848170429916717, kSeluScale = 1.0507009873554804934193349852946;

Tensor plus(const Tensor &a, double x) { return thpp::add(a, number(x)); }

// In self's place: kernel(self, self), or what `composed` gives.
template <class Kernel, class Composed>
const Tensor &apply_in_place(const Tensor &self, const char *name, const Kernel &kernel, const Composed &composed) {
  require_floating(name, self);
  if (!has_nn_kernels(self)) return thpp::copy_(self, composed(self));
  kernel(self, self);
  return self;
}

bool by_tanh(const char *approximate) {
  const std::string word = approximate;
  if (word != "none" && word != "tanh") THError(TH_ERROR_RUNTIME, "approximate argument must be either none or tanh.");
  return word == "tanh";
}

Tensor bounded(const Tensor &self, double low, double high) {
  if (self.dtype() == TH_Byte && (low < 0 || high < 0))
    THError(TH_ERROR_RUNTIME, "cannot do hardtanh on an unsigned type with negative limits");
  if (self.dtype() == TH_Bool) THError(TH_ERROR_RUNTIME, "Bool inputs not supported for hardtanh");
  const Tensor above = thpp::masked_fill(self, thpp::le(self, number(low)), number(low));
  return thpp::masked_fill(above, thpp::ge(self, number(high)), number(high));
}
Tensor relu6_of_x_plus_3_over_6(const Tensor &x) {
  return times(thpp::clamp(plus(x, 3), number(0), number(6)), 1.0 / 6);
}
Tensor scaled_elu(const Tensor &x, double alpha, double scale, double input_scale) {
  const Tensor below = times(thpp::expm1(times(thpp::clamp_max(x, number(0)), input_scale)), alpha * scale);
  return thpp::where(thpp::le(x, number(0)), below, times(x, scale));
}

}  // namespace

// Of a function of one tensor, and in its place: kernel(x, r) writes r, `composed` is an expression of x.
#define IN_PLACE(name, parameters, word, kernel, composed)                                   \
  const Tensor &body::name##_ parameters {                                                   \
    return apply_in_place(self, word, [&](const Tensor &x, const Tensor &r) { kernel; },            \
                   [&](const Tensor &x) { return composed; });                               \
  }
#define FUNCTION(name, parameters, word, kernel, composed)                                   \
  Tensor body::name parameters {                                                             \
    return computed(self, word, [&](const Tensor &x, const Tensor &r) { kernel; },           \
                    [&](const Tensor &x) { return composed; });                              \
  }
#define BOTH(name, parameters, word, kernel, composed) \
  FUNCTION(name, parameters, word, kernel, composed)   \
  IN_PLACE(name, parameters, word, kernel, composed)

Tensor body::nn_gelu(const Tensor &self, const char *approximate) {
  const bool tanh = by_tanh(approximate);
  return computed(
      self, "GeluKernelImpl", [&](const Tensor &x, const Tensor &r) { nn::GELU_updateOutput(x, r, tanh); },
      [&](const Tensor &x) {
        if (!tanh) return thpp::mul(times(x, 0.5), plus(thpp::erf(times(x, 0.70710678118654752440)), 1));
        const Tensor cubic = plus(times(thpp::mul(x, x), 0.044715), 1);
        return thpp::mul(x, thpp::sigmoid(times(thpp::mul(x, cubic), 1.5957691216057307117)));
      });
}
const Tensor &body::nn_gelu_(const Tensor &self, const char *approximate) {
  return thpp::copy_(self, body::nn_gelu(self, approximate));
}

// Of complex numbers, too.
Tensor body::nn_silu(const Tensor &self) {
  if (is_complex(self.dtype())) return thpp::mul(self, thpp::sigmoid(self));
  return computed(
      self, "silu_cpu", [](const Tensor &x, const Tensor &r) { nn::SiLU_updateOutput(x, r); },
      [](const Tensor &x) { return thpp::mul(x, thpp::sigmoid(x)); });
}
const Tensor &body::nn_silu_(const Tensor &self) {
  if (is_floating(self.dtype()) && has_nn_kernels(self)) {
    nn::SiLU_updateOutput(self, self);
    return self;
  }
  return thpp::copy_(self, body::nn_silu(self));
}

BOTH(nn_mish, (const Tensor &self), "mish_cpu", nn::Mish_updateOutput(x, r),
     thpp::mul(x, thpp::tanh(thpp::nn_softplus(x))))
BOTH(nn_hardsigmoid, (const Tensor &self), "hardsigmoid_cpu", nn::HardSigmoid_updateOutput(x, r),
     relu6_of_x_plus_3_over_6(x))
BOTH(nn_hardswish, (const Tensor &self), "hardswish_cpu", nn::HardSwish_updateOutput(x, r),
     thpp::mul(x, relu6_of_x_plus_3_over_6(x)))
FUNCTION(nn_log_sigmoid, (const Tensor &self), "log_sigmoid_cpu", nn::LogSigmoid_updateOutput(x, r),
         thpp::neg(thpp::logaddexp(thpp::neg(x), thpp::zeros_like(x))))
FUNCTION(nn_softplus, (const Tensor &self, double beta, double threshold), "softplus_cpu",
         nn::SoftPlus_updateOutput(x, r, beta, threshold),
         thpp::where(thpp::gt(times(x, beta), number(threshold)), x,
                     times(thpp::logaddexp(times(x, beta), thpp::zeros_like(x)), 1 / beta)))
FUNCTION(hardshrink, (const Tensor &self, double lambd), "hardshrink_cpu", nn::HardShrink_updateOutput(x, r, lambd),
         thpp::masked_fill(x, thpp::logical_and(thpp::ge(x, number(-lambd)), thpp::le(x, number(lambd))), number(0)))

Tensor body::nn_softshrink(const Tensor &self, double lambd) {
  require_floating("softshrink_check", self);
  if (lambd < 0)
    THError(TH_ERROR_RUNTIME, "lambda must be in range [0, %g] for input dtype %s, but found %g",
            TH_finfoMax(self.dtype()), TH_typeName(self.dtype()), lambd);
  return computed(
      self, "softshrink_cpu", [&](const Tensor &x, const Tensor &r) { nn::SoftShrink_updateOutput(x, r, lambd); },
      [&](const Tensor &x) { return thpp::sub(x, thpp::clamp(x, number(-lambd), number(lambd))); });
}

Tensor body::nn_hardtanh(const Tensor &self, double low, double high) {
  if (is_complex(self.dtype())) THError(TH_ERROR_RUNTIME, "clamp is not supported for complex types");
  if (!is_floating(self.dtype())) return bounded(self, low, high);
  return computed(
      self, "hardtanh_cpu",
      [&](const Tensor &x, const Tensor &r) { nn::HardTanh_updateOutput(x, r, low, high, false); },
      [&](const Tensor &x) { return bounded(x, low, high); });
}
const Tensor &body::nn_hardtanh_(const Tensor &self, double low, double high) {
  if (!is_floating(self.dtype()) || !has_nn_kernels(self)) return thpp::copy_(self, body::nn_hardtanh(self, low, high));
  nn::HardTanh_updateOutput(self, self, low, high, false);
  return self;
}
Tensor body::nn_relu6(const Tensor &self) { return thpp::nn_hardtanh(self, 0, 6); }
const Tensor &body::nn_relu6_(const Tensor &self) { return thpp::nn_hardtanh_(self, 0, 6); }

BOTH(nn_leaky_relu, (const Tensor &self, double slope), "leaky_relu_cpu",
     nn::LeakyReLU_updateOutput(x, r, slope, false), thpp::where(thpp::gt(x, number(0)), x, times(x, slope)))
BOTH(nn_elu, (const Tensor &self, double alpha, double scale, double input_scale), "elu_cpu",
     nn::ELU_updateOutput(x, r, alpha, scale, input_scale, false), scaled_elu(x, alpha, scale, input_scale))

static double inverse(double alpha) {
  if (alpha == 0) THError(TH_ERROR_RUNTIME, "ZeroDivisionError: alpha cannot be 0 for CELU");
  return 1 / alpha;
}
Tensor body::celu(const Tensor &self, double alpha) { return body::nn_elu(self, alpha, 1, inverse(alpha)); }
const Tensor &body::celu_(const Tensor &self, double alpha) { return body::nn_elu_(self, alpha, 1, inverse(alpha)); }
Tensor body::selu(const Tensor &self) { return thpp::nn_elu(self, kSeluAlpha, kSeluScale, 1); }
const Tensor &body::selu_(const Tensor &self) { return thpp::nn_elu_(self, kSeluAlpha, kSeluScale, 1); }

// Of integers, too.
Tensor body::threshold(const Tensor &self, double threshold, double value) {
  if (!is_floating(self.dtype()))
    return thpp::masked_fill(self, thpp::le(self, number(threshold)), thpp::to(number(value), self.dtype()));
  const Tensor made = thpp::empty_like(self);
  nn::Threshold_updateOutput(self, made, threshold, value, false);
  return made;
}
const Tensor &body::threshold_(const Tensor &self, double threshold, double value) {
  if (!is_floating(self.dtype())) return thpp::copy_(self, body::threshold(self, threshold, value));
  nn::Threshold_updateOutput(self, self, threshold, value, false);
  return self;
}

Tensor body::prelu(const Tensor &self, const Tensor &weight) {
  if (self.dtype() != weight.dtype())
    THError(TH_ERROR_RUNTIME, "prelu: Type promoting not supported. Got %s and %s", TH_typeName(self.dtype()),
            TH_typeName(weight.dtype()));
  return computed(
      self, "prelu_cpu", [&](const Tensor &x, const Tensor &r) { nn::PReLU_updateOutput(x, r, weight); },
      [&](const Tensor &x) {
        std::vector<int64_t> shape(size_t(x.dim()), 1);
        if (weight.numel() != 1) shape[x.dim() > 1 ? 1 : 0] = -1;
        return thpp::where(thpp::gt(x, number(0)), x, thpp::mul(x, thpp::view(weight, shape)));
      });
}

void body::_rrelu_out(Tensor &result, Tensor &slopes, const Tensor &self, double lower, double upper, bool training,
                      THGenerator *generator) {
  if (lower > upper) THError(TH_ERROR_RUNTIME, "Lower bound should be less than or equal to the upper bound");
  require_floating(training ? "rrelu_with_noise_out_cpu" : "leaky_relu_cpu", self);
  const Tensor drawn = training && !has_nn_kernels(self)
                           ? thpp::uniform_(thpp::empty_like(self), lower, upper, generator)
                           : thpp::full_like(self, Scalar((lower + upper) / 2));
  if (training && has_nn_kernels(self)) {
    slopes = drawn;
    result = thpp::empty_like(self);
    return nn::RReLU_updateOutput(self, result, slopes, lower, upper, true, false,
                                  generator ? generator : THGenerator_default());
  }
  slopes = thpp::where(thpp::le(self, number(0)), drawn, thpp::ones_like(self));
  result = thpp::mul(self, slopes);
}
Tensor body::rrelu(const Tensor &self, double lower, double upper, bool training, THGenerator *generator) {
  return std::get<0>(thpp::_rrelu(self, lower, upper, training, generator));
}
const Tensor &body::rrelu_(const Tensor &self, double lower, double upper, bool training, THGenerator *generator) {
  return thpp::copy_(self, thpp::rrelu(self, lower, upper, training, generator));
}

Tensor body::nn_glu(const Tensor &self, int64_t dim) {
  if (!self.dim()) THError(TH_ERROR_RUNTIME, "glu does not support scalars because halving size must be even");
  const int d = TH_wrapDim(dim, self.dim());
  const int64_t size = self.size(d), half = size / 2;
  if (size % 2)
    THError(TH_ERROR_RUNTIME, "Halving dimension must be even, but dimension %d is size %lld", d, (long long)size);
  require_floating("glu_cpu", self);
  if (!has_nn_kernels(self))
    return thpp::mul(thpp::narrow(self, d, 0, half), thpp::sigmoid(thpp::narrow(self, d, half, half)));
  const Tensor made = without_elements(self);
  nn::GatedLinear_updateOutput(self, made, d);
  return made;
}

#undef BOTH
#undef FUNCTION
#undef IN_PLACE

}  // namespace thpp
