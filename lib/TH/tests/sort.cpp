// sort and topk against a stable sort of (element, position) pairs.
#include <algorithm>
#include <numeric>

#include "tensors.hpp"

using namespace test;

namespace {

// NaN is the largest, and equal to itself.
bool precedes(double a, double b) { return std::isnan(a) ? false : std::isnan(b) ? true : a < b; }

// The positions of a row in order.
std::vector<int64_t> orderOf(const std::vector<double> &row, bool descending) {
  std::vector<int64_t> order(row.size());
  std::iota(order.begin(), order.end(), 0);
  std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
    return descending ? precedes(row[size_t(b)], row[size_t(a)]) : precedes(row[size_t(a)], row[size_t(b)]);
  });
  return order;
}

// Calls body(row's elements, positions in t and in r) for all rows along dim.
void eachRow(const THTensor *t, const THTensor *r, int dim,
             const std::function<void(const std::vector<double> &, const std::function<int64_t(int64_t)> &)> &body) {
  int64_t inner = 1;
  for (int d = dim + 1; d < t->ndim; d++) inner *= t->size[d];
  const int64_t n = t->ndim ? t->size[dim] : 1, m = r->ndim ? r->size[dim] : 1;
  for (int64_t k = 0; n && k < t->numel / n; k++) {
    std::vector<double> row;
    for (int64_t i = 0; i < n; i++) row.push_back(get(t, k / inner * n * inner + i * inner + k % inner));
    body(row, [=](int64_t i) { return k / inner * m * inner + i * inner + k % inner; });
  }
}

// Few different values, infinities, zeros of both signs and NaN among them.
Tensor awkward(THDtype dtype, const Shape &shape, uint64_t seed) {
  Tensor t = random(dtype, shape, seed);
  if (TH_kind(dtype) == TH_KIND_float)
    for (int64_t i = 0; i < t->numel; i++) {
      static const double special[] = {NAN, INFINITY, -INFINITY, 0.0, -0.0, 1, -1};
      const double x = noise(i, seed + 99);
      if (x < 0.5) set(t, i, special[int(x * 14)]);
      if (x < 0.01) set(t, i, -NAN);
    }
  return t;
}

void checkSort(const THTensor *t, int dim, bool descending) {
  const auto sort = TEST_FAMILY(all, sort);
  Tensor v(THDtype(t->dtype)), i(TH_Long);
  sort[t->dtype](v, i, t, dim, descending, true);
  ASSERT_EQ(shapeOf(v), shapeOf(t));
  ASSERT_EQ(shapeOf(i), shapeOf(t));
  eachRow(t, v, dim, [&](const std::vector<double> &row, const auto &at) {
    const std::vector<int64_t> order = orderOf(row, descending);
    for (size_t k = 0; k < row.size(); k++) {
      ASSERT_EQ(get(i, at(int64_t(k))), double(order[k]));
      const double x = get(v, at(int64_t(k))), y = row[size_t(order[k])];
      ASSERT_TRUE((std::isnan(x) && std::isnan(y)) || (x == y && std::signbit(x) == std::signbit(y)));
    }
  });
}

TEST(Sort, EveryDtypeAndLength) {
  for (int d : kRealDtypes)
    for (int64_t n : {0, 1, 2, 5, 24, 25, 96, 97, 300, 2000})
      for (bool descending : {false, true}) {
        SCOPED_TRACE(TH_dtypeName(THDtype(d)) + std::string(" ") + std::to_string(n));
        checkSort(awkward(THDtype(d), {n}, uint64_t(n)), 0, descending);
      }
}

TEST(Sort, DimsAndLayouts) {
  for (const Shape &shape : {Shape{}, Shape{7, 40}, Shape{3, 30, 5}, Shape{2, 0, 3}, Shape{1, 1, 1}})
    for (int dim = 0; dim < std::max<int>(1, int(shape.size())); dim++)
      for (Layout layout : kLayouts)
        for (THDtype dtype : {TH_Float, TH_Long, TH_BFloat16})
          checkSort(relayout(awkward(dtype, shape, 4), layout), dim, dim % 2);
}

TEST(Sort, LargeIntegers) {
  Tensor t = make(TH_Long, {1000}, [](int64_t i) { return std::floor((noise(i) - 0.5) * 0x1p62); });
  set(t, 5, -0x1p63), set(t, 6, 0x1p62);
  checkSort(t, 0, false);
  checkSort(t, 0, true);
}

TEST(Sort, InPlaceAndIntoStridedResults) {
  const Tensor t = random(TH_Float, {6, 8});
  Tensor v(TH_Float), i(TH_Long), same = relayout(t, Layout::contiguous);
  THFloatTensor_sort(v, i, t, -1, false, true);
  Tensor i2 = uninitialised(TH_Long, {6, 8}, Layout::reversed);
  THFloatTensor_sort(same, i2, same, 1, false, true);
  expectSame(v, same);
  expectSame(i, i2);
  Tensor v2 = uninitialised(TH_Float, {6, 8}, Layout::gapped);
  THFloatTensor_sort(v2, i2, t, 1, false, true);
  expectSame(v, v2);
}

void checkTopk(const THTensor *t, int dim, int64_t k, bool largest, bool sorted) {
  const auto topk = TEST_FAMILY(all, topk);
  Tensor v(THDtype(t->dtype)), i(TH_Long);
  topk[t->dtype](v, i, t, k, dim, largest, sorted);
  Shape shape = shapeOf(t);
  if (!shape.empty()) shape[size_t(dim)] = k;
  ASSERT_EQ(shapeOf(v), shape);
  ASSERT_EQ(shapeOf(i), shape);
  eachRow(t, v, dim, [&](const std::vector<double> &row, const auto &at) {
    std::vector<int64_t> order = orderOf(row, largest);  // the earlier of equals is taken
    order.resize(shape.empty() ? 1 : size_t(k));
    std::vector<int64_t> got;
    for (size_t j = 0; j < order.size(); j++) {
      got.push_back(int64_t(get(i, at(int64_t(j)))));
      const double x = get(v, at(int64_t(j))), y = row[size_t(got.back())];
      ASSERT_TRUE(x == y || (std::isnan(x) && std::isnan(y)));
    }
    if (!sorted) std::sort(got.begin(), got.end()), std::sort(order.begin(), order.end());
    ASSERT_EQ(got, order);
  });
}

TEST(Topk, EveryDtype) {
  for (int d : kRealDtypes)
    for (int64_t n : {1, 10, 1000, 3000})
      for (int64_t k : {int64_t(0), int64_t(1), n / 10, n / 2, n - 1, n})
        for (bool largest : {false, true}) {
          SCOPED_TRACE(TH_dtypeName(THDtype(d)));
          checkTopk(awkward(THDtype(d), {n}, uint64_t(n)), 0, k, largest, k % 2);
        }
}

TEST(Topk, DimsAndLayouts) {
  checkTopk(of(TH_Float, {3}), 0, 1, true, true);
  checkTopk(random(TH_Float, {}), 0, 0, true, true);
  for (Layout layout : kLayouts)
    for (int dim = 0; dim < 3; dim++)
      checkTopk(relayout(awkward(TH_Float, {4, 6, 5}, 3), layout), dim, 3, dim % 2, true);
  checkTopk(random(TH_Float, {0, 4}), 1, 2, true, true);
  checkTopk(random(TH_Float, {3, 0}), 1, 0, true, true);
}

TEST(Sort, ThreadsMakeNoDifference) {
  const Tensor t = awkward(TH_Float, {200, 300}, 8);
  for (int dim : {0, 1})
    expectThreadIndependent([&] {
      Tensor v(TH_Float), i(TH_Long);
      THFloatTensor_sort(v, i, t, dim, true, false);
      return i;
    });
  expectThreadIndependent([&] {
    Tensor v(TH_Float), i(TH_Long);
    THFloatTensor_topk(v, i, t, 17, 0, true, false);
    return i;
  });
}

TEST(Sort, ErrorsChangeNothing) {
  const Tensor t = random(TH_Float, {2, 3});
  Tensor v = of(TH_Float, {5}), i = of(TH_Long, {6});
  expectRaises(TH_ERROR_INDEX, "Dimension out of range (expected to be in range of [-2, 1], but got 2)",
               [&] { THFloatTensor_sort(v, i, t, 2, false, false); });
  for (int64_t k : {-1, 4})
    expectRaises(TH_ERROR_RUNTIME, "selected index k out of range",
                 [&] { THFloatTensor_topk(v, i, t, k, 1, true, true); });
  expectRaises(TH_ERROR_RUNTIME, "dtype", [&] { THFloatTensor_sort(v, v, t, 1, false, false); });
  expectRaises(TH_ERROR_RUNTIME, "dtype", [&] { THDoubleTensor_sort(v, i, t, 1, false, false); });
  EXPECT_EQ(values(v), std::vector<double>{5});
  EXPECT_EQ(values(i), std::vector<double>{6});
}

}  // namespace
