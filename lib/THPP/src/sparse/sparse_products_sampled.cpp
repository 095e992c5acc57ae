// Products whose results are sparse: at the places of another tensor, or by rows.
#include "places.h"

namespace thpp {

using namespace sparse;

namespace {

bool is(const Scalar &s, double value) { return s.kind != TH_KIND_complex && s.to_double() == value; }

Tensor times(const Tensor &t, const Scalar &by) { return is(by, 1) ? t : thpp::mul(t, wrapped_number(by)); }

void check_factors(const char *name, const Tensor &mat1, const Tensor &mat2) {
  if (!is_sparse(mat1) || is_sparse(mat2))
    THError(TH_ERROR_RUNTIME, "%s: expected a sparse tensor and a strided one, got layouts torch.%s and torch.%s", name,
            name_of(mat1.layout()), name_of(mat2.layout()));
  if (mat1.dim() != 2 || mat2.dim() != 2 || dense_dims(mat1) || mat1.size(1) != mat2.size(0))
    THError(TH_ERROR_RUNTIME, "%s: sizes %s and %s cannot be multiplied", name, text(mat1.sizes()).c_str(),
            text(mat2.sizes()).c_str());
}

// One of the matrices of a batch.
Tensor sampled(const Tensor &self, const Tensor &mat1, const Tensor &mat2, const Scalar &beta, const Scalar &alpha) {
  const Tensor from = distinct(self);
  const Tensor product = times(thpp::_sparse_sampled(mat1, mat2, from), alpha);
  return with_values(from, is(beta, 0) ? product : thpp::add(times(thpp::_values(from), beta), product));
}

}  // namespace

Tensor body::sparse_sampled_addmm(const Tensor &self, const Tensor &mat1, const Tensor &mat2, const Scalar &beta,
                                  const Scalar &alpha) {
  if (!is_sparse(self))
    THError(TH_ERROR_RUNTIME, "sampled_addmm: Expected self to have a sparse layout, but got torch.strided");
  if (is_sparse(mat1) || is_sparse(mat2))
    THError(TH_ERROR_RUNTIME, "sampled_addmm: Expected mat1 and mat2 to be strided");
  const int n = self.dim();
  if (n < 2 || mat1.dim() != n || mat2.dim() != n || dense_dims(self))
    THError(TH_ERROR_RUNTIME, "sampled_addmm: Expected three matrices, or batches of them, got sizes %s, %s and %s",
            text(self.sizes()).c_str(), text(mat1.sizes()).c_str(), text(mat2.sizes()).c_str());
  if (mat1.size(n - 1) != mat2.size(n - 2) || mat1.size(n - 2) != self.size(n - 2) ||
      mat2.size(n - 1) != self.size(n - 1))
    THError(TH_ERROR_RUNTIME,
            "sampled_addmm: mat1 and mat2 shapes cannot be multiplied to that of self (%s and %s to %s)",
            text(mat1.sizes()).c_str(), text(mat2.sizes()).c_str(), text(self.sizes()).c_str());
  same_dtype(self, mat1, mat2);
  if (n == 2) {
    if (is_coo(self) || self.layout() == TH_SPARSE_CSR) return sampled(self, mat1, mat2, beta, alpha);
    return in_layout_of(sampled(to_coo(self), mat1, mat2, beta, alpha), self);
  }
  if (!is_compressed(self) || n > 3)
    THError(TH_ERROR_NOT_IMPLEMENTED,
            "sampled_addmm: of batches, those of one dimension and a compressed layout are sampled");
  std::vector<Tensor> values;
  for (int64_t i = 0; i < self.size(0); ++i)
    values.push_back(thpp::_values(thpp::sparse_sampled_addmm(thpp::select(self, 0, i), thpp::select(mat1, 0, i),
                                                              thpp::select(mat2, 0, i), beta, alpha)));
  return values.empty() ? self : with_values(self, thpp::stack(values, 0));
}

// The rows that have something, as dense ones.
Tensor body::hspmm(const Tensor &mat1, const Tensor &mat2) {
  check_factors("hspmm", mat1, mat2);
  same_dtype(mat1, mat2);
  const Tensor from = to_coo(mat1), places = raw_indices(from);
  const auto [rows, of, counts] = thpp::_unique(line_of(places, 0), true);
  const int64_t n = rows.size(0);
  const Tensor few = coo(thpp::stack(std::vector<Tensor>{of, line_of(places, 1)}, 0), thpp::_values(from),
                         {n, mat1.size(1)}, false);
  const Tensor none = thpp::zeros({1, 1}, mat2.dtype(), mat2.device());
  const Tensor values = thpp::_sparse_addmm(none, few, mat2, Scalar(int64_t(0)), Scalar(int64_t(1)));
  return coo(thpp::unsqueeze(rows, 0), values, {mat1.size(0), mat2.size(1)}, n < 2);
}

Tensor body::smm(const Tensor &self, const Tensor &mat2) {
  check_factors("smm", self, mat2);
  const Tensor rows = thpp::hspmm(self, mat2), made = regridded(rows, 2);
  return coo(raw_indices(made), thpp::_values(made), made.sizes(), nnz(made) < 2);
}

// Entries of self, and then those of the product.
Tensor body::sspaddmm(const Tensor &self, const Tensor &mat1, const Tensor &mat2, const Scalar &beta,
                      const Scalar &alpha) {
  check_factors("sspaddmm", mat1, mat2);
  if (!is_sparse(self) || self.dim() != 2 || self.size(0) != mat1.size(0) || self.size(1) != mat2.size(1))
    THError(TH_ERROR_RUNTIME, "sspaddmm: expected a sparse matrix of size [%lld, %lld], got size %s of layout torch.%s",
            (long long)mat1.size(0), (long long)mat2.size(1), text(self.sizes()).c_str(), name_of(self.layout()));
  same_dtype(self, mat1);
  const Tensor start = to_coo(self), product = thpp::smm(mat1, mat2);
  const std::vector<Tensor> places{raw_indices(start), raw_indices(product)};
  const std::vector<Tensor> values{times(thpp::_values(start), beta), times(thpp::_values(product), alpha)};
  return coo(thpp::cat(places, 1), thpp::cat(values, 0), self.sizes(), false);
}

}  // namespace thpp
