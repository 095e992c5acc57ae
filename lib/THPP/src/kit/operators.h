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

// What a kernel makes its result of on the meta device, where its checks and the result's shape are wanted alone.
inline Tensor prepared(THDtype dtype) {
  return thpp::empty({0}, dtype, MemoryFormat::Contiguous, THDevice{TH_Meta, 0});
}

}  // namespace thpp
