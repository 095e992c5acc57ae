// Factorisations: LU, Cholesky, QR, and what unpacks them.
#include "linalg.h"

namespace thpp {

// ---- LU -----------------------------------------------------------------------------------------
Lu factor_lu(const Tensor &a) {
  const Sizes batch = batch_of(a);
  Lu f{by_columns(a), thpp::new_empty(a, joined(batch, {std::min(rows(a), columns(a))}), TH_Int),
       thpp::new_empty(a, batch, TH_Int)};
  thpp::_lu_(f.lu, f.pivots, f.info);
  return f;
}

void solve_lu(const Tensor &lu, const Tensor &pivots, const Tensor &b, char trans) {
  thpp::_lu_solve_(b, lu, pivots, trans);
}

namespace {

void check_lu_input(const Tensor &a, bool pivot, const char *f) {
  if (a.dim() < 2)
    THError(TH_ERROR_RUNTIME, "%s: Expected tensor with 2 or more dimensions. Got size: %s instead", f,
            shape_text(a).c_str());
  if (!pivot) THError(TH_ERROR_RUNTIME, "linalg.lu_factor: LU without pivoting is not implemented on the CPU");
}

void check_lu_info(const Tensor &info, const char *f) {
  if (!has_values(info)) return;
  const Tensor here = on_host(info);
  for (int64_t i = 0; i < info.numel(); ++i) {
    const int value = here.data<int>()[i];
    if (!value) continue;
    char where[64] = "";
    if (info.dim()) snprintf(where, sizeof where, "(Batch element %lld): ", (long long)i);
    THError(TH_ERROR_RUNTIME,
            "%s: %sU[%d,%d] is zero and using it on lu_solve would result in a division by zero; linalg.lu and "
            "linalg.lu_factor_ex factor such a matrix all the same",
            f, where, value, value);
  }
}

}  // namespace

void body::linalg_lu_factor_ex_out(Tensor &LU, Tensor &pivots, Tensor &info, const Tensor &A, bool pivot,
                                   bool check_errors) {
  check_lu_input(A, pivot, "torch.lu_factor");
  const Lu f = factor_lu(A);
  if (check_errors) check_lu_info(f.info, "torch.linalg.lu_factor_ex");
  check_out(LU, f.lu.dtype()), check_out(pivots, TH_Int), check_out(info, TH_Int);
  write_matrix(LU, f.lu), write_matrix(pivots, f.pivots), write_matrix(info, f.info);
}

void body::linalg_lu_factor_out(Tensor &LU, Tensor &pivots, const Tensor &A, bool pivot) {
  check_lu_input(A, pivot, "torch.lu_factor");
  const auto [lu, exchanges, info] = thpp::linalg_lu_factor_ex(A, pivot, false);
  check_lu_info(info, "torch.linalg.lu_factor");
  check_out(LU, lu.dtype()), check_out(pivots, TH_Int);
  write_matrix(LU, lu), write_matrix(pivots, exchanges);
}

namespace {

// The matrix P of A = P L U: LAPACK's pivots say with which row each row was exchanged, in turn.
Tensor permutation(const Tensor &pivots, THDtype dtype, int64_t m) {
  const int64_t k = pivots.size(pivots.dim() - 1), count = k ? pivots.numel() / k : 0;
  const Sizes batch = batch_of(pivots, 1);
  const Tensor zero = thpp::new_zeros(pivots, joined(batch, {m, m}), dtype);
  if (!m || !has_values(pivots)) return zero;
  const Tensor given = on_host(pivots), order = thpp::empty(joined(batch, {m}), TH_Long);
  const int *const exchanged = given.data<int>();
  int64_t *const rows = order.data<int64_t>();
  for (int64_t i = 0; i < pivots.numel(); ++i)
    if (exchanged[i] < 1 || exchanged[i] > m)
      THError(TH_ERROR_RUNTIME,
              "pivots passed to lu_unpack must be between 1 and LU.size(-2) inclusive, here %lld, but one is %lld",
              (long long)m, (long long)exchanged[i]);
  for (int64_t b = 0; b < order.numel() / m; ++b) {
    int64_t *const row = rows + b * m;
    for (int64_t i = 0; i < m; ++i) row[i] = i;
    if (b < count)
      for (int64_t i = 0; i < k; ++i) std::swap(row[i], row[exchanged[b * k + i] - 1]);
  }
  return thpp::scatter(zero, -2, thpp::unsqueeze(thpp::to(order, TH_Long, false, pivots.device()), -2), Scalar(1));
}

}  // namespace

void body::_lu_unpack_data_out(Tensor &L, Tensor &U, const Tensor &LU_data) {
  const int64_t k = std::min(rows(LU_data), columns(LU_data));
  L = thpp::contiguous(lower_triangle(thpp::narrow(LU_data, -1, 0, k), -1));
  thpp::fill_(thpp::diagonal(L, 0, -2, -1), number(1));
  U = thpp::contiguous(upper_triangle(thpp::narrow(LU_data, -2, 0, k)));
}

void body::lu_unpack_out(Tensor &P, Tensor &L, Tensor &U, const Tensor &LU_data, const Tensor &LU_pivots,
                         bool unpack_data, bool unpack_pivots) {
  if (LU_data.dim() < 2)
    THError(TH_ERROR_RUNTIME, "torch.lu_unpack: Expected tensor with 2 or more dimensions. Got size: %s instead",
            shape_text(LU_data).c_str());
  if (unpack_pivots && LU_pivots.dtype() != TH_Int)
    THError(TH_ERROR_RUNTIME,
            "torch.lu_unpack: LU_pivots is expected to be a contiguous tensor of torch.int32 dtype, as "
            "torch.linalg.lu_factor gives it, not of torch.%s",
            TH_dtypeName(LU_pivots.dtype()));
  const THDtype dtype = LU_data.dtype();
  const auto [l, u] = unpack_data
                          ? thpp::_lu_unpack_data(LU_data)
                          : std::tuple(thpp::new_empty(LU_data, {0}, dtype), thpp::new_empty(LU_data, {0}, dtype));
  const Tensor p = unpack_pivots ? permutation(LU_pivots, dtype, rows(LU_data))
                                 : thpp::new_empty(LU_pivots, {0}, dtype);
  check_out(P, dtype), check_out(L, dtype), check_out(U, dtype);
  write_matrix(P, p), write_matrix(L, l), write_matrix(U, u);
}

void body::linalg_lu_out(Tensor &P, Tensor &L, Tensor &U, const Tensor &A, bool pivot) {
  check_lu_input(A, pivot, "linalg.lu");
  const auto [lu, pivots, info] = thpp::linalg_lu_factor_ex(A, pivot, false);
  thpp::lu_unpack_out(P, L, U, lu, pivots, true, true);
}

// ---- Cholesky -----------------------------------------------------------------------------------
namespace {

std::pair<Tensor, Tensor> factor_cholesky(const Tensor &a, bool upper, const char *f) {
  check_square(a, f);
  const Tensor factor = by_columns(upper ? upper_triangle(a) : lower_triangle(a)),
               info = thpp::new_empty(a, batch_of(a), TH_Int);
  thpp::_cholesky_(factor, info, upper);
  return {factor, info};
}

}  // namespace

void body::linalg_cholesky_ex_out(Tensor &L, Tensor &info, const Tensor &self, bool upper, bool check_errors) {
  check_inexact(self, "linalg.cholesky");
  const auto [factor, infos] = factor_cholesky(self, upper, "linalg.cholesky");
  if (check_errors) check_info(infos, "linalg.cholesky_ex", LapackFailure::Definite);
  check_out(L, factor.dtype()), check_out(info, TH_Int);
  write_matrix(L, factor), write_matrix(info, infos);
}

void body::linalg_cholesky_out(Tensor &out, const Tensor &self, bool upper) {
  check_inexact(self, "linalg.cholesky");
  check_out(out, self.dtype());
  const auto [factor, info] = thpp::linalg_cholesky_ex(self, upper, false);
  check_info(info, "linalg.cholesky", LapackFailure::Definite);
  write_matrix(out, factor);
}

void body::cholesky_out(Tensor &out, const Tensor &self, bool upper) {
  if (self.numel() == 0) return write_matrix(out, thpp::clone(self));
  const auto [factor, info] = factor_cholesky(self, upper, "cholesky");
  check_info(info, "cholesky", LapackFailure::Definite);
  write_matrix(out, factor);
}

// ---- QR -----------------------------------------------------------------------------------------
void body::linalg_qr_out(Tensor &Q, Tensor &R, const Tensor &A, const char *mode) {
  check_matrix(A, "linalg.qr");
  check_inexact(A, "linalg.qr");
  const std::string m = mode;
  if (m != "reduced" && m != "r" && m != "complete")
    THError(TH_ERROR_RUNTIME,
            "qr received unrecognized mode '%s' but expected one of 'reduced' (default), 'r', or 'complete'", mode);
  const int64_t wide = m == "complete" ? rows(A) : std::min(rows(A), columns(A));
  const Tensor packed = by_columns(A), r = empty_by_columns(A, A.dtype(), batch_of(A), wide, columns(A));
  const Tensor q = m == "r" ? thpp::new_empty(A, {0}, A.dtype())
                            : empty_by_columns(A, A.dtype(), batch_of(A), rows(A), wide);
  thpp::_geqrf(m == "r" ? Tensor() : q, r, packed);
  check_out(Q, A.dtype()), check_out(R, A.dtype());
  write_matrix(Q, q), write_matrix(R, r);
}

void body::geqrf_out(Tensor &a, Tensor &tau, const Tensor &self) {
  if (self.dim() < 2) THError(TH_ERROR_RUNTIME, "torch.geqrf: input must have at least 2 dimensions.");
  const Tensor packed = by_columns(self);
  const Tensor scales = thpp::new_zeros(self, joined(batch_of(self), {std::min(rows(self), columns(self))}),
                                        self.dtype());
  thpp::_geqrf_(packed, scales);
  check_out(a, self.dtype()), check_out(tau, self.dtype());
  write_matrix(a, packed), write_matrix(tau, scales);
}

namespace {

int64_t reflectors(const Tensor &tau) {
  if (!tau.dim()) THError(TH_ERROR_INDEX, "Dimension specified as -1 but tensor has no dimensions");
  return columns(tau);
}

void check_reflectors(const Tensor &a, const Tensor &tau, const char *f) {
  if (a.dtype() != tau.dtype())
    THError(TH_ERROR_RUNTIME, "%s: tau dtype %s does not match input dtype %s", f, TH_typeName(tau.dtype()),
            TH_typeName(a.dtype()));
  if (a.dim() - tau.dim() != 1 || !std::ranges::equal(batch_of(a), batch_of(tau, 1)))
    THError(TH_ERROR_RUNTIME,
            "%s: Expected tau to have one dimension less than input and its batch dimensions, but got tau of shape %s "
            "and input of shape %s",
            f, shape_text(tau).c_str(), shape_text(a).c_str());
}

}  // namespace

void body::linalg_householder_product_out(Tensor &out, const Tensor &self, const Tensor &tau) {
  const char *f = "torch.linalg.householder_product";
  if (self.dim() < 2) THError(TH_ERROR_RUNTIME, "%s: input must have at least 2 dimensions.", f);
  if (rows(self) < columns(self))
    THError(TH_ERROR_RUNTIME, "%s: input.shape[-2] must be greater than or equal to input.shape[-1]", f);
  if (columns(self) < reflectors(tau))
    THError(TH_ERROR_RUNTIME, "%s: input.shape[-1] must be greater than or equal to tau.shape[-1]", f);
  check_reflectors(self, tau, f);
  const Tensor q = by_columns(self), scales = thpp::contiguous(tau);
  thpp::_orgqr_(q, scales);
  write_matrix(out, q);
}

void body::ormqr_out(Tensor &out, const Tensor &self, const Tensor &tau, const Tensor &other, bool left,
                     bool transposed) {
  const char *f = "torch.ormqr";
  if (self.dim() < 2) THError(TH_ERROR_RUNTIME, "%s: input must have at least 2 dimensions.", f);
  if (other.dim() < 2) THError(TH_ERROR_RUNTIME, "%s: other must have at least 2 dimensions.", f);
  const int side = left ? -2 : -1;
  const int64_t size = other.size(other.dim() + side);
  if (size != rows(self)) THError(TH_ERROR_RUNTIME, "%s: other.shape[%d] must be equal to input.shape[-2]", f, side);
  if (size < reflectors(tau))
    THError(TH_ERROR_RUNTIME, "%s: other.shape[%d] must be greater than or equal to tau.shape[-1]", f, side);
  check_reflectors(self, tau, f);
  if (self.dtype() != other.dtype())
    THError(TH_ERROR_RUNTIME,
            "%s: Expected input and other to have the same dtype, but input has dtype%s and other has dtype %s", f,
            TH_typeName(self.dtype()), TH_typeName(other.dtype()));
  if (self.dim() != other.dim() || !std::ranges::equal(batch_of(self), batch_of(other)))
    THError(TH_ERROR_RUNTIME, "%s: batch dimensions of other to be equal to input.shape[:-2], but got %s and %s", f,
            shape_text(other).c_str(), shape_text(self).c_str());
  const Tensor c = by_columns(other), packed = by_columns(self), scales = thpp::contiguous(tau);
  thpp::_ormqr_(c, packed, scales, left, transposed);
  write_matrix(out, c);
}

}  // namespace thpp
