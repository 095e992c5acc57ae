// Convolutions by oneDNN and by our own kernels: random shapes against each other and against double precision.
#include <THNN/THNN.h>

#include <cmath>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "../../TH/tests/tensors.hpp"

using namespace test;

namespace {

struct Case {
  int n;  // spatial dimensions
  int64_t batch, groups, in, out;
  Shape input, kernel, stride, padding, dilation;

  Shape positions() const {
    Shape all;
    for (size_t d = 0; d < size_t(n); d++)
      all.push_back((input[d] + 2 * padding[d] - dilation[d] * (kernel[d] - 1) - 1) / stride[d] + 1);
    return all;
  }
  std::string text() const {
    std::string all = "batch " + std::to_string(batch) + " groups " + std::to_string(groups) + " in " +
                      std::to_string(in) + " out " + std::to_string(out);
    for (size_t d = 0; d < size_t(n); d++)
      for (const auto *list : {&input, &kernel, &stride, &padding, &dilation})
        all += (list == &input ? " | " : " ") + std::to_string((*list)[d]);
    return all;
  }
};

Shape joined(int64_t first, int64_t second, const Shape &space) {
  Shape all{first, second};
  all.insert(all.end(), space.begin(), space.end());
  return all;
}

Tensor filled(std::mt19937 &random, const Shape &shape) {
  Tensor t(TH_Double, shape);
  // Numbers that a float has, so that both precisions start from the same ones.
  std::uniform_real_distribution<float> uniform(-1, 1);
  for (int64_t i = 0; i < t->numel; i++) static_cast<double *>(THTensor_data(t))[i] = double(uniform(random));
  return t;
}

// The same elements, in this precision.
Tensor converted(THDtype dtype, const THTensor *t) {
  Tensor copy(dtype, shapeOf(t));
  THTensor_copy(copy, t);
  return copy;
}

struct Operands {
  Tensor x, w, bias, gy;
  Operands(std::mt19937 &random, const Case &c)
      : x(filled(random, joined(c.batch, c.groups * c.in, c.input))),
        w(filled(random, joined(c.groups * c.out, c.in, c.kernel))), bias(filled(random, {c.groups * c.out})),
        gy(filled(random, joined(c.batch, c.groups * c.out, c.positions()))) {}
  Operands(THDtype dtype, const Operands &other)
      : x(converted(dtype, other.x)), w(converted(dtype, other.w)), bias(converted(dtype, other.bias)),
        gy(converted(dtype, other.gy)) {}
};

// Output, and the gradients for input and weight.
using Results = std::vector<Tensor>;

#define COMPUTE(Dtype, o, c)                                                                                          \
  Results r;                                                                                                          \
  for (int i = 0; i < 3; i++) r.emplace_back(TH_##Dtype, Shape{0});                                                   \
  const int n = (c).n;                                                                                                \
  THNN_##Dtype##Convolution_updateOutput(nullptr, (o).x, r[0], (o).w, (o).bias, n, (c).stride.data(), n,              \
                                         (c).padding.data(), n, (c).dilation.data(), (c).groups);                     \
  THNN_##Dtype##Convolution_updateGradInput(nullptr, (o).gy, r[1], (o).w, n, (c).input.data(), n, (c).stride.data(),  \
                                            n, (c).padding.data(), n, (c).dilation.data(), (c).groups);               \
  THNN_##Dtype##Convolution_updateGradWeight(nullptr, (o).x, (o).gy, r[2], n, (c).kernel.data(), n,                   \
                                             (c).stride.data(), n, (c).padding.data(), n, (c).dilation.data(),        \
                                             (c).groups);                                                             \
  return r

Results inDouble(const Operands &o, const Case &c) { COMPUTE(Double, o, c); }
Results inFloat(const Operands &o, const Case &c) { COMPUTE(Float, o, c); }

const float *floats(const THTensor *t) { return static_cast<const float *>(THTensor_data(t)); }

// The greatest distance of a result from the exact one, as a part of the greatest element.
double error(const THTensor *got, const THTensor *exact) {
  const double *const want = static_cast<const double *>(THTensor_data(exact));
  double worst = 0, most = 1e-30;
  for (int64_t i = 0; i < exact->numel; i++) {
    worst = std::max(worst, std::abs(double(floats(got)[i]) - want[i]));
    most = std::max(most, std::abs(want[i]));
  }
  return std::isnan(worst) ? INFINITY : worst / most;
}

void expectSameBits(const Results &a, const Results &b, const std::string &what) {
  for (size_t i = 0; i < 3; i++) {
    ASSERT_EQ(a[i]->numel, b[i]->numel);
    EXPECT_EQ(std::memcmp(floats(a[i]), floats(b[i]), size_t(a[i]->numel) * 4), 0)
        << what << ": result " << i << " differs";
  }
}

Case drawn(std::mt19937 &random) {
  const auto from = [&](int64_t low, int64_t high) {
    return std::uniform_int_distribution<int64_t>(low, high)(random);
  };
  const auto pick = [&](std::initializer_list<int64_t> list) {
    return *(list.begin() + from(0, int64_t(list.size()) - 1));
  };
  Case c;
  c.n = int(from(1, 3));
  c.batch = pick({1, 2, 3, 7, 16, 33});
  const bool depthwise = from(0, 3) == 0;
  c.groups = depthwise ? pick({8, 16, 24, 32, 64}) : pick({1, 1, 1, 2, 4});
  c.in = depthwise ? 1 : pick({1, 3, 4, 8, 16, 20, 32});
  c.out = depthwise ? pick({1, 1, 2}) : pick({1, 4, 8, 16, 32, 33, 48});
  for (int d = 0; d < c.n; d++) {
    c.input.push_back(c.n == 1 ? from(7, 300) : c.n == 2 ? from(5, 24) : from(4, 9));
    c.kernel.push_back(pick({1, 2, 3, 3, 5}));
    c.stride.push_back(pick({1, 1, 2, 3}));
    c.padding.push_back(from(0, 2));
    c.dilation.push_back(pick({1, 1, 2}));
    while (c.input.back() + 2 * c.padding.back() < c.dilation.back() * (c.kernel.back() - 1) + 1) c.input.back()++;
  }
  return c;
}

// Restores what a test changes.
class OneDNN : public testing::Test {
 protected:
  void SetUp() override { THNNOneDNN_setEnabled(true); }
  void TearDown() override {
    THNNOneDNN_setEnabled(true);
    TH_setNumThreads(threads_);
  }
  int threads_ = TH_getNumThreads();
};

}  // namespace

TEST_F(OneDNN, IsSwitchedOffAndOn) {
  EXPECT_TRUE(THNNOneDNN_isEnabled());
  THNNOneDNN_setEnabled(false);
  EXPECT_FALSE(THNNOneDNN_isEnabled());
  EXPECT_EQ(THNNOneDNN_setVerbose(0), THNNOneDNN_version() != nullptr);
}

TEST_F(OneDNN, AgreesWithOurOwnKernels) {
  std::mt19937 random(20261123);
  int differ = 0;
  for (int i = 0; i < 150; i++) {
    const Case c = drawn(random);
    const Operands exact(random, c), operands(TH_Float, exact);
    const Results want = inDouble(exact, c);
    TH_setNumThreads(2);
    const Results theirs = inFloat(operands, c);
    TH_setNumThreads(1);
    const Results oneThread = inFloat(operands, c);
    THNNOneDNN_setEnabled(false);
    const Results ours = inFloat(operands, c);
    THNNOneDNN_setEnabled(true);
    for (size_t k = 0; k < 3; k++) {
      EXPECT_LT(error(ours[k], want[k]), 2e-5) << c.text() << ": ours, result " << k;
      EXPECT_LT(error(theirs[k], want[k]), 2e-5) << c.text() << ": oneDNN's, result " << k;
      differ += std::memcmp(floats(ours[k]), floats(theirs[k]), size_t(ours[k]->numel) * 4) != 0;
    }
    expectSameBits(theirs, oneThread, c.text());
  }
  // That it was oneDNN which computed some of them; it rounds otherwise.
  EXPECT_EQ(differ > 100, THNNOneDNN_version() != nullptr) << differ;
}

TEST_F(OneDNN, KeepsAsManyPrimitivesAsItSays) {
  std::mt19937 random(1);
  EXPECT_EQ(THNNOneDNN_capacity() > 0, THNNOneDNN_version() != nullptr);
  const Case small{2, 1, 1, 16, 16, {32, 32}, {3, 3}, {1, 1}, {1, 1}, {1, 1}};
  const Operands exact(random, small), operands(TH_Float, exact);
  const Results first = inFloat(operands, small);
  for (int64_t i = 0; i < 300; i++) {
    Case other = small;
    other.input = {16 + i % 20, 40 + i / 20};
    const Operands exact(random, other), operands(TH_Float, exact);
    inFloat(operands, other);
    ASSERT_LE(THNNOneDNN_cached(), THNNOneDNN_capacity());
  }
  EXPECT_EQ(THNNOneDNN_cached(), THNNOneDNN_capacity());
  // Made again, a primitive is the same.
  expectSameBits(first, inFloat(operands, small), "after its primitives were dropped");
}

TEST_F(OneDNN, ServesSeveralThreadsAtOnce) {
  std::mt19937 random(2);
  std::vector<Case> cases;
  for (int i = 0; i < 8; i++) cases.push_back(drawn(random));
  std::vector<Operands> operands;
  std::vector<Results> want;
  for (const Case &c : cases) {
    operands.emplace_back(TH_Float, Operands(random, c));
    want.push_back(inFloat(operands.back(), c));
  }
  std::vector<std::vector<Results>> got(4);
  std::vector<std::thread> threads;
  for (auto &results : got)
    threads.emplace_back([&] {
      for (size_t i = 0; i < cases.size(); i++) results.push_back(inFloat(operands[i], cases[i]));
    });
  for (std::thread &thread : threads) thread.join();
  for (auto &results : got)
    for (size_t i = 0; i < cases.size(); i++) expectSameBits(want[i], results[i], cases[i].text());
}
