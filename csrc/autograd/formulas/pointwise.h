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

// ---- arithmetic -------------------------------------------------------------------------------------
// Division with a rounding mode (nullptr: none) is flat between its steps.
Tensor div_self_backward(const Tensor &grad, const Tensor &other, const char *rounding_mode);
Tensor div_other_backward(const Tensor &grad, const Tensor &self, const Tensor &other, const char *rounding_mode);
Tensor pow_backward(const Tensor &grad, const Tensor &self, const Scalar &exponent);
Tensor pow_self_backward(const Tensor &grad, const Tensor &self, const Tensor &exponent);
Tensor pow_exponent_backward(const Tensor &grad, const Tensor &self, const Tensor &exponent, const Tensor &result);
Tensor pow_exponent_backward(const Tensor &grad, const Scalar &self, const Tensor &exponent, const Tensor &result);
std::vector<Tensor> atan2_backward(const Tensor &grad, const Tensor &self, const Tensor &other,
                                   const std::vector<bool> &wanted);
Scalar one_less(const Scalar &weight);  // 1 - weight
Tensor ldexp_self_backward(const Tensor &grad, const Tensor &other);
Tensor copysign_backward(const Tensor &grad, const Tensor &self, const Tensor &result);

// ---- limits -----------------------------------------------------------------------------------------
// Whether fmax and fmin give `self`.
Tensor takes_first(const Tensor &self, const Tensor &other, bool greatest);
// Bounds may be undefined.
Tensor clamp_self_backward(const Tensor &grad, const Tensor &self, const Tensor &min, const Tensor &max);
Tensor clamp_min_bound_backward(const Tensor &grad, const Tensor &self, const Tensor &min, const Tensor &max);
Tensor clamp_max_bound_backward(const Tensor &grad, const Tensor &self, const Tensor &min, const Tensor &max);
Tensor nan_to_num_backward(const Tensor &grad, const Tensor &self);

// ---- complex numbers --------------------------------------------------------------------------------
Tensor sgn_backward(const Tensor &grad, const Tensor &self, const Tensor &result);
Tensor angle_backward(const Tensor &grad, const Tensor &self);
Tensor polar_angle_backward(const Tensor &grad, const Tensor &result);

// ---- products ---------------------------------------------------------------------------------------
// The vector product of `a` and `b` along the dimension that cross() took of a tensor of these sizes.
Tensor cross_backward(const Tensor &a, const Tensor &b, IntList sizes, std::optional<int64_t> dim);

}  // namespace torch::autograd
