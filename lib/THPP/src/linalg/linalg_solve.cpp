// Equations, inverses, determinants.
#include "linalg.h"

#include <cmath>

namespace thpp {

// ---- A X = B and X A = B ------------------------------------------------------------------------
namespace {

// With LU factors: X A = B is A.T X.T = B.T, and X A' = B is A X' = B'.
Tensor solved(const Tensor &lu, const Tensor &pivots, const Tensor &b, bool left, bool adjoint) {
  const Tensor x = by_columns(left ? b : adjoint ? mH(b) : mT(b));
  solve_lu(lu, pivots, x, left == adjoint ? left ? 'C' : 'T' : 'N');
  return left ? x : adjoint ? mH(x) : mT(x);
}

struct Solution {
  Tensor x;
  Lu lu;
};
Solution solve_checked(const Tensor &a, const Tensor &b, bool left) {
  const char *f = "linalg.solve";
  check_inexact(a, f);
  check_square(a, f);
  check_pair(a, b, f, "A", "B");
  const bool vector = is_vector(a, b);
  if (!vector) check_matrix(b, f, "B");
  const Tensor right = vector ? thpp::unsqueeze(b, -1) : b;
  check_fits(a, right, left, f);
  const Sizes batch = broadcast_batch(a, right);
  const Lu lu = factor_lu(a);
  // The factors of a batch that is broadcast are repeated; pivots and info of a are its own.
  Sizes wide = joined(batch, {rows(a)});
  const bool same = std::ranges::equal(batch, batch_of(a));
  const Tensor factors = same ? lu.lu : by_columns(with_batch(lu.lu, batch));
  const Tensor pivots = same ? lu.pivots : thpp::contiguous(thpp::expand(lu.pivots, wide));
  const Tensor x = solved(factors, pivots, with_batch(right, batch), left, false);
  if (!vector) return {x, lu};
  const Tensor columns = thpp::squeeze(x, {-1});  // a batch of vectors lies as a matrix does
  return {b.dim() > 1 ? by_columns(columns) : columns, lu};
}

}  // namespace

// The factors are what gradients are computed with.
void body::_linalg_solve_ex_out(Tensor &result, Tensor &LU, Tensor &pivots, Tensor &info, const Tensor &A,
                                const Tensor &B, bool left) {
  const Solution found = solve_checked(A, B, left);
  result = found.x, LU = found.lu.lu, pivots = found.lu.pivots, info = found.lu.info;
}

void body::linalg_solve_ex_out(Tensor &result, Tensor &info, const Tensor &A, const Tensor &B, bool left,
                               bool check_errors) {
  const auto [x, lu, pivots, infos] = thpp::_linalg_solve_ex(A, B, left);
  if (check_errors) check_info(infos, "linalg.solve_ex", LapackFailure::Singular);
  check_out(result, x.dtype()), check_out(info, TH_Int);
  write_matrix(result, x), write_matrix(info, infos);
}

void body::linalg_solve_out(Tensor &out, const Tensor &A, const Tensor &B, bool left) {
  check_out(out, A.dtype());
  const auto [x, lu, pivots, info] = thpp::_linalg_solve_ex(A, B, left);
  check_info(info, "torch.linalg.solve", LapackFailure::Solver);
  write_matrix(out, x);
}

void body::linalg_lu_solve_out(Tensor &out, const Tensor &LU, const Tensor &pivots, const Tensor &B, bool left,
                               bool adjoint) {
  const char *f = "linalg.lu_solve";
  check_inexact(LU, f);
  check_pair(LU, B, f, "LU", "B");
  if (pivots.dtype() != TH_Int)
    THError(TH_ERROR_RUNTIME, "%s: pivots should be a Tensor of scalar type torch.int32", f);
  check_square(LU, "torch.linalg.lu_solve");
  check_matrix(B, f, "B");
  check_fits(LU, B, left, f);
  if (pivots.dim() == 0 || columns(pivots) != columns(LU))
    THError(TH_ERROR_RUNTIME, "%s: Number of pivots per batch should be same as the dimension of the matrix", f);
  if (!std::ranges::equal(batch_of(LU), batch_of(pivots, 1)))
    THError(TH_ERROR_RUNTIME,
            "%s: Expected LU.shape[:-1] and pivots.shape to be the same, but got pivots with shape %s instead", f,
            shape_text(pivots).c_str());
  const Tensor kept = has_values(pivots) ? on_host(pivots) : pivots;
  const int *const exchanged = has_values(pivots) ? kept.data<int>() : nullptr;
  for (int64_t i = 0; exchanged && i < kept.numel(); ++i)
    if (exchanged[i] < 1 || exchanged[i] > rows(LU))
      THError(TH_ERROR_RUNTIME, "%s: pivots must be between 1 and %lld, but found %d", f, (long long)rows(LU),
              exchanged[i]);
  const Sizes batch = broadcast_batch(LU, B);
  const Tensor x = solved(by_columns(with_batch(LU, batch)),
                          thpp::contiguous(thpp::expand(pivots, joined(batch, {rows(LU)}))), with_batch(B, batch), left,
                          adjoint);
  write_matrix(out, x);
}

void body::linalg_solve_triangular_out(Tensor &out, const Tensor &self, const Tensor &B, bool upper, bool left,
                                       bool unitriangular) {
  const char *f = "linalg.solve_triangular";
  check_square(self, f);
  check_matrix(B, f, "B");
  check_fits(self, B, left, f);
  const Sizes batch = broadcast_batch(self, B);
  const Tensor x = by_columns(with_batch(thpp::to(B, self.dtype()), batch)), a = by_columns(with_batch(self, batch));
  thpp::_triangular_solve_(x, a, upper, 'N', unitriangular, left);
  write_matrix(out, x);
}

void body::triangular_solve_out(Tensor &solution, Tensor &cloned_coefficient, const Tensor &self, const Tensor &A,
                                bool upper, bool transposed, bool unitriangular) {
  for (const auto &[t, name] : {std::pair(&self, "b"), std::pair(&A, "A")})
    if (t->dim() < 2)
      THError(TH_ERROR_RUNTIME,
              "torch.triangular_solve: Expected %s to have at least 2 dimensions, but it has %d dimensions instead",
              name, t->dim());
  check_system(self, A, "triangular_solve");
  const Sizes batch = broadcast_batch(self, A);
  const Tensor x = by_columns(with_batch(self, batch)), a = by_columns(with_batch(A, batch));
  thpp::_triangular_solve_(x, a, upper, transposed ? 'T' : 'N', unitriangular, true);
  check_out(solution, x.dtype()), check_out(cloned_coefficient, a.dtype());
  write_matrix(solution, x), write_matrix(cloned_coefficient, a);
}

void body::cholesky_solve_out(Tensor &out, const Tensor &self, const Tensor &L, bool upper) {
  for (const auto &[t, name] : {std::pair(&self, "b"), std::pair(&L, "u")})
    if (t->dim() < 2)
      THError(TH_ERROR_RUNTIME, "%s should have at least 2 dimensions, but has %d dimensions instead", name, t->dim());
  check_system(self, L, "cholesky_solve");
  const Sizes batch = broadcast_batch(self, L);
  const Tensor x = by_columns(with_batch(self, batch)), factor = by_columns(with_batch(L, batch));
  thpp::_cholesky_solve_(x, factor, upper);
  write_matrix(out, x);
}

void body::cholesky_inverse_out(Tensor &out, const Tensor &self, bool upper) {
  check_square(self, "cholesky_inverse");
  const Tensor half = by_columns(self), info = thpp::new_empty(self, batch_of(self), TH_Int);
  thpp::_cholesky_inverse_out_(half, info, upper);
  check_info(info, "cholesky_inverse", LapackFailure::Singular);
  const Tensor triangle = upper ? upper_triangle(half) : lower_triangle(half);
  const Tensor strict = upper ? upper_triangle(half, 1) : lower_triangle(half, -1);
  write_matrix(out, by_columns(thpp::add(triangle, mH(strict))));
}

// ---- inverses -----------------------------------------------------------------------------------
void body::linalg_inv_ex_out(Tensor &inverse, Tensor &info, const Tensor &A, bool check_errors) {
  check_inexact(A, "linalg.inv", false);
  check_square(A, "linalg.inv");
  const Lu lu = factor_lu(A);
  thpp::_linalg_inv_(lu.lu, lu.pivots, lu.info);
  if (check_errors) check_info(lu.info, "linalg.inv_ex", LapackFailure::Singular);
  check_out(inverse, lu.lu.dtype()), check_out(info, TH_Int);
  write_matrix(inverse, lu.lu), write_matrix(info, lu.info);
}

void body::linalg_inv_out(Tensor &out, const Tensor &A) {
  const auto [x, info] = thpp::linalg_inv_ex(A);
  check_info(info, "linalg.inv", LapackFailure::Singular);
  write_matrix(out, x);
}
void body::inverse_out(Tensor &out, const Tensor &self) { thpp::linalg_inv_out(out, self); }

namespace {

int64_t product(IntList sizes) {
  int64_t n = 1;
  for (int64_t s : sizes) n *= s;
  return n;
}

}  // namespace

void body::linalg_tensorinv_out(Tensor &out, const Tensor &self, int64_t ind) {
  if (ind <= 0)
    THError(TH_ERROR_RUNTIME, "Expected a strictly positive integer for 'ind', but got %lld", (long long)ind);
  if (ind > self.dim())
    THError(TH_ERROR_RUNTIME, "Expected 'ind' to be at most the number of dimensions, %d, but got %lld", self.dim(),
            (long long)ind);
  const size_t cut = size_t(ind);
  const Sizes front(self.sizes().begin(), self.sizes().begin() + cut),
      back(self.sizes().begin() + cut, self.sizes().end());
  const int64_t n = product(back), m = product(front);
  if (n != m)
    THError(
        TH_ERROR_RUNTIME,
        "Expected self to satisfy the requirement prod(self.shape[ind:]) == prod(self.shape[:ind]), but got %lld != "
        "%lld",
        (long long)n, (long long)m);
  Sizes size = back;
  size.insert(size.end(), front.begin(), front.end());
  write_matrix(out, thpp::reshape(thpp::linalg_inv(thpp::reshape(self, {n, m})), size));
}

void body::linalg_tensorsolve_out(Tensor &out, const Tensor &self, const Tensor &other, IntList dims) {
  Tensor a = self;
  if (!dims.empty()) {
    Sizes destination;
    for (int64_t i = self.dim() - int64_t(dims.size()); i < self.dim(); ++i) destination.push_back(i);
    a = thpp::movedim(self, dims, destination);
  }
  const size_t cut = std::min(other.sizes().size(), a.sizes().size());
  const Sizes front(a.sizes().begin(), a.sizes().begin() + cut), back(a.sizes().begin() + cut, a.sizes().end());
  const int64_t n = product(back), m = product(front);
  if (n != m)
    THError(TH_ERROR_RUNTIME,
            "Expected self to satisfy the requirement prod(self.shape[other.ndim:]) == prod(self.shape[:other.ndim]), "
            "but got %lld != %lld",
            (long long)n, (long long)m);
  write_matrix(out, thpp::reshape(thpp::linalg_solve(thpp::reshape(a, {m, n}), thpp::ravel(other)), back));
}

// ---- determinants -------------------------------------------------------------------------------
namespace {

// 1 or -1 for each matrix: whether the exchanges that its pivots stand for are even in number.
Tensor parity(const Tensor &pivots) {
  if (!has_values(pivots)) return thpp::new_empty(pivots, batch_of(pivots, 1), TH_Char);
  const Tensor given = on_host(pivots), signs = thpp::empty(batch_of(pivots, 1), TH_Char);
  const int *row = given.data<int>();
  const int64_t n = pivots.size(pivots.dim() - 1);
  for (int64_t b = 0; b < signs.numel(); ++b, row += n) {
    bool odd = false;
    for (int64_t i = 0; i < n; ++i) odd ^= row[i] != i + 1;
    signs.data<int8_t>()[b] = odd ? -1 : 1;
  }
  return thpp::to(signs, TH_Char, false, pivots.device());
}

Lu factor_square(const Tensor &a, const char *f, bool low) {
  check_inexact(a, f, low);
  check_square(a, f);
  return factor_lu(a);
}

}  // namespace

void body::_linalg_det_out(Tensor &result, Tensor &LU, Tensor &pivots, const Tensor &A) {
  const Lu f = factor_square(A, "linalg.det", true);
  result = thpp::mul(thpp::prod(thpp::diagonal(f.lu, 0, -2, -1), -1), parity(f.pivots));
  LU = f.lu, pivots = f.pivots;
}

void body::linalg_det_out(Tensor &out, const Tensor &A) {
  check_out(out, A.dtype());
  write_matrix(out, std::get<0>(thpp::_linalg_det(A)));
}
Tensor body::det(const Tensor &self) { return thpp::linalg_det(self); }

void body::_linalg_slogdet_out(Tensor &sign, Tensor &logabsdet, Tensor &LU, Tensor &pivots, const Tensor &A) {
  const Lu f = factor_square(A, "linalg.slogdet", false);
  const Tensor diagonal = thpp::diagonal(f.lu, 0, -2, -1);
  sign = thpp::mul(thpp::prod(thpp::sgn(diagonal), -1), parity(f.pivots));
  logabsdet = thpp::sum(thpp::log(thpp::abs(diagonal)), {-1});
  LU = f.lu, pivots = f.pivots;
}

void body::linalg_slogdet_out(Tensor &sign, Tensor &logabsdet, const Tensor &A) {
  const auto [s, l, lu, pivots] = thpp::_linalg_slogdet(A);
  check_out(sign, s.dtype()), check_out(logabsdet, l.dtype());
  write_matrix(sign, s), write_matrix(logabsdet, l);
}

Tensor body::logdet(const Tensor &self) {
  check_inexact(self, "logdet", false);
  check_square(self, "logdet");
  const auto [sign, logarithm] = thpp::linalg_slogdet(self);
  if (is_complex(self.dtype())) return thpp::add(thpp::log(sign), logarithm);
  return thpp::masked_fill(logarithm, thpp::eq(sign, number(-1)),
                           thpp::new_full(logarithm, {}, Scalar(NAN), logarithm.dtype()));
}

// ---- least squares ------------------------------------------------------------------------------
void body::linalg_lstsq_out(Tensor &solution, Tensor &residuals, Tensor &rank, Tensor &singular_values,
                            const Tensor &self, const Tensor &b, std::optional<double> rcond, const char *driver) {
  const char *f = "torch.linalg.lstsq";
  if (self.dim() < 2) THError(TH_ERROR_RUNTIME, "%s: input must have at least 2 dimensions.", f);
  if (b.dim() < 1) THError(TH_ERROR_RUNTIME, "%s: other must have at least 1 dimension.", f);
  if (self.dtype() != b.dtype())
    THError(TH_ERROR_RUNTIME,
            "%s: Expected input and other to have the same dtype, but got input's dtype %s and other's dtype %s", f,
            TH_typeName(self.dtype()), TH_typeName(b.dtype()));
  if (!computes(self.dtype()))
    THError(TH_ERROR_RUNTIME, "This function doesn't handle types other than float and double");
  static constexpr const char *drivers[] = {"gels", "gelsy", "gelsd", "gelss"};
  const std::string_view chosen = driver ? driver : "gelsy";
  const int which = int(std::ranges::find(drivers, chosen) - drivers);
  if (which == 4) THError(TH_ERROR_RUNTIME, "%s: parameter `driver` should be one of (gels, gelsy, gelsd, gelss)", f);

  if (self.dim() < b.dim() || self.dim() > b.dim() + 1)
    THError(TH_ERROR_RUNTIME,
            "%s: input.dim() must be greater or equal to other.dim() and (input.dim() - other.dim()) <= 1", f);
  const bool vector = is_vector(self, b);
  const int side = vector ? -1 : -2;
  if (!vector && self.dim() > b.dim()) broadcast_batch(self, thpp::unsqueeze(b, -1));  // refuses most
  if ((!vector && self.dim() > b.dim()) || rows(self) != b.size(b.dim() + side))
    THError(TH_ERROR_RUNTIME, "%s: input.size(-2) should match other.size(%d)", f, side);
  for (const Tensor *t : {&self, &b})
    if (has_values(*t) && !thpp::all(thpp::isfinite(*t)).item().to_int())
      THError(TH_ERROR_RUNTIME, "%s: input and other should be finite, but contain infs or NaNs", f);
  const Tensor right = vector ? thpp::unsqueeze(b, -1) : b;
  const Sizes batch = broadcast_batch(self, right);
  const int64_t m = rows(self), n = columns(self), most = std::max(m, n), least = std::min(m, n), k = columns(right);
  const THDtype dtype = self.dtype(), real = real_dtype(dtype);

  const Tensor a = by_columns(with_batch(self, batch)), x = mT(thpp::new_zeros(self, joined(batch, {k, most}), dtype));
  thpp::copy_(thpp::narrow(x, -2, 0, m), with_batch(right, batch));
  const Tensor info = thpp::new_zeros(self, batch, TH_Int),
               ranks = which ? thpp::new_zeros(self, batch, TH_Int) : Tensor();
  const Tensor values = which > 1 ? thpp::new_zeros(self, joined(batch, {least}), real) : Tensor();
  thpp::_linalg_lstsq_(a, x, values, ranks, info, which, rcond.value_or(epsilon(dtype) * double(most)));
  if (which != 1) check_info(info, f, LapackFailure::LeastSquares);

  const Tensor tops = thpp::narrow(x, -2, 0, n);
  const bool full = which == 0 || (which > 1 && has_values(ranks) &&
                                   bool(thpp::all(thpp::eq(ranks, wrapped_number(n))).item().to_int()));
  const Tensor left_over = m > n && full ? thpp::sum(thpp::square(thpp::abs(thpp::narrow(x, -2, n, m - n))), {-2})
                                         : thpp::new_empty(self, {0}, real);
  const auto own = [&](Tensor t) {  // what belongs to A alone is not repeated where A is broadcast
    for (int d = 0; d < int(batch.size()); ++d)
      if (self.size(d) == 1 && t.size(d) > 1) t = thpp::narrow(t, d, 0, 1);
    return t;
  };
  const Tensor number_of = which ? thpp::to(own(ranks), TH_Long) : thpp::new_empty(self, {0}, TH_Long);
  const Tensor spectrum = which > 1 ? own(values) : thpp::new_empty(self, {0}, real);
  check_out(solution, dtype), check_out(residuals, real), check_out(rank, TH_Long), check_out(singular_values, real);
  write_matrix(solution, vector ? thpp::squeeze(tops, {-1}) : tops), write_matrix(residuals, left_over);
  write_matrix(rank, number_of), write_matrix(singular_values, spectrum);
}

}  // namespace thpp
