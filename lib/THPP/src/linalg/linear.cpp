// Products of matrices and vectors.
#include "results.h"

#include "bodies.h"

namespace thpp {

void body::outer_out(Tensor &out, const Tensor &self, const Tensor &vec2) {
  check_ndim(self, 1, "self");
  check_ndim(vec2, 1, "vec2");
  thpp::mul_out(out, thpp::reshape(self, {self.size(0), 1}), vec2);
}

namespace {

// The product of batches: batch dimensions broadcast; at least one operand has some.
Tensor batched(const Tensor &a, const Tensor &b) {
  const int n = a.dim(), m = b.dim();
  if (n > 2 && m <= 2) {  // one matrix or vector for the whole batch: one big product
    std::vector<int64_t> size(a.sizes().begin(), a.sizes().end() - 1);
    int64_t rows = 1;
    for (int64_t s : size) rows *= s;
    const Tensor flat = thpp::reshape(a, {rows, a.size(n - 1)});
    if (m == 1) return thpp::_unsafe_view(thpp::mv(flat, b), size);
    size.push_back(b.size(1));
    return thpp::_unsafe_view(thpp::mm(flat, b), size);
  }
  if (n == 1) return thpp::squeeze_(batched(thpp::unsqueeze(a, 0), b), {-2});
  if (m == 1) return thpp::squeeze_(batched(a, thpp::unsqueeze(b, 1)), {-1});

  const auto batch = [](const Tensor &t) {  // a tensor without elements, in the shape of the batch
    return empty_strided(t.dtype(), t.sizes().first(t.dim() - 2), std::vector<int64_t>(t.dim() - 2, 0), t.device());
  };
  const Tensor batches[] = {batch(a), batch(b)};
  int64_t shape[TH_MAX_DIM];
  const int ndim = TH_broadcastShape(2, handles(batches), shape);
  const auto expanded = [&](const Tensor &t) {
    std::vector<int64_t> size(shape, shape + ndim);
    size.insert(size.end(), t.sizes().end() - 2, t.sizes().end());
    return thpp::expand(t, size);
  };
  int64_t count = 1;
  for (int d = 0; d < ndim; ++d) count *= shape[d];
  const Tensor product = thpp::bmm(thpp::reshape(expanded(a), {count, a.size(n - 2), a.size(n - 1)}),
                                   thpp::reshape(expanded(b), {count, b.size(m - 2), b.size(m - 1)}));
  std::vector<int64_t> size(shape, shape + ndim);
  size.insert(size.end(), {a.size(n - 2), b.size(m - 1)});
  return thpp::_unsafe_view(product, size);
}

}  // namespace

void body::matmul_out(Tensor &out, const Tensor &self, const Tensor &other) {
  const int n = self.dim(), m = other.dim();
  if (n == 0 || m == 0)
    THError(TH_ERROR_RUNTIME, "both arguments to matmul need to be at least 1D, but they are %dD and %dD", n, m);
  if (n == 2 && m == 2) return thpp::mm_out(out, self, other);
  if (n == 1 && m == 1) return thpp::dot_out(out, self, other);
  if (n == 2 && m == 1) return thpp::mv_out(out, self, other);
  const Tensor product = n == 1 && m == 2 ? thpp::squeeze_(thpp::mm(thpp::unsqueeze(self, 0), other), {0})
                                          : batched(self, other);
  if (!out.defined()) {
    out = product;
    return;
  }
  exact_target(out, product.device(), product.dtype());
  thpp::_resize_as_(out, product);
  thpp::_copy_(out, product);
}

}  // namespace thpp
