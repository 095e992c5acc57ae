// Normalisation: dtypes and checks as torch has them; and what stands in for kernels, made of operators, which compute with
// half types in float.
#include "operators.h"

#include <algorithm>
#include <cfloat>

#include <THPP/Guard.h>
#include <THNN/Check.h>

namespace thpp {

namespace {

using Sizes = std::vector<int64_t>;

bool is_half(THDtype dtype) { return dtype == TH_Half || dtype == TH_BFloat16; }
THDtype compute_dtype(const Tensor &input) { return is_half(input.dtype()) ? TH_Float : input.dtype(); }

// Weights and running statistics have the input's dtype, or all of them are float and the input is half: whichever the
// first of them is.
void check_dtypes(const Tensor &input, std::initializer_list<const Tensor *> parameters) {
  const Tensor *first = nullptr;
  for (const Tensor *p : parameters)
    if (p->defined() && !first) first = p;
  if (!first) return;
  const bool mixed = first->dtype() != input.dtype();
  for (const Tensor *p : parameters) {
    if (!p->defined() || p->dtype() == (mixed ? TH_Float : input.dtype())) continue;
    if (mixed) THError(TH_ERROR_RUNTIME, "mixed dtype (CPU): expect parameter to have scalar type of Float");
    THError(TH_ERROR_RUNTIME, "expected scalar type %s but found %s", TH_typeName(input.dtype()),
            TH_typeName(p->dtype()));
  }
  if (mixed && !is_half(input.dtype()))
    THError(TH_ERROR_RUNTIME, "mixed dtype (CPU): all inputs must share same datatype.");
}

// Of the statistics that native_… functions give.
THDtype statistics_dtype(const Tensor &input, std::initializer_list<const Tensor *> parameters) {
  for (const Tensor *p : parameters)
    if (p->defined()) return p->dtype();
  return input.dtype();
}

void write_all(Tensor &result0, Tensor &result1, Tensor &result2, const Tensor &output, const Tensor &mean,
               const Tensor &rstd) {
  write_out(result0, output);
  write_out(result1, mean);
  write_out(result2, rstd);
}

// As one dimension, which others are as well.
Tensor as_vector(const Tensor &t) { return t.defined() && t.dim() != 1 ? thpp::reshape(t, {-1}) : t; }

void check_batch_norm(const Tensor &input, const Tensor &weight, const Tensor &bias, const Tensor &running_mean,
                      const Tensor &running_var, bool training) {
  THNNCheck_channelwise(input.dim() < 2 ? 0 : input.size(1), training, running_mean.get(), running_var.get(),
                        weight.get(), bias.get());
  if (input.dim() < 2) TH_wrapDim(1, input.dim());
  if (running_mean.defined() != running_var.defined())
    THError(TH_ERROR_VALUE, "running_mean and running_var must either both be None or neither be None");
  require_floating("batch_norm", input);
  check_dtypes(input, {&weight, &bias, &running_mean, &running_var});
}

Tensor batch_normalized(const Tensor &input, const Tensor &weight, const Tensor &bias, const Tensor &running_mean,
                        const Tensor &running_var, const Tensor &mean, const Tensor &invstd, bool training,
                        double momentum, double eps) {
  return thpp::_batch_norm(input, as_vector(weight), as_vector(bias), running_mean, running_var, mean, invstd, training,
                           momentum, eps);
}

Sizes range(int64_t begin, int64_t end) {
  Sizes dims;
  for (int64_t d = begin; d < end; ++d) dims.push_back(d);
  return dims;
}
Sizes last_dims(const Tensor &t, IntList normalized_shape) {
  return range(t.dim() - int64_t(normalized_shape.size()), t.dim());
}

// ---- what fallbacks share ----------------------------------------------------------------------------------

// A statistic, where the kernel would write it.
void leave(const Tensor &statistic, const Tensor &value) {
  if (!statistic.defined()) return;
  // Its version stays: a recorded call has saved it before it was filled.
  THTensor_set(statistic.get(), thpp::contiguous(thpp::to(value, statistic.dtype())).get());
}

// z = (x - mean) rstd over some dimensions; rstd is 1 / sqrt(variance + eps).
struct Standardized {
  Tensor z, mean, variance, rstd;
};
Standardized standardized(const Tensor &x, const Sizes &dims, double eps) {
  const std::vector<Tensor> found = thpp::var_mean(x, dims, Scalar(0), true);
  const Tensor rstd = thpp::rsqrt(found[0] + eps);
  return {(x - found[1]) * rstd, found[1], found[0], rstd};
}
// The same without a mean.
Standardized rooted(const Tensor &x, const Sizes &dims, double eps) {
  const Tensor rstd = thpp::rsqrt(thpp::mean(x * x, dims, true) + eps);
  return {x * rstd, {}, {}, rstd};
}

// z weight + bias, as the input is.
Tensor scaled(Tensor z, const Tensor &weight, const Tensor &bias, const Tensor &input) {
  if (weight.defined()) z = z * in_float(weight);
  if (bias.defined()) z = z + in_float(bias);
  return thpp::to(z, input.dtype());
}
// Of each channel, so that it broadcasts with the input.
Tensor by_channel(const Tensor &t, const Tensor &input) {
  if (!t.defined()) return t;
  Sizes shape(size_t(input.dim()), 1);
  shape[1] = -1;
  return thpp::view(t, shape);
}
Sizes all_but_channels(const Tensor &input) {
  Sizes dims = range(2, input.dim());
  dims.insert(dims.begin(), 0);
  return dims;
}
Sizes grouped(const Tensor &input, int64_t groups) {
  const int64_t members = input.size(0) * groups;
  return {input.size(0), groups, members ? input.numel() / members : 0};
}
Tensor flat(const Tensor &t) { return thpp::reshape(t, {-1}); }

// Sums of the windows of `size` channels, `before` of which come before the middle one.
Tensor windows(const Tensor &t, int64_t size, int64_t before) {
  Sizes pad(size_t(2 * (t.dim() - 2)), 0);
  pad.insert(pad.end(), {before, size - 1 - before});
  return thpp::sum(thpp::unfold(thpp::constant_pad_nd(t, pad), 1, size, 1), {-1});
}

Tensor weighted(const Tensor &grad, const Tensor &weight) { return weight.defined() ? grad * weight : grad; }

// Of z for x, with h the gradient for z: (h - mean of h - z mean of h z) rstd. RMS norm has no mean of h.
Tensor input_gradient(const Tensor &h, const Standardized &s, const Sizes &dims, bool centred = true) {
  const Tensor along = s.z * thpp::mean(h * s.z, dims, true);
  return (centred ? h - thpp::mean(h, dims, true) - along : h - along) * s.rstd;
}
// Of a parameter, whose own dimensions are not among these.
Tensor parameter_gradient(const Tensor &each, const Sizes &dims) { return dims.empty() ? each : thpp::sum(each, dims); }

}  // namespace

// ---- batch -------------------------------------------------------------------------------------------------

Tensor fallback::batch_norm(const Tensor &input, const Tensor &weight, const Tensor &bias, const Tensor &running_mean,
                            const Tensor &running_var, const Tensor &save_mean, const Tensor &save_invstd,
                            bool training, double momentum, double eps) {
  const Tensor x = in_float(input), w = by_channel(weight, input), b = by_channel(bias, input);
  if (!training) {
    const Tensor rstd = thpp::rsqrt(in_float(running_var) + eps);
    leave(save_mean, thpp::clone(running_mean));  // which later calls may change
    leave(save_invstd, rstd);
    return scaled((x - by_channel(in_float(running_mean), input)) * by_channel(rstd, input), w, b, input);
  }
  const Standardized s = standardized(x, all_but_channels(input), eps);
  leave(save_mean, flat(s.mean));
  leave(save_invstd, flat(s.rstd));
  const double n = double(input.numel()) / double(std::max<int64_t>(input.size(1), 1));
  const auto follow = [&](const Tensor &running, const Tensor &now) {
    if (running.defined() && input.numel()) thpp::_copy_(running, running * (1 - momentum) + now * momentum);
  };
  follow(running_mean, flat(s.mean));
  follow(running_var, flat(s.variance) * (n / (n - 1)));
  return scaled(s.z, w, b, input);
}

std::tuple<Tensor, Tensor, Tensor> fallback::batch_norm_backward(const Tensor &grad, const Tensor &input,
                                                                 const Tensor &weight, const Tensor &mean,
                                                                 const Tensor &invstd, bool training, double eps,
                                                                 bool of_input, bool of_weight, bool of_bias) {
  const Tensor x = in_float(input), g = in_float(grad), h = weighted(g, by_channel(in_float(weight), input));
  const Sizes dims = all_but_channels(input);
  Standardized s;
  if (training) {
    s = standardized(x, dims, eps);
  } else {
    s.rstd = by_channel(in_float(invstd), input);
    s.z = (x - by_channel(in_float(mean), input)) * s.rstd;
  }
  Tensor made;
  if (of_input) made = training ? input_gradient(h, s, dims) : h * s.rstd;
  return {made, of_weight ? parameter_gradient(g * s.z, dims) : Tensor(),
          of_bias ? parameter_gradient(g, dims) : Tensor()};
}

Tensor body::batch_norm(const Tensor &input, const Tensor &weight, const Tensor &bias, const Tensor &running_mean,
                        const Tensor &running_var, bool training, double momentum, double eps, bool) {
  check_batch_norm(input, weight, bias, running_mean, running_var, training);
  const THDtype dtype = compute_dtype(input);
  return batch_normalized(input, weight, bias, running_mean, running_var, without_elements(input, dtype),
                          without_elements(input, dtype), training, momentum, eps);
}

void body::native_batch_norm_out(Tensor &result0, Tensor &result1, Tensor &result2, const Tensor &input,
                                 const Tensor &weight, const Tensor &bias, const Tensor &running_mean,
                                 const Tensor &running_var, bool training, double momentum, double eps) {
  check_batch_norm(input, weight, bias, running_mean, running_var, training);
  if (!input.numel())
    THError(TH_ERROR_RUNTIME, "input tensor must have at least one element, but got input_sizes = %s",
            shape_text(input).c_str());
  const THDtype dtype = statistics_dtype(input, {&weight, &bias, &running_mean, &running_var});
  const Tensor mean = without_elements(input, dtype), invstd = without_elements(input, dtype);
  const Tensor output = batch_normalized(input, weight, bias, running_mean, running_var, mean, invstd, training,
                                         momentum, eps);
  if (training) return write_all(result0, result1, result2, output, mean, invstd);
  write_all(result0, result1, result2, output, without_elements(input, dtype), without_elements(input, dtype));
}

// Samples are channels of one.
Tensor body::instance_norm(const Tensor &input, const Tensor &weight, const Tensor &bias, const Tensor &running_mean,
                           const Tensor &running_var, bool use_input_stats, double momentum, double eps, bool cudnn) {
  if (!use_input_stats && !(running_mean.defined() && running_var.defined()))
    THError(TH_ERROR_RUNTIME, "Expected running_mean and running_var to be defined when use_input_stats is false");
  if (input.dim() < 2) TH_wrapDim(1, input.dim());
  const int64_t batch = input.size(0), channels = input.size(1);
  const auto repeated = [&](const Tensor &t) { return t.defined() ? thpp::repeat(t, {batch}) : t; };
  Sizes shape(input.sizes().begin(), input.sizes().end());
  shape[0] = 1;
  shape[1] = batch * channels;
  const Tensor mean = repeated(running_mean), var = repeated(running_var);
  const Tensor result = thpp::batch_norm(thpp::view(thpp::contiguous(input), shape), repeated(weight), repeated(bias),
                                         mean, var, use_input_stats, momentum, eps, cudnn);
  if (use_input_stats) {
    const NoRecording guard;
    const auto keep = [&](const Tensor &running, const Tensor &each) {
      if (running.defined()) thpp::copy_(running, thpp::mean(thpp::view(each, {batch, channels}), {0}));
    };
    keep(running_mean, mean);
    keep(running_var, var);
  }
  return thpp::view(result, input.sizes());
}

// ---- rows ----------------------------------------------------------------------------------------------------

Tensor fallback::layer_norm(const Tensor &input, IntList normalized_shape, const Tensor &weight, const Tensor &bias,
                            const Tensor &mean, const Tensor &rstd, double eps) {
  const Standardized s = standardized(in_float(input), last_dims(input, normalized_shape), eps);
  leave(mean, s.mean);
  leave(rstd, s.rstd);
  return scaled(s.z, weight, bias, input);
}

std::tuple<Tensor, Tensor, Tensor> fallback::layer_norm_backward(const Tensor &grad, const Tensor &input,
                                                                 IntList normalized_shape, const Tensor &weight,
                                                                 const Tensor &, const Tensor &, double eps,
                                                                 bool of_input, bool of_weight, bool of_bias) {
  const Sizes dims = last_dims(input, normalized_shape), outer = range(0, dims[0]);
  const Tensor g = in_float(grad);
  const Standardized s = standardized(in_float(input), dims, eps);
  return {of_input ? input_gradient(weighted(g, in_float(weight)), s, dims) : Tensor(),
          of_weight ? parameter_gradient(g * s.z, outer) : Tensor(), of_bias ? parameter_gradient(g, outer) : Tensor()};
}

Tensor body::layer_norm(const Tensor &input, IntList normalized_shape, const Tensor &weight, const Tensor &bias,
                        double eps, bool) {
  const THDtype dtype = compute_dtype(input);
  require_floating("LayerNormKernelImpl", input);
  check_dtypes(input, {&weight, &bias});
  return thpp::_layer_norm(input, normalized_shape, weight, bias, without_elements(input, dtype),
                           without_elements(input, dtype), eps);
}

void body::native_layer_norm_out(Tensor &result0, Tensor &result1, Tensor &result2, const Tensor &input,
                                 IntList normalized_shape, const Tensor &weight, const Tensor &bias, double eps) {
  const THDtype dtype = statistics_dtype(input, {&weight, &bias});
  require_floating("LayerNormKernelImpl", input);
  check_dtypes(input, {&weight, &bias});
  const Tensor mean = without_elements(input, dtype), rstd = without_elements(input, dtype);
  const Tensor output = thpp::_layer_norm(input, normalized_shape, weight, bias, mean, rstd, eps);
  write_all(result0, result1, result2, output, mean, rstd);
}

Tensor fallback::rms_norm(const Tensor &input, IntList normalized_shape, const Tensor &weight, const Tensor &rstd,
                          double eps) {
  const Standardized s = rooted(in_float(input), last_dims(input, normalized_shape), eps);
  leave(rstd, s.rstd);
  return scaled(s.z, weight, Tensor(), input);
}

std::tuple<Tensor, Tensor> fallback::rms_norm_backward(const Tensor &grad, const Tensor &input,
                                                       IntList normalized_shape, const Tensor &weight, const Tensor &,
                                                       double eps, bool of_input, bool of_weight) {
  const Sizes dims = last_dims(input, normalized_shape);
  const Tensor g = in_float(grad);
  const Standardized s = rooted(in_float(input), dims, eps);
  return {of_input ? input_gradient(weighted(g, in_float(weight)), s, dims, false) : Tensor(),
          of_weight ? parameter_gradient(g * s.z, range(0, dims[0])) : Tensor()};
}

Tensor body::rms_norm(const Tensor &input, IntList normalized_shape, const Tensor &weight, std::optional<double> eps) {
  if (input.dim() < int(normalized_shape.size()))
    THError(TH_ERROR_VALUE, "Input tensor must have at least %zu dimensions, but got %d", normalized_shape.size(),
            input.dim());
  const THDtype dtype = compute_dtype(input);
  const double epsilon = eps.value_or(real_dtype(dtype) == TH_Float ? double(FLT_EPSILON) : DBL_EPSILON);
  if (is_complex(dtype)) {
    const Tensor made = rooted(input, last_dims(input, normalized_shape), epsilon).z;
    return weight.defined() ? made * weight : made;
  }
  require_floating("rms_norm", input);
  const bool fits = !weight.defined() || weight.dtype() == input.dtype() || weight.dtype() == dtype;
  return thpp::_rms_norm(input, normalized_shape, fits ? weight : thpp::to(weight, dtype),
                         without_elements(input, dtype), epsilon);
}

// ---- groups --------------------------------------------------------------------------------------------------

Tensor fallback::group_norm(const Tensor &input, const Tensor &weight, const Tensor &bias, const Tensor &mean,
                            const Tensor &rstd, int64_t groups, double eps) {
  const Standardized s = standardized(thpp::reshape(in_float(input), grouped(input, groups)), {2}, eps);
  leave(mean, thpp::squeeze(s.mean, {2}));
  leave(rstd, thpp::squeeze(s.rstd, {2}));
  const Tensor result = scaled(thpp::view(s.z, input.sizes()), by_channel(weight, input), by_channel(bias, input),
                               input);
  return thpp::contiguous(result, input.suggest_memory_format());
}

std::tuple<Tensor, Tensor, Tensor> fallback::group_norm_backward(const Tensor &grad, const Tensor &input,
                                                                 const Tensor &weight, const Tensor &, const Tensor &,
                                                                 int64_t groups, double eps, bool of_input,
                                                                 bool of_weight, bool of_bias) {
  const Sizes shape = grouped(input, groups), outer = all_but_channels(input);
  const Tensor g = in_float(grad);
  const Standardized s = standardized(thpp::reshape(in_float(input), shape), {2}, eps);
  const auto input_part = [&] {
    const Tensor h = weighted(g, by_channel(in_float(weight), input));
    return thpp::reshape(input_gradient(thpp::reshape(h, shape), s, {2}), input.sizes());
  };
  return {of_input ? input_part() : Tensor(),
          of_weight ? parameter_gradient(g * thpp::reshape(s.z, input.sizes()), outer) : Tensor(),
          of_bias ? parameter_gradient(g, outer) : Tensor()};
}

Tensor body::group_norm(const Tensor &input, int64_t num_groups, const Tensor &weight, const Tensor &bias, double eps,
                        bool) {
  if (input.dim() < 2) TH_wrapDim(1, input.dim());
  const THDtype dtype = compute_dtype(input);
  require_floating("GroupNormKernelImpl", input);
  check_dtypes(input, {&weight, &bias});
  return thpp::_group_norm(input, weight, bias, without_elements(input, dtype), without_elements(input, dtype),
                           num_groups, eps);
}

void body::native_group_norm_out(Tensor &result0, Tensor &result1, Tensor &result2, const Tensor &input,
                                 const Tensor &weight, const Tensor &bias, int64_t N, int64_t C, int64_t HxW,
                                 int64_t group, double eps) {
  int64_t rows, elements;
  if (__builtin_mul_overflow(N, C, &rows) || __builtin_mul_overflow(rows, HxW, &elements) || input.numel() != elements)
    THError(TH_ERROR_RUNTIME,
            "Expected input.numel() == N * C * HxW, but got input of shape %s, N=%lld, C=%lld, HxW=%lld",
            shape_text(input).c_str(), (long long)N, (long long)C, (long long)HxW);
  const THDtype dtype = statistics_dtype(input, {&weight, &bias});
  require_floating("GroupNormKernelImpl", input);
  check_dtypes(input, {&weight, &bias});
  const bool fits = input.dim() >= 2 && input.size(0) == N && input.size(1) == C;
  const Tensor mean = without_elements(input, dtype), rstd = without_elements(input, dtype);
  const Tensor output = thpp::_group_norm(fits ? input : thpp::reshape(input, {N, C, HxW}), weight, bias, mean, rstd,
                                          group, eps);
  write_all(result0, result1, result2, fits ? output : thpp::view(output, input.sizes()), mean, rstd);
}

// ---- neighbouring channels -----------------------------------------------------------------------------------

Tensor fallback::local_response_norm(const Tensor &self, const Tensor &scale, int64_t size, double alpha, double beta,
                                     double k) {
  const Tensor x = in_float(self), base = windows(x * x, size, size / 2) * (alpha / double(size)) + k;
  leave(scale, base);
  return thpp::to(x * thpp::pow(base, Scalar(-beta)), self.dtype());
}

Tensor fallback::local_response_norm_backward(const Tensor &grad, const Tensor &self, const Tensor &, int64_t size,
                                              double alpha, double beta, double k) {
  const double share = alpha / double(size);
  const Tensor x = in_float(self), g = in_float(grad), s = windows(x * x, size, size / 2) * share + k;
  const Tensor power = thpp::pow(s, Scalar(-beta));
  return g * power - x * windows(g * x * power / s, size, (size - 1) / 2) * (2 * share * beta);
}

Tensor body::nn_local_response_norm(const Tensor &self, int64_t size, double alpha, double beta, double k) {
  require_floating("local_response_norm", self);
  return thpp::_local_response_norm(self, without_elements(self, compute_dtype(self)), size, alpha, beta, k);
}

// ---- weights -------------------------------------------------------------------------------------------------

Tensor body::norm_except_dim(const Tensor &v, int64_t pow, int64_t dim) {
  if (dim == -1) return thpp::linalg_vector_norm(v, Scalar(pow));
  const int64_t along = TH_wrapDim(dim, v.dim());
  Sizes others;
  for (int64_t d = 0; d < v.dim(); ++d)
    if (d != along) others.push_back(d);
  return others.empty() ? thpp::abs(v) : thpp::linalg_vector_norm(v, Scalar(pow), others, true);
}

// Of the norms of half weights in float.
Tensor body::_weight_normalized(const Tensor &v, const Tensor &g, const Tensor &norms, int64_t) {
  return thpp::to(thpp::mul(v, thpp::div(g, norms)), v.dtype());
}

void body::_weight_norm_interface_out(Tensor &result0, Tensor &result1, const Tensor &v, const Tensor &g, int64_t dim) {
  if (dim != 0 && dim != v.dim() - 1)
    THError(TH_ERROR_RUNTIME, "fused kernels can only be applied for first or last dim, but dim is %lld of %d",
            (long long)dim, v.dim());
  const auto norms_of_v = [&] {
    const NoRecording guard;
    return thpp::norm_except_dim(thpp::to(v, compute_dtype(v)), 2, dim);
  };
  const Tensor norms = norms_of_v();
  const bool same = g.numel() == norms.numel() && g.dim() != norms.dim();
  const Tensor result = thpp::_weight_normalized(v, same ? thpp::reshape(g, norms.sizes()) : g, norms, dim);
  write_out(result0, result);
  write_out(result1, norms);
}

Tensor body::_weight_norm(const Tensor &v, const Tensor &g, int64_t dim) {
  if (dim != -1) TH_wrapDim(dim, v.dim());
  if (dim == 0 || (dim > 0 && dim == v.dim() - 1)) return std::get<0>(thpp::_weight_norm_interface(v, g, dim));
  return thpp::mul(v, thpp::div(g, thpp::norm_except_dim(v, 2, dim)));
}

}  // namespace thpp
