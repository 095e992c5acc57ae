// What samples of images are made of, by operators: for what is recorded, and for devices without THNN's kernels.
#pragma once

#include <vector>

#include <THPP/THPP.h>

namespace thpp {

// All (batch, 1, places): the element in the image, row by row, whether it lies inside, its weight, and the weight's slopes by
// the coordinates, first dimension first.
struct GridTap {
  Tensor element, inside, weight;
  std::vector<Tensor> slopes;
};

// Of a grid (batch, places…, dimensions) over images of spatial size `size`; with slopes or without.
std::vector<GridTap> grid_taps(const Tensor &grid, IntList size, int64_t mode, int64_t padding, bool align_corners,
                               bool slopes);

}  // namespace thpp
