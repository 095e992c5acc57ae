// Images sampled at any places: checks as torch has them; and what stands in for the kernels, made of operators.
#include <THNN/Check.h>
#include <THNN/Grid.h>

#include "grid_taps.h"
#include "operators.h"

namespace thpp {

namespace {

// What all of them require, in torch's order.
void check_shapes(const Tensor &input, const Tensor &grid) {
  const int n = input.dim() - 2;
  if (input.dim() < 1 || grid.dim() < 1 || input.size(0) != grid.size(0))
    THError(TH_ERROR_RUNTIME,
            "grid_sampler(): expected grid and input to have same batch size, but got input with sizes %s and grid "
            "with sizes %s",
            shape_text(input).c_str(), shape_text(grid).c_str());
  THNNCheck_coordinates(n, grid.get());
  for (int d = 2; d < n + 2; ++d)
    if (!input.size(d))
      THError(TH_ERROR_RUNTIME,
              "grid_sampler(): expected input to have non-empty spatial dimensions, but input has sizes %s with "
              "dimension %d being empty",
              shape_text(input).c_str(), d);
}

void check_dims(bool fits, const char *expected, const Tensor &input, const Tensor &grid) {
  if (!fits || input.dim() != grid.dim())
    THError(
        TH_ERROR_RUNTIME,
        "grid_sampler(): expected %s input and grid with same number of dimensions, but got input with sizes %s and "
        "grid with sizes %s",
        expected, shape_text(input).c_str(), shape_text(grid).c_str());
}

}  // namespace

void check_sampling(THDtype t, const Tensor &self, const Tensor &grid, int64_t dimensions, int64_t mode, int64_t,
                    bool) {
  const int n = int(dimensions);
  check_shapes(self, grid);
  check_dims(self.dim() == n + 2, n == 2 ? "4D" : "5D", self, grid);
  THNNCheck_cubic(n, mode == THNN_GRID_CUBIC);
  if (grid.dtype() != t)
    THError(TH_ERROR_RUNTIME, "expected scalar type %s but found %s", TH_typeName(t), TH_typeName(grid.dtype()));
  if (TH_kind(t) != TH_KIND_float)
    throw_kernel(
        (kernel_for(self, n == 2 ? "grid_sampler_2d" : "grid_sampler_3d") + (n == 2 ? "_kernel_impl" : "")).c_str(), t);
}

Tensor body::grid_sampler(const Tensor &input, const Tensor &grid, int64_t interpolation_mode, int64_t padding_mode,
                          bool align_corners) {
  check_shapes(input, grid);
  check_dims(input.dim() == 4 || input.dim() == 5, "4D or 5D", input, grid);
  const auto sampler = input.dim() == 4 ? thpp::grid_sampler_2d : thpp::grid_sampler_3d;
  return sampler(input, grid, interpolation_mode, padding_mode, align_corners);
}

namespace {

// ---- by operators: a tap at a time ---------------------------------------------------------------------------

int64_t product(IntList sizes) {
  int64_t n = 1;
  for (const int64_t s : sizes) n *= s;
  return n;
}
IntList space_of(IntList size) { return IntList(size.data() + 2, size.size() - 2); }

// Images or samples as (batch, channels, elements).
Tensor as_rows(const Tensor &t) {
  return thpp::reshape(in_float(t), {t.size(0), t.size(1), product(space_of(t.sizes()))});
}

// The elements of images x that a tap has, 0 outside.
Tensor found(const Tensor &x, const GridTap &tap) {
  const Tensor at = thpp::expand(tap.element, {x.size(0), x.size(1), tap.element.size(2)});
  return or_else(tap.inside, thpp::gather(x, 2, at), 0);
}

}  // namespace

Tensor fallback::grid_sampler(const Tensor &self, const Tensor &grid, int64_t, int64_t mode, int64_t padding,
                              bool align_corners) {
  const Tensor x = as_rows(self);
  Tensor sum;
  for (const GridTap &tap : grid_taps(in_float(grid), space_of(self.sizes()), mode, padding, align_corners, false)) {
    const Tensor part = found(x, tap) * tap.weight;
    sum = sum.defined() ? sum + part : part;
  }
  std::vector<int64_t> shape = list(self.sizes());
  std::ranges::copy(grid.sizes().subspan(1, shape.size() - 2), shape.begin() + 2);
  return thpp::to(thpp::reshape(sum, shape), self.dtype());
}

Tensor fallback::grid_sampler_input(const Tensor &grad_output, const Tensor &grid, IntList size, int64_t mode,
                                    int64_t padding, bool align_corners) {
  const Tensor g = as_rows(grad_output);
  Tensor sum = thpp::zeros({size[0], size[1], product(space_of(size))}, g.dtype(), g.device());
  for (const GridTap &tap : grid_taps(in_float(grid), space_of(size), mode, padding, align_corners, false))
    sum = thpp::scatter_add(sum, 2, thpp::expand(tap.element, g.sizes()), or_else(tap.inside, g * tap.weight, 0));
  return thpp::to(thpp::view(sum, size), grad_output.dtype());
}

Tensor fallback::grid_sampler_grid(const Tensor &grad_output, const Tensor &self, const Tensor &grid, int64_t mode,
                                   int64_t padding, bool align_corners) {
  if (mode == THNN_GRID_NEAREST) return thpp::zeros_like(grid);
  const size_t n = size_t(self.dim()) - 2;
  const Tensor x = as_rows(self), g = as_rows(grad_output);
  std::vector<Tensor> sums{n};  // last dimension first, as coordinates are
  for (const GridTap &tap : grid_taps(in_float(grid), space_of(self.sizes()), mode, padding, align_corners, true)) {
    const Tensor each = thpp::sum(g * found(x, tap), {1}, true);
    for (size_t d = 0; d < n; ++d) {
      Tensor &sum = sums[n - 1 - d];
      sum = sum.defined() ? sum + each * tap.slopes[d] : each * tap.slopes[d];
    }
  }
  return thpp::to(thpp::reshape(thpp::stack(sums, -1), grid.sizes()), grid.dtype());
}

// ---- grids -------------------------------------------------------------------------------------------------

// Centres of n elements between -1 and 1.
static Tensor centres(const Tensor &like, int64_t n, bool align_corners) {
  const double end = n > 1 ? align_corners ? 1 : double(n - 1) / double(n) : 0;
  return thpp::linspace(Scalar(-end), Scalar(end), n, like.dtype(), like.device());
}

// (points, n + 1): the places of a picture of this size, and a 1 that theta's last column moves.
Tensor body::_affine_grid_points(const Tensor &theta, IntList size, bool align_corners) {
  const int n = int(size.size()) - 2;
  const IntList space(size.data() + 2, size_t(n));
  std::vector<Tensor> coordinates;
  for (int d = n - 1; d >= 0; --d) {
    std::vector<int64_t> shape(size_t(n), 1);
    shape[size_t(d)] = space[size_t(d)];
    coordinates.push_back(thpp::expand(thpp::view(centres(theta, space[size_t(d)], align_corners), shape), space));
  }
  coordinates.push_back(thpp::expand(thpp::ones({1}, theta.dtype(), theta.device()), space));
  return thpp::view(thpp::stack(coordinates, -1), {-1, n + 1});
}

Tensor body::affine_grid_generator(const Tensor &theta, IntList size, bool align_corners) {
  const int64_t n = int64_t(size.size()) - 2;
  if (n != 2 && n != 3) THError(TH_ERROR_RUNTIME, "AffineGridGenerator needs 4d (spatial) or 5d (volumetric) inputs.");
  const Tensor points = thpp::_affine_grid_points(theta, size, align_corners);
  const Tensor places = thpp::bmm(thpp::expand(points, {size[0], points.size(0), n + 1}), thpp::transpose(theta, 1, 2));
  std::vector<int64_t> shape = {size[0]};
  shape.insert(shape.end(), size.begin() + 2, size.end());
  shape.push_back(n);
  return thpp::view(places, shape);
}

}  // namespace thpp
