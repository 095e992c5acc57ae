// Memory of others, which is aligned as the parts of complex numbers are, no more: nothing takes a number there whole.
#include "pairs.hpp"
#include "support.hpp"

namespace {

// The same on the host; on the device in memory that begins with half a number.
Pair shifted(const Pair &pair) {
  const auto dtype = THDtype(pair.device->dtype);
  const size_t half = size_t(TH_elementSize(dtype)) / 2, nbytes = pair.device->storage->nbytes;
  auto *const memory = static_cast<char *>(THC_malloc(nbytes + half, nullptr, 0));
  THStorage *const storage = THStorage_newWithDataOn(
      {TH_CUDA, 0}, memory + half, nbytes, [](void *begin, void *) { THC_free(begin); }, memory);
  const Held tensor(
      THTensor_newWithStorage(dtype, storage, 0, pair.device->ndim, pair.device->size, pair.device->stride));
  THStorage_free(storage);
  THCTensor_copy(tensor, pair.device);
  return {pair.host, tensor};
}

class Foreign : public testing::TestWithParam<THDtype> {
 protected:
  void SetUp() override { THC_init(); }
  Pair random(const Sizes &size, uint64_t seed = 1) const { return shifted(Pair::random(GetParam(), size, seed)); }
};

}  // namespace

TEST_P(Foreign, Moves) {
  const Pair t = random({4, 6}), mask = Pair::indices({4, 6}, 0, 2, TH_Bool), index = Pair::indices({4, 6}, 0, 4);
  expectSame(t);
  expectSame(t.transposed(0, 1));
  const Pair r = random({4, 6}, 2);
  const auto same = [&](const auto &cpu, const auto &cuda) {
    cpu(static_cast<THTensor *>(r.host), static_cast<THTensor *>(t.host));
    cuda(static_cast<THTensor *>(r.device), static_cast<THTensor *>(t.device));
    expectSame(r);
  };
  same([](auto *r, auto *t) { THTensor_copy(r, t); }, [](auto *r, auto *t) { THCTensor_copy(r, t); });
  same([](auto *r, auto *) { THTensor_fill(r, number(3)); }, [](auto *r, auto *) { THCTensor_fill(r, number(3)); });
  same([](auto *r, auto *t) { THTensor_tril(r, t, 1); }, [](auto *r, auto *t) { THCTensor_tril(r, t, 1); });
  same([](auto *r, auto *t) { THTensor_flip(r, t, 3); }, [](auto *r, auto *t) { THCTensor_flip(r, t, 3); });
  same([&](auto *r, auto *t) { THTensor_where(r, mask.host, t, t); },
       [&](auto *r, auto *t) { THCTensor_where(r, mask.device, t, t); });
  same([&](auto *r, auto *t) { THTensor_maskedCopy(r, mask.host, t); },
       [&](auto *r, auto *t) { THCTensor_maskedCopy(r, mask.device, t); });
  same([&](auto *r, auto *t) { THTensor_gather(r, t, 0, index.host); },
       [&](auto *r, auto *t) { THCTensor_gather(r, t, 0, index.device); });
  const Pair where = Pair::result(TH_Long), chosen = Pair::result(GetParam());
  THTensor_nonzero(where.host, t.host);
  THCTensor_nonzero(where.device, t.device);
  expectSame(where);
  THTensor_maskedSelect(chosen.host, t.host, mask.host);
  THCTensor_maskedSelect(chosen.device, t.device, mask.device);
  expectSame(chosen);
}

TEST_P(Foreign, Truth) {
  const bool wide = GetParam() == TH_ComplexDouble;
  const Pair t = random({4, 6}), r = Pair::result(TH_Bool);
  (wide ? THComplexDoubleTensor_all : THComplexFloatTensor_all)(r.host, t.host, 1, false);
  (wide ? THCudaComplexDoubleTensor_all : THCudaComplexFloatTensor_all)(r.device, t.device, 1, false);
  expectSame(r);
}

TEST_P(Foreign, Products) {
  const bool wide = GetParam() == TH_ComplexDouble;
  const Pair a = random({4, 6}, 1), b = random({6, 5}, 2), t = random({4, 5}, 3), r = random({4, 5}, 4);
  (wide ? THComplexDoubleTensor_addmm : THComplexFloatTensor_addmm)(r.host, number(1), t.host, number(1), a.host,
                                                                    b.host);
  (wide ? THCudaComplexDoubleTensor_addmm : THCudaComplexFloatTensor_addmm)(r.device, number(1), t.device, number(1),
                                                                            a.device, b.device);
  expectNear(r, wide ? 1e-12 : 1e-5);
}

INSTANTIATE_TEST_SUITE_P(Complex, Foreign, testing::Values(TH_ComplexFloat, TH_ComplexDouble));
