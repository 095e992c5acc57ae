// Shapes and strides as such.
#include <cstdio>
#include <cstring>
#include <string>
#include "kit/tensor.hpp"

namespace th {

std::string shapeString(int ndim, const int64_t *size) {
  std::string s = "[";
  for (int d = 0; d < ndim; d++) {
    char number[24];
    std::snprintf(number, sizeof number, d ? ", %lld" : "%lld", (long long)size[d]);
    s += number;
  }
  return s + "]";
}

void contiguousStrides(int ndim, const int64_t *size, int64_t *stride) {
  uint64_t step = 1;  // wraps for shapes like [0, 2^62, 4], which have no elements
  for (int d = ndim - 1; d >= 0; d--) {
    stride[d] = int64_t(step);
    step *= uint64_t(size[d] > 1 ? size[d] : 1);
  }
}

// Should dimension a be outside of b? 1: yes, -1: no, 0: strides do not tell. Each tensor that has
// an opinion is asked in turn.
static int compareDims(int a, int b, const int64_t *size, int n, const int64_t *const *strides) {
  for (int k = 0; k < n; k++) {
    const int64_t sa = strides[k][a], sb = strides[k][b];
    if (sa == 0 || sb == 0) continue;
    if (sa != sb) return sa > sb ? 1 : -1;
    if (size[a] > size[b]) return 1;
  }
  return 0;
}

// Insertion sort, because "no opinion" is no order: a dimension moves inwards past those that it
// can be compared with, and stops at the first that is inside already.
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

using namespace th;

void TH_sizeString(int ndim, const int64_t *size, char *buffer, size_t length) {
  if (!length) return;
  const std::string s = shapeString(ndim, size);
  const size_t n = std::min(s.size(), length - 1);
  std::memcpy(buffer, s.data(), n);
  buffer[n] = '\0';
}

int64_t TH_numel(int ndim, const int64_t *size) {
  int64_t n = 1;
  for (int d = 0; d < ndim; d++) {
    if (size[d] < 0) [[unlikely]]
      THError(TH_ERROR_RUNTIME, "Trying to create tensor with negative dimension %lld: %s", (long long)size[d],
              shapeString(ndim, size).c_str());
    if (__builtin_mul_overflow(n, size[d], &n)) [[unlikely]]
      THError(TH_ERROR_RUNTIME, "Storage size calculation overflowed with sizes=%s", shapeString(ndim, size).c_str());
  }
  return n;
}

int TH_wrapDim(int64_t dim, int ndim) {
  const int64_t n = ndim ? ndim : 1;
  if (dim < -n || dim >= n) [[unlikely]]
    THError(TH_ERROR_INDEX, "Dimension out of range (expected to be in range of [%lld, %lld], but got %lld)",
            (long long)-n, (long long)n - 1, (long long)dim);
  return int(dim < 0 ? dim + n : dim);
}

int TH_broadcastShape(int n, const THTensor *const *tensors, int64_t size[TH_MAX_DIM]) {
  int ndim = 0;
  for (int k = 0; k < n; k++) {
    const THTensor *t = tensors[k];
    const int common = std::min<int>(ndim, t->ndim);
    if (t->ndim > ndim) {  // make room in front
      std::memmove(size + (t->ndim - ndim), size, size_t(ndim) * sizeof *size);
      std::memcpy(size, t->size, size_t(t->ndim - ndim) * sizeof *size);
      ndim = t->ndim;
    }
    for (int d = 1; d <= common; d++) {
      int64_t &a = size[ndim - d];
      const int64_t b = t->size[t->ndim - d];
      if (a == b || b == 1) continue;
      if (a != 1) [[unlikely]]
        THError(TH_ERROR_RUNTIME,
                "The size of tensor a (%lld) must match the size of tensor b (%lld) at non-singleton dimension %d",
                (long long)a, (long long)b, ndim - d);
      a = b;
    }
  }
  return ndim;
}
