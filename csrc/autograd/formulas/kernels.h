// Whether a gradient is to be computed by a kernel of THNN, or by operators.
#pragma once

#include <THPP/Guard.h>
#include <THPP/NN.h>

#include "operators.h"

namespace torch::autograd {

// Kernels are not recorded, and there are those of the CPU alone.
inline bool by_kernel(const Tensor &like) {
  const auto kind = like.device().kind;
  return !thpp::grad_mode() && (kind == TH_CPU || kind == TH_Meta) && TH_kind(like.dtype()) == TH_KIND_float;
}

// What kernel(gradient in like's dtype, result) writes, in like's shape.
template <class Kernel>
Tensor from_kernel(const Tensor &grad, const Tensor &like, const Kernel &kernel) {
  const Tensor made = thpp::empty_like(like);
  kernel(thpp::to(grad, like.dtype()), made);
  return made;
}

}  // namespace torch::autograd
