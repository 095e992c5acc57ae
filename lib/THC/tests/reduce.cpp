// Reductions of a device beside those of the CPU.
#include "compare.hpp"

using namespace test;

namespace {

// Every way that the work is cut: nothing, one element, short and long rows, columns, chunks, several dimensions.
const Shape kShapes[] = {{},       {0},      {3, 0, 2},    {1},         {7},        {4, 1},    {300, 3},
                         {3, 300}, {40, 70}, {2, 3, 4, 5}, {5, 2, 130}, {1, 20000}, {9000, 2}, {2, 33, 3, 40}};

template <class Body>
void forDims(const THTensor *t, const Body &body) {
  body(TH_ALL_DIMS);
  for (uint64_t dims = 0; dims < uint64_t(1) << t->ndim; dims++) body(dims);
}

// The numbers that one result is made of.
int64_t countOf(const THTensor *t, uint64_t dims) {
  int64_t count = 1;
  for (int d = 0; d < t->ndim; d++)
    if (dims >> d & 1) count *= t->size[d];
  return count;
}

// Elements are at most 2.
double errorOf(THDtype dtype, int64_t count) {
  return TH_kind(dtype) < TH_KIND_float ? 0 : 4 * double(count) * epsilon(dtype == TH_Double ? TH_Double : TH_Float);
}

using Reduce = decltype(&THFloatTensor_sum);

void compare(const Kernel<Reduce> &kernel, const THTensor *t, uint64_t dims, bool keepdim, THDtype out, double error) {
  const Tensor want(out), got = newOnDevice(out);
  kernel.cpu(want, t, dims, keepdim);
  kernel.cuda(got, onDevice(t), dims, keepdim);
  SCOPED_TRACE(::testing::Message() << TH_dtypeName(kernel.dtype) << " of " << TH_dtypeName(THDtype(t->dtype)) << " to "
                                    << TH_dtypeName(out) << ", " << ::testing::PrintToString(shapeOf(t)) << " strides "
                                    << ::testing::PrintToString(stridesOf(t)) << ", dims " << dims);
  expectClose(want, got, error);
}

// All shapes and dimensions in the kernel's own dtype; of some, other layouts and dtypes.
void compareAll(const std::vector<Kernel<Reduce>> &kernels, bool needsElements = false, bool chains = false) {
  const auto input = [=](THDtype dtype, const Shape &shape) {
    Tensor t = random(dtype, shape);
    if (!chains) return t;
    // Products stay finite: a complex number here has an imaginary part as long as its real one.
    const double length = TH_kind(dtype) == TH_KIND_complex ? std::sqrt(2.0) : 1;
    for (int64_t i = 0; i < t->numel; i++) set(t, i, (1 + (get(t, i) - 0.5) / double(16 + t->numel)) / length);
    return t;
  };
  for (const auto &kernel : kernels) {
    for (const Shape &shape : kShapes) {
      if (needsElements && !product(shape)) continue;
      const Tensor t = input(kernel.dtype, shape);
      forDims(t, [&](uint64_t dims) {
        compare(kernel, t, dims, dims & 1, kernel.dtype, errorOf(kernel.dtype, countOf(t, dims)));
      });
      if (::testing::Test::HasFailure()) return;
    }
    for (const Layout layout : kLayouts) {
      const Tensor t = relayout(input(kernel.dtype, {12, 7, 20}), layout);
      for (const uint64_t dims : {1, 2, 4, 5, 3, 7})
        compare(kernel, t, dims, false, kernel.dtype, errorOf(kernel.dtype, countOf(t, dims)));
    }
    for (const THDtype from : {TH_Bool, TH_Byte, TH_Int, TH_Long, TH_UInt16, TH_Half, TH_Float, TH_Double})
      for (const uint64_t dims : {1, 2, 3}) {
        if (chains && from == TH_UInt16) continue;  // infinite times 0, or the other way round
        compare(kernel, random(from, {30, 40}, 5), dims, false, kernel.dtype, errorOf(kernel.dtype, 1200));
      }
    for (const THDtype to : {TH_Byte, TH_Int, TH_Half, TH_Double})
      if (TH_kind(kernel.dtype) != TH_KIND_complex && TH_kind(to) >= TH_kind(kernel.dtype))
        compare(kernel, random(kernel.dtype, {30, 40}, 5), 2, false, to, errorOf(kernel.dtype, 1200));
  }
}

TEST(Reduce, Sums) {
  compareAll(PAIRS(number_complex, sum));
  compareAll(PAIRS(floating_complex, mean));
  compareAll(PAIRS(floating, nansum));
}
TEST(Reduce, Products) { compareAll(PAIRS(number_complex, prod), false, true); }
TEST(Reduce, Truths) {
  compareAll(PAIRS(all_complex, any));
  compareAll(PAIRS(all_complex, all));
}
TEST(Reduce, Extrema) {
  compareAll(PAIRS(all, amax), true);
  compareAll(PAIRS(all, amin), true);
}

TEST(Reduce, NanWinsAmongExtremaAndIsLeftOutOfNansum) {
  for (const auto &kernels : {PAIRS(floating, amax), PAIRS(floating, amin), PAIRS(floating, nansum)})
    for (const auto &kernel : kernels)
      for (const Shape &shape : {Shape{40, 3}, Shape{3, 400}})
        for (const uint64_t dims : {1, 2, 3})
          compare(kernel, withNan(random(kernel.dtype, shape), 7), dims, false, kernel.dtype,
                  errorOf(kernel.dtype, product(shape)));
}

// Results with their shape and other strides, or that share memory with the input.
TEST(Reduce, ResultsKeepTheirStrides) {
  const Tensor t = random(TH_Float, {6, 5, 4});
  for (const Layout layout : kLayouts) {
    const Tensor r = uninitialised(TH_Double, {6, 4}, layout), want(TH_Double), got = onDevice(relayout(r, layout));
    THFloatTensor_sum(want, t, 2, false);
    const Shape strides = stridesOf(got);
    THCudaTensor_sum(got, onDevice(t), 2, false);
    EXPECT_EQ(stridesOf(got), strides);
    expectClose(want, got, 1e-5);
  }
  const Tensor own = onDevice(t), want(TH_Float);
  const Tensor row(THTensor_newSelect(own, 0, 0));
  THFloatTensor_sum(want, t, 1, false);
  THCudaTensor_sum(row, own, 1, false);
  expectClose(want, row, 1e-5);
}

TEST(Reduce, SameBitsEveryTime) {
  const Tensor t = onDevice(random(TH_Float, {2, 30000}));
  const Tensor first = newOnDevice(TH_Float), again = newOnDevice(TH_Float);
  THCudaTensor_sum(first, t, TH_ALL_DIMS, false);
  THCudaTensor_sum(again, t, TH_ALL_DIMS, false);
  expectSame(toHost(first), toHost(again));
}

TEST(Reduce, ExpandedAndNumbersOfTheHost) {
  const int64_t size[] = {50, 60};
  const Tensor wide(THTensor_newExpand(random(TH_Float, {50, 1}), 2, size)), five = of(TH_Float, {5});
  for (const uint64_t dims : {1, 2, 3})
    compare({TH_Float, THFloatTensor_sum, THCudaTensor_sum}, wide, dims, false, TH_Float, 1e-2);
  const Tensor got = newOnDevice(TH_Float), want(TH_Float);
  THCudaTensor_sum(got, five, TH_ALL_DIMS, false);
  THFloatTensor_sum(want, five, TH_ALL_DIMS, false);
  expectEqual(want, got);
}

// ---- with places ------------------------------------------------------------------------------------------
using Along = decltype(&THFloatTensor_max);
using Flat = decltype(&THFloatTensor_argmax);

void compareAlong(const std::vector<Kernel<Along>> &kernels, const std::vector<Kernel<Flat>> &flat) {
  for (size_t k = 0; k < kernels.size(); k++)
    for (const Shape &shape : kShapes)
      for (const bool nan : {false, true}) {
        if (!product(shape)) continue;
        const THDtype dtype = kernels[k].dtype;
        Tensor t = random(dtype, shape);
        if (nan) t = withNan(std::move(t), 11);
        const Tensor device = onDevice(t);
        for (int dim = 0; dim < std::max(1, int(t->ndim)); dim++) {
          SCOPED_TRACE(::testing::Message() << TH_dtypeName(dtype) << ::testing::PrintToString(shape) << dim << nan);
          const Tensor value(dtype), index(TH_Long), gotValue = newOnDevice(dtype), gotIndex = newOnDevice(TH_Long);
          kernels[k].cpu(value, index, t, dim, dim & 1);
          kernels[k].cuda(gotValue, gotIndex, device, dim, dim & 1);
          expectEqual(value, gotValue);
          expectEqual(index, gotIndex);
          for (const bool whole : {false, true}) {
            flat[k].cpu(index, t, dim, false, whole);
            flat[k].cuda(gotIndex, device, dim, false, whole);
            expectEqual(index, gotIndex);
          }
          if (::testing::Test::HasFailure()) return;
        }
      }
}
TEST(Reduce, Places) {
  compareAlong(PAIRS(all, max), PAIRS(all, argmax));
  compareAlong(PAIRS(all, min), PAIRS(all, argmin));
}
TEST(Reduce, FlatPlacesAreCountedInRowMajorOrder) {
  for (const Layout layout : kLayouts) {
    const Tensor t = relayout(random(TH_Int, {13, 5, 17}), layout), want(TH_Long), got = newOnDevice(TH_Long);
    THIntTensor_argmax(want, t, 0, false, true);
    THCudaIntTensor_argmax(got, onDevice(t), 0, false, true);
    expectEqual(want, got);
  }
}

// ---- variances, norms -----------------------------------------------------------------------------------------
using Deviation = decltype(&THFloatTensor_var);

void compareDeviation(const std::vector<Kernel<Deviation>> &kernels) {
  for (const auto &kernel : kernels)
    for (const Shape &shape : kShapes) {
      const Tensor t = random(kernel.dtype, shape), device = onDevice(t);
      forDims(t, [&](uint64_t dims) {
        const Tensor r(kernel.dtype), mean(kernel.dtype), gotR = newOnDevice(kernel.dtype),
                                                          gotMean = newOnDevice(kernel.dtype);
        kernel.cpu(r, mean, t, dims, dims & 1, 1);
        kernel.cuda(gotR, gotMean, device, dims, dims & 1, 1);
        const double error = kernel.dtype == TH_Double ? 1e-12 : 1e-6;
        SCOPED_TRACE(::testing::Message() << TH_dtypeName(kernel.dtype) << ::testing::PrintToString(shape) << dims);
        expectClose(r, gotR, error);
        expectClose(mean, gotMean, error);
      });
      if (::testing::Test::HasFailure()) return;
    }
}
TEST(Reduce, Deviations) {
  compareDeviation(PAIRS(floating, var));
  compareDeviation(PAIRS(floating, std));
}
TEST(Reduce, VarianceFarFromZero) {
  const Tensor t = make(TH_Double, {5000}, [](int64_t i) { return 1e9 + noise(i); }), want(TH_Double),
               got = newOnDevice(TH_Double);
  THDoubleTensor_var(want, nullptr, t, 1, false, 0);
  THCudaDoubleTensor_var(got, nullptr, onDevice(t), 1, false, 0);
  expectClose(want, got, 1e-9);
}

TEST(Reduce, Norms) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  for (const auto &kernel : PAIRS(floating, norm))
    for (const Shape &shape : kShapes)
      for (const double p : {2.0, 1.0, 0.0, 3.0, 0.5, -1.0, infinity, -infinity}) {
        const Tensor t = random(kernel.dtype, shape), device = onDevice(t);
        if (!t->numel && (p < 0 || std::isinf(p))) continue;
        for (const uint64_t dims : {TH_ALL_DIMS, uint64_t(1)}) {
          if (dims == 1 && !t->ndim) continue;
          const Tensor want(kernel.dtype), got = newOnDevice(kernel.dtype);
          kernel.cpu(want, t, p, dims, false);
          kernel.cuda(got, device, p, dims, false);
          SCOPED_TRACE(::testing::Message() << TH_dtypeName(kernel.dtype) << ::testing::PrintToString(shape) << p);
          double largest = 1;
          for (const double x : values(want)) largest = std::max(largest, std::fabs(x));
          expectClose(want, got, largest * (kernel.dtype == TH_Double ? 1e-11 : 1e-4));
        }
      }
}
TEST(Reduce, DistancesAndRenorm) {
  for (const auto &kernel : PAIRS(floating, dist)) {
    const Tensor a = random(kernel.dtype, {30, 7}, 1), b = random(kernel.dtype, {30, 7}, 2), want(kernel.dtype),
                 got = newOnDevice(kernel.dtype);
    kernel.cpu(want, a, b, 2);
    kernel.cuda(got, onDevice(a), onDevice(b), 2);
    expectClose(want, got, 1e-3);
  }
  for (const auto &kernel : PAIRS(floating, renorm)) {
    const Tensor t = random(kernel.dtype, {6, 7, 5}), want(kernel.dtype), got = newOnDevice(kernel.dtype);
    kernel.cpu(want, t, 2, 1, 3);
    kernel.cuda(got, onDevice(t), 2, 1, 3);
    expectClose(want, got, kernel.dtype == TH_Double ? 1e-12 : 1e-5);
  }
}

TEST(Reduce, Equal) {
  for (const THDtype dtype : kKernelDtypes) {
    const Tensor t = random(dtype, {30, 50});
    Tensor other = relayout(t, Layout::reversed);
    EXPECT_TRUE(THCTensor_equal(onDevice(t), onDevice(other))) << TH_dtypeName(dtype);
    set(other, 1234, 1 - get(other, 1234));
    EXPECT_FALSE(THCTensor_equal(onDevice(t), onDevice(other))) << TH_dtypeName(dtype);
  }
  const Tensor zeros = onDevice(of(TH_Float, {0.0, 1})), minus = onDevice(of(TH_Float, {-0.0, 1})),
               nan = onDevice(of(TH_Float, {NAN}));
  EXPECT_TRUE(THCTensor_equal(zeros, minus));
  EXPECT_FALSE(THCTensor_equal(nan, nan));
  EXPECT_TRUE(THCTensor_equal(newOnDevice(TH_Int), newOnDevice(TH_Int)));
  EXPECT_FALSE(THCTensor_equal(zeros, nan));
  expectRaises(TH_ERROR_RUNTIME, "float32", [&] { THCTensor_equal(zeros, onDevice(of(TH_Int, {0, 1}))); });
}

TEST(Reduce, NothingToChooseFrom) {
  const Tensor empty = onDevice(Tensor(TH_Float, {2, 0})), r = newOnDevice(TH_Float), i = newOnDevice(TH_Long);
  expectRaises(TH_ERROR_INDEX, "amax(): Expected reduction dim 1 to have non-zero size",
               [&] { THCudaTensor_amax(r, empty, 2, false); });
  expectRaises(TH_ERROR_INDEX, "max(): Expected reduction dim 1", [&] { THCudaTensor_max(r, i, empty, 1, false); });
  expectRaises(TH_ERROR_INDEX, "argmax(): Expected", [&] { THCudaTensor_argmax(i, empty, 0, false, true); });
  EXPECT_EQ(shapeOf(r), Shape{0});
  THCudaTensor_amax(r, empty, 1, false);
  EXPECT_EQ(shapeOf(r), Shape{0});
}

}  // namespace
