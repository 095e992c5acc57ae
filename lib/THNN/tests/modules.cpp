// Every module and criterion, from one table: the output against plain loops, the gradient against
// finite differences in double, for shapes, dims, layouts, dtypes, threads, and results in place.
//
// To add an operator: add a row to modules(). `forward` and `backward` call the kernels (by dtype);
// `loss` computes the expected output for row-major numbers.
#include <algorithm>
#include <limits>

#include <THNN/THNN.h>

#include "families.hpp"

using namespace test;

namespace {

using Numbers = std::vector<double>;

struct Module {
  std::string name;
  std::vector<Shape> shapes;
  std::function<void(THDtype, THTensor *input, THTensor *output)> forward;
  // `output` is forward's
  std::function<void(THDtype, THTensor *input, THTensor *gradOutput, THTensor *gradInput, const THTensor *output)>
      backward;
  std::function<Numbers(const Shape &, const Numbers &)> expected;
  bool inPlace = true;
};

const auto sigmoid = NN_FAMILY(floating, Sigmoid_updateOutput);
const auto sigmoidBackward = NN_FAMILY(floating, Sigmoid_updateGradInput);
const auto tanhForward = NN_FAMILY(floating, Tanh_updateOutput);
const auto tanhBackward = NN_FAMILY(floating, Tanh_updateGradInput);
const auto threshold = NN_FAMILY(floating, Threshold_updateOutput);
const auto thresholdBackward = NN_FAMILY(floating, Threshold_updateGradInput);
const auto softMax = NN_FAMILY(floating, SoftMax_updateOutput);
const auto softMaxBackward = NN_FAMILY(floating, SoftMax_updateGradInput);
const auto logSoftMax = NN_FAMILY(floating, LogSoftMax_updateOutput);
const auto logSoftMaxBackward = NN_FAMILY(floating, LogSoftMax_updateGradInput);
const auto nll = NN_FAMILY(floating, ClassNLLCriterion_updateOutput);
const auto nllBackward = NN_FAMILY(floating, ClassNLLCriterion_updateGradInput);
const auto mse = NN_FAMILY(floating, MSECriterion_updateOutput);
const auto mseBackward = NN_FAMILY(floating, MSECriterion_updateGradInput);

Numbers each(const Numbers &x, const std::function<double(double)> &f) {
  Numbers y;
  for (double v : x) y.push_back(f(v));
  return y;
}

Numbers softMaxOf(const Shape &shape, const Numbers &x, int dim, bool log) {
  int64_t n = shape.empty() ? 1 : shape[size_t(dim)], inner = 1;
  for (size_t d = size_t(dim) + 1; d < shape.size(); d++) inner *= shape[d];
  Numbers y(x.size());
  for (int64_t start = 0; n && start < int64_t(x.size()); start++) {
    if (start / inner % n) continue;  // not the first of its row
    double sum = 0;
    for (int64_t k = 0; k < n; k++) sum += std::exp(x[size_t(start + k * inner)]);
    for (int64_t k = 0; k < n; k++) {
      const size_t i = size_t(start + k * inner);
      y[i] = log ? x[i] - std::log(sum) : std::exp(x[i]) / sum;
    }
  }
  return y;
}

// Fixed second arguments of criteria, in the dtype of the first.
Tensor targetNumbers(THDtype dtype, const Shape &shape) { return random(dtype, shape, 77); }
constexpr int64_t kIgnored = -100;
int64_t targetOf(int64_t i, int64_t classes) { return i % 4 == 3 ? kIgnored : (i * 7 + 2) % classes; }
Tensor targetClasses(const Shape &inputShape) {
  const int64_t classes = inputShape.back();
  return make(TH_Long, Shape(inputShape.begin(), inputShape.end() - 1),
              [=](int64_t i) { return double(targetOf(i, classes)); });
}
Tensor classWeights(THDtype dtype, int64_t classes) {
  return make(dtype, {classes}, [](int64_t c) { return 0.5 + 0.25 * double(c % 5); });
}

std::vector<Module> modules() {
  const std::vector<Shape> any = {{}, {7}, {0}, {3, 5}, {2, 3, 4}, {1, 1}, {4, 0, 2}, {40, 70}};
  std::vector<Module> list;
  list.push_back(
      {"Sigmoid", any, [](THDtype d, THTensor *x, THTensor *y) { sigmoid[d](nullptr, x, y); },
       [](THDtype d, THTensor *, THTensor *g, THTensor *r, const THTensor *y) { sigmoidBackward[d](nullptr, g, r, y); },
       [](const Shape &, const Numbers &x) { return each(x, [](double v) { return 1 / (1 + std::exp(-v)); }); }});
  list.push_back(
      {"Tanh", any, [](THDtype d, THTensor *x, THTensor *y) { tanhForward[d](nullptr, x, y); },
       [](THDtype d, THTensor *, THTensor *g, THTensor *r, const THTensor *y) { tanhBackward[d](nullptr, g, r, y); },
       [](const Shape &, const Numbers &x) { return each(x, [](double v) { return std::tanh(v); }); }});
  list.push_back({"Threshold", any,
                  [](THDtype d, THTensor *x, THTensor *y) { threshold[d](nullptr, x, y, 0.25, -3, false); },
                  [](THDtype d, THTensor *x, THTensor *g, THTensor *r, const THTensor *) {
                    thresholdBackward[d](nullptr, x, g, r, 0.25, -3, false);
                  },
                  [](const Shape &, const Numbers &x) { return each(x, [](double v) { return v > 0.25 ? v : -3; }); }});
  for (int dim : {0, 1, 2})
    for (bool log : {false, true}) {
      std::vector<Shape> shapes;
      for (const Shape &s : {Shape{}, Shape{7}, Shape{3, 5}, Shape{4, 3, 70}, Shape{2, 3, 4}, Shape{5, 0},
                             Shape{0, 3, 4}, Shape{3, 2000}, Shape{130, 7}})
        if (int(s.size()) > dim || (s.empty() && dim == 0)) shapes.push_back(s);
      const auto forward = log ? logSoftMax : softMax;
      const auto backward = log ? logSoftMaxBackward : softMaxBackward;
      list.push_back({(log ? "LogSoftMax " : "SoftMax ") + std::to_string(dim), shapes,
                      [=](THDtype d, THTensor *x, THTensor *y) { forward[d](nullptr, x, y, dim); },
                      [=](THDtype d, THTensor *x, THTensor *g, THTensor *r, const THTensor *y) {
                        backward[d](nullptr, g, r, y, dim - std::max<int>(1, x->ndim));
                      },
                      [=](const Shape &s, const Numbers &x) { return softMaxOf(s, x, dim, log); }});
    }
  for (bool average : {false, true})
    for (bool reduce : {false, true}) {
      const std::string how = std::string(reduce ? average ? " mean" : " sum" : " each");
      list.push_back({"MSECriterion" + how, any,
                      [=](THDtype d, THTensor *x, THTensor *y) {
                        mse[d](nullptr, x, targetNumbers(d, shapeOf(x)), y, average, reduce);
                      },
                      [=](THDtype d, THTensor *x, THTensor *g, THTensor *r, const THTensor *) {
                        mseBackward[d](nullptr, x, targetNumbers(d, shapeOf(x)), g, r, average, reduce);
                      },
                      [=](const Shape &s, const Numbers &x) {
                        const Numbers target = values(targetNumbers(TH_Double, s));
                        Numbers y;
                        double sum = 0;
                        for (size_t i = 0; i < x.size(); i++) {
                          y.push_back((x[i] - target[i]) * (x[i] - target[i]));
                          sum += y.back();
                        }
                        return reduce ? Numbers{average ? sum / double(x.size()) : sum} : y;
                      },
                      !reduce});
      for (bool weighted : {false, true})
        list.push_back({"ClassNLLCriterion" + how + (weighted ? " weighted" : ""),
                        {{5}, {3, 5}, {0, 5}, {1, 1}, {200, 30}},
                        [=](THDtype d, THTensor *x, THTensor *y) {
                          Tensor total(d), w = classWeights(d, x->size[x->ndim - 1]);
                          nll[d](nullptr, x, targetClasses(shapeOf(x)), y, average,
                                 weighted ? static_cast<THTensor *>(w) : nullptr, total, kIgnored, reduce);
                        },
                        [=](THDtype d, THTensor *x, THTensor *g, THTensor *r, const THTensor *) {
                          Tensor total(d), y(d), w = classWeights(d, x->size[x->ndim - 1]);
                          const THTensor *weights = weighted ? static_cast<THTensor *>(w) : nullptr;
                          nll[d](nullptr, x, targetClasses(shapeOf(x)), y, average, weights, total, kIgnored, reduce);
                          nllBackward[d](nullptr, x, targetClasses(shapeOf(x)), g, r, average, weights, total, kIgnored,
                                         reduce);
                        },
                        [=](const Shape &s, const Numbers &x) {
                          const int64_t classes = s.back();
                          const Numbers w = values(classWeights(TH_Double, classes));
                          Numbers y;
                          double sum = 0, total = 0;
                          for (int64_t i = 0; i < int64_t(x.size()) / classes; i++) {
                            const int64_t c = targetOf(i, classes);
                            const double weight = c == kIgnored ? 0 : weighted ? w[size_t(c)] : 1;
                            y.push_back(c == kIgnored ? 0 : -weight * x[size_t(i * classes + c)]);
                            sum += y.back();
                            total += weight;
                          }
                          return reduce ? Numbers{average ? sum / total : sum} : y;
                        },
                        false});
    }
  return list;
}

double tolerance(THDtype dtype) {
  return dtype == TH_Half ? 2e-3 : dtype == TH_BFloat16 ? 1.6e-2 : dtype == TH_Float ? 3e-6 : 1e-13;
}

void expectNear(const THTensor *t, const Numbers &expected, double tolerance) {
  ASSERT_EQ(size_t(t->numel), expected.size());
  for (int64_t i = 0; i < t->numel; i++) {
    const double e = expected[size_t(i)];
    if (std::isnan(e))
      ASSERT_TRUE(std::isnan(get(t, i)));
    else
      ASSERT_NEAR(get(t, i), e, tolerance * (1 + std::fabs(e))) << "element " << i;
  }
}

template <class F>
void forEachCase(const F &f) {
  for (const Module &m : modules())
    for (const Shape &shape : m.shapes) {
      std::string text = m.name + " of [";
      for (int64_t s : shape) text += std::to_string(s) + " ";
      SCOPED_TRACE(text + "]");
      f(m, shape);
    }
}

TEST(Modules, ForwardAgainstLoops) {
  forEachCase([](const Module &m, const Shape &shape) {
    for (THDtype dtype : {TH_Half, TH_BFloat16, TH_Float, TH_Double}) {
      const Tensor x = random(dtype, shape);
      const Numbers expected = m.expected(shape, values(x));
      for (Layout layout : kLayouts) {
        Tensor input = relayout(x, layout), output(dtype);
        m.forward(dtype, input, output);
        expectNear(output, expected, tolerance(dtype));
        expectSame(input, x);
        if (shapeOf(output) != shape) continue;
        Tensor strided = uninitialised(dtype, shape, layout);
        m.forward(dtype, input, strided);
        expectSame(strided, output);
        if (!m.inPlace) continue;
        m.forward(dtype, input, input);
        expectSame(input, output);
      }
    }
  });
}

// Σ output · g for some g is a number; its derivative by each element of the input is gradInput.
TEST(Modules, BackwardAgainstDifferences) {
  forEachCase([](const Module &m, const Shape &shape) {
    Tensor x = random(TH_Double, shape), y(TH_Double), r(TH_Double);
    m.forward(TH_Double, x, y);
    Tensor g = random(TH_Double, shapeOf(y), 9);
    m.backward(TH_Double, x, g, r, y);
    ASSERT_EQ(shapeOf(r), shape);
    const auto value = [&] {
      const Numbers out = m.expected(shape, values(x));
      double sum = 0;
      for (size_t i = 0; i < out.size(); i++) sum += out[i] * get(g, int64_t(i));
      return sum;
    };
    constexpr double h = 1e-5;
    const int64_t step = std::max<int64_t>(1, x->numel / 60);
    for (int64_t i = 0; i < x->numel; i += step) {
      const double at = get(x, i);
      set(x, i, at + h);
      const double above = value();
      set(x, i, at - h);
      const double below = value();
      set(x, i, at);
      if (std::isnan(above))
        ASSERT_TRUE(std::isnan(get(r, i)) || get(r, i) == 0);
      else
        ASSERT_NEAR(get(r, i), (above - below) / (2 * h), 1e-7 * (1 + std::fabs(above))) << "element " << i;
    }
  });
}

TEST(Modules, BackwardInOtherDtypesLayoutsAndInPlace) {
  forEachCase([](const Module &m, const Shape &shape) {
    for (THDtype dtype : {TH_Half, TH_BFloat16, TH_Float, TH_Double}) {
      // Rounded first, so that double starts from the same numbers.
      const Tensor x = random(dtype, shape);
      Tensor wide = make(TH_Double, shape, [&](int64_t i) { return get(x, i); }), y(dtype), wideY(TH_Double),
             wideR(TH_Double);
      m.forward(dtype, x, y);
      m.forward(TH_Double, wide, wideY);
      const Tensor g = random(dtype, shapeOf(y), 9);
      m.backward(TH_Double, wide, make(TH_Double, shapeOf(y), [&](int64_t i) { return get(g, i); }), wideR, wideY);
      Tensor first(dtype);
      for (Layout layout : kLayouts) {
        Tensor grad = relayout(g, layout), r(dtype), strided = uninitialised(dtype, shape, layout);
        m.backward(dtype, relayout(x, layout), grad, r, relayout(y, layout));
        expectNear(r, values(wideR), 4 * tolerance(dtype));
        m.backward(dtype, x, grad, strided, y);
        expectSame(strided, r);
        if (shapeOf(y) != shape) continue;
        m.backward(dtype, x, grad, grad, y);
        expectSame(grad, r);
      }
    }
  });
}

TEST(Modules, ThreadsMakeNoDifference) {
  for (const Module &m : modules())
    for (const Shape &shape : {Shape{300, 400}, Shape{20, 70, 90}, Shape{130000}}) {
      if (m.name.find("NLL") != std::string::npos && shape.size() != 2) continue;
      if (m.name.back() - '0' >= int(shape.size()) && m.name.back() <= '9') continue;
      SCOPED_TRACE(m.name);
      const Tensor x = random(TH_Float, shape);
      Tensor y(TH_Float);
      m.forward(TH_Float, x, y);
      expectThreadIndependent([&] {
        Tensor r(TH_Float);
        m.forward(TH_Float, x, r);
        return r;
      });
      const Tensor g = random(TH_Float, shapeOf(y), 9);
      expectThreadIndependent([&] {
        Tensor r(TH_Float);
        m.backward(TH_Float, x, g, r, y);
        return r;
      });
    }
}

// ---- what the table does not say -----------------------------------------------------------------------

TEST(Threshold, InPlaceSharesMemory) {
  Tensor x = of(TH_Float, {-1, 2, NAN, 0}), y(TH_Float);
  threshold[TH_Float](nullptr, x, y, 0, 9, true);
  EXPECT_TRUE(THTensor_isSetTo(x, y));
  EXPECT_EQ(get(x, 0), 9);
  EXPECT_EQ(get(x, 1), 2);
  EXPECT_TRUE(std::isnan(get(x, 2)));
  EXPECT_EQ(get(x, 3), 9);
  Tensor input = of(TH_Float, {-1, 2, 3}), g = of(TH_Float, {5, 6, 7}), r(TH_Float);
  thresholdBackward[TH_Float](nullptr, input, g, r, 2, 9, true);
  EXPECT_TRUE(THTensor_isSetTo(g, r));
  EXPECT_EQ(values(r), (Numbers{0, 0, 7}));
}

TEST(SoftMax, Extremes) {
  const double inf = INFINITY;
  const struct {
    Numbers x, soft, log;
  } cases[] = {
      {{1000, 1000}, {0.5, 0.5}, {-std::log(2), -std::log(2)}},
      {{-inf, 1}, {0, 1}, {-inf, 0}},
      {{inf, 1}, {NAN, NAN}, {NAN, NAN}},
      {{-inf, -inf}, {NAN, NAN}, {NAN, NAN}},
      {{NAN, 1}, {NAN, NAN}, {NAN, NAN}},
      {{0, -80}, {1, std::exp(-80)}, {0, -80}},
      {{0, -1e30}, {1, 0}, {0, -1e30}},
  };
  for (const auto &c : cases)
    for (THDtype dtype : {TH_Float, TH_Double})
      for (bool column : {false, true}) {
        Tensor x = of(dtype, c.x), y(dtype);
        if (column) x = Tensor(THTensor_newExpand(Tensor(THTensor_newUnsqueeze1d(x, 1)), 2, Shape{2, 3}.data()));
        const auto expect = [&](const Numbers &e) {
          for (int64_t i = 0; i < y->numel; i++) {
            const double want = e[size_t(column ? i / 3 : i)];
            if (std::isfinite(want))
              EXPECT_NEAR(get(y, i), want, 1e-6 * std::fabs(want));
            else if (std::isnan(want))
              EXPECT_TRUE(std::isnan(get(y, i)));
            else
              EXPECT_EQ(get(y, i), want);
          }
        };
        softMax[dtype](nullptr, x, y, 0);
        expect(c.soft);
        logSoftMax[dtype](nullptr, x, y, 0);
        expect(c.log);
      }
}

TEST(SoftMax, AccurateOverItsRange) {
  for (THDtype dtype : {TH_Float, TH_Double}) {
    const double lowest = dtype == TH_Float ? -80 : -700, epsilon = dtype == TH_Float ? 0x1p-23 : 0x1p-52;
    const Tensor x = make(dtype, {20000}, [=](int64_t i) { return lowest * double(i) / 20000; });
    Tensor y(dtype);
    softMax[dtype](nullptr, x, y, 0);
    for (int64_t i = 0; i < x->numel; i++)
      ASSERT_NEAR(get(y, i) / get(y, 0) / std::exp(get(x, i)), 1, 4 * epsilon) << get(x, i);
  }
}

// The device "meta" has shapes only: results get theirs, the checks are made, and no element is looked at.
TEST(Modules, Meta) {
  const auto meta = [](const Shape &shape, THDtype dtype = TH_Float) {
    return Tensor(THTensor_newWithSizeOn({TH_Meta, 0}, dtype, int(shape.size()), shape.data()));
  };
  const Tensor x = meta({3, 5}), g = meta({3, 5}), one = meta({}), classes = meta({3}, TH_Long);
  const auto result = [&](const Shape &shape, const std::function<void(THTensor *)> &call) {
    Tensor r = meta({7});
    call(r);
    EXPECT_EQ(shapeOf(r), shape);
    EXPECT_EQ(r->device, TH_Meta);
  };
  const Shape shape = {3, 5};
  result(shape, [&](THTensor *r) { sigmoid[TH_Float](nullptr, x, r); });
  result(shape, [&](THTensor *r) { tanhBackward[TH_Float](nullptr, g, r, x); });
  result(shape, [&](THTensor *r) { threshold[TH_Float](nullptr, x, r, 0, 0, false); });
  result(shape, [&](THTensor *r) { softMax[TH_Float](nullptr, x, r, 1); });
  result(shape, [&](THTensor *r) { logSoftMaxBackward[TH_Float](nullptr, g, r, x, 0); });
  result(shape, [&](THTensor *r) { mse[TH_Float](nullptr, x, g, r, true, false); });
  result(shape, [&](THTensor *r) { mseBackward[TH_Float](nullptr, x, g, one, r, true, true); });
  result(shape,
         [&](THTensor *r) { nllBackward[TH_Float](nullptr, x, classes, one, r, true, nullptr, one, kIgnored, true); });
  result({}, [&](THTensor *r) { mse[TH_Float](nullptr, x, g, r, true, true); });
  for (bool reduce : {false, true})
    result(reduce ? Shape{} : Shape{3}, [&](THTensor *r) {
      Tensor total = meta({7});
      nll[TH_Float](nullptr, x, classes, r, true, nullptr, total, kIgnored, reduce);
      EXPECT_EQ(shapeOf(total), Shape{});
    });
  expectRaises(TH_ERROR_INDEX, "Dimension out of range", [&] { softMax[TH_Float](nullptr, x, meta({7}), 2); });
  expectRaises(TH_ERROR_RUNTIME, "size mismatch", [&] {
    nll[TH_Float](nullptr, x, meta({4}, TH_Long), meta({7}), true, nullptr, meta({7}), kIgnored, true);
  });
  // What has elements cannot be computed of what has none.
  Tensor y = of(TH_Float, {7}), total = of(TH_Float, {8});
  const Tensor real = random(TH_Float, {3, 5});
  const std::function<void()> refused[] = {
      [&] { sigmoidBackward[TH_Float](nullptr, x, y, real); },
      [&] { softMax[TH_Float](nullptr, x, y, 1); },
      [&] { mse[TH_Float](nullptr, real, x, y, true, true); },
      [&] { mseBackward[TH_Float](nullptr, real, real, one, y, true, true); },
      [&] { nll[TH_Float](nullptr, real, classes, y, true, nullptr, total, kIgnored, true); },
  };
  for (const auto &call : refused) expectRaises(TH_ERROR_NOT_IMPLEMENTED, "meta", call);
  EXPECT_EQ(values(y), Numbers{7});
  EXPECT_EQ(values(total), Numbers{8});
}

TEST(ClassNLL, TotalWeight) {
  const Tensor x = random(TH_Float, {4, 3}), w = of(TH_Float, {1, 2, 4}), t = of(TH_Long, {2, 0, 9, 2});
  Tensor y(TH_Float), total(TH_Float);
  nll[TH_Float](nullptr, x, t, y, true, w, total, 9, true);
  EXPECT_EQ(total->ndim, 0);
  EXPECT_EQ(get(total, 0), 9);
  EXPECT_FLOAT_EQ(float(get(y, 0)), float(-(4 * get(x, 2) + get(x, 3) + 4 * get(x, 11)) / 9));
  nll[TH_Float](nullptr, x, t, y, true, w, total, 9, false);
  EXPECT_EQ(get(total, 0), 0);
  const Tensor none = of(TH_Long, {9, 9, 9, 9});
  nll[TH_Float](nullptr, x, none, y, true, nullptr, total, 9, true);
  EXPECT_TRUE(std::isnan(get(y, 0)));
  // One sample without a batch; its target may have one dimension or none.
  for (const Shape &shape : {Shape{}, Shape{1}}) {
    nll[TH_Float](nullptr, random(TH_Float, {3}), make(TH_Long, shape, [](int64_t) { return 1; }), y, false, nullptr,
                  total, 9, false);
    EXPECT_EQ(y->ndim, 0);
  }
}

TEST(Modules, ErrorsChangeNothing) {
  const auto z = [](const Shape &shape, THDtype dtype = TH_Float) { return random(dtype, shape); };
  const auto zeros = [](const Shape &shape) { return make(TH_Long, shape, [](int64_t) { return 0; }); };
  Tensor y = of(TH_Float, {7}), total = of(TH_Float, {8});
  const auto nllOf = [&](const THTensor *x, const THTensor *t, const THTensor *w = nullptr) {
    nll[TH_Float](nullptr, x, t, y, true, w, total, kIgnored, true);
  };
  const auto nllBack = [&](const THTensor *g, const THTensor *t, bool reduce) {
    nllBackward[TH_Float](nullptr, z({2, 3}), t, g, y, true, nullptr, total, kIgnored, reduce);
  };
  const struct {
    THErrorKind kind;
    const char *text;
    std::function<void()> call;
  } cases[] = {
      {TH_ERROR_INDEX, "Target 5 is out of bounds.", [&] { nllOf(z({2, 3}), of(TH_Long, {0, 5})); }},
      {TH_ERROR_INDEX, "Target -1 is out of bounds.", [&] { nllOf(z({2, 3}), of(TH_Long, {0, -1})); }},
      {TH_ERROR_INDEX, "Target 0 is out of bounds.", [&] { nllOf(z({2, 0}), zeros({2})); }},
      {TH_ERROR_INDEX, "Target 3 is out of bounds.", [&] { nllBack(z({}), of(TH_Long, {0, 3}), true); }},
      {TH_ERROR_RUNTIME, "input tensor should be 1D or 2D", [&] { nllOf(z({2, 3, 4}), zeros({2})); }},
      {TH_ERROR_RUNTIME, "input tensor should be 1D or 2D", [&] { nllOf(z({}), zeros({})); }},
      {TH_ERROR_RUNTIME, "0D or 1D target tensor expected, multi-target not supported",
       [&] { nllOf(z({2, 3}), zeros({2, 3})); }},
      {TH_ERROR_RUNTIME, "size mismatch (got input: [2, 3], target: [1])", [&] { nllOf(z({2, 3}), zeros({1})); }},
      {TH_ERROR_RUNTIME, "targets must be of dtype int64, but are of int32",
       [&] { nllOf(z({2, 3}), of(TH_Int, {0, 1})); }},
      {TH_ERROR_RUNTIME,
       "weight tensor should be defined either for all 3 classes or no classes but got weight tensor of shape: [4]",
       [&] { nllOf(z({2, 3}), zeros({2}), z({4})); }},
      {TH_ERROR_RUNTIME, "input must have dtype Float, but got Double",
       [&] { nllOf(z({2, 3}, TH_Double), zeros({2})); }},
      {TH_ERROR_RUNTIME, "Expected a single element grad_output tensor, but got: [2]",
       [&] { nllBack(z({2}), zeros({2}), true); }},
      {TH_ERROR_RUNTIME, "gradOutput must have one element per sample", [&] { nllBack(z({}), zeros({2}), false); }},
      {TH_ERROR_RUNTIME, "input and target must have the same shape",
       [&] { mse[TH_Float](nullptr, z({2, 3}), z({4}), y, true, true); }},
      {TH_ERROR_RUNTIME, "Expected a single element grad_output",
       [&] { mseBackward[TH_Float](nullptr, z({2}), z({2}), z({2}), y, true, true); }},
      {TH_ERROR_INDEX, "Dimension out of range (expected to be in range of [-1, 0], but got 3)",
       [&] { softMax[TH_Float](nullptr, z({2}), y, 3); }},
      {TH_ERROR_RUNTIME, "must have the same shape", [&] { softMaxBackward[TH_Float](nullptr, z({2}), y, z({3}), 0); }},
      {TH_ERROR_RUNTIME, "must have the same shape", [&] { sigmoidBackward[TH_Float](nullptr, z({2}), y, z({3})); }},
      {TH_ERROR_RUNTIME, "input must have dtype Double, but got Float",
       [&] { sigmoid[TH_Double](nullptr, z({2}), y); }},
      {TH_ERROR_RUNTIME, "output must have dtype Double, but got Float",
       [&] { tanhForward[TH_Double](nullptr, z({2}, TH_Double), y); }},
      {TH_ERROR_RUNTIME, "more than one element of the written-to tensor",
       [&] { tanhBackward[TH_Float](nullptr, z({3}), Tensor(THTensor_newExpand(y, 1, Shape{3}.data())), z({3})); }},
  };
  for (const auto &c : cases) {
    SCOPED_TRACE(c.text);
    expectRaises(c.kind, c.text, c.call);
  }
  EXPECT_EQ(values(y), Numbers{7});
  EXPECT_EQ(values(total), Numbers{8});
}

}  // namespace
