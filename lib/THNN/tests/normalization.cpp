// Normalisation against its definition in double, number by number, and gradients against the formulas of the papers.
#include <functional>
#include <limits>

#include <THNN/THNN.h>

#include "families.hpp"

using namespace test;

namespace {

using Numbers = std::vector<double>;

const auto batchForward = NN_FAMILY(floating, BatchNormalization_updateOutput);
const auto batchBackward = NN_FAMILY(floating, BatchNormalization_backward);
const auto layerForward = NN_FAMILY(floating, LayerNormalization_updateOutput);
const auto layerBackward = NN_FAMILY(floating, LayerNormalization_backward);
const auto rmsForward = NN_FAMILY(floating, RMSNormalization_updateOutput);
const auto rmsBackward = NN_FAMILY(floating, RMSNormalization_backward);
const auto groupForward = NN_FAMILY(floating, GroupNormalization_updateOutput);
const auto groupBackward = NN_FAMILY(floating, GroupNormalization_backward);
const auto lrnForward = NN_FAMILY(floating, SpatialCrossMapLRN_updateOutput);
const auto lrnBackward = NN_FAMILY(floating, SpatialCrossMapLRN_updateGradInput);

constexpr double kEps = 1e-3;

// Which statistics and which parameters element i of an input meets.
struct Meeting {
  int64_t sets, parameters;
  std::function<int64_t(int64_t)> set, parameter;
};

int64_t innerOf(const Shape &shape) {
  int64_t n = 1;
  for (size_t d = 2; d < shape.size(); d++) n *= shape[d];
  return n;
}
Meeting ofBatch(const Shape &shape) {
  const int64_t channels = shape[1], inner = innerOf(shape);
  const auto channel = [=](int64_t i) { return i / inner % channels; };
  return {channels, channels, channel, channel};
}
Meeting ofGroups(const Shape &shape, int64_t groups) {
  const int64_t channels = shape[1], inner = innerOf(shape), size = channels / groups * inner;
  return {shape[0] * groups, channels, [=](int64_t i) { return i / size; },
          [=](int64_t i) { return i / inner % channels; }};
}
Meeting ofRows(const Shape &shape, const Shape &last) {
  const int64_t n = product(last);
  return {product(shape) / n, n, [=](int64_t i) { return i / n; }, [=](int64_t i) { return i % n; }};
}

// All that a normalisation and its gradient are, in double.
struct Expected {
  Numbers mean, std, output, gradInput, gradWeight, gradBias;
};
Expected expected(const Meeting &m, const THTensor *x, const THTensor *g, const THTensor *w, const THTensor *b,
                  bool centred = true) {
  const size_t sets = size_t(m.sets), n = size_t(x->numel);
  const double count = double(n) / double(sets);
  Expected e{Numbers(sets),
             Numbers(sets),
             Numbers(n),
             Numbers(n),
             Numbers(size_t(m.parameters)),
             Numbers(size_t(m.parameters))};
  const auto weight = [&](int64_t i) { return w ? get(w, m.parameter(i)) : 1; };
  for (int64_t i = 0; centred && i < x->numel; i++) e.mean[size_t(m.set(i))] += get(x, i) / count;
  for (int64_t i = 0; i < x->numel; i++) {
    const double d = get(x, i) - e.mean[size_t(m.set(i))];
    e.std[size_t(m.set(i))] += d * d / count;
  }
  for (double &s : e.std) s = 1 / std::sqrt(s + kEps);
  Numbers z(n), plain(sets), weighted(sets);
  for (int64_t i = 0; i < x->numel; i++) {
    const size_t at = size_t(i), s = size_t(m.set(i)), p = size_t(m.parameter(i));
    z[at] = (get(x, i) - e.mean[s]) * e.std[s];
    e.output[at] = z[at] * weight(i) + (b ? get(b, m.parameter(i)) : 0);
    e.gradWeight[p] += get(g, i) * z[at];
    e.gradBias[p] += get(g, i);
    plain[s] += get(g, i) * weight(i) / count;
    weighted[s] += get(g, i) * weight(i) * z[at] / count;
  }
  for (int64_t i = 0; i < x->numel; i++) {
    const size_t at = size_t(i), s = size_t(m.set(i));
    e.gradInput[at] = (get(g, i) * weight(i) - (centred ? plain[s] : 0) - z[at] * weighted[s]) * e.std[s];
  }
  return e;
}

bool isHalf(THDtype d) { return d == TH_Half || d == TH_BFloat16; }
double tolerance(THDtype dtype) {
  return dtype == TH_Half ? 4e-3 : dtype == TH_BFloat16 ? 3e-2 : dtype == TH_Float ? 2e-5 : 1e-12;
}
void expectNear(const THTensor *t, const Shape &shape, const Numbers &expected, double tolerance) {
  ASSERT_EQ(shapeOf(t), shape);
  for (int64_t i = 0; i < t->numel; i++)
    ASSERT_NEAR(get(t, i), expected[size_t(i)], tolerance * (1 + std::fabs(expected[size_t(i)]))) << "element " << i;
}

// The same elements, channels innermost.
Tensor channelsLast(const THTensor *t) {
  Shape order = {0}, back = {0, t->ndim - 1};
  for (int d = 2; d < t->ndim; d++) order.push_back(d), back.push_back(d - 1);
  order.push_back(1);
  const Tensor turned(THTensor_newPermute(const_cast<THTensor *>(t), t->ndim, order.data()));
  const Tensor dense(THTensor_newContiguous(turned));
  return Tensor(THTensor_newPermute(dense, t->ndim, back.data()));
}

// Parameters of half inputs are float every other time.
THDtype parametersOf(THDtype dtype, bool mixed) { return mixed && isHalf(dtype) ? TH_Float : dtype; }

// The functions of one normalisation, whose results are compared with `e` for every layout.
struct Norm {
  std::function<void(const THTensor *x, THTensor *y, THTensor *mean, THTensor *std)> forward;
  std::function<void(const THTensor *x, const THTensor *g, THTensor *gx, THTensor *gw, THTensor *gb,
                     const THTensor *mean, const THTensor *std)>
      backward;
};
void compare(const Norm &norm, const THTensor *x, const THTensor *g, const Expected &e, THDtype parameters,
             const Shape &statistics, const Shape &weights) {
  const THDtype dtype = THDtype(x->dtype);
  const Shape shape = shapeOf(x);
  const double near = tolerance(dtype), sums = 4 * near * std::sqrt(double(product(shape)) / double(product(weights)));
  for (Layout layout : kLayouts) {
    Tensor y(dtype), mean(parameters), std(parameters), gx(dtype), gw(parameters), gb(parameters);
    const Tensor input = relayout(x, layout), gradient = relayout(g, layout);
    norm.forward(input, y, mean, std);
    expectNear(y, shape, e.output, near);
    expectNear(mean, statistics, e.mean, near);
    expectNear(std, statistics, e.std, near);
    norm.backward(input, gradient, gx, gw, gb, mean, std);
    expectNear(gx, shape, e.gradInput, isHalf(dtype) ? 8 * near : 4 * near);
    expectNear(gw, weights, e.gradWeight, sums);
    expectNear(gb, weights, e.gradBias, sums);
    // Strided results, and results that are inputs; one gradient by itself.
    Tensor strided = uninitialised(dtype, shape, layout), alone(dtype), weight(parameters), bias(parameters);
    norm.forward(x, strided, mean, std);
    expectSame(strided, y);
    norm.forward(input, input, mean, std);
    expectSame(input, y);
    norm.backward(x, gradient, gradient, nullptr, nullptr, mean, std);
    expectSame(gradient, gx);
    norm.backward(x, g, nullptr, weight, nullptr, mean, std);
    expectSame(weight, gw);
    norm.backward(x, g, nullptr, nullptr, bias, mean, std);
    expectSame(bias, gb);
  }
}

const Shape kImages[] = {{2, 3}, {70, 5}, {70, 130}, {2, 4, 7}, {3, 2, 5, 6}, {2, 2, 33, 35}, {2, 2, 2, 3, 4}};

TEST(Normalization, BatchAgainstDefinition) {
  for (const Shape &shape : kImages)
    for (THDtype dtype : kFloatingDtypes)
      for (bool mixed : {false, true}) {
        const THDtype parameters = parametersOf(dtype, mixed);
        const Tensor x = random(dtype, shape), g = random(dtype, shape, 2), w = random(parameters, {shape[1]}, 3),
                     b = random(parameters, {shape[1]}, 4);
        const THTensor *const weight = mixed ? nullptr : static_cast<THTensor *>(w);
        const Norm norm{
            [&](const THTensor *x, THTensor *y, THTensor *mean, THTensor *std) {
              batchForward[dtype](nullptr, x, y, weight, b, nullptr, nullptr, mean, std, true, 0.1, kEps);
            },
            [&](const THTensor *x, const THTensor *g, THTensor *gx, THTensor *gw, THTensor *gb, const THTensor *mean,
                const THTensor *std) { batchBackward[dtype](nullptr, x, g, gx, gw, gb, weight, mean, std, true); }};
        const Expected e = expected(ofBatch(shape), x, g, weight, b);
        compare(norm, x, g, e, parameters, {shape[1]}, {shape[1]});
        if (shape.size() < 3) continue;
        // Channels innermost stay so.
        Tensor y = channelsLast(x), mean(parameters), std(parameters), gx = channelsLast(x), gw(parameters),
               gb(parameters);
        const Shape strides = stridesOf(y);
        norm.forward(channelsLast(x), y, mean, std);
        expectNear(y, shape, e.output, tolerance(dtype));
        norm.backward(channelsLast(x), g, gx, gw, gb, mean, std);
        expectNear(gx, shape, e.gradInput, 8 * tolerance(dtype));
        EXPECT_EQ(stridesOf(y), strides);
        EXPECT_EQ(stridesOf(gx), strides);
      }
}

TEST(Normalization, RunningStatistics) {
  for (THDtype dtype : kFloatingDtypes) {
    const THDtype parameters = parametersOf(dtype, true);
    const Tensor x = make(dtype, {3, 2}, [](int64_t i) { return double(i * i % 7); });  // columns 0, 4, 2 and 1, 2, 4
    Tensor y(dtype), mean(parameters), std(parameters), running = make(parameters, {2, 2}, [](int64_t) { return 1; });
    Tensor runningMean(THTensor_newSelect(running, 1, 0)), runningVar(THTensor_newSelect(running, 1, 1));
    batchForward[dtype](nullptr, x, y, nullptr, nullptr, runningMean, runningVar, mean, std, true, 0.25, 0);
    // Means 2 and 7/3, variances of samples 4 and 7/3.
    expectNear(running, {2, 2}, {1.25, 1.75, 0.75 + 7.0 / 12, 0.75 + 7.0 / 12}, 1e-6 + tolerance(parameters));
    // They are what evaluation uses, and leave as they are.
    const Tensor before = relayout(running, Layout::contiguous);
    batchForward[dtype](nullptr, x, y, nullptr, nullptr, runningMean, runningVar, mean, std, false, 0.25, kEps);
    expectSame(running, before);
    Numbers expected, gradient;
    for (int64_t i = 0; i < 6; i++) {
      const double over = 1 / std::sqrt(get(running, i % 2 * 2 + 1) + kEps);
      expected.push_back((get(x, i) - get(running, i % 2 * 2)) * over);
      gradient.push_back(get(x, i) * over);
    }
    expectNear(y, {3, 2}, expected, tolerance(dtype));
    Tensor gx(dtype);
    batchBackward[dtype](nullptr, x, x, gx, nullptr, nullptr, nullptr, mean, std, false);
    expectNear(gx, {3, 2}, gradient, tolerance(dtype));
  }
}

TEST(Normalization, RowsAgainstDefinition) {
  const struct {
    Shape shape, last;
  } cases[] = {{{3, 4}, {4}},     {{2, 3, 5}, {3, 5}}, {{70, 33}, {33}},
               {{300, 20}, {20}}, {{2, 1500}, {1500}}, {{7}, {7}}};
  for (const auto &[shape, last] : cases)
    for (THDtype dtype : kFloatingDtypes)
      for (bool mixed : {false, true}) {
        const THDtype parameters = parametersOf(dtype, mixed);
        const Tensor x = random(dtype, shape), g = random(dtype, shape, 2), w = random(parameters, last, 3),
                     b = random(parameters, last, 4);
        const THTensor *const bias = mixed ? nullptr : static_cast<THTensor *>(b);
        const int n = int(last.size());
        const int64_t *const list = last.data();
        Shape statistics = shape;
        std::fill(statistics.end() - n, statistics.end(), 1);
        compare(
            {[&](const THTensor *x, THTensor *y, THTensor *mean, THTensor *std) {
               layerForward[dtype](nullptr, x, y, w, bias, mean, std, n, list, kEps);
             },
             [&](const THTensor *x, const THTensor *g, THTensor *gx, THTensor *gw, THTensor *gb, const THTensor *mean,
                 const THTensor *std) { layerBackward[dtype](nullptr, x, g, gx, gw, gb, w, mean, std, n, list); }},
            x, g, expected(ofRows(shape, last), x, g, w, bias), parameters, statistics, last);
        const Expected e = expected(ofRows(shape, last), x, g, w, nullptr, false);
        Tensor y(dtype), std(parameters), gx(dtype), gw(parameters);
        rmsForward[dtype](nullptr, x, y, w, std, n, list, kEps);
        expectNear(y, shape, e.output, tolerance(dtype));
        expectNear(std, statistics, e.std, tolerance(dtype));
        rmsBackward[dtype](nullptr, x, g, gx, gw, w, std, n, list);
        expectNear(gx, shape, e.gradInput, 8 * tolerance(dtype));
        expectNear(gw, last, e.gradWeight, 4 * tolerance(dtype) * std::sqrt(double(product(shape) / product(last))));
      }
}

TEST(Normalization, GroupsAgainstDefinition) {
  for (const Shape &shape : kImages)
    for (THDtype dtype : kFloatingDtypes)
      for (int64_t groups : {int64_t(1), shape[1]}) {
        const THDtype parameters = parametersOf(dtype, groups == 1);
        if (product(shape) == shape[0] * groups) continue;  // of one number there is no variance
        const Tensor x = random(dtype, shape), g = random(dtype, shape, 2), w = random(parameters, {shape[1]}, 3),
                     b = random(parameters, {shape[1]}, 4);
        compare(
            {[&](const THTensor *x, THTensor *y, THTensor *mean, THTensor *std) {
               groupForward[dtype](nullptr, x, y, w, b, mean, std, groups, kEps);
             },
             [&](const THTensor *x, const THTensor *g, THTensor *gx, THTensor *gw, THTensor *gb, const THTensor *mean,
                 const THTensor *std) { groupBackward[dtype](nullptr, x, g, gx, gw, gb, w, mean, std, groups); }},
            x, g, expected(ofGroups(shape, groups), x, g, w, b), parameters, {shape[0], groups}, {shape[1]});
      }
}

// A channel meets those at most size / 2 before and (size - 1) / 2 after it.
TEST(Normalization, NeighbouringChannels) {
  const Shape shape = {2, 7, 3, 100};
  const double alpha = 0.7, k = 1.5;
  for (THDtype dtype : kFloatingDtypes)
    for (const double beta : {0.75, 0.5, 1.0, 0.3})
      for (const int64_t size : {1, 2, 5, 20}) {
        const Tensor x = random(dtype, shape), g = random(dtype, shape, 2);
        const size_t n = size_t(x->numel);
        const int64_t inner = 300;
        Numbers scale(n), output(n), gradient(n);
        const auto window = [&](int64_t i, const auto &visit) {
          const int64_t c = i / inner % 7;
          for (int64_t j = std::max<int64_t>(0, c - size / 2); j <= std::min<int64_t>(6, c + (size - 1) / 2); j++)
            visit(i + (j - c) * inner);
        };
        const double share = alpha / double(size);
        for (int64_t i = 0; i < x->numel; i++) {
          scale[size_t(i)] = k;
          window(i, [&](int64_t j) { scale[size_t(i)] += share * get(x, j) * get(x, j); });
          output[size_t(i)] = get(x, i) * std::pow(scale[size_t(i)], -beta);
        }
        for (int64_t i = 0; i < x->numel; i++) {
          const double s = scale[size_t(i)], p = std::pow(s, -beta);
          gradient[size_t(i)] += get(g, i) * p;
          window(i, [&](int64_t j) {
            gradient[size_t(j)] -= get(g, i) * get(x, i) * beta * p / s * 2 * share * get(x, j);
          });
        }
        for (Layout layout : kLayouts) {
          Tensor y(dtype), s(dtype), r(dtype);
          const Tensor input = relayout(x, layout), gradOutput = relayout(g, layout);
          lrnForward[dtype](nullptr, input, y, s, size, alpha, beta, k);
          expectNear(y, shape, output, tolerance(dtype));
          expectNear(s, shape, scale, tolerance(dtype));
          lrnBackward[dtype](nullptr, input, gradOutput, r, s, size, alpha, beta);
          expectNear(r, shape, gradient, 4 * tolerance(dtype));
          lrnBackward[dtype](nullptr, input, gradOutput, input, s, size, alpha, beta);
          expectSame(input, r);
        }
      }
}

// Numbers far from 0 and close to each other: sums of squares would have nothing left.
TEST(Normalization, VarianceOfNumbersFarFromZero) {
  const Shape row = {4096};
  const Tensor x = make(TH_Float, {2, 4096}, [](int64_t i) { return 1e4 + double(i % 16) / 64; });
  const double variance = (16.0 * 16 - 1) / 12 / 64 / 64;
  Tensor y(TH_Float), mean(TH_Float), std(TH_Float);
  THNN_FloatLayerNormalization_updateOutput(nullptr, x, y, nullptr, nullptr, mean, std, 1, row.data(), 0);
  for (int64_t i = 0; i < 2; i++) EXPECT_NEAR(get(std, i), 1 / std::sqrt(variance), 1e-4 / std::sqrt(variance));
  for (const Shape &shape : {Shape{2, 1, 4096}, Shape{8192, 1}}) {
    const Tensor images(THTensor_newView(x, int(shape.size()), shape.data()));
    THNN_FloatBatchNormalization_updateOutput(nullptr, images, y, nullptr, nullptr, nullptr, nullptr, mean, std, true,
                                              0, 0);
    EXPECT_NEAR(get(std, 0), 1 / std::sqrt(variance), 1e-4 / std::sqrt(variance));
  }
}

TEST(Normalization, ThreadsMakeNoDifference) {
  const Shape image = {4, 6, 40, 61}, rows = {150, 331}, last = {331};
  const Tensor x = random(TH_Float, image), g = random(TH_Float, image, 2), flat = random(TH_Float, rows),
               h = random(TH_Float, rows, 2), last1 = channelsLast(x);
  Tensor mean(TH_Float), std(TH_Float), y(TH_Float), s(TH_Float);
  const auto independent = [](const auto &run) {
    expectThreadIndependent([&] {
      Tensor r(TH_Float);
      run(static_cast<THTensor *>(r));
      return r;
    });
  };
  const auto batch = [&](const THTensor *x, THTensor *y, THTensor *std) {
    THNN_FloatBatchNormalization_updateOutput(nullptr, x, y, nullptr, nullptr, nullptr, nullptr, mean, std, true, 0,
                                              kEps);
  };
  for (const THTensor *input :
       {static_cast<THTensor *>(x), static_cast<THTensor *>(last1), static_cast<THTensor *>(flat)}) {
    const THTensor *const grad = input == flat ? h : g;
    independent([&](THTensor *r) { batch(input, r, std); });
    independent([&](THTensor *r) { batch(input, y, r); });
    for (int k = 0; k < 3; k++)
      independent([&](THTensor *r) {
        THNN_FloatBatchNormalization_backward(nullptr, input, grad, k == 0 ? r : nullptr, k == 1 ? r : nullptr,
                                              k == 2 ? r : nullptr, nullptr, mean, std, true);
      });
  }
  independent([&](THTensor *r) {
    THNN_FloatLayerNormalization_updateOutput(nullptr, flat, r, nullptr, nullptr, mean, std, 1, last.data(), kEps);
  });
  for (int k = 0; k < 3; k++)
    independent([&](THTensor *r) {
      THNN_FloatLayerNormalization_backward(nullptr, flat, h, k == 0 ? r : nullptr, k == 1 ? r : nullptr,
                                            k == 2 ? r : nullptr, nullptr, mean, std, 1, last.data());
    });
  independent([&](THTensor *r) {
    THNN_FloatGroupNormalization_updateOutput(nullptr, x, r, nullptr, nullptr, mean, std, 2, kEps);
  });
  for (int k = 0; k < 3; k++)
    independent([&](THTensor *r) {
      THNN_FloatGroupNormalization_backward(nullptr, x, g, k == 0 ? r : nullptr, k == 1 ? r : nullptr,
                                            k == 2 ? r : nullptr, nullptr, mean, std, 2);
    });
  independent([&](THTensor *r) { THNN_FloatSpatialCrossMapLRN_updateOutput(nullptr, x, r, s, 3, 1, 0.75, 1); });
  independent([&](THTensor *r) { THNN_FloatSpatialCrossMapLRN_updateGradInput(nullptr, x, g, r, s, 3, 1, 0.75); });
}

TEST(Normalization, WithoutElementsAndOnMeta) {
  const Shape last = {3};
  for (const Shape &shape : {Shape{0, 3}, Shape{2, 0}, Shape{2, 3, 0}}) {
    const Tensor x(TH_Float, shape);
    Tensor y(TH_Float), mean(TH_Float), std(TH_Float), gx(TH_Float), gw(TH_Float), gb(TH_Float),
        runningMean = random(TH_Float, {shape[1]}), runningVar = random(TH_Float, {shape[1]});
    const Tensor before = relayout(runningMean, Layout::contiguous);
    THNN_FloatBatchNormalization_updateOutput(nullptr, x, y, nullptr, nullptr, runningMean, runningVar, mean, std, true,
                                              0.5, kEps);
    EXPECT_EQ(shapeOf(y), shape);
    expectSame(runningMean, before);
    THNN_FloatBatchNormalization_backward(nullptr, x, y, gx, gw, gb, nullptr, mean, std, true);
    EXPECT_EQ(shapeOf(gx), shape);
    EXPECT_EQ(values(gw), Numbers(size_t(shape[1])));
    EXPECT_EQ(values(gb), Numbers(size_t(shape[1])));
  }
  const Tensor rows(TH_Float, {0, 3});
  Tensor y(TH_Float), mean(TH_Float), std(TH_Float), gx(TH_Float), gw(TH_Float), gb(TH_Float);
  THNN_FloatLayerNormalization_updateOutput(nullptr, rows, y, nullptr, nullptr, mean, std, 1, last.data(), kEps);
  EXPECT_EQ(shapeOf(std), (Shape{0, 1}));
  THNN_FloatLayerNormalization_backward(nullptr, rows, y, gx, gw, gb, nullptr, mean, std, 1, last.data());
  EXPECT_EQ(values(gw), Numbers(3));
  EXPECT_EQ(values(gb), Numbers(3));
  const Tensor x = newOnMeta(TH_Float, {2, 3});
  Tensor to = newOnMeta(TH_Float, {0}), m = newOnMeta(TH_Float, {0}), s = newOnMeta(TH_Float, {0});
  THNN_FloatLayerNormalization_updateOutput(nullptr, x, to, nullptr, nullptr, m, s, 1, last.data(), kEps);
  EXPECT_EQ(shapeOf(to), (Shape{2, 3}));
  EXPECT_EQ(shapeOf(s), (Shape{2, 1}));
  THNN_FloatBatchNormalization_backward(nullptr, x, x, to, nullptr, m = newOnMeta(TH_Float, {0}), nullptr,
                                        newOnMeta(TH_Float, {3}), newOnMeta(TH_Float, {3}), true);
  EXPECT_EQ(shapeOf(m), Shape{3});
}

TEST(Normalization, Refused) {
  const Shape last = {4}, none;
  const Tensor x = random(TH_Float, {2, 3}), wide = random(TH_Double, {2, 3}), four = random(TH_Float, {4});
  Tensor y = make(TH_Float, {1}, [](int64_t) { return 7; }), mean(TH_Float), std(TH_Float);
  const auto refused = [&](const char *text, const auto &run) {
    expectRaises(TH_ERROR_RUNTIME, text, run);
    EXPECT_EQ(values(y), Numbers{7});
  };
  const auto batch = [&](const THTensor *x, const THTensor *w, THTensor *mean_, THTensor *var, bool train) {
    THNN_FloatBatchNormalization_updateOutput(nullptr, x, y, w, nullptr, mean_, var, mean, std, train, 0, kEps);
  };
  refused("weight should contain 3 elements not 4", [&] { batch(x, four, nullptr, nullptr, true); });
  refused("running_var must be defined in evaluation mode",
          [&] { batch(x, nullptr, random(TH_Float, {3}), nullptr, false); });
  refused("input must have dtype Float, but got Double", [&] { batch(wide, nullptr, nullptr, nullptr, true); });
  refused("weight must have dtype Float, but got Double",
          [&] { batch(x, random(TH_Double, {3}), nullptr, nullptr, true); });
  refused("Expected at least 2 dimensions for input tensor but received 1",
          [&] { batch(four, nullptr, nullptr, nullptr, true); });
  refused("Given normalized_shape=[4], expected input with shape [*, 4], but got input of size[2, 3]", [&] {
    THNN_FloatLayerNormalization_updateOutput(nullptr, x, y, nullptr, nullptr, mean, std, 1, last.data(), kEps);
  });
  refused("expected input with shape [*4], but got input of size[2, 3]",
          [&] { THNN_FloatRMSNormalization_updateOutput(nullptr, x, y, nullptr, std, 1, last.data(), kEps); });
  refused("Expected normalized_shape to be at least 1-dimensional",
          [&] { THNN_FloatRMSNormalization_updateOutput(nullptr, x, y, nullptr, std, 0, none.data(), kEps); });
  refused("Expected number of channels in input to be divisible by num_groups",
          [&] { THNN_FloatGroupNormalization_updateOutput(nullptr, x, y, nullptr, nullptr, mean, std, 2, kEps); });
  refused("gradOutput must have the input's shape, [2, 3], but has [4]", [&] {
    THNN_FloatBatchNormalization_backward(nullptr, x, four, y, nullptr, nullptr, nullptr, mean, std, true);
  });
  expectRaises(TH_ERROR_RUNTIME, "at least one gradient", [&] {
    THNN_FloatBatchNormalization_backward(nullptr, x, x, nullptr, nullptr, nullptr, nullptr, mean, std, true);
  });
  refused("kernel size should be greater than zero",
          [&] { THNN_FloatSpatialCrossMapLRN_updateOutput(nullptr, x, y, std, 0, 1, 1, 1); });
}

}  // namespace
