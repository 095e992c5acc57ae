#include <algorithm>
#include "result.hpp"

namespace th {

void requireDtype(const THTensor *t, THDtype dtype, const char *what) {
  if (dtypeOf(t) != dtype && hasMemory(t))
    THError(TH_ERROR_RUNTIME, "%s must have dtype %s, but got %s", what, TH_typeName(dtype), TH_typeName(dtypeOf(t)));
}

void setResult(THResult &result, THTensor *r, int ndim, const int64_t *size) {
  result.tensor = r;
  result.strided = false;
  result.ndim = ndim;
  std::copy_n(size, ndim, result.size);
}

void resizeResults(const THResult *results, int n) {
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

ContiguousResult::ContiguousResult(THTensor *r, int ndim, const int64_t *size) : r_(r) {
  resizeResult(r, ndim, size);
  if (!THTensor_isContiguous(r)) temporary_ = Ref(newLike(r, dtypeOf(r), ndim, size));
}

void ContiguousResult::finish() {
  if (temporary_) THTensor_copy(r_, temporary_);
}

}  // namespace th
