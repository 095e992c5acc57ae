// Upsampling: sizes and checks as torch has them; and what stands in for the kernels, made of operators.
#include <algorithm>
#include <vector>

#include <THNN/Check.h>
#include <THNN/Upsampling.h>

#include "arguments.h"
#include "operators.h"
#include "taps.h"

namespace thpp {

namespace {

bool is_nearest(int64_t mode) { return mode <= THNN_NEAREST_EXACT; }
bool is_antialiased(int64_t mode) { return mode >= THNN_LINEAR_ANTIALIASED; }

// As torch's kernels take and name them.
void check_dtype(int64_t mode, int64_t dimensions, THDtype dtype) {
  const bool half = dtype == TH_Half || dtype == TH_BFloat16;
  const bool taken = dtype == TH_Float || dtype == TH_Double || (half && !is_antialiased(mode)) ||
                     (dtype == TH_Byte && (is_nearest(mode) || dimensions == 2));
  if (taken) return;
  const char *const name = is_antialiased(mode)                     ? "compute_index_ranges_weights"
                           : mode == THNN_CUBIC                     ? "compute_indices_weights_cubic"
                           : dimensions == 2 && mode == THNN_LINEAR ? "upsample_bilinear2d_channels_last"
                           : dimensions == 2                        ? "upsample_nearest2d_channels_last"
                           : mode == THNN_LINEAR                    ? "compute_indices_weights_linear"
                                                                    : "compute_indices_weights_nearest";
  throw_kernel(name, dtype);
}

void check_sizes(int n, const Tensor &self, IntList output_size) {
  if (output_size.size() != size_t(n))
    THError(TH_ERROR_RUNTIME, "It is expected output_size equals to %d, but got size %zu", n, output_size.size());
  THNNCheck_images(n, self.get());
}

// What a kernel is to fill. One whose channels are not innermost it makes itself.
Tensor unfilled(const Tensor &like, IntList size) {
  const MemoryFormat format = like.suggest_memory_format();
  return format == MemoryFormat::Contiguous ? Tensor() : thpp::empty(size, like.dtype(), format, like.device());
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

THNNUpSamplingPlan plan_of(int64_t mode, bool align_corners, IntList input, IntList output,
                           std::initializer_list<double> scales) {
  THNNUpSamplingPlan plan{};
  plan.mode = THNNUpSamplingMode(mode);
  plan.align_corners = align_corners;
  std::ranges::copy(scales, plan.scale);
  for (auto *space : {&plan.input, &plan.output}) std::ranges::fill(*space, 1);
  std::ranges::copy(input, plan.input + 3 - input.size());
  std::ranges::copy(output, plan.output + 3 - output.size());
  return plan;
}

}  // namespace

std::vector<int64_t> upsampled_size(int n, const Tensor &self, IntList output_size, FloatList factors) {
  if (bool(output_size.data()) == bool(factors.data()))
    THError(TH_ERROR_RUNTIME, "Must specify exactly one of output_size and scale_factors");
  if (output_size.data()) {
    if (output_size.size() != size_t(self.dim() - 2) && self.dim() >= 2)
      THError(TH_ERROR_RUNTIME, "It is expected output_size equals to %d, but got size %zu", self.dim() - 2,
              output_size.size());
    return list(output_size);
  }
  THNNCheck_images(n, self.get());
  if (factors.size() != size_t(n))
    THError(TH_ERROR_RUNTIME, "scale_factors must have one number per spatial dimension, %d, but has %zu", n,
            factors.size());
  std::vector<int64_t> made;
  for (int d = 0; d < n; ++d) {
    const double size = double(self.size(d + 2)) * factors[size_t(d)];
    made.push_back(size > -0x1p62 && size < 0x1p62 ? int64_t(size) : size >= 0x1p62 ? INT64_MAX : -1);
  }
  return made;
}

Tensor body::_upsample(const Tensor &self, int64_t mode, int64_t dimensions, IntList output_size, bool align_corners,
                       double scale_d, double scale_h, double scale_w) {
  check_sizes(int(dimensions), self, output_size);
  Tensor result;
  // A shape that is refused is so by the kernel's checks.
  if (self.size(1) && std::ranges::all_of(output_size, [](int64_t s) { return s > 0; })) {
    std::vector<int64_t> shape = {self.size(0), self.size(1)};
    shape.insert(shape.end(), output_size.begin(), output_size.end());
    result = unfilled(self, shape);
    check_dtype(mode, dimensions, self.dtype());
  }
  thpp::_upsample_planes_out(result, self, mode, output_size, align_corners, scale_d, scale_h, scale_w);
  return result;
}

Tensor body::_upsample_backward(const Tensor &grad_output, int64_t mode, IntList output_size, IntList input_size,
                                bool align_corners, double scale_d, double scale_h, double scale_w) {
  const size_t n = output_size.size();
  Tensor result = unfilled(grad_output, input_size);
  thpp::_upsample_planes_backward_out(result, grad_output, mode, IntList(input_size.last(n)), align_corners, scale_d,
                                      scale_h, scale_w);
  return result;
}

Tensor fallback::upsample_planes(const Tensor &self, int64_t mode, IntList output_size, bool align_corners,
                                 double scale_d, double scale_h, double scale_w) {
  const size_t n = output_size.size();
  const THNNUpSamplingPlan plan = plan_of(mode, align_corners, last_sizes(self, n), output_size,
                                          {scale_d, scale_h, scale_w});
  return composed(self, plan, int(n), false);
}

Tensor fallback::upsample_planes_backward(const Tensor &grad_output, int64_t mode, IntList input_size,
                                          bool align_corners, double scale_d, double scale_h, double scale_w) {
  const size_t n = input_size.size();
  const THNNUpSamplingPlan plan = plan_of(mode, align_corners, input_size, last_sizes(grad_output, n),
                                          {scale_d, scale_h, scale_w});
  return composed(grad_output, plan, int(n), true);
}

}  // namespace thpp
