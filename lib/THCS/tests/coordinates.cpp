// Coordinates on a device beside THS's.
#include "both.hpp"

using namespace test;

namespace {

const auto kCoalesce = SPARSE_PAIR(all_complex, coalesce);
const auto kCadd = SPARSE_PAIR(all_complex, cadd);

TEST(Coalesce, AsOnTheCpu) {
  for (const THDtype dtype : kCoalesce.dtypes)
    for (const int64_t n : {0, 1, 5, 400}) {
      SCOPED_TRACE(std::string(TH_dtypeName(dtype)) + " " + std::to_string(n));
      const Tensor t = sparse(dtype, {6, 7}, n);
      compareBoth([&](const Place &at) {
        Tensor indices = at.empty(TH_Long), values = at.empty(dtype);
        at.function(kCoalesce, dtype)(indices, values, at.sparse(t));
        return results(std::move(indices), std::move(values));
      });
    }
}

TEST(Coalesce, ShapesAndLayouts) {
  for (const Shape &shape :
       {Shape{}, Shape{9}, Shape{3, 2, 4, 5}, Shape{int64_t(1) << 40}, Shape{1, 1}, Shape{1 << 20, 1 << 20}})
    for (const Shape &dense : {Shape{}, Shape{3}, Shape{0}, Shape{2, 5}}) {
      SCOPED_TRACE(::testing::PrintToString(shape) + ::testing::PrintToString(dense));
      const Tensor t = sparse(TH_Double, shape, 50, dense);
      compareBoth([&](const Place &at) {
        Tensor indices = at.empty(TH_Long), values = at.empty(TH_Double);
        at.function(kCoalesce, TH_Double)(indices, values, at.sparse(t));
        return results(std::move(indices), std::move(values));
      });
    }
  // Members that are no run of memory.
  const Tensor rows = relayout(make(TH_Long, {2, 30}, [](int64_t i) { return double(i * 7 % 5); }), Layout::reversed);
  const Tensor values_ = relayout(random(TH_Float, {30, 4}), Layout::gapped);
  const int64_t size[] = {5, 5, 4};
  const Tensor t(THSTensor_newWithTensorAndSize(rows, values_, 3, size, false));
  compareBoth([&](const Place &at) {
    Tensor indices = at.empty(TH_Long), values = at.empty(TH_Float);
    at.function(kCoalesce, TH_Float)(indices, values, at.sparse(t));
    return results(std::move(indices), std::move(values));
  });
}

TEST(Coalesce, ManyEntries) {
  const Tensor t = sparse(TH_Float, {100, 100}, 30000);
  compareBoth([&](const Place &at) {
    Tensor indices = at.empty(TH_Long), values = at.empty(TH_Float);
    at.function(kCoalesce, TH_Float)(indices, values, at.sparse(t));
    return results(std::move(indices), std::move(values));
  });
}

TEST(Cadd, AsOnTheCpu) {
  for (const THDtype dtype : kCadd.dtypes)
    for (const auto &[n, m] : {std::pair{0, 0}, {0, 7}, {7, 0}, {30, 40}, {300, 5}}) {
      SCOPED_TRACE(std::string(TH_dtypeName(dtype)) + " " + std::to_string(n) + " " + std::to_string(m));
      const Tensor a = coalesced(sparse(dtype, {9, 8}, n, {2}, 1)), b = coalesced(sparse(dtype, {9, 8}, m, {2}, 2));
      for (const THScalar alpha : {whole(1), whole(3)})
        compareBoth([&](const Place &at) {
          Tensor indices = at.empty(TH_Long), values = at.empty(dtype);
          at.function(kCadd, dtype)(indices, values, at.sparse(a), alpha, at.sparse(b));
          return results(std::move(indices), std::move(values));
        });
    }
}

// Those that are not coalesced are joined as the CPU joins them.
TEST(Cadd, InAnyOrder) {
  const Tensor a = sparse(TH_Float, {5, 4}, 30, {}, 1), b = sparse(TH_Float, {5, 4}, 12, {}, 2), c = coalesced(b);
  for (const auto &[x, y] : {std::pair<THTensor *, THTensor *>{a, b}, {a, a}, {a, c}, {c, a}})
    compareBoth([x = x, y = y](const Place &at) {
      Tensor indices = at.empty(TH_Long), values = at.empty(TH_Float);
      at.function(kCadd, TH_Float)(indices, values, at.sparse(x), whole(2), at.sparse(y));
      return results(std::move(indices), std::move(values));
    });
}

TEST(Find, AsOnTheCpu) {
  for (const int64_t n : {0, 1, 500}) {
    const Tensor t = coalesced(sparse(TH_Double, {50, 60}, n)), asked = sparse(TH_Double, {50, 60}, 900, {}, 5);
    const Tensor places(THSTensor_newIndices(asked));
    compareBoth([&](const Place &at) {
      Tensor r = at.empty(TH_Long);
      (at.onDevice ? THCSTensor_find : THSTensor_find)(r, at.sparse(t), at.strided(places));
      return results(std::move(r));
    });
  }
  const Tensor t = coalesced(sparse(TH_Double, {5, 6}, 9)),
               outside = make(TH_Long, {2, 2}, [](int64_t i) { return 2.0 * double(i); });
  refuseBoth([&](const Place &at) {
    const Tensor r = at.empty(TH_Long);
    (at.onDevice ? THCSTensor_find : THSTensor_find)(r, at.sparse(t), at.strided(outside));
  });
}

TEST(Rows, AsOnTheCpu) {
  for (const std::vector<double> &list : {std::vector<double>{1, 1, 4, 4, 4, 6}, {}, {0}, {7, 7}}) {
    const Tensor rows = of(TH_Long, list);
    compareBoth([&](const Place &at) {
      Tensor r = at.empty(TH_Long);
      (at.onDevice ? THCSTensor_compress : THSTensor_compress)(r, at.strided(rows), 8);
      return results(std::move(r));
    });
  }
  for (const std::vector<double> &list : {std::vector<double>{4, 0, 4, 2, 0, 4}, {}, {5, 5, 5, 0}}) {
    const Tensor rows = of(TH_Long, list);
    compareBoth([&](const Place &at) {
      Tensor begins = at.empty(TH_Long), order = at.empty(TH_Long);
      (at.onDevice ? THCSTensor_group : THSTensor_group)(begins, order, at.strided(rows), 6);
      return results(std::move(begins), std::move(order));
    });
  }
  const Tensor many = make(TH_Long, {20000}, [](int64_t i) { return std::floor(noise(i) * 300); });
  compareBoth([&](const Place &at) {
    Tensor begins = at.empty(TH_Long), order = at.empty(TH_Long);
    (at.onDevice ? THCSTensor_group : THSTensor_group)(begins, order, at.strided(many), 300);
    return results(std::move(begins), std::move(order));
  });
}

TEST(Rows, ThatDoNotFitAreRefused) {
  for (const std::vector<double> &list : {std::vector<double>{1, 0}, {0, 3}, {-1, 0}}) {
    const Tensor rows = of(TH_Long, list);
    refuseBoth([&](const Place &at) {
      Tensor r = at.empty(TH_Long);
      (at.onDevice ? THCSTensor_compress : THSTensor_compress)(r, at.strided(rows), 3);
    });
  }
  for (const std::vector<double> &list : {std::vector<double>{0, 3}, {-1, 0}}) {
    const Tensor rows = of(TH_Long, list);
    refuseBoth([&](const Place &at) {
      Tensor begins = at.empty(TH_Long), order = at.empty(TH_Long);
      (at.onDevice ? THCSTensor_group : THSTensor_group)(begins, order, at.strided(rows), 3);
    });
  }
}

void check(const Place &at, const THSTensor *t) {
  (at.onDevice ? THCSTensor_checkInvariants : THSTensor_checkInvariants)(at.sparse(t));
}

TEST(Invariants, OfCoordinates) {
  const int64_t size[] = {4, 5};
  const auto of2 = [&](std::vector<double> list, bool coalesced) {
    const int64_t n = int64_t(list.size()) / 2;
    const Tensor indices = make(TH_Long, {2, n}, [&](int64_t i) { return list[size_t(i)]; }),
                 values = random(TH_Float, {n});
    return Tensor(THSTensor_newWithTensorAndSize(indices, values, 2, size, coalesced));
  };
  for (const bool coalesced : {false, true}) check(kThere, of2({0, 1, 3, 4, 0, 2}, coalesced));
  check(kThere, of2({3, 1, 3, 4, 0, 4}, false));
  check(kThere, of2({}, true));
  for (const Tensor &bad : {of2({0, 4, 0, 0}, false), of2({0, 0, 0, 5}, false), of2({0, -1, 0, 0}, true),
                            of2({1, 1, 3, 3}, true), of2({1, 0, 3, 3}, true)}) {
    refuseBoth([&](const Place &at) { check(at, bad); });
    // A kernel does not go where such indices lead.
    if (!THSTensor_isCoalesced(bad))
      refuseBoth([&](const Place &at) {
        const Tensor indices = at.empty(TH_Long), values = at.empty(TH_Float);
        at.function(kCoalesce, TH_Float)(indices, values, at.sparse(bad));
      });
  }
}

TEST(Invariants, OfCompressedLayouts) {
  for (const THLayout layout : {TH_SPARSE_CSR, TH_SPARSE_CSC, TH_SPARSE_BSR, TH_SPARSE_BSC})
    for (const THDtype index : {TH_Int, TH_Long}) {
      SCOPED_TRACE(std::string(TH_layoutName(layout)) + " " + TH_dtypeName(index));
      const bool blocked = layout == TH_SPARSE_BSR || layout == TH_SPARSE_BSC;
      const int64_t size[] = {2, 6, 6}, lines = blocked ? 3 : 6;
      // Of two matrices with as many entries each: `begins` of the first, `places` of the second are those.
      const auto made = [&](std::vector<double> begins, std::vector<double> places) {
        begins.resize(size_t(lines) + 1, 3);
        const Tensor compressed = make(index, {2, lines + 1}, [&](int64_t i) {
          return i <= lines ? begins[size_t(i)] : double(std::min<int64_t>(3, i - lines - 1));
        });
        const Tensor plain = make(index, {2, 3}, [&](int64_t i) { return i < 3 ? double(i) : places[size_t(i - 3)]; });
        const Tensor values = random(TH_Float, blocked ? Shape{2, 3, 2, 2} : Shape{2, 3});
        return Tensor(THSTensor_newCompressed(layout, compressed, plain, values, 3, size));
      };
      check(kThere, made({0, 1, 2}, {0, 2, 1}));
      check(kThere, made({0, 3, 3}, {1, 0, 2}));
      for (const Tensor &bad : {made({1, 1, 2}, {0, 2, 1}), made({0, 2, 1}, {0, 2, 1}), made({0, 1, 2}, {0, 6, 1}),
                                made({0, 1, 2}, {-1, 0, 1}), made({0, 4, 3}, {0, 1, 2})})
        refuseBoth([&](const Place &at) { check(at, bad); });
    }
}

// Once found, what indices say is not looked at again, until they are written.
TEST(Invariants, AreFoundOnceForEachVersion) {
  const Tensor host = sparse(TH_Float, {5, 5}, 9), t = sparseOnDevice(host);
  THSMembers &members = *THSTensor_members(t);
  const auto run = [&] {
    const Tensor indices = newOnDevice(TH_Long), values = newOnDevice(TH_Float);
    THCSFloatTensor_coalesce(indices, values, t);
  };
  run();
  EXPECT_TRUE(members.bounded);
  run();
  THCTensor_fill(members.indices, whole(7));
  (*TH_versionOf(members.indices))++;
  EXPECT_NE(errorOf(run), "");
}

}  // namespace
