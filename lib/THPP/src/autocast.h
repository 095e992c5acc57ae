// What the generated table of casts is made of (codegen/emitters/autocast.py).
#pragma once

#include <optional>
#include <vector>

#include <THPP/Autocast.h>
#include <THPP/Operators.h>
#include "backend.h"

namespace thpp {

// The row of a slot's operator, or nullptr. Generated: Autocast.cpp.
extern const Operators kAutocast;

// Arguments of one call as its policy wants them; while it lives, parts of the operator are computed as they stand.
class Casting {
 public:
  template <class... T>
  explicit Casting(Cast policy, const T &...arguments) {
    if (policy == Cast::AsGiven) return;
    THDtype target = autocast_target(policy, {});
    if (policy == Cast::Widest) (void(target = wider(target, autocast_target(policy, tensors_of(arguments)))), ...);
    target_ = target;
  }
  Tensor operator()(const Tensor &tensor) const { return target_ ? autocast_to(tensor, *target_) : tensor; }
  std::vector<Tensor> operator()(TensorList tensors) const {
    std::vector<Tensor> cast;
    for (const Tensor &tensor : tensors) cast.push_back((*this)(tensor));
    return cast;
  }

 private:
  static THDtype wider(THDtype a, THDtype b) { return a == b ? a : TH_Float; }

  const NoAutocast off_;
  std::optional<THDtype> target_;
};

}  // namespace thpp
