#pragma once

#include "operators.h"

namespace torch::autograd {

// Of the right side of a system with a triangular sparse matrix.
Tensor sparse_trsm_backward(const Tensor &grad, const Tensor &mat, bool upper, bool unitriangular);
// Of its matrix: at the places of its triangle.
Tensor sparse_trsm_matrix_backward(const Tensor &grad, const Tensor &mat, const Tensor &result, bool upper,
                                   bool unitriangular);

}  // namespace torch::autograd
