// Advanced indexing: what is checked before an index is looked at, and the box that the indices choose.
#include <TH/THPrepare.h>
#include <TH/THTensorIndex.h>

#include <algorithm>
#include <string>

#include "kit/overlap.hpp"
#include "kit/result.hpp"

using namespace th;

namespace {

// The common shape of the indices that are not NULL.
int indexShape(int n, const THTensor *const *indices, int64_t *size) {
  int ndim = 0;
  for (int k = 0; k < n; k++)
    if (indices[k]) ndim = std::max<int>(ndim, indices[k]->ndim);
  std::fill_n(size, ndim, 1);
  bool agree = true;
  for (int k = 0; k < n; k++)
    for (int d = 0; indices[k] && d < indices[k]->ndim; d++) {
      const int64_t length = indices[k]->size[d];
      int64_t &common = size[ndim - indices[k]->ndim + d];
      if (common == 1)
        common = length;
      else
        agree &= length == 1 || length == common;
    }
  if (agree) return ndim;
  std::string shapes;
  for (int k = 0; k < n; k++)
    if (indices[k]) shapes += std::string(shapes.empty() ? "" : ", ") + shapeString(indices[k]).c_str();
  THError(TH_ERROR_INDEX, "shape mismatch: indexing tensors could not be broadcast together with shapes %s",
          shapes.c_str());
}

void addDim(THIndexPlan *plan, int64_t size, int64_t stride) {
  plan->size[plan->ndim] = size;
  plan->stride[plan->ndim++] = stride;
}

void setBox(THIndexPlan *plan, const THTensor *t, int n, const THTensor *const *indices) {
  if (n > t->ndim) THError(TH_ERROR_INDEX, "too many indices for tensor of dimension %d", t->ndim);
  int first = -1, last = -1, used = 0;
  for (int k = 0; k < n; k++) {
    if (!indices[k]) continue;
    const THDtype dtype = dtypeOf(indices[k]);
    if (dtype != TH_Long && dtype != TH_Int && dtype != TH_Short && dtype != TH_Char)
      THError(TH_ERROR_INDEX, "an index must hold integers, but the one of dimension %d is of dtype %s", k,
              TH_dtypeName(dtype));
    if (first < 0) first = k;
    last = k;
    used++;
  }
  int64_t shape[TH_MAX_DIM];
  const int shapeDims = indexShape(n, indices, shape), ndim = t->ndim - used + shapeDims;
  if (ndim > TH_MAX_DIM) THError(TH_ERROR_RUNTIME, "a tensor has at most %d dimensions, got %d", TH_MAX_DIM, ndim);
  const int before = used && last - first + 1 == used ? first : 0;  // dimensions in front of the indices
  plan->ndim = 0;
  for (int d = 0; d < before; d++) addDim(plan, t->size[d], t->stride[d]);
  plan->first = plan->ndim, plan->last = plan->ndim + shapeDims;
  for (int d = 0; d < shapeDims; d++) addDim(plan, shape[d], 0);
  for (int d = before; d < t->ndim; d++)
    if (d >= n || !indices[d]) addDim(plan, t->size[d], t->stride[d]);
  plan->count = TH_numel(shapeDims, shape);
  for (int k = 0; k < n; k++)
    if (indices[k] && t->size[k] == 0 && plan->count)
      THError(TH_ERROR_INDEX, "index is out of bounds for dimension with size 0");
}

// A new result's dimensions lie in memory in the order of those that they were made of, the tensor's before the indices'.
void layOut(THIndexPlan *plan, int n, const THTensor *const *indices) {
  int64_t indexStride[TH_MAX_DIM][TH_MAX_DIM];
  const int64_t *strides[TH_MAX_DIM + 1] = {plan->stride};
  int tensors = 1;
  for (int k = 0; k < n; k++) {
    if (!indices[k]) continue;
    const THTensor *index = indices[k];
    int64_t *const its = indexStride[tensors - 1];
    for (int d = 0; d < plan->ndim; d++) {
      const int e = d - (plan->last - index->ndim);
      if (d >= plan->last)
        its[d] = plan->size[d] == 1;
      else if (e < 0)
        its[d] = plan->size[d] == 1 ? index->numel : 0;
      else
        its[d] = index->size[e] == 1 && plan->size[d] != 1 ? 0 : index->stride[e];
    }
    strides[tensors++] = its;
  }
  strideOrder(plan->ndim, plan->size, tensors, strides, plan->order);
  denseStrides(plan->ndim, plan->size, plan->order, plan->result.stride);
  plan->result.strided = true;
}

// value is broadcast to the box, from the right; extra dimensions of size 1 in front are not.
void checkValue(const THTensor *value, const THIndexPlan *box) {
  bool fits = value->ndim <= box->ndim;
  for (int d = 1; fits && d <= value->ndim; d++) {
    const int64_t length = value->size[value->ndim - d];
    fits = length == 1 || length == box->size[box->ndim - d];
  }
  if (!fits)
    THError(TH_ERROR_RUNTIME,
            "shape mismatch: value tensor of shape %s cannot be broadcast to indexing result of shape %s",
            shapeString(value).c_str(), shapeString(box->ndim, box->size).c_str());
}

}  // namespace

void THPrepare_index(THIndexPlan *plan, THTensor *r, const THTensor *t, int n, const THTensor *const *indices) {
  requireDtype(r, dtypeOf(t), "result");
  setBox(plan, t, n, indices);
  requireDistinct(r);
  requireSeparate(r, t, plan->ndim, plan->size);
  for (int k = 0; k < n; k++)
    if (indices[k]) requireSeparate(r, indices[k], plan->ndim, plan->size);
  setResult(plan->result, r, plan->ndim, plan->size);
  if (!sameShape(plan->ndim, plan->size, r)) layOut(plan, n, indices);
}

bool THPrepare_indexPut(THIndexPlan *plan, THTensor *self, int n, const THTensor *const *indices,
                        const THTensor *value) {
  refuseKnownOverlap(self, value);
  for (int k = 0; k < n; k++)
    if (indices[k]) refuseKnownOverlap(self, indices[k]);
  setBox(plan, self, n, indices);
  checkValue(value, plan);
  if (self->dtype != value->dtype)
    THError(TH_ERROR_RUNTIME,
            "Index put requires the source and destination dtypes match, got %s for the destination and %s for the "
            "source.",
            TH_typeName(dtypeOf(self)), TH_typeName(dtypeOf(value)));
  plan->result.tensor = nullptr;
  return hasMemory(self);
}

void THPrepare_indexSelect(THIndexPlan *plan, THTensor *r, const THTensor *t, int dim, const THTensor *index) {
  dim = TH_wrapDim(dim, t->ndim);
  THTensor_checkIndex(index, "index_select");
  if (dtypeOf(index) != TH_Long && dtypeOf(index) != TH_Int)
    THError(TH_ERROR_RUNTIME, "index_select(): Expected dtype int32 or int64 for index, but got torch.%s",
            TH_dtypeName(dtypeOf(index)));
  if (r->dtype != t->dtype) THError(TH_ERROR_RUNTIME, "index_select(): self and result must have the same scalar type");
  if (t->ndim == 0 && index->numel != 1)
    THError(TH_ERROR_RUNTIME, "index_select(): Index to scalar can have only 1 value, got %lld value(s)",
            (long long)index->numel);
  // Of a vector, whose elements are chosen one by one, there is no row to name: every index is outside.
  if (t->ndim > 1 && t->size[dim] == 0 && index->numel)
    THError(TH_ERROR_RUNTIME, "index_select(): self indexing axis dim should be positive");
  plan->ndim = 0;
  for (int d = 0; d < t->ndim; d++) addDim(plan, d == dim ? index->numel : t->size[d], d == dim ? 0 : t->stride[d]);
  plan->first = dim, plan->last = t->ndim ? dim + 1 : dim;
  plan->count = index->numel;
  requireDistinct(r);
  requireSeparate(r, t, plan->ndim, plan->size);
  requireSeparate(r, index, plan->ndim, plan->size);
  setResult(plan->result, r, plan->ndim, plan->size);
}
