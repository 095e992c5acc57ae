// TH's products by oneDNN, which THNN offers to it, and by BLAS: against double precision, over layouts, for any number of
// threads.
#include <THNN/THNN.h>

#include <random>
#include <span>
#include <string>

#include "../../TH/tests/tensors.hpp"

using namespace test;

namespace {

struct Sizes {
  int64_t m, n, k;
  std::string text() const { return std::to_string(m) + " x " + std::to_string(n) + " x " + std::to_string(k); }
};

// Large enough for oneDNN, small, with edges, with few rows or columns, and with more terms than one call adds up.
constexpr Sizes kSizes[] = {{256, 80, 128},  {33, 65, 70},  {1024, 65, 128}, {4, 512, 128},
                            {512, 8, 300},   {8, 9, 20000}, {64, 80, 513},   {40, 90, 1024},
                            {96, 256, 2048}, {3, 4, 5},     {2, 2000, 300},  {1, 700, 1000}};

// alpha and beta; the first three for all sizes
constexpr std::pair<double, double> kFactors[] = {{1.0, 0.0},  {1.0, 1.0},    {0.5, -2.0}, {1.0, 3.4445},
                                                  {-0.3, 0.0}, {2.0315, 1.0}, {0.0, 1.5},  {0x1p-30, 1.0}};

Tensor converted(THDtype dtype, const THTensor *t) {
  Tensor copy(dtype, shapeOf(t));
  THTensor_copy(copy, t);
  return copy;
}

using Product = decltype(&THFloatTensor_addmm);
struct Kernel {
  THDtype dtype;
  Product product;
  double rounding;
};
constexpr Kernel kKernels[] = {{TH_Float, THFloatTensor_addmm, 1e-6},
                               {TH_BFloat16, THBFloat16Tensor_addmm, 0x1p-8},
                               {TH_Half, THHalfTensor_addmm, 0x1p-11}};

struct Problem {
  Tensor a, b, t;
  double alpha, beta;
  Problem(THDtype dtype, const Sizes &s, double alpha, double beta)
      : a(random(dtype, {s.m, s.k}, 1)), b(random(dtype, {s.k, s.n}, 2)), t(random(dtype, {s.m, s.n}, 3)), alpha(alpha),
        beta(beta) {}
  Tensor by(Product product, THDtype dtype, Layout la, Layout lb, Layout lr) const {
    Tensor r = uninitialised(dtype, shapeOf(t), lr);
    product(r, number(beta), t, number(alpha), relayout(a, la), relayout(b, lb));
    return r;
  }
  Tensor plain(Product product, THDtype dtype) const {
    return by(product, dtype, Layout::contiguous, Layout::contiguous, Layout::contiguous);
  }
  Tensor exact() const {
    Tensor r(TH_Double);
    THDoubleTensor_addmm(r, number(beta), converted(TH_Double, t), number(alpha), converted(TH_Double, a),
                         converted(TH_Double, b));
    return r;
  }
};

// Each element within `part` of itself, and of the sum of its terms' sizes.
void expectNear(const THTensor *got, const THTensor *exact, double rounding, double part, const std::string &what) {
  ASSERT_EQ(shapeOf(got), shapeOf(exact)) << what;
  for (int64_t i = 0; i < exact->numel; i++)
    ASSERT_NEAR(get(got, i), get(exact, i), rounding * std::abs(get(exact, i)) + part) << what << ", element " << i;
}

class Products : public testing::Test {
 protected:
  void TearDown() override { THNNOneDNN_setEnabled(true); }
};

void agree(const Kernel &kernel) {
  const auto &[dtype, product, rounding] = kernel;
  int differ = 0;
  for (const Sizes &s : kSizes)
    for (const auto &[alpha, beta] : std::span(kFactors).first(s.m == 256 ? 8 : 3)) {
      const Problem problem(dtype, s, alpha, beta);
      const Tensor exact = problem.exact();
      const double sums = 1e-5 * std::sqrt(double(s.k));
      // The second factor as it lies, and transposed.
      for (const Layout second : {Layout::contiguous, Layout::reversed}) {
        const auto compute = [&] { return problem.by(product, dtype, Layout::contiguous, second, Layout::contiguous); };
        const Tensor theirs = compute();
        expectNear(theirs, exact, rounding, sums, s.text() + " by oneDNN");
        THNNOneDNN_setEnabled(false);
        const Tensor ours = compute();
        THNNOneDNN_setEnabled(true);
        expectNear(ours, exact, rounding, sums, s.text() + " by BLAS");
        differ += second == Layout::reversed && values(ours) != values(theirs);
      }
    }
  // That it was oneDNN which computed some of those with a transposed second factor, on every processor; it rounds
  // otherwise. Of bfloat16 where the processor has it.
  if (dtype == TH_Float) {
    EXPECT_EQ(differ > 5, THNNOneDNN_version() != nullptr) << differ;
  }
}

}  // namespace

TEST_F(Products, AgreeInSinglePrecision) { agree(kKernels[0]); }
TEST_F(Products, AgreeInBFloat16) { agree(kKernels[1]); }
TEST_F(Products, AgreeInHalfPrecision) { agree(kKernels[2]); }

TEST_F(Products, AreTheSameBitsForAnyDistanceOfRows) {
  for (const auto &[dtype, product, rounding] : kKernels)
    for (const Sizes &s : kSizes) {
      SCOPED_TRACE(s.text());
      const Problem problem(dtype, s, 1, 1);
      // Rows that lie together, rows of a wider matrix that begin off a vector's alignment, and elements with gaps.
      const Tensor want = problem.plain(product, dtype);
      for (const Layout layout : {Layout::offset, Layout::gapped}) {
        expectSame(problem.by(product, dtype, layout, Layout::contiguous, Layout::contiguous), want);
        expectSame(problem.by(product, dtype, Layout::contiguous, layout, Layout::contiguous), want);
        expectSame(problem.by(product, dtype, Layout::contiguous, Layout::contiguous, layout), want);
      }
      // Transposed ones may round otherwise.
      const Tensor turned = problem.by(product, dtype, Layout::reversed, Layout::reversed, Layout::contiguous);
      expectNear(turned, problem.exact(), rounding, 1e-5 * std::sqrt(double(s.k)), s.text());
    }
}

TEST_F(Products, DoNotDependOnThreads) {
  for (const auto &[dtype, product, rounding] : kKernels)
    for (const Sizes &s : {Sizes{1024, 128, 512}, {700, 300, 600}, {64, 2048, 300}}) {
      const Problem problem(dtype, s, 1, 0);
      expectThreadIndependent([&, product = product, dtype = dtype] { return problem.plain(product, dtype); });
    }
}

// Those with a transposed matrix have a kernel of their own where it is faster.
TEST_F(Products, OfFewRows) {
  const int64_t n = 400;
  for (const int64_t k : {512, 515}) {
    const Tensor rows = random(TH_Float, {24, k}, 1), b = random(TH_Float, {n, k}, 2), t = random(TH_Float, {24, n}, 3);
    const auto by = [&](int64_t m, Layout la, Layout lb, Layout lr, double alpha = 1, double beta = 0) {
      const Tensor a(THTensor_newNarrow(rows, 0, 0, m)), first(THTensor_newNarrow(t, 0, 0, m)),
          right = relayout(b, lb), turned(THTensor_newTranspose(right, 0, 1));
      Tensor r = uninitialised(TH_Float, {m, n}, lr);
      THFloatTensor_addmm(r, number(beta), first, number(alpha), relayout(a, la), turned);
      return r;
    };
    const auto plain = Layout::contiguous;
    for (const int64_t m : {2, 4, 9, 16, 23}) {
      SCOPED_TRACE(std::to_string(m) + " x " + std::to_string(k));
      const Tensor a(THTensor_newNarrow(rows, 0, 0, m)), turned(THTensor_newTranspose(b, 0, 1)),
          first(THTensor_newNarrow(t, 0, 0, m));
      for (const auto &[alpha, beta] : {std::pair(1.0, 0.0), {0.5, -2.0}}) {
        Tensor exact(TH_Double);
        THDoubleTensor_addmm(exact, number(beta), converted(TH_Double, first), number(alpha), converted(TH_Double, a),
                             converted(TH_Double, turned));
        const Tensor r = by(m, plain, plain, plain, alpha, beta);
        expectNear(r, exact, 1e-6, 1e-5 * std::sqrt(double(k)), "few rows");
        for (const Layout layout : {Layout::offset, Layout::gapped}) {
          expectSame(by(m, layout, plain, plain, alpha, beta), r);
          expectSame(by(m, plain, layout, plain, alpha, beta), r);
          expectSame(by(m, plain, plain, layout, alpha, beta), r);
        }
      }
      expectThreadIndependent([&] { return by(m, plain, plain, plain); });
    }
  }
}

// Small ones, some of which are computed at once, and large ones: plain, of a wider tensor, turned, one for all.
TEST_F(Products, OfBatches) {
  struct Batch {
    int64_t count, m, n, k;
  };
  for (const THDtype dtype : {TH_BFloat16, TH_Half})
    for (const Batch &s : {Batch{11, 40, 100, 64}, {70, 33, 31, 50}, {2, 256, 280, 320}})
      for (const auto &[alpha, beta] : {std::pair(1.0, 0.0), {0.5, -1.5}}) {
        const auto product = dtype == TH_Half ? THHalfTensor_baddbmm : THBFloat16Tensor_baddbmm;
        const Tensor a = random(dtype, {s.count, s.m, s.k}, 1), b = random(dtype, {s.count, s.k, s.n}, 2),
                     t = random(dtype, {s.count, s.m, s.n}, 3);
        const auto by = [&](Layout la, Layout lb, Layout lr) {
          Tensor r = uninitialised(dtype, shapeOf(t), lr);
          product(r, number(beta), t, number(alpha), relayout(a, la), relayout(b, lb));
          return r;
        };
        const Tensor r = by(Layout::contiguous, Layout::contiguous, Layout::contiguous);
        Tensor exact(TH_Double);
        THDoubleTensor_baddbmm(exact, number(beta), converted(TH_Double, t), number(alpha), converted(TH_Double, a),
                               converted(TH_Double, b));
        const double rounding = dtype == TH_Half ? 0x1p-11 : 0x1p-8, sums = 1e-5 * std::sqrt(double(s.k));
        expectNear(r, exact, rounding, sums, "a batch");
        for (const Layout layout : {Layout::offset, Layout::gapped}) {
          expectSame(by(layout, Layout::contiguous, Layout::contiguous), r);
          expectSame(by(Layout::contiguous, layout, Layout::contiguous), r);
          expectSame(by(Layout::contiguous, Layout::contiguous, layout), r);
        }
        expectNear(by(Layout::reversed, Layout::reversed, Layout::contiguous), exact, rounding, sums, "turned");
        expectThreadIndependent([&] { return by(Layout::contiguous, Layout::contiguous, Layout::contiguous); });

        const Tensor first(THTensor_newNarrow(b, 0, 0, 1));
        const int64_t size[] = {s.count, s.k, s.n};
        const Tensor same(THTensor_newExpand(first, 3, size)), repeated = relayout(same, Layout::contiguous);
        Tensor got(dtype), want(dtype);
        product(got, number(beta), t, number(alpha), a, same);
        product(want, number(beta), t, number(alpha), a, repeated);
        expectSame(got, want);
      }
}

// A result is not read where it is only written, and what is no number stays none.
TEST_F(Products, OfNumbersThatAreNone) {
  for (const auto &[dtype, product, rounding] : kKernels) {
    Tensor a = random(dtype, {64, 128}, 1), r = make(dtype, {64, 192}, [](int64_t) { return double(NAN); });
    const Tensor b = random(dtype, {128, 192}, 2);
    product(r, number(0), r, number(1), a, b);
    for (const double x : values(r)) ASSERT_TRUE(std::isfinite(x));
    set(a, 3 * 128 + 5, NAN), set(a, 7 * 128, INFINITY);
    product(r, number(0), r, number(1), a, b);
    for (int64_t i = 0; i < r->numel; i++) {
      const double x = get(r, i);
      ASSERT_EQ(std::isnan(x), i / 192 == 3) << i;
      ASSERT_EQ(std::isinf(x), i / 192 == 7) << i;
    }
  }
}

// In the cache of convolutions.
TEST_F(Products, KeepNoMorePrimitivesThanAreAllowed) {
  const Tensor b = random(TH_BFloat16, {64, 32}, 2), first = random(TH_BFloat16, {100, 64}, 1);
  Tensor want(TH_BFloat16), again(TH_BFloat16);
  THBFloat16Tensor_addmm(want, number(0), want, number(1), first, b);
  for (int64_t m = 101; m < 400; m++) {
    Tensor r(TH_BFloat16);
    THBFloat16Tensor_addmm(r, number(0), r, number(1), random(TH_BFloat16, {m, 64}, 1), b);
    ASSERT_LE(THNNOneDNN_cached(), THNNOneDNN_capacity());
  }
  THBFloat16Tensor_addmm(again, number(0), again, number(1), first, b);
  expectSame(again, want);
}
