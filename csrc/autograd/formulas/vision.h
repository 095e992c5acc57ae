// Gradients of what makes images of images: other sizes, samples at any places, shuffling.
#pragma once

#include <initializer_list>
#include <optional>
#include <THPP/Functions.h>

namespace torch::autograd {

using thpp::FloatList;
using thpp::IntList;
using thpp::Tensor;

// ---- upsampling, by its mode (lib/THPP/src/upsampling.cpp) ------------------------------------------------------------

Tensor upsample_backward(const Tensor &grad, const char *mode, IntList input_size, bool align_corners,
                         std::initializer_list<std::optional<double>> scales);
// The operator whose gradient it was: the map is linear.
Tensor upsample_again(const Tensor &grad, const char *mode, IntList output_size, bool align_corners, FloatList scales);
const char *upsample_again_name(const char *mode, size_t dimensions);

// ---- sampling ---------------------------------------------------------------------------------------------------------

// For input and grid, those of both that are wanted.
std::vector<Tensor> grid_sampler_backward(const Tensor &grad, const Tensor &input, const Tensor &grid, int64_t mode,
                                          int64_t padding_mode, bool align_corners, const std::vector<bool> &wanted);
Tensor affine_grid_backward(const Tensor &grad, IntList size, bool align_corners);

// ---- elements in other places -----------------------------------------------------------------------------------------

IntList last_two(IntList size);
Tensor channel_unshuffle(const Tensor &grad, int64_t groups);

}  // namespace torch::autograd
