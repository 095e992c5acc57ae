// tril and triu: rows of a matrix are cut at a diagonal, one side stays, the other becomes zero. diag; masked copies.
#include <TH/THPrepare.h>
#include <TH/THTensorIndex.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <limits>

#include "kit/indexing.hpp"
#include "kit/result.hpp"

namespace th {
namespace {

template <class U>
void copyRow(U *to, int64_t toStep, const U *from, int64_t fromStep, int64_t n) {
  if (toStep == 1 && fromStep == 1 && n > 0)
    std::memmove(to, from, size_t(n) * sizeof(U));
  else
    for (int64_t j = 0; j < n; j++) to[j * toStep] = from[j * fromStep];
}

template <class U>
void clearRow(U *to, int64_t step, int64_t n) {
  if (step == 1)
    std::fill_n(to, std::max<int64_t>(n, 0), U{});
  else
    for (int64_t j = 0; j < n; j++) to[j * step] = U{};
}

void triangle(THTensor *r, const THTensor *t, int64_t k, bool lower) {
  const bool inPlace = THTensor_isSetTo(r, t);
  THResult result;
  THPrepare_triangle(&result, r, t, lower);
  resizeResults(&result);
  if (!t->numel || !hasMemory(r)) return;
  const int rowDim = t->ndim - 2, columnDim = t->ndim - 1;
  const int64_t columns = t->size[columnDim], rows = t->size[rowDim];
  Offsets to, from;
  for (int d = 0; d <= rowDim; d++) {
    to.add(t->size[d], r->stride[d]);
    from.add(t->size[d], t->stride[d]);
  }
  const int64_t toStep = r->stride[columnDim], fromStep = t->stride[columnDim];
  withElementSize(dtypeOf(t), [&]<class U>(U) {
    U *const out = elements<U>(r);
    const U *const in = elements<const U>(t);
    parallelFor(t->numel / columns, std::max<int64_t>(1, kGrain / columns), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i++) {
        // Columns before `cut` belong to the lower triangle. k may be any number.
        const int64_t row = i % rows;
        const int64_t past = lower ? 1 : 0;
        const int64_t cut = k >= columns ? columns : k < -rows ? 0 : std::clamp<int64_t>(row + k + past, 0, columns);
        U *const outRow = out + to(i);
        const U *const inRow = in + from(i);
        const int64_t keep = lower ? 0 : cut, kept = lower ? cut : columns - cut, clear = lower ? cut : 0;
        if (!inPlace) copyRow(outRow + keep * toStep, toStep, inRow + keep * fromStep, fromStep, kept);
        clearRow(outRow + clear * toStep, toStep, columns - kept);
      }
    });
  });
}

}  // namespace
}  // namespace th

using namespace th;

void THPrepare_triangle(THResult *result, THTensor *r, const THTensor *t, bool lower) {
  requireDtype(r, dtypeOf(t), "result");
  if (t->ndim < 2)
    THError(TH_ERROR_RUNTIME, "%s: input tensor must have at least 2 dimensions", lower ? "tril" : "triu");
  if (!THTensor_isSetTo(r, t)) requireSeparate(r, t, t->ndim, t->size);
  setResult(*result, r, t);
  // Expanded results are written as they are: what the last row leaves stands.
  if (sameShape(t->ndim, t->size, r)) result->tensor = nullptr;
}

void THTensor_tril(THTensor *r, const THTensor *t, int64_t k) { triangle(r, t, k, true); }
void THTensor_triu(THTensor *r, const THTensor *t, int64_t k) { triangle(r, t, k, false); }

void THPrepare_diag(THResult *result, THTensor *r, const THTensor *t, int64_t k) {
  if (t->ndim != 1 && t->ndim != 2) THError(TH_ERROR_RUNTIME, "diag(): Supports 1D or 2D tensors. Got %dD", t->ndim);
  requireDtype(r, dtypeOf(t), "result");
  const bool toMatrix = t->ndim == 1;
  const Ref diagonal(toMatrix ? nullptr : THTensor_newDiagonal(const_cast<THTensor *>(t), k, 0, 1));
  int64_t size[2];
  if (!toMatrix) {
    size[0] = diagonal->numel;
  } else if (k == std::numeric_limits<int64_t>::min() || __builtin_add_overflow(t->numel, std::abs(k), size)) {
    THError(TH_ERROR_RUNTIME, "diag(): diagonal %lld is out of range", (long long)k);
  }
  size[1] = size[0];
  const int ndim = toMatrix ? 2 : 1;
  requireSeparate(r, t, ndim, size);
  setResult(*result, r, ndim, size);
}

void THTensor_diag(THTensor *r, const THTensor *t, int64_t k) {
  THResult result;
  THPrepare_diag(&result, r, t, k);
  resizeResults(&result);
  if (t->ndim == 2) return THTensor_copy(r, Ref(THTensor_newDiagonal(const_cast<THTensor *>(t), k, 0, 1)));
  THTensor_zero(r);
  THTensor_copy(Ref(THTensor_newDiagonal(r, k, 0, 1)), t);
}

THTensor *THPrepare_maskedCopy(THTensor *self, const THTensor *mask, const THTensor *src) {
  requireDtype(mask, TH_Bool, "mask");
  requireDtype(src, dtypeOf(self), "source");
  requireDistinct(self);
  requireMemory(self, mask);
  requireMemory(self, src);
  return THTensor_newExpand(const_cast<THTensor *>(mask), self->ndim, self->size);
}

void THTensor_maskedCopy(THTensor *self, const THTensor *mask, const THTensor *src) {
  const Ref wide(THPrepare_maskedCopy(self, mask, src));
  if (!hasMemory(self)) return;
  // A mask that is self is read in step with what is written; another that changes meanwhile is copied.
  const bool changes = overlapOf(self, wide) != Overlap::same && THTensor_overlaps(self, wide);
  const Ref flat(changes ? THTensor_newClone(wide) : THTensor_newContiguous(wide));
  const bool *const take = elements<const bool>(flat);
  int64_t wanted = 0;
  for (int64_t i = 0; i < self->numel; i++) wanted += take[i];
  if (wanted > src->numel)
    THError(TH_ERROR_RUNTIME, "Number of elements of source < number of ones in mask: %lld < %lld",
            (long long)src->numel, (long long)wanted);
  if (!wanted) return;
  const Ref values(THTensor_newContiguous(const_cast<THTensor *>(src)));
  const Ref target(THTensor_newContiguous(self));  // a copy, unless self is contiguous
  withElementSize(dtypeOf(self), [&]<class U>(U) {
    U *const to = elements<U>(target);
    const U *next = elements<const U>(values);
    for (int64_t i = 0, n = self->numel; i < n; i++)
      if (take[i]) to[i] = *next++;
  });
  if (static_cast<THTensor *>(target) != self) THTensor_copy(self, target);
}
