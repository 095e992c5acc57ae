// Eigenvalues and singular values, and what is made of them: ranks, pseudoinverses, condition numbers.
#include "linalg.h"

#include <cmath>

namespace thpp {

// ---- symmetric matrices -------------------------------------------------------------------------
namespace {

std::pair<Tensor, Tensor> eigen(const Tensor &a, const char *uplo, bool vectors) {
  check_square(a, "linalg.eigh");
  const std::string side = uplo;
  if (side != "L" && side != "l" && side != "U" && side != "u")
    THError(TH_ERROR_RUNTIME, "Expected UPLO argument to be 'L' or 'U', but got %s", uplo);
  const Sizes batch = batch_of(a);
  const Tensor v = by_columns(a), w = thpp::new_empty(a, joined(batch, {rows(a)}), real_dtype(a.dtype())),
               info = thpp::new_empty(a, batch, TH_Int);
  thpp::_linalg_eigh_(v, w, info, vectors, side == "U" || side == "u");
  check_info(info, "linalg.eigh", LapackFailure::Eigen);
  return {w, v};
}

}  // namespace

void body::linalg_eigh_out(Tensor &eigenvalues, Tensor &eigenvectors, const Tensor &self, const char *UPLO) {
  const auto [w, v] = eigen(self, UPLO, true);
  check_out(eigenvalues, w.dtype()), check_out(eigenvectors, v.dtype());
  write_matrix(eigenvalues, w), write_matrix(eigenvectors, v);
}

void body::linalg_eigvalsh_out(Tensor &out, const Tensor &self, const char *UPLO) {
  check_out(out, real_dtype(self.dtype()));
  write_matrix(out, is_recorded(self) ? std::get<0>(thpp::linalg_eigh(self, UPLO)) : eigen(self, UPLO, false).first);
}

// ---- general matrices ---------------------------------------------------------------------------
namespace {

struct Eigen {
  Tensor values, vectors;
};
Eigen general_eigen(const Tensor &a, bool vectors) {
  check_square(a, "linalg.eig");
  if (!is_inexact(a.dtype())) THError(TH_ERROR_RUNTIME, "Unknown Complex ScalarType for %s", TH_typeName(a.dtype()));
  if (has_values(a) && !thpp::all(thpp::isfinite(a)).item().to_int())
    THError(TH_ERROR_RUNTIME, "torch.linalg.eig: input tensor should not contain infs or NaNs.");
  const Sizes batch = batch_of(a);
  const THDtype dtype = complex_dtype(a.dtype());
  const Tensor copy = by_columns(a), info = thpp::new_empty(a, batch, TH_Int);
  Eigen e{thpp::new_empty(a, joined(batch, {rows(a)}), dtype), Tensor()};
  if (vectors) e.vectors = empty_by_columns(a, dtype, batch, rows(a), rows(a));
  thpp::_linalg_eig_out_(copy, e.values, e.vectors, info);
  check_info(info, "linalg.eig", LapackFailure::Eigen);
  return e;
}

}  // namespace

void body::linalg_eig_out(Tensor &eigenvalues, Tensor &eigenvectors, const Tensor &self) {
  const Eigen e = general_eigen(self, true);
  check_out(eigenvalues, e.values.dtype()), check_out(eigenvectors, e.values.dtype());
  write_matrix(eigenvalues, e.values), write_matrix(eigenvectors, e.vectors);
}
void body::linalg_eigvals_out(Tensor &out, const Tensor &self) {
  if (is_recorded(self)) return write_matrix_converted(out, std::get<0>(thpp::linalg_eig(self)));
  write_matrix_converted(out, general_eigen(self, false).values);
}

// ---- singular values ----------------------------------------------------------------------------
Svd factor_svd(const Tensor &a, bool full, bool vectors, const char *f) {
  check_matrix(a, f);
  check_inexact(a, f);
  const Sizes batch = batch_of(a);
  const int64_t m = rows(a), n = columns(a), k = std::min(m, n);
  Svd d;
  d.s = thpp::new_empty(a, joined(batch, {k}), real_dtype(a.dtype()));
  const Tensor info = thpp::new_empty(a, batch, TH_Int), copy = by_columns(a);
  if (vectors) {  // an empty matrix has the axes as its singular vectors
    d.u = k ? empty_by_columns(a, a.dtype(), batch, m, full ? m : k) : identity(a, a.dtype(), batch, m, full ? m : k);
    d.vh = k ? empty_by_columns(a, a.dtype(), batch, full ? n : k, n) : identity(a, a.dtype(), batch, full ? n : k, n);
  }
  thpp::_linalg_svd_(copy, d.s, d.u, d.vh, info);
  check_info(info, f, LapackFailure::Svd);
  return d;
}

namespace {

void check_driver(const char *driver) {
  if (driver)
    THError(TH_ERROR_RUNTIME,
            "torch.linalg.svd: keyword argument `driver=` is only supported on CUDA inputs; on the CPU it stays None");
}

}  // namespace

void body::linalg_svd_out(Tensor &U, Tensor &S, Tensor &Vh, const Tensor &A, bool full_matrices, const char *driver) {
  check_driver(driver);
  const Svd d = factor_svd(A, full_matrices, true);
  check_out(U, d.u.dtype()), check_out(S, d.s.dtype()), check_out(Vh, d.vh.dtype());
  write_matrix(U, d.u), write_matrix(S, d.s), write_matrix(Vh, d.vh);
}

void body::linalg_svdvals_out(Tensor &out, const Tensor &A, const char *driver) {
  check_driver(driver);
  check_out(out, real_dtype(A.dtype()));
  write_matrix(out, is_recorded(A) ? std::get<1>(thpp::linalg_svd(A, false)) : factor_svd(A, false, false).s);
}

void body::svd_out(Tensor &U, Tensor &S, Tensor &V, const Tensor &self, bool some, bool compute_uv) {
  check_matrix(self, "linalg.svd");
  Svd d;
  if (compute_uv) {
    std::tie(d.u, d.s, d.vh) = thpp::linalg_svd(self, !some);
  } else {
    d.s = thpp::linalg_svdvals(self);
    d.u = thpp::new_zeros(self, joined(batch_of(self), {rows(self), rows(self)}), self.dtype());
    d.vh = thpp::new_zeros(self, joined(batch_of(self), {columns(self), columns(self)}), self.dtype());
  }
  check_out(U, d.u.dtype()), check_out(S, d.s.dtype()), check_out(V, d.vh.dtype());
  write_matrix(U, d.u), write_matrix(S, d.s), write_matrix(V, mH(d.vh));
}

// ---- how far singular values count --------------------------------------------------------------
namespace {

// What singular values must exceed: the greater of atol and rtol times the largest. Without rtol it is the matrix's
// larger side times epsilon, or 0 where atol is given and above 0.
Tensor rank_threshold(const Tensor &a, const Tensor &largest, const Tensor &atol, const Tensor &rtol) {
  const double usual = epsilon(a.dtype()) * double(std::max(rows(a), columns(a)));
  const THDtype real = real_dtype(a.dtype());
  const auto placed = [&](const Tensor &t) {  // a tolerance for each matrix, as a column beside the values
    return t.dim() ? thpp::unsqueeze(thpp::to(t, real), -1) : thpp::to(t, real);
  };
  const Tensor absolute = atol.defined() ? placed(atol) : thpp::new_zeros(largest, {}, real);
  Tensor relative;
  if (rtol.defined())
    relative = placed(rtol);
  else
    relative = thpp::masked_fill(thpp::new_full(absolute, absolute.sizes(), Scalar(usual), real),
                                 thpp::gt(absolute, number(0)), thpp::new_zeros(absolute, {}, real));
  return thpp::maximum(absolute, thpp::mul(relative, largest));
}

void check_tolerance(const Tensor &t, const char *f, const char *name) {
  if (t.defined() && TH_kind(t.dtype()) > TH_KIND_float)
    THError(TH_ERROR_RUNTIME, "%s: %s tensor of complex type is not supported. Got %s", f, name,
            TH_typeName(t.dtype()));
}

void check_decomposable(const Tensor &a) {
  if (!computes(a.dtype())) THError(TH_ERROR_RUNTIME, "This function doesn't handle types other than float and double");
}

}  // namespace

void body::linalg_matrix_rank_out(Tensor &out, const Tensor &self, const Tensor &atol, const Tensor &rtol,
                                  bool hermitian) {
  const char *f = "torch.linalg.matrix_rank";
  check_tolerance(atol, f, "atol"), check_tolerance(rtol, f, "rtol");
  check_matrix(self, f, "input");
  check_decomposable(self);
  if (self.numel() == 0) return write_matrix_converted(out, thpp::new_zeros(self, batch_of(self), TH_Long));
  const Tensor s = hermitian ? thpp::abs(thpp::linalg_eigvalsh(self, "L")) : thpp::linalg_svdvals(self);
  write_matrix_converted(out,
                         thpp::sum(thpp::gt(s, rank_threshold(self, thpp::amax(s, {-1}, true), atol, rtol)), {-1}));
}

void body::linalg_pinv_out(Tensor &out, const Tensor &self, const Tensor &atol, const Tensor &rtol, bool hermitian) {
  if (self.dim() < 2 || !computes(self.dtype()))
    THError(
        TH_ERROR_RUNTIME,
        "linalg.pinv(%s{%s}): expected a tensor with 2 or more dimensions of float, double, cfloat or cdouble types",
        TH_typeName(self.dtype()), shape_text(self).c_str());
  check_tolerance(atol, "torch.linalg.pinv", "atol"), check_tolerance(rtol, "torch.linalg.pinv", "rtol");
  if (self.numel() == 0)
    return write_matrix_converted(
        out, thpp::new_empty(self, joined(batch_of(self), {columns(self), rows(self)}), self.dtype()));
  if (hermitian) {
    const auto [w, v] = thpp::linalg_eigh(self, "L");
    const Tensor size = thpp::abs(w), least = rank_threshold(self, thpp::amax(size, {-1}, true), atol, rtol);
    const Tensor inverted = thpp::where(thpp::gt(size, least), thpp::reciprocal(w), thpp::new_zeros(w, {}, w.dtype()));
    return write_matrix_converted(out, thpp::matmul(thpp::mul(v, thpp::unsqueeze(inverted, -2)), mH(v)));
  }
  const Svd d = factor_svd(self, false, true);
  const Tensor least = rank_threshold(self, thpp::narrow(d.s, -1, 0, 1), atol, rtol);
  const Tensor inverted = thpp::where(thpp::gt(d.s, least), thpp::reciprocal(d.s),
                                      thpp::new_zeros(d.s, {}, d.s.dtype()));
  write_matrix_converted(out, thpp::matmul(thpp::mul(mH(d.vh), thpp::unsqueeze(inverted, -2)), mH(d.u)));
}

// ---- condition numbers --------------------------------------------------------------------------
namespace {

Tensor condition(const Tensor &a, const char *order, const auto &norm) {
  const std::string f = std::string("linalg.cond(ord=") + order + ")";
  if (a.numel()) check_square(a, f.c_str());
  if (a.numel() == 0) return thpp::new_zeros(a, batch_of(a), real_dtype(floating(a.dtype())));
  const auto [inverse, info] = thpp::linalg_inv_ex(a);
  const Tensor singular = thpp::ne(info, wrapped_number(0));
  const Tensor product = thpp::mul(norm(a), norm(inverse));
  return thpp::masked_fill(product, singular, thpp::new_full(product, {}, Scalar(INFINITY), product.dtype()));
}

}  // namespace

void body::linalg_cond_out(Tensor &out, const Tensor &self, std::optional<Scalar> p) {
  check_matrix(self, "linalg.cond", "A");
  const double order = p ? p->to_double() : 2;
  const double size = std::fabs(order);
  if (size != 1 && size != 2 && size != INFINITY)
    THError(TH_ERROR_RUNTIME, "linalg.cond got an invalid norm type: %g", order);
  if (size == 2) {
    const Tensor s = thpp::linalg_svdvals(self);
    if (self.numel() == 0) return write_matrix_converted(out, thpp::new_zeros(self, batch_of(self), s.dtype()));
    const Tensor first = thpp::select(s, -1, 0), last = thpp::select(s, -1, s.size(s.dim() - 1) - 1);
    return write_matrix_converted(out, order > 0 ? thpp::div(first, last) : thpp::div(last, first));
  }
  const std::string name = size == 1 ? (order > 0 ? "1" : "-1") : (order > 0 ? "inf" : "-inf");
  write_matrix_converted(
      out, condition(self, name.c_str(), [&](const Tensor &a) { return thpp::linalg_matrix_norm(a, *p); }));
}

void body::linalg_cond_out(Tensor &out, const Tensor &self, const char *p) {
  check_matrix(self, "linalg.cond");
  const bool nuclear = std::string_view(p) == "nuc";
  if (!nuclear && std::string_view(p) != "fro") {
    const std::string f = std::string("linalg.cond(ord=") + p + ")";
    check_square(self, f.c_str());
    THError(TH_ERROR_RUNTIME, "linalg.cond got an invalid norm type: %s", p);
  }
  write_matrix_converted(out, condition(self, p, [&](const Tensor &a) { return thpp::linalg_matrix_norm(a, p); }));
}

}  // namespace thpp
