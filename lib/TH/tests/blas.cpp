// dot, addmv, addmm, baddbmm against three loops, in all dtypes and layouts.
#include "tensors.hpp"

using namespace test;

namespace {

const auto addmm = TEST_FAMILY(number, addmm);
const auto addmv = TEST_FAMILY(number, addmv);
const auto baddbmm = TEST_FAMILY(number, baddbmm);
const auto dot = TEST_FAMILY(number, dot);

double tolerance(THDtype dtype) {
  return dtype == TH_Half       ? 2e-3
         : dtype == TH_BFloat16 ? 2e-2
         : dtype == TH_Float    ? 1e-5
         : dtype == TH_Double   ? 1e-13
                                : 0;
}

// Integers wrap to the width of the type.
double wrapped(THDtype dtype, double x) {
  const int64_t i = int64_t(x);
  switch (dtype) {
    case TH_Byte: return double(uint8_t(i));
    case TH_Char: return double(int8_t(i));
    case TH_Short: return double(int16_t(i));
    default: return x;
  }
}

// beta t + alpha a b for b x m x k and b x k x n tensors; t has any shape that broadcasts to the rightmost dims.
std::vector<double> reference(int64_t batch, int64_t m, int64_t n, int64_t k, double beta, const THTensor *t,
                              double alpha, const THTensor *a, const THTensor *b) {
  std::vector<double> r;
  for (int64_t q = 0; q < batch; q++)
    for (int64_t i = 0; i < m; i++)
      for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t l = 0; l < k; l++) sum += get(a, (q * m + i) * k + l) * get(b, (q * k + l) * n + j);
        const int64_t at = ((q * m + i) * n + j) % std::max<int64_t>(1, t->numel);  // a suffix of the shape
        r.push_back(alpha * sum + (beta == 0 ? 0 : beta * get(t, at)));
      }
  return r;
}

void expectNear(const THTensor *r, const std::vector<double> &expected, double scale) {
  ASSERT_EQ(size_t(r->numel), expected.size());
  const THDtype dtype = THDtype(r->dtype);
  for (int64_t i = 0; i < r->numel; i++) {
    const double e = expected[size_t(i)];
    if (tolerance(dtype) == 0)
      ASSERT_EQ(get(r, i), wrapped(dtype, e));
    else
      ASSERT_NEAR(get(r, i), e, tolerance(dtype) * (std::fabs(e) + scale)) << "element " << i;
  }
}

struct Sizes {
  int64_t m, n, k;
};
constexpr Sizes kSizes[] = {{2, 3, 4},    {1, 5, 3}, {5, 1, 3}, {1, 1, 7}, {3, 4, 1}, {17, 33, 65}, {70, 40, 20},
                            {6, 21, 300}, {0, 3, 2}, {3, 0, 2}, {3, 2, 0}, {1, 3, 0}, {3, 1, 0},    {0, 0, 0}};

TEST(Blas, AddmmLayouts) {
  for (const Sizes &s : kSizes)
    for (int d : kNumberDtypes) {
      const THDtype dtype = THDtype(d);
      SCOPED_TRACE(TH_dtypeName(dtype) + std::to_string(s.m) + "x" + std::to_string(s.n) + "x" + std::to_string(s.k));
      const Tensor a = random(dtype, {s.m, s.k}, 1), b = random(dtype, {s.k, s.n}, 2), t = random(dtype, {s.m, s.n}, 3);
      const bool small = s.m * s.n * s.k < 1000;
      for (Layout la : kLayouts)
        for (Layout lb : kLayouts)
          for (Layout lr : kLayouts) {
            if (!small && (la != lb || la != lr || la == Layout::offset)) continue;
            Tensor r = uninitialised(dtype, {s.m, s.n}, lr);
            addmm[d](r, number(2), t, number(3), relayout(a, la), relayout(b, lb));
            expectNear(r, reference(1, s.m, s.n, s.k, 2, t, 3, a, b), double(s.k));
          }
    }
}

TEST(Blas, BetaAndResults) {
  for (THDtype dtype : {TH_Float, TH_Double, TH_Half, TH_Long, TH_Char}) {
    const Tensor a = random(dtype, {4, 6}, 1), b = random(dtype, {6, 5}, 2), t = random(dtype, {4, 5}, 3);
    const auto sum = reference(1, 4, 5, 6, 1, t, 1, a, b);
    Tensor r = relayout(t, Layout::contiguous);
    addmm[dtype](r, number(1), r, number(1), a, b);  // in place
    expectNear(r, sum, 6);
    Tensor gapped = relayout(t, Layout::gapped);
    addmm[dtype](gapped, number(1), gapped, number(1), a, b);
    expectNear(gapped, sum, 6);
    const Tensor row = random(dtype, {5}, 4);  // broadcast, as a bias is
    addmm[dtype](r, number(1), row, number(2), a, b);
    expectNear(r, reference(1, 4, 5, 6, 1, row, 2, a, b), 6);
    Tensor fresh(dtype);  // beta 0: t is not looked at
    addmm[dtype](fresh, number(0), fresh, number(1), a, b);
    expectNear(fresh, reference(1, 4, 5, 6, 0, t, 1, a, b), 6);
    Tensor square = random(dtype, {4, 4}, 5), other = random(dtype, {4, 4}, 6);
    const auto expected = reference(1, 4, 4, 4, 0, t, 1, square, other);
    addmm[dtype](square, number(0), square, number(1), square, other);  // into a factor
    expectNear(square, expected, 4);
  }
  Tensor nan = of(TH_Float, {NAN, NAN});
  addmv[TH_Float](nan, number(0), nan, number(1), random(TH_Float, {2, 3}), random(TH_Float, {3}));
  for (double x : values(nan)) EXPECT_FALSE(std::isnan(x));
  const Tensor empty(TH_Float, {2, 0});
  Tensor keep = of(TH_Float, {1, 2});
  addmv[TH_Float](keep, number(3), keep, number(1), empty, Tensor(TH_Float, {0}));
  EXPECT_EQ(values(keep), (std::vector<double>{3, 6}));
}

// Products of float8 are computed in float and rounded once.
TEST(Blas, Float8) {
  for (THDtype dtype : {TH_Float8_e4m3fn, TH_Float8_e5m2, TH_Float8_e4m3fnuz, TH_Float8_e5m2fnuz}) {
    SCOPED_TRACE(TH_dtypeName(dtype));
    const Tensor a = make(dtype, {3, 5}, [](int64_t i) { return double(i % 4) - 1; });
    const Tensor b = make(dtype, {5, 2}, [](int64_t i) { return double(i % 3) / 2; });
    const Tensor t = make(dtype, {3, 2}, [](int64_t i) { return double(i); });
    Tensor r(dtype), expected(dtype, {3, 2}), sum(TH_Float);
    THFloatTensor_addmm(r, number(0.5), t, number(2), a, b);
    const auto wide = [](const THTensor *narrow) {
      return make(TH_Float, shapeOf(narrow), [=](int64_t i) { return get(narrow, i); });
    };
    THFloatTensor_addmm(sum, number(0.5), wide(t), number(2), wide(a), wide(b));
    THTensor_copy(expected, sum);
    expectSame(r, expected);
    expectRaises(TH_ERROR_RUNTIME, "same dtype", [&] { THFloatTensor_addmm(r, number(1), t, number(1), a, wide(b)); });
    expectRaises(TH_ERROR_RUNTIME, "out tensor", [&] { THFloatTensor_addmm(sum, number(1), t, number(1), a, b); });
  }
}

TEST(Blas, Addmv) {
  for (int d : kNumberDtypes)
    for (const Sizes &s : {Sizes{1, 1, 1}, {3, 1, 4}, {40, 1, 70}, {300, 1, 5}, {0, 1, 4}, {4, 1, 0}})
      for (Layout layout : kLayouts)
        for (Layout vector : {Layout::contiguous, Layout::gapped}) {
          const THDtype dtype = THDtype(d);
          const Tensor m = random(dtype, {s.m, s.k}, 1), v = random(dtype, {s.k}, 2), t = random(dtype, {s.m}, 3);
          Tensor r = uninitialised(dtype, {s.m}, vector);
          addmv[d](r, number(2), t, number(1), relayout(m, layout), relayout(v, vector));
          expectNear(r, reference(1, s.m, 1, s.k, 2, t, 1, m, v), double(s.k));
        }
}

TEST(Blas, Baddbmm) {
  for (int d : kNumberDtypes)
    for (const Sizes &s : {Sizes{2, 3, 4}, {1, 3, 4}, {3, 1, 4}, {2, 3, 0}, {0, 3, 4}, {20, 30, 10}})
      for (int64_t batch : {0, 1, 5})
        for (Layout layout : kLayouts) {
          const THDtype dtype = THDtype(d);
          const Tensor a = random(dtype, {batch, s.m, s.k}, 1), b = random(dtype, {batch, s.k, s.n}, 2);
          const Tensor t = random(dtype, {s.m, s.n}, 3);
          Tensor r = uninitialised(dtype, {batch, s.m, s.n}, layout);
          baddbmm[d](r, number(1), t, number(2), relayout(a, layout), relayout(b, layout));
          expectNear(r, reference(batch, s.m, s.n, s.k, 1, t, 2, a, b), double(s.k));
        }
  // One matrix for all of the batch.
  const Tensor one = random(TH_Float, {1, 3, 4}), b = random(TH_Float, {6, 4, 2});
  const Tensor all(THTensor_newExpand(one, 3, Shape{6, 3, 4}.data()));
  Tensor r(TH_Float);
  baddbmm[TH_Float](r, number(0), r, number(1), all, b);
  expectNear(r, reference(6, 3, 2, 4, 0, one, 1, relayout(all, Layout::contiguous), b), 4);
}

TEST(Blas, ExpandedFactors) {
  const Tensor row = random(TH_Float, {1, 4}), column = random(TH_Float, {3, 1});
  const Tensor a(THTensor_newExpand(row, 2, Shape{3, 4}.data())), b(THTensor_newExpand(column, 2, Shape{3, 5}.data()));
  Tensor r(TH_Float);
  addmm[TH_Float](r, number(0), r, number(1), Tensor(THTensor_newTranspose(a, 0, 1)), b);
  expectNear(r, reference(1, 4, 5, 3, 0, r, 1, relayout(Tensor(THTensor_newTranspose(a, 0, 1)), Layout::contiguous), b),
             3);
}

TEST(Blas, Dot) {
  for (int d : kNumberDtypes)
    for (int64_t n : {0, 1, 5, 100, 40000})
      for (Layout layout : {Layout::contiguous, Layout::gapped}) {
        const THDtype dtype = THDtype(d);
        const Tensor a = random(dtype, {n}, 1), b = random(dtype, {n}, 2);
        Tensor r(dtype);
        dot[d](r, relayout(a, layout), relayout(b, layout));
        ASSERT_EQ(r->ndim, 0);
        expectNear(r, reference(1, 1, 1, n, 0, r, 1, a, b), std::sqrt(double(n)) + 1);
      }
}

TEST(Blas, ThreadsMakeNoDifference) {
  for (THDtype dtype : {TH_Float, TH_Double, TH_Int, TH_BFloat16})
    for (const Sizes &s : {Sizes{300, 300, 300}, {5, 700, 333}, {1000, 10, 700}, {1, 900, 900}, {900, 1, 900}}) {
      const Tensor a = random(dtype, {s.m, s.k}, 1), b = random(dtype, {s.k, s.n}, 2);
      expectThreadIndependent([&] {
        Tensor r(dtype);
        addmm[dtype](r, number(0), r, number(1), a, b);
        return r;
      });
    }
  const Tensor x = random(TH_Float, {300001}, 1), y = random(TH_Float, {300001}, 2),
               batch = random(TH_Float, {20, 40, 40});
  expectThreadIndependent([&] {
    Tensor r(TH_Float);
    dot[TH_Float](r, x, y);
    return r;
  });
  expectThreadIndependent([&] {
    Tensor r(TH_Float);
    baddbmm[TH_Float](r, number(0), r, number(1), batch, batch);
    return r;
  });
}

TEST(Blas, ErrorsChangeNothing) {
  const auto z = [](const Shape &shape, THDtype dtype = TH_Float) { return random(dtype, shape); };
  Tensor r = of(TH_Float, {7});
  const auto mm = [&](const THTensor *t, const THTensor *a, const THTensor *b) {
    addmm[TH_Float](r, number(1), t, number(1), a, b);
  };
  const auto mv = [&](const THTensor *t, const THTensor *a, const THTensor *b) {
    addmv[TH_Float](r, number(1), t, number(1), a, b);
  };
  const auto bmm = [&](const THTensor *t, const THTensor *a, const THTensor *b) {
    baddbmm[TH_Float](r, number(1), t, number(1), a, b);
  };
  const struct {
    const char *text;
    std::function<void()> call;
  } cases[] = {
      {"mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)", [&] { mm(z({2, 5}), z({2, 3}), z({4, 5})); }},
      {"mat1 must be a matrix, got 1-D tensor", [&] { mm(z({2}), z({2}), z({2, 2})); }},
      {"mat2 must be a matrix, got 1-D tensor", [&] { mm(z({2}), z({2, 2}), z({2})); }},
      {"expected m1 and m2 to have the same dtype", [&] { mm(z({2, 4}), z({2, 3}), z({3, 4}, TH_Double)); }},
      {"The expanded size of the tensor (5) must match the existing size (7) at non-singleton dimension 1.  Target "
       "sizes: [3, 5].  Tensor sizes: [7]",
       [&] { mm(z({7}), z({3, 4}), z({4, 5})); }},
      {"Expected out tensor to have dtype float64, but got float32 instead",
       [&] {
         addmm[TH_Double](r, number(1), z({2, 2}, TH_Double), number(1), z({2, 2}, TH_Double), z({2, 2}, TH_Double));
       }},
      {"vector + matrix @ vector expected, got 1, 1, 1", [&] { mv(z({2}), z({2}), z({4})); }},
      {"size mismatch, got input (7), mat (3x4), vec (4)", [&] { mv(z({7}), z({3, 4}), z({4})); }},
      {"batch1 must be a 3D tensor", [&] { bmm(z({2}), z({3, 4}), z({2, 5, 5})); }},
      {"Expected size for first two dimensions of batch2 tensor to be: [2, 4] but got: [3, 4].",
       [&] { bmm(z({2, 3, 5}), z({2, 3, 4}), z({3, 4, 5})); }},
      {"1D tensors expected, but got 1D and 2D tensors", [&] { dot[TH_Float](r, z({2}), z({4, 4})); }},
      {"inconsistent tensor size, expected tensor [2] and src [4] to have the same number of elements, but got 2 and 4 "
       "elements respectively",
       [&] { dot[TH_Float](r, z({2}), z({4})); }},
      {"dot : expected both vectors to have same dtype, but found Float and Double",
       [&] { dot[TH_Float](r, z({2}), z({2}, TH_Double)); }},
  };
  for (const auto &c : cases) expectRaises(TH_ERROR_RUNTIME, c.text, c.call);
  EXPECT_EQ(values(r), std::vector<double>{7});
}

}  // namespace
