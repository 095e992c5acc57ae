// Padding and sliding blocks: places by hand, and gradients as transposed maps; local convolutions and pooled features.
#include "images.hpp"

using namespace test;

namespace {

const auto pad = NN_FAMILY(number_complex, Padding_updateOutput);
const auto padGradient = NN_FAMILY(floating_complex, Padding_updateGradInput);
const auto im2col = NN_FAMILY(floating_complex, Im2Col_updateOutput);
const auto col2im = NN_FAMILY(floating_complex, Col2Im_updateOutput);

TEST(Padding, PlacesByHand) {
  for (THDtype dtype : kNumberDtypes) {
    const Tensor x = make(dtype, {1, 4}, [](int64_t i) { return double(i + 1); });
    Tensor y(dtype);
    const auto padded = [&](int mode, int64_t before, int64_t after) {
      const int64_t list[] = {before, after};
      pad[dtype](nullptr, x, y, mode, 2, list);
      return values(y);
    };
    EXPECT_EQ(padded(THNN_PAD_REFLECTION, 3, 2), (Numbers{4, 3, 2, 1, 2, 3, 4, 3, 2}));
    EXPECT_EQ(padded(THNN_PAD_REPLICATION, 1, 5), (Numbers{1, 1, 2, 3, 4, 4, 4, 4, 4, 4}));
    EXPECT_EQ(padded(THNN_PAD_REPLICATION, -1, -2), (Numbers{2}));
    EXPECT_EQ(padded(THNN_PAD_REFLECTION, -2, 1), (Numbers{3, 4, 3}));
    expectRaises(TH_ERROR_RUNTIME, "less than the corresponding input dimension, but got: padding (4, 0)",
                 [&] { padded(THNN_PAD_REFLECTION, 4, 0); });
    expectRaises(TH_ERROR_RUNTIME, "input (W: 4) is too small. Calculated output W: 0",
                 [&] { padded(THNN_PAD_REPLICATION, -4, 0); });
  }
}

TEST(Padding, GradientsAreTransposedMaps) {
  const struct {
    Shape input, padding;
  } cases[] = {{{2, 3, 5}, {2, 1}},           {{3, 5}, {-1, 3}},
               {{2, 3, 4, 5}, {1, 2, 3, 0}},  {{3, 4, 5}, {-2, 4, 1, -1}},
               {{0, 3, 5}, {1, 1}},           {{1, 2, 3, 4, 5}, {4, 1, 0, 3, 2, -1}},
               {{2, 3, 4, 5}, {-4, 0, 0, 0}}, {{2, 30, 40, 5}, {4, 4, 3, 3}}};
  for (const auto &[input, padding] : cases)
    for (int mode : {THNN_PAD_REFLECTION, THNN_PAD_REPLICATION})
      for (THDtype dtype : kFloatingDtypes) {
        const int n = int(padding.size()) / 2;
        const Shape size(input.end() - n, input.end());
        Shape out = input;
        for (int i = 0; i < n; i++)
          out[out.size() - 1 - size_t(i)] += padding[size_t(2 * i)] + padding[size_t(2 * i + 1)];
        expectLinear(
            dtype, input, out,
            [&, &padding = padding](const THTensor *x, THTensor *y) {
              pad[dtype](nullptr, x, y, mode, 2 * n, padding.data());
            },
            [&, &padding = padding](const THTensor *g, THTensor *r) {
              padGradient[dtype](nullptr, g, r, mode, n, size.data(), 2 * n, padding.data());
            });
      }
}

TEST(Padding, NamesOf2017) {
  const Tensor x = random(TH_Float, {2, 3, 4, 5}), v = random(TH_Float, {1, 2, 3, 4, 5});
  const int64_t list[] = {1, 2, 0, 3, 1, 1}, plane[] = {4, 5}, space[] = {3, 4, 5};
  Tensor y(TH_Float), expected(TH_Float), r(TH_Float), back(TH_Float);
  THNN_FloatSpatialReflectionPadding_updateOutput(nullptr, x, y, 1, 2, 0, 3);
  THNN_FloatPadding_updateOutput(nullptr, x, expected, THNN_PAD_REFLECTION, 4, list);
  expectSame(y, expected);
  THNN_FloatSpatialReflectionPadding_updateGradInput(nullptr, x, y, r, 1, 2, 0, 3);
  THNN_FloatPadding_updateGradInput(nullptr, y, back, THNN_PAD_REFLECTION, 2, plane, 4, list);
  expectSame(r, back);
  THNN_FloatSpatialReplicationPadding_updateOutput(nullptr, x, y, 1, 2, 0, 3);
  THNN_FloatPadding_updateOutput(nullptr, x, expected, THNN_PAD_REPLICATION, 4, list);
  expectSame(y, expected);
  THNN_FloatSpatialReplicationPadding_updateGradInput(nullptr, x, y, r, 1, 2, 0, 3);
  THNN_FloatPadding_updateGradInput(nullptr, y, back, THNN_PAD_REPLICATION, 2, plane, 4, list);
  expectSame(r, back);
  THNN_FloatVolumetricReplicationPadding_updateOutput(nullptr, v, y, 1, 2, 0, 3, 1, 1);
  THNN_FloatPadding_updateOutput(nullptr, v, expected, THNN_PAD_REPLICATION, 6, list);
  expectSame(y, expected);
  THNN_FloatVolumetricReplicationPadding_updateGradInput(nullptr, v, y, r, 1, 2, 0, 3, 1, 1);
  THNN_FloatPadding_updateGradInput(nullptr, y, back, THNN_PAD_REPLICATION, 3, space, 6, list);
  expectSame(r, back);
  expectRaises(TH_ERROR_RUNTIME, "grad_output has shape",
               [&] { THNN_FloatSpatialReplicationPadding_updateGradInput(nullptr, x, x, r, 1, 2, 0, 3); });
}

TEST(Unfolding, ImagesAreTheSumsOfTheirBlocks) {
  const struct {
    Shape input;
    int64_t kernel[2], dilation[2], padding[2], stride[2], blocks[2];
  } cases[] = {
      {{2, 3, 5, 7}, {2, 3}, {2, 1}, {1, 0}, {1, 2}, {5, 3}},
      {{3, 4, 4}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, {4, 4}},
      {{0, 2, 3, 3}, {2, 2}, {1, 1}, {0, 0}, {1, 1}, {2, 2}},
      {{1, 1, 1, 1}, {1, 1}, {1, 1}, {0, 0}, {3, 3}, {1, 1}},
  };
  for (const auto &c : cases)
    for (THDtype dtype : kFloatingDtypes) {
      const size_t batch = c.input.size() - 3;
      const int64_t channels = c.input[batch], height = c.input[batch + 1], width = c.input[batch + 2];
      Shape out(c.input.begin(), c.input.begin() + batch);
      out.insert(out.end(), {channels * c.kernel[0] * c.kernel[1], c.blocks[0] * c.blocks[1]});
      const auto forward = [&](const THTensor *x, THTensor *y) {
        im2col[dtype](nullptr, x, y, c.kernel[0], c.kernel[1], c.dilation[0], c.dilation[1], c.padding[0], c.padding[1],
                      c.stride[0], c.stride[1]);
      };
      expectLinear(dtype, c.input, out, forward, [&](const THTensor *g, THTensor *r) {
        col2im[dtype](nullptr, g, r, height, width, c.kernel[0], c.kernel[1], c.dilation[0], c.dilation[1],
                      c.padding[0], c.padding[1], c.stride[0], c.stride[1]);
      });
      // One element, by its place.
      const Tensor x = random(dtype, c.input);
      Tensor y(dtype);
      forward(x, y);
      for (int64_t e = 0; e < y->numel; e++) {
        const int64_t n = c.blocks[0] * c.blocks[1], p = e % n, row = e / n, kernel = c.kernel[0] * c.kernel[1];
        const int64_t h = p / c.blocks[1] * c.stride[0] - c.padding[0] + row % kernel / c.kernel[1] * c.dilation[0];
        const int64_t w = p % c.blocks[1] * c.stride[1] - c.padding[1] + row % c.kernel[1] * c.dilation[1];
        const bool inside = h >= 0 && h < height && w >= 0 && w < width;
        ASSERT_EQ(get(y, e), inside ? get(x, (row / kernel * height + h) * width + w) : 0);
      }
    }
}

TEST(Unfolding, NamesOf2017) {
  const Tensor x = random(TH_Float, {3, 5, 7});
  Tensor columns(TH_Float), expected(TH_Float), image = make(TH_Float, {3, 5, 7}, [](int64_t) { return 1; });
  THNN_Floatunfolded_copy(nullptr, columns, x, 3, 2, 2, 1, 1, 0, 3, 7, 5, 4, 4);
  THNN_FloatIm2Col_updateOutput(nullptr, x, expected, 2, 3, 1, 1, 0, 1, 1, 2);
  expectSame(columns, expected);
  THNN_Floatunfolded_acc(nullptr, columns, image, 3, 2, 2, 1, 1, 0, 3, 7, 5, 4, 4);
  Tensor sums(TH_Float);
  THNN_FloatCol2Im_updateOutput(nullptr, columns, sums, 5, 7, 2, 3, 1, 1, 0, 1, 1, 2);
  for (int64_t i = 0; i < image->numel; i++) EXPECT_NEAR(get(image, i), get(sums, i) + 1, 1e-6);
  expectRaises(TH_ERROR_RUNTIME, "are (4, 4), not (4, 5)",
               [&] { THNN_Floatunfolded_copy(nullptr, columns, x, 3, 2, 2, 1, 1, 0, 3, 7, 5, 5, 4); });
}

// Against the sum over each position's own weights.
TEST(Unfolding, LocalConvolutions) {
  const Shape input = {2, 3, 4, 5}, output = {2, 2, 3, 3};
  const int64_t rows = 3 * 2 * 3, positions = 9;
  const Tensor x = random(TH_Double, input), w = random(TH_Double, {positions, 2, rows}, 2);
  const Tensor b = random(TH_Double, {2, 3, 3}, 3), g = random(TH_Double, output, 9);
  Tensor y(TH_Double), columns(TH_Double), unused(TH_Double), r(TH_Double), gcolumns(TH_Double);
#define STEPS 3, 2, 2, 1, 1, 0, 5, 4, 3, 3
  THNN_DoubleSpatialConvolutionLocal_updateOutput(nullptr, x, y, w, b, columns, unused, STEPS);
  ASSERT_EQ(shapeOf(y), output);
  ASSERT_EQ(shapeOf(columns), (Shape{2, rows, positions}));
  for (int64_t i = 0; i < y->numel; i++) {
    const int64_t p = i % positions, o = i / positions % 2, image = i / positions / 2;
    double sum = get(b, o * positions + p);
    for (int64_t k = 0; k < rows; k++)
      sum += get(w, (p * 2 + o) * rows + k) * get(columns, (image * rows + k) * positions + p);
    ASSERT_NEAR(get(y, i), sum, 1e-12);
  }
  THNN_DoubleSpatialConvolutionLocal_updateGradInput(nullptr, x, g, r, w, columns, gcolumns, STEPS);
  Tensor gw = make(TH_Double, {positions, 2, rows}, [](int64_t) { return 0; });
  Tensor gb = make(TH_Double, {2, 3, 3}, [](int64_t) { return 0; });
  THNN_DoubleSpatialConvolutionLocal_accGradParameters(nullptr, x, g, gw, gb, columns, unused, STEPS, 0.5);
  THNN_DoubleSpatialConvolutionLocal_accGradParameters(nullptr, x, g, gw, gb, columns, unused, STEPS, 0.5);
  const double constant = dot(b, gb);  // what of the result does not come from the input
  EXPECT_NEAR(dot(y, g) - constant, dot(x, r), 1e-10);
  EXPECT_NEAR(dot(y, g) - constant, dot(w, gw), 1e-10);
  expectRaises(TH_ERROR_RUNTIME, "may not share memory",
               [&] { THNN_DoubleSpatialConvolutionLocal_updateOutput(nullptr, x, x, w, b, columns, unused, STEPS); });
  expectRaises(TH_ERROR_RUNTIME, "weight must have", [&] {
    THNN_DoubleSpatialConvolutionLocal_updateOutput(nullptr, x, y, random(TH_Double, {8, 2, rows}), b, columns, unused,
                                                    STEPS);
  });
}

TEST(Pooling, NormsOfFeatures) {
  for (const double power : {2.0, 3.0})
    for (const bool batchMode : {false, true}) {
      const Shape input = batchMode ? Shape{2, 7, 3} : Shape{7, 2, 3};
      const Tensor x = make(TH_Double, input, [](int64_t i) { return 1.1 + noise(i); });
      Tensor y(TH_Double), r(TH_Double);
      THNN_DoubleFeatureLPPooling_updateOutput(nullptr, x, y, power, 3, 2, batchMode);
      ASSERT_EQ(shapeOf(y), batchMode ? (Shape{2, 3, 3}) : (Shape{3, 2, 3}));
      const Tensor g = random(TH_Double, shapeOf(y), 9);
      THNN_DoubleFeatureLPPooling_updateGradInput(nullptr, g, x, y, r, power, 3, 2, batchMode);
      for (int64_t i = 0; i < x->numel; i++) {
        double sums[2];
        for (int side = 0; side < 2; side++) {
          const Tensor moved = make(TH_Double, input,
                                    [&](int64_t k) { return get(x, k) + (k == i ? (side ? 1e-6 : -1e-6) : 0); });
          Tensor z(TH_Double);
          THNN_DoubleFeatureLPPooling_updateOutput(nullptr, moved, z, power, 3, 2, batchMode);
          sums[side] = dot(z, g);
        }
        ASSERT_NEAR(get(r, i), (sums[1] - sums[0]) / 2e-6, 1e-6);
      }
    }
  Tensor y(TH_Float);
  THNN_FloatFeatureLPPooling_updateOutput(nullptr, of(TH_Float, {3, 4, 0, 0}), y, 2, 2, 1, false);
  EXPECT_EQ(values(y), (Numbers{5, 4, 0}));
  Tensor r(TH_Float);
  THNN_FloatFeatureLPPooling_updateGradInput(nullptr, of(TH_Float, {1, 1, 1}), of(TH_Float, {3, 4, 0, 0}), y, r, 2, 2,
                                             1, false);
  EXPECT_EQ(get(r, 3), 0);
}

TEST(Pooling, AveragesOfIntegersAreTowardsZero) {
  const int64_t two[] = {2}, no[] = {0};
  const Tensor x = make(TH_Long, {1, 4}, [](int64_t i) { return i < 2 ? -double(4 + i) : double(i + 1); });
  Tensor y(TH_Long);
  THNN_LongAveragePooling_updateOutput(nullptr, x, y, 1, two, 1, two, 1, no, false, true, 0);
  EXPECT_EQ(values(y), (Numbers{-4, 3}));
}

}  // namespace
