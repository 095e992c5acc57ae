// Scatter with arithmetic, triangles, masked copies, ranges: against element-by-element loops.
#include <algorithm>

#include "tensors.hpp"

using namespace test;

namespace {

Tensor rowsOf(const Shape &shape, int64_t below) {
  return make(TH_Long, shape, [=](int64_t i) { return std::floor(noise(i, 5) * double(below)); });
}

struct Operation {
  std::vector<TEST_TYPE_all(scatterAdd)> kernels;
  double (*of)(double, double);
};
const Operation kOperations[] = {
    {TEST_FAMILY(all, scatterAdd), [](double a, double b) { return a + b; }},
    {TEST_FAMILY(all, scatterProd), [](double a, double b) { return a * b; }},
    {TEST_FAMILY(all, scatterAmax), [](double a, double b) { return std::max(a, b); }},
    {TEST_FAMILY(all, scatterAmin), [](double a, double b) { return std::min(a, b); }},
};

TEST(Scatter, Reduces) {
  const Shape shape = {4, 5}, picked = {7, 3};
  for (const Operation &operation : kOperations)
    for (int d : kNumberDtypes)
      for (Layout layout : kLayouts) {
        if (d == TH_Byte) continue;  // has no -1
        const THDtype dtype = THDtype(d);
        const Tensor index = rowsOf(picked, 4);
        // Powers of two, so that every product and sum is exact.
        const auto small = [](int64_t i) { return i % 3 == 0 ? -1.0 : 1.0; };
        const Tensor t = make(dtype, shape, small), src = make(dtype, picked, small);
        const Tensor self = relayout(t, layout);
        const Tensor expected = relayout(t, Layout::contiguous);
        for (int64_t i = 0; i < src->numel; i++) {
          const int64_t place = int64_t(get(index, i)) * 5 + i % 3;
          set(expected, place, operation.of(get(expected, place), get(src, i)));
        }
        operation.kernels[dtype](self, 0, relayout(index, layout), relayout(src, layout));
        expectSame(self, expected);
      }
}

TEST(Scatter, BoolsAreOredAndAnded) {
  const Tensor index = of(TH_Long, {0, 0, 1});
  Tensor any = of(TH_Bool, {0, 0, 1}), every = of(TH_Bool, {1, 1, 0});
  THBoolTensor_scatterAdd(any, 0, index, of(TH_Bool, {1, 1, 0}));
  THBoolTensor_scatterProd(every, 0, index, of(TH_Bool, {1, 0, 1}));
  EXPECT_EQ(values(any), (std::vector<double>{1, 0, 1}));
  EXPECT_EQ(values(every), (std::vector<double>{0, 1, 0}));
}

TEST(Scatter, NanWinsAndIntegersWrap) {
  Tensor largest = of(TH_Float, {1, 2}), bytes = of(TH_Byte, {200, 3});
  THFloatTensor_scatterAmax(largest, 0, of(TH_Long, {0, 0, 1}), of(TH_Float, {NAN, 5, 1}));
  EXPECT_TRUE(std::isnan(get(largest, 0)));
  EXPECT_EQ(get(largest, 1), 2);
  THByteTensor_scatterAdd(bytes, 0, of(TH_Long, {0}), of(TH_Byte, {100}));
  THByteTensor_scatterProd(bytes, 0, of(TH_Long, {1}), of(TH_Byte, {100}));
  EXPECT_EQ(values(bytes), (std::vector<double>{44, 44}));
}

TEST(Scatter, DoesNotDependOnThreads) {
  const Tensor index = rowsOf({500, 300}, 3), src = random(TH_Float, {500, 300});
  expectThreadIndependent([&] {
    Tensor sum = make(TH_Float, {3, 300}, [](int64_t) { return 0; });
    THFloatTensor_scatterAdd(sum, 0, index, src);
    return sum;
  });
}

TEST(Scatter, RefusesBeforeItWrites) {
  Tensor self = of(TH_Float, {1, 2, 3});
  expectRaises(TH_ERROR_RUNTIME, "index 3 is out of bounds for dimension 0 with size 3",
               [&] { THFloatTensor_scatterAdd(self, 0, of(TH_Long, {0, 3}), of(TH_Float, {1, 1})); });
  expectRaises(TH_ERROR_RUNTIME, "self.dtype to be equal to src.dtype",
               [&] { THFloatTensor_scatterAdd(self, 0, of(TH_Long, {0}), of(TH_Double, {1})); });
  expectRaises(TH_ERROR_RUNTIME, "refer to a single memory location",
               [&] { THFloatTensor_scatterAdd(self, 0, of(TH_Long, {0, 1, 2}), self); });
  EXPECT_EQ(values(self), (std::vector<double>{1, 2, 3}));
}

TEST(Triangle, KeepsOneSide) {
  for (const Shape &shape : {Shape{3, 3}, Shape{2, 5}, Shape{6, 2}, Shape{2, 3, 4}, Shape{0, 3}, Shape{3, 0}})
    for (THDtype dtype : {TH_Bool, TH_Half, TH_Float, TH_Double})
      for (Layout layout : kLayouts)
        for (int64_t k : {int64_t(0), int64_t(1), int64_t(-2), int64_t(100), int64_t(INT64_MIN), int64_t(INT64_MAX)}) {
          const Tensor t = random(dtype, shape);
          const int64_t rows = shape[shape.size() - 2], columns = shape.back();
          const auto below = [&](int64_t i) {
            return __int128(i % columns) - i / columns % rows <= k;  // on or below the diagonal
          };
          const auto above = [&](int64_t i) { return __int128(i % columns) - i / columns % rows >= k; };
          Tensor lower(dtype), upper = uninitialised(dtype, shape, layout), same = relayout(t, layout);
          THTensor_tril(lower, relayout(t, layout), k);
          THTensor_triu(upper, t, k);
          THTensor_tril(same, same, k);
          ASSERT_EQ(shapeOf(lower), shape);
          for (int64_t i = 0; i < t->numel; i++) {
            ASSERT_EQ(get(lower, i), below(i) ? get(t, i) : 0);
            ASSERT_EQ(get(same, i), below(i) ? get(t, i) : 0);
            ASSERT_EQ(get(upper, i), above(i) ? get(t, i) : 0);
          }
        }
}

TEST(MaskedCopy, TakesTheNextElement) {
  for (Layout layout : kLayouts) {
    const Tensor t = random(TH_Short, {4, 6}), src = random(TH_Short, {5, 6}, 3);
    const Tensor mask = make(TH_Bool, {4, 6}, [](int64_t i) { return noise(i) < 0.5; });
    const Tensor self = relayout(t, layout);
    THTensor_maskedCopy(self, relayout(mask, layout), relayout(src, layout));
    int64_t next = 0;
    for (int64_t i = 0; i < t->numel; i++) ASSERT_EQ(get(self, i), get(mask, i) ? get(src, next++) : get(t, i));
  }
  const Tensor self = of(TH_Float, {1, 2, 3});
  expectRaises(TH_ERROR_RUNTIME, "Number of elements of source < number of ones in mask",
               [&] { THTensor_maskedCopy(self, of(TH_Bool, {1, 0, 1}), of(TH_Float, {5})); });
  EXPECT_EQ(values(self), (std::vector<double>{1, 2, 3}));
}

TEST(Range, HoldsItsEnd) {
  Tensor r(TH_Float), whole(TH_Int);
  THFloatTensor_range(r, number(1), number(2), number(0.25));
  EXPECT_EQ(values(r), (std::vector<double>{1, 1.25, 1.5, 1.75, 2}));
  THIntTensor_range(whole, number(5), number(-2), number(-3));
  EXPECT_EQ(values(whole), (std::vector<double>{5, 2, -1}));
  THDoubleTensor_logspace(r, number(0), number(4), 5, 2);
  EXPECT_EQ(values(r), (std::vector<double>{1, 2, 4, 8, 16}));
  expectRaises(TH_ERROR_RUNTIME, "step must be nonzero",
               [&] { THFloatTensor_range(r, number(0), number(1), number(0)); });
}

TEST(FlushDenormal, IsSwitchedForThisThread) {
  volatile double tiny = 1e-308;
  if (!TH_setFlushDenormal(true)) GTEST_SKIP();
  EXPECT_EQ(tiny / 100, 0);
  TH_setFlushDenormal(false);
  EXPECT_GT(tiny / 100, 0);
}

}  // namespace
