// Questions about shared memory, as others may ask them.
#include "kit/overlap.hpp"

using namespace th;

void THTensor_checkDistinct(const THTensor *self) { requireDistinct(self); }

void THTensor_checkPointwise(const THTensor *r, int n, const THTensor *const *inputs) {
  requireDistinct(r);
  for (int k = 0; k < n; k++) refusePartialOverlap(r, inputs[k]);
}

bool THTensor_overlaps(const THTensor *self, const THTensor *other) {
  if (self == other) return self->numel;
  return overlapOf(self, other) != Overlap::none;
}
