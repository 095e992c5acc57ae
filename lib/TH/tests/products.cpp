// Outer and vector products, sums of products, traces, diagonals, slices by index: against loops over elements.
#include <algorithm>

#include "tensors.hpp"

using namespace test;

namespace {

THScalar whole(int64_t i) {
  THScalar s;
  s.kind = TH_KIND_int;
  s.value.i = i;
  s.imag = 0;
  return s;
}

// Small whole numbers: exact in every dtype.
Tensor small(THDtype dtype, const Shape &shape, uint64_t seed = 1) {
  return make(dtype, shape, [=](int64_t i) { return std::floor(noise(i, seed) * 4); });
}

TEST(Products, Addr) {
  const auto kernels = TEST_FAMILY(all, addr);
  for (int d : kNumberDtypes)
    for (Layout layout : kLayouts) {
      const THDtype dtype = THDtype(d);
      const Tensor t = relayout(small(dtype, {3, 4}), layout), a = relayout(small(dtype, {3}, 2), layout);
      const Tensor b = relayout(small(dtype, {4}, 3), layout), r(dtype);
      kernels[dtype](r, whole(2), t, whole(3), a, b);
      for (int64_t i = 0; i < 12; i++) EXPECT_EQ(get(r, i), 2 * get(t, i) + 3 * get(a, i / 4) * get(b, i % 4));
      kernels[dtype](t, whole(1), t, whole(1), a, b);  // in place
      for (int64_t i = 0; i < 12; i++) EXPECT_EQ(2 * get(t, i), get(r, i) - get(a, i / 4) * get(b, i % 4));
    }
}

TEST(Products, AddrReadsNothingForZero) {
  const Tensor t = of(TH_Float, {NAN, NAN}), r(TH_Float);
  THFloatTensor_addr(r, whole(0), t, whole(1), of(TH_Float, {2, 3}), of(TH_Float, {4, 5}));
  EXPECT_EQ(values(r), (std::vector<double>{8, 10, 12, 15}));
}

TEST(Products, AddrOfBools) {
  const Tensor t = make(TH_Bool, {2, 2}, [](int64_t i) { return i == 1; }), r(TH_Bool);
  THBoolTensor_addr(r, whole(1), t, whole(1), of(TH_Bool, {1, 0}), of(TH_Bool, {1, 0}));
  EXPECT_EQ(values(r), (std::vector<double>{1, 1, 0, 0}));
}

TEST(Products, AddrRefuses) {
  const Tensor t = small(TH_Float, {2, 3}), v = small(TH_Float, {2}), w = small(TH_Float, {2, 2});
  Tensor one = of(TH_Float, {7});
  expectRaises(TH_ERROR_RUNTIME, "Expected 1-D argument vec1",
               [&] { THFloatTensor_addr(one, whole(1), one, whole(1), w, v); });
  expectRaises(TH_ERROR_RUNTIME, "must match the existing size",
               [&] { THFloatTensor_addr(one, whole(1), t, whole(1), v, v); });
  expectRaises(TH_ERROR_RUNTIME, "doesn't match the broadcast shape",
               [&] { THFloatTensor_addr(one, whole(1), one, whole(1), v, v); });
  EXPECT_EQ(values(one), std::vector<double>{7});
}

TEST(Products, Cross) {
  const auto kernels = TEST_FAMILY(number, cross);
  for (int d : kNumberDtypes)
    for (Layout layout : kLayouts) {
      const THDtype dtype = THDtype(d);
      if (TH_kind(dtype) == TH_KIND_int && dtype == TH_Byte) continue;  // differences below 0
      const Tensor a = relayout(small(dtype, {2, 3, 4}), layout), b = relayout(small(dtype, {2, 3, 4}, 2), layout);
      Tensor r = uninitialised(dtype, {2, 3, 4}, layout);
      kernels[dtype](r, a, b, 1);
      for (int64_t i = 0; i < 24; i++) {
        const int64_t outer = i / 12, row = i / 4 % 3, k = i % 4;
        const auto at = [&](const Tensor &t, int64_t j) { return get(t, outer * 12 + j % 3 * 4 + k); };
        EXPECT_EQ(get(r, i), at(a, row + 1) * at(b, row + 2) - at(a, row + 2) * at(b, row + 1));
      }
    }
  const Tensor r(TH_ComplexFloat), i3 = make(TH_ComplexFloat, {3}, [](int64_t i) { return double(i); });
  THComplexFloatTensor_cross(r, i3, i3, 0);
  EXPECT_EQ(values(r), (std::vector<double>{0, 0, 0}));
}

TEST(Products, CrossRefuses) {
  const Tensor a = small(TH_Float, {3}), b = small(TH_Float, {4});
  Tensor r = of(TH_Float, {7});
  expectRaises(TH_ERROR_RUNTIME, "must have size 3", [&] { THFloatTensor_cross(r, b, b, 0); });
  expectRaises(TH_ERROR_RUNTIME, "single memory location", [&] { THFloatTensor_cross(a, a, a, 0); });
  EXPECT_EQ(values(r), std::vector<double>{7});
}

TEST(Products, SumOfBatch) {
  const auto kernels = TEST_FAMILY(number, addbmm);
  for (THDtype dtype : {TH_Int, TH_Half, TH_Float, TH_Double}) {
    const Tensor a = small(dtype, {2, 3, 4}), b = small(dtype, {2, 4, 5}, 2), t = small(dtype, {3, 5}, 3), r(dtype);
    kernels[dtype](r, whole(2), t, whole(1), a, b);
    for (int64_t i = 0; i < 15; i++) {
      double sum = 2 * get(t, i);
      for (int64_t n = 0; n < 2; n++)
        for (int64_t k = 0; k < 4; k++) sum += get(a, n * 12 + i / 5 * 4 + k) * get(b, n * 20 + k * 5 + i % 5);
      EXPECT_EQ(get(r, i), sum);
    }
  }
}

TEST(Products, Trace) {
  const Tensor t = make(TH_Int, {2, 3}, [](int64_t i) { return double(i); }), r(TH_Long);
  THLongTensor_trace(r, t);
  EXPECT_EQ(values(r), std::vector<double>{4});
  expectRaises(TH_ERROR_RUNTIME, "expected a matrix", [&] { THLongTensor_trace(r, r); });
}

TEST(Products, Diag) {
  for (int d = 0; d < TH_NUM_DTYPES; d++)
    for (int64_t k : {-2, 0, 1}) {
      const THDtype dtype = THDtype(d);
      const Tensor v = make(dtype, {2}, [](int64_t) { return 1; });
      Tensor matrix(dtype), back(dtype);
      THTensor_diag(matrix, v, k);
      const int64_t n = 2 + std::abs(k);
      ASSERT_EQ(shapeOf(matrix), (Shape{n, n}));
      for (int64_t i = 0; i < n * n; i++) EXPECT_EQ(get(matrix, i), i % n - i / n == k);
      THTensor_diag(back, matrix, k);
      expectSame(back, v);
    }
  Tensor v = of(TH_Float, {1, 2});
  expectRaises(TH_ERROR_RUNTIME, "out of range", [&] { THTensor_diag(Tensor(TH_Float), v, INT64_MIN); });
  expectRaises(TH_ERROR_RUNTIME, "single memory location", [&] { THTensor_diag(v, v, 1); });
}

TEST(Slices, AddCopyFill) {
  for (int d : kNumberDtypes)
    for (Layout layout : kLayouts) {
      const THDtype dtype = THDtype(d);
      const Tensor t = small(dtype, {3, 5}), src = relayout(small(dtype, {3, 4}, 2), layout);
      const Tensor index = relayout(of(TH_Long, {1, 4, 1, 0}), layout);
      Tensor sum = relayout(t, layout), copy = relayout(t, layout), fill = relayout(t, layout);
      Tensor sums = relayout(t, Layout::contiguous), copies = relayout(t, Layout::contiguous);
      Tensor filled = relayout(t, Layout::contiguous);
      for (int64_t row = 0; row < 3; row++)
        for (int64_t j = 0; j < 4; j++) {
          const int64_t to = row * 5 + int64_t(get(index, j));
          set(sums, to, get(sums, to) + get(src, row * 4 + j));
          set(copies, to, get(src, row * 4 + j));
          set(filled, to, 3);
        }
      THTensor_indexAdd(sum, 1, index, src);
      THTensor_indexCopy(copy, -1, index, src);
      THTensor_indexFill(fill, 1, index, whole(3));
      expectSame(sum, sums);
      expectSame(copy, copies);
      expectSame(fill, filled);
    }
}

TEST(Slices, OfAScalar) {
  Tensor t = make(TH_Float, {}, [](int64_t) { return 2; });
  const Tensor zero = make(TH_Long, {}, [](int64_t) { return 0; });
  THTensor_indexAdd(t, 0, zero, make(TH_Float, {}, [](int64_t) { return 3; }));
  EXPECT_EQ(get(t, 0), 5);
  THTensor_indexFill(t, 0, zero, whole(9));
  EXPECT_EQ(get(t, 0), 9);
}

TEST(Slices, RefusesBeforeItWrites) {
  Tensor t = of(TH_Float, {1, 2, 3});
  const Tensor two = of(TH_Float, {8, 9});
  expectRaises(TH_ERROR_INDEX, "index out of range in self",
               [&] { THTensor_indexAdd(t, 0, of(TH_Long, {0, 3}), two); });
  expectRaises(TH_ERROR_INDEX, "index 3 is out of bounds for dimension 0 with size 3",
               [&] { THTensor_indexCopy(t, 0, of(TH_Long, {0, 3}), two); });
  expectRaises(TH_ERROR_INDEX, "index -4 is out of bounds",
               [&] { THTensor_indexFill(t, 0, of(TH_Long, {0, -4}), whole(1)); });
  expectRaises(TH_ERROR_INDEX, "index -1 is out of bounds",
               [&] { THTensor_indexCopy(t, 0, of(TH_Long, {0, -1}), two); });
  expectRaises(TH_ERROR_RUNTIME, "Number of indices (1) should be equal",
               [&] { THTensor_indexAdd(t, 0, of(TH_Long, {0}), two); });
  expectRaises(TH_ERROR_RUNTIME, "same dtype", [&] { THTensor_indexCopy(t, 0, of(TH_Long, {0}), of(TH_Int, {1})); });
  expectRaises(TH_ERROR_RUNTIME, "single memory location", [&] { THTensor_indexAdd(t, 0, of(TH_Long, {0, 1, 2}), t); });
  EXPECT_EQ(values(t), (std::vector<double>{1, 2, 3}));
}

TEST(Slices, DoNotDependOnThreads) {
  const Tensor index = make(TH_Long, {500}, [](int64_t i) { return std::floor(noise(i, 5) * 3); });
  const Tensor src = random(TH_Float, {500, 300});
  expectThreadIndependent([&] {
    Tensor sum = make(TH_Float, {3, 300}, [](int64_t) { return 0; });
    THTensor_indexAdd(sum, 0, index, src);
    return sum;
  });
}

}  // namespace
