// Words that formulas about matrices share. A matrix is the last two dimensions.
#pragma once

#include <THPP/Functions.h>

namespace torch::autograd::matrices {

using thpp::IntList;
using thpp::Scalar;
using thpp::Tensor;

inline int64_t rows(const Tensor &a) { return a.size(-2); }
inline int64_t columns(const Tensor &a) { return a.size(-1); }
inline bool is_complex(const Tensor &a) { return TH_kind(a.dtype()) == TH_KIND_complex; }

inline Tensor mT(const Tensor &a) { return thpp::transpose(a, -2, -1); }
inline Tensor mH(const Tensor &a) { return is_complex(a) ? thpp::conj(mT(a)) : mT(a); }
inline Tensor operator*(const Tensor &a, const Tensor &b) { return thpp::matmul(a, b); }  // of matrices, not elements
inline Tensor operator+(const Tensor &a, const Tensor &b) { return thpp::add(a, b); }
inline Tensor operator-(const Tensor &a, const Tensor &b) { return thpp::sub(a, b); }
inline Tensor operator-(const Tensor &a) { return thpp::neg(a); }
// a + b, where either may be undefined
inline Tensor sum_of(const Tensor &a, const Tensor &b) { return !a.defined() ? b : !b.defined() ? a : a + b; }

inline Tensor diagonal_of(const Tensor &a) { return thpp::diagonal(a, 0, -2, -1); }
inline Tensor diagonal_matrix(const Tensor &d) { return thpp::diag_embed(d); }
inline Tensor hollow(const Tensor &a) { return a - diagonal_matrix(diagonal_of(a)); }  // with zeros in the diagonal
inline Tensor strictly_lower(const Tensor &a) { return thpp::tril(a, -1); }
inline Tensor eye(const Tensor &like, int64_t m, int64_t n) { return thpp::eye(m, n, like.dtype(), like.device()); }

inline Tensor scale_rows(const Tensor &factors, const Tensor &a) { return thpp::mul(thpp::unsqueeze(factors, -1), a); }
inline Tensor scale_columns(const Tensor &a, const Tensor &factors) {
  return thpp::mul(a, thpp::unsqueeze(factors, -2));
}
inline Tensor half(const Tensor &a) { return thpp::mul(a, thpp::wrapped_number(0.5)); }

// X of L X = B, X L = B and so on, for a triangular matrix.
inline Tensor solve_lower(const Tensor &l, const Tensor &b, bool left, bool ones = false) {
  return thpp::linalg_solve_triangular(l, b, false, left, ones);
}
inline Tensor solve_upper(const Tensor &u, const Tensor &b, bool left, bool ones = false) {
  return thpp::linalg_solve_triangular(u, b, true, left, ones);
}

}  // namespace torch::autograd::matrices
