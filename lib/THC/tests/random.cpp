// Random numbers are those of the host, bit by bit, for one seed and offset.
#include "pairs.hpp"
#include "support.hpp"

namespace {

struct Random : testing::Test {
  THGenerator *host = THGenerator_new(), *device = THGenerator_new();
  void SetUp() override { THC_init(); }
  ~Random() override { THGenerator_free(host), THGenerator_free(device); }

  template <class Run>
  void expectAlike(THDtype dtype, const Run &run) {
    for (const Sizes &size : {Sizes{}, Sizes{1}, Sizes{0}, Sizes{7}, Sizes{1030}, Sizes{33, 65}})
      for (int lies = 0; lies < (size.size() == 2 ? 2 : 1); lies++) {
        const Pair base = Pair::random(dtype, size), self = lies ? base.transposed(0, 1) : base;
        run(self.host, host, false);
        run(self.device, device, true);
        expectSame(self);
        EXPECT_EQ(THGenerator_offset(device), THGenerator_offset(host));
      }
  }
};

#define ALIKE(Name, op, ...)                                                        \
  expectAlike(TH_##Name, [](THTensor *self, THGenerator *generator, bool onDevice) { \
    (onDevice ? THC_TENSOR(Name, op) : TH##Name##Tensor_##op)(self, generator, __VA_ARGS__); \
  });

TEST_F(Random, Uniform) {
  TH_FOR_floating_complex(ALIKE, uniform, -1.5, 2.25) TH_FOR_floating(ALIKE, uniform, 0.1, 0.1)
}
TEST_F(Random, Normal) {
  TH_FOR_floating_complex(ALIKE, normal, 0.5, 3) TH_FOR_floating(ALIKE, logNormal, 0.5, 0.7)
  TH_FOR_floating(ALIKE, cauchy, 0.5, 3)
  TH_FOR_floating(ALIKE, exponential, 0.3)
}
TEST_F(Random, Integers) {
  TH_FOR_all(ALIKE, random, 0, 2)
  TH_FOR_number(ALIKE, random, 3, 100)
  ALIKE(Int, random, INT32_MIN, int64_t(INT32_MAX) + 1)
  ALIKE(Int, random, 0, (int64_t(3) << 29))
  ALIKE(Long, random, -5, INT64_MAX)
  ALIKE(Double, random, 0, int64_t(3) << 40)
  ALIKE(Long, randomUpTo, INT64_MIN, INT64_MAX)
  ALIKE(Long, randomUpTo, INT64_MIN + 3, INT64_MAX)
  TH_FOR_number(ALIKE, geometric, 0.03)
  TH_FOR_all(ALIKE, bernoulli, 0.3)
  TH_FOR_all(ALIKE, bernoulli, 1)
}

TEST_F(Random, OfTheHost) {
  for (const int64_t n : {0, 1, 100}) {
    const Pair r = Pair::result(TH_Long), small = Pair::result(TH_Byte);
    THLongTensor_randperm(r.host, host, n), THCudaLongTensor_randperm(r.device, device, n);
    expectSame(r);
    THByteTensor_randperm(small.host, host, n), THCudaByteTensor_randperm(small.device, device, n);
    expectSame(small);
  }
  const Pair rate = Pair::random(TH_Float, {5, 6}).transposed(0, 1), r = Pair::result(TH_Float);
  THFloatTensor_poisson(r.host, rate.host, host), THCudaTensor_poisson(r.device, rate.device, device);
  expectSame(r);
  const Pair drawn = Pair::result(TH_Long);
  for (const bool replacement : {false, true}) {
    THFloatTensor_multinomial(drawn.host, rate.host, 3, replacement, host);
    THCudaTensor_multinomial(drawn.device, rate.device, 3, replacement, device);
    expectSame(drawn);
  }
  const Pair trials = Pair::of(TH_Double, {3}, {5, 100, 0}), odds = Pair::of(TH_Double, {3}, {0.5, 0.2, 1}),
             wins = Pair::result(TH_Double);
  THDoubleTensor_binomial(wins.host, trials.host, odds.host, host);
  THCudaDoubleTensor_binomial(wins.device, trials.device, odds.device, device);
  expectSame(wins);
  const Pair wrong = Pair::of(TH_Float, {2}, {1, -1});
  EXPECT_RAISES(TH_ERROR_RUNTIME, "invalid Poisson rate", THCudaTensor_poisson(r.device, wrong.device, device));
  EXPECT_EQ(THGenerator_offset(device), THGenerator_offset(host));
}

}  // namespace
