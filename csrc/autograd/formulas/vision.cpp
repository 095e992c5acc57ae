#include "vision.h"

#include <array>
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

// ---- padding ------------------------------------------------------------------------------------------------------------

// Two entries for each dimension; one number stands for all.
Tensor pad_backward(const Tensor &grad, const Tensor &self, bool reflects, size_t dimensions, IntList padding) {
  const std::vector<int64_t> entries = padding.size() == 1 ? std::vector<int64_t>(2 * dimensions, padding[0])
                                                           : std::vector<int64_t>(padding.begin(), padding.end());
  return thpp::_pad_backward(grad, self, reflects, entries);
}

Tensor pad_again(const Tensor &grad, bool reflects, IntList padding) {
  const size_t n = padding.size() / 2;
  if (reflects)
    return n == 1   ? thpp::nn_reflection_pad1d(grad, padding)
           : n == 2 ? thpp::nn_reflection_pad2d(grad, padding)
                    : thpp::nn_reflection_pad3d(grad, padding);
  return n == 1   ? thpp::nn_replication_pad1d(grad, padding)
         : n == 2 ? thpp::nn_replication_pad2d(grad, padding)
                  : thpp::nn_replication_pad3d(grad, padding);
}

const char *pad_again_name(bool reflects, size_t entries) {
  if (reflects)
    return entries == 2   ? "ReflectionPad1DBackwardBackward0"
           : entries == 4 ? "ReflectionPad2DBackwardBackward0"
                          : "ReflectionPad3DBackwardBackward0";
  return entries == 2   ? "ReplicationPad1DBackwardBackward0"
         : entries == 4 ? "ReplicationPad2DBackwardBackward0"
                        : "ReplicationPad3DBackwardBackward0";
}

// ---- sampling -----------------------------------------------------------------------------------------------------------

namespace {

Tensor number(double value) { return thpp::wrapped_number(Scalar(value)); }

// One tap of a dimension: elements, whether they are inside, their weights and the weights' slopes by the coordinate, each
// (batch, 1, places).
struct Tap {
  Tensor element, inside, weight, slope;
};

// What a sample is made of in one dimension, as lib/THNN/src/grid/grid_loops.cpp has it.
class Axis {
 public:
  Axis(int64_t size, int64_t mode, int64_t padding, bool align_corners)
      : size_(size), mode_(mode), padding_(padding), factor_(double(align_corners ? size - 1 : size) / 2),
        shift_(align_corners ? 0 : 0.5), low_(align_corners ? 0 : -0.5),
        span_(double(align_corners ? size - 1 : size)) {}

  std::vector<Tap> taps(const Tensor &coordinate) const {
    Tensor sign;
    const Tensor whole_place = (coordinate + Scalar(1)) * Scalar(factor_) - Scalar(shift_);
    if (mode_ == 2) return cubic_taps(whole_place);
    const Tensor place = padded(whole_place, sign);
    if (mode_ == 1) return {tap(thpp::round(thpp::detach(place)), thpp::ones_like(place), thpp::zeros_like(place))};
    const Tensor first = thpp::floor(thpp::detach(place)), share = place - first, slope = sign * Scalar(factor_);
    return {tap(first, Scalar(1) - share, -slope), tap(first + Scalar(1), share, slope)};
  }

 private:
  Tap tap(const Tensor &element, const Tensor &weight, const Tensor &slope) const {
    const Tensor inside = thpp::logical_and(thpp::ge(element, number(0)), thpp::lt(element, number(double(size_))));
    const Tensor index = thpp::to(thpp::where(inside, element, thpp::zeros_like(element)), TH_Long);
    return {index, inside, weight, slope};
  }

  std::vector<Tap> cubic_taps(const Tensor &place) const {
    std::vector<Tap> taps;
    const Tensor whole = thpp::floor(thpp::detach(place)), share = place - whole;
    for (int k = -1; k <= 2; ++k) {
      Tensor unused;
      const Tensor away = share - Scalar(k), x = k <= 0 ? away : -away;  // a distance
      const bool near = k == 0 || k == 1;
      constexpr double a = -0.75;
      const Tensor weight = near ? ((a + 2) * x - Scalar(a + 3)) * x * x + Scalar(1)
                                 : (((x - Scalar(5)) * x + Scalar(8)) * x - Scalar(4)) * Scalar(a);
      const Tensor slope = near ? (3 * (a + 2) * x - Scalar(2 * (a + 3))) * x
                                : ((3.0 * x - Scalar(10)) * x + Scalar(8)) * Scalar(a);
      taps.push_back(tap(padded(whole + Scalar(k), unused), weight, slope * Scalar(k <= 0 ? factor_ : -factor_)));
    }
    return taps;
  }

  // Into the image, as its padding has it; sign: what the slope is multiplied by.
  Tensor padded(Tensor place, Tensor &sign) const {
    const Tensor one = thpp::ones_like(thpp::detach(place));
    sign = one;
    if (padding_ == 0) return place;
    if (padding_ == 2) {
      const Tensor away = place - Scalar(low_), distance = thpp::abs(away);
      if (span_ == 0) {
        place = thpp::zeros_like(place);
      } else {
        const Tensor flips = thpp::floor(thpp::detach(distance) / Scalar(span_));
        const Tensor rest = distance - flips * Scalar(span_);
        const Tensor odd = thpp::ne(flips, Scalar(2) * thpp::floor(flips / Scalar(2)));
        const Tensor turned = thpp::ne(thpp::lt(thpp::detach(away), number(0)), odd);
        sign = thpp::where(turned, -one, one);
        place = thpp::where(odd, Scalar(span_) - rest, rest) + Scalar(low_);
      }
    }
    const double last = double(size_ - 1);
    const Tensor fixed = thpp::detach(place);
    const Tensor moves = thpp::logical_and(thpp::gt(fixed, number(0)), thpp::lt(fixed, number(last)));
    sign = thpp::where(moves, sign, thpp::zeros_like(sign));
    // No number is 0, as the kernel has it.
    const Tensor low = thpp::where(thpp::gt(fixed, number(0)), fixed, thpp::zeros_like(fixed));
    return thpp::where(moves, place, thpp::clamp(low, Tensor(), number(last)));
  }

  int64_t size_, mode_, padding_;
  double factor_, shift_, low_, span_;
};

// Both gradients of recorded operators, so that they have gradients.
std::vector<Tensor> recorded_backward(const Tensor &grad, const Tensor &input, const Tensor &grid, int64_t mode,
                                      int64_t padding_mode, bool align_corners, const std::vector<bool> &wanted) {
  const int n = input.dim() - 2;
  const int64_t batch = input.size(0), channels = input.size(1);
  int64_t elements = 1, places = 1;
  for (int d = 0; d < n; ++d) {
    elements *= input.size(d + 2);
    places *= grid.size(d + 1);
  }
  const Tensor x = thpp::reshape(input, {batch, channels, elements}),
               g = thpp::reshape(grad, {batch, channels, places});
  std::vector<std::vector<Tap>> axes;
  for (int d = 0; d < n; ++d)
    axes.push_back(Axis(input.size(d + 2), mode, padding_mode, align_corners)
                       .taps(thpp::reshape(thpp::select(grid, -1, n - 1 - d), {batch, 1, places})));
  Tensor images;
  std::array<Tensor, 3> slopes;
  size_t count = 1;
  for (const auto &taps : axes) count *= taps.size();
  for (size_t t = 0; t < count; ++t) {
    std::array<const Tap *, 3> taps{};
    size_t rest = t;
    for (int d = n - 1; d >= 0; --d, rest /= axes[0].size()) taps[size_t(d)] = &axes[size_t(d)][rest % axes[0].size()];
    Tensor index = taps[0]->element, inside = taps[0]->inside;
    for (int d = 1; d < n; ++d) {
      index = index * Scalar(input.size(d + 2)) + taps[size_t(d)]->element;
      inside = thpp::logical_and(inside, taps[size_t(d)]->inside);
    }
    // The product of weights, that of dimension `sloped` being its slope.
    const auto product = [&](int sloped) {
      Tensor w;
      for (int d = 0; d < n; ++d) {
        const Tensor &factor = d == sloped ? taps[size_t(d)]->slope : taps[size_t(d)]->weight;
        w = d ? w * factor : factor;
      }
      return w;
    };
    const Tensor at = thpp::expand(index, {batch, channels, places});
    if (wanted[0]) {
      const Tensor parts = thpp::where(inside, g * product(-1), thpp::zeros_like(g));
      images = thpp::scatter_add(images.defined() ? images : thpp::zeros_like(x), 2, at, parts);
    }
    if (!wanted[1] || mode == 1) continue;
    const Tensor found = thpp::gather(x, 2, at);
    const Tensor sum = thpp::sum(g * thpp::where(inside, found, thpp::zeros_like(found)), {1}, true);
    for (int d = 0; d < n; ++d) slopes[size_t(d)] = slopes[size_t(d)] + sum * product(d);
  }
  std::vector<Tensor> result(2);
  if (wanted[0]) result[0] = images.defined() ? thpp::reshape(images, input.sizes()) : thpp::zeros_like(input);
  if (wanted[1] && mode == 1) result[1] = thpp::zeros_like(grid);
  if (wanted[1] && mode != 1) {
    std::vector<Tensor> coordinates;
    for (int d = n - 1; d >= 0; --d) coordinates.push_back(thpp::reshape(slopes[size_t(d)], {batch, places}));
    result[1] = thpp::reshape(thpp::stack(coordinates, -1), grid.sizes());
  }
  return result;
}

}  // namespace

std::vector<Tensor> grid_sampler_backward(const Tensor &grad, const Tensor &input, const Tensor &grid, int64_t mode,
                                          int64_t padding_mode, bool align_corners, const std::vector<bool> &wanted) {
  if (thpp::grad_mode()) return recorded_backward(grad, input, grid, mode, padding_mode, align_corners, wanted);
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
