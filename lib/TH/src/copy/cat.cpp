#include <TH/THCheck.h>
#include <TH/THPrepare.h>
#include <TH/THTensorIndex.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "kit/parallel.hpp"
#include "kit/result.hpp"

using namespace th;

namespace {

// What older code makes to start a list with; torch still lets it pass among tensors of any shape.
bool isPassedOver(const THTensor *t) { return t->ndim == 1 && t->size[0] == 0; }

void checkPiece(const THTensor *like, const THTensor *t, int dim, int position) {
  if (t->ndim != like->ndim)
    THError(TH_ERROR_RUNTIME, "Tensors must have same number of dimensions: got %d and %d", like->ndim, t->ndim);
  for (int d = 0; d < t->ndim; d++)
    if (d != dim && t->size[d] != like->size[d])
      THError(TH_ERROR_RUNTIME,
              "Sizes of tensors must match except in dimension %d. Expected size %lld but got size "
              "%lld for tensor number %d in the list.",
              dim, (long long)like->size[d], (long long)t->size[d], position);
}

// Row after row of the result, where a piece after the other would write parts of rows, leave them and come back. Pieces
// of a row are contiguous and not short; false, with nothing written, if they are not such.
bool copyRows(THTensor *r, int n, const THTensor *const *tensors, int dim) {
  constexpr int64_t least = 64;  // bytes, below which a call for each costs too much
  const int64_t rows = TH_numel(dim, r->size);
  if (rows < 2 || !THTensor_isContiguous(r)) return false;
  struct Part {
    const char *data;
    int64_t bytes;  // of a row
  };
  std::vector<Part> parts;
  parts.reserve(size_t(n));
  for (int k = 0; k < n; k++) {
    const THTensor *const t = tensors[k];
    if (!t->numel) continue;
    const int64_t bytes = t->numel / rows * elementSize(dtypeOf(t));
    if (t->dtype != r->dtype || (t->flags & TH_NON_CPU) || bytes < least || !THTensor_isContiguous(t)) return false;
    parts.push_back({static_cast<const char *>(dataOf(t)), bytes});
  }
  char *const result = static_cast<char *>(dataOf(r));
  const int64_t width = r->numel / rows;
  parallelFor(rows, std::max<int64_t>(1, kGrain / width), [&](int64_t begin, int64_t end) {
    char *to = result + begin * width * elementSize(dtypeOf(r));
    for (int64_t i = begin; i < end; i++)
      for (const Part &part : parts) {
        std::memcpy(to, part.data + i * part.bytes, size_t(part.bytes));
        to += part.bytes;
      }
  });
  return true;
}

}  // namespace

void THCheck_cat(int n, const THTensor *const *tensors) {
  if (n < 1) THError(TH_ERROR_VALUE, "torch.cat(): expected a non-empty list of Tensors");
  for (int k = 0; k < n; k++)
    if (tensors[k]->ndim == 0)
      THError(TH_ERROR_RUNTIME, "zero-dimensional tensor (at position %d) cannot be concatenated", k);
}

void THPrepare_cat(THCatPlan *plan, THTensor *r, int n, const THTensor *const *tensors, int dim) {
  THCheck_cat(n, tensors);
  const THTensor *like = nullptr;
  for (int k = 0; k < n; k++)
    if (!like && !isPassedOver(tensors[k])) like = tensors[k];
  int64_t size[TH_MAX_DIM] = {0};
  int ndim = 1;
  if (like) {
    ndim = like->ndim;
    dim = TH_wrapDim(dim, ndim);
    std::copy_n(like->size, ndim, size);
    size[dim] = 0;
    for (int k = 0; k < n; k++) {
      if (isPassedOver(tensors[k])) continue;
      checkPiece(like, tensors[k], dim, k);
      size[dim] += tensors[k]->size[dim];
    }
  }
  for (int k = 0; k < n; k++) requireSeparate(r, tensors[k], ndim, size);
  plan->dim = dim;
  setResult(plan->result, r, ndim, size);
}

void THTensor_cat(THTensor *r, int n, const THTensor *const *tensors, int dim) {
  THCatPlan plan;
  THPrepare_cat(&plan, r, n, tensors, dim);
  resizeResults(&plan.result);
  if (!hasMemory(r) || r->numel == 0) return;
  if (!(r->flags & TH_NON_CPU) && copyRows(r, n, tensors, plan.dim)) return;

  int64_t first = 0;
  for (int k = 0; k < n; k++) {
    if (!tensors[k]->numel) continue;
    const int64_t length = tensors[k]->size[plan.dim];
    THTensor_copy(Ref(THTensor_newNarrow(r, plan.dim, first, length)), tensors[k]);
    first += length;
  }
}
