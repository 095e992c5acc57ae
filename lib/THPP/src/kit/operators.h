// Operators between tensors and numbers, for what is made of many of them.
#pragma once

#include "results.h"

#include <algorithm>
#include <vector>

#include "bodies.h"

namespace thpp {

inline Tensor operator-(const Tensor &a) { return thpp::neg(a); }
inline Tensor operator+(const Tensor &a, const Tensor &b) { return thpp::add(a, b); }
inline Tensor operator-(const Tensor &a, const Tensor &b) { return thpp::sub(a, b); }
inline Tensor operator*(const Tensor &a, const Tensor &b) { return thpp::mul(a, b); }
inline Tensor operator/(const Tensor &a, const Tensor &b) { return thpp::div(a, b); }
inline Tensor operator+(const Tensor &a, double b) { return a + wrapped_number(b); }
inline Tensor operator-(const Tensor &a, double b) { return a - wrapped_number(b); }
inline Tensor operator-(double a, const Tensor &b) { return wrapped_number(a) - b; }
inline Tensor operator*(const Tensor &a, double b) { return a * wrapped_number(b); }
inline Tensor operator/(const Tensor &a, double b) { return a / wrapped_number(b); }
inline Tensor operator/(double a, const Tensor &b) { return wrapped_number(a) / b; }

// The gradient where the mask is true, and where it is false; 0 elsewhere, whatever the gradient is there.
inline Tensor keep(const Tensor &grad, const Tensor &mask) { return thpp::where(mask, grad, wrapped_number(0)); }
inline Tensor drop(const Tensor &grad, const Tensor &mask) { return thpp::where(mask, wrapped_number(0), grad); }
// Of a gradient that does not change with `self` between corners: the gradient's own gradient is 0 then, not missing.
inline Tensor flat(const Tensor &grad, const Tensor &self) { return grad + thpp::sgn(self) * 0; }

// Half types are computed with in float.
inline Tensor in_float(const Tensor &t) {
  return t.defined() && (t.dtype() == TH_Half || t.dtype() == TH_BFloat16) ? thpp::to(t, TH_Float) : t;
}

// t where the condition holds, else the number.
inline Tensor or_else(const Tensor &condition, const Tensor &t, const Scalar &number) {
  return thpp::masked_fill(t, thpp::logical_not(condition), wrapped_number(number));
}

// A list of the host on another device. The copy waits for it.
template <class T>
Tensor listed_on(const std::vector<T> &values, THDtype dtype, THDevice device) {
  const Tensor list = thpp::empty({int64_t(values.size())}, dtype);
  std::ranges::copy(values, list.data<T>());
  return thpp::to(list, dtype, false, device);
}

}  // namespace thpp
