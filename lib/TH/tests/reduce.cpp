// Reductions against long double, over all sets of dimensions, layouts and numbers of threads.
#include <algorithm>
#include <numeric>

#include "exact.hpp"

using namespace test;

namespace {

using L = long double;
using Kernel = decltype(&THFloatTensor_sum);

struct Reduction {
  const char *name;
  std::vector<Kernel> kernels;
  L (*reference)(const std::vector<L> &);
};

L nanOr(const std::vector<L> &v, L x) {
  return std::any_of(v.begin(), v.end(), [](L e) { return std::isnan(e); }) ? L(NAN) : x;
}

const Reduction kReductions[] = {
    {"sum", TEST_FAMILY(number, sum),
     [](const std::vector<L> &v) { return std::accumulate(v.begin(), v.end(), 0.0L); }},
    {"mean", TEST_FAMILY(floating, mean),
     [](const std::vector<L> &v) { return std::accumulate(v.begin(), v.end(), 0.0L) / L(v.size()); }},
    {"prod", TEST_FAMILY(number, prod),
     [](const std::vector<L> &v) { return std::accumulate(v.begin(), v.end(), 1.0L, std::multiplies<>()); }},
    {"amax", TEST_FAMILY(all, amax),
     [](const std::vector<L> &v) { return nanOr(v, *std::max_element(v.begin(), v.end())); }},
    {"amin", TEST_FAMILY(all, amin),
     [](const std::vector<L> &v) { return nanOr(v, *std::min_element(v.begin(), v.end())); }},
    {"any", TEST_FAMILY(all, any),
     [](const std::vector<L> &v) { return L(std::any_of(v.begin(), v.end(), [](L x) { return x != 0; })); }},
    {"all", TEST_FAMILY(all, all),
     [](const std::vector<L> &v) { return L(std::all_of(v.begin(), v.end(), [](L x) { return x != 0; })); }},
};

// For each element of the result, the elements of t that it is made of, in row-major order.
std::vector<std::vector<L>> groups(const THTensor *t, uint64_t dims, Shape *kept, bool keepdim) {
  kept->clear();
  int64_t outputs = 1;
  for (int d = 0; d < t->ndim; d++) {
    if (!(dims >> d & 1)) outputs *= t->size[d];
    if (!(dims >> d & 1) || keepdim) kept->push_back(dims >> d & 1 ? 1 : t->size[d]);
  }
  std::vector<std::vector<L>> groups((size_t(outputs)));
  for (int64_t i = 0; i < t->numel; i++) {
    int64_t rest = i, group = 0, step = 1;
    for (int d = t->ndim; d-- > 0; rest /= t->size[d])
      if (!(dims >> d & 1)) {
        group += rest % t->size[d] * step;
        step *= t->size[d];
      }
    groups[size_t(group)].push_back(exact(t, i));
  }
  return groups;
}

void check(const Reduction &op, THDtype dtype, const THTensor *t, uint64_t dims, bool keepdim, THDtype out) {
  const Tensor r(out);
  op.kernels[size_t(dtype)](r, t, dims, keepdim);
  Shape shape;
  const auto parts = groups(t, dims, &shape, keepdim);
  ASSERT_EQ(shapeOf(r), shape);
  for (int64_t i = 0; i < r->numel; i++) {
    const auto &part = parts[size_t(i)];
    const L got = exact(r, i);
    L want = op.reference(part);
    if (TH_kind(out) != TH_KIND_float) {
      if (TH_kind(out) == TH_KIND_int) want = wrap(out, __int128(want));
      ASSERT_EQ(got, want) << i;
      continue;
    }
    // Errors of a sum are relative to the sum of magnitudes.
    L scale = std::fabs(want);
    if (op.kernels[TH_Float] == THFloatTensor_sum || op.kernels[TH_Float] == THFloatTensor_mean) {
      scale = 0;
      for (L x : part) scale += std::fabs(x);
      if (op.kernels[TH_Float] == THFloatTensor_mean) scale /= L(part.size());
    }
    const L epsilon = dtype == TH_Double ? 0x1p-52L : 0x1p-23L, rounding = out == TH_Half       ? 0x1p-11L
                                                                           : out == TH_BFloat16 ? 0x1p-8L
                                                                                                : 0;
    if (std::isnan(want))
      ASSERT_TRUE(std::isnan(got));
    else
      ASSERT_LE(std::fabs(got - want),
                scale * epsilon * (2 + L(part.size()) / (op.kernels[TH_Float] == THFloatTensor_prod ? 4 : 64)) +
                    std::fabs(want) * rounding + 1e-30L)
          << i << ": " << got << ", not " << want;
  }
}

TEST(Reduce, AllSetsOfDimensions) {
  for (const Reduction &op : kReductions)
    for (int d : kRealDtypes) {
      if (!op.kernels[size_t(d)]) continue;
      const THDtype dtype = THDtype(d);
      SCOPED_TRACE(std::string(op.name) + " " + TH_dtypeName(dtype));
      const bool product = op.kernels[TH_Float] == THFloatTensor_prod,
                 truth = op.kernels[TH_Float] == THFloatTensor_any || op.kernels[TH_Float] == THFloatTensor_all;
      const Tensor source = make(dtype, {3, 10, 4, 9}, [&](int64_t i) -> double {
        const double x = noise(i, 3);
        if (product) return isInteger(dtype) ? (x < 0.02 ? 2 : 1) : 0.95 + x * 0.1;
        if (truth) return x < 0.1 ? 0 : x < 0.3 ? 1 : i / 9 % 2;
        return get(random(dtype, {1}, uint64_t(i)), 0);
      });
      for (Layout layout : kLayouts) {
        const Tensor t = relayout(source, layout);
        for (uint64_t dims = 0; dims < 16; dims++) check(op, dtype, t, dims, dims % 2, truth ? TH_Bool : dtype);
      }
      check(op, dtype, source, TH_ALL_DIMS, true, truth ? TH_Bool : dtype);
    }
}

TEST(Reduce, LongSequences) {
  for (const Shape &shape : {Shape{100000}, Shape{511}, Shape{512}, Shape{513}, Shape{40000, 3}, Shape{3, 40000},
                             Shape{300, 301}, Shape{70, 5, 90}, Shape{1000, 7}})
    for (THDtype dtype : {TH_Float, TH_Double, TH_Half, TH_Long}) {
      SCOPED_TRACE(testing::PrintToString(shape) + TH_dtypeName(dtype));
      const Tensor t = random(dtype, shape);
      for (uint64_t dims : {uint64_t(1), uint64_t(2), uint64_t(5), TH_ALL_DIMS}) {
        check(kReductions[0], dtype, t, dims, false, dtype);
        check(kReductions[3], dtype, t, dims, false, dtype);
      }
    }
}

// A million tenths: a plain float sum would be off by 1e-2.
// Equal addends are the worst case: every rounding goes the same way. (PyTorch is off by 2 here.)
TEST(Reduce, SumIsAccurate) {
  const Tensor t(TH_Float, {1 << 20}), r(TH_Float);
  THTensor_fill(t, number(0.1));
  THFloatTensor_sum(r, t, TH_ALL_DIMS, false);
  EXPECT_LE(ulps(TH_Float, exact(r, 0), L(0.1f) * (1 << 20)), 4);
  const Tensor column(THTensor_newReshape(t, 2, std::array<int64_t, 2>{1 << 16, 16}.data()));
  THFloatTensor_sum(r, column, 1, false);
  EXPECT_LE(ulps(TH_Float, exact(r, 5), L(0.1f) * (1 << 16)), 4);
}

TEST(Reduce, ConvertsInputAndResult) {
  const Tensor bytes = make(TH_Byte, {1000}, [](int64_t) { return 200; }), l(TH_Long), b(TH_Byte), f(TH_Half);
  THLongTensor_sum(l, bytes, TH_ALL_DIMS, false);
  EXPECT_EQ(get(l, 0), 200000);
  THByteTensor_sum(b, bytes, TH_ALL_DIMS, false);
  EXPECT_EQ(get(b, 0), 200000 % 256);
  THFloatTensor_mean(f, bytes, TH_ALL_DIMS, false);
  EXPECT_EQ(get(f, 0), 200);
  const Tensor tenths = make(TH_Float, {10}, [](int64_t) { return 0.5; });
  THIntTensor_sum(l, tenths, TH_ALL_DIMS, false);  // 0.5 is 0 in int32
  EXPECT_EQ(get(l, 0), 0);
  THIntTensor_any(b, tenths, TH_ALL_DIMS, false);
  EXPECT_EQ(get(b, 0), 0);
}

// Into a view, into a result of the right shape, over its own input.
TEST(Reduce, Results) {
  const Tensor t = random(TH_Float, {5, 6}), expected(TH_Float), gaps = uninitialised(TH_Float, {6}, Layout::gapped);
  THFloatTensor_sum(expected, t, 1, false);
  THFloatTensor_sum(gaps, t, 1, false);
  for (int64_t i = 0; i < 6; i++) EXPECT_EQ(get(gaps, i), get(expected, i));
  const Tensor row(THTensor_newSelect(t, 0, 2));
  THFloatTensor_sum(row, t, 1, false);
  expectSame(row, expected);
  const Tensor own = random(TH_Float, {5, 6});
  THFloatTensor_sum(own, own, 1, false);
  expectSame(own, expected);
  const Tensor fresh(TH_Float);
  THFloatTensor_sum(fresh, Tensor(THTensor_newTranspose(random(TH_Float, {5, 6}), 0, 1)), 2, true);
  EXPECT_EQ(shapeOf(fresh), (Shape{6, 1}));
}

TEST(Reduce, Empty) {
  const Tensor t(TH_Float, {3, 0}), r(TH_Float), b(TH_Bool), i(TH_Long);
  THFloatTensor_sum(r, t, 2, false);
  EXPECT_EQ(values(r), (std::vector<double>{0, 0, 0}));
  THFloatTensor_prod(r, t, 2, true);
  EXPECT_EQ(values(r), (std::vector<double>{1, 1, 1}));
  THFloatTensor_mean(r, t, TH_ALL_DIMS, false);
  EXPECT_TRUE(std::isnan(get(r, 0)));
  THFloatTensor_all(b, t, TH_ALL_DIMS, false);
  EXPECT_EQ(get(b, 0), 1);
  THFloatTensor_any(b, t, TH_ALL_DIMS, false);
  EXPECT_EQ(get(b, 0), 0);
  THFloatTensor_amax(r, t, 1, false);
  EXPECT_EQ(shapeOf(r), Shape{0});
  THFloatTensor_max(r, i, t, 0, false);
  EXPECT_EQ(shapeOf(i), Shape{0});
  expectRaises(TH_ERROR_INDEX, "amax(): Expected reduction dim 1 to have non-zero size.",
               [&] { THFloatTensor_amax(r, t, 2, false); });
  expectRaises(TH_ERROR_RUNTIME, "amax(): Expected reduction dim to be specified for input.numel() == 0.",
               [&] { THFloatTensor_amax(r, t, TH_ALL_DIMS, false); });
  expectRaises(TH_ERROR_INDEX, "min(): Expected reduction dim 1 to have non-zero size.",
               [&] { THFloatTensor_min(r, i, t, 1, false); });
  expectRaises(TH_ERROR_INDEX, "argmax(): Expected reduction dim to be specified for input.numel() == 0.",
               [&] { THFloatTensor_argmax(i, t, 0, false, true); });
}

TEST(Reduce, ZeroDimensional) {
  const Tensor t(THTensor_newWithScalar(TH_Float, number(3))), r(TH_Float), i(TH_Long);
  THFloatTensor_sum(r, t, 1, true);
  EXPECT_EQ(shapeOf(r), Shape{});
  EXPECT_EQ(get(r, 0), 3);
  THFloatTensor_max(r, i, t, 0, true);
  EXPECT_EQ(get(i, 0), 0);
  expectRaises(TH_ERROR_INDEX, "Dimension out of range (expected to be in range of [-1, 0], but got 1)",
               [&] { THFloatTensor_max(r, i, t, 1, false); });
}

// First of equals, first NaN; places agree with values.
TEST(Reduce, Places) {
  const auto max = TEST_FAMILY(all, max);
  const auto min = TEST_FAMILY(all, min);
  for (int d : kRealDtypes)
    for (const Shape &shape : {Shape{7, 600, 5}, Shape{2, 3, 4}, Shape{40, 30, 20}, Shape{1, 2000, 1}})
      for (Layout layout : {Layout::contiguous, Layout::reversed, Layout::gapped}) {
        const THDtype dtype = THDtype(d);
        SCOPED_TRACE(std::string(TH_dtypeName(dtype)) + testing::PrintToString(shape));
        const Tensor t = relayout(make(dtype, shape,
                                       [&](int64_t i) {
                                         const double x = std::floor(noise(i, 8) * 50) -
                                                          (dtype == TH_Byte || dtype == TH_Bool ? 0 : 25);
                                         return TH_kind(dtype) == TH_KIND_float && i % 977 == 5 ? NAN : x;
                                       }),
                                  layout);
        for (int dim = -1; dim < 2; dim++)
          for (bool largest : {true, false}) {
            const Tensor values(dtype), indices(TH_Long), only(TH_Long);
            (largest ? max : min)[size_t(d)](values, indices, t, dim, false);
            (largest ? TEST_FAMILY(all, argmax) : TEST_FAMILY(all, argmin))[size_t(d)](only, t, dim, false, false);
            expectSame(only, indices);
            Shape kept;
            const auto parts = groups(t, uint64_t(1) << TH_wrapDim(dim, 3), &kept, false);
            ASSERT_EQ(shapeOf(indices), kept);
            for (int64_t i = 0; i < indices->numel; i++) {
              const auto &v = parts[size_t(i)];
              auto at = std::find_if(v.begin(), v.end(), [](L x) { return std::isnan(x); });
              if (at == v.end())
                at = largest ? std::max_element(v.begin(), v.end()) : std::min_element(v.begin(), v.end());
              ASSERT_EQ(get(indices, i), double(at - v.begin()));
              ASSERT_TRUE(exact(values, i) == *at || std::isnan(*at));
            }
          }
        const Tensor flat(TH_Long);
        TEST_FAMILY(all, argmax)[size_t(d)](flat, t, 0, false, true);
        Shape kept;
        const auto v = groups(t, TH_ALL_DIMS, &kept, false)[0];
        auto at = std::find_if(v.begin(), v.end(), [](L x) { return std::isnan(x); });
        if (at == v.end()) at = std::max_element(v.begin(), v.end());
        EXPECT_EQ(get(flat, 0), double(at - v.begin()));
      }
  const Tensor infinite = make(TH_Float, {600}, [](int64_t) { return -INFINITY; }), i(TH_Long);
  THFloatTensor_argmax(i, infinite, 0, false, false);
  EXPECT_EQ(get(i, 0), 0);
  const Tensor columns(THTensor_newReshape(infinite, 2, std::array<int64_t, 2>{30, 20}.data()));
  THFloatTensor_argmax(i, columns, 0, false, false);
  EXPECT_EQ(get(i, 3), 0);
}

TEST(Reduce, ThreadsDoNotMatter) {
  for (const Shape &shape : {Shape{200003}, Shape{20001, 9}, Shape{9, 20001}, Shape{400, 401}, Shape{100, 20, 70}}) {
    const Tensor t = random(TH_Float, shape), turned(THTensor_newTranspose(t, 0, -1));
    for (uint64_t dims : {uint64_t(1), uint64_t(2), uint64_t(4), uint64_t(5), TH_ALL_DIMS})
      for (const THTensor *x : {static_cast<THTensor *>(t), static_cast<THTensor *>(turned)}) {
        expectThreadIndependent([&] {
          Tensor r(TH_Float);
          THFloatTensor_sum(r, x, dims, false);
          return r;
        });
        expectThreadIndependent([&] {
          Tensor r(TH_Half);
          THHalfTensor_prod(r, x, dims, false);
          return r;
        });
      }
    expectThreadIndependent([&] {
      Tensor r(TH_Float), i(TH_Long);
      THFloatTensor_max(r, i, t, 0, false);
      return i;
    });
    expectThreadIndependent([&] {
      Tensor i(TH_Long);
      THFloatTensor_argmin(i, turned, 0, false, true);
      return i;
    });
  }
}

TEST(Reduce, Equal) {
  const Tensor a = random(TH_Float, {4, 5}), b = relayout(a, Layout::reversed), n = of(TH_Float, {NAN});
  EXPECT_TRUE(THTensor_equal(a, b));
  set(b, 19, 100);
  EXPECT_FALSE(THTensor_equal(a, b));
  EXPECT_FALSE(THTensor_equal(a, Tensor(THTensor_newTranspose(a, 0, 1))));
  EXPECT_FALSE(THTensor_equal(n, n));
  EXPECT_TRUE(THTensor_equal(of(TH_Float, {0}), of(TH_Float, {-0.0})));
  EXPECT_TRUE(THTensor_equal(Tensor(TH_Int), Tensor(TH_Int)));
}

}  // namespace
