// Convolutions by oneDNN and by our own kernels: random shapes against each other and against double precision.
#include <thread>

#include "convolutions.hpp"

using namespace test;

namespace {

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
  // That it was oneDNN which computed some of them; it rounds otherwise. On a processor without AVX2 they are few.
  EXPECT_EQ(differ > 20, THNNOneDNN_version() != nullptr) << differ;
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
