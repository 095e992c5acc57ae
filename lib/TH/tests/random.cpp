// Random numbers: the published stream, ranges, moments, and independence of threads and layout.
#include <algorithm>
#include <numeric>

#include "../src/random/philox.hpp"
#include "tensors.hpp"

using namespace test;

namespace {

// Known answers of Random123's distribution (kat_vectors, "philox4x32 10").
TEST(Random, PhiloxKnownAnswers) {
  struct {
    th::PhiloxBlock counter;
    uint64_t key;
    th::PhiloxBlock words;
  } cases[] = {
      {{0, 0, 0, 0}, 0, {0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8}},
      {{~0u, ~0u, ~0u, ~0u}, ~uint64_t(0), {0x408f276d, 0x41c83b0e, 0xa20bc7c6, 0x6d5451fd}},
      {{0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344},
       0x299f31d0a4093822,
       {0xd16cfe09, 0x94fdcceb, 0x5001e420, 0x24126ea1}},
  };
  for (const auto &c : cases) EXPECT_EQ(th::philox(c.counter, c.key), c.words);
}

class Generator {
 public:
  explicit Generator(uint64_t seed) : g_(THGenerator_new()) { THGenerator_manualSeed(g_, seed); }
  ~Generator() { THGenerator_free(g_); }
  Generator(const Generator &) = delete;
  operator THGenerator *() const { return g_; }

 private:
  THGenerator *g_;
};

TEST(Random, GeneratorState) {
  Generator g(0);
  EXPECT_EQ(THGenerator_random(g), 0xe169c58d6627e8d5u);
  EXPECT_EQ(THGenerator_offset(g), 1u);
  const uint64_t second = THGenerator_random(g);
  THGenerator_setOffset(g, 1);
  EXPECT_EQ(THGenerator_random(g), second);
  const uint64_t seed = THGenerator_seed(g);
  EXPECT_EQ(THGenerator_initialSeed(g), seed);
  EXPECT_EQ(THGenerator_offset(g), 0u);
  EXPECT_NE(THGenerator_seed(g), seed);
  EXPECT_EQ(THGenerator_default(), THGenerator_default());
  EXPECT_EQ(THGenerator_device(g).kind, TH_CPU);
  THGenerator *const other = THGenerator_newOn({TH_CUDA, 3});
  EXPECT_EQ(THGenerator_device(other).kind, TH_CUDA);
  EXPECT_EQ(THGenerator_device(other).index, 3);
  EXPECT_EQ(THGenerator_initialSeed(other), 67280421310721u);
  THGenerator_free(other);
}

using Fill = std::function<void(THTensor *, THGenerator *)>;
struct FillCase {
  std::string name;
  THDtype dtype;
  Fill fill;
};

std::vector<FillCase> fills() {
  std::vector<FillCase> cases;
  const auto uniform = TEST_FAMILY(floating, uniform);
  const auto normal = TEST_FAMILY(floating, normal);
  const auto random = TEST_FAMILY(all, random);
  const auto cauchy = TEST_FAMILY(floating, cauchy);
  const auto exponential = TEST_FAMILY(floating, exponential);
  const auto logNormal = TEST_FAMILY(floating, logNormal);
  const auto geometric = TEST_FAMILY(number, geometric);
  for (int d : kRealDtypes) {
    const THDtype dtype = THDtype(d);
    const std::string name = TH_dtypeName(dtype);
    if (uniform[d])
      cases.push_back({"uniform " + name, dtype, [=](THTensor *t, THGenerator *g) { uniform[d](t, g, -1, 3); }});
    if (normal[d])
      cases.push_back({"normal " + name, dtype, [=](THTensor *t, THGenerator *g) { normal[d](t, g, 1, 2); }});
    if (cauchy[d])
      cases.push_back({"cauchy " + name, dtype, [=](THTensor *t, THGenerator *g) { cauchy[d](t, g, 1, 2); }});
    if (exponential[d])
      cases.push_back({"exponential " + name, dtype, [=](THTensor *t, THGenerator *g) { exponential[d](t, g, 2); }});
    if (logNormal[d])
      cases.push_back({"logNormal " + name, dtype, [=](THTensor *t, THGenerator *g) { logNormal[d](t, g, 1, 0.5); }});
    if (geometric[d])
      cases.push_back({"geometric " + name, dtype, [=](THTensor *t, THGenerator *g) { geometric[d](t, g, 0.2); }});
    cases.push_back({"random " + name, dtype, [=](THTensor *t, THGenerator *g) { random[d](t, g, 0, d ? 100 : 2); }});
  }
  const auto large = [](THTensor *t, THGenerator *g) { THLongTensor_random(t, g, -3, int64_t(3) << 40); };
  const auto refusing = [](THTensor *t, THGenerator *g) { THLongTensor_random(t, g, 0, int64_t(3) << 30); };
  cases.push_back({"random, 64 bits", TH_Long, large});
  cases.push_back({"random, a quarter refused", TH_Long, refusing});
  const auto all = [](THTensor *t, THGenerator *g) { THLongTensor_randomUpTo(t, g, INT64_MIN, INT64_MAX); };
  const auto nonnegative = [](THTensor *t, THGenerator *g) { THLongTensor_randomUpTo(t, g, 0, INT64_MAX); };
  cases.push_back({"random, all 64 bits", TH_Long, all});
  cases.push_back({"random, half of them", TH_Long, nonnegative});
  return cases;
}

TEST(Random, ElementDependsOnSeedOffsetAndPositionOnly) {
  for (const FillCase &c : fills()) {
    SCOPED_TRACE(c.name);
    Generator g(7);
    Tensor whole(c.dtype, {5000});
    c.fill(whole, g);
    const uint64_t used = THGenerator_offset(g);
    EXPECT_GE(used * 4, 5000u);
    for (int64_t n : {1, 2, 3, 5, 7, 13, 22, 31, 47, 1023, 1025, 2050, 4999}) {  // every end of a run of vectors
      Generator again(7);
      Tensor part(c.dtype, {n});
      c.fill(part, again);
      expectSame(part, Tensor(THTensor_newNarrow(whole, 0, 0, n)));
    }
    for (Layout layout : kLayouts) {
      Generator again(7);
      Tensor strided = uninitialised(c.dtype, {50, 100}, layout);
      c.fill(strided, again);
      expectSame(strided, Tensor(THTensor_newView(whole, 2, Shape{50, 100}.data())));
    }
    // The next call goes on where this one ended.
    Tensor next(c.dtype, {100});
    c.fill(next, g);
    EXPECT_NE(values(next), values(Tensor(THTensor_newNarrow(whole, 0, 0, 100))));
  }
}

TEST(Random, ThreadsMakeNoDifference) {
  for (const FillCase &c : fills()) {
    SCOPED_TRACE(c.name);
    expectThreadIndependent([&] {
      Generator g(11);
      Tensor t(c.dtype, {100003});
      c.fill(t, g);
      return t;
    });
  }
}

TEST(Random, UniformRangeAndMoments) {
  const auto uniform = TEST_FAMILY(floating, uniform);
  for (int d : kFloatingDtypes) {
    Generator g(3);
    Tensor t(THDtype(d), {100000});
    uniform[d](t, g, -1, 1);
    const std::vector<double> v = values(t);
    EXPECT_GE(*std::min_element(v.begin(), v.end()), -1);
    EXPECT_LT(*std::max_element(v.begin(), v.end()), 1);
    EXPECT_NEAR(std::accumulate(v.begin(), v.end(), 0.0) / 1e5, 0, 0.01);
    EXPECT_NEAR(std::inner_product(v.begin(), v.end(), v.begin(), 0.0) / 1e5, 1.0 / 3, 0.01);
    // Ranges in which rounding would reach the end.
    const double step = d == TH_Half ? 0x1p-10 : d == TH_BFloat16 ? 0x1p-7 : d == TH_Float ? 0x1p-23 : 0x1p-52;
    uniform[d](t, g, 1, 1 + step);
    for (double x : values(t)) ASSERT_EQ(x, 1);
    uniform[d](t, g, -step, 0);
    for (double x : values(t)) ASSERT_LT(x, 0);
    uniform[d](t, g, 2, 2);
    for (double x : values(t)) ASSERT_EQ(x, 2);
  }
}

TEST(Random, NormalMoments) {
  const auto normal = TEST_FAMILY(floating, normal);
  for (int d : kFloatingDtypes) {
    Generator g(5);
    constexpr int64_t n = 400000;
    Tensor t(THDtype(d), {n});
    normal[d](t, g, 0, 1);
    double moment[5] = {}, inside = 0;
    for (double x : values(t)) {
      ASSERT_TRUE(std::isfinite(x));
      for (int k = 1; k <= 4; k++) moment[k] += std::pow(x, k) / n;
      inside += std::fabs(x) < 1;
    }
    EXPECT_NEAR(moment[1], 0, 0.01);
    EXPECT_NEAR(moment[2], 1, 0.01);
    EXPECT_NEAR(moment[3], 0, 0.03);
    EXPECT_NEAR(moment[4], 3, 0.08);
    EXPECT_NEAR(inside / n, 0.6827, 0.003);
  }
}

TEST(Random, PartsOfComplexNumbers) {
  for (THDtype dtype : {TH_ComplexHalf, TH_ComplexFloat, TH_ComplexDouble}) {
    Generator g(9);
    const Tensor z(dtype, {1000});
    (dtype == TH_ComplexDouble ? THComplexDoubleTensor_uniform : THComplexFloatTensor_uniform)(z, g, 2, 3);
    for (double x : values(z)) ASSERT_TRUE(x >= 2 && x < 3) << TH_dtypeName(dtype) << ' ' << x;
    EXPECT_NE(get(z, 0), get(z, 1));
    (dtype == TH_ComplexDouble ? THComplexDoubleTensor_normal : THComplexFloatTensor_normal)(z, g, 5, 0);
    for (double x : values(z)) ASSERT_EQ(x, 5);
  }
}

TEST(Random, IntegersAreEquallyLikely) {
  Generator g(9);
  Tensor t(TH_Long, {120000});
  THLongTensor_random(t, g, -2, 4);
  int64_t count[6] = {};
  for (double x : values(t)) count[int(x) + 2]++;
  for (int64_t c : count) EXPECT_NEAR(double(c), 20000, 600);
  for (const int64_t range : {int64_t(3) << 30, int64_t(3) << 61}) {  // thirds; most biased without refusal
    THLongTensor_random(t, g, 0, range);
    int64_t third[3] = {};
    for (int64_t i = 0; i < t->numel; i++) third[static_cast<int64_t *>(THTensor_data(t))[i] / (range / 3)]++;
    for (int64_t c : third) EXPECT_NEAR(double(c), 40000, 800);
  }
  Tensor i32(TH_Int, {1000});
  THIntTensor_random(i32, g, INT32_MIN, int64_t(INT32_MAX) + 1);
  const std::vector<double> v = values(i32);
  EXPECT_LT(*std::min_element(v.begin(), v.end()), -2.1e9);
  EXPECT_GT(*std::max_element(v.begin(), v.end()), 2.1e9);
}

TEST(Random, Permutations) {
  const auto randperm = TEST_FAMILY(number, randperm);
  for (int d : kNumberDtypes)
    for (int64_t n : {0, 1, 2, 100}) {
      Generator g(13);
      Tensor r((THDtype(d)));
      randperm[d](r, g, n);
      std::vector<double> v = values(r), sorted = v;
      std::sort(sorted.begin(), sorted.end());
      for (int64_t i = 0; i < n; i++) ASSERT_EQ(sorted[size_t(i)], double(i));
      EXPECT_TRUE(n < 100 || v != sorted);
    }
  // All orders of three are equally likely.
  Generator g(17);
  Tensor r(TH_Long);
  int count[27] = {};
  for (int k = 0; k < 6000; k++) {
    THLongTensor_randperm(r, g, 3);
    count[int(get(r, 0) * 9 + get(r, 1) * 3 + get(r, 2))]++;
  }
  EXPECT_EQ(std::count_if(std::begin(count), std::end(count), [](int c) { return c > 850 && c < 1150; }), 6);
}

TEST(Random, ErrorsChangeNothing) {
  Generator g(1);
  Tensor f = of(TH_Float, {1, 2}), h = of(TH_Half, {1, 2}), b = of(TH_Byte, {1, 2}), t = of(TH_Bool, {0, 1}),
         l = of(TH_Long, {1, 2});
  const Tensor one = of(TH_Float, {1});
  const Tensor expanded(THTensor_newExpand(one, 1, Shape{3}.data()));
  const struct {
    const char *text;
    std::function<void()> call;
  } cases[] = {
      {"uniform_ expects to return a [from, to) range, but found from=5 > to=2",
       [&] { THFloatTensor_uniform(f, g, 5, 2); }},
      {"to is out of bounds for c10::Half", [&] { THHalfTensor_uniform(h, g, 0, 1e6); }},
      {"uniform_ expects to-from <= std::numeric_limits<Float>::max(), but found to=3e+38 and from=-3e+38 which "
       "result in to-from to exceed the limit",
       [&] { THFloatTensor_uniform(f, g, -3e38, 3e38); }},
      {"normal expects std >= 0.0, but found std -2", [&] { THFloatTensor_normal(f, g, 0, -2); }},
      {"random_ expects 'from' to be less than 'to', but got from=5 >= to=5",
       [&] { THFloatTensor_random(f, g, 5, 5); }},
      {"to - 1 is out of bounds for unsigned char", [&] { THByteTensor_random(b, g, 0, 257); }},
      {"from is out of bounds for unsigned char", [&] { THByteTensor_random(b, g, -1, 25); }},
      {"to - 1 is out of bounds for bool", [&] { THBoolTensor_random(t, g, 0, 3); }},
      {"cauchy_ expects sigma > 0.0, but found sigma=0", [&] { THFloatTensor_cauchy(f, g, 0, 0); }},
      {"exponential_ expects lambda > 0.0, but found lambda=-1", [&] { THFloatTensor_exponential(f, g, -1); }},
      {"log_normal_ expects std > 0.0, but found std=0", [&] { THHalfTensor_logNormal(h, g, 0, 0); }},
      {"geometric_ expects p to be in (0, 1), but got p=1", [&] { THByteTensor_geometric(b, g, 1); }},
      {"at most 'last'", [&] { THLongTensor_randomUpTo(l, g, 5, 4); }},
      {"invalid Poisson rate", [&] { THFloatTensor_poisson(f, of(TH_Float, {1, -1}), g); }},
      {"must have one shape, got [2] and [3]",
       [&] { THFloatTensor_binomial(f, of(TH_Float, {1, 2}), of(TH_Float, {1, 0, 1}), g); }},
      {"element < 0: -1 at 1", [&] { THFloatTensor_multinomial(l, of(TH_Float, {1, -1}), 1, false, g); }},
      {"cannot sample n_sample > prob_dist.size(-1)",
       [&] { THFloatTensor_multinomial(l, of(TH_Float, {1, 1}), 3, false, g); }},
      {"result must have dtype", [&] { THFloatTensor_multinomial(f, of(TH_Float, {1, 1}), 1, false, g); }},
      {"negative dimension -1", [&] { THFloatTensor_randperm(f, g, -1); }},
      {"value cannot be converted to type uint8_t without overflow", [&] { THByteTensor_randperm(b, g, 300); }},
      {"n cannot be greater than 2049 for Half type.", [&] { THHalfTensor_randperm(h, g, 3000); }},
      {"more than one element of the written-to tensor", [&] { THFloatTensor_uniform(expanded, g, 0, 1); }},
      {"must have dtype", [&] { THFloatTensor_uniform(h, g, 0, 1); }},
  };
  for (const auto &c : cases) expectRaises(TH_ERROR_RUNTIME, c.text, c.call);
  EXPECT_EQ(THGenerator_offset(g), 0u);
  EXPECT_EQ(values(f), (std::vector<double>{1, 2}));
  EXPECT_EQ(values(h), (std::vector<double>{1, 2}));
  EXPECT_EQ(values(b), (std::vector<double>{1, 2}));
  EXPECT_EQ(values(one), (std::vector<double>{1}));
}

// The result may be a part of an argument, whose memory is left when it grows.
TEST(Random, ResultIsAPartOfAnArgument) {
  const std::vector<double> counts = {3, 1, 4, 1, 5, 9};
  const Tensor sure = of(TH_Float, {1, 1, 1, 1, 1, 1});
  for (const int64_t first : {1, 5}) {
    const Tensor count = of(TH_Float, counts), part(THTensor_newNarrow(count, 0, first, 6 - first));
    THFloatTensor_binomial(part, count, sure, Generator(7));
    EXPECT_EQ(values(part), counts);
    const Tensor rate = of(TH_Float, {1e6, 0, 1e6, 0, 1e6, 0}), drawn(THTensor_newNarrow(rate, 0, first, 6 - first));
    THFloatTensor_poisson(drawn, rate, Generator(7));
    for (size_t i = 0; i < 6; i++) EXPECT_EQ(values(drawn)[i] > 9e5, i % 2 == 0) << i;
  }
}

}  // namespace
