// Slices along a dimension, put where an index says: checks, and indexing with one index tensor.
#include <TH/THCheck.h>
#include <TH/THPrepare.h>
#include <TH/THTensorIndex.h>

#include <optional>
#include <string>

#include "kit/indexing.hpp"
#include "kit/messages.hpp"
#include "kit/overlap.hpp"

using namespace th;

namespace {

// A 0-dim tensor has one slice all the same.
Ref asVector(const THTensor *t) {
  return Ref(t->ndim ? THTensor_newWithTensor(const_cast<THTensor *>(t))
                     : THTensor_newUnsqueeze1d(const_cast<THTensor *>(t), 0));
}

void putSlices(THTensor *self, int dim, const THTensor *index, const THTensor *value, bool accumulate) {
  const THTensor *indices[TH_MAX_DIM] = {};
  const Ref vector = asVector(index);
  indices[dim] = vector;
  THTensor_indexPut(asVector(self), dim + 1, indices, asVector(value), accumulate);
}

std::string shapeWithout(const THTensor *t, int dim) {
  int64_t rest[TH_MAX_DIM];
  int n = 0;
  for (int d = 0; d < t->ndim; d++)
    if (d != dim) rest[n++] = t->size[d];
  return shapeString(n, rest).c_str();
}

// The first of the indices outside low … high - 1; nullopt if there is none.
std::optional<int64_t> firstOutside(const THTensor *index, int64_t high) {
  const Ref longs = asLongs(index, index->ndim, index->size);
  const int64_t *numbers = elements<int64_t>(longs), bad = findOutOfRange(numbers, index->numel, 0, high);
  return bad < 0 ? std::nullopt : std::optional(numbers[bad]);
}

}  // namespace

void THTensor_checkIndex(const THTensor *index, const char *function) {
  if (index->ndim > 1)
    THError(TH_ERROR_INDEX, "%s(): Index is supposed to be a vector, but got dim: %d with type: %s and size: %s",
            function, index->ndim, TH_typeName(dtypeOf(index)), shapeString(index).c_str());
}

void THCheck_slices(const THTensor *self, const THTensor *source, int dim) {
  if (self->ndim != source->ndim || shapeWithout(self, dim) != shapeWithout(source, dim))
    THError(TH_ERROR_RUNTIME,
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = %s "
            "source.shape = %s",
            shapeString(self).c_str(), shapeString(source).c_str());
}

bool THPrepare_indexAdd(THIndexDimPlan *plan, THTensor *self, int dim, const THTensor *index, const THTensor *src) {
  setDim(plan, self, dim);
  dim = plan->dim;
  const int64_t count = index->numel;
  THTensor_checkIndex(index, "index_add_");
  if (dtypeOf(index) != TH_Long && dtypeOf(index) != TH_Int)
    THError(TH_ERROR_RUNTIME, "index_add_(): Expected dtype int32/int64 for index but got: %s",
            TH_typeName(dtypeOf(index)));
  if (self->dtype != src->dtype)
    THError(TH_ERROR_RUNTIME, "index_add_(): self (%s) and source (%s) must have the same scalar type",
            TH_typeName(dtypeOf(self)), TH_typeName(dtypeOf(src)));
  if (dim != 0 && dim >= src->ndim)
    THError(TH_ERROR_RUNTIME, "index_add_(): Indexing dim %d is out of bounds of the source tensor with shape %s", dim,
            shapeString(src).c_str());
  const int64_t slices = src->ndim ? src->size[dim] : 1;
  if (src->ndim == 0 && count != 1)
    THError(TH_ERROR_INDEX, "Dimension specified as %d but tensor has no dimensions", dim);
  if (count != slices)
    THError(TH_ERROR_RUNTIME,
            "index_add_(): Number of indices (%lld) should be equal to source.size(dim): (%lld), for dim: %d",
            (long long)count, (long long)slices, dim);
  THCheck_slices(self, src, dim);
  requireDistinct(self);
  refuseKnownOverlap(self, index);
  refuseKnownOverlap(self, src);
  return hasMemory(self);
}

void THTensor_indexAdd(THTensor *self, int dim, const THTensor *index, const THTensor *src) {
  THIndexDimPlan plan;
  if (!THPrepare_indexAdd(&plan, self, dim, index, src)) return;
  if (isFloat8(dtypeOf(self)))  // which indexPut adds
    THError(TH_ERROR_NOT_IMPLEMENTED, "\"index_add\" not implemented for '%s'", TH_typeName(dtypeOf(self)));
  if (self->numel || self->ndim < 2)
    if (const auto bad = firstOutside(index, plan.length)) {
      if (self->ndim < 2) THError(TH_ERROR_INDEX, TH_ROW_OUTSIDE);
      THError(TH_ERROR_RUNTIME, TH_INDEX_OUTSIDE, (long long)*bad, plan.dim, (long long)plan.length);
    }
  if (self->numel) putSlices(self, plan.dim, index, src, true);
}

bool THPrepare_indexCopy(THIndexDimPlan *plan, THTensor *self, int dim, const THTensor *index, const THTensor *src) {
  setDim(plan, self, dim);
  dim = plan->dim;
  const int64_t count = index->numel;
  requireDistinct(self);
  refuseKnownOverlap(self, index);
  refuseKnownOverlap(self, src);
  if (index->ndim > 1)
    THError(TH_ERROR_INDEX, "index_copy_(): Index should have dimension 1 or 0 (got %d)", index->ndim);
  if (src->ndim == 0 && count != 1)
    THError(TH_ERROR_INDEX, "index_copy_(): When source is scalar, index should have one element (got %lld)",
            (long long)count);
  if (src->ndim != self->ndim && src->ndim && self->ndim)
    THError(TH_ERROR_INDEX,
            "index_copy_(): When source and destination are not scalars, their dimensionality must match. Source "
            "dimensionality (%d), destination dimensionality (%d)",
            src->ndim, self->ndim);
  if (dtypeOf(index) != TH_Long)
    THError(TH_ERROR_RUNTIME, "index_copy_(): Expected a long tensor for index, but got %s",
            TH_typeName(dtypeOf(index)));
  if (self->dtype != src->dtype)
    THError(TH_ERROR_RUNTIME,
            "index_copy_(): self and source expected to have the same dtype, but got (self) %s and (source) %s",
            TH_typeName(dtypeOf(self)), TH_typeName(dtypeOf(src)));
  const std::string target = shapeWithout(self, dim), source = shapeWithout(src, dim);
  if (target != source)
    THError(TH_ERROR_RUNTIME,
            "index_copy_(): Source/destination tensor must have same slice shapes. Destination slice shape: %s at "
            "dimension %d and source slice shape: %s at dimension %d.",
            target.c_str(), dim, source.c_str(), dim);
  if (src->ndim && count != src->size[dim])
    THError(TH_ERROR_INDEX, "index_copy_(): Number of indices (%lld) should be equal to source.size(dim) (%lld)",
            (long long)count, (long long)src->size[dim]);
  return hasMemory(self);
}

void THTensor_indexCopy(THTensor *self, int dim, const THTensor *index, const THTensor *src) {
  THIndexDimPlan plan;
  if (!THPrepare_indexCopy(&plan, self, dim, index, src)) return;
  if (self->numel || !plan.length)
    if (const auto bad = firstOutside(index, plan.length))
      THError(plan.length ? TH_ERROR_INDEX : TH_ERROR_RUNTIME, "index_copy_(): " TH_INDEX_OUTSIDE, (long long)*bad,
              plan.dim, (long long)plan.length);
  if (self->numel) putSlices(self, plan.dim, index, src, false);
}

bool THPrepare_indexFill(THIndexDimPlan *plan, THTensor *self, int dim, const THTensor *index) {
  setDim(plan, self, dim);
  if (dtypeOf(index) != TH_Long) THError(TH_ERROR_INDEX, "index_fill_(): Expected dtype int64 for index.");
  if (index->ndim > 1) THError(TH_ERROR_RUNTIME, "Index has to be a vector/scalar");
  if (!hasMemory(self)) return false;
  refuseKnownOverlap(self, index);
  return true;
}

void THTensor_indexFill(THTensor *self, int dim, const THTensor *index, THScalar value) {
  THIndexDimPlan plan;
  if (!THPrepare_indexFill(&plan, self, dim, index)) return;
  putSlices(self, plan.dim, index, Ref(THTensor_newWithScalar(dtypeOf(self), value)), false);
}
