// Shapes as such.
#include <algorithm>
#include <cstdio>
#include <cstring>
#include "kit/tensor.hpp"

using namespace th;

void TH_sizeString(int ndim, const int64_t *size, char *buffer, size_t length) {
  size_t n = 0;  // characters so far, with those that did not fit
  auto add = [&](const char *format, long long number) {
    n += size_t(std::snprintf(n < length ? buffer + n : nullptr, n < length ? length - n : 0, format, number));
  };
  add("[", 0);
  for (int d = 0; d < ndim; d++) add(d ? ", %lld" : "%lld", size[d]);
  add("]", 0);
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
