#include "result.hpp"

namespace th {

void requireDtype(const THTensor *t, THDtype dtype, const char *what) {
  if (dtypeOf(t) != dtype && hasMemory(t))
    THError(TH_ERROR_RUNTIME, "%s must have dtype %s, but got %s", what, TH_typeName(dtype), TH_typeName(dtypeOf(t)));
}

ContiguousResult::ContiguousResult(THTensor *r, int ndim, const int64_t *size) : r_(r) {
  if (!sameShape(ndim, size, r)) {
    THTensor_resize(r, ndim, size);
  } else if (!THTensor_isContiguous(r)) {
    requireDistinct(r);
    temporary_ = Ref(newLike(r, dtypeOf(r), ndim, size));
  }
}

void ContiguousResult::finish() {
  if (temporary_) THTensor_copy(r_, temporary_);
}

}  // namespace th
