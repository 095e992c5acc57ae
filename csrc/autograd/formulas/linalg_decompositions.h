// Gradients of factorisations. Conventions: linalg_solving.h. Sources, besides the differentials written above each function:
// M. Seeger et al., Auto-differentiating linear algebra (2017); C. Ionescu et al., Matrix backpropagation for deep
// networks with structured layers (2015); I. Murray, Differentiation of the Cholesky decomposition (2016).
#pragma once

#include "linalg_norms.h"

namespace torch::autograd {

Tensor cholesky_backward(const Tensor &grad, const Tensor &factor, bool upper);
// `m`, `n`: A's size. Raises where Q has more columns than A, or is not there.
Tensor qr_backward(const Tensor &grad_q, const Tensor &grad_r, const Tensor &q, const Tensor &r, const char *mode,
                   int64_t m, int64_t n);
// {of the reflectors, of their scales}
std::vector<Tensor> householder_product_backward(const Tensor &grad, const Tensor &product, const Tensor &reflectors,
                                                 const Tensor &scales, const Wanted &wanted);
// {of the reflectors, of their scales, of the other matrix}
std::vector<Tensor> ormqr_backward(const Tensor &grad, const Tensor &product, const Tensor &reflectors,
                                   const Tensor &scales, const Tensor &other, bool left, bool transposed,
                                   const Wanted &wanted);

// These three raise where complex vectors' gradient depends on their phases, which no function of A can.
Tensor eigh_backward(const Tensor &grad_values, const Tensor &grad_vectors, const Tensor &values,
                     const Tensor &vectors);
Tensor eig_backward(const Tensor &grad_values, const Tensor &grad_vectors, const Tensor &values, const Tensor &vectors);
// Of square U and Vh beyond the singular values, the further vectors count for nothing.
Tensor svd_backward(const Tensor &grad_u, const Tensor &grad_s, const Tensor &grad_vh, const Tensor &u, const Tensor &s,
                    const Tensor &vh);

Tensor matrix_exp_backward(const Tensor &grad, const Tensor &a);

}  // namespace torch::autograd
