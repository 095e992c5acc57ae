// Convolutions over images that are smaller than the kernel, or not much larger: with oneDNN and without, against sums
// that are added up here.
#include "convolutions.hpp"

using namespace test;

namespace {

// In three dimensions, those that are missing 1 long.
struct Space {
  int64_t size[3] = {1, 1, 1};
  Space(const Shape &last, int64_t missing) {
    for (int64_t &n : size) n = missing;
    std::copy(last.begin(), last.end(), size + 3 - last.size());
  }
  int64_t product() const { return size[0] * size[1] * size[2]; }
};

Results summed(const Operands &o, const Case &c) {
  Results r;
  r.push_back(Tensor(TH_Double, shapeOf(o.gy)));
  r.push_back(Tensor(TH_Double, shapeOf(o.x)));
  r.push_back(Tensor(TH_Double, shapeOf(o.w)));
  const auto at = [](const THTensor *t) { return static_cast<double *>(THTensor_data(t)); };
  double *const x = at(o.x), *const w = at(o.w), *const gy = at(o.gy), *const bias = at(o.bias);
  double *const y = at(r[0]), *const gx = at(r[1]), *const gw = at(r[2]);
  std::fill_n(gx, r[1]->numel, 0.0);
  std::fill_n(gw, r[2]->numel, 0.0);
  const Space input(c.input, 1), kernel(c.kernel, 1), output(c.positions(), 1), stride(c.stride, 1),
      padding(c.padding, 0), dilation(c.dilation, 1);
  const int64_t outs = c.groups * c.out, ins = c.groups * c.in;
  for (int64_t b = 0; b < c.batch; b++)
    for (int64_t out = 0; out < outs; out++)
      for (int64_t p = 0; p < output.product(); p++) {
        const int64_t place[3] = {p / output.size[2] / output.size[1], p / output.size[2] % output.size[1],
                                  p % output.size[2]};
        const int64_t to = (b * outs + out) * output.product() + p;
        y[to] = bias[out];
        for (int64_t in = 0; in < c.in; in++)
          for (int64_t k = 0; k < kernel.product(); k++) {
            const int64_t tap[3] = {k / kernel.size[2] / kernel.size[1], k / kernel.size[2] % kernel.size[1],
                                    k % kernel.size[2]};
            int64_t from = 0;
            bool inside = true;
            for (int d = 0; d < 3; d++) {
              const int64_t i = place[d] * stride.size[d] - padding.size[d] + tap[d] * dilation.size[d];
              inside = inside && i >= 0 && i < input.size[d];
              from = from * input.size[d] + i;
            }
            if (!inside) continue;
            from += (b * ins + out / c.out * c.in + in) * input.product();
            const int64_t weight = (out * c.in + in) * kernel.product() + k;
            y[to] += x[from] * w[weight];
            gx[from] += gy[to] * w[weight];
            gw[weight] += gy[to] * x[from];
          }
      }
  return r;
}

Case drawn(std::mt19937 &random) {
  const auto from = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  Case c;
  c.n = int(from(1, 3));
  c.batch = from(1, 40);
  c.groups = from(0, 2) ? 1 : from(1, 6);
  c.in = from(0, 1) ? from(1, 8) : from(1, 40);
  c.out = from(0, 1) ? from(1, 8) : from(1, 40);
  for (int d = 0; d < c.n; d++) {
    c.input.push_back(from(0, 2) ? from(1, 3) : from(1, c.n == 3 ? 4 : 9));
    c.kernel.push_back(from(0, 3) ? from(1, 3) : from(1, 7));
    c.stride.push_back(from(0, 1) ? 1 : from(1, 4));
    c.padding.push_back(from(0, 3) ? c.kernel.back() / 2 : from(0, 6));
    c.dilation.push_back(from(0, 2) ? 1 : from(1, 4));
    while (c.input.back() + 2 * c.padding.back() < c.dilation.back() * (c.kernel.back() - 1) + 1) c.padding.back()++;
  }
  return c;
}

class SmallImages : public testing::TestWithParam<bool> {
 protected:
  void SetUp() override { THNNOneDNN_setEnabled(GetParam()); }
  void TearDown() override {
    THNNOneDNN_setEnabled(true);
    TH_setNumThreads(threads_);
  }
  int threads_ = TH_getNumThreads();
};

}  // namespace

TEST_P(SmallImages, AgreeWithSumsForAnyNumberOfThreads) {
  std::mt19937 random(20261125);
  for (int i = 0; i < 300; i++) {
    const Case c = drawn(random);
    const Operands exact(random, c), operands(TH_Float, exact);
    const Results want = summed(exact, c), doubles = inDouble(exact, c);
    TH_setNumThreads(2);
    const Results got = inFloat(operands, c);
    TH_setNumThreads(1);
    for (size_t k = 0; k < 3; k++) {
      EXPECT_LT(error(got[k], want[k]), 2e-5) << c.text() << ": result " << k;
      EXPECT_LT(error(converted(TH_Float, doubles[k]), want[k]), 1e-7) << c.text() << ": result " << k;
    }
    expectSameBits(got, inFloat(operands, c), c.text());
  }
}

// So many that their patches are gathered block by block, the last block being smaller than the others.
TEST_P(SmallImages, AreManyToo) {
  std::mt19937 random(7);
  for (const auto &[groups, stride, input] : {std::tuple{1, 1, 5}, {2, 2, 9}, {64, 1, 3}, {128, 1, 1}}) {
    const Case c{2,      300,   groups, 128 / groups, groups == 64 ? 2 : 4, {input, input}, {3, 3}, {stride, stride},
                 {1, 1}, {1, 1}};
    const Operands exact(random, c), operands(TH_Float, exact);
    const Results want = summed(exact, c), got = inFloat(operands, c), doubles = inDouble(exact, c);
    for (size_t k = 0; k < 3; k++) {
      EXPECT_LT(error(got[k], want[k]), 2e-5) << c.text() << ": result " << k;
      EXPECT_LT(error(converted(TH_Float, doubles[k]), want[k]), 1e-7) << c.text() << ": result " << k;
    }
  }
}

// What meets padding alone is neither multiplied nor given a gradient.
TEST_P(SmallImages, MeetSomeTapsOnly) {
  const Case c{2, 32, 1, 12, 20, {1, 2}, {3, 5}, {1, 1}, {1, 2}, {1, 1}};
  std::mt19937 random(5);
  const Operands exact(random, c);
  const Results want = summed(exact, c);
  const auto isMet = [](int64_t tap) { return tap / 5 == 1 && tap % 5 >= 1 && tap % 5 <= 3; };
  for (int64_t i = 0; i < exact.w->numel; i++)
    if (!isMet(i % 15)) static_cast<double *>(THTensor_data(exact.w))[i] = INFINITY;
  const Operands operands(TH_Float, exact);
  for (const bool isDouble : {false, true}) {
    const Results got = isDouble ? inDouble(exact, c) : inFloat(operands, c);
    for (size_t k = 0; k < 3; k++)
      EXPECT_LT(error(converted(TH_Float, got[k]), want[k]), 2e-5) << isDouble << ": result " << k;
    const Tensor gw = converted(TH_Float, got[2]);
    for (int64_t i = 0; i < gw->numel; i++) {
      if (!isMet(i % 15)) ASSERT_EQ(floats(gw)[i], 0);
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Convolutions, SmallImages, testing::Bool(),
                         [](const auto &info) { return info.param ? "OneDNN" : "Ours"; });
