// Gradients of equations, inverses and determinants, and of the factors that they are solved with.
//
// For a real loss L, the gradient G of A is what makes dL = Re tr(Gᴴ dA); ᴴ is the conjugate transpose. The formulas
// follow from the differential of each function by that rule, as in M. Giles, Collected matrix derivative results for
// forward and reverse mode algorithmic differentiation (2008), here for complex matrices too. Gradients of tensors that
// were broadcast have the broadcast shape.
#pragma once

#include "linalg_norms.h"

namespace torch::autograd {

// X of A X = B or X A = B, with the factors of A, which are results too: {of A, of B}.
std::vector<Tensor> solve_backward(const Tensor &grad, const Tensor &grad_lu, const Tensor &a, IntList b_sizes,
                                   const Tensor &x, const Tensor &lu, const Tensor &pivots, bool left,
                                   const Wanted &wanted);
Tensor inverse_backward(const Tensor &grad, const Tensor &inverse);
Tensor det_backward(const Tensor &grad, const Tensor &a, const Tensor &det, const Tensor &lu, const Tensor &pivots);
Tensor slogdet_backward(const Tensor &grad_sign, const Tensor &grad_log, const Tensor &a, const Tensor &sign,
                        const Tensor &lu, const Tensor &pivots);

// The triangles L, below its ones, and U of one matrix, (…, m, n).
Tensor lu_unpack_backward(const Tensor &grad_l, const Tensor &grad_u, int64_t m, int64_t n);
Tensor lu_factor_backward(const Tensor &grad, const Tensor &lu, const Tensor &pivots);
std::vector<Tensor> lu_solve_backward(const Tensor &grad, const Tensor &lu, const Tensor &pivots, const Tensor &x,
                                      bool left, bool adjoint, const Wanted &wanted);
Tensor ldl_solve_backward(const Tensor &grad, const Tensor &ld, const Tensor &pivots, bool hermitian);

// {of A, of B}
std::vector<Tensor> solve_triangular_backward(const Tensor &grad, const Tensor &a, const Tensor &x, bool upper,
                                              bool left, bool unitriangular, const Wanted &wanted);
// {of B, of A}, as the one below
std::vector<Tensor> triangular_solve_backward(const Tensor &grad, const Tensor &grad_copy, const Tensor &a,
                                              const Tensor &x, bool upper, bool transposed, bool unitriangular,
                                              const Wanted &wanted);
std::vector<Tensor> cholesky_solve_backward(const Tensor &grad, const Tensor &factor, const Tensor &x, bool upper,
                                            const Wanted &wanted);
Tensor cholesky_inverse_backward(const Tensor &grad, const Tensor &factor, const Tensor &inverse, bool upper);

Tensor pinv_backward(const Tensor &grad, const Tensor &pinv, const Tensor &a);
// {of A, of B}. The singular values are no function of A here: their gradient raises.
std::vector<Tensor> lstsq_backward(const Tensor &grad, const Tensor &grad_residuals, const Tensor &grad_singular_values,
                                   const Tensor &a, const Tensor &b, const Tensor &x, const Wanted &wanted);

}  // namespace torch::autograd
