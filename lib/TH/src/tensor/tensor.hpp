// How tensors are made.
#pragma once

#include "kit/tensor.hpp"

namespace th {

// A tensor over `storage`, whose reference it takes, with room for ndim sizes and strides that the
// caller writes; then numel too.
THTensor *newUnshaped(THDtype dtype, THStorage *storage, int ndim);

// Uninitialised, with these strides (NULL: contiguous), which must be dense.
THTensor *newWithStrides(THDevice device, THDtype dtype, int ndim, const int64_t *size, const int64_t *stride);

}  // namespace th
