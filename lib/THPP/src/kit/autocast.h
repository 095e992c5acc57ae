// What the generated tables of casts are made of (codegen/emitters/autocast.py).
#pragma once

#include <algorithm>
#include <optional>
#include <vector>

#include <THPP/Autocast.h>
#include <THPP/Operators.h>
#include "backend.h"

namespace thpp {

// The row of a slot's operator for each kind of device, or nullptr. Generated: Autocast.cpp.
extern const Operators kAutocastOnCPU, kAutocastOnCUDA;

// Those that a call with tensors of these flags asks; nullptr: nothing is converted.
const Operators *autocast_rows(uint8_t flags);

// Arguments of one call as its policy wants them; while it lives, parts of the operator are computed as they stand.
class Casting {
 public:
  template <class... T>
  Casting(THDeviceKind kind, Cast policy, const T &...arguments) : kind_(kind) {
    switch (policy) {
      case Cast::AsGiven: return;
      case Cast::Refused: throw_autocast();
      case Cast::FloatDtype:
        sets_dtype_ = (is_missing(arguments) || ...) && (has_eligible(kind, tensors_of(arguments)) || ...);
        return;
      case Cast::Lower:
      case Cast::Float: target_ = autocast_target(kind, policy, {}); return;
      case Cast::Widest: {
        THDtype target = autocast_target(kind, policy, {});
        (void(target = wider(target, autocast_target(kind, policy, tensors_of(arguments)))), ...);
        target_ = target;
      }
    }
  }
  Tensor operator()(const Tensor &tensor) const { return target_ ? autocast_to(kind_, tensor, *target_) : tensor; }
  std::vector<Tensor> operator()(TensorList tensors) const {
    std::vector<Tensor> cast;
    for (const Tensor &tensor : tensors) cast.push_back((*this)(tensor));
    return cast;
  }
  std::optional<THDtype> operator()(const std::optional<THDtype> &dtype) const {
    return sets_dtype_ ? TH_Float : dtype;
  }
  template <class T>
  const T &operator()(const T &other) const {
    return other;
  }

 private:
  static THDtype wider(THDtype a, THDtype b) { return a == b ? a : TH_Float; }
  static bool is_missing(const std::optional<THDtype> &dtype) { return !dtype; }
  template <class T>
  static bool is_missing(const T &) {
    return false;
  }
  static bool has_eligible(THDeviceKind kind, TensorList tensors) {
    return std::ranges::any_of(tensors, [&](const Tensor &tensor) { return autocast_eligible(kind, tensor); });
  }

  const NoAutocast off_;
  const THDeviceKind kind_;
  std::optional<THDtype> target_;
  bool sets_dtype_ = false;
};

// A row of a table for the operator's function.
template <THDeviceKind kind, Cast policy, class Slot>
struct Row;
template <THDeviceKind kind, Cast policy, class R, class... A>
struct Row<kind, policy, R (*)(A...)> {
  template <R (*function)(A...)>
  static R call(A... arguments) {
    const Casting as(kind, policy, arguments...);
    return function(as(arguments)...);
  }
};

}  // namespace thpp
