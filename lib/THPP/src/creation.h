// Making tensors, for the functions written by hand.
#pragma once

#include "dispatch.h"

namespace thpp {

// A device that is not given is the CPU; an `out` must be on the one that is.

// `out` in this shape; made if it is undefined, of `dtype` or, without one, of dtype `otherwise`.
THTensor *shaped(Tensor &out, IntList size, std::optional<THDtype> dtype, THDtype otherwise,
                 std::optional<THDevice> device = {});
// `out` as it is, for kernels that give it its size once nothing can be refused any more; made if it is undefined.
THTensor *typed(Tensor &out, std::optional<THDtype> dtype, THDtype otherwise, std::optional<THDevice> device = {});
// Uninitialised.
Tensor empty_strided(THDtype dtype, IntList size, IntList stride, THDevice device = {});

}  // namespace thpp
