// Triangles and diagonals of matrices, and systems with a triangular one.
#include <limits>

#include "places.h"

namespace thpp {

using namespace sparse;

namespace {

void expect_matrix(const char *name, const Tensor &self) {
  if (self.dim() != 2 || dense_dims(self))
    THError(TH_ERROR_NOT_IMPLEMENTED, "%s: of sparse tensors, those of two sparse dimensions have it; got size %s",
            name, text(self.sizes()).c_str());
}

// The entries that are on that side of a diagonal of the last two sparse dimensions, or on it.
Tensor triangle(const char *name, const Tensor &self, int64_t diagonal, bool lower) {
  if (self.dim() < 2 || dense_dims(self))
    THError(TH_ERROR_RUNTIME, "%s: input tensor must have at least 2 dimensions, none of them dense; got size %s", name,
            text(self.sizes()).c_str());
  return by_coordinates(self, [&](const Tensor &from) {
    const Tensor places = raw_indices(from);
    const Tensor off = thpp::sub(line_of(places, from.dim() - 1), line_of(places, from.dim() - 2));
    return chosen(from, numbers_of(lower ? thpp::le(off, number(diagonal)) : thpp::ge(off, number(diagonal))));
  });
}

Tensor solved(const Tensor &b, const Tensor &matrix, bool upper, bool transposed, bool unitriangular) {
  if (is_sparse(b) || !is_sparse(matrix))
    THError(TH_ERROR_NOT_IMPLEMENTED,
            "a system with a sparse right side is not solved: to_dense() makes it a strided one");
  if (matrix.dim() != 2 || matrix.size(0) != matrix.size(1) || dense_dims(matrix) || b.dim() != 2 ||
      b.size(0) != matrix.size(0))
    THError(TH_ERROR_RUNTIME,
            "triangular_solve: expected a square matrix, and a matrix of as many rows; got sizes %s and %s",
            text(matrix.sizes()).c_str(), text(b.sizes()).c_str());
  same_dtype(b, matrix);
  const Tensor turned = transposed ? thpp::t(matrix) : matrix;
  const Tensor rows = is_coo(turned) ? thpp::coalesce(turned) : turned;
  const Tensor csr = rows.layout() == TH_SPARSE_CSR ? rows : thpp::_to_sparse_compressed(rows, TH_SPARSE_CSR);
  return thpp::_sparse_trsm(b, csr, upper != transposed, unitriangular);
}

}  // namespace

namespace sparse {

Tensor tril(const Tensor &self, int64_t diagonal) { return triangle("tril", self, diagonal, true); }
Tensor triu(const Tensor &self, int64_t diagonal) { return triangle("triu", self, diagonal, false); }

Tensor diagonal(const Tensor &self, int64_t offset, int64_t dim1, int64_t dim2) {
  const int a = own_dim(dim1, self), b = own_dim(dim2, self);
  if (a == b)
    THError(TH_ERROR_RUNTIME, "diagonal dimensions cannot be identical %lld, %lld", (long long)dim1, (long long)dim2);
  if (dense_dims(self))
    THError(TH_ERROR_NOT_IMPLEMENTED, "diagonal: of sparse tensors, those without dense dimensions have it");
  const Tensor from = is_coo(self) ? self : to_coo(self), places = raw_indices(from);
  const Tensor first = line_of(places, a), second = line_of(places, b);
  const Tensor which = numbers_of(thpp::eq(thpp::sub(second, first), number(offset)));
  std::vector<int64_t> kept, size;
  for (int d = 0; d < from.dim(); ++d)
    if (d != a && d != b) {
      kept.push_back(d);
      size.push_back(from.sizes()[size_t(d)]);
    }
  // What is left of an offset that is beyond the matrix is 0 long.
  const int64_t rows = from.size(a), columns = from.size(b);
  const int64_t length = offset >= 0
                             ? std::min(rows, columns - std::min(columns, offset))
                             : std::min(columns,
                                        rows - std::min(rows, offset == std::numeric_limits<int64_t>::min() ? rows
                                                                                                            : -offset));
  size.push_back(length);
  const Tensor along = thpp::unsqueeze(offset >= 0 ? first : second, 0);
  const Tensor found = thpp::cat(std::vector<Tensor>{lines(places, kept), along}, 0);
  return chosen(from, which, thpp::index_select(found, 1, which), size);
}

Tensor diag(const Tensor &self, int64_t diagonal) {
  if (self.dim() == 2) return thpp::diagonal(self, diagonal, 0, 1);
  if (self.dim() != 1 || dense_dims(self))
    THError(TH_ERROR_RUNTIME, "diag(): Supports 1D or 2D tensors. Got size %s", text(self.sizes()).c_str());
  const Tensor along = line_of(raw_indices(self), 0);
  const int64_t down = std::max<int64_t>(0, -diagonal), right = std::max<int64_t>(0, diagonal),
                n = self.size(0) + down + right;
  const std::vector<Tensor> places{thpp::add(along, number(down)), thpp::add(along, number(right))};
  return coo(thpp::stack(places, 0), thpp::_values(self), {n, n}, coalesced(self));
}

Tensor trace(const Tensor &self) {
  expect_matrix("trace", self);
  if (self.dtype() == TH_Bool) throw_kernel("trace", TH_Bool);
  return thpp::sum(thpp::diagonal(self, 0, 0, 1));
}

std::tuple<Tensor, Tensor> triangular_solve(const Tensor &self, const Tensor &A, bool upper, bool transpose,
                                            bool unitriangular) {
  return {solved(self, A, upper, transpose, unitriangular), is_coo(A) ? A : without_elements(self)};
}

Tensor linalg_solve_triangular(const Tensor &self, const Tensor &B, bool upper, bool left, bool unitriangular) {
  if (left) return solved(B, self, upper, false, unitriangular);
  return thpp::t(solved(thpp::t(B), self, upper, true, unitriangular));
}

}  // namespace sparse
}  // namespace thpp
