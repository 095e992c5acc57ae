// Products of matrices.
#include "sparse.h"

namespace thpp {

using namespace sparse;

namespace {

void check_matrices(const char *name, const Tensor &a, const Tensor &b) {
  if (a.dim() != 2 || b.dim() != 2)
    THError(TH_ERROR_RUNTIME, "%s: expected matrices, got sizes %s and %s", name, text(a.sizes()).c_str(), text(b.sizes()).c_str());
  if (a.size(1) != b.size(0))
    THError(TH_ERROR_RUNTIME, "mat1 and mat2 shapes cannot be multiplied (%lldx%lld and %lldx%lld)", (long long)a.size(0),
            (long long)a.size(1), (long long)b.size(0), (long long)b.size(1));
  if (dense_dims_of(a) || dense_dims_of(b))
    THError(TH_ERROR_RUNTIME, "%s: matrices with dense dimensions cannot be multiplied", name);
}

// What THS multiplies from the left: by coordinates or CSR.
Tensor by_rows(const Tensor &t) {
  return is_coo(t) || t.layout() == TH_SPARSE_CSR ? t : thpp::_to_sparse_compressed(t, TH_SPARSE_CSR);
}

// Sparse times strided.
Tensor left(const Tensor &self, const Tensor &mat2) {
  const THDtype t = same_dtype(self, mat2);
  const Tensor none = thpp::zeros({1, 1}, t, mat2.device());
  return thpp::_sparse_addmm(none, by_rows(self), mat2, Scalar(int64_t(0)), Scalar(int64_t(1)));
}

}  // namespace

namespace sparse {

Tensor mm(const Tensor &self, const Tensor &mat2) {
  check_matrices("mm", self, mat2);
  if (is_sparse(self) && is_sparse(mat2)) {
    same_dtype(self, mat2);
    return thpp::_sparse_sparse_matmul(self, mat2);
  }
  if (is_sparse(self)) return left(self, mat2);
  return thpp::t(left(thpp::t(mat2), thpp::t(self)));
}

Tensor mv(const Tensor &self, const Tensor &vec) {
  if (is_sparse(vec)) return sparse::mv(self, thpp::_to_dense(vec));
  if (vec.dim() != 1)
    THError(TH_ERROR_RUNTIME, "mv: expected a vector, got size %s", text(vec.sizes()).c_str());
  return thpp::squeeze(sparse::mm(self, thpp::unsqueeze(vec, 1)), {1});
}

Tensor addmm(const Tensor &self, const Tensor &mat1, const Tensor &mat2, const Scalar &beta, const Scalar &alpha) {
  check_matrices("addmm", mat1, mat2);
  if (!is_sparse(self) && is_sparse(mat1) && !is_sparse(mat2)) {
    same_dtype(self, mat1, mat2);
    return thpp::_sparse_addmm(thpp::expand(self, {mat1.size(0), mat2.size(1)}), by_rows(mat1), mat2, beta, alpha);
  }
  const Tensor product = sparse::mm(mat1, mat2);
  const bool one = alpha.kind != TH_KIND_complex && alpha.to_double() == 1;
  const Tensor scaled = one ? product : thpp::mul(product, wrapped_number(alpha));
  if (beta.kind != TH_KIND_complex && beta.to_double() == 0) return is_sparse(self) ? in_layout_of(scaled, self) : scaled;
  const Tensor start = thpp::mul(self, wrapped_number(beta));
  return thpp::add(start, scaled);
}

Tensor matmul(const Tensor &self, const Tensor &other) {
  if (self.dim() == 2 && other.dim() == 2) return sparse::mm(self, other);
  if (self.dim() == 2 && other.dim() == 1) return sparse::mv(self, other);
  if (self.dim() == 1 && other.dim() == 2) return sparse::mv(thpp::t(other), self);
  return thpp::bmm(self, other);
}

// By slices: a matrix each.
Tensor bmm(const Tensor &self, const Tensor &mat2) {
  if (self.dim() != 3 || mat2.dim() != 3 || self.size(0) != mat2.size(0))
    THError(TH_ERROR_RUNTIME, "bmm: expected two batches of as many matrices, got sizes %s and %s", text(self.sizes()).c_str(),
            text(mat2.sizes()).c_str());
  std::vector<Tensor> products;
  for (int64_t i = 0; i < self.size(0); ++i) {
    const Tensor product = thpp::mm(thpp::select(self, 0, i), thpp::select(mat2, 0, i));
    products.push_back(product);
  }
  if (products.empty()) return thpp::zeros({0, self.size(1), mat2.size(2)}, self.dtype(), self.device());
  return thpp::stack(products, 0);
}

}  // namespace sparse
}  // namespace thpp
