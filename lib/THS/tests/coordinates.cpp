// Coalescing, sums and lookups against plain loops.
#include <map>

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

// Keys of one bucket only, and those whose order is that of their places.
TEST(Coalesce, KeysThatStandTogether) {
  for (const int64_t width : {int64_t(3), int64_t(5000), int64_t(1) << 40}) {
    const int64_t n = 150000;
    const Tensor indices = make(TH_Long, {2, n}, [&](int64_t i) {
      return i < n ? 7.0 : std::floor(noise(i, 3) * double(std::min<int64_t>(width, 5000)));
    });
    const Tensor ones = make(TH_Double, {n}, [](int64_t) { return 1.0; });
    const int64_t size[] = {1 << 20, width};
    const Tensor t(THSTensor_newWithTensorAndSize(indices, ones, 2, size, false)), found = coalesced(t);
    EXPECT_NO_THROW(THSTensor_checkInvariants(found));
    std::map<double, double> expected;
    for (int64_t i = 0; i < n; i++) expected[get(indices, n + i)]++;
    const THSMembers &members = *THSTensor_members(found);
    const int64_t count = THSTensor_nnz(found);
    ASSERT_EQ(count, int64_t(expected.size()));
    int64_t k = 0;
    for (const auto &[column, sum] : expected) {
      ASSERT_EQ(get(members.indices, k), 7);
      ASSERT_EQ(get(members.indices, count + k), column);
      ASSERT_EQ(get(members.values, k++), sum);
    }
  }
}

// What was in order before rows and columns were exchanged, also with a place that is there twice.
TEST(Coalesce, OfATransposedMatrix) {
  for (const Shape &block : {Shape{}, Shape{3}})
    for (const bool twice : {false, true}) {
      const Tensor a = coalesced(sparse(TH_Double, {50, 40}, 300, block)), at(THSTensor_newIndices(a));
      const int64_t n = THSTensor_nnz(a), turnedSize[] = {40, 50, 3};
      const Tensor turned = make(TH_Long, {2, n}, [&](int64_t i) {
        const int64_t entry = twice && i % n == 0 ? 1 : i % n;
        return get(at, (i < n ? n : 0) + entry);
      });
      const Tensor t(THSTensor_newWithTensorAndSize(turned, Tensor(THSTensor_newValues(a)), 2 + int(block.size()),
                                                    turnedSize, false));
      const Tensor found = coalesced(t);
      EXPECT_NO_THROW(THSTensor_checkInvariants(found));
      EXPECT_EQ(THSTensor_nnz(found), n - twice);
      expectNear(dense(found), dense(t), 1e-13);
    }
}

TEST(Turn, IsTheOtherOrder) {
  for (const THDtype index : {TH_Long, TH_Int})
    for (const int64_t n : {0, 1, 300}) {
      const Tensor a = coalesced(sparse(TH_Double, {50, 40}, n)), rows = csr(a, index), at(THSTensor_newIndices(a));
      Tensor begins(TH_Long), places(TH_Long), found(TH_Double);
      THSDoubleTensor_turn(begins, places, found, rows);
      const Tensor columns(THSTensor_newCompressed(TH_SPARSE_CSC, begins, places, found, 2, a->size));
      EXPECT_NO_THROW(THSTensor_checkInvariants(columns));
      Tensor back(TH_Long), across(TH_Long), again(TH_Double);
      THSDoubleTensor_turn(back, across, again, columns);
      EXPECT_EQ(values(again), values(THSTensor_members(a)->values));
      EXPECT_EQ(values(across), values(Tensor(THTensor_newSelect(at, 0, 1))));
      EXPECT_EQ(values(back), values(THSTensor_members(rows)->indices));
      EXPECT_THROW(THSDoubleTensor_turn(back, across, again, a), th::Exception);
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

// Enough entries for several shares, of which threads take some each; and lists that are said to be in order, and lie.
TEST(Cadd, OfManyEntriesIsTheSameWithAnyNumberOfThreads) {
  const int threads = TH_getNumThreads();
  const Tensor a = coalesced(sparse(TH_Float, {700, 700}, 250000, {}, 1)),
               b = coalesced(sparse(TH_Float, {700, 700}, 90000, {}, 2));
  const THScalar two{TH_KIND_int, {.i = 2}, 0};
  for (const bool turned : {false, true}) {
    const Tensor &x = turned ? b : a, &y = turned ? a : b;
    std::vector<double> expected = dense(x), more = dense(y), first;
    for (size_t i = 0; i < expected.size(); i++) expected[i] += 2 * more[i];
    for (const int n : {1, 4}) {
      TH_setNumThreads(n);
      Tensor indices(TH_Long), sums(TH_Float);
      THSFloatTensor_cadd(indices, sums, x, two, y);
      const Tensor found = coo(indices, sums, x, true);
      EXPECT_NO_THROW(THSTensor_checkInvariants(found));
      expectNear(dense(found), expected, 1e-6);
      if (n == 1) first = values(sums);
      EXPECT_EQ(values(sums), first);
    }
  }
  TH_setNumThreads(threads);
  const Tensor liar = sparse(TH_Float, {700, 700}, 250000),
               said = coo(Tensor(THSTensor_newIndices(liar)), Tensor(THSTensor_newValues(liar)), liar, true);
  Tensor indices(TH_Long), sums(TH_Float);
  THSFloatTensor_cadd(indices, sums, said, two, b);
  EXPECT_EQ(indices->size[1], sums->size[0]);
  EXPECT_LE(sums->size[0], 250000 + THSTensor_nnz(b));
}

TEST(Cadd, OfCompressedOnesIsThatOfCoordinates) {
  const THScalar two{TH_KIND_int, {.i = 2}, 0};
  for (const THDtype index : {TH_Long, TH_Int}) {
    const Tensor a = coalesced(sparse(TH_Double, {60, 40}, 300, {}, 1)),
                 b = coalesced(sparse(TH_Double, {60, 40}, 500, {}, 2));
    Tensor begins(TH_Long), columns(TH_Long), sums(TH_Double), indices(TH_Long), expected(TH_Double);
    THSDoubleTensor_caddCompressed(begins, columns, sums, csr(a, index), two, csr(b));
    THSDoubleTensor_cadd(indices, expected, a, two, b);
    const Tensor same = csr(coo(indices, expected, a, true));
    EXPECT_EQ(values(sums), values(expected));
    EXPECT_EQ(values(begins), values(THSTensor_members(same)->indices));
    EXPECT_EQ(values(columns), values(THSTensor_members(same)->plain));
    const Tensor other = csr(coalesced(sparse(TH_Double, {61, 40}, 9)));
    EXPECT_THROW(THSDoubleTensor_caddCompressed(begins, columns, sums, csr(a), two, other), th::Exception);
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
  const int threads = TH_getNumThreads();
  for (const int n : {1, 4}) {
    TH_setNumThreads(n);
    const Tensor many = make(TH_Long, {200000}, [](int64_t i) { return double(i / 3); });
    THSTensor_compress(begins, many, 70000);
    for (int64_t row = 0; row <= 70000; row++)
      ASSERT_EQ(get(begins, row), double(std::min<int64_t>(3 * row, 200000))) << row;
    for (const std::vector<double> &wrong : {std::vector<double>{-1, -1, 2}, {0, 2, 1}, {0, 1, 3}})
      EXPECT_THROW(THSTensor_compress(begins, of(TH_Long, wrong), 3), th::Exception);
    for (const int64_t at : {0, 70000, 150000, 199999}) {
      const Tensor falls = make(TH_Long, {200000}, [&](int64_t i) { return double(i == at ? -4 : i / 3); });
      EXPECT_THROW(THSTensor_compress(begins, falls, 70000), th::Exception) << at;
    }
  }
  TH_setNumThreads(threads);
}

TEST(Ranges, AreCountedOneAfterTheOther) {
  Tensor begins(TH_Long), numbers(TH_Long);
  THSLongTensor_ranges(begins, numbers, of(TH_Long, {5, 0, 2}), of(TH_Long, {7, 0, 5}));
  EXPECT_EQ(values(begins), (std::vector<double>{0, 2, 2, 5}));
  EXPECT_EQ(values(numbers), (std::vector<double>{5, 6, 2, 3, 4}));
  EXPECT_THROW(THSLongTensor_ranges(begins, numbers, of(TH_Long, {5}), of(TH_Long, {4})), th::Exception);
  EXPECT_THROW(THSLongTensor_ranges(begins, numbers, of(TH_Long, {5}), of(TH_Long, {6, 7})), th::Exception);
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
  // A row that ends behind the last entry is found before its entries are looked at.
  const Tensor beyond(THSTensor_newCompressed(TH_SPARSE_CSR, of(TH_Long, {0, 3, 2}), of(TH_Long, {0, 1}),
                                              of(TH_Float, {1, 2}), 2, std::initializer_list<int64_t>{2, 3}.begin()));
  try {
    THSTensor_checkInvariants(beyond);
    ADD_FAILURE();
  } catch (const th::Exception &error) {
    EXPECT_NE(std::string(error.what()).find("crow_indices[..., :-1] <= ncols"), std::string::npos) << error.what();
  }
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
