// Of sampling by grids.
#pragma once

#include <vector>

#include <THPP/Functions.h>

namespace torch::autograd {

using thpp::IntList;
using thpp::Tensor;

// For input and grid, those of both that are wanted.
std::vector<Tensor> grid_sampler_backward(const Tensor &grad, const Tensor &input, const Tensor &grid, int64_t mode,
                                          int64_t padding_mode, bool align_corners, const std::vector<bool> &wanted);
Tensor affine_grid_backward(const Tensor &grad, IntList size, bool align_corners);

}  // namespace torch::autograd
