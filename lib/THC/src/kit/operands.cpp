#include "kit/operands.hpp"

namespace thc {

Ref contiguousAs(THDtype dtype, const THTensor *t, const THTensor *like) {
  const THDevice to = like->storage->device, from = t->storage->device;
  if (t->dtype == dtype && THTensor_isContiguous(t) && to.kind == from.kind && to.index == from.index) {
    THTensor_retain(const_cast<THTensor *>(t));
    return Ref(const_cast<THTensor *>(t));
  }
  Ref copy(THTensor_newWithSizeOn(to, dtype, t->ndim, t->size));
  THCTensor_copy(copy, t);
  return copy;
}

Target::Target(THDtype dtype, THTensor *r, const THTensor *apart) : r_(r) {
  if (r->dtype != dtype || !THTensor_isContiguous(r) || (apart && THTensor_overlaps(r, apart)))
    own_ = Ref(THTensor_newWithSizeOn(r->storage->device, dtype, r->ndim, r->size));
}

void Target::finish() {
  if (own_) THCTensor_copy(r_, own_);
}

void refuseDevice(const THTensor *t, int device) {
  const THDevice at = t->storage->device;
  const char *const kind = TH_deviceName(THDeviceKind(at.kind));
  if (at.kind == TH_CUDA)
    THError(TH_ERROR_RUNTIME,
            "Expected all tensors to be on the same device, but found at least two devices, cuda:%d and %s:%d!", device,
            kind, at.index);
  THError(TH_ERROR_RUNTIME,
          "Expected all tensors to be on the same device, but found at least two devices, cuda:%d and %s!", device,
          kind);
}

}  // namespace thc
