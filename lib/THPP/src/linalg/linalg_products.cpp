// Products of several matrices, powers, exponentials, distances.
#include "linalg.h"

#include <bit>
#include <cmath>

namespace thpp {

namespace {

// The cheapest order of multiplication: split[i][j] says after which matrix the product of i … j is cut.
struct Chain {
  std::vector<Tensor> matrices;
  std::vector<std::vector<size_t>> split;

  explicit Chain(std::vector<Tensor> list) : matrices(std::move(list)) {
    const size_t n = matrices.size();
    const auto side = [&](size_t i) { return double(i < n ? rows(matrices[i]) : columns(matrices[n - 1])); };
    std::vector<std::vector<double>> cost(n, std::vector<double>(n, 0));
    split.assign(n, std::vector<size_t>(n, 0));
    for (size_t length = 1; length < n; ++length)
      for (size_t i = 0, j = length; j < n; ++i, ++j) {
        cost[i][j] = INFINITY;
        for (size_t k = i; k < j; ++k) {
          const double c = cost[i][k] + cost[k + 1][j] + side(i) * side(k + 1) * side(j + 1);
          if (c < cost[i][j]) cost[i][j] = c, split[i][j] = k;
        }
      }
  }
  Tensor product(size_t i, size_t j) const {
    return i == j ? matrices[i] : thpp::mm(product(i, split[i][j]), product(split[i][j] + 1, j));
  }
};

}  // namespace

void body::linalg_multi_dot_out(Tensor &out, TensorList tensors) {
  const size_t n = tensors.size();
  if (n < 2) THError(TH_ERROR_RUNTIME, "multi_dot(): expected at least 2 tensors but got %zu", n);
  const Tensor &first = tensors[0], &last = tensors[n - 1];
  if (first.dim() != 1 && first.dim() != 2)
    THError(TH_ERROR_RUNTIME, "multi_dot(): the first tensor must be 1D or 2D but got %dD", first.dim());
  if (last.dim() != 1 && last.dim() != 2)
    THError(TH_ERROR_RUNTIME, "multi_dot(): the last tensor must be 1D or 2D but got %dD", last.dim());
  std::vector<Tensor> list;
  for (size_t i = 0; i < n; ++i) {
    const Tensor &t = tensors[i];
    if (i && i + 1 < n && t.dim() != 2)
      THError(TH_ERROR_RUNTIME, "multi_dot(): tensor %zu must be 2D but got %dD", i, t.dim());
    list.push_back(t.dim() == 2 ? t : thpp::unsqueeze(t, i ? -1 : 0));
  }
  for (size_t i = 0; i + 1 < n; ++i) {
    if (tensors[i].dtype() != tensors[i + 1].dtype())
      THError(TH_ERROR_RUNTIME,
              "multi_dot(): all tensors must have be the same dtype but tensor %zu is %s and tensor %zu %s", i,
              TH_dtypeName(tensors[i].dtype()), i + 1, TH_dtypeName(tensors[i + 1].dtype()));
    if (columns(list[i]) != rows(list[i + 1]))
      THError(TH_ERROR_RUNTIME, "multi_dot(): tensors %zu and %zu with shapes %s and %s cannot be multiplied", i, i + 1,
              shape_text(tensors[i]).c_str(), shape_text(tensors[i + 1]).c_str());
  }
  Tensor result = Chain(std::move(list)).product(0, n - 1);
  if (first.dim() == 1 || last.dim() == 1) {
    std::vector<int64_t> size;
    if (first.dim() == 2) size.push_back(result.size(0));
    if (last.dim() == 2) size.push_back(result.size(1));
    result = thpp::view(result, size);
  }
  write_matrix(out, result);
}

void body::chain_matmul_out(Tensor &out, TensorList matrices) {
  if (matrices.empty()) THError(TH_ERROR_RUNTIME, "chain_matmul(): Expected one or more matrices");
  for (const Tensor &m : matrices)
    if (m.dim() != 2) THError(TH_ERROR_RUNTIME, "Tensor dimension is %d, expected 2 instead.", m.dim());
  if (matrices.size() == 1) return write_matrix(out, thpp::clone(matrices[0]));
  thpp::linalg_multi_dot_out(out, matrices);
}

// ---- powers -------------------------------------------------------------------------------------
void body::linalg_matrix_power_out(Tensor &out, const Tensor &self, int64_t n) {
  check_square(self, "linalg.matrix_power");
  check_out(out, self.dtype());
  if (n == 0) {
    const Tensor one = thpp::new_zeros(self, self.sizes(), self.dtype());
    thpp::fill_(thpp::diagonal(one, 0, -2, -1), wrapped_number(1));
    // A constant, but recorded as a function of self: its gradient is zeros.
    return write_matrix(out, is_recorded(self) ? thpp::copy_(thpp::clone(self), one) : one);
  }
  Tensor power = n < 0 ? thpp::linalg_inv(self) : n == 1 ? thpp::clone(self, MemoryFormat::Contiguous) : self, result;
  uint64_t left = n < 0 ? -uint64_t(n) : uint64_t(n);
  if (left == 3) return write_matrix(out, thpp::matmul(thpp::matmul(power, power), power));
  for (;; power = thpp::matmul(power, power)) {
    if (left & 1) result = result.defined() ? thpp::matmul(result, power) : power;
    if ((left >>= 1) == 0) break;
  }
  write_matrix(out, result);
}
void body::matrix_power_out(Tensor &out, const Tensor &self, int64_t n) { thpp::linalg_matrix_power_out(out, self, n); }

// By the [13/13] Padé approximant of A / 2^s, which is squared s times (Higham, The scaling and squaring method for
// the matrix exponential revisited, 2005). Each matrix of a batch has its own s.
Tensor body::linalg_matrix_exp(const Tensor &self) {
  check_inexact(self, "linalg.matrix_exp");
  check_square(self, "linalg.matrix_exp");
  if (self.numel() == 0) return thpp::clone(self);
  const THDtype computed = self.dtype() == TH_Half || self.dtype() == TH_BFloat16 ? TH_Float : self.dtype();
  const Tensor given = thpp::to(self, computed);
  const double limit = real_dtype(computed) == TH_Float ? 3.9 : 5.37;
  const Tensor size = thpp::linalg_matrix_norm(given, Scalar(1), {-2, -1}, true);
  Tensor times = thpp::clamp_min(thpp::ceil(thpp::log2(thpp::div(size, number(limit)))), number(0));
  times = thpp::masked_fill(times, thpp::logical_not(thpp::isfinite(times)), thpp::new_zeros(times, {}, times.dtype()));
  const Tensor a = thpp::mul(given, thpp::pow(Scalar(2.0), thpp::neg(times)));

  static constexpr double c[] = {64764752532480000,
                                 32382376266240000,
                                 7771770303897600,
                                 1187353796428800,
                                 129060195264000,
                                 10559470521600,
                                 670442572800,
                                 33522128640,
                                 1323241920,
                                 40840800,
                                 960960,
                                 16380,
                                 182,
                                 1};
  const Tensor one = identity(a, computed, batch_of(a), rows(a), rows(a));
  const Tensor a2 = thpp::matmul(a, a), a4 = thpp::matmul(a2, a2), a6 = thpp::matmul(a4, a2);
  const auto scaled = [&](int i6, int i4, int i2) {
    return thpp::add(thpp::add(thpp::mul(a6, number(c[i6] / c[0])), thpp::mul(a4, number(c[i4] / c[0]))),
                     thpp::mul(a2, number(c[i2] / c[0])));
  };
  const Tensor u = thpp::matmul(a, thpp::add(thpp::add(thpp::matmul(a6, scaled(13, 11, 9)), scaled(7, 5, 3)),
                                             thpp::mul(one, number(c[1] / c[0]))));
  const Tensor v = thpp::add(thpp::add(thpp::matmul(a6, scaled(12, 10, 8)), scaled(6, 4, 2)), one);
  Tensor result = std::get<0>(thpp::linalg_solve_ex(thpp::sub(v, u), thpp::add(v, u)));
  const int64_t most = !has_values(times) ? 0 : int64_t(thpp::amax(times).item().to_double());
  for (int64_t i = 0; i < most; ++i)
    result = thpp::where(thpp::gt(times, wrapped_number(i)), thpp::matmul(result, result), result);
  return thpp::to(thpp::contiguous(result), self.dtype());
}
Tensor body::matrix_exp(const Tensor &self) { return thpp::linalg_matrix_exp(self); }

Tensor body::linalg_vander(const Tensor &x, std::optional<int64_t> N) {
  if (x.dtype() == TH_Bool || (is_inexact(x.dtype()) && !computes(x.dtype())))
    THError(TH_ERROR_RUNTIME, "linalg.vander supports floating point, complex, and integer tensors, but got %s",
            TH_typeName(x.dtype()));
  const Tensor values = x.dim() ? x : thpp::unsqueeze(x, 0);
  const int64_t n = N.value_or(columns(values));
  if (n <= 1) THError(TH_ERROR_RUNTIME, "N must be greater than 1.");
  const Tensor base = thpp::unsqueeze(thpp::to(values, is_inexact(x.dtype()) ? x.dtype() : TH_Long), -1);
  return thpp::pow(base, thpp::arange(n, std::nullopt, base.device()));
}

void body::linalg_vecdot_out(Tensor &out, const Tensor &x, const Tensor &y, int64_t dim) {
  check_inexact(x, "linalg.vecdot");
  check_pair(x, y, "linalg.vecdot", "x", "y");
  check_out(out, x.dtype());
  if (x.dim() == 1 && y.dim() == 1 && x.dtype() == y.dtype()) {
    TH_wrapDim(dim, 1);
    return write_matrix(out, thpp::vdot(x, y));
  }
  write_matrix(out, thpp::sum(thpp::mul(thpp::conj(x), y), {dim}));
}

// ---- contraction --------------------------------------------------------------------------------
void body::_tensordot_out(Tensor &out, const Tensor &self, const Tensor &other, IntList dims_self, IntList dims_other) {
  if (dims_self.size() != dims_other.size()) THError(TH_ERROR_RUNTIME, "both dimension lists should have same length");
  if (self.dtype() != other.dtype()) THError(TH_ERROR_RUNTIME, "both inputs should have same dtype");
  const uint64_t gone_a = dims_self.empty() ? 0 : dim_mask(dims_self, self.dim());
  const uint64_t gone_b = dims_other.empty() ? 0 : dim_mask(dims_other, other.dim());
  Tensor a = self, b = other;
  int64_t inner = 1;
  Sizes order_a, order_b, size;
  for (size_t i = 0; i < dims_self.size(); ++i) {
    const int d = TH_wrapDim(dims_self[i], self.dim()), e = TH_wrapDim(dims_other[i], other.dim());
    const int64_t m = self.size(d), n = other.size(e);
    if (n == 1)  // broadcast: the other's elements are summed
      a = thpp::sum(a, {d}, true, self.dtype());
    else if (m == 1)
      b = thpp::sum(b, {e}, true, self.dtype());
    else if (m != n)
      THError(
          TH_ERROR_RUNTIME,
          "contracted dimensions need to match, but first has size %lld in dim %lld and second has size %lld in dim "
          "%lld",
          (long long)m, (long long)dims_self[i], (long long)n, (long long)dims_other[i]);
    inner *= n == 1 || m == 1 ? 1 : m;
  }
  int64_t left = 1, right = 1;
  for (int d = 0; d < a.dim(); ++d)
    if (!(gone_a >> d & 1)) order_a.push_back(d), size.push_back(a.size(d)), left *= a.size(d);
  for (int64_t d : dims_self) order_a.push_back(TH_wrapDim(d, a.dim()));
  for (int64_t d : dims_other) order_b.push_back(TH_wrapDim(d, b.dim()));
  for (int d = 0; d < b.dim(); ++d)
    if (!(gone_b >> d & 1)) order_b.push_back(d), size.push_back(b.size(d)), right *= b.size(d);
  if (left == 1 && right == 1) require_kernel("dot", self, kFloat8);
  const Tensor product = thpp::mm(thpp::reshape(thpp::permute(a, order_a), {left, inner}),
                                  thpp::reshape(thpp::permute(b, order_b), {inner, right}));
  write_matrix(out, thpp::reshape(product, size));
}

// ---- distances ----------------------------------------------------------------------------------
Tensor body::_cdist(const Tensor &x1, const Tensor &x2, double p) {
  for (const auto &[x, name] : {std::pair(&x1, "X1"), std::pair(&x2, "X2")})
    if (x->dim() < 2) THError(TH_ERROR_RUNTIME, "cdist only supports at least 2D tensors, %s got: %dD", name, x->dim());
  if (columns(x1) != columns(x2))
    THError(TH_ERROR_RUNTIME, "X1 and X2 must have the same number of columns. X1: %lld X2: %lld",
            (long long)columns(x1), (long long)columns(x2));
  for (const auto &[x, name] : {std::pair(&x1, "X1"), std::pair(&x2, "X2")})
    if (!is_floating(x->dtype()))
      THError(TH_ERROR_RUNTIME, "cdist only supports floating-point dtypes, %s got: %s", name, TH_typeName(x->dtype()));
  if (!(p >= 0)) THError(TH_ERROR_RUNTIME, "cdist only supports non-negative p values");
  if (x1.dtype() != x2.dtype())
    THError(TH_ERROR_RUNTIME, "expected scalar type %s but found %s", TH_typeName(x1.dtype()), TH_typeName(x2.dtype()));
  if (x1.dtype() != TH_Float && x1.dtype() != TH_Double) throw_kernel("cdist", x1.dtype());
  const Sizes batch = broadcast_batch(x1, x2);
  const Tensor a = thpp::contiguous(with_batch(x1, batch)), b = thpp::contiguous(with_batch(x2, batch));
  const Tensor result = thpp::new_empty(x1, joined(batch, {rows(x1), rows(x2)}), x1.dtype());
  thpp::_cdist_kernel_(result, a, b, p);
  return result;
}

}  // namespace thpp
