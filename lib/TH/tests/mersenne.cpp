// Generators that are a Mersenne Twister: the published stream, states, and the order in which elements are drawn.
#include <cstring>

#include "tensors.hpp"

using namespace test;

namespace {

class Twister {
 public:
  explicit Twister(uint64_t seed) {
    THGenerator_setDefaultKind(TH_MT19937);
    g_ = THGenerator_new();
    THGenerator_manualSeed(g_, seed);
  }
  ~Twister() {
    THGenerator_free(g_);
    THGenerator_setDefaultKind(TH_PHILOX);
  }
  Twister(const Twister &) = delete;
  operator THGenerator *() const { return g_; }

 private:
  THGenerator *g_;
};

std::vector<char> stateOf(const THGenerator *g) {
  std::vector<char> state(size_t(THGenerator_getState(g, nullptr, 0)));
  EXPECT_EQ(THGenerator_getState(g, state.data(), int64_t(state.size())), int64_t(state.size()));
  return state;
}

// The first words and the 10,000th of the published program, whose seed is 5489 unless another is given.
TEST(Random, MersenneStream) {
  const Twister g(5489);
  EXPECT_EQ(THGenerator_kind(g), TH_MT19937);
  EXPECT_EQ(THGenerator_random(g), uint64_t(3499211612) << 32 | 581869302);
  EXPECT_EQ(THGenerator_random(g), uint64_t(3890346734) << 32 | 3586334585);
  for (int i = 4; i < 9998; i += 2) THGenerator_random(g);
  EXPECT_EQ(uint32_t(THGenerator_random(g)), 4123659995u);
}

TEST(Random, MersenneStatesAndKinds) {
  THGenerator *const philox = THGenerator_new();
  EXPECT_EQ(THGenerator_kind(philox), TH_PHILOX);
  const std::vector<char> ours = stateOf(philox);
  EXPECT_EQ(ours.size(), 16u);
  {
    const Twister g(7);
    const Tensor few(TH_Double, {3});  // an odd number: half a pair waits
    THDoubleTensor_normal(few, g, 0, 1);
    const std::vector<char> state = stateOf(g);
    EXPECT_EQ(state.size(), 5056u);
    THGenerator_setState(philox, state.data(), 5056);
    EXPECT_EQ(THGenerator_kind(philox), TH_MT19937);
    EXPECT_EQ(stateOf(philox), state);
    const Tensor one(TH_Double, {2}), other(TH_Double, {2});
    THDoubleTensor_normal(one, g, 0, 1), THDoubleTensor_normal(other, philox, 0, 1);
    expectSame(one, other);

    std::vector<char> wrong = state;
    std::memset(wrong.data() + 8, 0xff, 4);
    const std::vector<char> before = stateOf(g);
    expectRaises(TH_ERROR_RUNTIME, "Invalid mt19937 state", [&] { THGenerator_setState(g, wrong.data(), 5056); });
    expectRaises(TH_ERROR_RUNTIME, "expected 16 bytes or 5056", [&] { THGenerator_setState(g, wrong.data(), 5048); });
    EXPECT_EQ(stateOf(g), before);

    THGenerator *const device = THGenerator_newOn({TH_CUDA, 0});  // whose numbers are always Philox's
    EXPECT_EQ(THGenerator_kind(device), TH_PHILOX);
    expectRaises(TH_ERROR_RUNTIME, "expected 16 bytes,", [&] { THGenerator_setState(device, state.data(), 5056); });
    THGenerator_free(device);
  }
  EXPECT_EQ(THGenerator_kind(philox), TH_MT19937);  // until it is seeded
  THGenerator_setState(philox, ours.data(), 16);
  EXPECT_EQ(THGenerator_kind(philox), TH_PHILOX);
  EXPECT_EQ(stateOf(philox), ours);
  THGenerator_free(philox);
}

// Elements are drawn as they lie in memory, the one after the other.
TEST(Random, MersenneOrderOfMemory) {
  const Tensor row(TH_Float, {12}), across(TH_Float, {4, 3});
  THFloatTensor_uniform(row, Twister(3), 0, 1);
  THFloatTensor_uniform(Tensor(THTensor_newTranspose(across, 0, 1)), Twister(3), 0, 1);
  EXPECT_EQ(values(row), values(across));
  EXPECT_EQ(values(row)[0], 0.004263520240783691);  // PyTorch's, after manual_seed(3)
}

// The bits do not depend on the instructions that the processor has.
TEST(Random, MersenneNormals) {
  const Tensor x(TH_Float, {17});
  THFloatTensor_normal(x, Twister(3), 0.5, 2);
  const std::vector<double> pytorch = {
      0x1.6308500000000p-2, 0x1.2e5e2c0000000p+1,  -0x1.0ecf200000000p-1, -0x1.66d38c0000000p+1, 0x1.4bc8260000000p+1,
      0x1.8b5c180000000p+0, 0x1.54bfec0000000p-3,  0x1.364e640000000p-1,  0x1.4f28ac0000000p+0,  0x1.40d6de0000000p+2,
      0x1.0f43ea0000000p+2, -0x1.e3f5c00000000p+0, 0x1.3f77d80000000p+1,  0x1.6b19b40000000p+0,  0x1.57dbdc0000000p+2,
      0x1.a6ac780000000p-3, 0x1.7860dc0000000p+0};
  EXPECT_EQ(values(x), pytorch);
}

TEST(Random, MersenneDefaultGenerator) {
  THGenerator *const g = THGenerator_default();
  THGenerator_manualSeed(g, 11);
  EXPECT_EQ(THGenerator_kind(g), TH_PHILOX);
  THGenerator_setDefaultKind(TH_MT19937);
  EXPECT_EQ(THGenerator_kind(g), TH_MT19937);
  EXPECT_EQ(THGenerator_initialSeed(g), 11u);
  const uint64_t first = THGenerator_random(g);
  THGenerator_setDefaultKind(TH_MT19937);  // no change
  EXPECT_NE(THGenerator_random(g), first);
  THGenerator_setDefaultKind(TH_PHILOX);
  EXPECT_EQ(THGenerator_kind(g), TH_PHILOX);
  EXPECT_EQ(THGenerator_offset(g), 0u);
}

}  // namespace
