// What sorting, selecting and order statistics check, and the shapes of their results.
#include <algorithm>
#include <TH/THCheck.h>
#include <TH/THPrepare.h>

#include "kit/prepare.hpp"
#include "kit/reduce.hpp"
#include "kit/sortkeys.hpp"

using namespace th;

namespace {

// Of values, indices and the input; the dimension counted from the front.
int wrapChecked(THDtype dtype, const THTensor *values, const THTensor *indices, const THTensor *t, int dim) {
  requireDtype(t, dtype);
  requireDtype(values, dtypeOf(t), "values");
  requireDtype(indices, TH_Long, "indices");
  return TH_wrapDim(dim, t->ndim);
}

// The results get this shape, and share no memory with the input or each other.
void setResults(THRowsPlan *plan, THTensor *values, THTensor *indices, const THTensor *t, int dim, int ndim,
                const int64_t *size) {
  requireSeparate(values, t, ndim, size);
  requireSeparate(indices, t, ndim, size);
  requireSeparate(values, indices);
  plan->dim = dim;
  plan->rows = Rows(t, dim);
  setResult(plan->result[0], values, ndim, size);
  setResult(plan->result[1], indices, ndim, size);
}

int64_t sizeAt(const THTensor *t, int dim) { return t->ndim ? t->size[dim] : 1; }

int statisticDim(const char *name, THDtype dtype, const THTensor *values, const THTensor *indices, const THTensor *t,
                 int dim) {
  dim = wrapChecked(dtype, values, indices, t, dim);
  if (t->ndim) checkNotEmpty(name, t, uint64_t(1) << dim);
  return dim;
}

void setStatistic(THRowsPlan *plan, THTensor *values, THTensor *indices, const THTensor *t, int dim, bool keepdim) {
  int64_t size[TH_MAX_DIM];
  const int ndim = sizeWithout(t, dim, keepdim, size);
  setResults(plan, values, indices, t, dim, ndim, size);
}

}  // namespace

// Sorting in place is allowed.
void THPrepare_sort(THRowsPlan *plan, THDtype dtype, THTensor *values, THTensor *indices, const THTensor *t, int dim) {
  dim = wrapChecked(dtype, values, indices, t, dim);
  requireMemory(values, t);
  requireSeparate(indices, t, t->ndim, t->size);
  requireSeparate(values, indices);
  plan->dim = dim;
  plan->rows = Rows(t, dim);
  setResult(plan->result[0], values, t);
  setResult(plan->result[1], indices, t);
}

void THCheck_topk(const THTensor *t, int64_t k, int dim) {
  if (k < 0 || k > sizeAt(t, TH_wrapDim(dim, t->ndim))) THError(TH_ERROR_RUNTIME, "selected index k out of range");
}

void THPrepare_topk(THRowsPlan *plan, THDtype dtype, THTensor *values, THTensor *indices, const THTensor *t, int64_t k,
                    int dim) {
  dim = wrapChecked(dtype, values, indices, t, dim);
  THCheck_topk(t, k, dim);
  int64_t size[TH_MAX_DIM];
  std::copy_n(t->size, t->ndim, size);
  if (t->ndim) size[dim] = k;
  plan->k = t->ndim ? k : 1;
  setResults(plan, values, indices, t, dim, t->ndim, size);
}

void THCheck_kthvalue(const THTensor *t, int64_t k, int dim) {
  dim = TH_wrapDim(dim, t->ndim);
  if (t->ndim) checkNotEmpty("kthvalue", t, uint64_t(1) << dim);
  if (k < 1 || k > sizeAt(t, dim))
    THError(TH_ERROR_RUNTIME, "kthvalue(): selected number k out of range for dimension %d", dim);
}

void THPrepare_kthvalue(THRowsPlan *plan, THDtype dtype, THTensor *values, THTensor *indices, const THTensor *t,
                        int64_t k, int dim, bool keepdim) {
  dim = wrapChecked(dtype, values, indices, t, dim);
  THCheck_kthvalue(t, k, dim);
  plan->k = k;
  setStatistic(plan, values, indices, t, dim, keepdim);
}

void THPrepare_orderStatistic(THRowsPlan *plan, const char *name, THDtype dtype, THTensor *values, THTensor *indices,
                              const THTensor *t, int dim, bool keepdim) {
  dim = statisticDim(name, dtype, values, indices, t, dim);
  setStatistic(plan, values, indices, t, dim, keepdim);
}

void THPrepare_unique(THDtype dtype, THTensor *values, THTensor *inverse, THTensor *counts, const THTensor *t,
                      bool sorted, bool slices) {
  if (!hasMemory(t) || !hasMemory(values))
    refuseMeta(slices ? "unique_dim" : sorted ? "_unique2" : "unique_consecutive");
  requireDtype(t, dtype);
  requireDtype(values, dtypeOf(t), "values");
  if (inverse) requireDtype(inverse, TH_Long, "inverse");
  if (counts) requireDtype(counts, TH_Long, "counts");
}
