// Products of matrices against plain loops.
#include <map>

#include "sparse.hpp"

using namespace test;

namespace {

const THScalar kOne{TH_KIND_int, {.i = 1}, 0}, kZero{TH_KIND_int, {.i = 0}, 0}, kHalf{TH_KIND_float, {.d = 0.5}, 0};

std::vector<double> product(const std::vector<double> &a, const std::vector<double> &b, int64_t rows, int64_t inner,
                            int64_t columns) {
  std::vector<double> c(size_t(rows * columns));
  for (int64_t i = 0; i < rows; i++)
    for (int64_t k = 0; k < inner; k++)
      for (int64_t j = 0; j < columns; j++)
        c[size_t(i * columns + j)] += a[size_t(i * inner + k)] * b[size_t(k * columns + j)];
  return c;
}

TEST(Spaddmm, OfEveryLayoutAndWidth) {
  for (const int64_t width : {0, 1, 3, 128}) {
    SCOPED_TRACE(width);
    const Tensor t = sparse(TH_Double, {40, 30}, 300), once = coalesced(t), x = random(TH_Double, {30, width});
    const Tensor start = random(TH_Double, {40, width}, 4);
    std::vector<double> expected = product(dense(t), values(x), 40, 30, width);
    Tensor r(TH_Double);
    THSDoubleTensor_spaddmm(r, kZero, start, kOne, t, x);
    expectNear(values(r), expected, 1e-12);
    for (const THDtype index : {TH_Int, TH_Long}) {
      THSDoubleTensor_spaddmm(r, kZero, start, kOne, csr(once, index), x);
      expectNear(values(r), expected, 1e-12);
    }
    THSDoubleTensor_spaddmm(r, kHalf, start, kOne, once, x);
    for (size_t i = 0; i < expected.size(); i++) expected[i] += 0.5 * get(start, int64_t(i));
    expectNear(values(r), expected, 1e-12);
    EXPECT_EQ(shapeOf(r), (Shape{40, width}));
  }
}

// One row has nearly all entries: it is cut, and its parts are added in one order.
TEST(Spaddmm, ALongRowIsEverybodysWork) {
  const int threads = TH_getNumThreads();
  const int64_t n = 200000;
  const Tensor indices = make(TH_Long, {2, n}, [&](int64_t i) {
    const int64_t k = i % n;
    return double(i < n ? (k < n - 10 ? 3 : 4 + k % 5) : k);
  });
  const Tensor values_ = random(TH_Float, {n});
  const int64_t size[] = {20, n};
  const Tensor t(THSTensor_newWithTensorAndSize(indices, values_, 2, size, true));
  for (const int64_t width : {1, 4}) {
    const Tensor x = random(TH_Float, {n, width}), none = random(TH_Float, {1, 1});
    std::vector<double> exact(size_t(20 * width));
    for (int64_t i = 0; i < n; i++)
      for (int64_t d = 0; d < width; d++)
        exact[size_t(int64_t(get(indices, i)) * width + d)] += get(values_, i) * get(x, i * width + d);
    Tensor r(TH_Float), again(TH_Float);
    TH_setNumThreads(1);
    THSFloatTensor_spaddmm(r, kZero, none, kOne, t, x);
    TH_setNumThreads(4);
    THSFloatTensor_spaddmm(again, kZero, none, kOne, t, x);
    EXPECT_EQ(values(r), values(again));
    expectNear(values(r), exact, 1e-3);
  }
  TH_setNumThreads(threads);
}

// Few columns have a place each, many are found by a hash table.
TEST(Spgemm, IsTheProduct) {
  for (const int64_t width : {int64_t(45), int64_t(1) << 21}) {
    const Tensor a = csr(coalesced(sparse(TH_Double, {35, 50}, 300)));
    const Tensor b = csr(coalesced(sparse(TH_Double, {50, width}, 400, {}, 2)));
    Tensor begins(TH_Long), columns(TH_Long), sums(TH_Double);
    THSDoubleTensor_spgemm(begins, columns, sums, a, b);
    const int64_t size[] = {35, width};
    const Tensor c(THSTensor_newCompressed(TH_SPARSE_CSR, begins, columns, sums, 2, size));
    EXPECT_NO_THROW(THSTensor_checkInvariants(c));
    const auto entries = [](const Tensor &t) {
      std::map<std::pair<int64_t, int64_t>, double> result;
      const THSMembers &m = *THSTensor_members(t);
      for (int64_t r = 0; r < t->size[0]; r++)
        for (int64_t i = int64_t(get(m.indices, r)); i < int64_t(get(m.indices, r + 1)); i++)
          result[{r, int64_t(get(m.plain, i))}] += get(m.values, i);
      return result;
    };
    std::map<std::pair<int64_t, int64_t>, double> expected;
    const auto right = entries(b);
    for (const auto &[place, x] : entries(a))
      for (const auto &[other, y] : right)
        if (place.second == other.first) expected[{place.first, other.second}] += x * y;
    const auto found = entries(c);
    ASSERT_EQ(found.size(), expected.size());
    for (const auto &[place, x] : expected) ASSERT_NEAR(found.at(place), x, 1e-12);
  }
}

// Columns that stand close together are marked by words; a and b of several kinds give what plain loops give.
TEST(Spgemm, OfBands) {
  const int threads = TH_getNumThreads();
  const int64_t n = 3000, width = 9;
  const Tensor indices = make(TH_Long, {2, n * width}, [&](int64_t i) {
    const int64_t k = i % (n * width), row = k / width;
    return double(i < n * width ? row : std::min<int64_t>(n - width, std::max<int64_t>(0, row - 4)) + k % width);
  });
  const Tensor values_ = random(TH_Double, {n * width});
  const int64_t size[] = {n, n};
  const Tensor a = csr(Tensor(THSTensor_newWithTensorAndSize(indices, values_, 2, size, true)));
  std::vector<double> first;
  for (const int count : {1, 4}) {
    TH_setNumThreads(count);
    Tensor begins(TH_Long), columns(TH_Long), sums(TH_Double);
    THSDoubleTensor_spgemm(begins, columns, sums, a, a);
    const Tensor c(THSTensor_newCompressed(TH_SPARSE_CSR, begins, columns, sums, 2, size));
    EXPECT_NO_THROW(THSTensor_checkInvariants(c));
    if (count == 1) first = values(sums);
    EXPECT_EQ(values(sums), first);
    for (const int64_t row : {int64_t(0), int64_t(63), int64_t(1500), n - 1}) {
      std::map<int64_t, double> expected;
      for (int64_t i = 0; i < width; i++) {
        const int64_t at = row * width + i, other = int64_t(get(indices, n * width + at));
        for (int64_t j = other * width; j < (other + 1) * width; j++)
          expected[int64_t(get(indices, n * width + j))] += get(values_, at) * get(values_, j);
      }
      const int64_t begin = int64_t(get(begins, row));
      ASSERT_EQ(int64_t(get(begins, row + 1)) - begin, int64_t(expected.size()));
      int64_t k = begin;
      for (const auto &[column, sum] : expected) {
        ASSERT_EQ(get(columns, k), column);
        ASSERT_NEAR(get(sums, k++), sum, 1e-12);
      }
    }
  }
  TH_setNumThreads(threads);
}

TEST(Sampled, AreElementsOfTheProduct) {
  for (const int64_t inner : {0, 1, 7, 64}) {
    const Tensor a = random(TH_Double, {20, inner}), b = random(TH_Double, {inner, 30}, 2);
    const std::vector<double> all = product(values(a), values(b), 20, inner, 30);
    const Tensor pattern = sparse(TH_Double, {20, 30}, 100), places(THSTensor_newIndices(pattern));
    Tensor found(TH_Double);
    THSDoubleTensor_sampled(found, a, b, pattern);
    for (int64_t i = 0; i < 100; i++)
      ASSERT_NEAR(get(found, i), all[size_t(get(places, i) * 30 + get(places, 100 + i))], 1e-12);
  }
}

TEST(Products, ShapesThatDoNotFitAreRefused) {
  const Tensor t = sparse(TH_Float, {3, 4}, 5), x = random(TH_Float, {3, 4});
  Tensor r(TH_Float), begins(TH_Long), columns(TH_Long);
  EXPECT_THROW(THSFloatTensor_spaddmm(r, kZero, x, kOne, t, x), th::Exception);
  const Tensor rows = csr(coalesced(t));
  EXPECT_THROW(THSFloatTensor_spgemm(begins, columns, r, rows, rows), th::Exception);
  EXPECT_THROW(THSFloatTensor_sampled(r, x, x, t), th::Exception);
}

}  // namespace
