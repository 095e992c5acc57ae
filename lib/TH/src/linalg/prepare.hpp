// What the outer product's prepare and its kernel share.
#pragma once

#include <TH/THTensor.h>
#include "kit/tensor.hpp"

namespace th {

// An outer product's operands, and its factors in the dtype.
struct OuterOperands {
  Ref column, wide;
  const THTensor *operand[4];  // r, t, v2, v1
  OuterOperands(void *factors, THDtype dtype, THTensor *r, THScalar beta, const THTensor *t, THScalar alpha,
                const THTensor *v1, const THTensor *v2);
};

}  // namespace th
