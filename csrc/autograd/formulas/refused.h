// Derivatives that nobody has written down.
#pragma once

#include <vector>

#include <THPP/Tensor.h>

namespace torch::autograd {

using thpp::Tensor;

// Of a formula that there is none for: raises what a user hears who runs backward through such an operator.
struct Refused {
  operator Tensor() const { return {}; }
  operator std::vector<Tensor>() const { return {}; }
};
[[noreturn]] inline Refused not_implemented(const char *name) {
  THError(TH_ERROR_RUNTIME, "derivative for %s is not implemented", name);
}
[[noreturn]] inline Refused no_derivative(const char *name) {
  THError(TH_ERROR_NOT_IMPLEMENTED, "the derivative for '%s' is not implemented.", name);
}

}  // namespace torch::autograd
