#include "linalg_norms.h"

#include <algorithm>
#include <cmath>

namespace torch::autograd {

using thpp::wrapped_number;

Tensor for_each_matrix(const Tensor &grad, int64_t batch) {
  return thpp::expand(thpp::unsqueeze(grad, 0), {batch, grad.size(0), grad.size(1)});
}

namespace {

Tensor is_zero(const Tensor &x) { return thpp::eq(x, wrapped_number(0)); }
Tensor fill_where(const Tensor &x, const Tensor &mask, double value) {
  return thpp::masked_fill(x, mask, thpp::new_full(x, {}, Scalar(value), x.dtype()));
}

// y / norm**power, and 0 where the norm is. The divisor is never 0, lest the derivative of this be NaN there.
Tensor over_norm(const Tensor &y, const Tensor &norm, double power) {
  const Tensor none = is_zero(norm), divisor = fill_where(norm, none, 1);
  const Tensor quotient = thpp::div(y, power == 1 ? divisor : thpp::pow(divisor, Scalar(power)));
  return fill_where(quotient, none, 0);
}

// The derivative of abs(x)**p / p: sgn(x) abs(x)**(p - 1). It is 0 at 0, where no power of 0 is taken, for the same
// reason.
Tensor power_slope(const Tensor &x, double p) {
  if (p == 2) return x;
  const Tensor sign = thpp::sgn(x);
  if (p == 1) return sign;
  const Tensor size = thpp::abs(x);
  return thpp::mul(sign, thpp::pow(fill_where(size, is_zero(size), 1), Scalar(p - 1)));
}

// What a reduction has taken away, as dimensions of size 1.
Tensor with_reduced(Tensor t, IntList dim, bool keepdim, int ndim) {
  if (keepdim || dim.empty()) return t;  // a 0-dim tensor broadcasts as it is
  std::vector<int64_t> dims;
  for (int64_t d : dim) dims.push_back(TH_wrapDim(d, ndim));
  std::ranges::sort(dims);
  for (int64_t d : dims) t = thpp::unsqueeze(t, d);
  return t;
}

}  // namespace

Tensor vector_norm_backward(const Tensor &grad, const Tensor &x, const Tensor &norm, const Scalar &ord, IntList dim,
                            bool keepdim) {
  const double p = ord.to_double();
  if (p == 0) return {};
  const Tensor g = with_reduced(grad, dim, keepdim, x.dim()), n = with_reduced(norm, dim, keepdim, x.dim());
  if (std::isinf(p)) {
    const Tensor size = thpp::abs(x), extreme = thpp::eq(size, thpp::to(n, size.dtype()));
    const Tensor share = thpp::div(g, thpp::sum(extreme, dim, !dim.empty(), g.dtype()));
    return thpp::mul(thpp::sgn(x), thpp::mul(extreme, share));
  }
  if (p == 1) return thpp::mul(thpp::sgn(x), g);
  return thpp::mul(power_slope(x, p), over_norm(g, n, p - 1));
}

namespace {

// Differences of a part of the rows of x1 and all of x2, (…, rows, k, n), are at most that many numbers.
constexpr int64_t kDifferences = int64_t(1) << 22;
// From here on Euclidean distances are differentiated by products of matrices, as PyTorch computes them.
constexpr int64_t kFewRows = 25;

// What the gradient of each distance is for each difference of coordinates.
Tensor slopes(const Tensor &difference, const Tensor &grad, const Tensor &distance, double p) {
  const Tensor g = thpp::unsqueeze(grad, -1), d = thpp::unsqueeze(distance, -1);
  if (std::isinf(p)) return thpp::mul(thpp::mul(thpp::sgn(difference), thpp::eq(thpp::abs(difference), d)), g);
  return thpp::mul(power_slope(difference, p), p == 1 ? fill_where(g, is_zero(d), 0) : over_norm(g, d, p - 1));
}

}  // namespace

std::vector<Tensor> cdist_backward(const Tensor &grad, const Tensor &x1, const Tensor &x2, double p,
                                   const Tensor &distance, const Wanted &wanted) {
  if (p == 0 || grad.numel() == 0 || x1.size(-1) == 0)
    return {wanted[0] ? thpp::zeros_like(x1) : Tensor(), wanted[1] ? thpp::zeros_like(x2) : Tensor()};
  const int64_t m = grad.size(-2), k = grad.size(-1), n = x1.size(-1);
  if (p == 2 && (m > kFewRows || k > kFewRows)) {
    // sum over j of w_ij (a_i - b_j) = (sum over j of w_ij) a_i - (w b)_i
    const Tensor weight = over_norm(grad, distance, 1);
    const auto side = [](const Tensor &w, const Tensor &a, const Tensor &b) {
      return thpp::sub(thpp::mul(thpp::sum(w, {-1}, true), a), thpp::matmul(w, b));
    };
    return {wanted[0] ? side(weight, x1, x2) : Tensor(),
            wanted[1] ? side(thpp::transpose(weight, -2, -1), x2, x1) : Tensor()};
  }
  const int64_t per_row = grad.numel() / m * n, step = std::clamp<int64_t>(kDifferences / per_row, 1, m);
  std::vector<Tensor> of_x1;
  Tensor of_x2;
  for (int64_t first = 0; first < m; first += step) {
    const int64_t count = std::min(step, m - first);
    const auto part = [&](const Tensor &t) { return count == m ? t : thpp::narrow(t, -2, first, count); };
    const Tensor difference = thpp::sub(thpp::unsqueeze(part(x1), -2), thpp::unsqueeze(x2, -3));
    const Tensor slope = slopes(difference, part(grad), part(distance), p);
    if (wanted[0]) of_x1.push_back(thpp::sum(slope, {-2}));
    if (wanted[1]) {
      const Tensor sum = thpp::sum(slope, {-3});
      of_x2 = of_x2.defined() ? thpp::sub(of_x2, sum) : thpp::neg(sum);
    }
  }
  return {of_x1.empty() ? Tensor() : of_x1.size() == 1 ? of_x1[0] : thpp::cat(of_x1, -2), of_x2};
}

}  // namespace torch::autograd
