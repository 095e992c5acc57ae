// Products of matrices.
#include <THPP/Guard.h>

#include "places.h"

namespace thpp {

using namespace sparse;

namespace {

void check_matrices(const char *name, const Tensor &a, const Tensor &b) {
  if (a.dim() != 2 || b.dim() != 2)
    THError(TH_ERROR_RUNTIME, "%s: expected matrices, got sizes %s and %s", name, text(a.sizes()).c_str(),
            text(b.sizes()).c_str());
  if (a.size(1) != b.size(0)) thpp::mm(on_meta(a), on_meta(thpp::to(b, a.dtype())));  // says so
  if (dense_dims_of(a) || dense_dims_of(b))
    THError(TH_ERROR_RUNTIME, "%s: matrices with dense dimensions cannot be multiplied", name);
}

// As THS and TH multiply with them: whole numbers where the elements are.
Scalar factor_of(const Scalar &factor, THDtype t) {
  return is_inexact(t) || factor.kind == TH_KIND_int ? factor : Scalar(factor.to_int());
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
  if (!is_sparse(self) && !is_sparse(mat2)) return thpp::mm(self, mat2);
  check_matrices("mm", self, mat2);
  if (is_sparse(self) && is_sparse(mat2)) {
    same_dtype(self, mat2);
    return thpp::_sparse_sparse_matmul(self, mat2);
  }
  if (is_sparse(self)) return left(self, mat2);
  return thpp::t(left(thpp::t(mat2), thpp::t(self)));
}

Tensor mv(const Tensor &self, const Tensor &vec) {
  if (is_sparse(vec)) return thpp::mv(self, thpp::_to_dense(vec));
  if (vec.dim() != 1) THError(TH_ERROR_RUNTIME, "mv: expected a vector, got size %s", text(vec.sizes()).c_str());
  return thpp::squeeze(sparse::mm(self, thpp::unsqueeze(vec, 1)), {1});
}

Tensor addmm(const Tensor &self, const Tensor &mat1, const Tensor &mat2, const Scalar &given_beta,
             const Scalar &given_alpha) {
  const Scalar beta = factor_of(given_beta, mat1.dtype()), alpha = factor_of(given_alpha, mat1.dtype());
  check_matrices("addmm", mat1, mat2);
  same_dtype(self, mat1, mat2);
  thpp::expand(on_meta(self), {mat1.size(0), mat2.size(1)});  // says if it cannot be
  if (!is_sparse(self) && is_sparse(mat1) && !is_sparse(mat2)) {
    return thpp::_sparse_addmm(thpp::expand(self, {mat1.size(0), mat2.size(1)}), by_rows(mat1), mat2, beta, alpha);
  }
  const Tensor product = sparse::mm(mat1, mat2);
  const bool one = alpha.kind != TH_KIND_complex && alpha.to_double() == 1;
  const Tensor scaled = one ? product : thpp::mul(product, wrapped_number(alpha));
  if (beta.kind != TH_KIND_complex && beta.to_double() == 0)
    return is_sparse(self) ? in_layout_of(scaled, self) : scaled;
  const Tensor start = thpp::mul(self, wrapped_number(beta));
  return thpp::add(start, scaled);
}

Tensor matmul(const Tensor &self, const Tensor &other) {
  const int n = self.dim(), m = other.dim();
  if (n == 2 && m == 2) return sparse::mm(self, other);
  if (n == 2 && m == 1) return sparse::mv(self, other);
  if (n == 1 && m == 2) return sparse::mv(thpp::t(other), self);
  if (n == 3 && m == 3) return thpp::bmm(self, other);
  if (n == 1 && m == 1) return thpp::dot(self, other);
  if (n > 2 && m <= 2 && m > 0) {
    // Matrices of a batch, one below the other.
    const int64_t inner = self.size(n - 1);
    const Tensor product = thpp::matmul(thpp::reshape(self, {-1, inner}), other);
    std::vector<int64_t> size = list(self.sizes());
    size.pop_back();
    if (m == 2) size.push_back(other.size(1));
    return thpp::reshape(product, size);
  }
  if (n == 2 && m == 3) {
    // Side by side.
    const Tensor wide = thpp::reshape(thpp::permute(other, {1, 0, 2}), {other.size(1), other.size(0) * other.size(2)});
    return thpp::permute(thpp::reshape(thpp::mm(self, wide), {self.size(0), other.size(0), other.size(2)}), {1, 0, 2});
  }
  THError(TH_ERROR_RUNTIME, "matmul: tensors of sizes %s and %s, one of them sparse, cannot be multiplied",
          text(self.sizes()).c_str(), text(other.sizes()).c_str());
}

Tensor addmv(const Tensor &self, const Tensor &mat, const Tensor &vec, const Scalar &beta, const Scalar &alpha) {
  const Tensor start = self.dim() ? thpp::unsqueeze(self, -1) : self;
  return thpp::squeeze(
      thpp::addmm(start, mat, thpp::unsqueeze(is_sparse(vec) ? thpp::_to_dense(vec) : vec, 1), beta, alpha), {1});
}

Tensor baddbmm(const Tensor &self, const Tensor &batch1, const Tensor &batch2, const Scalar &given_beta,
               const Scalar &given_alpha) {
  const Scalar beta = factor_of(given_beta, batch1.dtype()), alpha = factor_of(given_alpha, batch1.dtype());
  const Tensor product = thpp::mul(thpp::bmm(batch1, batch2), wrapped_number(alpha));
  thpp::expand(on_meta(self), product.sizes());  // says if it cannot be
  const bool none = beta.kind != TH_KIND_complex && beta.to_double() == 0;
  return none ? product : thpp::add(thpp::mul(self, wrapped_number(beta)), product);
}

Tensor nn_linear(const Tensor &self, const Tensor &weight, const Tensor &bias) {
  const Tensor product = thpp::matmul(self, thpp::t(weight));
  return bias.defined() ? thpp::add(product, bias) : product;
}

Tensor dot(const Tensor &self, const Tensor &tensor) {
  if (self.dim() != 1 || tensor.dim() != 1 || self.size(0) != tensor.size(0))
    THError(TH_ERROR_RUNTIME, "dot: expected vectors of one length, got sizes %s and %s", text(self.sizes()).c_str(),
            text(tensor.sizes()).c_str());
  same_dtype(self, tensor);
  return thpp::sum(thpp::mul(self, tensor), IntList(), false, self.dtype());
}

Tensor vdot(const Tensor &self, const Tensor &other) { return thpp::dot(thpp::conj(self), other); }

// Each entry of one, beside each of the other.
Tensor kron(const Tensor &self, const Tensor &other) {
  // Of a strided one whose gradient is asked for, zeros are entries, too: they have gradients.
  const auto entries = [](const Tensor &t) {
    if (is_sparse(t)) return to_coo(t);
    if (!grad_mode() || !(guard_flags(t) & TH_RECORDED)) return thpp::_to_sparse(t);
    const Tensor all = thpp::arange(Scalar(t.numel()), TH_Long, t.device());
    return coo(places_of_keys(all, t.sizes()), thpp::reshape(t, {t.numel()}), t.sizes(), true);
  };
  Tensor a = entries(self), b = entries(other);
  if (dense_dims(a) || dense_dims(b))
    THError(TH_ERROR_NOT_IMPLEMENTED, "kron: of sparse tensors, those without dense dimensions have it");
  while (a.dim() < b.dim()) a = thpp::unsqueeze(a, 0);
  while (b.dim() < a.dim()) b = thpp::unsqueeze(b, 0);
  const int64_t n = nnz(a), m = nnz(b);
  std::vector<int64_t> size;
  std::vector<Tensor> found;
  for (int d = 0; d < a.dim(); ++d) {
    const int64_t step = b.sizes()[size_t(d)];
    size.push_back(TH_saturatedProduct(a.sizes()[size_t(d)], step));
    const Tensor outer = thpp::mul(thpp::unsqueeze(line_of(raw_indices(a), d), 1), number(step));
    found.push_back(thpp::reshape(thpp::add(outer, thpp::unsqueeze(line_of(raw_indices(b), d), 0)), {n * m}));
  }
  const Tensor values = thpp::mul(thpp::unsqueeze(thpp::_values(a), 1), thpp::unsqueeze(thpp::_values(b), 0));
  const Tensor made = coo(thpp::stack(found, 0), thpp::reshape(values, {n * m}), size, false);
  return is_sparse(self) ? back_to_layout(made, self) : made;
}

Tensor outer(const Tensor &self, const Tensor &vec2) {
  if (self.dim() != 1 || vec2.dim() != 1)
    THError(TH_ERROR_RUNTIME, "outer: Expected 1-D vectors, got sizes %s and %s", text(self.sizes()).c_str(),
            text(vec2.sizes()).c_str());
  return sparse::kron(thpp::unsqueeze(self, 1), thpp::unsqueeze(vec2, 0));
}

// By slices: a matrix each.
Tensor bmm(const Tensor &self, const Tensor &mat2) {
  if (self.dim() != 3 || mat2.dim() != 3 || self.size(0) != mat2.size(0))
    THError(TH_ERROR_RUNTIME, "bmm: expected two batches of as many matrices, got sizes %s and %s",
            text(self.sizes()).c_str(), text(mat2.sizes()).c_str());
  if (self.dtype() == TH_Bool) throw_kernel("bmm", TH_Bool);
  thpp::bmm(on_meta(self), on_meta(mat2));  // says if it cannot be
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
