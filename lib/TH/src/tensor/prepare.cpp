// What prepares of all families give others: shapes of results, plans of the iterator.
#include <TH/THPrepare.h>

#include <bit>
#include <cstdint>

#include "kit/iterator.hpp"
#include "kit/result.hpp"

using namespace th;

void THResult_resize(const THResult *results, int n) {
  uint32_t misfits = 0;
  for (int k = 0; k < n; k++) {
    const THResult &r = results[k];
    if (!r.tensor) continue;
    if (sameShape(r.ndim, r.size, r.tensor))
      requireDistinct(r.tensor);
    else
      misfits |= 1u << k;
  }
  for (uint32_t later = misfits & (misfits - 1); later; later &= later - 1) {
    const THResult &r = results[std::countr_zero(later)];
    makeRoom(r.tensor, r.ndim, r.size);
  }
  for (; misfits; misfits &= misfits - 1) {
    const THResult &r = results[std::countr_zero(misfits)];
    resizeTo(r.tensor, r.ndim, r.size, r.strided ? r.stride : nullptr);
  }
}

bool THPrepare_pointwise(THPointwisePlan *plan, int n, const THTensor *const *operands, THResultShape shape) {
  const int least = shape == TH_RESULT_RESIZED ? 2 : 1;
  if (n < least || n > kMaxOperands)
    THError(TH_ERROR_RUNTIME, "THPrepare_pointwise takes %d to %d operands here, got %d", least, kMaxOperands, n);
  Operand own[kMaxOperands];
  for (int k = 0; k < n; k++) {
    const THDtype dtype = dtypeOf(operands[k]);
    own[k] = {operands[k], dtype, dtype};
    if (k) requireMemory(operands[0], operands[k]);
  }
  return prepare(*plan, own, n, Result(shape));
}
