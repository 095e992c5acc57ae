// Pooling against plain loops over windows, and gradients against the sums that they are the gradients of.
#include <algorithm>
#include <limits>

#include <THNN/THNN.h>

#include "families.hpp"

using namespace test;

namespace {

using Numbers = std::vector<double>;

const auto maxPooling = NN_FAMILY(number, MaxPooling_updateOutput);
const auto maxGradient = NN_FAMILY(floating, MaxPooling_updateGradInput);
const auto averagePooling = NN_FAMILY(floating, AveragePooling_updateOutput);
const auto averageGradient = NN_FAMILY(floating, AveragePooling_updateGradInput);
const auto adaptiveMax = NN_FAMILY(floating, AdaptiveMaxPooling_updateOutput);
const auto adaptiveAverage = NN_FAMILY(floating, AdaptiveAveragePooling_updateOutput);
const auto adaptiveGradient = NN_FAMILY(floating, AdaptiveAveragePooling_updateGradInput);
const auto fractionalMax = NN_FAMILY(floating, FractionalMaxPooling_updateOutput);
const auto unpool = NN_FAMILY(floating, MaxUnpooling_updateOutput);
const auto unpoolGradient = NN_FAMILY(floating, MaxUnpooling_updateGradInput);

struct Pooling {
  Shape input;  // channels, or batch and channels, come first
  Shape kernel, stride, padding, dilation;
  bool ceil = false, countPadding = true;
  int64_t divisor = 0;
  int n() const { return int(kernel.size()); }
  Shape space() const { return Shape(input.end() - n(), input.end()); }
};

const Pooling kCases[] = {
    {{2, 7}, {3}, {2}, {1}, {1}},
    {{3, 2, 9}, {2}, {3}, {0}, {3}, true},
    {{2, 3, 6, 7}, {2, 3}, {2, 1}, {1, 0}, {1, 2}},
    {{2, 5, 5}, {3, 3}, {1, 1}, {1, 1}, {1, 1}, false, false},
    {{1, 2, 5, 8}, {2, 2}, {2, 3}, {1, 1}, {1, 1}, true, false},
    {{1, 2, 5, 8}, {2, 2}, {2, 3}, {1, 1}, {1, 1}, true, true, 3},
    {{2, 40, 70}, {3, 3}, {2, 2}, {1, 1}, {1, 1}},
    {{3, 2, 9, 12}, {2, 2}, {2, 2}, {0, 0}, {1, 1}},
    {{3, 2, 8, 41}, {2, 2}, {2, 2}, {0, 0}, {1, 1}, true, false},
    {{2, 15, 70}, {3, 3}, {2, 2}, {0, 0}, {1, 1}},
    {{2, 15, 9}, {2, 2}, {2, 2}, {0, 0}, {1, 1}, false, true, 3},
    {{2, 1, 4, 5, 6}, {2, 3, 2}, {1, 2, 2}, {1, 1, 0}, {1, 1, 2}},
    {{3, 4, 4, 5}, {3, 2, 4}, {2, 2, 3}, {1, 0, 2}, {1, 1, 1}, true, true, -2},
    {{0, 2, 4, 4}, {2, 2}, {2, 2}, {0, 0}, {1, 1}},
};

int64_t positionsOf(const Pooling &c, int d) {
  const size_t i = size_t(d);
  const int64_t rest = c.space()[i] + 2 * c.padding[i] - c.dilation[i] * (c.kernel[i] - 1) - 1;
  int64_t n = rest / c.stride[i] + 1;
  if (c.ceil && rest % c.stride[i] && n * c.stride[i] < c.space()[i] + c.padding[i]) n++;
  return n;
}
Shape outputOf(const Pooling &c) {
  Shape shape(c.input.begin(), c.input.end() - c.n());
  for (int d = 0; d < c.n(); d++) shape.push_back(positionsOf(c, d));
  return shape;
}

// visit(output, place in the plane, offset of the plane) for each element of each window; done(output, elements of the
// window with padding) after it.
template <class Visit, class Done>
void forWindows(const Pooling &c, const Visit &visit, const Done &done) {
  const Shape space = c.space(), out = outputOf(c), positions(out.end() - c.n(), out.end());
  const int64_t size = product(space), count = product(positions);
  for (int64_t o = 0; o < product(out); o++) {
    const int64_t plane = count ? o / count : 0;
    int64_t padded = 1;
    Shape start(space.size());
    for (int64_t d = c.n() - 1, rest = o % count; d >= 0; rest /= positions[size_t(d)], d--) {
      const size_t i = size_t(d);
      start[i] = rest % positions[i] * c.stride[i] - c.padding[i];
      padded *= std::min(start[i] + c.kernel[i], space[i] + c.padding[i]) - start[i];
    }
    for (int64_t tap = 0; tap < product(c.kernel); tap++) {
      int64_t place = 0, step = 1;
      bool inside = true;
      for (int64_t d = c.n() - 1, rest = tap; d >= 0; rest /= c.kernel[size_t(d)], d--) {
        const size_t i = size_t(d);
        const int64_t at = start[i] + rest % c.kernel[i] * c.dilation[i];
        inside = inside && at >= 0 && at < space[i];
        place += at * step;
        step *= space[i];
      }
      if (inside) visit(o, place, plane * size);
    }
    done(o, padded);
  }
}

void runMax(THDtype d, const Pooling &c, const THTensor *x, THTensor *y, THTensor *indices) {
  maxPooling[d](nullptr, x, y, indices, c.n(), c.kernel.data(), c.n(), c.stride.data(), c.n(), c.padding.data(), c.n(),
                c.dilation.data(), c.ceil);
}
void runAverage(THDtype d, const Pooling &c, const THTensor *x, THTensor *y) {
  averagePooling[d](nullptr, x, y, c.n(), c.kernel.data(), c.n(), c.stride.data(), c.n(), c.padding.data(), c.ceil,
                    c.countPadding, c.divisor);
}
void runAverageGradient(THDtype d, const Pooling &c, const THTensor *g, THTensor *r) {
  averageGradient[d](nullptr, g, r, c.n(), c.space().data(), c.n(), c.kernel.data(), c.n(), c.stride.data(), c.n(),
                     c.padding.data(), c.ceil, c.countPadding, c.divisor);
}

bool isHalf(THDtype d) { return d == TH_Half || d == TH_BFloat16; }
double tolerance(THDtype dtype) {
  return dtype == TH_Half ? 2e-3 : dtype == TH_BFloat16 ? 1.6e-2 : dtype == TH_Float ? 3e-6 : 1e-13;
}
void expectNear(const THTensor *t, const Shape &shape, const Numbers &expected, double tolerance) {
  ASSERT_EQ(shapeOf(t), shape);
  for (int64_t i = 0; i < t->numel; i++)
    ASSERT_NEAR(get(t, i), expected[size_t(i)], tolerance * (1 + std::fabs(expected[size_t(i)]))) << "element " << i;
}

// A few numbers, so that windows have several greatest ones.
Tensor fewNumbers(THDtype dtype, const Shape &shape) {
  return make(dtype, shape, [](int64_t i) { return double(i * 7 % 5); });
}

TEST(Pooling, MaxAgainstLoops) {
  for (const Pooling &c : kCases)
    for (THDtype dtype : kNumberDtypes) {
      const Tensor x = fewNumbers(dtype, c.input);
      Numbers best(size_t(product(outputOf(c))), -1), where(best.size());
      forWindows(
          c,
          [&](int64_t o, int64_t place, int64_t plane) {
            const double v = get(x, plane + place);
            if (v <= best[size_t(o)]) return;
            best[size_t(o)] = v;
            where[size_t(o)] = double(place);
          },
          [](int64_t, int64_t) {});
      for (Layout layout : kLayouts) {
        Tensor y(dtype), indices(TH_Long);
        runMax(dtype, c, relayout(x, layout), y, indices);
        expectNear(y, outputOf(c), best, 0);
        expectNear(indices, outputOf(c), where, 0);
        Tensor strided = uninitialised(dtype, outputOf(c), layout),
               places = uninitialised(TH_Long, outputOf(c), layout);
        runMax(dtype, c, x, strided, places);
        expectSame(strided, y);
        expectSame(places, indices);
        Tensor input = relayout(x, layout);
        runMax(dtype, c, input, input, places);
        expectSame(input, y);
        expectSame(places, indices);
      }
    }
}

TEST(Pooling, NaNIsTheGreatestAndInfinityHasAPlace) {
  const Pooling c = {{1, 4}, {2}, {2}, {0}, {1}};
  Tensor y(TH_Float), indices(TH_Long);
  runMax(TH_Float, c, make(TH_Float, {1, 4}, [](int64_t i) { return i == 0 ? double(NAN) : 5; }), y, indices);
  EXPECT_TRUE(std::isnan(get(y, 0)));
  EXPECT_EQ(values(indices), (Numbers{0, 2}));
  runMax(TH_Float, c, make(TH_Float, {1, 4}, [](int64_t) { return -double(INFINITY); }), y, indices);
  EXPECT_EQ(values(y), (Numbers{-INFINITY, -INFINITY}));
  EXPECT_EQ(values(indices), (Numbers{0, 2}));
}

TEST(Pooling, AverageAgainstLoops) {
  for (const Pooling &given : kCases)
    for (THDtype dtype : kFloatingDtypes) {
      Pooling c = given;
      c.dilation = Shape(c.kernel.size(), 1);
      const Tensor x = random(dtype, c.input);
      Numbers sum(size_t(product(outputOf(c)))), average(sum.size()), count(sum.size());
      forWindows(
          c,
          [&](int64_t o, int64_t place, int64_t plane) {
            sum[size_t(o)] += get(x, plane + place);
            count[size_t(o)]++;
          },
          [&](int64_t o, int64_t padded) {
            const double divisor = c.divisor ? double(c.divisor) : c.countPadding ? double(padded) : count[size_t(o)];
            average[size_t(o)] = sum[size_t(o)] / divisor;
          });
      // A gradient is what the sums of a window's shares are: Σ y g = Σ x r.
      const Tensor g = random(dtype, outputOf(c), 9);
      for (Layout layout : kLayouts) {
        Tensor y(dtype), strided = uninitialised(dtype, outputOf(c), layout), r(dtype),
                         back = uninitialised(dtype, c.input, layout);
        runAverage(dtype, c, relayout(x, layout), y);
        expectNear(y, outputOf(c), average, tolerance(dtype));
        runAverage(dtype, c, x, strided);
        expectSame(strided, y);
        runAverageGradient(dtype, c, relayout(g, layout), r);
        ASSERT_EQ(shapeOf(r), c.input);
        runAverageGradient(dtype, c, g, back);
        expectSame(back, r);
        double left = 0, right = 0;
        for (int64_t i = 0; i < y->numel; i++) left += average[size_t(i)] * get(g, i);
        for (int64_t i = 0; i < x->numel; i++) right += get(x, i) * get(r, i);
        if (!isHalf(dtype)) {
          EXPECT_NEAR(left, right, 30 * tolerance(dtype) * (1 + std::fabs(left)));
        }
      }
    }
}

TEST(Pooling, AdaptiveWindowsShareTheInputOut) {
  const struct {
    Shape input, size;
  } cases[] = {
      {{2, 7}, {3}}, {{2, 3, 5, 4}, {2, 4}}, {{1, 4, 9}, {7, 2}}, {{2, 3, 4, 5}, {2, 1, 3}}, {{2, 3, 3}, {0, 2}}};
  for (const auto &[input, size] : cases)
    for (THDtype dtype : kFloatingDtypes) {
      const int n = int(size.size());
      const Tensor x = fewNumbers(dtype, input);
      const Shape space(input.end() - n, input.end());
      Shape output(input.begin(), input.end() - n);
      output.insert(output.end(), size.begin(), size.end());
      Numbers averages, best, where;
      for (int64_t o = 0; o < product(output); o++) {
        double sum = 0, count = 0, greatest = -1, at = 0;
        const int64_t plane = o / product(size);
        for (int64_t e = 0; e < product(space); e++) {
          bool inside = true;
          for (int64_t d = n - 1, place = e, window = o; d >= 0;
               place /= space[size_t(d)], window /= size[size_t(d)], d--) {
            const int64_t w = window % size[size_t(d)], p = place % space[size_t(d)], s = space[size_t(d)],
                          m = size[size_t(d)];
            inside = inside && p >= w * s / m && p < ((w + 1) * s + m - 1) / m;
          }
          if (!inside) continue;
          const double v = get(x, plane * product(space) + e);
          sum += v;
          count++;
          if (v > greatest) greatest = v, at = double(e);
        }
        averages.push_back(sum / count);
        best.push_back(greatest);
        where.push_back(at);
      }
      Tensor y(dtype), most(dtype), indices(TH_Long), r(dtype);
      adaptiveAverage[dtype](nullptr, x, y, n, size.data());
      expectNear(y, output, averages, tolerance(dtype));
      adaptiveMax[dtype](nullptr, x, most, indices, n, size.data());
      expectNear(most, output, best, 0);
      expectNear(indices, output, where, 0);
      const Tensor g = random(dtype, output, 9);
      adaptiveGradient[dtype](nullptr, g, r, n, space.data());
      ASSERT_EQ(shapeOf(r), input);
      double left = 0, right = 0;
      for (int64_t i = 0; i < y->numel; i++) left += averages[size_t(i)] * get(g, i);
      for (int64_t i = 0; i < x->numel; i++) right += get(x, i) * get(r, i);
      if (!isHalf(dtype)) {
        EXPECT_NEAR(left, right, 30 * tolerance(dtype) * (1 + std::fabs(left)));
      }
    }
}

// The gradient adds up where indices meet, unpooling writes, and its gradient reads.
TEST(Pooling, Indices) {
  const Shape size = {2, 3};
  for (THDtype dtype : kFloatingDtypes) {
    const Tensor g = make(dtype, {2, 1, 2}, [](int64_t i) { return double(i + 1); });
    const Tensor indices = make(TH_Long, {2, 1, 2}, [](int64_t i) { return i < 2 ? 4 : double(i); });
    Tensor r(dtype), y(dtype), back(dtype);
    maxGradient[dtype](nullptr, g, r, indices, 2, size.data());
    EXPECT_EQ(shapeOf(r), (Shape{2, 2, 3}));
    EXPECT_EQ(values(r), (Numbers{0, 0, 0, 0, 3, 0, 0, 0, 3, 4, 0, 0}));
    unpool[dtype](nullptr, g, y, indices, 2, size.data());
    EXPECT_EQ(values(y), (Numbers{0, 0, 0, 0, 2, 0, 0, 0, 3, 4, 0, 0}));
    unpoolGradient[dtype](nullptr, y, back, indices, 2);
    EXPECT_EQ(shapeOf(back), (Shape{2, 1, 2}));
    EXPECT_EQ(values(back), (Numbers{2, 2, 3, 4}));
  }
  for (const int64_t wrong : {int64_t(6), int64_t(-1), std::numeric_limits<int64_t>::min()}) {
    const Tensor g = random(TH_Float, {2, 1, 2});
    Tensor r = make(TH_Float, {1}, [](int64_t) { return 7; }), indices(TH_Long, {2, 1, 2});
    for (int64_t i = 0; i < 4; i++) static_cast<int64_t *>(address(indices, i))[0] = i == 2 ? wrong : 0;
    expectRaises(TH_ERROR_RUNTIME, "invalid max index: " + std::to_string(wrong) + " (output volumes are of size 2x3)",
                 [&] { THNN_FloatMaxPooling_updateGradInput(nullptr, g, r, indices, 2, size.data()); });
    expectRaises(TH_ERROR_RUNTIME, "invalid max index",
                 [&] { THNN_FloatMaxUnpooling_updateOutput(nullptr, g, r, indices, 2, size.data()); });
    const Tensor large = random(TH_Float, {2, 2, 3});
    expectRaises(TH_ERROR_RUNTIME, "invalid max index",
                 [&] { THNN_FloatMaxUnpooling_updateGradInput(nullptr, large, r, indices, 2); });
    EXPECT_EQ(values(r), Numbers{7});
  }
}

TEST(Pooling, FractionalWindowsEndWithTheInput) {
  for (const int n : {2, 3})
    for (THDtype dtype : {TH_Half, TH_Float, TH_Double}) {  // BFloat16 has too few numbers for this
      const Shape space(size_t(n), 9), kernel(size_t(n), 3), size(size_t(n), 5);
      Shape input = {2, 3}, output = input;
      input.insert(input.end(), space.begin(), space.end());
      output.insert(output.end(), size.begin(), size.end());
      // Rising, so that each window's last element is the greatest.
      const Tensor x = make(dtype, input, [&](int64_t i) { return double(i % product(space)) / 4; });
      const Tensor samples = make(dtype, {2, 3, n}, [](int64_t i) { return double(i % 8) / 8; });
      Tensor y(dtype), indices(TH_Long);
      fractionalMax[dtype](nullptr, x, y, indices, n, kernel.data(), n, size.data(), samples);
      ASSERT_EQ(shapeOf(y), output);
      for (int64_t o = 0; o < y->numel; o++) {
        int64_t expected = 0, step = 1;
        for (int64_t d = n - 1, rest = o; d >= 0; rest /= 5, d--, step *= 9) {
          const int64_t plane = o / product(size), w = rest % 5;
          const double sample = double((plane * n + (n == 3 ? d : 1 - d)) % 8) / 8, width = 1.5;
          expected += step * ((w == 4 ? 6 : int64_t((double(w) + sample) * width) - int64_t(sample * width)) + 2);
        }
        ASSERT_EQ(get(indices, o), double(expected)) << "element " << o;
      }
    }
}

TEST(Pooling, ThreadsMakeNoDifference) {
  const Pooling c = {{40, 5, 30, 31}, {3, 3}, {2, 1}, {1, 1}, {1, 1}};
  const Tensor x = random(TH_Float, c.input), g = random(TH_Float, outputOf(c), 9);
  const Shape size = {4, 7}, space = c.space();
  Tensor indices(TH_Long);
  const auto independent = [](const auto &run) {
    expectThreadIndependent([&] {
      Tensor r(TH_Float);
      run(static_cast<THTensor *>(r));
      return r;
    });
  };
  independent([&](THTensor *r) { runMax(TH_Float, c, x, r, indices); });
  independent([&](THTensor *r) { THNN_FloatMaxPooling_updateGradInput(nullptr, g, r, indices, 2, space.data()); });
  independent([&](THTensor *r) { runAverage(TH_Float, c, x, r); });
  independent([&](THTensor *r) { runAverageGradient(TH_Float, c, g, r); });
  independent([&](THTensor *r) { THNN_FloatAdaptiveAveragePooling_updateOutput(nullptr, x, r, 2, size.data()); });
  independent([&](THTensor *r) { THNN_FloatAdaptiveMaxPooling_updateOutput(nullptr, x, r, indices, 2, size.data()); });
}

}  // namespace
