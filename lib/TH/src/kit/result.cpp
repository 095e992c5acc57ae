#include "result.hpp"

namespace th {

void requireDtype(const THTensor *t, THDtype dtype, const char *what) {
  if (dtypeOf(t) != dtype)
    THError(TH_ERROR_RUNTIME, "%s must have dtype %s, but got %s", what, TH_typeName(dtype), TH_typeName(dtypeOf(t)));
}

void requireDistinct(const THTensor *r) { THTensor_checkDistinct(r); }

[[noreturn]] static void refuseOverlap() {
  THError(TH_ERROR_RUNTIME,
          "unsupported operation: some elements of the input tensor and the written-to tensor refer to a "
          "single memory location. Please clone() the tensor before performing the operation.");
}

void requireSeparate(const THTensor *r, const THTensor *input) {
  if (THTensor_overlaps(r, input)) refuseOverlap();
}

void requireSeparate(const THTensor *r, const THTensor *input, int ndim, const int64_t *size) {
  if (sameShape(ndim, size, r))
    requireSeparate(r, input);
  else if (r->storage == input->storage)
    refuseOverlap();  // resizing r would reuse or move the input's memory
}

ContiguousResult::ContiguousResult(THTensor *r, int ndim, const int64_t *size) : r_(r) {
  if (!sameShape(ndim, size, r)) {
    THTensor_resize(r, ndim, size);
  } else if (!THTensor_isContiguous(r)) {
    requireDistinct(r);
    temporary_ = Ref(THTensor_newWithSize(dtypeOf(r), ndim, size));
  }
}

void ContiguousResult::finish() {
  if (temporary_) THTensor_copy(r_, temporary_);
}

}  // namespace th
