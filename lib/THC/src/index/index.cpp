// gather and scatter, advanced indexing, slices by an index.
#include <THC/THCTensorIndex.h>
#include <TH/THPrepare.h>
#include <TH/THTensorIndex.h>

#include <algorithm>
#include <vector>

#include "index/byindex.hpp"
#include "kit/messages.hpp"

namespace thc {
namespace {

using th::addressOf;
using th::dtypeOf;

int64_t elementBytes(const THTensor *t) { return th::elementSize(dtypeOf(t)); }

// The stream of a tensor's device, which is made the current one.
struct There {
  explicit There(const THTensor *t) : guard(t), stream(currentStream(deviceOf(t))) {}
  DeviceGuard guard;
  cudaStream_t stream;
};

// A box of a shape in which index, other and far meet: strides of the first two are theirs, of `far`, into which the index
// points, theirs but for `dim`. 0-dim tensors have no strides.
void moveAlong(Move move, THTensor *written, const THTensor *read, const THTensor *longs, const THIndexDimPlan &plan) {
  const There there(written);
  const THTensor *const operands[] = {written, read, longs}, *const far = move == Move::take ? read : written;
  int64_t stride[3][TH_MAX_DIM];
  for (int k = 0; k < 3; k++)
    for (int d = 0; d < longs->ndim; d++) {
      const THTensor *const t = operands[k];
      stride[k][d] = t->ndim == 0 || (t == far && d == plan.dim) ? 0 : t->stride[d] * elementBytes(t);
    }
  const int64_t *const strides[] = {stride[0], stride[1], stride[2]};
  char *const data[] = {addressOf(written), addressOf(read), addressOf(longs)};
  moveByIndex(move, boxPlan(3, longs->ndim, longs->size, strides), data, choiceOf(far, plan, FailureKind::Slice),
              elementBytes(written), there.stream);
}

// Indices in advanced indexing may be on the CPU, too, of any size; then they are copied to the device of `like`.
struct Indices {
  std::vector<Ref> copies;
  std::vector<const THTensor *> all;

  Indices(int n, const THTensor *const *indices, const THTensor *like) : all(indices, indices + n) {
    for (const THTensor *&index : all) {
      if (index && index->storage->device.kind == TH_CPU) {
        copies.emplace_back(th::newLike(like, th::dtypeOf(index), index->ndim, index->size));
        THCTensor_copy(copies.back(), index);
        index = copies.back();
      }
      requireOneDevice({like}, {index});
    }
  }
};

// Places are a choice among all elements.
Choice choiceOfPlaces(const THTensor *t) {
  Choice choice;
  choice.length = INT64_MAX;
  choice.step = elementBytes(t);
  return choice;
}

// Writes values to the places, which are contiguous in the shape of the box's dimensions [first, last); of the others
// t has these strides, in elements.
void putAtPlaces(THTensor *t, const THTensor *places, const THIndexPlan &box, const THTensor *values) {
  const There there(t);
  const Ref wide(THTensor_newExpand(const_cast<THTensor *>(values), box.ndim, box.size));
  const int64_t bytes = elementBytes(t);
  int64_t stride[3][TH_MAX_DIM], step = sizeof(int64_t);
  for (int d = box.ndim; d-- > 0;) {
    stride[0][d] = box.stride[d] * bytes;
    stride[1][d] = wide->stride[d] * bytes;
    stride[2][d] = d < box.first || d >= box.last ? 0 : step;
    if (stride[2][d]) step *= box.size[d];
  }
  const int64_t *const strides[] = {stride[0], stride[1], stride[2]};
  char *const data[] = {addressOf(t), addressOf(wide), addressOf(places)};
  moveByIndex(Move::put, boxPlan(3, box.ndim, box.size, strides), data, choiceOfPlaces(t), bytes, there.stream);
}

// The box that an index tensor of gather and scatter is, all of whose dimensions are the indices'.
THIndexPlan boxOf(const THTensor *longs) {
  THIndexPlan box = {};
  box.ndim = box.last = longs->ndim;
  box.count = longs->numel;
  std::copy_n(longs->size, longs->ndim, box.size);
  return box;
}

Ref numberOn(const THTensor *like, THScalar value) {
  Ref number(th::newLike(like, dtypeOf(like), 0, nullptr));
  THCTensor_fill(number, value);
  return number;
}

int64_t numelOf(const THIndexPlan &plan) { return TH_numel(plan.ndim, plan.size); }

// The elements of a box that indices choose, if one tensor of them says it alone: else by their places.
struct Chosen {
  Ref index;
  Choice choice;
  int64_t stride[TH_MAX_DIM] = {};  // of the index, in bytes

  Chosen(const THTensor *t, int n, const THTensor *const *indices, const THIndexPlan &box, const THTensor *written,
         FailureKind kind, bool wraps) {
    int used = 0, at = 0;
    for (int k = 0; k < n; k++)
      if (indices[k]) used++, at = k;
    if (used == 1) {
      const Ref longs = operandFor(TH_Long, indices[at], written);
      index = Ref(THTensor_newExpand(longs, box.last - box.first, box.size + box.first));
      THIndexDimPlan along = {};
      along.dim = at, along.length = t->ndim ? t->size[at] : 1;
      choice = choiceOf(t, along, kind, wraps);
    } else {
      index = Ref(
          THTensor_newView(placesOf(t, n, indices, box, kind, wraps), box.last - box.first, box.size + box.first));
      choice = choiceOfPlaces(t);
    }
    for (int d = box.first; d < box.last; d++) stride[d] = index->stride[d - box.first] * int64_t(sizeof(int64_t));
  }
};

// r, which has its shape, becomes the box of t.
void takeChosen(THTensor *r, const THTensor *t, const Chosen &chosen, const THIndexPlan &box) {
  const There there(r);
  const int64_t bytes = elementBytes(t);
  int64_t stride[2][TH_MAX_DIM];
  for (int d = 0; d < box.ndim; d++) stride[0][d] = r->stride[d] * bytes, stride[1][d] = box.stride[d] * bytes;
  const int64_t *const strides[] = {stride[0], stride[1], chosen.stride};
  char *const data[] = {addressOf(r), addressOf(t), addressOf(chosen.index)};
  moveByIndex(Move::take, boxPlan(3, box.ndim, box.size, strides), data, chosen.choice, bytes, there.stream);
}

void putChosen(THTensor *t, const Chosen &chosen, const THIndexPlan &box, const THTensor *number) {
  const There there(t);
  const int64_t bytes = elementBytes(t), none[TH_MAX_DIM] = {};
  int64_t stride[TH_MAX_DIM];
  for (int d = 0; d < box.ndim; d++) stride[d] = box.stride[d] * bytes;
  const int64_t *const strides[] = {stride, none, chosen.stride};
  char *const data[] = {addressOf(t), addressOf(number), addressOf(chosen.index)};
  moveByIndex(Move::put, boxPlan(3, box.ndim, box.size, strides), data, chosen.choice, bytes, there.stream);
}

// ---- slices -----------------------------------------------------------------------------------------------
// A 0-dim tensor has one slice all the same.
Ref asVector(const THTensor *t) {
  return Ref(t->ndim ? THTensor_newWithTensor(const_cast<THTensor *>(t))
                     : THTensor_newUnsqueeze1d(const_cast<THTensor *>(t), 0));
}

void putSlices(THTensor *self, int dim, const THTensor *index, const THTensor *value, bool accumulate, FailureKind kind,
               bool wraps) {
  const THTensor *indices[TH_MAX_DIM] = {};
  const Ref vector = asVector(index);
  indices[dim] = vector;
  putIndexed(asVector(self), dim + 1, indices, asVector(value), accumulate, kind, wraps);
}

// Any index is outside of a dimension that is empty; this is the first.
long long firstOf(const THTensor *index) {
  const Ref vector = asVector(index);
  const Ref first(THTensor_newNarrow(vector, 0, 0, 1));
  const int64_t one = 1;
  const Ref number(THTensor_newWithSize(TH_Long, 1, &one));
  THCTensor_copy(number, first);
  return *static_cast<const int64_t *>(THTensor_data(number));
}

}  // namespace

void putIndexed(THTensor *self, int n, const THTensor *const *indices, const THTensor *value, bool accumulate,
                FailureKind kind, bool wraps) {
  THIndexPlan plan;
  if (!THPrepare_indexPut(&plan, self, n, indices, value) || numelOf(plan) == 0) return;
  const Ref values = operandFor(dtypeOf(self), value, self);
  if (!accumulate && values->numel == 1)
    return putChosen(self, Chosen(self, n, indices, plan, self, kind, wraps), plan, values);
  Ref places = placesOf(self, n, indices, plan, kind, wraps);
  if (!accumulate) return putAtPlaces(self, lastOfPlaces(std::move(places), self), plan, values);
  if (values->numel == 1) return addAtPlaces(self, places, plan, values);
  const Ref wide(THTensor_newExpand(values, plan.ndim, plan.size));
  addAtPlaces(self, places, plan, contiguousAs(dtypeOf(self), wide));
}

}  // namespace thc

using namespace thc;

void THCTensor_gather(THTensor *r, const THTensor *t, int dim, const THTensor *index) {
  const Operator named("gather");
  requireOneDevice({r, t}, {index});
  THIndexDimPlan plan;
  THPrepare_gather(&plan, r, t, dim, index);
  const Ref longs = operandFor(TH_Long, index, r);
  THResult_resize(&plan.result, 1);
  if (index->numel) moveAlong(Move::take, r, t, longs, plan);
}

void THCTensor_scatter(THTensor *self, int dim, const THTensor *index, const THTensor *src) {
  const Operator named("scatter");
  requireOneDevice({self}, {index, src});
  THIndexDimPlan plan;
  if (!THPrepare_scatter(&plan, self, dim, index, src)) return;
  const Ref longs = operandFor(TH_Long, index, self);
  Ref from = operandFor(dtypeOf(self), src, self);
  for (int d = 0; d < longs->ndim && from->ndim; d++) from = Ref(THTensor_newNarrow(from, d, 0, longs->size[d]));
  putAtPlaces(self, lastOfPlaces(placesAlong(self, longs, plan), self), boxOf(longs), from);
}

void THCTensor_scatterFill(THTensor *self, int dim, const THTensor *index, THScalar value) {
  const Operator named("scatter");
  requireOneDevice({self}, {index});
  THIndexDimPlan plan;
  const bool runs = THPrepare_scatter(&plan, self, dim, index, nullptr);
  const Ref number = numberOn(self, value);
  if (!runs) return;
  moveAlong(Move::put, self, number, operandFor(TH_Long, index, self), plan);
}

void THCTensor_index(THTensor *r, const THTensor *t, int n, const THTensor *const *indices) {
  const Operator named("index");
  requireOneDevice({r, t}, {});
  const Indices near(n, indices, r);
  indices = near.all.data();
  THIndexPlan plan;
  THPrepare_index(&plan, r, t, n, indices);
  if (numelOf(plan) == 0) return THResult_resize(&plan.result, 1);
  const Chosen chosen(t, n, indices, plan, r, FailureKind::Index, true);
  THResult_resize(&plan.result, 1);
  takeChosen(r, t, chosen, plan);
}

void THCTensor_indexPut(THTensor *self, int n, const THTensor *const *indices, const THTensor *value, bool accumulate) {
  const Operator named("index_put_");
  requireOneDevice({self}, {value});
  putIndexed(self, n, Indices(n, indices, self).all.data(), value, accumulate, FailureKind::Index, true);
}

void THCTensor_indexSelect(THTensor *r, const THTensor *t, int dim, const THTensor *index) {
  const Operator named("index_select");
  requireOneDevice({r, t}, {index});
  THIndexPlan plan;
  THPrepare_indexSelect(&plan, r, t, dim, index);
  if (numelOf(plan) == 0) return THResult_resize(&plan.result, 1);
  const THTensor *indices[TH_MAX_DIM] = {};
  const Ref vector = asVector(index);
  if (t->ndim == 0) plan.ndim = plan.last = 1, plan.size[0] = 1, plan.stride[0] = 0;  // as if it were a vector
  indices[plan.first] = vector;
  const Chosen chosen(t, plan.first + 1, indices, plan, r, FailureKind::Row, false);
  THResult_resize(&plan.result, 1);
  if (t->ndim)
    takeChosen(r, t, chosen, plan);
  else
    takeChosen(asVector(r), t, chosen, plan);
}

void THCTensor_indexAdd(THTensor *self, int dim, const THTensor *index, const THTensor *src) {
  const Operator named("index_add_");
  requireOneDevice({self}, {index, src});
  THIndexDimPlan plan;
  if (!THPrepare_indexAdd(&plan, self, dim, index, src)) return;
  if (th::isFloat8(dtypeOf(self)))  // which indexPut adds
    THError(TH_ERROR_NOT_IMPLEMENTED, "\"index_add\" not implemented for '%s'", TH_typeName(dtypeOf(self)));
  if (self->ndim < 2 && self->numel == 0 && index->numel) {
    firstOf(index);
    THError(TH_ERROR_INDEX, TH_ROW_OUTSIDE);
  }
  if (self->numel)
    putSlices(self, plan.dim, index, src, true, self->ndim < 2 ? FailureKind::Row : FailureKind::Slice, false);
}

void THCTensor_indexCopy(THTensor *self, int dim, const THTensor *index, const THTensor *src) {
  const Operator named("index_copy_");
  requireOneDevice({self}, {index, src});
  THIndexDimPlan plan;
  if (!THPrepare_indexCopy(&plan, self, dim, index, src)) return;
  if (!plan.length && index->numel)
    THError(TH_ERROR_RUNTIME, "index_copy_(): " TH_INDEX_OUTSIDE, firstOf(index), plan.dim, 0ll);
  if (self->numel) putSlices(self, plan.dim, index, src, false, FailureKind::SliceOf, false);
}

void THCTensor_indexFill(THTensor *self, int dim, const THTensor *index, THScalar value) {
  const Operator named("index_fill_");
  requireOneDevice({self}, {index});
  THIndexDimPlan plan;
  if (!THPrepare_indexFill(&plan, self, dim, index)) return;
  putSlices(self, plan.dim, index, numberOn(self, value), false, FailureKind::Index, true);
}
