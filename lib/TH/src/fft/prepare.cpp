// Fourier transforms: what is checked, and the shapes of results.
#include <TH/THCheck.h>
#include <TH/THPrepare.h>

#include "kit/result.hpp"

using namespace th;

void THCheck_points(int64_t n) {
  if (n < 1) THError(TH_ERROR_RUNTIME, "Invalid number of data points (%lld) specified", (long long)n);
}

void THPrepare_fft(THResult *result, THDtype to, THDtype from, THTensor *r, const THTensor *t, int dim, int64_t n,
                   bool onesided) {
  requireDtype(r, to);
  requireDtype(t, from);
  if (dim < 0 || dim >= t->ndim) THError(TH_ERROR_INDEX, "fft: there is no dimension %d", dim);
  THCheck_points(n);
  setResult(*result, r, t);
  result->size[dim] = onesided ? n / 2 + 1 : n;
  if (r != t || !sameShape(t->ndim, result->size, r)) requireSeparate(r, t, t->ndim, result->size);
}

void THPrepare_overlapAdd(THResult *result, THDtype dtype, THTensor *r, const THTensor *t, int64_t hop) {
  requireDtype(r, dtype);
  requireDtype(t, dtype);
  if (t->ndim != 3 || hop < 1)
    THError(TH_ERROR_RUNTIME, "overlapAdd: expected (signals, pieces, elements) and a distance, but got %s, %lld",
            shapeString(t).c_str(), (long long)hop);
  const int64_t pieces = t->size[1], size[] = {t->size[0], pieces ? t->size[2] + hop * (pieces - 1) : 0};
  requireSeparate(r, t, 2, size);
  setResult(*result, r, 2, size);
}
