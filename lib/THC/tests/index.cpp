// Moving elements by index, by mask and by position: each kernel beside TH's.
#include "pairs.hpp"
#include "support.hpp"

namespace {

class Index : public testing::Test {
 protected:
  void SetUp() override { THC_init(); }
  void TearDown() override { THC_synchronize(0); }
};

// op(tensors of one side, whether it is the device's side), for both.
template <class Op>
void onBoth(const Op &op) {
  op(false);
  op(true);
}
THTensor *side(const Pair &pair, bool device) { return device ? pair.device : pair.host; }

// Results that become of their shape, and results that have it and lie in another order.
template <class Op>
void expectResult(THDtype dtype, const Op &op) {
  const Pair fresh = Pair::result(dtype);
  onBoth([&](bool device) { op(side(fresh, device), device); });
  expectSame(fresh);
  if (fresh.host->ndim < 2 || !fresh.host->numel) return;
  Sizes turned(fresh.host->size, fresh.host->size + fresh.host->ndim);
  std::swap(turned.front(), turned.back());
  const Pair strided = Pair::random(dtype, turned, 7).transposed(0, fresh.host->ndim - 1);
  onBoth([&](bool device) { op(side(strided, device), device); });
  expectSame(strided);
}

TEST_F(Index, Select) {
  for (const THDtype dtype : kBySize) {
    const Pair base = Pair::random(dtype, {6, 8, 16});
    const Pair inputs[] = {base, base.transposed(0, 2), base.every(2, 3), base.narrowed(2, 1, 9),
                           Pair::random(dtype, {6, 1, 16}).expanded({6, 8, 16})};
    for (const Pair &t : inputs)
      for (int dim = 0; dim < 3; dim++)
        for (const THDtype indexDtype : {TH_Long, TH_Int}) {
          const int64_t length = t.host->size[dim];
          for (const Pair &index :
               {Pair::indices({11}, 0, length, indexDtype), Pair::indices({}, 0, length, indexDtype),
                Pair::indices({0}, 0, length, indexDtype), Pair::indices({20}, 0, length, indexDtype).every(0, 2)})
            expectResult(dtype, [&](THTensor *r, bool device) {
              (device ? THCTensor_indexSelect : THTensor_indexSelect)(r, side(t, device), dim, side(index, device));
            });
        }
    const Pair scalar = Pair::random(dtype, {}), zero = Pair::of(TH_Long, {1}, {0});
    expectResult(dtype, [&](THTensor *r, bool device) {
      (device ? THCTensor_indexSelect : THTensor_indexSelect)(r, side(scalar, device), 0, side(zero, device));
    });
  }
}

TEST_F(Index, Gather) {
  for (const THDtype dtype : kBySize) {
    const Pair base = Pair::random(dtype, {5, 7, 6});
    for (const Pair &t : {base, base.transposed(0, 1), base.every(1, 2)})
      for (int dim = 0; dim < 3; dim++) {
        Sizes size{4, 3, 6};
        size[size_t(dim)] = 9;
        for (const Pair &index : {Pair::indices(size, 0, t.host->size[dim]), Pair::indices({0, 2, 3}, 0, 1),
                                  Pair::indices(size, 0, t.host->size[dim], TH_Int)})
          expectResult(dtype, [&](THTensor *r, bool device) {
            (device ? THCTensor_gather : THTensor_gather)(r, side(t, device), dim, side(index, device));
          });
      }
    const Pair scalar = Pair::random(dtype, {}), vector = Pair::random(dtype, {4});
    for (const Pair &index : {Pair::of(TH_Long, {}, {0}), Pair::of(TH_Long, {3}, {0, 0, 0})})
      for (const Pair &t : {scalar, vector})
        expectResult(dtype, [&](THTensor *r, bool device) {
          (device ? THCTensor_gather : THTensor_gather)(r, side(t, device), 0, side(index, device));
        });
  }
}

// Duplicates in plenty: the last stays, sums are the CPU's.
TEST_F(Index, Scatter) {
  for (const THDtype dtype : test::kKernelDtypes)
    for (int dim = 0; dim < 3; dim++) {
      Sizes size{4, 3, 5};
      size[size_t(dim)] = 25;
      const Pair wide = Pair::random(dtype, {40, 40, 40}, 3).transposed(0, 2);
      for (const THDtype indexDtype : {TH_Long, TH_Int}) {
        const Pair index = Pair::indices(size, 0, 6, indexDtype);
        const auto check = [&](auto run) {
          for (int order = 0; order < 2; order++) {
            const Pair base = Pair::random(dtype, {6, 7, 8}, 4), self = order ? base.transposed(0, 2) : base;
            onBoth([&](bool device) { run(side(self, device), side(index, device), side(wide, device), device); });
            expectSame(self);
          }
        };
        check([&](THTensor *self, THTensor *at, THTensor *from, bool device) {
          (device ? THCTensor_scatter : THTensor_scatter)(self, dim, at, from);
        });
        check([&](THTensor *self, THTensor *at, THTensor *, bool device) {
          (device ? THCTensor_scatterFill : THTensor_scatterFill)(self, dim, at, number(1));
        });
#define SCATTER(Name, op)                                                                      \
  if (dtype == TH_##Name)                                                                      \
    check([&](THTensor *self, THTensor *at, THTensor *from, bool device) {                     \
      (device ? THC_TENSOR(Name, op) : TH##Name##Tensor_##op)(self, dim, at, from);            \
    });
        TH_FOR_all_complex(SCATTER, scatterAdd) TH_FOR_all_complex(SCATTER, scatterProd)
            TH_FOR_all(SCATTER, scatterAmax)
        TH_FOR_all(SCATTER, scatterAmin)
#undef SCATTER
      }
    }
}

using Indices = std::vector<const THTensor *>;

TEST_F(Index, Advanced) {
  const Pair rows = Pair::indices({5, 1}, -4, 4), columns = Pair::indices({6}, -6, 6, TH_Int),
             one = Pair::indices({9}, -5, 5, TH_Short), none = Pair::indices({0}, 0, 1);
  const std::vector<std::vector<const Pair *>> cases = {{&rows, &columns},           {&rows, nullptr, &one},
                                                        {nullptr, &columns},         {nullptr, nullptr, &one},
                                                        {nullptr, &rows, &one},      {&none},
                                                        {nullptr, nullptr, nullptr}, {&rows}};
  for (const THDtype dtype : test::kKernelDtypes)
    for (const auto &chosen : cases) {
      const auto list = [&](bool device) {
        Indices indices;
        for (const Pair *index : chosen) indices.push_back(index ? side(*index, device) : nullptr);
        return indices;
      };
      const Pair base = Pair::random(dtype, {5, 6, 4, 3}, 5).transposed(0, 2);  // 4, 6, 5, 3
      Pair shape = Pair::result(dtype);
      expectResult(dtype, [&](THTensor *r, bool device) {
        const Indices indices = list(device);
        (device ? THCTensor_index : THTensor_index)(r, side(base, device), int(indices.size()), indices.data());
        if (!device) shape = Pair(contiguousOf(r));
      });
      for (const bool accumulate : {false, true})
        for (const bool single : {false, true}) {
          const Pair self = Pair::random(dtype, {5, 6, 4, 3}, 5).transposed(0, 2);
          const Sizes size(shape.host->size, shape.host->size + shape.host->ndim);
          const Pair value = single ? Pair::random(dtype, {}, 8) : Pair::random(dtype, size, 8);
          onBoth([&](bool device) {
            const Indices indices = list(device);
            (device ? THCTensor_indexPut : THTensor_indexPut)(side(self, device), int(indices.size()), indices.data(),
                                                              side(value, device), accumulate);
          });
          expectSame(self);
        }
    }
}

TEST_F(Index, Slices) {
  for (const THDtype dtype : test::kKernelDtypes)
    for (int dim = 0; dim < 2; dim++) {
      const Pair index = Pair::indices({12}, 0, 5), negative = Pair::indices({4}, -5, 5);
      const Pair src = dim ? Pair::random(dtype, {12, 5}, 6).transposed(0, 1) : Pair::random(dtype, {12, 5}, 6);
      const auto check = [&](auto run) {
        const Pair self = Pair::random(dtype, {5, 5});
        onBoth([&](bool device) { run(side(self, device), device); });
        expectSame(self);
      };
      check([&](THTensor *self, bool device) {
        (device ? THCTensor_indexCopy : THTensor_indexCopy)(self, dim, side(index, device), side(src, device));
      });
      check([&](THTensor *self, bool device) {
        (device ? THCTensor_indexAdd : THTensor_indexAdd)(self, dim, side(index, device), side(src, device));
      });
      check([&](THTensor *self, bool device) {
        (device ? THCTensor_indexFill : THTensor_indexFill)(self, dim, side(negative, device), number(1));
      });
    }
}

TEST_F(Index, OutOfBounds) {
  const Pair t = Pair::random(TH_Float, {4, 5}), index = Pair::of(TH_Long, {3}, {1, 9, 2});
  const Held r(THTensor_newWithSizeOn({TH_CUDA, 0}, TH_Float, 2, Sizes{3, 5}.data()));
  THCTensor_fill(r, number(7));
  THCTensor_indexSelect(r, t.device, 0, index.device);
  EXPECT_RAISES(TH_ERROR_INDEX, "index out of range in self", THC_synchronize(0));
  THC_synchronize(0);  // once
  const test::Tensor got = test::toHost(r);
  const auto *const numbers = static_cast<const float *>(THTensor_data(got));
  const auto *const from = static_cast<const float *>(THTensor_data(t.host));
  for (int j = 0; j < 5; j++) {
    EXPECT_EQ(numbers[j], from[5 + j]);
    EXPECT_EQ(numbers[5 + j], 7);
    EXPECT_EQ(numbers[10 + j], from[10 + j]);
  }

  // What is in bounds is written, and nothing else.
  const Pair places = Pair::of(TH_Long, {3}, {1, -6, 3}), value = Pair::of(TH_Float, {3}, {10, 20, 30});
  for (const bool accumulate : {false, true}) {
    const Pair self = Pair::of(TH_Float, {5}, {0, 1, 2, 3, 4});
    const THTensor *const indices[] = {places.device};
    THCTensor_indexPut(self.device, 1, indices, value.device, accumulate);
    EXPECT_RAISES(TH_ERROR_INDEX, "index -6 is out of bounds for dimension 0 with size 5", THC_synchronize(0));
    const Pair expected = accumulate ? Pair::of(TH_Float, {5}, {0, 11, 2, 33, 4})
                                     : Pair::of(TH_Float, {5}, {0, 10, 2, 30, 4});
    expectSame({expected.host, self.device});
  }
  const Pair self = Pair::of(TH_Float, {3}, {0, 1, 2}), wrong = Pair::of(TH_Long, {2}, {0, 3}),
             src = Pair::of(TH_Float, {2}, {5, 6});
  THCTensor_scatter(self.device, 0, wrong.device, src.device);
  EXPECT_RAISES(TH_ERROR_RUNTIME, "index 3 is out of bounds for dimension 0 with size 3", THC_synchronize(0));
  THCudaTensor_scatterAdd(self.device, 0, wrong.device, src.device);
  EXPECT_RAISES(TH_ERROR_RUNTIME, "index 3 is out of bounds for dimension 0 with size 3", THC_synchronize(0));
  THCTensor_indexCopy(self.device, 0, wrong.device, src.device);
  EXPECT_RAISES(TH_ERROR_INDEX, "index_copy_(): index 3 is out of bounds for dimension 0 with size 3",
                THC_synchronize(0));
  expectSame({Pair::of(TH_Float, {3}, {5, 1, 2}).host, self.device});
}

TEST_F(Index, NonzeroAndMasks) {
  for (const THDtype dtype : test::kKernelDtypes)
    for (const Sizes &size :
         {Sizes{}, Sizes{0}, Sizes{1}, Sizes{7, 3, 2}, Sizes{5000}, Sizes{90, 71}, Sizes{3, 0, 2}}) {
      const Pair base(Pair::indices(size, -1, 2, dtype == TH_Bool || dtype == TH_Byte ? TH_Long : dtype));
      Held numbers(THTensor_newWithSize(dtype, base.host->ndim, base.host->size));
      THTensor_copy(numbers, base.host);
      const Pair plain(numbers);
      for (const Pair &t : {plain, base.host->ndim > 1 ? plain.transposed(0, 1) : plain}) {
        const Pair r = Pair::result(TH_Long);
        onBoth([&](bool device) { (device ? THCTensor_nonzero : THTensor_nonzero)(side(r, device), side(t, device)); });
        expectSame(r);
        const Sizes own(t.host->size, t.host->size + t.host->ndim);
        for (const Pair &mask : {Pair::indices(own, 0, 2, TH_Bool), Pair::indices({1}, 0, 2, TH_Bool, 5)}) {
          const Pair chosen = Pair::result(dtype);
          onBoth([&](bool device) {
            (device ? THCTensor_maskedSelect : THTensor_maskedSelect)(side(chosen, device), side(t, device),
                                                                      side(mask, device));
          });
          expectSame(chosen);
          if (mask.host->ndim > t.host->ndim) continue;
          const Pair src = Pair::random(dtype, {std::max<int64_t>(t.host->numel, 1)}, 9);
          onBoth([&](bool device) {
            (device ? THCTensor_maskedCopy : THTensor_maskedCopy)(side(t, device), side(mask, device),
                                                                  side(src, device));
          });
          expectSame(t);
        }
      }
    }
  const Pair self = Pair::of(TH_Float, {3}, {0, 1, 2}), mask = Pair::of(TH_Bool, {3}, {1, 0, 1}),
             few = Pair::of(TH_Float, {1}, {5});
  EXPECT_RAISES(TH_ERROR_RUNTIME, "Number of elements of source < number of ones in mask: 1 < 2",
                THCTensor_maskedCopy(self.device, mask.device, few.device));
  expectSame(self);
  const Pair signedZero = Pair::of(TH_Double, {2}, {-0.0, 1}), r = Pair::result(TH_Long);
  THTensor_nonzero(r.host, signedZero.host);
  THCTensor_nonzero(r.device, signedZero.device);
  expectSame(r);
}

TEST_F(Index, Positions) {
  for (const THDtype dtype : kBySize) {
    const Pair base = Pair::random(dtype, {3, 5, 7});
    for (const Pair &t : {base, base.transposed(1, 2), base.transposed(0, 2), base.every(2, 2)})
      for (const int64_t k : {int64_t(0), int64_t(-2), int64_t(3), int64_t(100), INT64_MIN, INT64_MAX})
        for (const bool lower : {false, true}) {
          expectResult(dtype, [&](THTensor *r, bool device) {
            (device  ? lower ? THCTensor_tril : THCTensor_triu
             : lower ? THTensor_tril
                     : THTensor_triu)(r, side(t, device), k);
          });
          const Pair own = Pair::random(dtype, {4, 4, 3}).transposed(0, 1);
          onBoth([&](bool device) {
            THTensor *const self = side(own, device);
            (device ? lower ? THCTensor_tril : THCTensor_triu : lower ? THTensor_tril : THTensor_triu)(self, self, k);
          });
          expectSame(own);
        }
    for (const Pair &t : {Pair::random(dtype, {5}), Pair::random(dtype, {4, 6}).transposed(0, 1)})
      for (const int64_t k : {0, -2, 3})
        expectResult(
            dtype, [&](THTensor *r, bool device) { (device ? THCTensor_diag : THTensor_diag)(r, side(t, device), k); });
    for (const Pair &t : {base, base.transposed(0, 1), base.narrowed(1, 0, 0)})
      for (uint64_t dims = 0; dims < 8; dims++)
        for (const bool turned : {false, true}) {
          const Sizes size(t.host->size, t.host->size + 3), back(size.rbegin(), size.rend());
          const Pair r = turned ? Pair::random(dtype, back, 7).transposed(0, 2) : Pair::random(dtype, size, 7);
          onBoth(
              [&](bool device) { (device ? THCTensor_flip : THTensor_flip)(side(r, device), side(t, device), dims); });
          expectSame(r);
        }
    const Pair other = Pair::random(TH_Float, {3, 5, 2}, 4), empty = Pair::random(dtype, {0});
    expectResult(dtype, [&](THTensor *r, bool device) {
      const THTensor *const tensors[] = {side(base, device), side(empty, device), side(other, device)};
      (device ? THCTensor_cat : THTensor_cat)(r, 3, tensors, -1);
    });
  }
}

}  // namespace
