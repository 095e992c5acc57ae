// torch.fft: dtypes, dimensions, sizes and scales, over TH's transforms of one dimension.
#include "results.h"

#include <cmath>
#include <cstring>

#include "bodies.h"

namespace thpp {

namespace {

// What the transforms compute in; narrower dtypes are refused.
void check_computes(THDtype dtype) {
  if (!computes(dtype)) THError(TH_ERROR_RUNTIME, "Unsupported dtype %s", TH_typeName(dtype));
}

Tensor prepared(const Tensor &self, bool complex) {
  const THDtype dtype = floating(self.dtype());
  check_computes(dtype);
  return thpp::to(self, complex ? complex_dtype(dtype) : dtype);
}

void check_result(const char *f, const Tensor &out, bool complex) {
  if (!out.defined()) return;
  if (complex && !is_complex(out.dtype()))
    THError(TH_ERROR_RUNTIME, "%s expects a complex output tensor, but got %s", f, TH_typeName(out.dtype()));
  if (!complex && !is_floating(out.dtype()))
    THError(TH_ERROR_RUNTIME, "%s expects a floating point output tensor, but got %s", f, TH_typeName(out.dtype()));
}

void check_real(const char *f, const char *what, const Tensor &self) {
  if (is_complex(self.dtype()))
    THError(TH_ERROR_RUNTIME, "%s expects a %s input tensor, but got %s", f, what, TH_typeName(self.dtype()));
}

// A transform over n elements is multiplied by this.
double scale_of(const char *norm, bool forward, double n) {
  const char *mode = norm ? norm : "backward";
  const bool is_forward = !std::strcmp(mode, "forward"), ortho = !std::strcmp(mode, "ortho");
  if (!is_forward && !ortho && std::strcmp(mode, "backward"))
    THError(TH_ERROR_RUNTIME, "Invalid normalization mode: \"%s\"", mode);
  return ortho ? 1 / std::sqrt(n) : is_forward == forward ? 1 / n : 1;
}

// An empty result of transforms along `dims`, of this size along `dim`: these dimensions are the innermost, the last of
// them the very innermost if it is `fixed`, and the others lie around them, all in the order of self's strides, or
// row by row where self has to be continued for its transform.
Tensor laid_out(const Tensor &self, THDtype dtype, IntList dims, int64_t dim, int64_t size, bool continued,
                bool fixed) {
  std::vector<int64_t> sizes = list(self.sizes()), stride(sizes.size()), order;  // outermost first
  sizes[dim] = size;
  if (channels_last(self.suggest_memory_format())) continued = false;
  const auto outer = [&](int64_t a, int64_t b) { return continued ? a < b : self.strides()[a] > self.strides()[b]; };
  for (int64_t d = 0; d < self.dim(); ++d)
    if (std::ranges::find(dims, d) == dims.end()) order.push_back(d);
  std::ranges::stable_sort(order, outer);
  order.insert(order.end(), dims.begin(), dims.end());
  std::stable_sort(order.end() - int64_t(dims.size()), order.end() - fixed, outer);
  uint64_t step = 1;  // may wrap: such sizes are refused
  for (size_t i = order.size(); i-- > 0; step *= uint64_t(std::max<int64_t>(sizes[order[i]], 1)))
    stride[order[i]] = int64_t(step);
  return empty_strided(dtype, sizes, stride, self.device());
}

// Along the last of `dims`; the others are still to come.
Tensor real_to_complex(const Tensor &self, IntList dims, int64_t n, bool forward, double scale, bool onesided) {
  const int dim = int(dims.back());
  Tensor r = laid_out(self, complex_dtype(self.dtype()), dims, dim, onesided ? n / 2 + 1 : n, n > self.size(dim), true);
  thpp::_fft_r2c_out(r, self, dim, n, forward, scale, onesided);
  return r;
}

Tensor complex_to_real(const Tensor &self, int dim, int64_t n, bool forward, double scale) {
  Tensor r = laid_out(self, real_dtype(self.dtype()), {dim}, dim, n, n / 2 + 1 > self.size(dim), true);
  thpp::_fft_c2r_out(r, self, dim, n, forward, scale);
  return r;
}

}  // namespace

// ---- one dimension ------------------------------------------------------------------------------
namespace {

void r2c(const char *f, Tensor &out, const Tensor &self, std::optional<int64_t> n, int64_t dim, const char *norm,
         bool forward, bool onesided) {
  check_real(f, "real", self);
  check_result(f, out, true);
  const Tensor input = prepared(self, false);
  const int d = own_dim(dim, input);
  const int64_t length = n.value_or(input.size(d));
  THCheck_points(length);
  write_out(out, real_to_complex(input, {d}, length, forward, scale_of(norm, forward, double(length)), onesided));
}

void c2r(const char *f, Tensor &out, const Tensor &self, std::optional<int64_t> n, int64_t dim, const char *norm,
         bool forward) {
  check_result(f, out, false);
  const Tensor input = prepared(self, true);
  const int d = own_dim(dim, input);
  const int64_t length = n.value_or(2 * (input.size(d) - 1));
  THCheck_points(length);
  write_out(out, complex_to_real(input, d, length, forward, scale_of(norm, forward, double(length))));
}

void c2c(const char *f, Tensor &out, const Tensor &self, std::optional<int64_t> n, int64_t dim, const char *norm,
         bool forward) {
  if (!is_complex(self.dtype())) return r2c(f, out, self, n, dim, norm, forward, false);
  check_result(f, out, true);
  check_computes(self.dtype());
  const int d = own_dim(dim, self);
  const int64_t length = n.value_or(self.size(d));
  THCheck_points(length);
  Tensor result = laid_out(self, self.dtype(), {d}, d, length, length > self.size(d), false);
  thpp::_fft_c2c_out(result, self, d, length, forward, scale_of(norm, forward, double(length)));
  write_out(out, result);
}

}  // namespace

using Length = std::optional<int64_t>;
void body::fft_fft_out(Tensor &out, const Tensor &self, Length n, int64_t dim, const char *norm) {
  c2c("fft", out, self, n, dim, norm, true);
}
void body::fft_ifft_out(Tensor &out, const Tensor &self, Length n, int64_t dim, const char *norm) {
  c2c("ifft", out, self, n, dim, norm, false);
}
void body::fft_rfft_out(Tensor &out, const Tensor &self, Length n, int64_t dim, const char *norm) {
  r2c("rfft", out, self, n, dim, norm, true, true);
}
void body::fft_irfft_out(Tensor &out, const Tensor &self, Length n, int64_t dim, const char *norm) {
  c2r("irfft", out, self, n, dim, norm, false);
}
void body::fft_hfft_out(Tensor &out, const Tensor &self, Length n, int64_t dim, const char *norm) {
  c2r("hfft", out, self, n, dim, norm, true);
}
void body::fft_ihfft_out(Tensor &out, const Tensor &self, Length n, int64_t dim, const char *norm) {
  if (out.defined() && is_complex(out.dtype()) && out.dtype() != complex_dtype(floating(self.dtype())))
    THError(TH_ERROR_RUNTIME, "Found dtype %s but expected %s", TH_typeName(out.dtype()),
            TH_typeName(complex_dtype(floating(self.dtype()))));
  r2c("ihfft", out, self, n, dim, norm, false, true);
}

// ---- several dimensions -------------------------------------------------------------------------
namespace {

struct Axes {
  std::vector<int64_t> dims, lengths;
  double points() const {
    double product = 1;
    for (int64_t n : lengths) product *= double(n);
    return product;
  }
};

// `mirrored`: the last dimension of the input is the first half of what is transformed.
Axes axes_of(const char *f, const Tensor &self, IntList s, IntList dim, bool mirrored, bool some) {
  Axes axes;
  uint64_t seen = 0;
  for (int64_t d : dim) {
    axes.dims.push_back(own_dim(d, self));
    const uint64_t bit = uint64_t(1) << axes.dims.back();
    if (seen & bit) THError(TH_ERROR_RUNTIME, "FFT dims must be unique");
    seen |= bit;
  }
  const bool sizes_given = s.data(), dims_given = dim.data();
  if (sizes_given) {
    if (dims_given && dim.size() != s.size())
      THError(TH_ERROR_RUNTIME, "When given, dim and shape arguments must have the same length");
    if (int64_t(s.size()) > self.dim())
      THError(TH_ERROR_RUNTIME, "Got shape with %zu values but input tensor only has %d dimensions.", s.size(),
              self.dim());
  }
  if (!dims_given)
    for (int d = sizes_given ? self.dim() - int(s.size()) : 0; d < self.dim(); ++d) axes.dims.push_back(d);
  for (size_t i = 0; i < axes.dims.size(); ++i) {
    const bool given = sizes_given && s[i] != -1, last = i + 1 == axes.dims.size();
    const int64_t size = self.size(int(axes.dims[i]));
    axes.lengths.push_back(given ? s[i] : mirrored && last ? 2 * (size - 1) : size);
    THCheck_points(axes.lengths.back());
  }
  if (some && axes.dims.empty()) THError(TH_ERROR_RUNTIME, "%s must transform at least one axis", f);
  return axes;
}

// Transforms all axes but the last `without`, the first pass into new memory unless the tensor is `own`.
Tensor along(Tensor x, const Axes &axes, size_t without, bool forward, double scale, bool own) {
  const size_t count = axes.dims.size() - without;
  for (size_t i = 0; i < count; ++i)  // what is cut need not be transformed in the other dimensions
    if (axes.lengths[i] < x.size(int(axes.dims[i]))) x = thpp::narrow(x, axes.dims[i], 0, axes.lengths[i]);
  const IntList dims{axes.dims.data(), own ? axes.dims.size() : count};
  for (size_t i = count; i-- > 0; own = true) {
    const int64_t d = axes.dims[i], had = x.size(int(d)), n = axes.lengths[i];
    Tensor r = own && had == n ? x : laid_out(x, x.dtype(), dims, d, n, n > had, dims.size() > count);
    thpp::_fft_c2c_out(r, x, d, n, forward, i ? 1 : scale);
    x = r;
  }
  return x;
}

void c2c(const char *f, Tensor &out, const Tensor &self, IntList s, IntList dim, const char *norm, bool forward) {
  const Axes axes = axes_of(f, self, s, dim, false, false);
  const Tensor input = prepared(self, true);
  check_result(f, out, true);
  const double scale = scale_of(norm, forward, axes.points());
  const Tensor result = along(input, axes, 0, forward, scale, false);
  write_out(out, result.is_same(self) ? thpp::clone(self) : result);
}

void r2c(const char *f, Tensor &out, const Tensor &self, IntList s, IntList dim, const char *norm, bool forward) {
  if (forward) check_real(f, "real-valued", self);
  const Axes axes = axes_of(f, self, s, dim, false, true);
  if (is_complex(self.dtype()))
    THError(TH_ERROR_RUNTIME, "Only supports floating-point dtypes, but found: %s", TH_typeName(self.dtype()));
  Tensor input = prepared(self, false);
  check_result(f, out, true);
  const double scale = scale_of(norm, forward, axes.points());
  for (size_t i = 0; i + 1 < axes.dims.size(); ++i)
    if (axes.lengths[i] < input.size(int(axes.dims[i]))) input = thpp::narrow(input, axes.dims[i], 0, axes.lengths[i]);
  const bool alone = axes.dims.size() == 1;
  const Tensor half = real_to_complex(input, axes.dims, axes.lengths.back(), forward, alone ? scale : 1, true);
  write_out(out, along(half, axes, 1, forward, scale, true));
}

void c2r(const char *f, Tensor &out, const Tensor &self, IntList s, IntList dim, const char *norm, bool forward) {
  const Axes axes = axes_of(f, self, s, dim, true, true);
  Tensor input = prepared(self, true);
  check_result(f, out, false);
  const double scale = scale_of(norm, forward, axes.points());
  const int last = int(axes.dims.back());
  const int64_t kept = axes.lengths.back() / 2 + 1;
  if (kept < input.size(last)) input = thpp::narrow(input, last, 0, kept);
  write_out(out, complex_to_real(along(input, axes, 1, forward, 1, false), last, axes.lengths.back(), forward, scale));
}

}  // namespace

#define FFT_ND(kind, name, forward)                                                                           \
  void body::fft_##name##n_out(Tensor &out, const Tensor &self, IntList s, IntList dim, const char *norm) {        \
    kind(#name "n", out, self, s, dim, norm, forward);                                                       \
  }                                                                                                           \
  void body::fft_##name##2_out(Tensor &out, const Tensor &self, IntList s, IntList dim, const char *norm) {        \
    thpp::fft_##name##n_out(out, self, s, dim, norm);                                                              \
  }
FFT_ND(c2c, fft, true)
FFT_ND(c2c, ifft, false)
FFT_ND(r2c, rfft, true)
FFT_ND(c2r, irfft, false)
FFT_ND(c2r, hfft, true)
FFT_ND(r2c, ihfft, false)
#undef FFT_ND

// ---- frequencies --------------------------------------------------------------------------------
namespace {

void frequencies(const char *f, Tensor &out, int64_t n, double d, std::optional<THDtype> dtype,
                 std::optional<THDevice> device, int64_t count) {
  const THDtype t = dtype.value_or(out.defined() ? out.dtype() : default_dtype());
  if (!is_inexact(t)) THError(TH_ERROR_RUNTIME, "%s requires a floating point or complex dtype", f);
  typed(out, t, t, device);
  if (count < 0)
    THError(TH_ERROR_RUNTIME, "Trying to create tensor with negative dimension %lld: [%lld]", (long long)count,
            (long long)count);
  shaped(out, {0}, t, t);
  thpp::_arange_out(out, 0, count, 1);
  if (count == n) {  // the second half is negative
    const int64_t positive = (n + 1) / 2;
    const Tensor rest = thpp::narrow(out, 0, positive, n - positive);
    thpp::copy_(rest, thpp::arange(Scalar(-(n / 2)), Scalar(int64_t(0)), Scalar(1), std::optional(t), out.device()),
                false);
  }
  thpp::mul_(out, wrapped_number(1 / (double(n) * d)));
}

}  // namespace

void body::fft_fftfreq_out(Tensor &out, int64_t n, double d, std::optional<THDtype> dtype,
                           std::optional<THDevice> device) {
  frequencies("fftfreq", out, n, d, dtype, device, n);
}
void body::fft_rfftfreq_out(Tensor &out, int64_t n, double d, std::optional<THDtype> dtype,
                            std::optional<THDevice> device) {
  frequencies("rfftfreq", out, n, d, dtype, device, n / 2 + 1);
}

namespace {

Tensor shifted(const Tensor &self, IntList dim, bool back) {
  std::vector<int64_t> dims = list(dim), shifts;
  if (!dim.data())
    for (int d = 0; d < self.dim(); ++d) dims.push_back(d);
  for (int64_t &d : dims) {
    d = own_dim(d, self);
    const int64_t size = self.size(int(d));
    shifts.push_back(back ? (size + 1) / 2 : size / 2);
  }
  return thpp::roll(self, shifts, dims);
}

}  // namespace

Tensor body::fft_fftshift(const Tensor &self, IntList dim) { return shifted(self, dim, false); }
Tensor body::fft_ifftshift(const Tensor &self, IntList dim) { return shifted(self, dim, true); }

}  // namespace thpp
