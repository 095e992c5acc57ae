#include "indexing.hpp"

namespace th {

Ref asLongs(const THTensor *index, int ndim, const int64_t *size) {
  if (dtypeOf(index) == TH_Long && THTensor_isContiguous(index) && sameShape(ndim, size, index)) {
    THTensor_retain(const_cast<THTensor *>(index));
    return Ref(const_cast<THTensor *>(index));
  }
  Ref longs(newLike(index, TH_Long, ndim, size));
  THTensor_copy(longs, index);
  return longs;
}

void setDim(THIndexDimPlan *plan, const THTensor *t, int dim) {
  plan->dim = TH_wrapDim(dim, t->ndim);
  plan->length = t->ndim ? t->size[plan->dim] : 1;
  plan->result.tensor = nullptr;
}

void Offsets::add(int64_t size, int64_t stride) {
  count_ *= size;
  if (size == 1) return;
  if (!dims_.empty() && dims_.back().stride == stride * size)
    dims_.back() = {dims_.back().size * size, stride};
  else
    dims_.push_back({size, stride});
}

Offsets::Dim Offsets::takeInner() {
  if (dims_.empty()) return {1, 0};
  const Dim inner = dims_.back();
  dims_.pop_back();
  count_ = 1;
  for (const Dim &d : dims_) count_ *= d.size;
  return inner;
}

}  // namespace th
