#include "grid.h"

#include "operators.h"

namespace torch::autograd {

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

}  // namespace torch::autograd
