// What activations and criterions share: kernels of THNN where there are such, else operators.
#pragma once

#include "results.h"

#include <THPP/NN.h>

#include "bodies.h"

namespace thpp {

inline Tensor number(double x) { return wrapped_number(x); }
inline Tensor times(const Tensor &a, double x) { return thpp::mul(a, number(x)); }

// kernel(self, result), or what `composed` gives. NotImplementedError, by `name`, for others than floats.
template <class Kernel, class Composed>
Tensor computed(const Tensor &self, const char *name, const Kernel &kernel, const Composed &composed) {
  require_floating(name, self);
  if (!has_nn_kernels(self)) return composed(self);
  const Tensor made = thpp::empty_like(self);
  kernel(self, made);
  return made;
}

}  // namespace thpp
