// Gradients of products.
#pragma once

#include <THPP/Functions.h>

namespace torch::autograd {

using thpp::IntList;
using thpp::Tensor;

// adjoint(a) @ b, stored by columns where the matrix of these strides is whose gradient this is: that of a turned weight,
// turned back, takes no copy.
Tensor adjoint_product(const Tensor &a, const Tensor &b, IntList strides);

}  // namespace torch::autograd
