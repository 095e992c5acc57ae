// Upsampling: places by hand, what holds of any weights, gradients as transposed maps, and the names of 2017.
#include "images.hpp"

using namespace test;

namespace {

const auto upsample = NN_FAMILY(number, UpSampling_updateOutput);
const auto gradient = NN_FAMILY(floating, UpSampling_updateGradInput);
constexpr int kModes[] = {
    THNN_NEAREST,           THNN_NEAREST_EXACT,      THNN_LINEAR, THNN_CUBIC, THNN_LINEAR_ANTIALIASED,
    THNN_CUBIC_ANTIALIASED, THNN_LANCZOS_ANTIALIASED};

struct Case {
  Shape input, size;
  bool align = false;
  double scale[3] = {0, 0, 0};
  int n() const { return int(size.size()); }
  Shape space() const { return Shape(input.end() - n(), input.end()); }
  Shape output() const {
    Shape shape(input.begin(), input.begin() + 2);
    shape.insert(shape.end(), size.begin(), size.end());
    return shape;
  }
};
const Case kCases[] = {
    {{2, 3, 5}, {11}},
    {{1, 2, 9}, {4}, true},
    {{2, 2, 4, 5}, {8, 10}},
    {{1, 3, 7, 6}, {3, 13}, true},
    {{1, 2, 6, 6}, {10, 4}, false, {0, 1.7, 0.6}},
    {{1, 1, 40, 60}, {17, 90}},
    {{1, 2, 3, 4, 3}, {6, 3, 5}},
    {{2, 1, 4, 2, 5}, {3, 5, 5}, true},
    {{0, 2, 4, 4}, {3, 5}},
    {{1, 1, 1, 1}, {4, 3}},
};

void forward(THDtype d, int mode, const Case &c, const THTensor *x, THTensor *y) {
  upsample[d](nullptr, x, y, mode, c.align, c.n(), c.size.data(), c.scale[0], c.scale[1], c.scale[2]);
}
void backward(THDtype d, int mode, const Case &c, const THTensor *g, THTensor *r) {
  const Shape space = c.space();
  gradient[d](nullptr, g, r, mode, c.align, c.n(), space.data(), c.scale[0], c.scale[1], c.scale[2]);
}

TEST(Upsampling, GradientsAreTransposedMaps) {
  for (const Case &c : kCases)
    for (THDtype dtype : kFloatingDtypes)
      for (int mode : kModes)
        expectLinear(
            dtype, c.input, c.output(), [&](const THTensor *x, THTensor *y) { forward(dtype, mode, c, x, y); },
            [&](const THTensor *g, THTensor *r) { backward(dtype, mode, c, g, r); });
}

// The weights of an element add up to 1, so a constant stays, and linear ones keep a slope inside.
TEST(Upsampling, ConstantsAndSlopes) {
  for (const Case &c : kCases)
    for (int mode : kModes) {
      Tensor y(TH_Double);
      forward(TH_Double, mode, c, make(TH_Double, c.input, [](int64_t) { return 3; }), y);
      for (int64_t i = 0; i < y->numel; i++) ASSERT_NEAR(get(y, i), 3, 1e-12);
    }
  const Case c = {{1, 1, 6}, {11}, true};
  for (int mode : {THNN_LINEAR, THNN_CUBIC}) {
    Tensor y(TH_Double);
    forward(TH_Double, mode, c, make(TH_Double, c.input, [](int64_t i) { return double(i); }), y);
    for (int64_t i = 2; i < 9; i++) EXPECT_NEAR(get(y, i), double(i) / 2, 1e-12);
  }
}

TEST(Upsampling, PlacesByHand) {
  const Tensor x = of(TH_Float, {0, 10, 20, 30});
  const Tensor line(THTensor_newView(x, 3, Shape{1, 1, 4}.data()));
  const auto of = [&](int mode, int64_t size, bool align) {
    Tensor y(TH_Float);
    upsample[TH_Float](nullptr, line, y, mode, align, 1, &size, 0, 0, 0);
    return values(y);
  };
  EXPECT_EQ(of(THNN_NEAREST, 6, false), (Numbers{0, 0, 10, 20, 20, 30}));
  EXPECT_EQ(of(THNN_NEAREST_EXACT, 6, false), (Numbers{0, 10, 10, 20, 30, 30}));
  EXPECT_EQ(of(THNN_NEAREST, 2, false), (Numbers{0, 20}));
  EXPECT_EQ(of(THNN_LINEAR, 8, false), (Numbers{0, 2.5, 7.5, 12.5, 17.5, 22.5, 27.5, 30}));
  EXPECT_EQ(of(THNN_LINEAR, 3, true), (Numbers{0, 15, 30}));
  EXPECT_EQ(of(THNN_LINEAR, 2, false), (Numbers{5, 25}));
  EXPECT_EQ(of(THNN_LINEAR, 1, true), (Numbers{0}));
}

TEST(Upsampling, InfinityStaysWhereItIs) {
  const Case c = {{1, 1, 3, 3}, {6, 6}};
  Tensor x = make(TH_Float, c.input, [](int64_t i) { return i == 0 ? double(INFINITY) : 1; }), y(TH_Float), r(TH_Float);
  forward(TH_Float, THNN_LINEAR, c, x, y);
  EXPECT_EQ(get(y, 0), double(INFINITY));
  EXPECT_EQ(get(y, 35), 1);
  backward(TH_Float, THNN_NEAREST, c, make(TH_Float, c.output(), [](int64_t i) { return i == 0 ? double(NAN) : 1; }),
           r);
  EXPECT_TRUE(std::isnan(get(r, 0)));
  EXPECT_EQ(get(r, 1), 4);
}

TEST(Upsampling, IntegersAreCopiedAndBytesRounded) {
  const Case c = {{1, 2, 2, 3}, {4, 6}};
  for (THDtype dtype : {TH_Byte, TH_Char, TH_Short, TH_Int, TH_Long}) {
    Tensor y(dtype);
    forward(dtype, THNN_NEAREST, c, make(dtype, c.input, [](int64_t i) { return double(i * 9); }), y);
    for (int64_t i = 0; i < y->numel; i++) ASSERT_EQ(get(y, i), double(9 * (i / 24 * 6 + i % 24 / 12 * 3 + i % 6 / 2)));
  }
  const Tensor bytes = make(TH_Byte, {1, 1, 6, 8}, [](int64_t i) { return double(i * 53 % 256); });
  const Tensor numbers = make(TH_Double, {1, 1, 6, 8}, [](int64_t i) { return double(i * 53 % 256); });
  for (const Shape &size : {Shape{9, 13}, Shape{3, 5}})
    for (int mode : {THNN_LINEAR, THNN_CUBIC, THNN_LINEAR_ANTIALIASED, THNN_CUBIC_ANTIALIASED}) {
      Tensor y(TH_Byte), exact(TH_Double);
      upsample[TH_Byte](nullptr, bytes, y, mode, false, 2, size.data(), 0, 0, 0);
      upsample[TH_Double](nullptr, numbers, exact, mode, false, 2, size.data(), 0, 0, 0);
      for (int64_t i = 0; i < y->numel; i++) {
        const double near = mode == THNN_LINEAR || mode == THNN_LINEAR_ANTIALIASED ? 1.01 : 30;  // clamped halfway
        ASSERT_NEAR(get(y, i), std::clamp(get(exact, i), 0.0, 255.0), near);
      }
    }
}

TEST(Upsampling, TapsMakeWhatTheKernelMakes) {
  for (THDtype dtype : {TH_Double, TH_Float})
    for (int64_t size : {4, 7, 11})
      for (int mode = THNN_NEAREST; mode <= THNN_LANCZOS_ANTIALIASED; mode++) {
        const Tensor x = make(dtype, {1, 1, 7}, [](int64_t i) { return double(i * i % 5); });
        Tensor y(dtype), shaped(dtype);
        upsample[dtype](nullptr, x, y, mode, false, 1, &size, 0, 0, 0);
        THNNUpSamplingPlan plan{};
        plan.mode = THNNUpSamplingMode(mode);
        ASSERT_TRUE(THNNPrepare_UpSampling_updateOutput(&plan, dtype, x, shaped, 1, &size));
        const int64_t most = THNNPrepare_UpSampling_taps(&plan, 2, dtype, nullptr, nullptr);
        std::vector<int64_t> index(size_t(size * most));
        std::vector<double> weight(index.size());
        ASSERT_EQ(THNNPrepare_UpSampling_taps(&plan, 2, dtype, index.data(), weight.data()), most);
        for (int64_t o = 0; o < size; o++) {
          double sum = 0;
          for (size_t k = size_t(o * most); k < size_t((o + 1) * most); k++)
            if (index[k] >= 0) sum += weight[k] * get(x, index[k]);
          ASSERT_NEAR(sum, get(y, o), dtype == TH_Double ? 1e-12 : 1e-5) << mode << " " << size << " " << o;
        }
      }
}

TEST(Upsampling, NamesOf2017) {
  const Tensor x = random(TH_Float, {2, 3, 4, 5}), v = random(TH_Float, {1, 2, 2, 3, 4});
  Tensor y(TH_Float), expected(TH_Float), r(TH_Float), back(TH_Float);
  const int64_t twice[] = {8, 10}, plane[] = {4, 5}, volume[] = {4, 6, 8}, space[] = {2, 3, 4};
  THNN_FloatSpatialUpSamplingNearest_updateOutput(nullptr, x, y, 2);
  THNN_FloatUpSampling_updateOutput(nullptr, x, expected, THNN_NEAREST, false, 2, twice, 0, 0, 0);
  expectSame(y, expected);
  THNN_FloatSpatialUpSamplingNearest_updateGradInput(nullptr, x, y, r, 2);
  THNN_FloatUpSampling_updateGradInput(nullptr, y, back, THNN_NEAREST, false, 2, plane, 0, 0, 0);
  expectSame(r, back);
  THNN_FloatSpatialUpSamplingBilinear_updateOutput(nullptr, x, y, 8, 10, true);
  THNN_FloatUpSampling_updateOutput(nullptr, x, expected, THNN_LINEAR, true, 2, twice, 0, 0, 0);
  expectSame(y, expected);
  THNN_FloatSpatialUpSamplingBilinear_updateGradInput(nullptr, y, r, 2, 3, 4, 5, 8, 10, true);
  THNN_FloatUpSampling_updateGradInput(nullptr, y, back, THNN_LINEAR, true, 2, plane, 0, 0, 0);
  expectSame(r, back);
  THNN_FloatVolumetricUpSamplingNearest_updateOutput(nullptr, v, y, 2);
  THNN_FloatUpSampling_updateOutput(nullptr, v, expected, THNN_NEAREST, false, 3, volume, 0, 0, 0);
  expectSame(y, expected);
  THNN_FloatVolumetricUpSamplingNearest_updateGradInput(nullptr, v, y, r, 2);
  THNN_FloatUpSampling_updateGradInput(nullptr, y, back, THNN_NEAREST, false, 3, space, 0, 0, 0);
  expectSame(r, back);
  THNN_FloatVolumetricUpSamplingTrilinear_updateOutput(nullptr, v, y, 4, 6, 8, false);
  THNN_FloatUpSampling_updateOutput(nullptr, v, expected, THNN_LINEAR, false, 3, volume, 0, 0, 0);
  expectSame(y, expected);
  THNN_FloatVolumetricUpSamplingTrilinear_updateGradInput(nullptr, y, r, 1, 2, 2, 3, 4, 4, 6, 8, false);
  THNN_FloatUpSampling_updateGradInput(nullptr, y, back, THNN_LINEAR, false, 3, space, 0, 0, 0);
  expectSame(r, back);
  expectRaises(TH_ERROR_RUNTIME, "must have shape",
               [&] { THNN_FloatSpatialUpSamplingBilinear_updateGradInput(nullptr, x, r, 2, 3, 4, 5, 8, 10, true); });
  expectRaises(TH_ERROR_RUNTIME, "scale_factor must be at least 1",
               [&] { THNN_FloatSpatialUpSamplingNearest_updateOutput(nullptr, x, y, 0); });
  expectRaises(TH_ERROR_RUNTIME, "2 times as large",
               [&] { THNN_FloatSpatialUpSamplingNearest_updateGradInput(nullptr, x, x, r, 2); });
}

TEST(Upsampling, ThreadsMakeNoDifference) {
  const Case c = {{3, 4, 60, 70}, {90, 100}};
  const Tensor x = random(TH_Float, c.input), g = random(TH_Float, c.output(), 9);
  for (int mode : {THNN_NEAREST, THNN_LINEAR, THNN_CUBIC}) {
    expectThreadIndependent([&] {
      Tensor y(TH_Float);
      forward(TH_Float, mode, c, x, y);
      return y;
    });
    expectThreadIndependent([&] {
      Tensor r(TH_Float);
      backward(TH_Float, mode, c, g, r);
      return r;
    });
  }
}

}  // namespace
