// Products of matrices and vectors: each beside TH's.
#include "pairs.hpp"
#include "support.hpp"

namespace {

class Products : public testing::Test {
 protected:
  void SetUp() override { THC_init(); }
};

double toleranceOf(THDtype dtype) {
  switch (dtype) {
    case TH_Half: return 2e-3;
    case TH_BFloat16: return 2e-2;
    case TH_Float:
    case TH_ComplexFloat: return 1e-5;
    case TH_Double:
    case TH_ComplexDouble: return 1e-12;
    default: return 0;
  }
}

template <class Run>
void expectProduct(THDtype dtype, const Pair &r, const Run &run) {
  run(r.host, false);
  run(r.device, true);
  expectNear(r, toleranceOf(dtype));
}
THTensor *side(const Pair &pair, bool device) { return device ? pair.device : pair.host; }

using Product = decltype(THFloatTensor_addmm);
struct Kernels {
  Product *host, *device;
  Product *of(bool onDevice) const { return onDevice ? device : host; }
};

void checkMatrices(THDtype dtype, Kernels addmm) {
  const Pair a = Pair::random(dtype, {5, 7}, 1), b = Pair::random(dtype, {7, 6}, 2), t = Pair::random(dtype, {5, 6}, 3);
  const Pair lefts[] = {a, Pair::random(dtype, {7, 5}, 4).transposed(0, 1), Pair::random(dtype, {5, 14}, 5).every(1, 2),
                        Pair::random(dtype, {5, 9}, 6).narrowed(1, 1, 7),
                        Pair::random(dtype, {1, 7}, 7).expanded({5, 7})};
  const Pair rights[] = {b, Pair::random(dtype, {6, 7}, 8).transposed(0, 1),
                         Pair::random(dtype, {7, 1}, 9).expanded({7, 6})};
  const Pair added[] = {t, Pair::random(dtype, {6}, 10), Pair::random(dtype, {5, 1}, 11), Pair::random(dtype, {}, 12),
                        Pair::random(dtype, {6, 5}, 13).transposed(0, 1)};
  for (const Pair &left : lefts)
    for (const Pair &right : rights)
      for (const Pair &term : added)
        for (const int beta : {0, 1, 2})
          for (int lies = 0; lies < 3; lies++) {
            const Pair r = lies == 0   ? Pair::result(dtype)
                           : lies == 1 ? Pair::random(dtype, {6, 5}, 14).transposed(0, 1)
                                       : Pair::random(dtype, {5, 12}, 15).every(1, 2);
            expectProduct(dtype, r, [&](THTensor *to, bool device) {
              addmm.of(device)(to, number(beta), side(term, device), number(3), side(left, device),
                               side(right, device));
            });
          }
  // In place, an argument as the result, and no inner dimension.
  const Pair square = Pair::random(dtype, {4, 4}, 16), self = Pair::random(dtype, {4, 4}, 17);
  expectProduct(dtype, self, [&](THTensor *to, bool device) {
    addmm.of(device)(to, number(1), to, number(1), side(square, device), to);
  });
  const Pair none = Pair::random(dtype, {4, 0}), r = Pair::result(dtype);
  for (const int beta : {0, 1, 2})
    expectProduct(dtype, r, [&](THTensor *to, bool device) {
      addmm.of(device)(to, number(beta), side(square, device), number(1), side(none, device),
                       side(none.transposed(0, 1), device));
    });
}

void checkBatches(THDtype dtype, Kernels baddbmm, Kernels addbmm) {
  const Pair lefts[] = {Pair::random(dtype, {3, 4, 5}, 1), Pair::random(dtype, {3, 5, 4}, 2).transposed(1, 2),
                        Pair::random(dtype, {4, 3, 5}, 3).transposed(0, 1),
                        Pair::random(dtype, {1, 4, 5}, 4).expanded({3, 4, 5})};
  const Pair rights[] = {Pair::random(dtype, {3, 5, 2}, 5), Pair::random(dtype, {5, 2}, 6).expanded({3, 5, 2})};
  for (const Pair &left : lefts)
    for (const Pair &right : rights)
      for (const int beta : {0, 1}) {
        const Pair t = Pair::random(dtype, {4, 2}, 7), r = Pair::result(dtype), sum = Pair::result(dtype);
        expectProduct(dtype, r, [&](THTensor *to, bool device) {
          baddbmm.of(device)(to, number(beta), side(t, device), number(2), side(left, device), side(right, device));
        });
        expectProduct(dtype, sum, [&](THTensor *to, bool device) {
          addbmm.of(device)(to, number(beta), side(t, device), number(2), side(left, device), side(right, device));
        });
      }
}

void checkVectors(THDtype dtype, Kernels addmv, Kernels addr, decltype(THFloatTensor_dot) *const (&dot)[2]) {
  const Pair m = Pair::random(dtype, {5, 7}, 1), v = Pair::random(dtype, {7}, 2), w = Pair::random(dtype, {5}, 3),
             spread = Pair::random(dtype, {14}, 4).every(0, 2), same = Pair::random(dtype, {1}, 5).expanded({7});
  for (const Pair &x : {v, spread, same}) {
    for (const Pair &matrix : {m, Pair::random(dtype, {7, 5}, 6).transposed(0, 1)})
      for (const int beta : {0, 1}) {
        const Pair r = Pair::result(dtype);
        expectProduct(dtype, r, [&](THTensor *to, bool device) {
          addmv.of(device)(to, number(beta), side(w, device), number(1), side(matrix, device), side(x, device));
        });
        const Pair outer = Pair::result(dtype);
        expectProduct(dtype, outer, [&](THTensor *to, bool device) {
          addr.of(device)(to, number(beta), side(m, device), number(2), side(w, device), side(x, device));
        });
      }
    const Pair r = Pair::result(dtype);
    expectProduct(dtype, r, [&](THTensor *to, bool device) { dot[device](to, side(v, device), side(x, device)); });
  }
  const Pair many = Pair::random(dtype, {3001}, 7), empty = Pair::random(dtype, {0}), r = Pair::result(dtype);
  for (const Pair &x : {many, empty})
    expectProduct(dtype, r, [&](THTensor *to, bool device) { dot[device](to, side(x, device), side(x, device)); });
}

#define CHECK(Name, _)                                                                                            \
  TEST_F(Products, Name) {                                                                                        \
    checkMatrices(TH_##Name, {TH##Name##Tensor_addmm, THC_TENSOR(Name, addmm)});                                  \
    checkBatches(TH_##Name, {TH##Name##Tensor_baddbmm, THC_TENSOR(Name, baddbmm)},                                \
                 {TH##Name##Tensor_addbmm, THC_TENSOR(Name, addbmm)});                                            \
    checkVectors(TH_##Name, {TH##Name##Tensor_addmv, THC_TENSOR(Name, addmv)},                                    \
                 {TH##Name##Tensor_addr, THC_TENSOR(Name, addr)}, {TH##Name##Tensor_dot, THC_TENSOR(Name, dot)}); \
    const Pair a = Pair::random(TH_##Name, {4, 3}, 1), b = Pair::random(TH_##Name, {2, 1, 3}, 2);                 \
    const Pair r = Pair::result(TH_##Name);                                                                       \
    TH##Name##Tensor_cross(r.host, a.host, b.host, -1);                                                           \
    THC_TENSOR(Name, cross)(r.device, a.device, b.device, -1);                                                    \
    expectNear(r, toleranceOf(TH_##Name));                                                                        \
  }
TH_FOR_number_complex(CHECK, )

    TEST_F(Products, Distances) {
  const double orders[] = {0, 1, 2, 3.5, INFINITY};
  for (const double p : orders)
    for (const int64_t n : {1, 5, 70}) {
      const Pair a = Pair::random(TH_Double, {2, 4, n}, 1), b = Pair::random(TH_Double, {2, 3, n}, 2),
                 r = Pair::random(TH_Double, {2, 4, 3}, 3);
      THDoubleTensor_cdist(r.host, a.host, b.host, p);
      THCudaDoubleTensor_cdist(r.device, a.device, b.device, p);
      expectNear(r, 1e-12);
      const Pair x = Pair::random(TH_Float, {9, n}, 4), y = Pair::random(TH_Float, {2, n}, 5),
                 s = Pair::random(TH_Float, {9, 2}, 6);
      THFloatTensor_cdist(s.host, x.host, y.host, p);
      THCudaTensor_cdist(s.device, x.device, y.device, p);
      expectNear(s, 1e-5);
    }
  const Pair nan = Pair::of(TH_Float, {1, 3}, {1, NAN, 4}), zeros = Pair::of(TH_Float, {1, 3}, {0, 0, 0}),
             r = Pair::random(TH_Float, {1, 1});
  THCudaTensor_cdist(r.device, nan.device, zeros.device, INFINITY);
  expectSame({Pair::of(TH_Float, {1, 1}, {4}).host, r.device});  // the largest passes over NaN
  EXPECT_RAISES(TH_ERROR_RUNTIME, "cdist: shapes do not fit", THCudaTensor_cdist(r.device, r.device, nan.device, 2));
}

TEST_F(Products, PiecesThatOverlap) {
  for (const int64_t hop : {1, 2, 4, 6}) {
    const Pair t = Pair::random(TH_Float, {3, 5, 4}), wide = Pair::random(TH_ComplexDouble, {3, 4, 5}).transposed(1, 2),
               none = Pair::random(TH_Float, {2, 0, 4});
    for (const Pair &pieces : {t, none}) {
      const Pair r = Pair::result(TH_Float);
      THFloatTensor_overlapAdd(r.host, pieces.host, hop);
      THCudaTensor_overlapAdd(r.device, pieces.device, hop);
      expectSame(r);
    }
    const Pair r = Pair::result(TH_ComplexDouble);
    THComplexDoubleTensor_overlapAdd(r.host, wide.host, hop);
    THCudaComplexDoubleTensor_overlapAdd(r.device, wide.device, hop);
    expectSame(r);
  }
}

TEST_F(Products, IgnoredTermMayHoldNaN) {
  const Pair t = Pair::of(TH_Float, {1, 1}, {NAN}), a = Pair::of(TH_Float, {1, 2}, {1, 2}),
             b = Pair::of(TH_Float, {2, 1}, {3, 4}), r = Pair::result(TH_Float);
  THCudaTensor_addmm(r.device, number(0), t.device, number(1), a.device, b.device);
  expectSame({Pair::of(TH_Float, {1, 1}, {11}).host, r.device});
  EXPECT_RAISES(TH_ERROR_RUNTIME, "mat1 and mat2 shapes cannot be multiplied (1x2 and 1x1)",
                THCudaTensor_addmm(r.device, number(0), t.device, number(1), a.device, t.device));
  EXPECT_FALSE(THC_setAllowTF32(true));
  EXPECT_TRUE(THC_setAllowTF32(false));
}

}  // namespace
