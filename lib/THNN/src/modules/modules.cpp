#include "modules.hpp"

#include <algorithm>

namespace thnn {

void refuseDtype(THDtype dtype) { THError(TH_ERROR_TYPE, "there is no such function for %s", TH_dtypeName(dtype)); }

Ref channelsFirst(const THTensor *t, int n, Channels channels, const char *name) {
  if (t->ndim != n + 1 && t->ndim != n + 2)
    THError(TH_ERROR_RUNTIME, "%dD or %dD (batch mode) tensor expected for %s, but got: %s", n + 1, n + 2, name,
            shapeString(t).c_str());
  THTensor *const self = const_cast<THTensor *>(t);
  return Ref(channels == Channels::last ? THTensor_newTranspose(self, -1, -2) : THTensor_newWithTensor(self));
}

Ref batchOf(const THTensor *t, int n, Channels channels, const char *name) {
  Ref view = channelsFirst(t, n, channels, name);
  return t->ndim == n + 2 ? std::move(view) : Ref(THTensor_newUnsqueeze1d(view, 0));
}

void assign(THTensor *r, const THTensor *t) {
  resizeResult(r, t->ndim, t->size);
  THTensor_copy(r, t);
}

void accumulate(THDtype dtype, THTensor *target, const THTensor *t, double scale) {
  addOf(dtype)(target, target, scalar(scale), t);
}

Ref sumsOf(THDtype dtype, const THTensor *t, int channels) {
  Ref sums(newLike(t, dtype));
  sumOf(dtype)(sums, t, ((uint64_t(1) << t->ndim) - 1) & ~(uint64_t(1) << channels), false);
  return sums;
}

void requireWritable(const THTensor *gradWeight, const THTensor *gradBias) {
  requireDistinct(gradWeight);
  if (!gradBias) return;
  requireDistinct(gradBias);
  requireSeparate(gradWeight, gradBias, gradWeight->ndim, gradWeight->size);
}

void requireBatch(const THTensor *input, const THTensor *gradOutput) {
  if (input->ndim != gradOutput->ndim)
    THError(TH_ERROR_RUNTIME, "Need gradOutput of dimension %d, as input is, but got %s", input->ndim,
            shapeString(gradOutput).c_str());
}

void requireShape(const THTensor *t, const char *name, int ndim, const int64_t *size) {
  if (!sameShape(ndim, size, t))
    THError(TH_ERROR_RUNTIME, "Need %s of shape %s, but got %s", name, shapeString(ndim, size).c_str(),
            shapeString(t).c_str());
}

}  // namespace thnn
