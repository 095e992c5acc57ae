// Sampling: places by hand, gradients for the image as transposed maps and for the grid by finite differences.
#include "images.hpp"

using namespace test;

namespace {

const auto sample = NN_FAMILY(floating, GridSampler_updateOutput);
const auto imageGradient = NN_FAMILY(floating, GridSampler_updateGradInput);
const auto gridGradient = NN_FAMILY(floating, GridSampler_updateGradGrid);

constexpr int kModes[] = {THNN_GRID_LINEAR, THNN_GRID_NEAREST, THNN_GRID_CUBIC};
constexpr int kPaddings[] = {THNN_GRID_ZEROS, THNN_GRID_BORDER, THNN_GRID_REFLECTION};

Shape samplesOf(const Shape &image, const Shape &grid) {
  Shape shape = {image[0], image[1]};
  shape.insert(shape.end(), grid.begin() + 1, grid.end() - 1);
  return shape;
}
Tensor places(THDtype dtype, const Shape &shape) {  // some are outside
  return make(dtype, shape, [](int64_t i) { return 1.4 * noise(i, 5); });
}
// f(mode, padding, align_corners)
template <class F>
void forOptions(int dimensions, const F &f) {
  for (int mode : kModes)
    if (mode != THNN_GRID_CUBIC || dimensions == 2)
      for (int padding : kPaddings)
        for (bool align : {false, true}) f(mode, padding, align);
}

TEST(Grid, ImageGradientsAreTransposedMaps) {
  const struct {
    Shape image, grid;
  } cases[] = {{{2, 3, 4, 5}, {2, 6, 7, 2}},
               {{1, 2, 3, 4, 3}, {1, 2, 3, 5, 3}},
               {{1, 2, 1, 3}, {1, 9, 9, 2}},
               {{0, 2, 3, 3}, {0, 4, 4, 2}},
               {{2, 2, 3, 3}, {2, 0, 4, 2}}};
  for (const auto &[image, grid] : cases)
    for (THDtype dtype : kFloatingDtypes) {
      const int n = int(image.size()) - 2;
      const Tensor at = places(dtype, grid);
      const Shape size(image.begin() + 2, image.end());
      forOptions(n, [&, &image = image, &grid = grid](int mode, int padding, bool align) {
        expectLinear(
            dtype, image, samplesOf(image, grid),
            [&](const THTensor *x, THTensor *y) { sample[dtype](nullptr, x, at, y, mode, padding, align); },
            [&](const THTensor *g, THTensor *r) {
              imageGradient[dtype](nullptr, g, r, at, n, size.data(), mode, padding, align);
            });
      });
    }
}

TEST(Grid, GridGradientsByFiniteDifferences) {
  const struct {
    Shape image, grid;
  } cases[] = {{{2, 3, 4, 5}, {2, 5, 5, 2}}, {{1, 2, 3, 4, 3}, {1, 2, 3, 4, 3}}};
  for (const auto &[image, grid] : cases) {
    const int n = int(image.size()) - 2;
    const Tensor x = random(TH_Double, image), g = random(TH_Double, samplesOf(image, grid), 9);
    const Tensor at = places(TH_Double, grid);
    forOptions(n, [&](int mode, int padding, bool align) {
      Tensor r(TH_Double);
      gridGradient[TH_Double](nullptr, x, at, g, r, mode, padding, align);
      ASSERT_EQ(shapeOf(r), shapeOf(at));
      for (int64_t i = 0; i < at->numel; i++) {
        double sums[2];
        for (int side = 0; side < 2; side++) {
          Tensor moved = make(TH_Double, shapeOf(at),
                              [&](int64_t k) { return get(at, k) + (k == i ? (side ? 1e-6 : -1e-6) : 0); });
          Tensor y(TH_Double);
          sample[TH_Double](nullptr, x, moved, y, mode, padding, align);
          sums[side] = dot(y, g);
        }
        ASSERT_NEAR(get(r, i), (sums[1] - sums[0]) / 2e-6, 1e-4) << mode << padding << align << " " << i;
      }
    });
  }
}

TEST(Grid, PlacesByHand) {
  const Tensor x = make(TH_Float, {1, 1, 1, 4}, [](int64_t i) { return double(10 * (i + 1)); });
  const auto at = [&](double place, int mode, int padding, bool align) {
    const Tensor grid = make(TH_Float, {1, 1, 1, 2}, [&](int64_t i) { return i ? 0 : place; });
    Tensor y(TH_Float);
    sample[TH_Float](nullptr, x, grid, y, mode, padding, align);
    return get(y, 0);
  };
  EXPECT_EQ(at(0, THNN_GRID_LINEAR, THNN_GRID_ZEROS, false), 25);
  EXPECT_EQ(at(-1, THNN_GRID_LINEAR, THNN_GRID_ZEROS, false), 5);
  EXPECT_EQ(at(-1, THNN_GRID_LINEAR, THNN_GRID_ZEROS, true), 10);
  EXPECT_EQ(at(-1, THNN_GRID_LINEAR, THNN_GRID_BORDER, false), 10);
  EXPECT_EQ(at(9, THNN_GRID_LINEAR, THNN_GRID_BORDER, false), 40);
  EXPECT_EQ(at(1.5, THNN_GRID_LINEAR, THNN_GRID_REFLECTION, false), 35);
  EXPECT_EQ(at(5.0 / 3, THNN_GRID_NEAREST, THNN_GRID_REFLECTION, true), 30);
  EXPECT_EQ(at(0, THNN_GRID_NEAREST, THNN_GRID_ZEROS, false), 30);  // halves go to the even one
  EXPECT_EQ(at(9, THNN_GRID_NEAREST, THNN_GRID_ZEROS, false), 0);
}

TEST(Grid, WhateverThePlacesAreMemoryIsLeftAlone) {
  const double wild[] = {NAN, INFINITY, -INFINITY, 1e30, -1e30, 1e10, 3e9, -2147483648.0};
  for (THDtype dtype : {TH_Float, TH_Double})
    for (int n : {2, 3}) {
      Shape image = {1, 2}, grid = {1};
      for (int d = 0; d < n; d++) image.push_back(3), grid.push_back(d == n - 1 ? 8 : 1);
      grid.push_back(n);
      const Shape size(image.begin() + 2, image.end());
      const Tensor x = random(dtype, image), g = random(dtype, samplesOf(image, grid));
      for (int axis = 0; axis < n; axis++) {
        const Tensor at = make(dtype, grid, [&](int64_t i) { return i % n == axis ? wild[i / n] : 0.1; });
        forOptions(n, [&](int mode, int padding, bool align) {
          Tensor y(dtype), r(dtype), s(dtype);
          sample[dtype](nullptr, x, at, y, mode, padding, align);
          imageGradient[dtype](nullptr, g, r, at, n, size.data(), mode, padding, align);
          gridGradient[dtype](nullptr, x, at, g, s, mode, padding, align);
          EXPECT_EQ(shapeOf(r), image);
          if (padding == THNN_GRID_ZEROS && mode == THNN_GRID_NEAREST) {
            EXPECT_EQ(values(y), Numbers(16, 0));
          }
        });
      }
    }
}

TEST(Grid, NamesOf2017AndThreads) {
  const Tensor x = random(TH_Float, {2, 3, 30, 40}), at = places(TH_Float, {2, 50, 60, 2});
  const Tensor g = random(TH_Float, {2, 3, 50, 60}, 9);
  const int64_t size[] = {30, 40};
  Tensor y(TH_Float), expected(TH_Float), r(TH_Float), s(TH_Float), images(TH_Float), slopes(TH_Float);
  THNN_FloatSpatialGridSamplerBilinear_updateOutput(nullptr, x, at, y, THNN_GRID_BORDER);
  THNN_FloatGridSampler_updateOutput(nullptr, x, at, expected, THNN_GRID_LINEAR, THNN_GRID_BORDER, true);
  expectSame(y, expected);
  THNN_FloatSpatialGridSamplerBilinear_updateGradInput(nullptr, x, r, at, s, g, THNN_GRID_BORDER);
  THNN_FloatGridSampler_updateGradInput(nullptr, g, images, at, 2, size, THNN_GRID_LINEAR, THNN_GRID_BORDER, true);
  THNN_FloatGridSampler_updateGradGrid(nullptr, x, at, g, slopes, THNN_GRID_LINEAR, THNN_GRID_BORDER, true);
  expectSame(r, images);
  expectSame(s, slopes);
  const auto independent = [](const auto &run) {
    expectThreadIndependent([&] {
      Tensor r(TH_Float);
      run(static_cast<THTensor *>(r));
      return r;
    });
  };
  independent([&](THTensor *r) { THNN_FloatGridSampler_updateOutput(nullptr, x, at, r, 2, 2, false); });
  independent([&](THTensor *r) { THNN_FloatGridSampler_updateGradInput(nullptr, g, r, at, 2, size, 2, 2, false); });
  independent([&](THTensor *r) { THNN_FloatGridSampler_updateGradGrid(nullptr, x, at, g, r, 2, 2, false); });
  expectRaises(TH_ERROR_RUNTIME, "same batch size",
               [&] { THNN_FloatGridSampler_updateOutput(nullptr, x, places(TH_Float, {1, 2, 2, 2}), y, 0, 0, false); });
  expectRaises(TH_ERROR_RUNTIME, "size 2 in last dimension",
               [&] { THNN_FloatGridSampler_updateOutput(nullptr, x, places(TH_Float, {2, 2, 2, 3}), y, 0, 0, false); });
  expectRaises(TH_ERROR_RUNTIME, "no mode and padding",
               [&] { THNN_FloatGridSampler_updateOutput(nullptr, x, at, y, 3, 0, false); });
}

}  // namespace
