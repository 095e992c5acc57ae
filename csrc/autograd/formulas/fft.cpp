// Fourier transforms.
#include "fft.h"

#include <string_view>

namespace torch::autograd {

namespace {

// The adjoint of a transform that is multiplied by c is the other one, multiplied by c: the norm of the other one that
// means this.
const char *other_norm(const char *norm) {
  const std::string_view name = norm ? norm : "backward";
  return name == "backward" ? "forward" : name == "forward" ? "backward" : norm;
}

std::vector<int64_t> dims_of(int ndim, IntList s, IntList dim) {
  std::vector<int64_t> dims;
  for (int64_t d : dim) dims.push_back(TH_wrapDim(d, ndim));
  if (!dim.data())
    for (int d = s.data() ? ndim - int(s.size()) : 0; d < ndim; ++d) dims.push_back(d);
  return dims;
}

// What was cut off has no gradient, and what was added had no input.
Tensor fitted(Tensor x, IntList sizes, IntList dims) {
  for (int64_t dim : dims) {
    const int64_t d = TH_wrapDim(dim, x.dim()), had = sizes[size_t(d)], n = x.size(int(d));
    if (n > had) x = thpp::narrow(x, d, 0, had);
    if (n < had) {
      std::vector<int64_t> size(x.sizes().begin(), x.sizes().end());
      size[size_t(d)] = had - n;
      x = thpp::cat({x, thpp::new_zeros(x, size, x.dtype())}, d);
    }
  }
  return x;
}

// The first half of a transform of n real numbers stands for its mirror image too, but for the first element and, of an
// even number, the last: these are multiplied by 1, the others by `inner`.
Tensor weighted(const Tensor &half, int64_t dim, int64_t n, double inner, double all = 1) {
  const int d = TH_wrapDim(dim, half.dim());
  const int64_t count = half.size(d);
  const THDtype real = TH_realDtype(half.dtype());
  const Tensor weight = thpp::new_full(half, {count}, thpp::Scalar(inner * all), real);
  const Tensor one = thpp::new_full(half, {}, thpp::Scalar(all), real);
  thpp::fill_(thpp::narrow(weight, 0, 0, 1), one);
  if (n % 2 == 0 && count == n / 2 + 1) thpp::fill_(thpp::narrow(weight, 0, count - 1, 1), one);
  std::vector<int64_t> shape(size_t(half.dim()), 1);
  shape[size_t(d)] = count;
  return thpp::mul(half, thpp::view(weight, shape));
}

}  // namespace

Tensor fft_c2c_backward(const Tensor &grad, IntList sizes, IntList s, IntList dim, const char *norm, bool forward) {
  const std::vector<int64_t> dims = dims_of(grad.dim(), s, dim);
  if (dims.empty()) return grad;
  return fitted(forward ? thpp::fft_ifftn(grad, IntList(), dims, other_norm(norm))
                        : thpp::fft_fftn(grad, IntList(), dims, other_norm(norm)),
                sizes, dims);
}

// Re of the sum over the half of grad_k exp(±…), which is the transform of a half back to real numbers, but for the
// elements that it would count twice.
Tensor fft_r2c_backward(const Tensor &grad, IntList sizes, IntList s, IntList dim, const char *norm, bool forward) {
  const std::vector<int64_t> dims = dims_of(grad.dim(), s, dim);
  std::vector<int64_t> lengths;
  for (int64_t d : dims) lengths.push_back(grad.size(int(d)));
  const int64_t last = dims.back();
  lengths.back() = s.data() && s.back() != -1 ? s.back() : sizes[size_t(last)];
  const Tensor half = weighted(grad, last, lengths.back(), 0.5);
  return fitted(forward ? thpp::fft_irfftn(half, lengths, dims, other_norm(norm))
                        : thpp::fft_hfftn(half, lengths, dims, other_norm(norm)),
                sizes, dims);
}

Tensor fft_c2r_backward(const Tensor &grad, IntList sizes, IntList s, IntList dim, const char *norm, bool forward) {
  const std::vector<int64_t> dims = dims_of(grad.dim(), s, dim);
  const Tensor half = forward ? thpp::fft_ihfftn(grad, IntList(), dims, other_norm(norm))
                              : thpp::fft_rfftn(grad, IntList(), dims, other_norm(norm));
  return fitted(weighted(half, dims.back(), grad.size(int(dims.back())), 2), sizes, dims);
}

Tensor fft_c2c_backward(const Tensor &grad, IntList sizes, int64_t dim, const char *norm, bool forward) {
  return fft_c2c_backward(grad, sizes, IntList(), {dim}, norm, forward);
}
Tensor fft_r2c_backward(const Tensor &grad, IntList sizes, std::optional<int64_t> n, int64_t dim, const char *norm,
                        bool forward) {
  // Not `{…}`: braces would choose this function again.
  const std::vector<int64_t> s{n.value_or(-1)}, dims{dim};
  return fft_r2c_backward(grad, sizes, IntList(s), IntList(dims), norm, forward);
}
Tensor fft_c2r_backward(const Tensor &grad, IntList sizes, int64_t dim, const char *norm, bool forward) {
  return fft_c2r_backward(grad, sizes, IntList(), {dim}, norm, forward);
}

Tensor dft_c2c_backward(const Tensor &grad, IntList sizes, int64_t dim, int64_t n, bool forward, double scale) {
  return fitted(thpp::_fft_c2c(grad, int(dim), n, !forward, scale), sizes, {dim});
}

// The norms are those that divide by nothing.
Tensor dft_c2r_backward(const Tensor &grad, IntList sizes, int64_t dim, int64_t n, bool forward, double scale) {
  const Tensor half = forward ? thpp::fft_ihfft(grad, std::nullopt, dim, "forward")
                              : thpp::fft_rfft(grad, std::nullopt, dim, "backward");
  return fitted(weighted(half, dim, n, 2, scale), sizes, {dim});
}

}  // namespace torch::autograd
