// Tables and CTC against plain loops: rows added one by one, alignments written out one by one.
#include <functional>
#include <limits>

#include <THNN/THNN.h>

#include "../../TH/tests/tensors.hpp"

using namespace test;

namespace {

using Numbers = std::vector<double>;

void expectNear(const Tensor &t, const Numbers &expected, double tolerance) {
  ASSERT_EQ(size_t(t->numel), expected.size());
  for (int64_t i = 0; i < t->numel; i++)
    ASSERT_NEAR(get(t, i), expected[size_t(i)], tolerance * (1 + std::fabs(expected[size_t(i)]))) << "element " << i;
}

const Numbers kIndices = {3, 0, 3, 1, 2, 3, 0};

TEST(LookupTable, GradientsAreAddedToTheirRows) {
  const int64_t width = 70;
  for (const bool byFrequency : {false, true}) {
    const Tensor index = of(TH_Long, kIndices), g = random(TH_Double, {7, width});
    Tensor table = random(TH_Double, {5, width}, 2);
    Numbers expected = values(table);
    for (size_t i = 0; i < kIndices.size(); i++)
      for (int64_t d = 0; d < width; d++) {
        const int64_t row = int64_t(kIndices[i]);
        const double count = row == 3 ? 3 : row == 0 ? 2 : 1;
        if (row != 1)
          expected[size_t(row * width + d)] += 0.5 * get(g, int64_t(i) * width + d) / (byFrequency ? count : 1);
      }
    THNN_DoubleLookupTable_accGradParameters(nullptr, index, g, table, byFrequency, 1, 0.5);
    expectNear(table, expected, 1e-14);
  }
  Tensor table = random(TH_Float, {3, 2});
  const Numbers before = values(table);
  EXPECT_THROW(THNN_FloatLookupTable_accGradParameters(nullptr, of(TH_Long, kIndices), random(TH_Float, {7, 2}), table,
                                                       false, -1, 1),
               th::Exception);
  EXPECT_EQ(values(table), before);
}

TEST(LookupTable, RowsAreScaledToTheNorm) {
  for (const double p : {1.0, 2.0, 3.0, double(INFINITY)})
    for (Layout layout : kLayouts) {
      Tensor table = relayout(random(TH_Double, {5, 6}), layout);
      Numbers expected = values(table);
      for (const int64_t row : {0, 2, 3}) {
        double sum = 0, most = 0;
        for (int64_t d = 0; d < 6; d++) {
          const double size = std::fabs(expected[size_t(row * 6 + d)]);
          sum += std::pow(size, p), most = std::max(most, size);
        }
        const double norm = std::isinf(p) ? most : std::pow(sum, 1 / p);
        for (int64_t d = 0; norm > 1.5 && d < 6; d++) expected[size_t(row * 6 + d)] *= 1.5 / (norm + 1e-7);
      }
      THNN_DoubleLookupTable_renorm(nullptr, of(TH_Long, {3, 0, 2, 3}), table, 1.5, p);
      expectNear(table, expected, 1e-13);
    }
}

TEST(LookupTable, BagsAgainstLoops) {
  const int64_t width = 9, padding = 1;
  const Tensor index = of(TH_Long, kIndices), starts = of(TH_Long, {0, 2, 2, 5});
  const Shape begin = {0, 2, 2, 5, 7};
  const Tensor table = random(TH_Double, {5, width}), factors = random(TH_Double, {7}, 3);
  for (int64_t mode = 0; mode < 3; mode++) {
    const bool weighted = mode == THNN_BAG_SUM;
    Numbers expected, counts;
    for (size_t b = 0; b < 4; b++) {
      double count = 0;
      for (int64_t i = begin[b]; i < begin[b + 1]; i++) count += kIndices[size_t(i)] != padding;
      counts.push_back(count);
      for (int64_t d = 0; d < width; d++) {
        double sum = 0, most = -INFINITY;
        for (int64_t i = begin[b]; i < begin[b + 1]; i++) {
          if (kIndices[size_t(i)] == padding) continue;
          const double x = get(table, int64_t(kIndices[size_t(i)]) * width + d);
          sum += weighted ? x * get(factors, i) : x, most = std::max(most, x);
        }
        expected.push_back(mode == THNN_BAG_MAX    ? (count > 0 ? most : 0)
                           : mode == THNN_BAG_MEAN ? sum / std::max(1.0, count)
                                                   : sum);
      }
    }
    Tensor y(TH_Double), bagOf(TH_Long), sizes(TH_Long), sources(TH_Long);
    THNN_DoubleLookupTableBag_updateOutput(nullptr, index, starts, table, y, bagOf, sizes, sources, mode,
                                           weighted ? static_cast<THTensor *>(factors) : nullptr, padding);
    expectNear(y, expected, 1e-14);
    EXPECT_EQ(values(bagOf), (Numbers{0, 0, 2, 2, 2, 3, 3}));
    EXPECT_EQ(values(sizes), counts);

    // The gradient of a linear function (of the greatest, where they are): Σ y g = Σ table r.
    const Tensor g = random(TH_Double, {4, width}, 5);
    Tensor r = make(TH_Double, {5, width}, [](int64_t) { return 0; });
    THNN_DoubleLookupTableBag_accGradParameters(nullptr, index, g, r, bagOf, sizes, sources, mode,
                                                weighted ? static_cast<THTensor *>(factors) : nullptr, false, padding,
                                                1);
    double left = 0, right = 0;
    for (int64_t i = 0; i < y->numel; i++) left += get(y, i) * get(g, i);
    for (int64_t i = 0; i < r->numel; i++) right += get(table, i) * get(r, i);
    EXPECT_NEAR(left, right, 1e-12);
    if (!weighted) continue;
    Tensor ofFactors(TH_Double);
    THNN_DoubleLookupTableBag_updateGradSampleWeights(nullptr, g, table, index, bagOf, ofFactors, padding);
    right = 0;
    for (int64_t i = 0; i < 7; i++) right += get(ofFactors, i) * get(factors, i);
    EXPECT_NEAR(left, right, 1e-12);
  }
  Tensor y(TH_Double), bagOf(TH_Long), sizes(TH_Long), sources(TH_Long);
  for (const Numbers &wrong : {Numbers{1, 2}, Numbers{0, 8}, Numbers{0, 3, 2}})
    EXPECT_THROW(THNN_DoubleLookupTableBag_updateOutput(nullptr, index, of(TH_Long, wrong), table, y, bagOf, sizes,
                                                        sources, 0, nullptr, -1),
                 th::Exception);
  EXPECT_EQ(y->numel, 0);
}

// ---- CTC ----------------------------------------------------------------------------------------------------------------

// What is left of a path without repetitions and blanks.
Shape collapsed(const Shape &path, int64_t blank) {
  Shape result;
  for (size_t t = 0; t < path.size(); t++)
    if (path[t] != blank && (!t || path[t] != path[t - 1])) result.push_back(path[t]);
  return result;
}

// The sum over all paths of one sample.
double probability(const Tensor &x, int64_t sample, int64_t steps, const Shape &labels, int64_t blank) {
  const int64_t batch = x->size[1], classes = x->size[2];
  double total = 0;
  Shape path(size_t(steps), 0);
  for (int64_t code = 0; code < int64_t(std::pow(classes, steps)); code++) {
    double log = 0;
    for (int64_t t = 0, rest = code; t < steps; t++, rest /= classes) {
      path[size_t(t)] = rest % classes;
      log += get(x, (t * batch + sample) * classes + rest % classes);
    }
    if (collapsed(path, blank) == labels) total += std::exp(log);
  }
  return total;
}

TEST(Ctc, AgainstAllAlignments) {
  const int64_t steps = 5, batch = 4, classes = 3;
  const Shape inputs = {5, 4, 3, 1}, lengths = {2, 3, 0, 2};
  const std::vector<Shape> labels = {{1, 1}, {2, 1, 2}, {}, {1, 2}};
  for (THDtype dtype : {TH_Float, TH_Double}) {
    const double tolerance = dtype == TH_Float ? 2e-6 : 1e-13;
    const auto forward = dtype == TH_Float ? THNN_FloatCTCCriterion_updateOutput : THNN_DoubleCTCCriterion_updateOutput;
    const auto backward = dtype == TH_Float ? THNN_FloatCTCCriterion_updateGradInput
                                            : THNN_DoubleCTCCriterion_updateGradInput;
    const Tensor x = random(dtype, {steps, batch, classes});
    const Tensor targets = of(TH_Long, {1, 1, 2, 1, 2, 1, 2});
    Tensor loss(dtype), alpha(dtype), r(dtype);
    forward(nullptr, x, targets, loss, alpha, 4, inputs.data(), 4, lengths.data(), 0);
    for (int64_t i = 0; i < batch; i++) {
      const double p = probability(x, i, inputs[size_t(i)], labels[size_t(i)], 0);
      if (p > 0)
        EXPECT_NEAR(get(loss, i), -std::log(p), tolerance * 10);
      else
        EXPECT_EQ(get(loss, i), double(INFINITY));
    }
    const Tensor g = random(dtype, {batch}, 4);
    for (const bool zero : {false, true}) {
      backward(nullptr, x, g, r, targets, loss, alpha, 4, inputs.data(), 4, lengths.data(), 0, zero);
      for (int64_t i = 0; i < x->numel; i++) {
        const int64_t t = i / classes / batch, sample = i / classes % batch;
        if (t >= inputs[size_t(sample)]) {
          EXPECT_EQ(get(r, i), 0);
        } else if (sample == 3) {
          EXPECT_TRUE(zero ? get(r, i) == 0 : std::isnan(get(r, i)));
        } else {  // e^x - (the loss's derivative, negated)
          const Tensor near = make(TH_Double, {steps, batch, classes}, [&](int64_t k) { return get(x, k); });
          const auto at = [&](double shift) {
            set(near, i, get(x, i) + shift);
            return -std::log(probability(near, sample, inputs[size_t(sample)], labels[size_t(sample)], 0));
          };
          const double slope = (at(1e-6) - at(-1e-6)) / 2e-6;
          EXPECT_NEAR(get(r, i), get(g, sample) * (std::exp(get(x, i)) + slope), dtype == TH_Float ? 1e-5 : 1e-8);
        }
      }
    }
  }
}

TEST(Ctc, LengthsAndLabelsThatDoNotFit) {
  const Tensor x = random(TH_Double, {3, 1, 4}), targets = of(TH_Long, {1, 7});
  Tensor loss(TH_Double), alpha(TH_Double);
  const auto run = [&](int64_t input, int64_t length, int64_t blank) {
    THNN_DoubleCTCCriterion_updateOutput(nullptr, x, targets, loss, alpha, 1, &input, 1, &length, blank);
  };
  EXPECT_THROW(run(4, 2, 0), th::Exception);
  EXPECT_THROW(run(3, 1, 0), th::Exception);
  EXPECT_THROW(run(3, 2, 4), th::Exception);
  EXPECT_THROW(run(3, 2, 0), th::Exception);  // 7 is no class
  EXPECT_EQ(loss->numel, 0);
}

}  // namespace
