// Every module and criterion on a device beside THNN's: dtypes, shapes, dimensions, layouts, results in place.
#include "both.hpp"

using namespace test;

namespace {

constexpr THDtype kFloating[] = {TH_Half, TH_BFloat16, TH_Float, TH_Double};
constexpr int64_t kIgnored = -100;
const std::vector<Shape> kAny = {{}, {7}, {0}, {3, 5}, {2, 3, 4}, {1, 1}, {4, 0, 2}, {40, 70}, {5000}};

struct Case {
  THDtype dtype;
  Shape shape;
  Layout layout;
  Tensor random(uint64_t seed = 1) const { return relayout(test::random(dtype, shape, seed), layout); }
};

template <class Check>
void forEachCase(const std::vector<Shape> &shapes, const Check &check) {
  for (const THDtype dtype : kFloating)
    for (const Shape &shape : shapes)
      for (const Layout layout : kLayouts) {
        if (product(shape) > 3000 && layout != Layout::contiguous && layout != Layout::offset) continue;
        SCOPED_TRACE(::testing::Message() << TH_dtypeName(dtype) << ::testing::PrintToString(shape) << int(layout));
        check(Case{dtype, shape, layout});
        if (::testing::Test::HasFatalFailure()) return;
      }
}

// f(input, output) and f(gradOutput, gradInput, output): into a result that is empty, one of another layout, in place.
template <class Forward, class Backward>
void compareModule(const std::vector<Shape> &shapes, const Forward &forward, const Backward &backward) {
  forEachCase(shapes, [&](const Case &c) {
    const double error = errorOf(c.dtype);
    compareBoth(error, [&](const Place &at) {
      Tensor x = at(c.random()), y = at.empty(c.dtype), strided = at(uninitialised(c.dtype, c.shape, c.layout));
      forward(at, c.dtype, x, y);
      forward(at, c.dtype, x, strided);
      Results list = results(std::move(y), std::move(strided));
      forward(at, c.dtype, x, x);
      list.push_back(std::move(x));
      return list;
    });
    compareBoth(4 * error, [&](const Place &at) {
      Tensor x = at(c.random()), g = at(c.random(9)), r = at.empty(c.dtype), y(c.dtype);
      Tensor strided = at(uninitialised(c.dtype, c.shape, c.layout));
      forward(kHost, c.dtype, c.random(), y);  // of the same bits in both places
      const Tensor output = at(relayout(y, c.layout));
      backward(at, c.dtype, x, g, r, output);
      backward(at, c.dtype, x, g, strided, output);
      Results list = results(std::move(r), std::move(strided));
      backward(at, c.dtype, x, g, g, output);
      list.push_back(std::move(g));
      return list;
    });
  });
}

TEST(Modules, Activations) {
  compareModule(
      kAny, [](const Place &at, THDtype d, THTensor *x, THTensor *y) { at.function(sigmoid, d)(nullptr, x, y); },
      [](const Place &at, THDtype d, THTensor *, THTensor *g, THTensor *r, const THTensor *y) {
        at.function(sigmoidBackward, d)(nullptr, g, r, y);
      });
  compareModule(
      kAny, [](const Place &at, THDtype d, THTensor *x, THTensor *y) { at.function(tanhForward, d)(nullptr, x, y); },
      [](const Place &at, THDtype d, THTensor *, THTensor *g, THTensor *r, const THTensor *y) {
        at.function(tanhBackward, d)(nullptr, g, r, y);
      });
  compareModule(
      kAny,
      [](const Place &at, THDtype d, THTensor *x, THTensor *y) {
        at.function(threshold, d)(nullptr, x, y, 0.3, -0.7, false);
      },
      [](const Place &at, THDtype d, THTensor *x, THTensor *g, THTensor *r, const THTensor *) {
        at.function(thresholdBackward, d)(nullptr, x, g, r, 0.3, -0.7, false);
      });
}

TEST(Modules, ThresholdKeepsNanAndWorksInPlace) {
  for (const Place &at : {kHost, kThere}) {
    const Tensor x = at(of(TH_Float, {-1, 2, NAN, 0})), y = at.empty(TH_Float);
    at.function(threshold, TH_Float)(nullptr, x, y, 0, 9, true);
    EXPECT_TRUE(THTensor_isSetTo(x, y));
    const std::vector<double> got = valuesOf(x);
    EXPECT_EQ(got[0], 9);
    EXPECT_EQ(got[1], 2);
    EXPECT_TRUE(std::isnan(got[2]));
    EXPECT_EQ(got[3], 9);
    const Tensor input = at(of(TH_Float, {-1, 2, 3})), g = at(of(TH_Float, {5, 6, 7})), r = at.empty(TH_Float);
    at.function(thresholdBackward, TH_Float)(nullptr, input, g, r, 2, 9, true);
    EXPECT_TRUE(THTensor_isSetTo(g, r));
    EXPECT_EQ(valuesOf(r), (std::vector<double>{0, 0, 7}));
  }
}

// Rows of part of a warp, of one, of several, of a block; of neighbours and across; read one by one and 16 bytes at once.
TEST(Modules, SoftMaxes) {
  const std::vector<Shape> shapes = {{},         {7},         {3, 5},    {2, 3, 4},  {5, 0},
                                     {0, 3, 4},  {4, 3, 70},  {3, 1000}, {130, 7},   {33, 8},
                                     {6, 40, 3}, {2, 900, 2}, {2, 4097}, {1, 16384}, {2, 64, 40}};
  for (int dim = 0; dim < 3; dim++) {
    std::vector<Shape> those;
    for (const Shape &shape : shapes)
      if (int(shape.size()) > dim || (shape.empty() && dim == 0)) those.push_back(shape);
    for (const bool log : {false, true})
      compareModule(
          those,
          [&](const Place &at, THDtype d, THTensor *x, THTensor *y) {
            at.function(log ? logSoftMax : softMax, d)(nullptr, x, y, dim);
          },
          [&](const Place &at, THDtype d, THTensor *, THTensor *g, THTensor *r, const THTensor *y) {
            at.function(log ? logSoftMaxBackward : softMaxBackward, d)(nullptr, g, r, y,
                                                                       dim - std::max<int>(1, g->ndim));
          });
  }
}

TEST(Modules, SoftMaxesOfInfinitiesAndNan) {
  const double inf = INFINITY;
  for (const int64_t n : {2, 3, 31, 32, 100, 1000, 5000})
    for (const std::vector<double> &special : {std::vector<double>{-inf, 1},
                                               {inf, 1},
                                               {-inf, -inf},
                                               {NAN, 1},
                                               {NAN, -inf},
                                               {1000, 1000},
                                               {0, -80},
                                               {0, -1e30},
                                               {-inf, NAN},
                                               {inf, -inf}})
      for (const int dim : {0, 1})
        for (const bool log : {false, true})
          for (const bool filled : {false, true}) {  // the rest: -inf, or numbers
            SCOPED_TRACE(::testing::Message() << n << ::testing::PrintToString(special) << dim << log << filled);
            compareBoth(1e-6, [&](const Place &at) {
              const Shape shape = dim ? Shape{3, n} : Shape{n, 3};
              Tensor x = make(TH_Float, shape, [&](int64_t i) { return filled ? noise(i) : -inf; });
              for (int64_t row = 0; row < 3; row++)  // the first of them early in the first row, late in the last
                for (int64_t k = 0; k < 2; k++) {
                  const int64_t place = (k + row * (n - 2) / 2) % n;
                  set(x, dim ? row * n + place : place * 3 + row, special[size_t(k)]);
                }
              Tensor there = at(std::move(x)), y = at.empty(TH_Float);
              at.function(log ? logSoftMax : softMax, TH_Float)(nullptr, there, y, dim);
              return results(std::move(y));
            });
            if (::testing::Test::HasFatalFailure()) return;
          }
}

TEST(Modules, ARowIsTheSameInEveryBatch) {
  for (const int64_t n : {5, 100, 3000}) {
    const Tensor x = onDevice(random(TH_Float, {300, n})), all = newOnDevice(TH_Float), one = newOnDevice(TH_Float);
    softMax.cuda[TH_Float](nullptr, x, all, 1);
    for (const int64_t row : {0, 150, 299}) {
      softMax.cuda[TH_Float](nullptr, Tensor(THTensor_newClone(Tensor(THTensor_newNarrow(x, 0, row, 1)))), one, 1);
      expectEqual(toHost(one), Tensor(THTensor_newNarrow(all, 0, row, 1)));
    }
  }
}

TEST(Modules, MeanSquaredError) {
  for (const bool average : {false, true})
    for (const bool reduce : {false, true})
      forEachCase(kAny, [&](const Case &c) {
        const double error = errorOf(c.dtype) * (reduce && !average ? 50 : 1);
        compareBoth(error, [&](const Place &at) {
          const Tensor x = at(c.random()), target = at(test::random(c.dtype, c.shape, 77));
          Tensor y = at.empty(c.dtype);
          at.function(mse, c.dtype)(nullptr, x, target, y, average, reduce);
          return results(std::move(y));
        });
        compareBoth(error, [&](const Place &at) {
          const Tensor x = at(c.random()), target = at(test::random(c.dtype, c.shape, 77));
          const Tensor g = at(reduce ? make(c.dtype, {}, [](int64_t) { return 1.25; }) : c.random(9));
          Tensor r = at.empty(c.dtype), strided = at(uninitialised(c.dtype, c.shape, c.layout));
          at.function(mseBackward, c.dtype)(nullptr, x, target, g, r, average, reduce);
          at.function(mseBackward, c.dtype)(nullptr, x, target, g, strided, average, reduce);
          return results(std::move(r), std::move(strided));
        });
      });
}

int64_t targetOf(int64_t i, int64_t classes) { return i % 4 == 3 ? kIgnored : (i * 7 + 2) % classes; }
Tensor targets(const Shape &inputShape) {
  return make(TH_Long, Shape(inputShape.begin(), inputShape.end() - 1),
              [&](int64_t i) { return double(targetOf(i, inputShape.back())); });
}
Tensor classWeights(THDtype dtype, int64_t classes) {
  return make(dtype, {classes}, [](int64_t c) { return 0.5 + 0.25 * double(c % 5); });
}

TEST(Modules, NegativeLogLikelihood) {
  for (const bool average : {false, true})
    for (const bool reduce : {false, true})
      for (const bool weighted : {false, true})
        forEachCase({{5}, {3, 5}, {0, 5}, {1, 1}, {200, 30}, {9000, 3}}, [&](const Case &c) {
          const double error = errorOf(c.dtype) * (reduce && !average ? 200 : 1);
          compareBoth(error, [&](const Place &at) {
            const Tensor x = at(c.random()), target = at(targets(c.shape)),
                         w = at(classWeights(c.dtype, c.shape.back()));
            const THTensor *const weights = weighted ? static_cast<const THTensor *>(w) : nullptr;
            Tensor y = at.empty(c.dtype), total = at.empty(c.dtype), r = at.empty(c.dtype);
            at.function(nll, c.dtype)(nullptr, x, target, y, average, weights, total, kIgnored, reduce);
            const Tensor g = at(reduce ? make(c.dtype, {}, [](int64_t) { return 1.25; })
                                       : test::random(c.dtype, shapeOf(y), 9));
            // A number as the CPU has it, so that gradients begin with the same one.
            const Tensor sum = at(make(c.dtype, {}, [](int64_t) { return 17.5; }));
            at.function(nllBackward, c.dtype)(nullptr, x, target, g, r, average, weights, sum, kIgnored, reduce);
            Tensor strided = at(uninitialised(c.dtype, c.shape, c.layout));
            at.function(nllBackward, c.dtype)(nullptr, x, target, g, strided, average, weights, sum, kIgnored, reduce);
            Results list = results(std::move(y), std::move(total));
            list.push_back(std::move(r));
            list.push_back(std::move(strided));
            return list;
          });
        });
}

TEST(Modules, EveryRunGivesTheSameBits) {
  const Tensor x = onDevice(random(TH_Float, {70000, 3})), y = onDevice(random(TH_Float, {70000, 3}, 2)),
               target = onDevice(targets({70000, 3}));
  const auto sums = [&] {
    Tensor a = newOnDevice(TH_Float), b = newOnDevice(TH_Float), total = newOnDevice(TH_Float);
    mse.cuda[TH_Float](nullptr, x, y, a, true, true);
    nll.cuda[TH_Float](nullptr, x, target, b, true, nullptr, total, kIgnored, true);
    return results(toHost(a), toHost(b));
  };
  const Results first = sums();
  for (int again = 0; again < 3; again++) {
    const Results more = sums();
    for (size_t k = 0; k < 2; k++) EXPECT_EQ(get(more[k], 0), get(first[k], 0));
  }
}

}  // namespace
