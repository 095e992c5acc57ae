#include "result.hpp"

#include <algorithm>

namespace th {

void requireDtype(const THTensor *t, THDtype dtype, const char *what) {
  if (dtypeOf(t) != dtype && hasMemory(t))
    THError(TH_ERROR_RUNTIME, "%s must have dtype %s, but got %s", what, TH_typeName(dtype), TH_typeName(dtypeOf(t)));
}

void resizeResults(const THResult *results, int n) {
  if (n == 1 && !results->strided) {
    if (THTensor *const r = results->tensor) runsHere(r), resizeResult(r, results->ndim, results->size);
    return;
  }
  for (int k = 0; k < n; k++)
    if (results[k].tensor) runsHere(results[k].tensor);
  THResult_resize(results, n);
}

void resizeResult(THTensor *r, int ndim, const int64_t *size) {
  if (sameShape(ndim, size, r))
    requireDistinct(r);
  else
    THTensor_resize(r, ndim, size);
}

ContiguousResult::ContiguousResult(THTensor *r) : r_(r) {
  if (!THTensor_isContiguous(r)) temporary_ = Ref(newLike(r, dtypeOf(r), r->ndim, r->size));
}

ContiguousResult::ContiguousResult(THTensor *r, int ndim, const int64_t *size)
    : ContiguousResult((resizeResult(r, ndim, size), r)) {}

void ContiguousResult::finish() {
  if (temporary_) THTensor_copy(r_, temporary_);
}

}  // namespace th
