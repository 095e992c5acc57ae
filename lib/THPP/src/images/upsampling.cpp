// Upsampling: sizes and checks as torch has them, over THNN's kernel.
#include <algorithm>
#include <cstring>
#include <iterator>
#include <vector>

#include <THNN/Upsampling.h>
#include <THPP/NN.h>

#include "operators.h"
#include "taps.h"

namespace thpp {

namespace {

struct Operator {
  const char *name;
  int dimensions;
  THNNUpSamplingMode mode;
};

// What the operators call the modes that their gradients are given.
constexpr const char *kModes[] = {"nearest", "nearest-exact", "linear", "cubic", "linear-aa", "cubic-aa", "lanczos-aa"};

THNNUpSamplingMode mode_of(const char *word) {
  const auto found = std::ranges::find_if(kModes, [&](const char *mode) { return !std::strcmp(mode, word); });
  if (found == std::end(kModes)) THError(TH_ERROR_RUNTIME, "no mode of upsampling is called '%s'", word);
  return THNNUpSamplingMode(found - kModes);
}

bool is_nearest(THNNUpSamplingMode mode) { return mode <= THNN_NEAREST_EXACT; }
bool is_antialiased(THNNUpSamplingMode mode) { return mode >= THNN_LINEAR_ANTIALIASED; }

// As torch's kernels take and name them.
void check_dtype(const Operator &op, THDtype dtype) {
  const bool half = dtype == TH_Half || dtype == TH_BFloat16;
  const bool taken = dtype == TH_Float || dtype == TH_Double || (half && !is_antialiased(op.mode)) ||
                     (dtype == TH_Byte && (is_nearest(op.mode) || op.dimensions == 2));
  if (taken) return;
  const char *const name = is_antialiased(op.mode)                        ? "compute_index_ranges_weights"
                           : op.mode == THNN_CUBIC                        ? "compute_indices_weights_cubic"
                           : op.dimensions == 2 && op.mode == THNN_LINEAR ? "upsample_bilinear2d_channels_last"
                           : op.dimensions == 2                           ? "upsample_nearest2d_channels_last"
                           : op.mode == THNN_LINEAR                       ? "compute_indices_weights_linear"
                                                                          : "compute_indices_weights_nearest";
  throw_kernel(name, dtype);
}

std::vector<int64_t> checked_size(const Operator &op, const Tensor &self, IntList given) {
  const int n = op.dimensions;
  const std::vector<int64_t> size = list(given);
  if (size.size() != size_t(n))
    THError(TH_ERROR_RUNTIME, "It is expected output_size equals to %d, but got size %zu", n, size.size());
  if (self.dim() != n + 2)
    THError(TH_ERROR_RUNTIME, "It is expected input_size equals to %d, but got size %d", n + 2, self.dim());
  return size;
}

// One number per dimension, as the kernel has them: 0 where none was given.
struct Scales {
  double of[3] = {0, 0, 0};
  template <class List>
  explicit Scales(const List &given) {
    size_t d = 3 - given.size();
    for (const auto &scale : given) of[d++] = value(scale);
  }

 private:
  static double value(double scale) { return scale; }
  static double value(const std::optional<double> &scale) { return scale.value_or(0); }
};

Tensor unfilled(const Tensor &like, IntList size) {
  return thpp::empty(size, like.dtype(), like.suggest_memory_format(), like.device());
}

// By operators, for a plan of `n` dimensions that has its sizes; its gradient, if that is asked for.
Tensor composed(const Tensor &self, const THNNUpSamplingPlan &plan, int n, bool gradient) {
  const bool bytes = self.dtype() == TH_Byte && !is_nearest(plan.mode);
  Tensor made = bytes ? thpp::to(self, TH_Double) : in_float(self);
  for (int d = 2; d >= 3 - n; --d) {  // the last one first, as the kernel goes
    const THDtype dtype = bytes ? TH_Byte : made.dtype();
    const int64_t most = THNNPrepare_UpSampling_taps(&plan, d, dtype, nullptr, nullptr);
    std::vector<int64_t> index(size_t(plan.output[d] * most));
    std::vector<double> weight(index.size());
    THNNPrepare_UpSampling_taps(&plan, d, dtype, index.data(), weight.data());
    const Taps taps = taps_of(index, weight, plan.output[d], plan.input[d], self.device());
    const int dim = d - 1 + n;
    made = gradient ? distributed(made, dim, taps, plan.input[d]) : combined(made, dim, taps);
    // Exact in double, and rounded after each dimension as the kernel does.
    if (bytes) made = thpp::clamp(thpp::floor(made + 0.5), wrapped_number(0.), wrapped_number(255.));
  }
  return thpp::to(made, self.dtype());
}

THNNUpSamplingPlan plan_of(THNNUpSamplingMode mode, bool align_corners, const Scales &by) {
  THNNUpSamplingPlan plan{};
  plan.mode = mode;
  plan.align_corners = align_corners;
  std::ranges::copy(by.of, plan.scale);
  return plan;
}

Tensor upsample(const Operator &op, const Tensor &self, IntList output_size, bool align_corners,
                std::initializer_list<std::optional<double>> scales) {
  const std::vector<int64_t> size = checked_size(op, self, output_size);
  const Scales by(scales);
  std::vector<int64_t> shape(self.sizes().begin(), self.sizes().begin() + 2);
  bool fits = true;
  for (const int64_t s : size) {
    shape.push_back(s);
    fits = fits && s > 0;
  }
  // A shape that is refused is so by the kernel's checks.
  const std::vector<int64_t> none = {0};
  const Tensor result = unfilled(self, fits && self.size(1) ? IntList(shape) : IntList(none));
  if (fits && self.size(1)) check_dtype(op, self.dtype());
  if (!has_nn_kernels(self)) {
    THNNUpSamplingPlan plan = plan_of(op.mode, align_corners, by);
    THNNPrepare_UpSampling_updateOutput(&plan, self.dtype(), on_meta(self).get(), on_meta(result).get(), op.dimensions,
                                        size.data());
    return composed(self, plan, op.dimensions, false);
  }
  nn::UpSampling_updateOutput(self, result, op.mode, align_corners, size, by.of[0], by.of[1], by.of[2]);
  return result;
}

// What a call that gives a size or factors means.
struct Target {
  std::vector<int64_t> size;
  FloatList factors;
  std::optional<double> scale(size_t d) const {
    return factors.empty() ? std::nullopt : std::optional<double>(factors[d]);
  }
};

Target target_of(int n, const Tensor &self, IntList output_size, FloatList factors) {
  if (bool(output_size.data()) == bool(factors.data()))
    THError(TH_ERROR_RUNTIME, "Must specify exactly one of output_size and scale_factors");
  if (output_size.data()) {
    if (output_size.size() != size_t(self.dim() - 2) && self.dim() >= 2)
      THError(TH_ERROR_RUNTIME, "It is expected output_size equals to %d, but got size %zu", self.dim() - 2,
              output_size.size());
    return {list(output_size), {}};
  }
  if (self.dim() != n + 2)
    THError(TH_ERROR_RUNTIME, "It is expected input_size equals to %d, but got size %d", n + 2, self.dim());
  if (factors.size() != size_t(n))
    THError(TH_ERROR_RUNTIME, "scale_factors must have one number per spatial dimension, %d, but has %zu", n,
            factors.size());
  Target to{{}, factors};
  for (int d = 0; d < n; ++d) {
    const double size = double(self.size(d + 2)) * factors[size_t(d)];
    to.size.push_back(size > -0x1p62 && size < 0x1p62 ? int64_t(size) : size >= 0x1p62 ? INT64_MAX : -1);
  }
  return to;
}

}  // namespace

Tensor body::nn_upsample_nearest1d(const Tensor &self, IntList output_size, std::optional<double> scales) {
  return upsample({"upsample_nearest1d", 1, THNN_NEAREST}, self, output_size, false, {scales});
}
Tensor body::upsample_nearest1d_by_factors(const Tensor &self, IntList output_size, FloatList scale_factors) {
  const Target to = target_of(1, self, output_size, scale_factors);
  return thpp::nn_upsample_nearest1d(self, to.size, to.scale(0));
}

Tensor body::nn_upsample_nearest2d(const Tensor &self, IntList output_size, std::optional<double> scales_h,
                                   std::optional<double> scales_w) {
  return upsample({"upsample_nearest2d", 2, THNN_NEAREST}, self, output_size, false, {scales_h, scales_w});
}
Tensor body::upsample_nearest2d_by_factors(const Tensor &self, IntList output_size, FloatList scale_factors) {
  const Target to = target_of(2, self, output_size, scale_factors);
  return thpp::nn_upsample_nearest2d(self, to.size, to.scale(0), to.scale(1));
}

Tensor body::nn_upsample_nearest3d(const Tensor &self, IntList output_size, std::optional<double> scales_d,
                                   std::optional<double> scales_h, std::optional<double> scales_w) {
  return upsample({"upsample_nearest3d", 3, THNN_NEAREST}, self, output_size, false, {scales_d, scales_h, scales_w});
}
Tensor body::upsample_nearest3d_by_factors(const Tensor &self, IntList output_size, FloatList scale_factors) {
  const Target to = target_of(3, self, output_size, scale_factors);
  return thpp::nn_upsample_nearest3d(self, to.size, to.scale(0), to.scale(1), to.scale(2));
}

Tensor body::nn__upsample_nearest_exact1d(const Tensor &self, IntList output_size, std::optional<double> scales) {
  return upsample({"_upsample_nearest_exact1d", 1, THNN_NEAREST_EXACT}, self, output_size, false, {scales});
}
Tensor body::_upsample_nearest_exact1d_by_factors(const Tensor &self, IntList output_size, FloatList scale_factors) {
  const Target to = target_of(1, self, output_size, scale_factors);
  return thpp::nn__upsample_nearest_exact1d(self, to.size, to.scale(0));
}

Tensor body::nn__upsample_nearest_exact2d(const Tensor &self, IntList output_size, std::optional<double> scales_h,
                                          std::optional<double> scales_w) {
  return upsample({"_upsample_nearest_exact2d", 2, THNN_NEAREST_EXACT}, self, output_size, false, {scales_h, scales_w});
}
Tensor body::_upsample_nearest_exact2d_by_factors(const Tensor &self, IntList output_size, FloatList scale_factors) {
  const Target to = target_of(2, self, output_size, scale_factors);
  return thpp::nn__upsample_nearest_exact2d(self, to.size, to.scale(0), to.scale(1));
}

Tensor body::nn__upsample_nearest_exact3d(const Tensor &self, IntList output_size, std::optional<double> scales_d,
                                          std::optional<double> scales_h, std::optional<double> scales_w) {
  return upsample({"_upsample_nearest_exact3d", 3, THNN_NEAREST_EXACT}, self, output_size, false,
                  {scales_d, scales_h, scales_w});
}
Tensor body::_upsample_nearest_exact3d_by_factors(const Tensor &self, IntList output_size, FloatList scale_factors) {
  const Target to = target_of(3, self, output_size, scale_factors);
  return thpp::nn__upsample_nearest_exact3d(self, to.size, to.scale(0), to.scale(1), to.scale(2));
}

Tensor body::nn_upsample_linear1d(const Tensor &self, IntList output_size, bool align_corners,
                                  std::optional<double> scales) {
  return upsample({"upsample_linear1d", 1, THNN_LINEAR}, self, output_size, align_corners, {scales});
}
Tensor body::upsample_linear1d_by_factors(const Tensor &self, IntList output_size, bool align_corners,
                                          FloatList scale_factors) {
  const Target to = target_of(1, self, output_size, scale_factors);
  return thpp::nn_upsample_linear1d(self, to.size, align_corners, to.scale(0));
}

Tensor body::nn_upsample_bilinear2d(const Tensor &self, IntList output_size, bool align_corners,
                                    std::optional<double> scales_h, std::optional<double> scales_w) {
  return upsample({"upsample_bilinear2d", 2, THNN_LINEAR}, self, output_size, align_corners, {scales_h, scales_w});
}
Tensor body::upsample_bilinear2d_by_factors(const Tensor &self, IntList output_size, bool align_corners,
                                            FloatList scale_factors) {
  const Target to = target_of(2, self, output_size, scale_factors);
  return thpp::nn_upsample_bilinear2d(self, to.size, align_corners, to.scale(0), to.scale(1));
}

Tensor body::nn_upsample_trilinear3d(const Tensor &self, IntList output_size, bool align_corners,
                                     std::optional<double> scales_d, std::optional<double> scales_h,
                                     std::optional<double> scales_w) {
  return upsample({"upsample_trilinear3d", 3, THNN_LINEAR}, self, output_size, align_corners,
                  {scales_d, scales_h, scales_w});
}
Tensor body::upsample_trilinear3d_by_factors(const Tensor &self, IntList output_size, bool align_corners,
                                             FloatList scale_factors) {
  const Target to = target_of(3, self, output_size, scale_factors);
  return thpp::nn_upsample_trilinear3d(self, to.size, align_corners, to.scale(0), to.scale(1), to.scale(2));
}

Tensor body::nn_upsample_bicubic2d(const Tensor &self, IntList output_size, bool align_corners,
                                   std::optional<double> scales_h, std::optional<double> scales_w) {
  return upsample({"upsample_bicubic2d", 2, THNN_CUBIC}, self, output_size, align_corners, {scales_h, scales_w});
}
Tensor body::upsample_bicubic2d_by_factors(const Tensor &self, IntList output_size, bool align_corners,
                                           FloatList scale_factors) {
  const Target to = target_of(2, self, output_size, scale_factors);
  return thpp::nn_upsample_bicubic2d(self, to.size, align_corners, to.scale(0), to.scale(1));
}

Tensor body::nn__upsample_bilinear2d_aa(const Tensor &self, IntList output_size, bool align_corners,
                                        std::optional<double> scales_h, std::optional<double> scales_w) {
  return upsample({"_upsample_bilinear2d_aa", 2, THNN_LINEAR_ANTIALIASED}, self, output_size, align_corners,
                  {scales_h, scales_w});
}
Tensor body::_upsample_bilinear2d_aa_by_factors(const Tensor &self, IntList output_size, bool align_corners,
                                                FloatList scale_factors) {
  const Target to = target_of(2, self, output_size, scale_factors);
  return thpp::nn__upsample_bilinear2d_aa(self, to.size, align_corners, to.scale(0), to.scale(1));
}

Tensor body::nn__upsample_bicubic2d_aa(const Tensor &self, IntList output_size, bool align_corners,
                                       std::optional<double> scales_h, std::optional<double> scales_w) {
  return upsample({"_upsample_bicubic2d_aa", 2, THNN_CUBIC_ANTIALIASED}, self, output_size, align_corners,
                  {scales_h, scales_w});
}
Tensor body::_upsample_bicubic2d_aa_by_factors(const Tensor &self, IntList output_size, bool align_corners,
                                               FloatList scale_factors) {
  const Target to = target_of(2, self, output_size, scale_factors);
  return thpp::nn__upsample_bicubic2d_aa(self, to.size, align_corners, to.scale(0), to.scale(1));
}

Tensor body::nn__upsample_lanczos2d_aa(const Tensor &self, IntList output_size, bool align_corners,
                                       std::optional<double> scales_h, std::optional<double> scales_w) {
  return upsample({"_upsample_lanczos2d_aa", 2, THNN_LANCZOS_ANTIALIASED}, self, output_size, align_corners,
                  {scales_h, scales_w});
}
Tensor body::_upsample_lanczos2d_aa_by_factors(const Tensor &self, IntList output_size, bool align_corners,
                                               FloatList scale_factors) {
  const Target to = target_of(2, self, output_size, scale_factors);
  return thpp::nn__upsample_lanczos2d_aa(self, to.size, align_corners, to.scale(0), to.scale(1));
}

Tensor body::_upsample_backward(const Tensor &grad_output, const char *mode, IntList output_size, IntList input_size,
                                bool align_corners, FloatList scales) {
  const int n = int(output_size.size());
  const Tensor result = unfilled(grad_output, input_size);
  const Scales by(scales);
  if (!has_nn_kernels(grad_output)) {
    THNNUpSamplingPlan plan = plan_of(mode_of(mode), align_corners, by);
    THNNPrepare_UpSampling_updateGradInput(&plan, grad_output.dtype(), on_meta(grad_output).get(),
                                           on_meta(result).get(), n, input_size.data() + input_size.size() - size_t(n));
    return composed(grad_output, plan, n, true);
  }
  nn::UpSampling_updateGradInput(grad_output, result, mode_of(mode), align_corners,
                                 IntList(input_size.data() + input_size.size() - size_t(n), size_t(n)), by.of[0],
                                 by.of[1], by.of[2]);
  return result;
}

}  // namespace thpp
