// Advanced indexing. Whatever the indices look like, the elements they choose form a box of
//     outer x chosen x inner
// where "chosen" counts through the broadcast indices and the others through dimensions taken whole.
// A chosen position is one number: its offset in the tensor.
#include <TH/THTensorIndex.h>

#include <cstring>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "kit/indexing.hpp"
#include "kit/overlap.hpp"
#include "kit/result.hpp"
#include "kit/scalar.hpp"

namespace th {
namespace {

struct Box {
  int ndim = 0;
  int64_t size[2 * TH_MAX_DIM];  // outer dimensions, the indices' shape, inner dimensions
  int64_t stride[2 * TH_MAX_DIM];  // of the indexed tensor; 0 for the indices' dimensions
  int first = 0, last = 0;         // the indices' dimensions: [first, last)
  Offsets outer, inner;          // of the indexed tensor
  std::unique_ptr<int64_t[]> chosen;
  int64_t count = 0;  // of the chosen positions
  int64_t numel() const { return outer.count() * count * inner.count(); }
  void reserve(int64_t n) {
    chosen = std::make_unique_for_overwrite<int64_t[]>(size_t(n));
    count = n;
  }
};

// ---- checks ----------------------------------------------------------------------------------------

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
    if (indices[k]) shapes += (shapes.empty() ? "" : ", ") + shapeString(indices[k]);
  THError(TH_ERROR_INDEX, "shape mismatch: indexing tensors could not be broadcast together with shapes %s",
          shapes.c_str());
}

// Adds the indices' steps along dimension d of t to the offsets; the first index begins them.
void choose(Box &box, const THTensor *t, int d, const int64_t *index, bool begins) {
  const int64_t n = box.count, length = t->size[d], stride = t->stride[d];
  const int64_t bad = findOutside(index, n, -length, length);
  if (bad >= 0)
    THError(TH_ERROR_INDEX, "index %lld is out of bounds for dimension %d with size %lld", (long long)index[bad], d,
            (long long)length);
  int64_t *const chosen = box.chosen.get();
  const auto step = [=](int64_t j) { return (index[j] + (index[j] < 0 ? length : 0)) * stride; };
  if (begins)
    for (int64_t j = 0; j < n; j++) chosen[j] = step(j);
  else
    for (int64_t j = 0; j < n; j++) chosen[j] += step(j);
}

// The box that the indices choose, before they are looked at one by one.
Box shapeOf(const THTensor *t, int n, const THTensor *const *indices, int64_t *shape, int *shapeDims) {
  if (n > t->ndim) THError(TH_ERROR_INDEX, "too many indices for tensor of dimension %d", t->ndim);
  int first = -1, last = -1, used = 0;
  for (int k = 0; k < n; k++) {
    if (!indices[k]) continue;
    const THDtype dtype = dtypeOf(indices[k]);
    if (dtype != TH_Long && dtype != TH_Int && dtype != TH_Short && dtype != TH_Char)
      THError(TH_ERROR_INDEX, "tensors used as indices must be long, int, byte or bool tensors");
    if (first < 0) first = k;
    last = k;
    used++;
  }
  Box box;
  *shapeDims = indexShape(n, indices, shape);
  const int before = used && last - first + 1 == used ? first : 0;  // dimensions in front of the indices
  const auto isIndexed = [&](int d) { return d < n && indices[d]; };
  const auto add = [&](int64_t size, int64_t stride) { box.size[box.ndim] = size, box.stride[box.ndim++] = stride; };
  for (int d = 0; d < before; d++) {
    add(t->size[d], t->stride[d]);
    box.outer.add(t->size[d], t->stride[d]);
  }
  box.first = box.ndim, box.last = box.ndim + *shapeDims;
  for (int d = 0; d < *shapeDims; d++) add(shape[d], 0);
  for (int d = before; d < t->ndim; d++) {
    if (isIndexed(d)) continue;
    add(t->size[d], t->stride[d]);
    box.inner.add(t->size[d], t->stride[d]);
  }
  if (box.ndim > TH_MAX_DIM)
    THError(TH_ERROR_RUNTIME, "a tensor has at most %d dimensions, got %d", TH_MAX_DIM, box.ndim);
  box.count = TH_numel(*shapeDims, shape);
  for (int k = 0; k < n; k++)
    if (indices[k] && t->size[k] == 0 && box.count)
      THError(TH_ERROR_INDEX, "index is out of bounds for dimension with size 0");
  return box;
}

// Finds the chosen positions. Indices that choose nothing are not looked at.
void locate(Box &box, const THTensor *t, int n, const THTensor *const *indices, const int64_t *shape, int shapeDims) {
  box.reserve(box.count);
  bool begins = true;
  if (box.numel())
    for (int k = 0; k < n; k++)
      if (indices[k])
        choose(box, t, k, elements<int64_t>(asLongs(indices[k], shapeDims, shape)), std::exchange(begins, false));
  if (begins) std::fill_n(box.chosen.get(), box.count, 0);
}

// ---- reading -------------------------------------------------------------------------------------------

template <class U>
void pick(U *out, const U *t, Box &box) {
  const Offsets::Dim run = box.inner.takeInner();
  const int64_t chosen = box.count, inner = box.inner.count();
  const int64_t *const place = box.chosen.get();
  if (run.size == 1 && inner == 1) {
    parallelFor(box.outer.count() * chosen, kGrain, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end;) {
        const U *from = t + box.outer(i / chosen);
        const int64_t j0 = i % chosen, j1 = std::min(chosen, j0 + end - i);
        for (int64_t j = j0; j < j1; j++) out[i + j - j0] = from[place[j]];
        i += j1 - j0;
      }
    });
    return;
  }
  const int64_t grain = std::max<int64_t>(1, kGrain / run.size);
  parallelFor(box.outer.count() * chosen * inner, grain, [&](int64_t begin, int64_t end) {
    for (int64_t row = begin; row < end; row++) {
      const int64_t i = row / inner;
      const U *from = t + box.outer(i / chosen) + place[i % chosen] + box.inner(row % inner);
      U *to = out + row * run.size;
      if (run.stride == 1)
        std::memcpy(to, from, size_t(run.size) * sizeof(U));
      else
        for (int64_t l = 0; l < run.size; l++) to[l] = from[l * run.stride];
    }
  });
}

void take(THTensor *r, const THTensor *t, Box &box, int ndim, const int64_t *size) {
  ContiguousResult result(r, ndim, size);
  if (box.numel() && hasMemory(r))
    withElementSize(dtypeOf(t), [&]<class U>(U) { pick(result.data<U>(), elements<const U>(t), box); });
  result.finish();
}

// Strides of a new result: its dimensions lie in memory in the order of those that they were made of, the tensor's
// before the indices'. Turns the box round so that it is taken in that order; false if it cannot be, because something
// lies between the indices' dimensions.
bool layOut(Box &box, int n, const THTensor *const *indices, int64_t *result) {
  int64_t indexStride[TH_MAX_DIM][TH_MAX_DIM];
  const int64_t *strides[TH_MAX_DIM + 1] = {box.stride};
  int tensors = 1;
  for (int k = 0; k < n; k++) {
    if (!indices[k]) continue;
    const THTensor *index = indices[k];
    int64_t *const its = indexStride[tensors - 1];
    for (int d = 0; d < box.ndim; d++) {
      const int e = d - (box.last - index->ndim);
      if (d >= box.last)
        its[d] = box.size[d] == 1;
      else if (e < 0)
        its[d] = box.size[d] == 1 ? index->numel : 0;
      else
        its[d] = index->size[e] == 1 && box.size[d] != 1 ? 0 : index->stride[e];
    }
    strides[tensors++] = its;
  }
  int order[TH_MAX_DIM];
  strideOrder(box.ndim, box.size, tensors, strides, order);
  denseStrides(box.ndim, box.size, order, result);

  Offsets outer, inner;
  int next = box.first;  // among the indices' dimensions
  const auto skip = [&] {
    while (next < box.last && box.size[next] == 1) next++;
  };
  skip();
  const int begin = next;
  for (int i = box.ndim; i-- > 0;) {
    const int d = order[i];
    if (box.size[d] == 1) continue;
    if (d < box.first || d >= box.last) {
      if (next != begin && next < box.last) return false;
      (next < box.last ? outer : inner).add(box.size[d], box.stride[d]);
    } else if (d == next) {
      next++;
      skip();
    } else {
      return false;
    }
  }
  box.outer = std::move(outer), box.inner = std::move(inner);
  return true;
}

// ---- writing -------------------------------------------------------------------------------------------

// op(element, value) for all elements of the box, those that stand at one place in the order of the
// indices: threads share out the outer and inner dimensions, never the chosen.
template <class U, class Op>
void put(U *t, Box &box, const U *values, bool oneValue, const Op &op) {
  const Offsets::Dim run = box.inner.takeInner();
  const int64_t chosen = box.count, inner = box.inner.count(), rows = inner * run.size;
  const int64_t *const place = box.chosen.get();
  const int64_t step = oneValue ? 0 : 1;
  parallelFor(box.outer.count() * rows, std::max<int64_t>(1, kGrain / chosen), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end;) {
      const int64_t o = i / rows, k = i % rows / run.size, l0 = i % run.size, l1 = std::min(run.size, l0 + end - i);
      U *const base = t + box.outer(o) + box.inner(k);
      const U *value = values + step * (o * chosen * rows + k * run.size);
      if (rows == 1 && step == 1) {
        for (int64_t j = 0; j < chosen; j++) op(base[place[j]], value[j]);
      } else if (rows == 1) {
        for (int64_t j = 0; j < chosen; j++) op(base[place[j]], *value);
      } else {
        for (int64_t j = 0; j < chosen; j++, value += step * rows) {
          U *const to = base + place[j];
          if (run.stride == 1 && step == 1) {
#pragma GCC ivdep
            for (int64_t l = l0; l < l1; l++) op(to[l], value[l]);
          } else {
            for (int64_t l = l0; l < l1; l++) op(to[l * run.stride], value[l * step]);
          }
        }
      }
      i += l1 - l0;
    }
  });
}

template <class T>
void add(THTensor *self, Box &box, const THTensor *value) {
  put(elements<T>(self), box, elements<const T>(value), value->numel == 1, [](T &x, T y) {
    if constexpr (std::is_same_v<T, bool>)
      x = x || y;
    else if constexpr (std::is_same_v<T, uint64_t>)
      x += y;
    else
      x = T(x + y);
  });
}

void addByDtype(THTensor *self, Box &box, const THTensor *value) {
  switch (dtypeOf(self)) {  // sums of integers wrap, so a sign makes no difference
    case TH_Bool: return add<bool>(self, box, value);
    case TH_Byte:
    case TH_Char: return add<uint8_t>(self, box, value);
    case TH_Short: return add<uint16_t>(self, box, value);
    case TH_Int: return add<uint32_t>(self, box, value);
    case TH_Long: return add<uint64_t>(self, box, value);
    case TH_Half: return add<half>(self, box, value);
    case TH_BFloat16: return add<bfloat16>(self, box, value);
    case TH_Float: return add<float>(self, box, value);
    case TH_Double: return add<double>(self, box, value);
    case TH_ComplexFloat: return add<THComplexFloat>(self, box, value);
    case TH_ComplexDouble: return add<THComplexDouble>(self, box, value);
    case TH_ComplexHalf: return add<THComplexHalf>(self, box, value);
    default: THError(TH_ERROR_NOT_IMPLEMENTED, "\"index_put\" not implemented for '%s'", TH_typeName(dtypeOf(self)));
  }
}

// value is broadcast to the box, from the right; extra dimensions of size 1 in front are not.
void checkValue(const THTensor *value, const Box &box) {
  bool fits = value->ndim <= box.ndim;
  for (int d = 1; fits && d <= value->ndim; d++) {
    const int64_t length = value->size[value->ndim - d];
    fits = length == 1 || length == box.size[box.ndim - d];
  }
  if (!fits)
    THError(TH_ERROR_RUNTIME,
            "shape mismatch: value tensor of shape %s cannot be broadcast to indexing result of shape %s",
            shapeString(value).c_str(), shapeString(box.ndim, box.size).c_str());
}

}  // namespace
}  // namespace th

using namespace th;

void THTensor_index(THTensor *r, const THTensor *t, int n, const THTensor *const *indices) {
  requireDtype(r, dtypeOf(t), "result");
  int64_t shape[TH_MAX_DIM];
  int shapeDims;
  Box box = shapeOf(t, n, indices, shape, &shapeDims);
  requireDistinct(r);
  requireSeparate(r, t, box.ndim, box.size);
  for (int k = 0; k < n; k++)
    if (indices[k]) requireSeparate(r, indices[k], box.ndim, box.size);
  if (hasMemory(r)) locate(box, t, n, indices, shape, shapeDims);
  if (sameShape(box.ndim, box.size, r)) return take(r, t, box, box.ndim, box.size);
  int64_t stride[TH_MAX_DIM];
  const bool inOrder = layOut(box, n, indices, stride);
  resizeTo(r, box.ndim, box.size, stride);
  if (!inOrder) return take(r, t, box, box.ndim, box.size);
  if (box.numel() && hasMemory(r))
    withElementSize(dtypeOf(t), [&]<class U>(U) { pick(elements<U>(r), elements<const U>(t), box); });
}

void THTensor_indexPut(THTensor *self, int n, const THTensor *const *indices, const THTensor *value, bool accumulate) {
  refuseKnownOverlap(self, value);
  for (int k = 0; k < n; k++)
    if (indices[k]) refuseKnownOverlap(self, indices[k]);
  int64_t shape[TH_MAX_DIM];
  int shapeDims;
  Box box = shapeOf(self, n, indices, shape, &shapeDims);
  checkValue(value, box);
  if (self->dtype != value->dtype)
    THError(TH_ERROR_RUNTIME,
            "Index put requires the source and destination dtypes match, got %s for the destination and %s for the "
            "source.",
            TH_typeName(dtypeOf(self)), TH_typeName(dtypeOf(value)));
  if (!hasMemory(self)) return;
  locate(box, self, n, indices, shape, shapeDims);
  if (!box.numel()) return;
  Ref values(THTensor_newWithTensor(const_cast<THTensor *>(value)));
  if (value->numel != 1) {
    values = Ref(THTensor_newExpand(values, box.ndim, box.size));
    values = Ref(THTensor_newContiguous(values));
  }
  if (accumulate) return addByDtype(self, box, values);
  withElementSize(dtypeOf(self), [&]<class U>(U) {
    put(elements<U>(self), box, elements<const U>(values), values->numel == 1, [](U &x, U y) { x = y; });
  });
}

// ---- slices --------------------------------------------------------------------------------------------

// A 0-dim tensor has one slice all the same.
static Ref asVector(const THTensor *t) {
  return Ref(t->ndim ? THTensor_newWithTensor(const_cast<THTensor *>(t))
                     : THTensor_newUnsqueeze1d(const_cast<THTensor *>(t), 0));
}

static void putSlices(THTensor *self, int dim, const THTensor *index, const THTensor *value, bool accumulate) {
  const THTensor *indices[TH_MAX_DIM] = {};
  const Ref vector = asVector(index);
  indices[dim] = vector;
  THTensor_indexPut(asVector(self), dim + 1, indices, asVector(value), accumulate);
}

static std::string shapeWithout(const THTensor *t, int dim) {
  int64_t rest[TH_MAX_DIM];
  int n = 0;
  for (int d = 0; d < t->ndim; d++)
    if (d != dim) rest[n++] = t->size[d];
  return shapeString(n, rest);
}

// The first of the indices outside low … high - 1; nullopt if there is none.
static std::optional<int64_t> firstOutside(const THTensor *index, int64_t high) {
  const Ref longs = asLongs(index, index->ndim, index->size);
  const int64_t *numbers = elements<int64_t>(longs), bad = findOutside(numbers, index->numel, 0, high);
  return bad < 0 ? std::nullopt : std::optional(numbers[bad]);
}

void THTensor_indexAdd(THTensor *self, int dim, const THTensor *index, const THTensor *src) {
  dim = TH_wrapDim(dim, self->ndim);
  const int64_t length = self->ndim ? self->size[dim] : 1, count = index->numel;
  if (index->ndim > 1)
    THError(TH_ERROR_INDEX,
            "index_add_(): Index is supposed to be a vector, but got dim: %d with type: %s and size: %s", index->ndim,
            TH_typeName(dtypeOf(index)), shapeString(index).c_str());
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
  if (self->ndim != src->ndim || shapeWithout(self, dim) != shapeWithout(src, dim))
    THError(TH_ERROR_RUNTIME,
            "source tensor shape must match self tensor shape, excluding the specified dimension. Got self.shape = %s "
            "source.shape = %s",
            shapeString(self).c_str(), shapeString(src).c_str());
  requireDistinct(self);
  refuseKnownOverlap(self, index);
  refuseKnownOverlap(self, src);
  if (!hasMemory(self)) return;
  if (self->numel || self->ndim < 2)
    if (const auto bad = firstOutside(index, length)) {
      if (self->ndim < 2) THError(TH_ERROR_INDEX, "index out of range in self");
      THError(TH_ERROR_RUNTIME, "index %lld is out of bounds for dimension %d with size %lld", (long long)*bad, dim,
              (long long)length);
    }
  if (self->numel) putSlices(self, dim, index, src, true);
}

void THTensor_indexCopy(THTensor *self, int dim, const THTensor *index, const THTensor *src) {
  dim = TH_wrapDim(dim, self->ndim);
  const int64_t length = self->ndim ? self->size[dim] : 1, count = index->numel;
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
  if (!hasMemory(self)) return;
  if (self->numel || !length)
    if (const auto bad = firstOutside(index, length))
      THError(length ? TH_ERROR_INDEX : TH_ERROR_RUNTIME,
              "index_copy_(): index %lld is out of bounds for dimension %d with size %lld", (long long)*bad, dim,
              (long long)length);
  if (self->numel) putSlices(self, dim, index, src, false);
}

void THTensor_indexFill(THTensor *self, int dim, const THTensor *index, THScalar value) {
  dim = TH_wrapDim(dim, self->ndim);
  if (dtypeOf(index) != TH_Long) THError(TH_ERROR_INDEX, "index_fill_(): Expected dtype int64 for index.");
  if (index->ndim > 1) THError(TH_ERROR_RUNTIME, "Index has to be a vector/scalar");
  if (!hasMemory(self)) return;
  putSlices(self, dim, index, Ref(THTensor_newWithScalar(dtypeOf(self), value)), false);
}

void THTensor_indexSelect(THTensor *r, const THTensor *t, int dim, const THTensor *index) {
  dim = TH_wrapDim(dim, t->ndim);
  if (index->ndim > 1) THError(TH_ERROR_INDEX, "index_select(): Index is supposed to be a vector");
  if (dtypeOf(index) != TH_Long && dtypeOf(index) != TH_Int)
    THError(TH_ERROR_RUNTIME, "index_select(): Expected dtype int32 or int64 for index");
  if (r->dtype != t->dtype) THError(TH_ERROR_RUNTIME, "index_select(): self and result must have the same scalar type");
  if (t->ndim == 0 && index->numel != 1)
    THError(TH_ERROR_RUNTIME, "index_select(): Index to scalar can have only 1 value, got %lld value(s)",
            (long long)index->numel);
  const int64_t length = t->ndim ? t->size[dim] : 1, stride = t->ndim ? t->stride[dim] : 0;
  if (length == 0 && index->numel)
    THError(TH_ERROR_RUNTIME, "index_select(): self indexing axis dim should be positive");
  Box box;
  for (int d = 0; d < t->ndim; d++) {
    box.size[d] = d == dim ? index->numel : t->size[d];
    if (d != dim) (d < dim ? box.outer : box.inner).add(t->size[d], t->stride[d]);
  }
  requireDistinct(r);
  requireSeparate(r, t, t->ndim, box.size);
  requireSeparate(r, index, t->ndim, box.size);
  box.count = index->numel;
  if (hasMemory(r)) {
    const Ref longs = asLongs(index, index->ndim, index->size);
    const int64_t *from = elements<int64_t>(longs);
    if (findOutside(from, index->numel, 0, length) >= 0) THError(TH_ERROR_INDEX, "index out of range in self");
    box.reserve(index->numel);
    for (int64_t j = 0; j < index->numel; j++) box.chosen[j] = from[j] * stride;
  }
  take(r, t, box, t->ndim, box.size);
}
