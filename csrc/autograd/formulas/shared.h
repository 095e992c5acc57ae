// What formulas of several families share.
#pragma once

#include <THPP/Functions.h>
#include <THPP/Guard.h>

namespace torch::autograd {

using thpp::IntList;
using thpp::Tensor;
using thpp::TensorList;

// A real tensor as it is.
inline Tensor conjugate(const Tensor &t) { return TH_kind(t.dtype()) == TH_KIND_complex ? thpp::conj(t) : t; }

inline Tensor number(const thpp::Scalar &value) { return thpp::wrapped_number(value); }
inline Tensor in_dtype(const Tensor &t, THDtype dtype) { return t.dtype() == dtype ? t : thpp::to(t, dtype); }

}  // namespace torch::autograd
