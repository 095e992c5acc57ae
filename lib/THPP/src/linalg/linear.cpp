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

// ---- products with weights ----------------------------------------------------------------------

namespace {

// The sizes before the last one, and `width` in its place.
std::vector<int64_t> with_width(const Tensor &t, int64_t width) {
  std::vector<int64_t> size(t.sizes().begin(), t.sizes().end());
  size.back() = width;
  return size;
}

// The vectors along the last dimension as the rows of a matrix.
Tensor as_rows(const Tensor &t) {
  const int64_t width = t.size(-1);
  int64_t rows = 1;
  for (const int64_t n : t.sizes().first(size_t(t.dim() - 1))) rows *= n;
  return thpp::reshape(t, {rows, width});
}

}  // namespace

void body::nn_linear_out(Tensor &out, const Tensor &self, const Tensor &weight, const Tensor &bias) {
  if (!self.dim() || !weight.dim())
    THError(TH_ERROR_RUNTIME, "both arguments to linear need to be at least 1D, but they are %dD and %dD", self.dim(),
            weight.dim());
  const Tensor columns = thpp::t(weight);
  if (!bias.defined()) return thpp::matmul_out(out, self, columns);
  if (self.dim() == 2 && weight.dim() == 2) return thpp::addmm_out(out, bias, self, columns);
  if (weight.dim() == 2 && bias.dim() == 1)  // one product, to which the kernel adds the bias
    return write_out_exact(out,
                           thpp::view(thpp::addmm(bias, as_rows(self), columns), with_width(self, weight.size(0))));
  write_out_exact(out, thpp::add(thpp::matmul(self, columns), bias));
}

namespace {

void check_bilinear(const Tensor &input1, const Tensor &input2, const Tensor &weight, const Tensor &bias) {
  if (input1.dim() != input2.dim())
    THError(TH_ERROR_RUNTIME, "bilinear(): input dimensions do not match: got %d and %d", input1.dim(), input2.dim());
  for (int d = 0; d + 1 < input1.dim(); ++d)
    if (input1.size(d) != input2.size(d))
      THError(TH_ERROR_RUNTIME, "bilinear(): input batch dimensions do not match at dim %d: got %lld and %lld", d,
              (long long)input1.size(d), (long long)input2.size(d));
  int place = 0;
  for (const Tensor *const input : {&input1, &input2}) {
    const int64_t width = input->size(own_dim(-1, *input)), expected = weight.size(++place);
    if (width != expected)
      THError(TH_ERROR_RUNTIME, "bilinear(): input%d size does not match weight size: got %lld but expected %lld",
              place, (long long)width, (long long)expected);
  }
  if (weight.dim() != 3) THError(TH_ERROR_RUNTIME, "bilinear(): weight must be 3D, but it is %dD", weight.dim());
  if (bias.defined() && bias.size(own_dim(0, bias)) != weight.size(0))
    THError(TH_ERROR_RUNTIME, "bilinear(): bias size does not match weight size: got %lld but expected %lld",
            (long long)bias.size(0), (long long)weight.size(0));
}

}  // namespace

Tensor body::bilinear(const Tensor &input1, const Tensor &input2, const Tensor &weight, const Tensor &bias) {
  check_bilinear(input1, input2, weight, bias);
  const int64_t outputs = weight.size(0), ins = weight.size(1), others = weight.size(2);
  const Tensor left = as_rows(input1), right = as_rows(input2);
  // (n, I) @ (I, O·J) → (n, O, J), times (n, J)
  const Tensor weights = thpp::reshape(thpp::transpose(weight, 0, 1), {ins, outputs * others});
  const Tensor half = thpp::view(thpp::mm(left, weights), {left.size(0), outputs, others});
  const Tensor result = thpp::view(thpp::bmm(half, thpp::unsqueeze(right, 2)), with_width(input1, outputs));
  return bias.defined() ? thpp::add(result, bias) : result;
}

}  // namespace thpp
