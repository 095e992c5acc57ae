// Linear algebra of torch 1.0 that PyTorch has removed: what the old names gave, by today's kernels.
#include "linalg.h"

namespace thpp {

namespace {

// One matrix, which most of them took; the others took batches.
void check_one(const Tensor &a, const char *f, const char *name) {
  if (a.dim() != 2) THError(TH_ERROR_RUNTIME, "%s: %s should have 2 dimensions, but has %d", f, name, a.dim());
}

}  // namespace

#define SUCCESSOR(old, today) \
  warn("torch." old " is deprecated in favour of " today ": it is here for programs of torch 1.0")

// ---- Cholesky -----------------------------------------------------------------------------------
void body::potrf_out(Tensor &out, const Tensor &a, bool upper) {
  SUCCESSOR("potrf", "torch.linalg.cholesky");
  thpp::cholesky_out(out, a, upper);
}

void body::potri_out(Tensor &out, const Tensor &u, bool upper) {
  SUCCESSOR("potri", "torch.cholesky_inverse");
  thpp::cholesky_inverse_out(out, u, upper);
}

void body::potrs_out(Tensor &out, const Tensor &b, const Tensor &u, bool upper) {
  SUCCESSOR("potrs", "torch.cholesky_solve");
  thpp::cholesky_solve_out(out, b, u, upper);
}

void body::pstrf_out(Tensor &u, Tensor &pivot, const Tensor &a, bool upper, double tol) {
  SUCCESSOR("pstrf", "torch.linalg.cholesky");
  check_one(a, "pstrf", "a");
  check_square(a, "pstrf");
  const Tensor factor = by_columns(upper ? upper_triangle(a) : lower_triangle(a));
  const Tensor order = thpp::new_empty(a, {rows(a)}, TH_Int), rank = thpp::new_empty(a, {}, TH_Int);
  thpp::_pstrf_(factor, order, rank, upper, tol);
  const int64_t r = rank.item().to_int(), left = rows(a) - r;  // what is beyond the rank has not become a factor
  thpp::fill_(thpp::narrow(thpp::narrow(factor, 0, r, left), 1, r, left), number(0));
  check_out(u, factor.dtype()), check_out(pivot, TH_Int);
  write_matrix(u, factor), write_matrix(pivot, thpp::sub(order, wrapped_number(1)));
}

// ---- equations ----------------------------------------------------------------------------------
void body::gesv_out(Tensor &solution, Tensor &LU, const Tensor &B, const Tensor &A) {
  SUCCESSOR("gesv", "torch.linalg.solve");
  check_square(A, "gesv");
  check_matrix(B, "gesv", "B");
  check_system(B, A, "gesv");
  const Sizes batch = broadcast_batch(B, A);
  const auto [x, lu, pivots, info] = thpp::_linalg_solve_ex(with_batch(A, batch), with_batch(B, batch), true);
  check_info(info, "gesv", LapackFailure::Solver);
  check_out(solution, x.dtype()), check_out(LU, x.dtype());
  write_matrix(solution, x), write_matrix(LU, lu);
}

void body::trtrs_out(Tensor &solution, Tensor &coefficient, const Tensor &b, const Tensor &A, bool upper,
                     bool transposed, bool unitriangular) {
  SUCCESSOR("trtrs", "torch.linalg.solve_triangular");
  thpp::triangular_solve_out(solution, coefficient, b, A, upper, transposed, unitriangular);
}

// Below the solution X has what is left over, in the axes of Q's other columns.
void body::gels_out(Tensor &solution, Tensor &QR, const Tensor &B, const Tensor &A) {
  const char *f = "gels";
  SUCCESSOR("gels", "torch.linalg.lstsq");
  check_one(A, f, "A"), check_one(B, f, "B");
  check_pair(B, A, f, "B", "A");
  if (rows(A) != rows(B))
    THError(TH_ERROR_RUNTIME, "%s: A has %lld rows, but B has %lld", f, (long long)rows(A), (long long)rows(B));
  const int64_t m = rows(A), n = columns(A);
  const Tensor qr = by_columns(A), x = mT(thpp::new_zeros(A, {columns(B), std::max(m, n)}, A.dtype())),
               info = thpp::new_empty(A, {}, TH_Int);
  thpp::copy_(thpp::narrow(x, 0, 0, m), B);
  thpp::_linalg_lstsq_(qr, x, Tensor(), Tensor(), info, 0, 0);
  check_info(info, f, LapackFailure::LeastSquares);
  check_out(solution, x.dtype()), check_out(QR, x.dtype());
  write_matrix(solution, x), write_matrix(QR, qr);
}

// ---- LU of batches ------------------------------------------------------------------------------
void body::btrifact_with_info_out(Tensor &LU, Tensor &pivots, Tensor &info, const Tensor &A, bool pivot) {
  SUCCESSOR("btrifact_with_info", "torch.linalg.lu_factor_ex");
  thpp::linalg_lu_factor_ex_out(LU, pivots, info, A, pivot, false);
}

void body::btrifact_out(Tensor &LU, Tensor &pivots, const Tensor &A, const Tensor &info, bool pivot) {
  SUCCESSOR("btrifact", "torch.linalg.lu_factor");
  if (!info.defined()) return thpp::linalg_lu_factor_out(LU, pivots, A, pivot);
  const auto [lu, exchanges, found] = thpp::linalg_lu_factor_ex(A, pivot, false);
  Tensor infos = info;
  check_out(LU, lu.dtype()), check_out(pivots, TH_Int), check_out(infos, TH_Int);
  write_matrix(LU, lu), write_matrix(pivots, exchanges), write_matrix(infos, found);
}

void body::btrisolve_out(Tensor &out, const Tensor &b, const Tensor &LU_data, const Tensor &LU_pivots) {
  SUCCESSOR("btrisolve", "torch.linalg.lu_solve");
  if (b.dim() != 2 || LU_data.dim() != 3) return thpp::lu_solve_out(out, b, LU_data, LU_pivots);
  write_matrix(out, thpp::squeeze(thpp::lu_solve(thpp::unsqueeze(b, -1), LU_data, LU_pivots),
                                  {-1}));  // a vector for each matrix
}

void body::btriunpack_out(Tensor &P, Tensor &L, Tensor &U, const Tensor &LU_data, const Tensor &LU_pivots,
                          bool unpack_data, bool unpack_pivots) {
  SUCCESSOR("btriunpack", "torch.lu_unpack");
  thpp::lu_unpack_out(P, L, U, LU_data, LU_pivots, unpack_data, unpack_pivots);
}

}  // namespace thpp
