#include "kit/operands.hpp"

namespace thc {

namespace {

bool isOn(const THTensor *t, int device) {
  const THDevice at = t->storage->device;
  return at.kind == TH_CUDA && at.index == device;
}

bool isNumber(const THTensor *t) { return t->storage->device.kind == TH_CPU && t->numel == 1; }

}  // namespace

void requireOneDevice(std::initializer_list<const THTensor *> results, std::initializer_list<const THTensor *> inputs) {
  int device = -1;
  for (const auto &operands : {results, inputs})
    for (const THTensor *t : operands)
      if (t && t->storage->device.kind == TH_CUDA && device < 0) device = t->storage->device.index;
  if (device < 0) THError(TH_ERROR_RUNTIME, "a kernel of CUDA was called, and none of its tensors is on such a device");
  for (const THTensor *t : results)
    if (t && !isOn(t, device)) refuseDevice(t, device);
  for (const THTensor *t : inputs)
    if (t && !isOn(t, device) && !isNumber(t)) refuseDevice(t, device);
}

Ref contiguousAs(THDtype dtype, const THTensor *t, const THTensor *like) {
  const int device = like->storage->device.index;
  const bool here = isOn(t, device);
  if (!here && !isNumber(t)) refuseDevice(t, device);
  if (here && t->dtype == dtype && THTensor_isContiguous(t)) {
    THTensor_retain(const_cast<THTensor *>(t));
    return Ref(const_cast<THTensor *>(t));
  }
  Ref copy(THTensor_newWithSizeOn(like->storage->device, dtype, t->ndim, t->size));
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
