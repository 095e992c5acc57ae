// Derivatives of operators that work element by element.
//
// `grad` has the result's shape: what was broadcast is summed afterwards, and a real input takes the real part.
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "operators.h"

namespace torch::autograd {

using thpp::IntList;
using thpp::wrapped_number;

inline bool complex_valued(const Tensor &a) { return TH_kind(a.dtype()) == TH_KIND_complex; }
// The gradient where the mask is true, and where it is false; 0 elsewhere, whatever the gradient is there.
inline Tensor keep(const Tensor &grad, const Tensor &mask) { return thpp::where(mask, grad, wrapped_number(0)); }
inline Tensor drop(const Tensor &grad, const Tensor &mask) { return thpp::where(mask, wrapped_number(0), grad); }

}  // namespace torch::autograd
