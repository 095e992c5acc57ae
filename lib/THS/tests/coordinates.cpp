// Coalescing, sums and lookups against plain loops.
#include "sparse.hpp"

using namespace test;

namespace {

TEST(Coalesce, AddsUpWhatHasOnePlace) {
  for (const THDtype dtype : kKernelDtypes)
    for (const int64_t n : {0, 1, 5, 400}) {
      SCOPED_TRACE(std::string(TH_dtypeName(dtype)) + " " + std::to_string(n));
      const Tensor t = sparse(dtype, {6, 7}, n), found = coalesced(t);
      // Few numbers, so that integers do not overflow but in bytes, where sums are taken modulo 256.
      if (dtype != TH_Byte && dtype != TH_Char)
        expectNear(dense(found), dense(t), dtype == TH_Half || dtype == TH_BFloat16 ? 0.05 : 1e-5);
      EXPECT_NO_THROW(THSTensor_checkInvariants(found));
      EXPECT_TRUE(THSTensor_isCoalesced(found));
    }
}

TEST(Coalesce, WideBlocksAndManyDimensions) {
  const Tensor t = sparse(TH_Double, {3, 2, 4, 5}, 300, {3, 100}), found = coalesced(t);
  expectNear(dense(found), dense(t), 1e-13);
  EXPECT_NO_THROW(THSTensor_checkInvariants(found));
  EXPECT_EQ(THSTensor_nDimensionI(found), 4);
  EXPECT_EQ(THSTensor_nDimensionV(found), 2);
}

// More entries than one block of the sort has, and keys that fill a word together with their places.
TEST(Coalesce, ManyEntries) {
  for (const int64_t side : {int64_t(300), int64_t(1) << 30}) {
    const Tensor t = sparse(TH_Double, {side, side}, 200000), found = coalesced(t);
    EXPECT_NO_THROW(THSTensor_checkInvariants(found));
    double sum = 0, total = 0;
    for (const double x : values(THSTensor_members(t)->values)) sum += x;
    for (const double x : values(THSTensor_members(found)->values)) total += x;
    EXPECT_NEAR(sum, total, 1e-9);
    EXPECT_EQ(THSTensor_nnz(found) == 200000, side > 300);
  }
}

TEST(Coalesce, SameBitsWithAnyNumberOfThreads) {
  const int threads = TH_getNumThreads();
  const Tensor t = sparse(TH_Float, {200, 200}, 300000);
  TH_setNumThreads(1);
  const std::vector<double> one = values(THSTensor_members(coalesced(t))->values);
  TH_setNumThreads(4);
  EXPECT_EQ(values(THSTensor_members(coalesced(t))->values), one);
  TH_setNumThreads(threads);
}

TEST(Cadd, IsTheUnion) {
  for (const THDtype dtype : {TH_Double, TH_Float, TH_Long}) {
    const Tensor a = coalesced(sparse(dtype, {9, 8}, 20, {2}, 1)), b = coalesced(sparse(dtype, {9, 8}, 30, {2}, 2));
    Tensor indices(TH_Long), sums{dtype};
    const THScalar three{TH_KIND_int, {.i = 3}, 0};
    switch (dtype) {
      case TH_Double: THSDoubleTensor_cadd(indices, sums, a, three, b); break;
      case TH_Float: THSFloatTensor_cadd(indices, sums, a, three, b); break;
      default: THSLongTensor_cadd(indices, sums, a, three, b);
    }
    const Tensor found = coo(indices, sums, a, true);
    std::vector<double> expected = dense(a), more = dense(b);
    for (size_t i = 0; i < expected.size(); i++) expected[i] += 3 * more[i];
    expectNear(dense(found), expected, 1e-5);
    EXPECT_NO_THROW(THSTensor_checkInvariants(found));
  }
}

TEST(Find, SaysWhereAPlaceStands) {
  const Tensor t = coalesced(sparse(TH_Double, {50, 60}, 500)), asked = sparse(TH_Double, {50, 60}, 900, {}, 5);
  const Tensor places(THSTensor_newIndices(t)), wanted(THSTensor_newIndices(asked));
  Tensor found(TH_Long);
  THSTensor_find(found, t, wanted);
  const int64_t n = places->size[1], m = wanted->size[1];
  for (int64_t i = 0; i < m; i++) {
    int64_t at = -1;
    for (int64_t k = 0; k < n; k++)
      if (get(places, k) == get(wanted, i) && get(places, n + k) == get(wanted, m + i)) at = k;
    ASSERT_EQ(get(found, i), double(at)) << i;
  }
}

TEST(Compress, CountsWhatComesBefore) {
  const Tensor rows = of(TH_Long, {1, 1, 4, 4, 4, 6});
  Tensor begins(TH_Long);
  THSTensor_compress(begins, rows, 8);
  EXPECT_EQ(values(begins), (std::vector<double>{0, 0, 2, 2, 2, 5, 5, 6, 6}));
  THSTensor_compress(begins, of(TH_Long, {}), 3);
  EXPECT_EQ(values(begins), (std::vector<double>{0, 0, 0, 0}));
}

TEST(Group, PutsRowsInOrderAndKeepsThatOfTheirEntries) {
  const Tensor rows = of(TH_Long, {4, 0, 4, 2, 0, 4});
  Tensor begins(TH_Long), order(TH_Long);
  THSTensor_group(begins, order, rows, 6);
  EXPECT_EQ(values(begins), (std::vector<double>{0, 2, 2, 3, 3, 6, 6}));
  EXPECT_EQ(values(order), (std::vector<double>{1, 4, 3, 0, 2, 5}));
  EXPECT_THROW(THSTensor_group(begins, order, rows, 4), th::Exception);
}

TEST(Members, WhatDoesNotFitIsRefused) {
  const Tensor indices = make(TH_Long, {2, 3}, [](int64_t i) { return double(i % 3); }),
               values = of(TH_Float, {1, 2, 3});
  const int64_t size[] = {4, 5, 6}, small[] = {4, 2};
  EXPECT_THROW(THSTensor_newWithTensorAndSize(values, values, 2, size, false), th::Exception);
  EXPECT_THROW(THSTensor_newWithTensorAndSize(indices, of(TH_Float, {1, 2}), 2, size, false), th::Exception);
  EXPECT_THROW(THSTensor_newWithTensorAndSize(indices, values, 3, size, false), th::Exception);
  const Tensor outside(THSTensor_newWithTensorAndSize(indices, values, 2, small, false));
  EXPECT_THROW(THSTensor_checkInvariants(outside), th::Exception);
  const Tensor begins = of(TH_Long, {0, 2, 3}), columns = of(TH_Long, {0, 1, 1}), falling = of(TH_Long, {0, 3, 2});
  const int64_t two[] = {2, 2};
  const Tensor fits(THSTensor_newCompressed(TH_SPARSE_CSR, begins, columns, values, 2, two));
  EXPECT_NO_THROW(THSTensor_checkInvariants(fits));
  const Tensor lies(THSTensor_newCompressed(TH_SPARSE_CSR, falling, columns, values, 2, two));
  EXPECT_THROW(THSTensor_checkInvariants(lies), th::Exception);
  EXPECT_THROW(THSTensor_newCompressed(TH_SPARSE_CSR, columns, begins, of(TH_Float, {1}), 2, two), th::Exception);
  EXPECT_THROW(THTensor_data(fits), th::Exception);
}

TEST(Bounds, AreLookedAtAgainWhereIndicesWereWritten) {
  const Tensor indices = of(TH_Long, {0, 2, 1, 1}), values = of(TH_Float, {1, 2});
  THTensor_resize(indices, 2, (const int64_t[]){2, 2});
  const int64_t size[] = {3, 2};
  const Tensor t(THSTensor_newWithTensorAndSize(indices, values, 2, size, false));
  EXPECT_NO_THROW(THSTensor_checkBounds(t));
  EXPECT_TRUE(THSTensor_members(t)->bounded);
  for (const int64_t wrong : {int64_t(-1), int64_t(3), int64_t(1) << 62}) {
    static_cast<int64_t *>(THTensor_data(indices))[1] = wrong;
    THTensor_bumpVersion(indices);
    EXPECT_THROW(THSTensor_checkBounds(t), th::Exception);
  }
  // Lines that end behind the entries are not followed, not even to say what is wrong.
  const int64_t wide[] = {2, 1000};
  const Tensor begins = of(TH_Long, {0, 900, 2}), columns = of(TH_Long, {0, 1});
  const Tensor far(THSTensor_newCompressed(TH_SPARSE_CSR, begins, columns, values, 2, wide));
  EXPECT_THROW(THSTensor_checkBounds(far), th::Exception);
  EXPECT_THROW(THSTensor_checkInvariants(far), th::Exception);
}

TEST(Checking, LooksAtEveryTensorThatIsMade) {
  const Tensor indices = of(TH_Long, {5, 5}), values = of(TH_Float, {1, 2});
  THTensor_resize(indices, 2, (const int64_t[]){1, 2});
  const int64_t size[] = {6}, small[] = {5};
  EXPECT_FALSE(THSTensor_isChecking());
  THSTensor_setChecking(true);
  EXPECT_THROW(THSTensor_newWithTensorAndSize(indices, values, 1, small, false), th::Exception);
  const Tensor twice(THSTensor_newWithTensorAndSize(indices, values, 1, size, false));
  EXPECT_THROW(THSTensor_setCoalesced(twice, true), th::Exception);
  EXPECT_FALSE(THSTensor_isCoalesced(twice));
  THSTensor_setChecking(false);
  EXPECT_NO_THROW(THSTensor_setCoalesced(twice, true));
}

// Whoever has the tensor sees its new members; a copy of the struct shares them.
TEST(Members, AreSharedAndReplaced) {
  const Tensor t = coalesced(sparse(TH_Double, {4, 4}, 5)), other = coalesced(sparse(TH_Double, {4, 4}, 9, {}, 3));
  const Tensor alias(THTensor_newWithTensor(t));
  THSTensor_set(t, other);
  EXPECT_EQ(THSTensor_nnz(alias), THSTensor_nnz(other));
  EXPECT_EQ(dense(alias), dense(other));
}

}  // namespace
