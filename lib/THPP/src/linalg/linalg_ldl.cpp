// Factors of symmetric matrices that need not be definite: A = L D L.T, or L D L' with `hermitian`.
#include "linalg.h"

namespace thpp {

namespace {

struct Ldl {
  Tensor ld, pivots, info;
};
Ldl factor_ldl(const Tensor &a, bool hermitian) {
  check_square(a, "torch.linalg.ldl_factor_ex");
  check_inexact(a, "torch.linalg.ldl_factor_ex");
  const Ldl f{by_columns(lower_triangle(a)), thpp::new_empty(a, batch_of(a, 1), TH_Int),
              thpp::new_empty(a, batch_of(a), TH_Int)};
  thpp::_ldl_factor_kernel_(f.ld, f.pivots, f.info, false, hermitian);
  return f;
}

}  // namespace

void body::linalg_ldl_factor_ex_out(Tensor &LD, Tensor &pivots, Tensor &info, const Tensor &self, bool hermitian,
                                    bool check_errors) {
  const Ldl f = factor_ldl(self, hermitian);
  if (check_errors) check_info(f.info, "torch.linalg.ldl_factor_ex", LapackFailure::Block);
  check_out(LD, f.ld.dtype()), check_out(pivots, TH_Int), check_out(info, TH_Int);
  write_matrix(LD, f.ld), write_matrix(pivots, f.pivots), write_matrix(info, f.info);
}

void body::linalg_ldl_factor_out(Tensor &LD, Tensor &pivots, const Tensor &self, bool hermitian) {
  const auto [ld, exchanges, info] = thpp::linalg_ldl_factor_ex(self, hermitian, false);
  check_info(info, "torch.linalg.ldl_factor", LapackFailure::Block);
  check_out(LD, ld.dtype()), check_out(pivots, TH_Int);
  write_matrix(LD, ld), write_matrix(pivots, exchanges);
}

void body::linalg_ldl_solve_out(Tensor &out, const Tensor &LD, const Tensor &pivots, const Tensor &B, bool hermitian) {
  const char *f = "torch.linalg.ldl_solve";
  check_square(LD, f);
  check_inexact(LD, f);
  if (B.dim() < 2 && B.dtype() == LD.dtype())
    THError(TH_ERROR_INDEX, "%s: B must have at least 2 dimensions, but it has %d", f, B.dim());
  check_system(B, LD, f);
  if (TH_kind(pivots.dtype()) != TH_KIND_int)
    THError(TH_ERROR_RUNTIME, "%s: Expected pivots to be integers. Got %s", f, TH_typeName(pivots.dtype()));
  if (!std::ranges::equal(batch_of(LD, 1), pivots.sizes()))
    THError(TH_ERROR_RUNTIME,
            "%s: Expected LD.shape[:-1] and pivots.shape to be the same, but got pivots with shape %s instead", f,
            shape_text(pivots).c_str());
  const Sizes batch = broadcast_batch(B, LD);
  const Tensor x = by_columns(with_batch(B, batch)), ld = by_columns(with_batch(LD, batch));
  const Tensor exchanges = thpp::contiguous(thpp::expand(thpp::to(pivots, TH_Int), joined(batch, {rows(LD)})));
  thpp::_ldl_solve_kernel_(x, ld, exchanges, false, hermitian);
  write_matrix(out, x);
}

}  // namespace thpp
