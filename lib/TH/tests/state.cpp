// What a tensor and its storage know beyond geometry: device, allocator, version, and what others attach.
#include <cstdlib>
#include <thread>

#include "tensors.hpp"

using namespace test;

namespace {

static_assert(sizeof(THTensor) == 128 && sizeof(THStorage) == 64);

constexpr THDevice kMeta = {TH_Meta, 0}, kCuda = {TH_CUDA, 1};

// ---- what others attach -------------------------------------------------------------------------
struct Meta {
  void (*release)(void *);
  int calls;
};
void countRelease(void *meta) { static_cast<Meta *>(meta)->calls++; }

TEST(State, MetaIsReleasedOnceByTheLastReference) {
  Meta meta = {countRelease, 0};
  Tensor t(TH_Float, {2});
  THTensor *self = t;
  THTensor_retain(self);
  self->meta = &meta;
  const int64_t size[] = {7, 1, 1, 1, 1};
  THTensor_resize(self, 5, size);  // more dimensions than fit into the struct
  THTensor *view = THTensor_newTranspose(self, 0, 1), *copy = THTensor_newClone(self);
  EXPECT_EQ(view->meta, nullptr);
  EXPECT_EQ(copy->meta, nullptr);
  THTensor_set(self, copy);
  EXPECT_EQ(self->meta, &meta);
  THTensor_free(view);
  THTensor_free(copy);
  THTensor_free(self);
  EXPECT_EQ(meta.calls, 0);
  t = Tensor(TH_Float, {1});
  EXPECT_EQ(meta.calls, 1);
}

int handed = 0;
void endObject(THTensor *self) {
  EXPECT_EQ(self->refcount, 1);
  handed++;
  self->pyobj = nullptr;
  THTensor_free(self);
}

TEST(State, LastReferenceOfATensorWithAnObjectIsHandedOver) {
  TH_setObjectRelease(endObject);
  handed = 0;
  int object;
  for (int i = 0; i < 200; i++) {  // whichever thread comes last
    const int64_t size[] = {3};
    THTensor *t = THTensor_newWithSize(TH_Float, 1, size);
    t->pyobj = &object;
    for (int k = 0; k < 3; k++) THTensor_retain(t);
    std::thread threads[3];
    for (std::thread &thread : threads) thread = std::thread([t] { THTensor_free(t); });
    THTensor_free(t);
    for (std::thread &thread : threads) thread.join();
    ASSERT_EQ(handed, i + 1);
  }
}

// ---- versions -----------------------------------------------------------------------------------
TEST(State, ViewsShareAVersion) {
  Tensor t(TH_Float, {2, 3});
  EXPECT_EQ(THTensor_version(t), 0u);
  THTensor *row = THTensor_newSelect(t, 0, 1), *copy = THTensor_newClone(t);
  THTensor_bumpVersion(row);
  EXPECT_EQ(THTensor_version(t), 1u);
  EXPECT_EQ(THTensor_version(copy), 0u);
  THTensor_free(row);
  THTensor_free(copy);
}

TEST(State, DataHasAVersionOfItsOwn) {
  Tensor t(TH_Float, {2, 3});
  THTensor *data = THTensor_newWithTensor(t);
  data->flags |= TH_DATA_VERSION;
  const int64_t size[] = {3, 2}, stride[] = {1, 3};
  THTensor *views[] = {THTensor_newWithTensor(data), THTensor_newSelect(data, 0, 0), THTensor_newView(data, 2, size),
                       THTensor_newAsStrided(data, 2, size, stride, 0)};
  for (THTensor *view : views) {
    THTensor_bumpVersion(view);
    THTensor_free(view);
  }
  EXPECT_EQ(THTensor_version(data), 4u);
  EXPECT_EQ(THTensor_version(t), 0u);
  THTensor_bumpVersion(t);
  EXPECT_EQ(THTensor_version(data), 4u);
  THTensor_free(data);
}

// ---- devices ------------------------------------------------------------------------------------
TEST(State, DeviceNames) {
  EXPECT_STREQ(TH_deviceName(TH_CPU), "cpu");
  EXPECT_STREQ(TH_deviceName(TH_Meta), "meta");
  EXPECT_STREQ(TH_deviceName(TH_CUDA), "cuda");
  Tensor t(TH_Float, {2});
  EXPECT_EQ(t->device, TH_CPU);
  EXPECT_EQ(t->layout, TH_STRIDED);
  EXPECT_EQ(t->storage->device.kind, TH_CPU);
}

TEST(State, MetaTensorsHaveAShapeAndNoMemory) {
  const int64_t size[] = {1 << 20, 1 << 20}, more[] = {int64_t(1) << 40, 4};
  THTensor *t = THTensor_newWithSizeOn(kMeta, TH_Double, 2, size);
  EXPECT_EQ(t->device, TH_Meta);
  EXPECT_EQ(t->storage->data, nullptr);
  EXPECT_EQ(t->storage->nbytes, size_t(8) << 40);
  THTensor *row = THTensor_newSelect(t, 0, 5), *alias = THTensor_newWithTensor(t);
  EXPECT_EQ(row->device, TH_Meta);
  EXPECT_EQ(alias->device, TH_Meta);
  EXPECT_EQ(row->offset, 5 << 20);
  THTensor_resize(t, 2, more);
  EXPECT_EQ(t->storage->nbytes, size_t(32) << 40);
  EXPECT_EQ(THTensor_stride(t, 0), 4);
  THTensor_free(t);
  THTensor_free(row);
  THTensor_free(alias);
}

TEST(State, TensorsStayOnTheirDevice) {
  const int64_t size[] = {2, 3};
  Tensor m(THTensor_newWithSizeOn(kMeta, TH_Float, 2, size)), t(TH_Float, {2, 3});
  THTensor_fill(t, number(4));
  expectRaises(TH_ERROR_RUNTIME, "device", [&] { THTensor_set(t, m); });
  expectRaises(TH_ERROR_RUNTIME, "incompatible tensor type", [&] { THTensor_setData(t, m); });
  EXPECT_EQ(get(t, 5), 4);
}

TEST(State, SetDataTakesAnyDtypeAndShape) {
  Tensor t(TH_Float, {2, 3}), other(TH_ComplexDouble, {1, 1, 1, 1, 1, 2});
  THTensor_setData(t, other);
  EXPECT_EQ(t->dtype, TH_ComplexDouble);
  EXPECT_EQ(t->ndim, 6);
  EXPECT_EQ(t->storage, other->storage);
  EXPECT_EQ(t->numel, 2);
  Tensor small(TH_Bool, {3});
  THTensor_setData(t, small);
  EXPECT_EQ(t->ndim, 1);
  EXPECT_EQ(t->storage, small->storage);
}

// ---- the table of allocators ----------------------------------------------------------------------
struct Pool {
  int made, freed;
  size_t copied;
};
void *poolAlloc(void *pool, THDevice device, size_t nbytes) {
  EXPECT_EQ(device.index, 1);
  static_cast<Pool *>(pool)->made++;
  return std::malloc(nbytes);
}
void poolFree(void *pool, THDevice, void *data, size_t) {
  static_cast<Pool *>(pool)->freed++;
  std::free(data);
}
void poolCopy(void *pool, THDevice, void *to, const void *from, size_t nbytes) {
  static_cast<Pool *>(pool)->copied += nbytes;
  std::memcpy(to, from, nbytes);
}

TEST(State, ABackendBringsItsAllocator) {
  const int64_t size[] = {4}, more[] = {9};
  expectRaises(TH_ERROR_RUNTIME, "no allocator is registered for device 'cuda'",
               [&] { THTensor_newWithSizeOn(kCuda, TH_Float, 1, size); });
  Pool pool = {0, 0, 0};
  const THAllocator row = {poolAlloc, poolFree, poolCopy, &pool, nullptr};
  EXPECT_EQ(TH_setAllocator(TH_CUDA, &row), nullptr);
  THTensor *t = THTensor_newWithSizeOn(kCuda, TH_Float, 1, size);
  EXPECT_EQ(t->device, TH_CUDA);
  EXPECT_EQ(t->storage->device.index, 1);
  EXPECT_EQ(t->storage->allocator, &row);
  EXPECT_EQ(pool.made, 1);
  EXPECT_EQ(TH_setAllocator(TH_CUDA, nullptr), &row);  // what has been made keeps its row
  Tensor here(TH_Float, {4}), r(TH_Float, {0});
  const auto refused = [&](auto call) { expectRaises(TH_ERROR_NOT_IMPLEMENTED, "device 'cuda'", call); };
  refused([&] { THFloatTensor_exp(t, here); });  // as the kernels of the CPU cannot run there
  refused([&] { THFloatTensor_exp(r, t); });
  refused([&] { THFloatTensor_sum(r, t, TH_ALL_DIMS, false); });
  EXPECT_EQ(r->numel, 0);
  THTensor_resize(t, 1, more);
  EXPECT_EQ(pool.made, 2);
  EXPECT_EQ(pool.freed, 1);
  EXPECT_EQ(pool.copied, 16u);
  THTensor_free(t);
  EXPECT_EQ(pool.freed, 2);
  THStorage *empty = THStorage_new(0);  // no bytes: the allocator is not called
  THStorage_free(empty);
}

// Elements of the same dtype and shape, without gaps; memory of the device is the host's here.
int copies = 0;
void copyDense(THTensor *self, const THTensor *src) {
  ++copies;
  const auto address = [](const THTensor *t) {
    return static_cast<char *>(t->storage->data) + size_t(t->offset) * TH_elementSize(THDtype(t->dtype));
  };
  for (int64_t i = 0; i < src->numel; i++)
    std::memcpy(address(self) + i * 8, address(src) + (src->ndim == 2 ? i / 2 + i % 2 * 3 : i) * 8, 8);
}

TEST(State, ABackendCopiesElements) {
  Pool pool = {0, 0, 0};
  const THAllocator row = {poolAlloc, poolFree, poolCopy, &pool, copyDense};
  TH_setAllocator(TH_CUDA, &row);
  copies = 0;
  Tensor here(TH_Long, {2, 3}), back(TH_Long, {2, 3});
  for (int64_t i = 0; i < 6; i++) static_cast<int64_t *>(THTensor_data(here))[i] = i;
  const int64_t size[] = {6};
  THTensor *t = THTensor_newWithSizeOn(kCuda, TH_Long, 1, size), *flat = THTensor_newView(here, 1, size);
  THTensor_copy(t, flat);
  EXPECT_EQ(copies, 1);
  const int64_t matrix[] = {2, 3};
  THTensor *view = THTensor_newView(t, 2, matrix), *turned = THTensor_newTranspose(view, 0, 1);
  THTensor *dense = THTensor_newContiguous(turned);  // on the device
  EXPECT_EQ(dense->device, TH_CUDA);
  EXPECT_EQ(copies, 2);
  EXPECT_EQ(static_cast<int64_t *>(dense->storage->data)[1], 3);
  THTensor *one = THTensor_newNarrow(t, 0, 4, 1);
  EXPECT_EQ(THTensor_item(one).value.i, 4);
  EXPECT_EQ(copies, 3);
  THTensor *same = THTensor_newContiguous(t);  // itself
  THTensor *meta = THTensor_newWithSizeOn({TH_Meta, 0}, TH_Long, 1, size);
  THTensor_copy(meta, t);  // nothing to copy to
  EXPECT_EQ(copies, 3);
  for (THTensor *each : {t, flat, view, turned, dense, one, same, meta}) THTensor_free(each);
  TH_setAllocator(TH_CUDA, nullptr);
  EXPECT_EQ(pool.made, pool.freed);
}

TEST(State, MemoryOfOthersOnADevice) {
  static int released;
  released = 0;
  char bytes[8];
  THStorage *storage = THStorage_newWithDataOn(kCuda, bytes, sizeof bytes, [](void *, void *) { ++released; }, nullptr);
  const int64_t size[] = {2};
  THTensor *t = THTensor_newWithStorage(TH_Float, storage, 0, 1, size, nullptr);
  EXPECT_EQ(t->device, TH_CUDA);
  THStorage_free(storage);
  THTensor_free(t);
  EXPECT_EQ(released, 1);
  expectRaises(TH_ERROR_RUNTIME, "no allocator is registered for device 'cuda'",
               [&] { THStorage_newWithDataOn(kCuda, bytes, sizeof bytes, nullptr, nullptr); });
}

}  // namespace
