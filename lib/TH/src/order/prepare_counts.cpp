// What histograms, searches and quantiles check, and the shapes of their results.
#include <TH/THCheck.h>
#include <TH/THPrepare.h>

#include "kit/result.hpp"
#include "kit/messages.hpp"

using namespace th;

void THPrepare_bincount(THDtype dtype, const THTensor *r, const THTensor *t, const THTensor *weights,
                        int64_t minlength) {
  if (!hasMemory(t) || !hasMemory(r)) refuseMeta("bincount");
  requireDtype(t, dtype);
  if (minlength < 0) THError(TH_ERROR_RUNTIME, "minlength should be >= 0");
  if (t->ndim != 1) THError(TH_ERROR_RUNTIME, TH_NEGATIVE_COUNT);
  if (weights && (weights->ndim != 1 || weights->numel != t->numel))
    THError(TH_ERROR_RUNTIME, "weights should be 1-d and have the same length as input");
}

void THPrepare_bincountResult(THResult *result, THTensor *r, const THTensor *t, const THTensor *weights, int64_t bins) {
  if (!weights) {
    requireDtype(r, TH_Long, "the result");
    requireSeparate(r, t, 1, &bins);
  }
  setResult(*result, r, 1, &bins);
}

void THPrepare_histogram(THResult *result, THTensor *r, const THTensor *t, const THTensor *weights,
                         const THTensor *edges) {
  const int64_t bins = edges->numel - 1;
  if (edges->ndim != 1 || bins < 0) THError(TH_ERROR_RUNTIME, "histogram: edges must be a vector, and not empty");
  if (weights && weights->numel != t->numel)
    THError(TH_ERROR_RUNTIME, "histogram: weights must be as many as elements");
  for (const THTensor *source : {t, weights, edges})
    if (source) requireMemory(r, source);
  setResult(*result, r, 1, &bins);
}

void THCheck_bins(int64_t bins) {
  if (bins <= 0)
    THError(TH_ERROR_RUNTIME, "torch.histogram(): bins must be > 0, but got %lld for dimension 0", (long long)bins);
}

void THPrepare_histc(THResult *result, THDtype dtype, THTensor *r, const THTensor *t, int64_t bins, double low,
                     double high) {
  requireDtype(t, dtype);
  THCheck_bins(bins);
  if (low > high) THError(TH_ERROR_RUNTIME, "torch.histc: max must be larger than min");
  requireMemory(r, t);
  setResult(*result, r, 1, &bins);
}

void THPrepare_searchsorted(THResult *result, THTensor *r, const THTensor *boundaries, const THTensor *values,
                            const THTensor *sorter) {
  if (r->dtype != TH_Long && r->dtype != TH_Int) THError(TH_ERROR_RUNTIME, "searchsorted gives int64 or int32");
  requireMemory(r, values);
  requireSeparate(r, boundaries, values->ndim, values->size);
  if (sorter) requireSeparate(r, sorter, values->ndim, values->size);
  setResult(*result, r, values);
}

void THPrepare_quantile(THResult *result, THDtype dtype, THTensor *r, const THTensor *t, const THTensor *q) {
  requireDtype(t, dtype);
  requireDtype(q, dtypeOf(t), "q");
  if (t->ndim != 2 || q->ndim != 1 || !t->size[1])
    THError(TH_ERROR_RUNTIME, "quantile: t is a matrix with columns, q a vector");
  requireMemory(r, t);
  requireMemory(r, q);
  const int64_t size[] = {q->numel, t->size[0]};
  setResult(*result, r, 2, size);
}
