// Gradients of what makes images of images: samples at any places, shuffling.
#pragma once

#include <THPP/Functions.h>

namespace torch::autograd {

using thpp::IntList;
using thpp::Tensor;

// ---- sampling ---------------------------------------------------------------------------------------------------------

// For input and grid, those of both that are wanted.
std::vector<Tensor> grid_sampler_backward(const Tensor &grad, const Tensor &input, const Tensor &grid, int64_t mode,
                                          int64_t padding_mode, bool align_corners, const std::vector<bool> &wanted);
Tensor affine_grid_backward(const Tensor &grad, IntList size, bool align_corners);

// ---- elements in other places -----------------------------------------------------------------------------------------

IntList last_two(IntList size);
Tensor channel_unshuffle(const Tensor &grad, int64_t groups);

}  // namespace torch::autograd
