// Tensors one behind the other.
#include <THC/THCTensorCopy.h>
#include <THC/THCTensorIndex.h>
#include <TH/THPrepare.h>

#include "kit/failure.cuh"
#include "kit/operands.hpp"

void THCTensor_cat(THTensor *r, int n, const THTensor *const *tensors, int dim) {
  const thc::Operator named("cat");
  for (int k = 0; k < n; k++) thc::requireOneDevice({r}, {tensors[k]});
  THCatPlan plan;
  THPrepare_cat(&plan, r, n, tensors, dim);
  THResult_resize(&plan.result, 1);
  int64_t first = 0;
  for (int k = 0; k < n; k++) {
    if (!tensors[k]->numel) continue;
    const int64_t length = tensors[k]->size[plan.dim];
    THCTensor_copy(thc::Ref(THTensor_newNarrow(r, plan.dim, first, length)), tensors[k]);
    first += length;
  }
}
