#include "kernel.hpp"

namespace thnn {

bool sameShape(int ndim, const int64_t *size, const THTensor *t) {
  return ndim == t->ndim && std::equal(size, size + ndim, t->size);
}

std::string shapeString(const THTensor *t) {
  std::string s(size_t(t->ndim) * 22 + 3, '\0');
  TH_sizeString(t->ndim, t->size, s.data(), s.size());
  return s.c_str();
}

void requireDtype(const THTensor *t, THDtype dtype, const char *what) {
  if (dtypeOf(t) != dtype)
    THError(TH_ERROR_RUNTIME, "expected scalar type %s but found %s (%s)", TH_typeName(dtype), TH_typeName(dtypeOf(t)),
            what);
}

void requireSameShape(const THTensor *a, const char *nameOfA, const THTensor *b, const char *nameOfB) {
  if (!THTensor_isSameSizeAs(a, b))
    THError(TH_ERROR_RUNTIME, "%s and %s must have the same shape, but got %s and %s", nameOfA, nameOfB,
            shapeString(a).c_str(), shapeString(b).c_str());
}

void checkOutput(const THTensor *r, THDtype dtype, const char *what, int ndim, const int64_t *size) {
  requireDtype(r, dtype, what);
  if (sameShape(ndim, size, r)) THTensor_checkDistinct(r);
}

OutputBase::OutputBase(THTensor *r, int ndim, const int64_t *size, std::initializer_list<const THTensor *> inputs,
                       bool inPlace)
    : r_(r) {
  const bool fits = sameShape(ndim, size, r);
  bool direct = !fits || THTensor_isContiguous(r);
  for (const THTensor *input : inputs)
    direct &= fits ? (inPlace && THTensor_isSetTo(r, input)) || !THTensor_overlaps(r, input)
                   : r->storage != input->storage;
  if (!direct)
    temporary_ = THTensor_newWithSize(dtypeOf(r), ndim, size);
  else if (!fits)
    THTensor_resize(r, ndim, size);
}

void OutputBase::finish() {
  if (!temporary_) return;
  if (!THTensor_isSameSizeAs(r_, temporary_)) THTensor_resize(r_, temporary_->ndim, temporary_->size);
  THTensor_copy(r_, temporary_);
}

}  // namespace thnn
