// Views: new geometry over the same storage.
#include <algorithm>
#include "tensor.hpp"

using namespace th;

// Of another layout there are no elements with a stride.
static void requireStrided(const THTensor *self) {
  if (self->layout != TH_STRIDED) [[unlikely]]
    refuseDevice(self);
}

// Another tensor over self's elements with ndim dimensions; its caller writes the shape.
static THTensor *newAlias(THTensor *self, int ndim) {
  requireStrided(self);
  THTensor *t = newUnshaped(dtypeOf(self), self->storage, ndim);
  THStorage_retain(self->storage);
  t->offset = self->offset;
  t->flags |= self->flags & TH_DATA_VERSION;
  return t;
}

// One that has self's shape at first.
static THTensor *newAlias(THTensor *self) {
  requireStrided(self);
  return THTensor_newWithTensor(self);
}

static THTensor *withNumel(THTensor *t) {
  for (int d = 0; d < t->ndim; d++) t->numel = TH_saturatedProduct(t->numel, t->size[d]);
  return t;
}

THTensor *THTensor_newSelect(THTensor *self, int dim, int64_t index) {
  if (self->ndim == 0) THError(TH_ERROR_INDEX, "select() cannot be applied to a 0-dim tensor.");
  dim = TH_wrapDim(dim, self->ndim);
  const int64_t size = self->size[dim];
  if (index < -size || index >= size)
    THError(TH_ERROR_INDEX, "select(): index %lld out of range for tensor of size %s at dimension %d", (long long)index,
            shapeString(self).c_str(), dim);
  THTensor *t = newAlias(self, self->ndim - 1);
  for (int d = 0, e = 0; d < self->ndim; d++) {
    if (d == dim) continue;
    t->size[e] = self->size[d];
    t->stride[e++] = self->stride[d];
  }
  t->offset = TH_saturatedSum(t->offset, TH_saturatedProduct(index < 0 ? index + size : index, self->stride[dim]));
  t->numel = size > 0 ? self->numel / size : 0;
  return t;
}

THTensor *THTensor_newNarrow(THTensor *self, int dim, int64_t first, int64_t length) {
  if (self->ndim == 0) THError(TH_ERROR_RUNTIME, "narrow() cannot be applied to a 0-dim tensor.");
  if (length < 0) THError(TH_ERROR_RUNTIME, "narrow(): length must be non-negative.");
  dim = TH_wrapDim(dim, self->ndim);
  const int64_t size = self->size[dim];
  if (first < -size || first > size)
    THError(TH_ERROR_INDEX, "start out of range (expected to be in range of [%lld, %lld], but got %lld)",
            (long long)-size, (long long)size, (long long)first);
  if (first < 0) first += size;
  if (length > size - first)
    THError(TH_ERROR_RUNTIME, "start (%lld) + length (%lld) exceeds dimension size (%lld).", (long long)first,
            (long long)length, (long long)size);
  return THTensor_newSlice(self, dim, first, first + length, 1);
}

THTensor *THTensor_newSlice(THTensor *self, int dim, int64_t first, int64_t last, int64_t step) {
  if (self->ndim == 0) THError(TH_ERROR_INDEX, "slice() cannot be applied to a 0-dim tensor.");
  dim = TH_wrapDim(dim, self->ndim);
  if (step <= 0) THError(TH_ERROR_RUNTIME, "slice step must be positive");
  const int64_t size = self->size[dim];
  if (first < 0) first += size;
  if (last < 0) last += size;
  first = std::clamp<int64_t>(first, 0, size);
  last = std::clamp(last, first, size);
  THTensor *t = newAlias(self);
  t->size[dim] = (last - first) / step + ((last - first) % step != 0);
  if (__builtin_mul_overflow(t->stride[dim], step, &t->stride[dim]))
    t->stride[dim] = self->stride[dim];  // one element at most
  t->offset = TH_saturatedSum(t->offset, TH_saturatedProduct(first, self->stride[dim]));
  t->numel = 1;
  return withNumel(t);
}

THTensor *THTensor_newTranspose(THTensor *self, int dim0, int dim1) {
  dim0 = TH_wrapDim(dim0, self->ndim);
  dim1 = TH_wrapDim(dim1, self->ndim);
  THTensor *t = newAlias(self);
  if (dim0 != dim1) {
    std::swap(t->size[dim0], t->size[dim1]);
    std::swap(t->stride[dim0], t->stride[dim1]);
  }
  return t;
}

THTensor *THTensor_newPermute(THTensor *self, int ndim, const int64_t *dims) {
  if (ndim != self->ndim)
    THError(TH_ERROR_RUNTIME,
            "permute: number of dimensions in the tensor input does not match the length of the desired ordering of "
            "dimensions: %d and %d",
            self->ndim, ndim);
  int order[TH_MAX_DIM];
  uint64_t seen = 0;
  for (int d = 0; d < ndim; d++) {
    order[d] = TH_wrapDim(dims[d], ndim);
    if (seen >> order[d] & 1) THError(TH_ERROR_RUNTIME, "permute(): duplicate dims are not allowed.");
    seen |= uint64_t(1) << order[d];
  }
  THTensor *t = newAlias(self, ndim);
  for (int d = 0; d < ndim; d++) {
    t->size[d] = self->size[order[d]];
    t->stride[d] = self->stride[order[d]];
  }
  t->numel = self->numel;
  return t;
}

THTensor *THTensor_newUnfold(THTensor *self, int dim, int64_t size, int64_t step) {
  dim = TH_wrapDim(dim, self->ndim);
  const int64_t extent = self->ndim ? self->size[dim] : 1, stride = self->ndim ? self->stride[dim] : 1;
  if (size < 0) THError(TH_ERROR_RUNTIME, "size is %lld but must be >= 0", (long long)size);
  if (size > extent)
    THError(TH_ERROR_RUNTIME, "maximum size for tensor at dimension %d is %lld but size is %lld", dim,
            (long long)extent, (long long)size);
  if (step <= 0) THError(TH_ERROR_RUNTIME, "step is %lld but must be > 0", (long long)step);
  THTensor *t = newAlias(self, self->ndim + 1);
  for (int d = 0; d < self->ndim; d++) {
    t->size[d] = self->size[d];
    t->stride[d] = self->stride[d];
  }
  t->size[self->ndim] = size;
  t->stride[self->ndim] = stride;
  if (self->ndim) {
    t->size[dim] = (extent - size) / step + 1;
    if (__builtin_mul_overflow(stride, step, &t->stride[dim])) t->stride[dim] = stride;
  }
  return withNumel(t);
}

THTensor *THTensor_newExpand(THTensor *self, int ndim, const int64_t *size) {
  if (ndim < self->ndim)
    THError(TH_ERROR_RUNTIME,
            "expand(torch.%sTensor{%s}, size=%s): the number of sizes provided (%d) must be greater or equal to the "
            "number of dimensions in the tensor (%d)",
            TH_typeName(dtypeOf(self)), shapeString(self).c_str(), shapeString(ndim, size).c_str(), ndim, self->ndim);
  const int added = ndim - self->ndim;
  for (int d = 0; d < ndim; d++) {
    if (d < added) {
      if (size[d] < 0)
        THError(TH_ERROR_RUNTIME,
                "The expanded size of the tensor (%lld) isn't allowed in a leading, non-existing dimension %d",
                (long long)size[d], d);
    } else if (size[d] != -1 && size[d] != self->size[d - added] && (self->size[d - added] != 1 || size[d] < 0)) {
      THError(TH_ERROR_RUNTIME,
              "The expanded size of the tensor (%lld) must match the existing size (%lld) at non-singleton "
              "dimension %d.  Target sizes: %s.  Tensor sizes: %s",
              (long long)size[d], (long long)self->size[d - added], d, shapeString(ndim, size).c_str(),
              shapeString(self).c_str());
    }
  }
  Ref t(newAlias(self, ndim));
  // What is repeated stands still; a new dimension of size 1 gets the stride of a contiguous one.
  for (int d = ndim - 1; d >= 0; d--) {
    const int64_t own = d < added ? 1 : self->size[d - added];
    t->size[d] = size[d] == -1 ? own : size[d];
    if (t->size[d] != own || self->ndim == 0)
      t->stride[d] = 0;
    else
      t->stride[d] = d >= added ? self->stride[d - added] : TH_saturatedProduct(t->size[d + 1], t->stride[d + 1]);
  }
  t->numel = TH_numel(ndim, t->size);
  return t.release();
}

// The shape with its -1 replaced; raises unless it has self's number of elements.
static void inferShape(const THTensor *self, int ndim, const int64_t *size, int64_t *out) {
  int unknown = -1;
  int64_t known = 1;
  bool overflow = false;
  for (int d = 0; d < ndim; d++) {
    out[d] = size[d];
    if (size[d] == -1) {
      if (unknown >= 0) THError(TH_ERROR_RUNTIME, "only one dimension can be inferred");
      unknown = d;
    } else if (size[d] < 0) {
      THError(TH_ERROR_RUNTIME, "invalid shape dimension %lld at index %d of shape %s", (long long)size[d], d,
              shapeString(ndim, size).c_str());
    } else {
      overflow |= __builtin_mul_overflow(known, size[d], &known);
    }
  }
  if (!overflow && known == self->numel && unknown < 0) return;
  if (!overflow && unknown >= 0 && known > 0 && self->numel % known == 0) {
    out[unknown] = self->numel / known;
    return;
  }
  if (!overflow && unknown >= 0 && known == 0 && self->numel == 0)
    THError(TH_ERROR_RUNTIME,
            "cannot reshape tensor of 0 elements into shape %s because the unspecified dimension size -1 can be any "
            "value and is ambiguous",
            shapeString(ndim, size).c_str());
  THError(TH_ERROR_RUNTIME, "shape '%s' is invalid for input of size %lld", shapeString(ndim, size).c_str(),
          (long long)self->numel);
}

// Strides with which self's elements have the shape `size` (same numel), or false.
// Old dimensions are taken from the back as long as they continue one another (stride = stride *
// size of the one inside); each such run must be the product of some new dimensions.
static bool viewStrides(const THTensor *self, int ndim, const int64_t *size, int64_t *stride) {
  if (self->numel == 0 || self->ndim == 0) {
    if (self->numel == 0 && sameShape(ndim, size, self))
      std::copy_n(self->stride, ndim, stride);
    else
      contiguousStrides(ndim, size, stride);
    return true;
  }
  int e = ndim - 1;
  int64_t base = self->stride[self->ndim - 1], run = 1;
  for (int d = self->ndim - 1; d >= 0; d--) {
    run *= self->size[d];
    if (d > 0 && (self->size[d - 1] == 1 || self->stride[d - 1] == run * base)) continue;
    int64_t taken = 1;
    while (e >= 0 && (taken < run || size[e] == 1)) {
      stride[e] = taken * base;
      taken *= size[e--];
    }
    if (taken != run) return false;
    if (d > 0) {
      base = self->stride[d - 1];
      run = 1;
    }
  }
  return e == -1;
}

static THTensor *newViewWithStrides(THTensor *self, int ndim, const int64_t *size, const int64_t *stride) {
  THTensor *t = newAlias(self, ndim);
  std::copy_n(size, ndim, t->size);
  std::copy_n(stride, ndim, t->stride);
  t->numel = self->numel;
  return t;
}

THTensor *THTensor_newView(THTensor *self, int ndim, const int64_t *size) {
  int64_t shape[TH_MAX_DIM], stride[TH_MAX_DIM];
  if (ndim > TH_MAX_DIM) return newAlias(self, ndim);  // raises
  inferShape(self, ndim, size, shape);
  if (!viewStrides(self, ndim, shape, stride))
    THError(TH_ERROR_RUNTIME,
            "view size is not compatible with input tensor's size and stride: elements of one new dimension are not at "
            "equal distances. .reshape(...) makes a copy where it must.");
  return newViewWithStrides(self, ndim, shape, stride);
}

THTensor *THTensor_newReshape(THTensor *self, int ndim, const int64_t *size) {
  int64_t shape[TH_MAX_DIM], stride[TH_MAX_DIM];
  if (ndim > TH_MAX_DIM) return newAlias(self, ndim);  // raises
  inferShape(self, ndim, size, shape);
  if (viewStrides(self, ndim, shape, stride)) return newViewWithStrides(self, ndim, shape, stride);
  Ref copy(THTensor_newContiguous(self));
  contiguousStrides(ndim, shape, stride);
  return newViewWithStrides(copy, ndim, shape, stride);
}

// self without the dimensions of size 1 among those in `dims`.
static THTensor *newSqueezed(THTensor *self, uint64_t dims) {
  int kept = 0;
  for (int d = 0; d < self->ndim; d++) kept += !((dims >> d & 1) && self->size[d] == 1);
  THTensor *t = newAlias(self, kept);
  for (int d = 0, e = 0; d < self->ndim; d++) {
    if ((dims >> d & 1) && self->size[d] == 1) continue;
    t->size[e] = self->size[d];
    t->stride[e++] = self->stride[d];
  }
  t->numel = self->numel;
  return t;
}

THTensor *THTensor_newSqueeze(THTensor *self) { return newSqueezed(self, ~uint64_t(0)); }
THTensor *THTensor_newSqueeze1d(THTensor *self, int dim) {
  return newSqueezed(self, uint64_t(1) << TH_wrapDim(dim, self->ndim));
}

THTensor *THTensor_newUnsqueeze1d(THTensor *self, int dim) {
  dim = TH_wrapDim(dim, self->ndim + 1);
  THTensor *t = newAlias(self, self->ndim + 1);
  for (int d = 0; d < t->ndim; d++) {
    const int old = d < dim ? d : d - 1;
    t->size[d] = d == dim ? 1 : self->size[old];
    // The stride that a contiguous tensor would have there.
    t->stride[d] = d != dim           ? self->stride[old]
                   : dim < self->ndim ? TH_saturatedProduct(self->size[dim], self->stride[dim])
                                      : 1;
  }
  t->numel = self->numel;
  return t;
}

THTensor *THTensor_newDiagonal(THTensor *self, int64_t offset, int dim0, int dim1) {
  const int given0 = dim0, given1 = dim1;
  dim0 = TH_wrapDim(dim0, self->ndim);
  dim1 = TH_wrapDim(dim1, self->ndim);
  if (dim0 == dim1) THError(TH_ERROR_RUNTIME, "diagonal dimensions cannot be identical %d, %d", given0, given1);
  // Element i of the diagonal is [i, i + offset] for offset >= 0, else [i - offset, i].
  const int64_t rows = self->size[dim0] + std::min<int64_t>(offset, 0);
  const int64_t columns = self->size[dim1] - std::max<int64_t>(offset, 0);
  const int64_t length = std::max<int64_t>(0, std::min(rows, columns));
  THTensor *t = newAlias(self, self->ndim - 1);
  int e = 0;
  for (int d = 0; d < self->ndim; d++) {
    if (d == dim0 || d == dim1) continue;
    t->size[e] = self->size[d];
    t->stride[e++] = self->stride[d];
  }
  t->size[e] = length;
  // Where both have one element, strides may be anything.
  t->stride[e] = TH_saturatedSum(self->stride[dim0], self->stride[dim1]);
  if (length)
    t->offset = TH_saturatedSum(t->offset, offset >= 0 ? TH_saturatedProduct(offset, self->stride[dim1])
                                                       : TH_saturatedProduct(-offset, self->stride[dim0]));
  return withNumel(t);
}

THTensor *THTensor_newAsStrided(THTensor *self, int ndim, const int64_t *size, const int64_t *stride, int64_t offset) {
  requireStrided(self);
  THTensor *t = THTensor_newWithStorage(dtypeOf(self), self->storage, offset, ndim, size, stride);
  t->flags |= self->flags & TH_DATA_VERSION;
  return t;
}
