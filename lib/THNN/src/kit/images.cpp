#include "images.hpp"

#include <THNN/Check.h>

namespace thnn {

bool areChannelsLast(const THTensor *t, int n) {
  return t->ndim == n + 2 && THNNCheck_areChannelsLast(t->ndim, t->size, t->stride);
}

void setChannelsLast(THResult &result) {
  result.strided = true;
  uint64_t step = 1;  // may wrap: whoever makes the tensor refuses such sizes
  const auto follows = [&](int d) {
    result.stride[d] = int64_t(step);
    step *= uint64_t(result.size[d]);
  };
  follows(1);
  for (int d = result.ndim - 1; d >= 2; d--) follows(d);
  follows(0);
}

}  // namespace thnn

bool THNNCheck_areChannelsLast(int ndim, const int64_t *size, const int64_t *stride) {
  if ((ndim != 4 && ndim != 5) || !stride[1]) return false;
  int64_t least = 0;
  // Whether dimension d lies around those that have been asked for.
  const auto surrounds = [&](int d) {
    if (!size[d] || stride[d] < least) return false;
    if (!d && least == stride[1]) return false;  // N, 1, 1, 1
    least = TH_saturatedProduct(stride[d], size[d]);
    return true;
  };
  if (!surrounds(1)) return false;
  for (int d = ndim - 1; d >= 2; d--)
    if (!surrounds(d)) return false;
  return surrounds(0);
}
