#include "normalization.h"

#include "kernels.h"

namespace torch::autograd {

namespace {

using Sizes = std::vector<int64_t>;
using Wanted = std::vector<bool>;

// ---- by kernels ------------------------------------------------------------------------------------
// Results for a kernel: of the input's shape and layout, and of `size` in the statistics' dtype.
std::vector<Tensor> results(const Tensor &input, const Tensor &statistic, IntList size, const Wanted &wanted) {
  std::vector<Tensor> made(wanted.size());
  if (wanted[0]) made[0] = thpp::empty(input.sizes(), input.dtype(), input.suggest_memory_format(), input.device());
  for (size_t i = 1; i < wanted.size(); ++i)
    if (wanted[i]) made[i] = thpp::empty(size, statistic.dtype(), thpp::MemoryFormat::Contiguous, input.device());
  return made;
}

Tensor as_input(const Tensor &grad, const Tensor &input) { return thpp::to(grad, input.dtype()); }

// ---- by operators ------------------------------------------------------------------------------------
// Numbers are half types' in float.
Tensor computed(const Tensor &t) {
  if (!t.defined()) return t;
  return t.dtype() == TH_Half || t.dtype() == TH_BFloat16 ? thpp::to(t, TH_Float) : t;
}

// z = (x - mean) / sqrt(variance + eps) over some dimensions; `rstd` is that root's reciprocal.
struct Standardized {
  Tensor z, rstd;
};
Standardized standardized(const Tensor &x, const Sizes &dims, double eps) {
  const std::vector<Tensor> of = thpp::var_mean(x, dims, Scalar(0), true);
  const Tensor rstd = thpp::rsqrt(of[0] + eps);
  return {(x - of[1]) * rstd, rstd};
}

// Of z for x, with h the gradient for z: (h - mean of h - z mean of h z) rstd. RMS norm has no mean of h.
Tensor input_gradient(const Tensor &h, const Standardized &s, const Sizes &dims, bool centred = true) {
  const Tensor along = s.z * thpp::mean(h * s.z, dims, true);
  return (centred ? h - thpp::mean(h, dims, true) - along : h - along) * s.rstd;
}

Sizes range(int64_t begin, int64_t end) {
  Sizes dims;
  for (int64_t d = begin; d < end; ++d) dims.push_back(d);
  return dims;
}

// A channel's values, in a shape that broadcasts with the input's.
Tensor of_channels(const Tensor &values, int n) {
  Sizes shape(size_t(n), 1);
  shape[1] = -1;
  return values.defined() ? thpp::view(values, shape) : values;
}
// The dimensions over which channels are summed.
Sizes but_channels(int n) {
  Sizes dims = range(2, n);
  dims.insert(dims.begin(), 0);
  return dims;
}

Tensor weighted(const Tensor &grad, const Tensor &weight) { return weight.defined() ? grad * weight : grad; }
Tensor summed(const Tensor &t, const Sizes &dims) { return dims.empty() ? t : thpp::sum(t, dims); }

// All three, from the input's and z; the rest is sums over `dims`.
std::vector<Tensor> gradients(const Tensor &of_input, const Tensor &grad, const Tensor &z, const Sizes &dims,
                              const Wanted &wanted) {
  std::vector<Tensor> made(wanted.size());
  made[0] = of_input;
  if (wanted[1]) made[1] = summed(grad * z, dims);
  if (wanted.size() > 2 && wanted[2]) made[2] = summed(grad, dims);
  return made;
}

// Sums of the windows of `size` channels, `before` of which come before the middle one.
Tensor windows(const Tensor &t, int64_t size, int64_t before) {
  Sizes pad(size_t(2 * (t.dim() - 2)), 0);
  pad.push_back(before);
  pad.push_back(size - 1 - before);
  return thpp::sum(thpp::unfold(thpp::constant_pad_nd(t, pad), 1, size, 1), {-1});
}

}  // namespace

std::vector<Tensor> batch_norm_backward(const Tensor &grad, const Tensor &input, const Tensor &weight,
                                        const Tensor &mean, const Tensor &invstd, bool training, double eps,
                                        const Wanted &wanted) {
  if (by_kernel(input)) {
    const std::vector<Tensor> made = results(input, mean, mean.sizes(), wanted);
    thpp::nn::BatchNormalization_backward(input, as_input(grad, input), made[0], made[1], made[2], weight, mean, invstd,
                                          training);
    return made;
  }
  const int n = input.dim();
  const Tensor x = computed(input), g = computed(grad), h = weighted(g, of_channels(computed(weight), n));
  const Sizes dims = but_channels(n);
  if (training) {
    const Standardized s = standardized(x, dims, eps);
    return gradients(wanted[0] ? input_gradient(h, s, dims) : Tensor(), g, s.z, dims, wanted);
  }
  const Tensor rstd = of_channels(computed(invstd), n);
  return gradients(wanted[0] ? h * rstd : Tensor(), g, (x - of_channels(computed(mean), n)) * rstd, dims, wanted);
}

std::vector<Tensor> layer_norm_backward(const Tensor &grad, const Tensor &input, IntList shape, const Tensor &weight,
                                        const Tensor &mean, const Tensor &rstd, double eps, const Wanted &wanted) {
  if (by_kernel(input)) {
    const std::vector<Tensor> made = results(input, mean, shape, wanted);
    thpp::nn::LayerNormalization_backward(input, as_input(grad, input), made[0], made[1], made[2], weight, mean, rstd,
                                          shape);
    return made;
  }
  const int n = input.dim(), outer = n - int(shape.size());
  const Sizes dims = range(outer, n);
  const Tensor g = computed(grad);
  const Standardized s = standardized(computed(input), dims, eps);
  return gradients(wanted[0] ? input_gradient(weighted(g, computed(weight)), s, dims) : Tensor(), g, s.z,
                   range(0, outer), wanted);
}

std::vector<Tensor> rms_norm_backward(const Tensor &grad, const Tensor &input, IntList shape, const Tensor &weight,
                                      const Tensor &rstd, double eps, const Wanted &wanted) {
  if (by_kernel(input)) {
    const std::vector<Tensor> made = results(input, rstd, shape, wanted);
    thpp::nn::RMSNormalization_backward(input, as_input(grad, input), made[0], made[1], weight, rstd, shape);
    return made;
  }
  const int n = input.dim(), outer = n - int(shape.size());
  const Sizes dims = range(outer, n);
  const Tensor x = computed(input), g = computed(grad), over = thpp::rsqrt(thpp::mean(x * x, dims, true) + eps);
  const Standardized s{x * over, over};
  return gradients(wanted[0] ? input_gradient(weighted(g, computed(weight)), s, dims, false) : Tensor(), g, s.z,
                   range(0, outer), wanted);
}

std::vector<Tensor> group_norm_backward(const Tensor &grad, const Tensor &input, const Tensor &weight,
                                        const Tensor &mean, const Tensor &rstd, int64_t groups, double eps,
                                        const Wanted &wanted) {
  if (by_kernel(input)) {
    const int64_t channels = input.size(1);
    const std::vector<Tensor> made = results(input, mean, {channels}, wanted);
    thpp::nn::GroupNormalization_backward(input, as_input(grad, input), made[0], made[1], made[2], weight, mean, rstd,
                                          groups);
    return made;
  }
  const int n = input.dim();
  const Sizes grouped = {input.size(0), groups, -1}, dims = {2};
  const Tensor g = computed(grad);
  const Standardized s = standardized(thpp::reshape(computed(input), grouped), dims, eps);
  const auto of_input = [&] {
    const Tensor h = weighted(g, of_channels(computed(weight), n));
    return thpp::reshape(input_gradient(thpp::reshape(h, grouped), s, dims), input.sizes());
  };
  return gradients(wanted[0] ? of_input() : Tensor(), g, thpp::reshape(s.z, input.sizes()), but_channels(n), wanted);
}

Tensor local_response_norm_backward(const Tensor &grad, const Tensor &self, const Tensor &scale, int64_t size,
                                    double alpha, double beta, double k) {
  if (by_kernel(self)) {
    const Tensor made = thpp::empty_like(self);
    thpp::nn::SpatialCrossMapLRN_updateGradInput(self, as_input(grad, self), made, scale, size, alpha, beta);
    return made;
  }
  const double share = alpha / double(size);
  const Tensor x = computed(self), g = computed(grad), s = windows(x * x, size, size / 2) * share + k;
  const Tensor power = thpp::pow(s, Scalar(-beta));
  return g * power - x * windows(g * x * power / s, size, (size - 1) / 2) * (2 * share * beta);
}

// Of v g / n with the norms n: for g the sum s = Σ grad v / n of each slice, for v (grad - v s / n) g / n.
std::vector<Tensor> weight_norm_backward(const Tensor &grad, const Tensor &v, const Tensor &g, const Tensor &norms,
                                         int64_t dim, const Wanted &wanted) {
  const Tensor x = computed(v), d = computed(grad);
  const Tensor n = thpp::grad_mode() ? thpp::norm_except_dim(x, 2, dim) : computed(norms);
  Sizes others = range(0, v.dim());
  others.erase(others.begin() + dim);
  const Tensor product = d * x, along = (others.empty() ? product : thpp::sum(product, others, true)) / n;
  std::vector<Tensor> made(2);
  if (wanted[0]) made[0] = (d - x * (along / n)) * (computed(g) / n);
  if (wanted[1]) made[1] = along;
  return made;
}

}  // namespace torch::autograd
