// Products on a device beside THS's.
#include "both.hpp"

using namespace test;

namespace {

const auto kSpaddmm = SPARSE_PAIR(number_complex, spaddmm);
const auto kSpgemm = SPARSE_PAIR(number_complex, spgemm);
const auto kSampled = SPARSE_PAIR(number_complex, sampled);
const auto kTrsm = SPARSE_PAIR(lapack, trsm);

Tensor product(const Place &at, THDtype dtype, THScalar beta, const THTensor *t, THScalar alpha,
               const THSTensor *sparse, const THTensor *dense) {
  Tensor r = at.empty(dtype);
  at.function(kSpaddmm, dtype)(r, beta, at.strided(t), alpha, at.sparse(sparse), at.strided(dense));
  return r;
}

TEST(Spaddmm, OfEveryDtypeLayoutAndWidth) {
  for (const THDtype dtype : kSpaddmm.dtypes)
    for (const int64_t width : {0, 1, 3, 40}) {
      SCOPED_TRACE(std::string(TH_dtypeName(dtype)) + " " + std::to_string(width));
      const Tensor t = sparse(dtype, {40, 30}, 300), once = coalesced(t), x = random(dtype, {30, width});
      const Tensor start = random(dtype, {40, width}, 4), row = random(dtype, {1, width}, 5);
      compareBoth([&](const Place &at) {
        return results(product(at, dtype, whole(0), start, whole(1), t, x),
                       product(at, dtype, whole(2), start, whole(3), once, x),
                       product(at, dtype, whole(1), row, whole(1), csr(once, TH_Int), x),
                       product(at, dtype, whole(1), start, whole(2), csr(once), x));
      });
    }
}

// Rows that are cut: with as many entries as several shares have, or parts of them.
TEST(Spaddmm, ALongRowIsCutWhereTheCpuCutsIt) {
  for (const int64_t width : {int64_t(1), int64_t(600)}) {
    const int64_t n = width == 1 ? 70000 : 700;
    const Tensor indices = make(TH_Long, {2, n}, [&](int64_t i) {
      const int64_t k = i % n;
      return double(i < n ? (k < 10 ? 1 : k < n - 100 ? 3 : 4 + (k - n + 100) / 20) : k);
    });
    const Tensor values_ = random(TH_Float, {n}), x = random(TH_Float, {n, width}),
                 start = random(TH_Float, {20, width}, 3);
    const int64_t size[] = {20, n};
    const Tensor t(THSTensor_newWithTensorAndSize(indices, values_, 2, size, true));
    compareBoth([&](const Place &at) { return results(product(at, TH_Float, real(0.5), start, real(1.5), t, x)); });
  }
}

TEST(Spaddmm, ResultsThatAreThere) {
  const Tensor t = sparse(TH_Double, {6, 5}, 12), x = relayout(random(TH_Double, {5, 4}), Layout::reversed);
  compareBoth([&](const Place &at) {
    const Tensor there = at.strided(random(TH_Double, {6, 4}, 3));
    THTensor_retain(there);
    Tensor r(static_cast<THTensor *>(there));
    at.function(kSpaddmm, TH_Double)(r, real(2), there, real(1), at.sparse(t), at.strided(x));
    return results(std::move(r));
  });
}

TEST(Spgemm, AsOnTheCpu) {
  for (const THDtype dtype : kSpgemm.dtypes)
    for (const int64_t columns : {int64_t(0), int64_t(45), int64_t(1) << 21}) {
      SCOPED_TRACE(std::string(TH_dtypeName(dtype)) + " " + std::to_string(columns));
      const Tensor a = csr(coalesced(sparse(dtype, {35, 50}, 300)));
      const Tensor b = csr(coalesced(sparse(dtype, {50, columns}, columns ? 400 : 0, {}, 2)));
      compareBoth([&](const Place &at) {
        Tensor begins = at.empty(TH_Long), places = at.empty(TH_Long), sums = at.empty(dtype);
        at.function(kSpgemm, dtype)(begins, places, sums, at.sparse(a), at.sparse(b));
        return results(std::move(begins), std::move(places), std::move(sums));
      });
    }
}

// A row has more than half of the products that are made at once, so that each is a share.
TEST(Spgemm, InShares) {
  const int64_t n = 1100, rows = 3, each = 1000;
  const Tensor begins_ = make(TH_Long, {rows + 1}, [&](int64_t i) { return double(i * n); });
  const Tensor places = make(TH_Long, {rows * n}, [&](int64_t i) { return double(i % n); });
  const Tensor ones = random(TH_Float, {rows * n});
  const int64_t size[] = {rows, n}, square[] = {n, n};
  const Tensor a(THSTensor_newCompressed(TH_SPARSE_CSR, begins_, places, ones, 2, size));
  const Tensor begins = make(TH_Long, {n + 1}, [&](int64_t i) { return double(i * each); });
  const Tensor columns(TH_Long, {n * each}), values(TH_Float, {n * each});
  for (int64_t i = 0; i < n * each; i++) {
    static_cast<int64_t *>(THTensor_data(columns))[i] = i % each;
    static_cast<float *>(THTensor_data(values))[i] = float(noise(i) - 0.5);
  }
  const Tensor b(THSTensor_newCompressed(TH_SPARSE_CSR, begins, columns, values, 2, square));
  compareBoth([&](const Place &at) {
    Tensor r = at.empty(TH_Long), c = at.empty(TH_Long), sums = at.empty(TH_Float);
    at.function(kSpgemm, TH_Float)(r, c, sums, at.sparse(a), at.sparse(b));
    return results(std::move(r), std::move(c), std::move(sums));
  });
  THC_emptyCache();  // the host's CUDA protects all of it at each step
}

TEST(Sampled, AsOnTheCpu) {
  for (const THDtype dtype : kSampled.dtypes)
    for (const int64_t inner : {0, 1, 7, 64}) {
      SCOPED_TRACE(std::string(TH_dtypeName(dtype)) + " " + std::to_string(inner));
      const Tensor a = random(dtype, {20, inner}), b = relayout(random(dtype, {inner, 30}, 2), Layout::reversed);
      const Tensor t = sparse(dtype, {20, 30}, 100), byRows = csr(coalesced(t), TH_Int);
      compareBoth([&](const Place &at) {
        Results list;
        for (const THTensor *pattern : {static_cast<THTensor *>(t), static_cast<THTensor *>(byRows)}) {
          Tensor r = at.empty(dtype);
          at.function(kSampled, dtype)(r, at.strided(a), at.strided(b), at.sparse(pattern));
          list.push_back(std::move(r));
        }
        return list;
      });
    }
}

// A matrix whose rows need the one before, one whose rows need none, one between, with and without a whole diagonal.
Tensor triangle(THDtype dtype, int64_t n, int64_t apart) {
  std::vector<double> begins{0}, columns;
  for (int64_t row = 0; row < n; row++) {
    for (int64_t column = 0; column < n; column++)
      if (column == row || (apart && std::abs(row - column) % apart == 0 && std::abs(row - column) < 3 * apart))
        columns.push_back(double(column));
    begins.push_back(double(columns.size()));
  }
  const Tensor values_ = make(dtype, {int64_t(columns.size())}, [&](int64_t i) { return 1 + 0.25 * noise(i); });
  const int64_t size[] = {n, n};
  return Tensor(THSTensor_newCompressed(TH_SPARSE_CSR, of(TH_Long, begins), of(TH_Long, columns), values_, 2, size));
}

TEST(Trsm, AsOnTheCpu) {
  for (const THDtype dtype : kTrsm.dtypes)
    for (const int64_t apart : {0, 1, 7, 40})
      for (const int64_t width : {0, 1, 3, 30}) {
        SCOPED_TRACE(std::string(TH_dtypeName(dtype)) + " " + std::to_string(apart) + " " + std::to_string(width));
        const Tensor a = triangle(dtype, 90, apart), b = relayout(random(dtype, {90, width}), Layout::reversed);
        compareBoth([&](const Place &at) {
          Results list;
          for (const bool upper : {false, true})
            for (const bool unit : {false, true}) {
              Tensor r = at.empty(dtype);
              at.function(kTrsm, dtype)(r, at.strided(b), at.sparse(a), upper, unit);
              list.push_back(std::move(r));
            }
          return list;
        });
      }
}

TEST(Products, WhatDoesNotFitIsRefused) {
  const Tensor t = sparse(TH_Float, {3, 4}, 5), x = random(TH_Float, {3, 4}), rows = csr(coalesced(t));
  refuseBoth([&](const Place &at) { product(at, TH_Float, whole(0), x, whole(1), t, x); });
  refuseBoth([&](const Place &at) {
    const Tensor r = at.empty(TH_Float), begins = at.empty(TH_Long), columns = at.empty(TH_Long);
    at.function(kSpgemm, TH_Float)(begins, columns, r, at.sparse(rows), at.sparse(rows));
  });
  refuseBoth([&](const Place &at) {
    const Tensor r = at.empty(TH_Float);
    at.function(kSampled, TH_Float)(r, at.strided(x), at.strided(x), at.sparse(t));
  });
  refuseBoth([&](const Place &at) {
    const Tensor r = at.empty(TH_Float);
    at.function(kTrsm, TH_Float)(r, at.strided(x), at.sparse(rows), true, false);
  });
  // A number that the dtype cannot hold.
  const Tensor ints = sparse(TH_Byte, {3, 4}, 5), y = random(TH_Byte, {4, 2});
  refuseBoth([&](const Place &at) { product(at, TH_Byte, whole(0), y, whole(1000), ints, y); });
}

TEST(Products, OfTwoDevicesAreRefused) {
  const Tensor t = sparse(TH_Float, {3, 4}, 5), x = random(TH_Float, {4, 2}), r = newOnDevice(TH_Float);
  const Tensor there = sparseOnDevice(t), on = onDevice(x);
  const std::string
      both = "Expected all tensors to be on the same device, but found at least two devices, cuda:0 and cpu!";
  EXPECT_EQ(errorOf([&] { THCSFloatTensor_spaddmm(r, whole(0), on, whole(1), there, x); }), both);
  EXPECT_EQ(errorOf([&] { THCSFloatTensor_spaddmm(r, whole(0), on, whole(1), t, on); }), both);
  // Members of one element are no numbers.
  const Tensor one = sparse(TH_Float, {3, 4}, 1), line = sparse(TH_Float, {4}, 1);
  EXPECT_EQ(errorOf([&] { THCSFloatTensor_spaddmm(r, whole(0), on, whole(1), one, on); }), both);
  const Tensor indices = newOnDevice(TH_Long);
  EXPECT_EQ(errorOf([&] { THCSFloatTensor_coalesce(indices, r, line); }), both);
  const Tensor here(TH_Float);
  EXPECT_EQ(errorOf([&] { THCSFloatTensor_spaddmm(here, whole(0), on, whole(1), there, on); }), both);
}

}  // namespace
