// Plans for walks in which an index takes part.
#include "index/byindex.hpp"

#include <algorithm>

namespace thc {

THPointwisePlan boxPlan(int n, int ndim, const int64_t *size, const int64_t *const *stride) {
  THPointwisePlan plan = {};
  plan.n = n;
  plan.numel = 1;
  int order[TH_MAX_DIM];
  th::strideOrder(ndim, size, n, stride, order);
  for (int i = 0; i < ndim; i++) {
    const int d = order[i], last = plan.ndim - 1;
    plan.numel *= size[d];
    if (size[d] == 1) continue;
    bool continues = plan.ndim > 0;
    for (int k = 0; continues && k < n; k++)
      continues = stride[k][d] == TH_saturatedProduct(plan.shape[last], plan.stride[last][k]);
    if (continues) {
      plan.shape[last] *= size[d];
      continue;
    }
    plan.shape[plan.ndim] = size[d];
    for (int k = 0; k < n; k++) plan.stride[plan.ndim][k] = stride[k][d];
    plan.ndim++;
  }
  if (plan.ndim == 0) plan.shape[plan.ndim++] = 1;
  return plan;
}

Ref operandFor(THDtype dtype, const THTensor *t, const THTensor *written) {
  if (t->dtype == dtype && t->device == TH_CUDA && !THTensor_overlaps(written, t)) {
    THTensor_retain(const_cast<THTensor *>(t));
    return Ref(const_cast<THTensor *>(t));
  }
  Ref copy(THTensor_newWithSizeOn(written->storage->device, dtype, t->ndim, t->size));
  THCTensor_copy(copy, t);
  return copy;
}

Choice choiceOf(const THTensor *t, const THIndexDimPlan &plan, FailureKind kind, bool wraps) {
  Choice choice;
  choice.length = plan.length;
  choice.step = (t->ndim ? t->stride[plan.dim] : 0) * th::elementSize(th::dtypeOf(t));
  choice.wraps = wraps;
  choice.kind = kind;
  choice.dim = plan.dim;
  choice.failure = failureOf(t->storage->device.index);
  return choice;
}

}  // namespace thc
