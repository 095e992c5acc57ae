#include "vision.h"

#include <cstring>

#include "operators.h"

namespace torch::autograd {

// ---- upsampling ---------------------------------------------------------------------------------------------------------

Tensor upsample_backward(const Tensor &grad, const char *mode, IntList input_size, bool align_corners,
                         std::initializer_list<std::optional<double>> scales) {
  std::vector<double> given;
  for (const std::optional<double> &scale : scales) given.push_back(scale.value_or(0));
  const IntList size(grad.sizes().data() + 2, given.size());
  return thpp::_upsample_backward(grad, mode, size, input_size, align_corners, given);
}

Tensor upsample_again(const Tensor &grad, const char *mode, IntList output_size, bool align_corners, FloatList scales) {
  const size_t n = output_size.size();
  const auto scale = [&](size_t d) { return scales[d] > 0 ? std::optional<double>(scales[d]) : std::nullopt; };
  const auto along = [&](auto one, auto two, auto three) {
    return n == 1   ? one(grad, output_size, scale(0))
           : n == 2 ? two(grad, output_size, scale(0), scale(1))
                    : three(grad, output_size, scale(0), scale(1), scale(2));
  };
  if (!std::strcmp(mode, "nearest"))
    return along([](auto... a) { return thpp::nn_upsample_nearest1d(a...); },
                 [](auto... a) { return thpp::nn_upsample_nearest2d(a...); },
                 [](auto... a) { return thpp::nn_upsample_nearest3d(a...); });
  if (!std::strcmp(mode, "nearest-exact"))
    return along([](auto... a) { return thpp::nn__upsample_nearest_exact1d(a...); },
                 [](auto... a) { return thpp::nn__upsample_nearest_exact2d(a...); },
                 [](auto... a) { return thpp::nn__upsample_nearest_exact3d(a...); });
  if (n == 1) return thpp::nn_upsample_linear1d(grad, output_size, align_corners, scale(0));
  if (n == 3) return thpp::nn_upsample_trilinear3d(grad, output_size, align_corners, scale(0), scale(1), scale(2));
  const auto in_planes = [&](auto forward) { return forward(grad, output_size, align_corners, scale(0), scale(1)); };
  using Forward = Tensor (*)(const Tensor &, IntList, bool, std::optional<double>, std::optional<double>);
  const Forward forward = !std::strcmp(mode, "linear")      ? static_cast<Forward>(thpp::nn_upsample_bilinear2d)
                          : !std::strcmp(mode, "cubic")     ? static_cast<Forward>(thpp::nn_upsample_bicubic2d)
                          : !std::strcmp(mode, "linear-aa") ? static_cast<Forward>(thpp::nn__upsample_bilinear2d_aa)
                          : !std::strcmp(mode, "cubic-aa")  ? static_cast<Forward>(thpp::nn__upsample_bicubic2d_aa)
                                                            : static_cast<Forward>(thpp::nn__upsample_lanczos2d_aa);
  return in_planes(forward);
}

const char *upsample_again_name(const char *mode, size_t dimensions) {
  const auto is = [&](const char *word) { return !std::strcmp(mode, word); };
  if (is("nearest"))
    return dimensions == 1   ? "UpsampleNearest1DBackwardBackward0"
           : dimensions == 2 ? "UpsampleNearest2DBackwardBackward0"
                             : "UpsampleNearest3DBackwardBackward0";
  if (is("nearest-exact"))
    return dimensions == 1   ? "UpsampleNearestExact1DBackwardBackward0"
           : dimensions == 2 ? "UpsampleNearestExact2DBackwardBackward0"
                             : "UpsampleNearestExact3DBackwardBackward0";
  if (is("linear"))
    return dimensions == 1   ? "UpsampleLinear1DBackwardBackward0"
           : dimensions == 2 ? "UpsampleBilinear2DBackwardBackward0"
                             : "UpsampleTrilinear3DBackwardBackward0";
  return is("cubic")       ? "UpsampleBicubic2DBackwardBackward0"
         : is("linear-aa") ? "UpsampleBilinear2DAaBackwardBackward0"
         : is("cubic-aa")  ? "UpsampleBicubic2DAaBackwardBackward0"
                           : "UpsampleLanczos2DAaBackwardBackward0";
}

// ---- sampling -----------------------------------------------------------------------------------------------------------

std::vector<Tensor> grid_sampler_backward(const Tensor &grad, const Tensor &input, const Tensor &grid, int64_t mode,
                                          int64_t padding_mode, bool align_corners, const std::vector<bool> &wanted) {
  std::vector<Tensor> result(2);
  if (wanted[0]) result[0] = thpp::_grid_sampler_input(grad, grid, input.sizes(), mode, padding_mode, align_corners);
  if (wanted[1]) result[1] = thpp::_grid_sampler_grid(grad, input, grid, mode, padding_mode, align_corners);
  return result;
}

Tensor affine_grid_backward(const Tensor &grad, IntList size, bool align_corners) {
  const Tensor points = thpp::_affine_grid_points(grad, size, align_corners);
  const int64_t n = int64_t(size.size()) - 2, count = points.size(0);
  const Tensor flat = thpp::reshape(grad, {size[0], count, n});
  return thpp::bmm(thpp::transpose(flat, 1, 2), thpp::expand(points, {size[0], count, n + 1}));
}

// ---- elements in other places -------------------------------------------------------------------------------------------

IntList last_two(IntList size) { return IntList(size.data() + size.size() - 2, 2); }

Tensor channel_unshuffle(const Tensor &grad, int64_t groups) {
  return thpp::channel_shuffle(grad, grad.size(1) ? grad.size(1) / groups : 1);
}

}  // namespace torch::autograd
