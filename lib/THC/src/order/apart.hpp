// Inputs of kernels whose result may share memory with them.
#pragma once

#include <utility>

#include "kit/operands.hpp"

namespace thc {

// contiguousAs on the device of r, and a copy if r, which is about to be resized and written, may share its memory.
inline Ref contiguousApart(const THTensor *r, THDtype dtype, const THTensor *t) {
  Ref input = contiguousAs(dtype, t, r);
  if (r->storage != input->storage) return input;
  Ref copy(THTensor_newWithSizeOn(r->storage->device, dtype, t->ndim, t->size));
  THCTensor_copy(copy, input);
  return copy;
}

}  // namespace thc
