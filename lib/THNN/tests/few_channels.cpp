// Convolutions of few channels, whose vectors are positions: with oneDNN and without, against double precision.
#include "convolutions.hpp"

using namespace test;

namespace {

Case drawn(std::mt19937 &random) {
  const auto from = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  Case c;
  c.n = int(from(1, 3));
  c.batch = from(1, 5);
  c.groups = from(0, 3) ? 1 : 2;
  c.in = from(1, 12);
  c.out = from(1, 20);
  for (int d = 0; d < c.n; d++) {
    const bool last = d + 1 == c.n;
    c.input.push_back(c.n == 1 ? from(60, 400) : last ? from(4, 50) : c.n == 2 ? from(5, 24) : from(4, 12));
    c.kernel.push_back(from(1, 5));
    c.stride.push_back(from(0, 2) ? 1 : from(1, 3));
    c.padding.push_back(from(0, 6));  // more than the kernel reaches, too
    c.dilation.push_back(from(0, 2) ? 1 : from(1, 3));
    while (c.input.back() + 2 * c.padding.back() < c.dilation.back() * (c.kernel.back() - 1) + 1) c.input.back()++;
  }
  return c;
}

// Groups of few channels or of many for few outputs, on small images, with steps as wide as the kernel.
Case drawnInGroups(std::mt19937 &random) {
  const auto from = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  Case c{2,  from(1, 40), from(0, 2) ? from(2, 9) : 1, from(0, 3) ? from(1, 4) : from(60, 300), from(1, 4), {}, {}, {},
         {}, {}};
  for (int d = 0; d < c.n; d++) {
    c.input.push_back(from(1, 12));
    c.kernel.push_back(from(1, 5));
    c.stride.push_back(from(1, 5));
    c.padding.push_back(from(0, c.kernel.back() - 1));
    c.dilation.push_back(1);
    while (c.input.back() + 2 * c.padding.back() < c.kernel.back()) c.input.back()++;
  }
  return c;
}

// Kernels of one element: lines of one position to some thousands.
Case drawnOfLines(std::mt19937 &random) {
  const auto from = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  const int64_t step = from(0, 1) ? 1 : from(2, 3), length = from(0, 3) ? from(1, 300) : from(2000, 7000);
  return {1, from(1, 12), from(1, 3), from(1, 11), from(1, 11), {length}, {1}, {step}, {0}, {1}};
}

// One position of few images, for many weights.
Case drawnOfRows(std::mt19937 &random) {
  const auto from = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  const int64_t length = from(1, 5), padding = from(0, 1) ? 0 : from(1, 3);
  return {1,         from(1, 6), from(1, 3), from(1, 90), from(1, 40), {length}, {length + 2 * padding}, {from(1, 2)},
          {padding}, {1}};
}

class FewChannels : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { THNNOneDNN_setEnabled(GetParam()); }
  void TearDown() override {
    THNNOneDNN_setEnabled(true);
    TH_setNumThreads(threads_);
  }
  int threads_ = TH_getNumThreads();
};

// oneDNN does not multiply by the zeros around an image, so its NaN are fewer.
class FewChannelsByOurs : public FewChannels {};

}  // namespace

TEST_P(FewChannels, AgreesWithDoublePrecisionForAnyNumberOfThreads) {
  std::mt19937 random(20261124);
  for (int i = 0; i < 400; i++) {
    const Case c = i < 100   ? drawn(random)
                   : i < 200 ? drawnInGroups(random)
                   : i < 300 ? drawnOfLines(random)
                             : drawnOfRows(random);
    const Operands exact(random, c), operands(TH_Float, exact);
    const Results want = inDouble(exact, c);
    TH_setNumThreads(2);
    const Results got = inFloat(operands, c);
    TH_setNumThreads(1);
    for (size_t k = 0; k < 3; k++) EXPECT_LT(error(got[k], want[k]), 2e-5) << c.text() << ": result " << k;
    expectSameBits(got, inFloat(operands, c), c.text());
  }
}

// Lines are no whole vectors, so vectors reach into the next line, whose elements must not count.
TEST_P(FewChannelsByOurs, NoNumberStaysWhereItIsMet) {
  const Case cases[] = {{2, 4, 1, 3, 5, {9, 21}, {3, 3}, {1, 1}, {1, 1}, {1, 1}},
                        {2, 4, 1, 3, 5, {9, 21}, {3, 3}, {1, 1}, {0, 0}, {1, 2}},
                        {3, 2, 1, 4, 8, {6, 7, 18}, {3, 3, 3}, {1, 1, 1}, {1, 1, 1}, {1, 1, 1}},
                        {2, 4, 3, 2, 2, {7, 7}, {3, 3}, {3, 3}, {1, 1}, {1, 1}},
                        {1, 4, 2, 3, 5, {77}, {1}, {1}, {0}, {1}},
                        {1, 4, 2, 3, 2, {77}, {1}, {1}, {0}, {1}},
                        {1, 2, 2, 40, 7, {3}, {3}, {1}, {0}, {1}},
                        {1, 4, 2, 3, 5, {77}, {1}, {2}, {0}, {1}}};
  std::mt19937 random(3);
  for (const Case &c : cases)
    for (const bool ofInput : {true, false}) {
      const Operands exact(random, c);
      THTensor *const t = ofInput ? exact.x : exact.gy;
      for (const int64_t at : {int64_t(0), t->size[t->ndim - 1] - 1, t->numel / 2, t->numel - 1}) {
        double *const element = static_cast<double *>(THTensor_data(t)) + at;
        const double before = *element;
        *element = NAN;
        const Results want = inDouble(exact, c), got = inFloat(Operands(TH_Float, exact), c);
        *element = before;
        for (size_t k = 0; k < 3; k++)
          for (int64_t i = 0; i < want[k]->numel; i++)
            ASSERT_EQ(std::isnan(floats(got[k])[i]), std::isnan(static_cast<double *>(THTensor_data(want[k]))[i]))
                << c.text() << ": result " << k << " at " << i;
      }
    }
}

INSTANTIATE_TEST_SUITE_P(OneDNN, FewChannels, testing::Bool());
INSTANTIATE_TEST_SUITE_P(WithoutOneDNN, FewChannelsByOurs, testing::Values(false));
