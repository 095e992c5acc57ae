#include "prepare.hpp"

namespace th {

Ref contiguousAs(THDtype dtype, const THTensor *t) {
  if (dtypeOf(t) == dtype) return Ref(THTensor_newContiguous(const_cast<THTensor *>(t)));
  Ref copy(newLike(t, dtype, t->ndim, t->size));
  THTensor_copy(copy, t);
  return copy;
}

Ref asCanonicalBools(const THTensor *t) {
  Ref copy(newLike(t, TH_Bool, t->ndim, t->size));
  THTensor_copy(copy, t);
  if (!hasMemory(t)) return copy;
  uint8_t *const bytes = elements<uint8_t>(copy);
  for (int64_t i = 0; i < t->numel; i++) bytes[i] = bytes[i] != 0;
  return copy;
}

Ref rowsAlong(const THTensor *t, int dim) {
  auto *self = const_cast<THTensor *>(t);
  if (!t->ndim) {
    const int64_t one = 1;
    return Ref(THTensor_newReshape(self, 1, &one));
  }
  int64_t dims[TH_MAX_DIM];
  int n = 0;
  for (int d = 0; d < t->ndim; d++)
    if (d != dim) dims[n++] = d;
  dims[n] = dim;
  Ref moved(THTensor_newPermute(self, t->ndim, dims));
  return Ref(THTensor_newContiguous(moved));
}

ResultAs::ResultAs(THDtype dtype, THTensor *r) : r_(r) {
  if (dtypeOf(r) == dtype)
    direct_.emplace(r);
  else
    own_ = Ref(newLike(r, dtype, r->ndim, r->size));
}

ResultAs::ResultAs(THDtype dtype, THTensor *r, int ndim, const int64_t *size)
    : ResultAs(dtype, (resizeResult(r, ndim, size), r)) {}

void ResultAs::finish() {
  if (own_)
    THTensor_copy(r_, own_);
  else
    direct_->finish();
}

int sizeWithout(const THTensor *t, int dim, bool keepdim, int64_t *size) {
  int n = 0;
  for (int d = 0; d < t->ndim; d++)
    if (d != dim || keepdim) size[n++] = d == dim ? 1 : t->size[d];
  return n;
}

}  // namespace th
