// Equations, inverses, determinants, LU factors.
#include "linalg_solving.h"

#include <algorithm>
#include <cmath>

#include <THPP/Guard.h>

#include "matrices.h"
#include "refused.h"

namespace torch::autograd {

using namespace matrices;
using thpp::wrapped_number;

// ---- LU ------------------------------------------------------------------------------------------
// A = P L U. With M = L⁻¹ (Pᵀ dA) U⁻¹ for a square matrix, dL = L tril₋₁(M) and dU = triu(M) U, for M is the sum of
// L⁻¹ dL, which is strictly lower, and dU U⁻¹, which is upper. Of a wide matrix the other columns of U are
// L⁻¹ (Pᵀ A)₂, of a tall one the other rows of L are (Pᵀ A)₂ U⁻¹.
namespace {

Tensor lu_backward(const Tensor &grad_l, const Tensor &grad_u, const Tensor &p, const Tensor &l, const Tensor &u) {
  const int64_t m = rows(l), n = columns(u), k = columns(l);
  const auto top = [&](const Tensor &t) { return m > k ? thpp::narrow(t, -2, 0, k) : t; };
  const auto bottom = [&](const Tensor &t) { return thpp::narrow(t, -2, k, m - k); };
  const auto front = [&](const Tensor &t) { return n > k ? thpp::narrow(t, -1, 0, k) : t; };
  const auto rest = [&](const Tensor &t) { return thpp::narrow(t, -1, k, n - k); };
  const Tensor l1 = top(l), u1 = front(u);
  Tensor lower, upper;  // the gradient of M is tril₋₁(lower) + triu(upper)
  if (grad_l.defined()) lower = mH(l1) * top(grad_l);
  if (grad_u.defined()) upper = front(grad_u) * mH(u1);
  if (grad_l.defined() && m > k) upper = sum_of(upper, -(mH(bottom(l)) * bottom(grad_l)));
  if (grad_u.defined() && n > k) lower = sum_of(lower, -(rest(grad_u) * mH(rest(u))));
  Tensor of_m;
  if (lower.defined()) of_m = strictly_lower(lower);
  if (upper.defined()) of_m = sum_of(of_m, thpp::triu(upper));
  Tensor grad = solve_lower(mH(u1), solve_upper(mH(l1), of_m, true, true), false);
  if (m > k) {
    const Tensor below = grad_l.defined() ? solve_lower(mH(u1), bottom(grad_l), false) : thpp::zeros_like(bottom(l));
    grad = thpp::cat({grad, below}, -2);
  }
  if (n > k) {
    const Tensor beside = grad_u.defined() ? solve_upper(mH(l1), rest(grad_u), true, true) : thpp::zeros_like(rest(u));
    grad = thpp::cat({grad, beside}, -1);
  }
  return p * grad;
}

}  // namespace

Tensor lu_unpack_backward(const Tensor &grad_l, const Tensor &grad_u, int64_t m, int64_t n) {
  const int64_t k = std::min(m, n);
  Tensor lower, upper;
  if (grad_l.defined()) {
    lower = strictly_lower(grad_l);
    if (n > k) {
      std::vector<int64_t> size(lower.sizes().begin(), lower.sizes().end());
      size.back() = n - k;
      lower = thpp::cat({lower, thpp::new_zeros(lower, size, lower.dtype())}, -1);
    }
  }
  if (grad_u.defined()) {
    upper = thpp::triu(grad_u);
    if (m > k) {
      std::vector<int64_t> size(upper.sizes().begin(), upper.sizes().end());
      size[size.size() - 2] = m - k;
      upper = thpp::cat({upper, thpp::new_zeros(upper, size, upper.dtype())}, -2);
    }
  }
  return sum_of(lower, upper);
}

Tensor lu_factor_backward(const Tensor &grad, const Tensor &lu, const Tensor &pivots) {
  if (!grad.defined()) return {};
  const int64_t k = std::min(rows(lu), columns(lu));
  const auto [p, l, u] = thpp::lu_unpack(lu, pivots);
  return lu_backward(thpp::narrow(grad, -1, 0, k), thpp::narrow(grad, -2, 0, k), p, l, u);
}

// ---- equations -----------------------------------------------------------------------------------
// A dX = dB - dA X: the gradient of B is A⁻ᴴ grad, that of A is -(that) Xᴴ.
std::vector<Tensor> solve_backward(const Tensor &grad, const Tensor &grad_lu, const Tensor &a, IntList b_sizes,
                                   const Tensor &x, const Tensor &lu, const Tensor &pivots, bool left,
                                   const Wanted &wanted) {
  Tensor of_a, of_b;
  if (grad.defined()) {
    const IntList vectors = a.sizes().first(size_t(a.dim() - 1));
    const bool vector = b_sizes.size() == 1 || std::ranges::equal(b_sizes, vectors);
    const auto matrix = [&](const Tensor &t) { return vector ? thpp::unsqueeze(t, -1) : t; };
    const Tensor g = matrix(grad);
    // The factors are there already, but what depends on A is to be recorded as depending on A.
    of_b = thpp::grad_mode() ? std::get<0>(thpp::linalg_solve_ex(mH(a), g, left))
                             : thpp::linalg_lu_solve(lu, pivots, g, left, true);
    if (wanted[0]) of_a = -(left ? of_b * mH(matrix(x)) : mH(matrix(x)) * of_b);
    if (vector) of_b = thpp::squeeze(of_b, {-1});
  }
  if (wanted[0] && grad_lu.defined()) of_a = sum_of(of_a, lu_factor_backward(grad_lu, lu, pivots));
  return {of_a, wanted[1] ? of_b : Tensor()};
}

// The gradient of the matrix that stands in the equation, A or Aᴴ, goes on to the factors as in lu_backward.
std::vector<Tensor> lu_solve_backward(const Tensor &grad, const Tensor &lu, const Tensor &pivots, const Tensor &x,
                                      bool left, bool adjoint, const Wanted &wanted) {
  const Tensor of_b = thpp::linalg_lu_solve(lu, pivots, grad, left, !adjoint);
  if (!wanted[0]) return {Tensor(), of_b};
  const auto [p, l, u] = thpp::lu_unpack(lu, pivots);
  Tensor of_a;
  if (left)
    of_a = adjoint ? x * mH(of_b) : of_b * mH(x);
  else
    of_a = adjoint ? mH(of_b) * x : mH(x) * of_b;
  const Tensor permuted = -(mT(p) * of_a);
  return {strictly_lower(permuted * mH(u)) + thpp::triu(mH(l) * permuted), wanted[1] ? of_b : Tensor()};
}

// A⁻ᴴ is A⁻¹ of a Hermitian matrix, and its conjugate of a symmetric one.
Tensor ldl_solve_backward(const Tensor &grad, const Tensor &ld, const Tensor &pivots, bool hermitian) {
  if (hermitian || !is_complex(grad)) return thpp::linalg_ldl_solve(ld, pivots, grad, hermitian);
  return thpp::conj(thpp::linalg_ldl_solve(ld, pivots, thpp::conj(grad), false));
}

namespace {

Tensor in_triangle(const Tensor &grad, bool upper, bool unitriangular) {
  return upper ? thpp::triu(grad, unitriangular) : thpp::tril(grad, -int64_t(unitriangular));
}

}  // namespace

std::vector<Tensor> solve_triangular_backward(const Tensor &grad, const Tensor &a, const Tensor &x, bool upper,
                                              bool left, bool unitriangular, const Wanted &wanted) {
  const Tensor of_b = thpp::linalg_solve_triangular(mH(a), grad, !upper, left, unitriangular);
  Tensor of_a;
  if (wanted[0]) of_a = in_triangle(-(left ? of_b * mH(x) : mH(x) * of_b), upper, unitriangular);
  return {of_a, wanted[1] ? of_b : Tensor()};
}

// It can solve with Aᵀ, but not with Aᴴ. Aᵀ dX = dB - dAᵀ X.
std::vector<Tensor> triangular_solve_backward(const Tensor &grad, const Tensor &grad_copy, const Tensor &a,
                                              const Tensor &x, bool upper, bool transposed, bool unitriangular,
                                              const Wanted &wanted) {
  Tensor of_a = grad_copy, of_b;
  if (grad.defined()) {
    of_b = std::get<0>(thpp::triangular_solve(grad, thpp::conj(a), upper, !transposed, unitriangular));
    const Tensor of_triangle = -(transposed ? thpp::conj(x) * mT(of_b) : of_b * mH(x));
    if (wanted[1]) of_a = sum_of(of_a, in_triangle(of_triangle, upper, unitriangular));
  }
  return {wanted[0] ? of_b : Tensor(), wanted[1] ? of_a : Tensor()};
}

namespace {

// Of a Cholesky factor, by the gradient of L Lᴴ or Uᴴ U.
Tensor of_factor(const Tensor &grad, const Tensor &factor, bool upper) {
  const Tensor both = grad + mH(grad);
  return in_triangle(upper ? factor * both : both * factor, upper, false);
}

}  // namespace

std::vector<Tensor> cholesky_solve_backward(const Tensor &grad, const Tensor &factor, const Tensor &x, bool upper,
                                            const Wanted &wanted) {
  const Tensor of_b = thpp::cholesky_solve(grad, factor, upper);
  if (!wanted[1]) return {of_b, Tensor()};
  // As PyTorch has it, of a factor that may be any matrix: not cut to the triangle that is read.
  const Tensor product = -(of_b * mH(x)), both = product + mH(product);
  return {wanted[0] ? of_b : Tensor(), upper ? factor * both : both * factor};
}

Tensor cholesky_inverse_backward(const Tensor &grad, const Tensor &factor, const Tensor &inverse, bool upper) {
  return of_factor(-(inverse * grad * inverse), factor, upper);  // the inverse is Hermitian
}

// ---- inverses and determinants -------------------------------------------------------------------
Tensor inverse_backward(const Tensor &grad, const Tensor &inverse) {
  return grad.defined() ? -(mH(inverse) * grad * mH(inverse)) : Tensor();
}

namespace {

// G of Aᴴ G = factor, for a number for each matrix.
Tensor adjoint_inverse_times(const Tensor &factor, const Tensor &a, const Tensor &lu, const Tensor &pivots) {
  const int64_t n = rows(a);
  Tensor right = thpp::unsqueeze(thpp::unsqueeze(factor, -1), -1);
  right = thpp::mul(thpp::to(right, a.dtype()), eye(a, n, n));
  return thpp::grad_mode() ? std::get<0>(thpp::linalg_solve_ex(mH(a), right))
                           : thpp::linalg_lu_solve(lu, pivots, right, true, true);
}

// -1 where the exchanges that pivots stand for are odd in number, else 1.
Tensor sign_of(const Tensor &pivots, THDtype dtype) {
  const Tensor own = thpp::arange(Scalar(1), Scalar(columns(pivots) + 1), Scalar(1), TH_Int, pivots.device());
  const Tensor odd = thpp::remainder(thpp::sum(thpp::ne(pivots, own), {-1}), wrapped_number(2));
  return thpp::to(thpp::sub(wrapped_number(1), thpp::mul(odd, wrapped_number(2))), dtype);
}

// The adjugate of A, transposed and conjugated, by the singular values: there det(A) A⁻ᴴ needs no inverse.
Tensor adjugate(const Tensor &a) {
  const auto [u, s, vh] = thpp::linalg_svd(a, false);
  const int64_t n = rows(a);
  // row i: all singular values, but 1 instead of the i-th
  const Tensor one = thpp::eye(n, n, s.dtype(), s.device());
  const Tensor others = thpp::add(thpp::mul(thpp::unsqueeze(s, -2), thpp::sub(wrapped_number(1), one)), one);
  const Tensor phase = thpp::conj(thpp::mul(thpp::linalg_det(u), thpp::linalg_det(vh)));
  return thpp::mul(scale_columns(u, thpp::prod(others, -1)) * vh, thpp::unsqueeze(thpp::unsqueeze(phase, -1), -1));
}

}  // namespace

// d det(A) = det(A) tr(A⁻¹ dA) (Jacobi). Where a pivot is 0, a number as small as rounding stands for it, unless this
// is recorded: then singular matrices are differentiated by way of their singular values.
Tensor det_backward(const Tensor &grad, const Tensor &a, const Tensor &det, const Tensor &lu, const Tensor &pivots) {
  if (a.numel() == 0) return thpp::zeros_like(a);
  const auto wide = [](const Tensor &t) { return thpp::unsqueeze(thpp::unsqueeze(t, -1), -1); };
  if (thpp::grad_mode()) {
    const bool on_meta = a.device().kind == TH_Meta;
    if (!on_meta && thpp::any(thpp::eq(det, wrapped_number(0))).item().to_int())
      return thpp::mul(wide(grad), adjugate(a));
    return adjoint_inverse_times(thpp::mul(grad, thpp::conj(det)), a, lu, pivots);
  }
  const Tensor pivot = diagonal_of(lu), zero = thpp::eq(pivot, wrapped_number(0));
  const double epsilon = std::ldexp(1.0, 1 - TH_digits(a.dtype()));
  const Tensor shift = thpp::mul(thpp::to(zero, lu.dtype()), wrapped_number(epsilon));
  const Tensor shifted = thpp::mul(thpp::prod(pivot + shift, -1), sign_of(pivots, lu.dtype()));
  return adjoint_inverse_times(thpp::mul(grad, thpp::conj(shifted)), a, lu + diagonal_matrix(shift), pivots);
}

// With t = tr(A⁻¹ dA): d log|det A| = Re t, and d sign = i sign Im t, which is 0 for real matrices.
Tensor slogdet_backward(const Tensor &grad_sign, const Tensor &grad_log, const Tensor &a, const Tensor &sign,
                        const Tensor &lu, const Tensor &pivots) {
  Tensor factor = grad_log;
  if (is_complex(a) && grad_sign.defined()) {
    const Tensor turned = thpp::imag(thpp::mul(grad_sign, thpp::conj(sign)));
    factor = thpp::complex(grad_log.defined() ? grad_log : thpp::zeros_like(turned), turned);
  }
  return factor.defined() ? adjoint_inverse_times(factor, a, lu, pivots) : thpp::zeros_like(a);
}

// ---- pseudoinverses ------------------------------------------------------------------------------
// G. Golub, V. Pereyra, The differentiation of pseudo-inverses and nonlinear least squares problems whose variables
// separate (1973): dP = -P dA P + P Pᴴ dAᴴ (1 - A P) + (1 - P A) dAᴴ Pᴴ P. Products are taken in the order in which
// none is larger than A's smaller side.
Tensor pinv_backward(const Tensor &grad, const Tensor &p, const Tensor &a) {
  const Tensor ph = mH(p), gh = mH(grad);
  if (rows(a) <= columns(a)) {
    const Tensor second = (gh * p) * ph, third = (ph * p) * gh;
    return (second - a * (p * second)) + (third - (third * p) * a) - (ph * grad) * ph;
  }
  const Tensor second = gh * (p * ph), third = ph * (p * gh);
  return (second - a * (p * second)) + (third - (third * p) * a) - ph * (grad * ph);
}

// X = P B with the pseudoinverse P. The residuals are sums of |A X - B|², least in X, so that a change of X does not
// change them.
std::vector<Tensor> lstsq_backward(const Tensor &grad, const Tensor &grad_residuals, const Tensor &grad_singular_values,
                                   const Tensor &a, const Tensor &b, const Tensor &x, const Wanted &wanted) {
  // Drivers that compute none give an empty tensor.
  if (grad_singular_values.defined() && grad_singular_values.numel()) no_derivative("linalg_lstsq: singular_values");
  const IntList vectors = a.sizes().first(size_t(a.dim() - 1));
  const bool vector = b.dim() == 1 || std::ranges::equal(b.sizes(), vectors);
  const auto matrix = [&](const Tensor &t) { return vector ? thpp::unsqueeze(t, -1) : t; };
  const Tensor right = matrix(b);
  Tensor of_a, of_b;
  if (grad.defined()) {
    const Tensor g = matrix(grad), p = thpp::linalg_pinv(a);
    if (wanted[0]) of_a = pinv_backward(g * mH(right), p, a);
    if (wanted[1]) of_b = mH(p) * g;
  }
  if (grad_residuals.defined() && grad_residuals.numel()) {
    const Tensor solution = matrix(x);
    const Tensor slope = scale_columns(thpp::mul(a * solution - right, wrapped_number(2)), grad_residuals);
    if (wanted[0]) of_a = sum_of(of_a, slope * mH(solution));
    if (wanted[1]) of_b = sum_of(of_b, -slope);
  }
  return {of_a, of_b.defined() && vector ? thpp::squeeze(of_b, {-1}) : of_b};
}

}  // namespace torch::autograd
