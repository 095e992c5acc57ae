// Cholesky, QR, reflectors, eigenvalues, singular values, the exponential.
#include "linalg_decompositions.h"

#include <algorithm>
#include <string_view>

#include "matrices.h"

namespace torch::autograd {

using namespace matrices;
using thpp::wrapped_number;

// ---- Cholesky ------------------------------------------------------------------------------------
// dL = L half(L⁻¹ dA L⁻ᴴ), where half takes the lower triangle with half of the diagonal. The gradient is Hermitian, as
// A is, whichever triangle of A was read.
Tensor cholesky_backward(const Tensor &grad, const Tensor &factor, bool upper) {
  if (!grad.defined()) return {};
  const Tensor l = upper ? mH(factor) : factor, g = upper ? mH(grad) : grad;
  const Tensor product = thpp::tril(mH(l) * g), both = product - half(diagonal_matrix(diagonal_of(product)));
  const Tensor inner = half(both + mH(both));
  return solve_lower(l, solve_upper(mH(l), inner, true), false);
}

// ---- QR ------------------------------------------------------------------------------------------
namespace {

// At least as many rows as columns. With C = Qᴴ dA R⁻¹ = Qᴴ dQ + dR R⁻¹: the first is skew-Hermitian, so its lower
// triangle is C's; the second is T, upper triangular with a real diagonal: triu₁(C) + tril₋₁(C)ᴴ + Re diag(C).
// dQ = dA R⁻¹ - Q T, dR = T R.
Tensor tall_qr_backward(const Tensor &grad_q, const Tensor &grad_r, const Tensor &q, const Tensor &r) {
  Tensor of_t;
  if (grad_r.defined()) of_t = grad_r * mH(r);
  if (grad_q.defined()) of_t = sum_of(of_t, -(mH(q) * grad_q));
  const Tensor strict = thpp::triu(of_t, 1), real = thpp::to(thpp::real(diagonal_of(of_t)), of_t.dtype());
  const Tensor of_c = strict + mH(strict) + diagonal_matrix(real);
  return solve_lower(mH(r), sum_of(grad_q, q * of_c), false);
}

}  // namespace

// Of a wide matrix (A₁ A₂), Q and R₁ are those of A₁, and R₂ = Qᴴ A₂.
Tensor qr_backward(const Tensor &grad_q, const Tensor &grad_r, const Tensor &q, const Tensor &r, const char *mode,
                   int64_t m, int64_t n) {
  if (!grad_q.defined() && !grad_r.defined()) return {};
  const std::string_view chosen = mode;
  if (chosen == "r")
    THError(TH_ERROR_RUNTIME,
            "The derivative of linalg.qr depends on Q, which is not computed when mode='r'. Please use linalg.qr(A, "
            "mode='reduced') if you are going to differentiate through linalg.qr.");
  if (chosen == "complete" && m > n)
    THError(TH_ERROR_RUNTIME, "The QR decomposition is not differentiable when mode='complete' and nrows > ncols.");
  if (m >= n) return tall_qr_backward(grad_q, grad_r, q, r);
  const auto front = [&](const Tensor &t) { return thpp::narrow(t, -1, 0, m); };
  const auto rest = [&](const Tensor &t) { return thpp::narrow(t, -1, m, n - m); };
  if (!grad_r.defined())
    return thpp::cat({tall_qr_backward(grad_q, Tensor(), q, front(r)), thpp::zeros_like(rest(r))}, -1);
  const Tensor of_q = sum_of(grad_q, (q * rest(r)) * mH(rest(grad_r)));
  return thpp::cat({tall_qr_backward(of_q, front(grad_r), q, front(r)), q * rest(grad_r)}, -1);
}

// ---- reflectors ----------------------------------------------------------------------------------
namespace {

// Of Y = H₁ … H_k C, with H_i = 1 - t_i v_i v_iᴴ and v_i = (0, …, 0, 1, column i below the diagonal). With
// Y = L_i H_i R_i and M = L_iᴴ grad R_iᴴ: the gradient of t_i is -vᴴ M v, that of v_i is -(t̄ M v + t Mᴴ v). Here
// K = L_iᴴ grad and R = R_i go from one reflector to the next, by Hᴴ and by H⁻¹ = 1 - s v vᴴ, s = t / (t vᴴv - 1).
std::pair<Tensor, Tensor> reflectors_backward(Tensor k, Tensor r, const Tensor &reflectors, const Tensor &scales) {
  const int64_t m = rows(reflectors), n = columns(reflectors), count = columns(scales);
  const Tensor vectors = strictly_lower(reflectors) + eye(reflectors, m, n);
  std::vector<Tensor> of_vectors, of_scales;
  for (int64_t i = 0; i < count; ++i) {
    const Tensor v = thpp::narrow(vectors, -1, i, 1), vh = mH(v);
    const Tensor t = thpp::unsqueeze(thpp::narrow(scales, -1, i, 1), -1), conj_t = thpp::conj(t);
    const Tensor s = thpp::div(t, thpp::sub(thpp::mul(t, vh * v), wrapped_number(1)));
    r = r - thpp::mul(s, v * (vh * r));
    const Tensor mv = k * (mH(r) * v), mhv = r * (mH(k) * v);
    of_scales.push_back(thpp::squeeze(-(vh * mv), {-1}));
    of_vectors.push_back(-(thpp::mul(conj_t, mv) + thpp::mul(t, mhv)));
    k = k - thpp::mul(conj_t, v * (vh * k));
  }
  if (!count) return {thpp::zeros_like(reflectors), thpp::zeros_like(scales)};
  if (n > count) of_vectors.push_back(thpp::zeros_like(thpp::narrow(reflectors, -1, count, n - count)));
  return {strictly_lower(thpp::cat(of_vectors, -1)), thpp::cat(of_scales, -1)};
}

}  // namespace

std::vector<Tensor> householder_product_backward(const Tensor &grad, const Tensor &product, const Tensor &reflectors,
                                                 const Tensor &scales, const Wanted &wanted) {
  const auto [of_vectors, of_scales] = reflectors_backward(grad, product, reflectors, scales);
  return {wanted[0] ? of_vectors : Tensor(), wanted[1] ? of_scales : Tensor()};
}

// Y = Q C is the product above. Of Y = Qᴴ C, Re tr(gradᴴ Qᴴ C) = Re tr(Cᴴ Q grad): that of Q grad, with the gradient C.
// Y = C Q is Yᴴ = Qᴴ Cᴴ.
std::vector<Tensor> ormqr_backward(const Tensor &grad, const Tensor &product, const Tensor &reflectors,
                                   const Tensor &scales, const Tensor &other, bool left, bool transposed,
                                   const Wanted &wanted) {
  const Tensor of_other = thpp::ormqr(reflectors, scales, grad, left, !transposed);
  if (!wanted[0] && !wanted[1]) return {Tensor(), Tensor(), of_other};
  const auto turned = [&](const Tensor &t) { return left ? t : mH(t); };
  const auto [of_vectors, of_scales] = left != transposed
                                           ? reflectors_backward(turned(grad), turned(product), reflectors, scales)
                                           : reflectors_backward(turned(other), turned(of_other), reflectors, scales);
  return {wanted[0] ? of_vectors : Tensor(), wanted[1] ? of_scales : Tensor(), wanted[2] ? of_other : Tensor()};
}

// ---- eigenvalues and singular values -------------------------------------------------------------
namespace {

// A complex vector times a number of absolute value 1 would do as well: `turn` is the gradient of such numbers' angles.
void check_phases(const Tensor &turn, const char *f, const char *what, const char *depends) {
  if (turn.device().kind == TH_Meta) return;
  if (!thpp::allclose(turn, thpp::zeros_like(turn), 1e-2, 1e-2))
    THError(TH_ERROR_RUNTIME,
            "%s: The %s in the complex case are specified up to multiplication by e^{i phi}. The specified loss "
            "function depends on this %s",
            f, what, depends);
}

// 1 in the diagonal, v_j - v_i elsewhere.
Tensor gaps(const Tensor &v) {
  const int64_t n = columns(v);
  return thpp::sub(thpp::unsqueeze(v, -2), thpp::unsqueeze(v, -1)) + eye(v, n, n);
}

}  // namespace

// Vᴴ dA V = dΛ + [Vᴴ dV, Λ]: dΛ is its diagonal, Vᴴ dV = Vᴴ dA V / (λ_j - λ_i) elsewhere. The gradient is Hermitian,
// as A is, whichever triangle of A was read.
Tensor eigh_backward(const Tensor &grad_values, const Tensor &grad_vectors, const Tensor &values,
                     const Tensor &vectors) {
  if (!grad_vectors.defined())
    return grad_values.defined() ? scale_columns(vectors, grad_values) * mH(vectors) : Tensor();
  const Tensor product = mH(vectors) * grad_vectors;
  if (is_complex(product))
    check_phases(thpp::imag(diagonal_of(product)), "linalg_eigh_backward", "eigenvectors",
                 "quantity, so it is ill-defined.");
  Tensor inner = hollow(thpp::div(product, gaps(values)));
  inner = half(inner + mH(inner));
  if (grad_values.defined()) inner = inner + diagonal_matrix(grad_values);
  return vectors * inner * mH(vectors);
}

// V⁻¹ dA V = dΛ + [K, Λ] with dV = V K. The diagonal of K is -Re diag(Vᴴ V K') of what else is in it, so that the
// lengths of the vectors stay 1.
Tensor eig_backward(const Tensor &grad_values, const Tensor &grad_vectors, const Tensor &values,
                    const Tensor &vectors) {
  if (!grad_values.defined() && !grad_vectors.defined()) return {};
  const Tensor vh = mH(vectors);
  if (!grad_vectors.defined()) return thpp::linalg_solve(vh, scale_rows(grad_values, vh));
  const Tensor product = vh * grad_vectors;
  check_phases(thpp::imag(diagonal_of(product)), "linalg_eig_backward", "eigenvectors",
               "quantity, so it is ill-defined.");
  const Tensor of_k = product - scale_columns(vh * vectors, thpp::real(diagonal_of(product)));
  Tensor inner = hollow(thpp::div(of_k, thpp::conj(gaps(values))));
  if (grad_values.defined()) inner = inner + diagonal_matrix(grad_values);
  return thpp::linalg_solve(vh, inner * vh);
}

// With P = Uᴴ dA V, X = Uᴴ dU and Y = Vᴴ dV, which are skew-Hermitian: P = X S + dS - S Y. So dS = Re diag(P), and off
// the diagonal X = (P S + S Pᴴ) / (s_j² - s_i²), Y = (S P + Pᴴ S) / (s_j² - s_i²). The imaginary part of P's diagonal
// is s (X - Y) there, and counts as X's: a loss that is well defined does not tell. Outside the spans of U and V,
// dU = (1 - U Uᴴ) dA V S⁻¹ and dV = (1 - V Vᴴ) dAᴴ U S⁻¹.
Tensor svd_backward(const Tensor &grad_u, const Tensor &grad_s, const Tensor &grad_vh, const Tensor &u, const Tensor &s,
                    const Tensor &vh) {
  if (!grad_u.defined() && !grad_s.defined() && !grad_vh.defined()) return {};
  const int64_t k = columns(s), m = rows(u), n = columns(vh);
  const auto left = [&](const Tensor &t) { return columns(t) > k ? thpp::narrow(t, -1, 0, k) : t; };
  const auto right = [&](const Tensor &t) { return rows(t) > k ? thpp::narrow(t, -2, 0, k) : t; };
  const Tensor u1 = left(u), vh1 = right(vh);
  if (!grad_u.defined() && !grad_vh.defined()) return scale_columns(u1, grad_s) * vh1;
  const Tensor gu = grad_u.defined() ? left(grad_u) : Tensor(), gvh = grad_vh.defined() ? right(grad_vh) : Tensor();
  const Tensor xu = gu.defined() ? mH(u1) * gu : Tensor(), yv = gvh.defined() ? vh1 * mH(gvh) : Tensor();
  if (is_complex(u)) {
    Tensor turn;
    for (const Tensor &t : {xu, yv})
      if (t.defined()) turn = sum_of(turn, thpp::imag(diagonal_of(t)));
    check_phases(turn, "svd_backward", "singular vectors", "phase term, making it ill-defined.");
  }
  const Tensor sum = thpp::add(thpp::unsqueeze(s, -2), thpp::unsqueeze(s, -1));
  const Tensor gap = thpp::mul(hollow(gaps(s)), sum) + eye(s, k, k);
  const auto skew = [&](const Tensor &t) { return thpp::div(hollow(t - mH(t)), gap); };
  Tensor inner;
  if (xu.defined()) {
    inner = scale_columns(skew(xu), s);
    if (is_complex(u)) {
      const Tensor turn = thpp::div(thpp::imag(diagonal_of(xu)), s);
      inner = inner + diagonal_matrix(thpp::complex(thpp::zeros_like(turn), turn));
    }
  }
  if (yv.defined()) inner = sum_of(inner, scale_rows(s, skew(yv)));
  if (grad_s.defined()) inner = inner + diagonal_matrix(grad_s);
  Tensor grad = m > k && gu.defined() ? (u1 * inner + thpp::div(gu - u1 * xu, thpp::unsqueeze(s, -2))) * vh1 : Tensor();
  const bool beyond = n > k && gvh.defined();
  if (!beyond) return grad.defined() ? grad : u1 * inner * vh1;
  const Tensor outside = u1 * thpp::div(gvh - mH(yv) * vh1, thpp::unsqueeze(s, -1));
  return (grad.defined() ? grad : u1 * inner * vh1) + outside;
}

// ---- the exponential -----------------------------------------------------------------------------
// The derivative in the direction G stands in exp of (A G; 0 A), in the place of G; its adjoint is that at Aᴴ
// (N. Higham, Functions of matrices, 2008, theorem 3.6).
Tensor matrix_exp_backward(const Tensor &grad, const Tensor &a) {
  const int64_t n = rows(a);
  if (a.numel() == 0) return thpp::zeros_like(a);
  const Tensor ah = mH(a);
  const Tensor both = thpp::cat({thpp::cat({ah, grad}, -1), thpp::cat({thpp::zeros_like(ah), ah}, -1)}, -2);
  return thpp::narrow(thpp::narrow(thpp::linalg_matrix_exp(both), -2, 0, n), -1, n, n);
}

}  // namespace torch::autograd
