// Devices, shapes and strides of tensors.
#include "tensor.hpp"

#include <cstdio>
#include <utility>

namespace th {

void refuseDevice(const THTensor *t) {
  if (t->layout != TH_STRIDED)
    THError(TH_ERROR_NOT_IMPLEMENTED, "a kernel of strided tensors cannot use one of layout torch.%s",
            TH_layoutName(THLayout(t->layout)));
  THError(TH_ERROR_NOT_IMPLEMENTED, "a kernel of the CPU cannot use a tensor on device '%s': it has no data there",
          TH_deviceName(THDeviceKind(t->device)));
}

void refuseInputOf(const THTensor *r, const THTensor *input) {
  if (r->device == TH_CPU || input->layout != TH_STRIDED) refuseDevice(input);
  THError(TH_ERROR_NOT_IMPLEMENTED, "a result on device '%s' cannot be computed from a tensor on device '%s'",
          TH_deviceName(THDeviceKind(r->device)), TH_deviceName(THDeviceKind(input->device)));
}

void refuseMeta(const char *name) {
  THError(
      TH_ERROR_NOT_IMPLEMENTED,
      "aten::%s: attempted to run this operator with Meta tensors, which lack the elements that its result is found by",
      name);
}

THTensor *newLike(const THTensor *like, THDtype dtype, int ndim, const int64_t *size) {
  return THTensor_newWithSizeOn(like->storage->device, dtype, ndim, size);
}
THTensor *newLike(const THTensor *like, THDtype dtype) {
  constexpr int64_t none = 0;
  return newLike(like, dtype, 1, &none);
}

void contiguousStrides(int ndim, const int64_t *size, int64_t *stride) {
  uint64_t step = 1;  // wraps for shapes like [0, 2^62, 4], which have no elements
  for (int d = ndim - 1; d >= 0; d--) {
    stride[d] = int64_t(step);
    step *= uint64_t(size[d] > 1 ? size[d] : 1);
  }
}

// Should dimension a be outside of b? 1: yes, -1: no, 0: strides do not tell. The first tensor whose
// strides tell decides.
static int compareDims(int a, int b, const int64_t *size, int n, const int64_t *const *strides) {
  for (int k = 0; k < n; k++) {
    const int64_t sa = strides[k][a], sb = strides[k][b];
    if (sa == 0 || sb == 0) continue;
    if (sa != sb) return sa > sb ? 1 : -1;
    if (size[a] > size[b]) return 1;
  }
  return 0;
}

// Insertion sort, because dimensions that no stride tells apart have no order: a dimension moves inwards past those
// that it can be compared with, and stops at the first that is inside already.
void strideOrder(int ndim, const int64_t *size, int n, const int64_t *const *strides, int *order) {
  for (int i = 0; i < ndim; i++) order[i] = ndim - 1 - i;
  for (int i = 1; i < ndim; i++) {
    int at = i;
    for (int j = i - 1; j >= 0; j--) {
      const int c = compareDims(order[j], order[at], size, n, strides);
      if (c > 0) {
        std::swap(order[j], order[at]);
        at = j;
      } else if (c < 0) {
        break;
      }
    }
  }
}

void denseStrides(int ndim, const int64_t *size, const int *order, int64_t *stride) {
  uint64_t step = 1;
  for (int i = 0; i < ndim; i++) {
    stride[order[i]] = int64_t(step);
    step *= uint64_t(size[order[i]] > 1 ? size[order[i]] : 1);
  }
}

bool isDense(const THTensor *t) {
  if (THTensor_isContiguous(t)) return true;
  // Peel off dimensions from the innermost: each must start where the inner ones end.
  int64_t step = 1;
  uint64_t left = 0;
  for (int d = 0; d < t->ndim; d++)
    if (t->size[d] != 1) left |= uint64_t(1) << d;
  while (left) {
    int found = -1;
    for (int d = 0; d < t->ndim && found < 0; d++)
      if ((left >> d & 1) && t->stride[d] == step) found = d;
    if (found < 0) return false;
    left &= ~(uint64_t(1) << found);
    step = TH_saturatedProduct(step, t->size[found]);
  }
  return true;
}

}  // namespace th
