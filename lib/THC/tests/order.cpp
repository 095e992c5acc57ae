// Scans, sorting, order statistics, counts and sets of a device beside those of the CPU.
#include "compare.hpp"

using namespace test;

namespace {

// Rows sorted in shared memory and by radix; short and long, side by side, one or none.
const Shape kShapes[] = {{}, {0}, {3, 0}, {1}, {9}, {300, 5}, {5, 300}, {3, 2500}, {2, 3, 40}, {70, 33, 2}, {20000}};

std::vector<int> dimsOf(const Shape &shape) {
  std::vector<int> dims(std::max<size_t>(1, shape.size()));
  for (size_t d = 0; d < dims.size(); d++) dims[d] = int(d);
  return dims;
}

// Of what is chosen from sorted rows, each by a block: more rows than these show nothing more, and Sort has them.
bool fewRows(const THTensor *t, int dim) { return !t->ndim || t->numel <= 400 * t->size[dim]; }

template <class Body>
void forInputs(THDtype dtype, const Body &body) {
  for (const Shape &shape : kShapes)
    for (const bool nan : {false, true}) {
      if (nan && TH_kind(dtype) < TH_KIND_float) continue;
      Tensor t = random(dtype, shape);
      if (nan) t = withNan(std::move(t), 41);
      const Tensor device = onDevice(t);
      for (const int dim : dimsOf(shape)) {
        SCOPED_TRACE(::testing::Message() << TH_dtypeName(dtype) << ::testing::PrintToString(shape) << " dim " << dim
                                          << (nan ? " with NaN" : ""));
        body(t, device, dim);
        if (::testing::Test::HasFailure()) return;
      }
    }
}

struct Results {
  Tensor values, indices, gotValues, gotIndices;
  explicit Results(THDtype dtype)
      : values(dtype), indices(TH_Long), gotValues(newOnDevice(dtype)), gotIndices(newOnDevice(TH_Long)) {}
  void expectSame() const {
    expectEqual(values, gotValues);
    expectEqual(indices, gotIndices);
  }
};

TEST(Order, RunningSumsAndProducts) {
  for (const auto &kernels : {PAIRS(number_complex, cumsum), PAIRS(number_complex, cumprod)})
    for (const auto &kernel : kernels)
      forInputs(kernel.dtype, [&](const THTensor *t, const THTensor *device, int dim) {
        // Such a product overflows, and what infinities make of each other depends on the order.
        if (TH_kind(kernel.dtype) == TH_KIND_complex && t->numel > 10000) return;
        const Tensor want(kernel.dtype), got = newOnDevice(kernel.dtype);
        kernel.cpu(want, t, dim);
        kernel.cuda(got, device, dim);
        double error = kernel.dtype == TH_Double || kernel.dtype == TH_ComplexDouble ? 1e-9 : 2e-3, largest = 1;
        for (const double x : values(want)) largest = std::max(largest, std::fabs(x));  // of parts, one may be small
        if (TH_kind(kernel.dtype) == TH_KIND_complex) error *= largest;
        expectClose(want, got, TH_kind(kernel.dtype) < TH_KIND_float ? 0 : error);
      });
}
TEST(Order, RunningLogSumsOfExponentials) {
  for (const auto &kernel : PAIRS(floating_complex, logcumsumexp))
    forInputs(kernel.dtype, [&](const THTensor *t, const THTensor *device, int dim) {
      const Tensor want(kernel.dtype), got = newOnDevice(kernel.dtype);
      kernel.cpu(want, t, dim);
      kernel.cuda(got, device, dim);
      expectClose(want, got, kernel.dtype == TH_Double || kernel.dtype == TH_ComplexDouble ? 1e-10 : 1e-5);
    });
}
TEST(Order, RunningExtrema) {
  for (const auto &kernels : {PAIRS(all, cummax), PAIRS(all, cummin)})
    for (const auto &kernel : kernels)
      forInputs(kernel.dtype, [&](const THTensor *t, const THTensor *device, int dim) {
        const Results r(kernel.dtype);
        kernel.cpu(r.values, r.indices, t, dim);
        kernel.cuda(r.gotValues, r.gotIndices, device, dim);
        r.expectSame();
      });
}
TEST(Order, ScansInPlaceAndOfOtherDtypes) {
  const Tensor t = random(TH_Int, {3, 5000}), want(TH_Float), got = newOnDevice(TH_Float), same = onDevice(t);
  THFloatTensor_cumsum(want, t, 1);
  THCudaTensor_cumsum(got, onDevice(t), 1);
  expectEqual(want, got);
  const Tensor sums(TH_Int);
  THIntTensor_cumsum(sums, t, 1);
  THCudaIntTensor_cumsum(same, same, 1);
  expectEqual(sums, same);
}

TEST(Order, Sort) {
  for (const auto &kernel : PAIRS(all, sort))
    for (const bool descending : {false, true})
      forInputs(kernel.dtype, [&](const THTensor *t, const THTensor *device, int dim) {
        const Results r(kernel.dtype);
        kernel.cpu(r.values, r.indices, t, dim, descending, true);
        kernel.cuda(r.gotValues, r.gotIndices, device, dim, descending, true);
        r.expectSame();
      });
}
TEST(Order, SortInPlaceAndStrided) {
  const Tensor t = relayout(random(TH_Float, {40, 30}), Layout::reversed), same = onDevice(t), i(TH_Long), v(TH_Float),
               gotI = newOnDevice(TH_Long);
  THFloatTensor_sort(v, i, t, 0, false, false);
  THCudaTensor_sort(same, gotI, same, 0, false, false);
  expectEqual(v, same);
  expectEqual(i, gotI);
}
TEST(Order, Topk) {
  for (const auto &kernel : PAIRS(all, topk))
    for (const bool largest : {false, true})
      forInputs(kernel.dtype, [&](const THTensor *t, const THTensor *device, int dim) {
        if (!fewRows(t, dim)) return;
        const int64_t n = t->ndim ? t->size[dim] : 1;
        for (const int64_t k : {int64_t(0), n / 8, n / 2, n}) {
          const Results r(kernel.dtype);
          kernel.cpu(r.values, r.indices, t, k, dim, largest, true);
          kernel.cuda(r.gotValues, r.gotIndices, device, k, dim, largest, true);
          r.expectSame();
        }
      });
}

// Rows in whose keys all digits tell, or one alone does; as many as a block sorts in shared memory, and one more.
TEST(Order, SelectionsByDigits) {
  const auto compare = [](const THTensor *t) {
    const Tensor device = onDevice(t);
    const int64_t n = t->size[t->ndim - 1];
    for (const int64_t k : {int64_t(1), int64_t(255), n / 4}) {
      const Results best(TH_Double), kth(TH_Double);
      THDoubleTensor_topk(best.values, best.indices, t, k, t->ndim - 1, false, true);
      THCudaDoubleTensor_topk(best.gotValues, best.gotIndices, device, k, t->ndim - 1, false, true);
      best.expectSame();
      THDoubleTensor_kthvalue(kth.values, kth.indices, t, k, t->ndim - 1, false);
      THCudaDoubleTensor_kthvalue(kth.gotValues, kth.gotIndices, device, k, t->ndim - 1, false);
      kth.expectSame();
    }
  };
  compare(random(TH_Double, {9, 2048}));
  compare(random(TH_Double, {9, 2049}));
  compare(make(TH_Double, {3000}, [](int64_t i) { return 1 + double(i * 7 % 300) * 0x1p-52; }));
  compare(
      make(TH_Double, {2, 3000}, [](int64_t i) { return std::ldexp(i % 2 ? -1.0 : 1.0, int(i * 13 % 600) - 300); }));
  compare(make(TH_Double, {3000}, [](int64_t) { return 5.0; }));
  compare(withNan(random(TH_Double, {2, 2600}), 2));
}

TEST(Order, Statistics) {
  for (const auto &kernel : PAIRS(number, kthvalue))
    forInputs(kernel.dtype, [&](const THTensor *t, const THTensor *device, int dim) {
      if (!t->numel || !fewRows(t, dim)) return;
      for (const int64_t k : {int64_t(1), t->ndim ? t->size[dim] : 1}) {
        const Results r(kernel.dtype);
        kernel.cpu(r.values, r.indices, t, k, dim, k == 1);
        kernel.cuda(r.gotValues, r.gotIndices, device, k, dim, k == 1);
        r.expectSame();
      }
    });
  const auto compare = [](const auto &kernels) {
    for (const auto &kernel : kernels)
      forInputs(kernel.dtype, [&](const THTensor *t, const THTensor *device, int dim) {
        if (!t->numel || !fewRows(t, dim)) return;
        const Results r(kernel.dtype);
        kernel.cpu(r.values, r.indices, t, dim, false);
        kernel.cuda(r.gotValues, r.gotIndices, device, dim, false);
        r.expectSame();
      });
  };
  compare(PAIRS(number, median));
  compare(PAIRS(number, nanmedian));
  compare(PAIRS(all, mode));
  const Tensor nothing = of(TH_Float, {NAN, NAN});
  const Results r(TH_Float);
  THFloatTensor_nanmedian(r.values, r.indices, nothing, 0, false);
  THCudaTensor_nanmedian(r.gotValues, r.gotIndices, onDevice(nothing), 0, false);
  r.expectSame();
}

TEST(Order, Quantiles) {
  for (const auto &kernel : PAIRS(floating, quantile))
    for (const bool nan : {false, true})
      for (const bool ignore : {false, true})
        for (int interpolation = 0; interpolation <= TH_INTERPOLATE_NEAREST; interpolation++) {
          Tensor t = random(kernel.dtype, {6, 50});
          if (nan) t = withNan(std::move(t), 70);
          const Tensor q = of(kernel.dtype, {0, 0.1, 0.5, 0.99, 1}), sorted(kernel.dtype), order(TH_Long),
                       want(kernel.dtype), got = newOnDevice(kernel.dtype);
          for (const auto &sort : PAIRS(floating, sort))
            if (sort.dtype == kernel.dtype) sort.cpu(sorted, order, t, 1, false, false);
          kernel.cpu(want, sorted, q, interpolation, ignore);
          kernel.cuda(got, onDevice(sorted), onDevice(q), interpolation, ignore);
          expectClose(want, got, 1e-6);
        }
}

TEST(Order, Searches) {
  for (const auto &kernel : PAIRS(number, searchsorted))
    for (const bool right : {false, true}) {
      const Tensor row = make(kernel.dtype, {40}, [](int64_t i) { return double(i / 3); }),
                   rows = make(kernel.dtype, {3, 20}, [](int64_t i) { return double(i % 20 / 2); }),
                   values = make(kernel.dtype, {3, 25}, [](int64_t i) { return double(i % 17); }),
                   back = make(TH_Long, {40}, [](int64_t i) { return double(39 - i); }),
                   falling = make(kernel.dtype, {40}, [](int64_t i) { return double((39 - i) / 3); });
      for (const THDtype out : {TH_Int, TH_Long}) {
        const Tensor want(out), got = newOnDevice(out);
        const auto compare = [&](const THTensor *boundaries, const THTensor *sorter) {
          kernel.cpu(want, boundaries, values, sorter, right);
          const Tensor order = sorter ? onDevice(sorter) : Tensor(TH_Long);
          kernel.cuda(got, onDevice(boundaries), onDevice(values), sorter ? static_cast<THTensor *>(order) : nullptr,
                      right);
          expectEqual(want, got);
        };
        compare(row, nullptr);
        compare(rows, nullptr);
        compare(falling, back);
      }
    }
}

TEST(Order, Membership) {
  for (const auto &kernel : PAIRS(number, isin))
    for (const int64_t count : {0, 1, 2, 30, 3000})
      for (const bool invert : {false, true}) {
        const Tensor t = withNan(random(kernel.dtype, {7, 300})), elements = withNan(random(kernel.dtype, {count}, 9)),
                     want(TH_Bool), got = newOnDevice(TH_Bool);
        kernel.cpu(want, t, elements, invert);
        kernel.cuda(got, onDevice(t), onDevice(elements), invert);
        expectEqual(want, got);
      }
}

TEST(Order, Counts) {
  for (const auto &kernel : PAIRS(integral, bincount))
    for (const int64_t n : {0, 1, 3000}) {
      const Tensor t = make(kernel.dtype, {n}, [](int64_t i) { return std::floor(noise(i) * 50); }),
                   weights = random(TH_Float, {n}), device = onDevice(t);
      const Tensor want(TH_Long), got = newOnDevice(TH_Long), total(TH_Double), gotTotal = newOnDevice(TH_Double);
      kernel.cpu(want, t, nullptr, 20);
      kernel.cuda(got, device, nullptr, 20);
      expectEqual(want, got);
      kernel.cpu(total, t, weights, 0);
      kernel.cuda(gotTotal, device, onDevice(weights), 0);
      expectClose(total, gotTotal, 1e-10);
    }
  expectRaises(TH_ERROR_RUNTIME, "non-negative",
               [] { THCudaIntTensor_bincount(newOnDevice(TH_Long), onDevice(of(TH_Int, {1, -1})), nullptr, 0); });
}
TEST(Order, Histograms) {
  for (const auto &kernel : PAIRS(floating, histogram)) {
    const Tensor t = withNan(random(kernel.dtype, {70, 30}), 100), weights = random(TH_Double, {70, 30}, 3),
                 edges = of(TH_Float, {-1.5, -0.5, 0.5, 1.5}), uneven = of(TH_Float, {-2, -1, 1.75});
    for (const bool weighted : {false, true})
      for (const bool uniform : {false, true}) {
        const THTensor *const between = uniform ? edges : uneven;
        const THDtype out = weighted ? TH_Double : kernel.dtype;
        const Tensor want(out), got = newOnDevice(out), deviceWeights = onDevice(weights);
        kernel.cpu(want, t, weighted ? static_cast<THTensor *>(weights) : nullptr, between, uniform, uniform);
        kernel.cuda(got, onDevice(t), weighted ? static_cast<THTensor *>(deviceWeights) : nullptr, onDevice(between),
                    uniform, uniform);
        expectClose(want, got, weighted ? 1e-10 : 0);
      }
  }
  for (const auto &kernel : PAIRS(floating, histc))
    for (const double high : {0.0, 1.5}) {
      const Tensor t = random(kernel.dtype, {2000}), want(kernel.dtype), got = newOnDevice(kernel.dtype);
      kernel.cpu(want, t, 10, high ? -1 : 0, high);
      kernel.cuda(got, onDevice(t), 10, high ? -1 : 0, high);
      expectEqual(want, got);
    }
}

TEST(Order, Sets) {
  const auto compare = [](const auto &kernel, const Tensor &t, bool sorted) {
    SCOPED_TRACE(::testing::Message() << TH_dtypeName(kernel.dtype) << ::testing::PrintToString(shapeOf(t)) << sorted);
    const Tensor v(kernel.dtype), i(TH_Long), c(TH_Long), gotV = newOnDevice(kernel.dtype), gotI = newOnDevice(TH_Long),
                                                          gotC = newOnDevice(TH_Long),
                                                          alone = newOnDevice(kernel.dtype);
    const Tensor device = onDevice(t);
    kernel.cpu(v, i, c, t, sorted);
    kernel.cuda(gotV, gotI, gotC, device, sorted);
    kernel.cuda(alone, nullptr, nullptr, device, sorted);
    expectEqual(v, gotV);
    expectEqual(i, gotI);
    expectEqual(c, gotC);
    expectEqual(v, alone);
  };
  for (const auto &kernel : PAIRS(all, unique))
    for (const bool sorted : {false, true})
      for (const Shape &shape : {Shape{}, Shape{0}, Shape{50}, Shape{30, 70}, Shape{5000}})
        compare(kernel, withNan(random(kernel.dtype, shape), 13), sorted);
  for (const auto &kernel : PAIRS(all, uniqueSlices))
    for (const bool sorted : {false, true})
      for (const Shape &shape : {Shape{0, 2}, Shape{50}, Shape{300, 2}, Shape{100, 2, 1}, Shape{6, 0}}) {
        const Tensor t = make(kernel.dtype, shape, [](int64_t i) { return std::floor(noise(i) * 4); });
        compare(kernel, withNan(relayout(t, Layout::contiguous), 51), sorted);
      }
}

}  // namespace
