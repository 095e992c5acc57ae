// Inputs of kernels whose result may share memory with them.
#pragma once

#include <utility>

#include "prepare.hpp"

namespace th {

// contiguousAs, and a copy if r, which is about to be resized and written, may share its memory.
inline Ref contiguousApart(const THTensor *r, THDtype dtype, const THTensor *t) {
  Ref input = contiguousAs(dtype, t);
  return r->storage == input->storage ? Ref(THTensor_newClone(input)) : std::move(input);
}

}  // namespace th
