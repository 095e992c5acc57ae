// Operators between tensors and numbers, for formulas. An undefined tensor is a gradient of zeros: so is its product with
// anything, and it adds nothing.
#pragma once

#include <tuple>
#include <vector>

#include <THPP/Functions.h>

#include <autograd/info.h>

#include "refused.h"

namespace torch::autograd {

using thpp::Scalar;
using thpp::Tensor;

// Of a number; thpp::conj is that of a tensor, and gives a real one back.
inline Scalar conj(const Scalar &x) { return x.is_complex() ? Scalar(THComplexDouble{x.to_double(), -x.imag}) : x; }
// infos(tensors) of a list: their shapes alone are kept for the formula.
inline const std::vector<TensorInfo> &infos(const std::vector<TensorInfo> &tensors) { return tensors; }
// An operator's results as the gradients of several inputs.
template <class... T>
std::vector<Tensor> listed(const std::tuple<T...> &results) {
  return std::apply([](const auto &...each) { return std::vector<Tensor>{each...}; }, results);
}

inline Tensor operator-(const Tensor &a) { return a.defined() ? thpp::neg(a) : a; }
inline Tensor operator+(const Tensor &a, const Tensor &b) {
  return !a.defined() ? b : !b.defined() ? a : thpp::add(a, b);
}
inline Tensor operator-(const Tensor &a, const Tensor &b) {
  return !b.defined() ? a : !a.defined() ? -b : thpp::sub(a, b);
}
inline Tensor operator*(const Tensor &a, const Tensor &b) {
  return a.defined() && b.defined() ? thpp::mul(a, b) : Tensor();
}
inline Tensor operator/(const Tensor &a, const Tensor &b) { return a.defined() ? thpp::div(a, b) : a; }

// Whether a product with the number is the tensor itself.
inline bool is_one(const Tensor &t, const Scalar &x) {
  const bool floating = TH_kind(t.dtype()) == TH_KIND_float || TH_kind(t.dtype()) == TH_KIND_complex;
  return floating && !x.is_complex() && x.to_double() == 1;
}
inline Tensor operator+(const Tensor &a, const Scalar &b) { return a + thpp::wrapped_number(b); }
inline Tensor operator+(const Scalar &a, const Tensor &b) { return thpp::wrapped_number(a) + b; }
inline Tensor operator-(const Tensor &a, const Scalar &b) { return a - thpp::wrapped_number(b); }
inline Tensor operator-(const Scalar &a, const Tensor &b) { return thpp::wrapped_number(a) - b; }
inline Tensor operator*(const Tensor &a, const Scalar &b) {
  return !a.defined() || is_one(a, b) ? a : a * thpp::wrapped_number(b);
}
inline Tensor operator*(const Scalar &a, const Tensor &b) { return b * a; }
inline Tensor operator/(const Tensor &a, const Scalar &b) {
  return !a.defined() || is_one(a, b) ? a : a / thpp::wrapped_number(b);
}
inline Tensor operator/(const Scalar &a, const Tensor &b) { return thpp::wrapped_number(a) / b; }

}  // namespace torch::autograd
