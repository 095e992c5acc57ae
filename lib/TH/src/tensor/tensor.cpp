// A tensor's life, its own geometry, and questions about it.
#include "tensor.hpp"

#include <algorithm>
#include <atomic>
#include <cstring>
#include "kit/scalar.hpp"

namespace th {
namespace {

bool hasOwnShape(const THTensor *t) { return t->size != t->inline_shape; }

void checkNdim(int ndim) {
  if (ndim > TH_MAX_DIM) [[unlikely]]
    THError(TH_ERROR_RUNTIME, "a tensor has at most %d dimensions, got %d", TH_MAX_DIM, ndim);
}

// size and stride for n dimensions: inside the struct, or one block of exactly 2n numbers.
int64_t *newShape(THTensor *t, int ndim) {
  if (ndim <= TH_INLINE_DIMS) return t->inline_shape;
  return static_cast<int64_t *>(TH_alloc(size_t(ndim) * 2 * sizeof(int64_t)));
}

void freeShape(THTensor *t) {
  if (hasOwnShape(t)) TH_free(t->size, size_t(t->ndim) * 2 * sizeof(int64_t));
}

void setShape(THTensor *t, int ndim, int64_t *shape) {
  t->ndim = int8_t(ndim);
  t->size = shape;
  t->stride = shape + (ndim <= TH_INLINE_DIMS ? TH_INLINE_DIMS : ndim);
}

// Bytes of `count` elements; overflow counts as an impossible size.
size_t bytesFor(THDtype dtype, int64_t count, int ndim, const int64_t *size) {
  int64_t n;
  if (__builtin_mul_overflow(count, elementSize(dtype), &n))
    THError(TH_ERROR_RUNTIME, "Storage size calculation overflowed with sizes=%s", shapeString(ndim, size).c_str());
  return size_t(n);
}

void copyShape(THTensor *t, int ndim, const int64_t *size, const int64_t *stride) {
  for (int d = 0; d < ndim; d++) t->size[d] = size[d];
  if (stride)
    for (int d = 0; d < ndim; d++) t->stride[d] = stride[d];
  else
    contiguousStrides(ndim, t->size, t->stride);
}

}  // namespace

THTensor *newUnshaped(THDtype dtype, THStorage *storage, int ndim) {
  checkNdim(ndim);
  auto *t = static_cast<THTensor *>(TH_alloc(sizeof(THTensor)));
  t->refcount = 1;
  t->dtype = uint8_t(dtype);
  t->flags = storage->device.kind ? TH_NON_CPU : 0;
  t->device = uint8_t(storage->device.kind) & 15;
  t->layout = TH_STRIDED;
  t->numel = 1;
  t->offset = 0;
  t->storage = storage;
  t->meta = t->pyobj = nullptr;
  setShape(t, ndim, newShape(t, ndim));
  return t;
}

THTensor *newWithStrides(THDevice device, THDtype dtype, int ndim, const int64_t *size, const int64_t *stride) {
  const int64_t numel = TH_numel(ndim, size);
  checkNdim(ndim);
  THStorage *storage = THStorage_newOn(device, bytesFor(dtype, numel, ndim, size));
  THTensor *t = newUnshaped(dtype, storage, ndim);
  copyShape(t, ndim, size, stride);
  t->numel = numel;
  return t;
}

}  // namespace th

using namespace th;

THTensor *THTensor_new(THDtype dtype) {
  THTensor *t = newUnshaped(dtype, THStorage_new(0), 1);
  t->size[0] = 0;
  t->stride[0] = 1;
  t->numel = 0;
  return t;
}

THTensor *THTensor_newWithSize(THDtype dtype, int ndim, const int64_t *size) {
  return newWithStrides({}, dtype, ndim, size, nullptr);
}
THTensor *THTensor_newWithSizeOn(THDevice device, THDtype dtype, int ndim, const int64_t *size) {
  return newWithStrides(device, dtype, ndim, size, nullptr);
}

THTensor *THTensor_newWithStorage(THDtype dtype, THStorage *storage, int64_t offset, int ndim, const int64_t *size,
                                  const int64_t *stride) {
  int64_t dense[TH_MAX_DIM];
  checkNdim(ndim);
  const int64_t numel = TH_numel(ndim, size);
  if (!stride) {
    contiguousStrides(ndim, size, dense);
    stride = dense;
  }
  for (int d = 0; d < ndim; d++)
    if (stride[d] < 0)
      THError(TH_ERROR_RUNTIME, "as_strided: Negative strides are not supported at the moment, got strides: %s",
              shapeString(ndim, stride).c_str());
  if (offset < 0) THError(TH_ERROR_RUNTIME, "Tensor: invalid storage offset %lld", (long long)offset);
  if (numel) {
    // The last element is at offset + sum of (size - 1) * stride.
    int64_t last = offset, step, bytes = 0;
    bool overflow = false;
    for (int d = 0; d < ndim; d++)
      overflow |= __builtin_mul_overflow(size[d] - 1, stride[d], &step) || __builtin_add_overflow(last, step, &last);
    overflow = overflow || __builtin_add_overflow(last, int64_t(1), &last) ||
               __builtin_mul_overflow(last, elementSize(dtype), &bytes);
    if (overflow)
      THError(TH_ERROR_RUNTIME, "Storage size calculation overflowed with sizes=%s and strides=%s",
              shapeString(ndim, size).c_str(), shapeString(ndim, stride).c_str());
    if (size_t(bytes) > storage->nbytes)
      THError(TH_ERROR_RUNTIME,
              "setStorage: sizes %s, strides %s, storage offset %lld, and itemsize %zu requiring a storage size of "
              "%lld are out of bounds for storage of size %zu",
              shapeString(ndim, size).c_str(), shapeString(ndim, stride).c_str(), (long long)offset,
              TH_elementSize(dtype), (long long)bytes, storage->nbytes);
  }
  THTensor *t = newUnshaped(dtype, storage, ndim);
  THStorage_retain(storage);
  copyShape(t, ndim, size, stride);
  t->offset = offset;
  t->numel = numel;
  return t;
}

THTensor *THTensor_newWithScalar(THDtype dtype, THScalar value) {
  alignas(8) char element[kWidest];
  const size_t bytes = TH_elementSize(dtype);
  scalarToBytes(dtype, value, element);
  THStorage *storage = THStorage_new(bytes);
  std::memcpy(storage->data, element, bytes);
  return newUnshaped(dtype, storage, 0);
}

THTensor *THTensor_newWithLayout(THLayout layout, THDtype dtype, THStorage *storage, int ndim, const int64_t *size) {
  const int64_t numel = TH_numel(ndim, size);
  THTensor *t = newUnshaped(dtype, storage, ndim);
  THStorage_retain(storage);
  const int64_t none[TH_MAX_DIM] = {};
  copyShape(t, ndim, size, none);
  t->numel = numel;
  t->layout = uint8_t(layout) & 15;
  t->flags |= TH_NON_CPU | TH_SPARSE;
  return t;
}

THTensor *THTensor_newWithTensor(THTensor *self) {
  THTensor *t = newUnshaped(dtypeOf(self), self->storage, self->ndim);
  THStorage_retain(self->storage);
  copyShape(t, self->ndim, self->size, self->stride);
  t->flags |= self->flags & (TH_DATA_VERSION | TH_NON_CPU | TH_SPARSE);
  t->layout = self->layout;
  t->offset = self->offset;
  t->numel = self->numel;
  return t;
}

THTensor *THTensor_newClone(const THTensor *self) {
  int64_t stride[TH_MAX_DIM];
  THTensor_denseStrides(self, stride);
  Ref t(newWithStrides(self->storage->device, dtypeOf(self), self->ndim, self->size, stride));
  THTensor_copy(t, self);
  return t.release();
}

THTensor *THTensor_newContiguous(THTensor *self) {
  if (THTensor_isContiguous(self)) {
    THTensor_retain(self);
    return self;
  }
  Ref t(newWithStrides(self->storage->device, dtypeOf(self), self->ndim, self->size, nullptr));
  THTensor_copy(t, self);
  return t.release();
}

void THTensor_retain(THTensor *self) { __atomic_fetch_add(&self->refcount, 1, __ATOMIC_RELAXED); }

static std::atomic<void (*)(THTensor *)> objectRelease{nullptr};
void TH_setObjectRelease(void (*release)(THTensor *)) { objectRelease = release; }

void THTensor_free(THTensor *self) {
  if (!self) return;
  // Nobody else can add a reference to the only one, which therefore needs no atomic step. It is never counted down to
  // 0: with a pyobj it lives on.
  int32_t count = __atomic_load_n(&self->refcount, __ATOMIC_ACQUIRE);
  while (count != 1)
    if (__atomic_compare_exchange_n(&self->refcount, &count, count - 1, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
      return;
  if (self->pyobj) [[unlikely]]
    return objectRelease.load()(self);
  if (self->meta) [[unlikely]]
    (*static_cast<void (**)(void *)>(self->meta))(self->meta);
  THStorage_free(self->storage);
  freeShape(self);
  TH_free(self, sizeof(THTensor));
}

void THTensor_become(THTensor *self, THTensor *source) {
  if (self == source) return;
  int64_t *shape = self->ndim == source->ndim ? self->size : newShape(self, source->ndim);
  THStorage_retain(source->storage);
  THStorage_free(self->storage);
  self->storage = source->storage;
  if (shape != self->size) freeShape(self);
  setShape(self, source->ndim, shape);
  copyShape(self, source->ndim, source->size, source->stride);
  self->dtype = source->dtype;
  self->device = source->device;
  self->layout = source->layout;
  constexpr unsigned backend = TH_NON_CPU | TH_SPARSE;
  self->flags = uint8_t((self->flags & ~backend) | (source->flags & backend));
  self->offset = source->offset;
  self->numel = source->numel;
}

void THTensor_set(THTensor *self, THTensor *source) {
  if (self == source) return;
  if (self->dtype != source->dtype)
    THError(TH_ERROR_RUNTIME, "Could not set tensor of type %s to a tensor of type %s", cppName(dtypeOf(source)),
            cppName(dtypeOf(self)));
  if (self->device != source->device || self->layout != source->layout)
    THError(TH_ERROR_RUNTIME, "Could not set a tensor on device %s to a tensor on device %s",
            TH_deviceName(THDeviceKind(self->device)), TH_deviceName(THDeviceKind(source->device)));
  THTensor_become(self, source);
}

void THTensor_setData(THTensor *self, THTensor *source) {
  if (self == source) return;
  // A tensor that may be written stays one: a model that was moved in inference mode can be trained.
  if (!self->storage->inference) source->storage->inference = false;
  // Between devices that have memory a tensor moves.
  if ((self->device == TH_Meta) != (source->device == TH_Meta) || self->layout != source->layout)
    THError(TH_ERROR_RUNTIME, "incompatible tensor type: a tensor on device %s cannot take the data of one on %s",
            TH_deviceName(THDeviceKind(self->device)), TH_deviceName(THDeviceKind(source->device)));
  THTensor_become(self, source);
}

// Bytes of storage under a dense tensor of this shape that begins where self does.
static size_t bytesUnder(const THTensor *self, int64_t numel, int ndim, const int64_t *size) {
  return numel ? bytesFor(dtypeOf(self), numel + self->offset, ndim, size) : 0;
}

void th::makeRoom(const THTensor *self, int ndim, const int64_t *size) {
  const size_t needed = bytesUnder(self, TH_numel(ndim, size), ndim, size);
  if (needed > self->storage->nbytes) THStorage_resize(self->storage, needed);
}

void THTensor_resize(THTensor *self, int ndim, const int64_t *size) {
  if (sameShape(ndim, size, self)) return;
  const int64_t numel = TH_numel(ndim, size);
  checkNdim(ndim);
  const size_t needed = bytesUnder(self, numel, ndim, size);
  int64_t *shape = self->ndim == ndim ? self->size : newShape(self, ndim);
  if (needed > self->storage->nbytes) THStorage_resize(self->storage, needed);
  if (shape != self->size) freeShape(self);
  setShape(self, ndim, shape);
  copyShape(self, ndim, size, nullptr);
  self->numel = numel;
}

void THTensor_resizeAs(THTensor *self, const THTensor *like) {
  if (self != like) THTensor_resize(self, like->ndim, like->size);
}

void *THTensor_data(const THTensor *self) {
  if (!hasMemory(self)) refuseDevice(self);
  if (self->layout != TH_STRIDED)
    THError(TH_ERROR_RUNTIME, "Cannot access data pointer of Tensor that doesn't have storage: its layout is torch.%s",
            TH_layoutName(THLayout(self->layout)));
  return addressOf(self);
}
int64_t THTensor_size(const THTensor *self, int dim) {
  dim = TH_wrapDim(dim, self->ndim);
  return self->ndim ? self->size[dim] : 1;
}
int64_t THTensor_stride(const THTensor *self, int dim) {
  dim = TH_wrapDim(dim, self->ndim);
  return self->ndim ? self->stride[dim] : 1;
}

bool THTensor_isContiguous(const THTensor *self) {
  int64_t step = 1;
  for (int d = self->ndim - 1; d >= 0; d--) {
    if (self->size[d] == 1) continue;
    if (self->stride[d] != step) return self->numel == 0;
    step = TH_saturatedProduct(step, self->size[d]);
  }
  return true;
}

bool THTensor_isSameSizeAs(const THTensor *self, const THTensor *other) {
  return sameShape(self->ndim, self->size, other);
}

bool THTensor_isSetTo(const THTensor *self, const THTensor *other) {
  if (self == other) return true;
  if (self->storage != other->storage || self->offset != other->offset || self->dtype != other->dtype ||
      !THTensor_isSameSizeAs(self, other))
    return false;
  for (int d = 0; d < self->ndim; d++)
    if (self->stride[d] != other->stride[d]) return false;
  return true;
}

void THTensor_denseStrides(const THTensor *self, int64_t *stride) {
  if (isDense(self)) {
    std::copy_n(self->stride, self->ndim, stride);
    return;
  }
  int order[TH_MAX_DIM];
  strideOrder(self->ndim, self->size, 1, &self->stride, order);
  denseStrides(self->ndim, self->size, order, stride);
}

// Distinct, if every dimension in the order of strides steps over all that the inner ones reach.
bool THTensor_overlapsItself(const THTensor *self) {
  if (self->numel <= 1 || isDense(self)) return false;
  int order[TH_MAX_DIM];
  strideOrder(self->ndim, self->size, 1, &self->stride, order);
  int64_t reach = 0;
  for (int i = 0; i < self->ndim; i++) {
    const int d = order[i];
    if (self->size[d] == 1) continue;
    if (self->stride[d] <= reach) return true;
    reach += (self->size[d] - 1) * self->stride[d];
  }
  return false;
}

THScalar THTensor_item(const THTensor *self) {
  if (self->numel != 1)
    THError(TH_ERROR_RUNTIME, "a Tensor with %lld elements cannot be converted to Scalar", (long long)self->numel);
  if (!hasMemory(self)) THError(TH_ERROR_RUNTIME, "Tensor.item() cannot be called on meta tensors");
  if (self->device != TH_CPU) {
    const Ref here(THTensor_newWithSize(dtypeOf(self), 0, nullptr));
    THTensor_copy(here, Ref(THTensor_newView(const_cast<THTensor *>(self), 0, nullptr)));
    return scalarFromBytes(dtypeOf(here), dataOf(here));
  }
  return scalarFromBytes(dtypeOf(self), dataOf(self));
}
