// Short-time Fourier transforms.
#include <THPP/Guard.h>
#include <THPP/Meta.h>

#include "results.h"

#include <atomic>
#include <cmath>
#include <cstring>

#include "bodies.h"

namespace thpp {

namespace {

// How messages show tensors and what was left out.
std::string shown(const Tensor &t, const char *prefix, bool braces) {
  if (!t.defined()) return "None";
  const std::string sizes = text(t.sizes());
  return (is_complex(t.dtype()) ? "CPU" : prefix) + std::string(TH_typeName(t.dtype())) +
         (is_complex(t.dtype()) ? "Type" : "Tensor") + (braces ? "{" + sizes + "}" : sizes);
}
std::string shown(std::optional<bool> flag) { return !flag ? "None" : *flag ? "1" : "0"; }
std::string shown(std::optional<int64_t> n) { return n ? std::to_string(*n) : "None"; }
std::string shown(int64_t n) { return std::to_string(n); }

[[noreturn]] void refuse(const std::string &call, const std::string &what) {
  THError(TH_ERROR_RUNTIME, "%s%s", call.c_str(), what.c_str());
}

constexpr const char *kMixed = "Cannot have onesided output if window or input is complex";

// The window in the middle of n_fft elements.
Tensor widened(const Tensor &signal, const Tensor &window, int64_t win_length, int64_t n_fft, THDtype dtype) {
  const Tensor own = window.defined() ? window : thpp::new_ones(signal, {win_length}, real_dtype(dtype));
  const int64_t left = (n_fft - win_length) / 2;
  return thpp::_pad(own, {left, n_fft - win_length - left}, "constant", std::nullopt);
}

// A signal with n elements more at both ends. Padding takes one dimension before the padded one, and batches.
Tensor centred(const Tensor &self, int64_t n, const char *mode) {
  std::vector<int64_t> size(std::max(3 - self.dim(), 0), 1);
  size.insert(size.end(), self.sizes().begin(), self.sizes().end());
  const Tensor padded = thpp::_pad(thpp::view(self, size), {n, n}, mode, std::nullopt);
  return thpp::view(padded, padded.sizes().last(size_t(self.dim())));
}

}  // namespace

Tensor body::stft(const Tensor &self, int64_t n_fft, std::optional<int64_t> hop_length,
                  std::optional<int64_t> win_length, const Tensor &window, bool center, const char *pad_mode,
                  bool normalized, std::optional<bool> onesided, std::optional<bool> return_complex,
                  std::optional<bool> align_to_window) {
  if (center && align_to_window)
    THError(TH_ERROR_RUNTIME, "stft align_to_window should only be set when center = false");
  Tensor signal = center ? centred(self, n_fft / 2, pad_mode) : self;
  const bool complex = is_complex(self.dtype()) || (window.defined() && is_complex(window.dtype()));
  if (!return_complex && !complex)
    THError(
        TH_ERROR_RUNTIME,
        "stft requires the return_complex parameter be given for real inputs: True for a complex result, False for one "
        "with the parts in a last dimension of size 2");
  const int64_t hop = hop_length.value_or(n_fft >> 2), win = win_length.value_or(n_fft);
  const auto wrong = [&](const std::string &what) {
    refuse("stft(" + shown(signal, "torch.", false) + ", n_fft=" + shown(n_fft) + ", hop_length=" + shown(hop) +
               ", win_length=" + shown(win) + ", window=" + shown(window, "torch.", true) +
               ", normalized=" + shown(std::optional(normalized)) + ", onesided=" + shown(onesided) +
               ", return_complex=" + shown(return_complex) + ", align_to_window=" + shown(align_to_window) + ") : ",
           what);
  };
  if (!is_inexact(signal.dtype())) wrong("expected a tensor of floating point or complex values");
  if (signal.dim() != 1 && signal.dim() != 2) wrong("expected a 1D or 2D tensor");
  const bool aligned = align_to_window.value_or(false);
  const int64_t length = signal.size(signal.dim() - 1), piece = aligned ? win : n_fft;
  if (n_fft <= 0 || piece > length) wrong("expected 0 < n_fft < " + shown(length) + ", but got n_fft=" + shown(piece));
  if (hop <= 0) wrong("expected hop_length > 0, but got hop_length=" + shown(hop));
  if (win <= 0 || win > n_fft) wrong("expected 0 < win_length <= n_fft, but got win_length=" + shown(win));
  if (window.defined() && (window.dim() != 1 || window.size(0) != win))
    wrong("expected a 1D window tensor of size equal to win_length=" + shown(win) + ", but got window with size " +
          shape_text(window));
  const bool half = onesided.value_or(!complex);
  if (complex && half) THError(TH_ERROR_RUNTIME, "%s", kMixed);
  if (!computes(signal.dtype()))
    THError(TH_ERROR_RUNTIME, "MKL FFT doesn't support tensors of type: %s", TH_typeName(signal.dtype()));
  static std::atomic_flag bare, pairs;
  if (!window.defined() && !bare.test_and_set())
    warn(
        "A window was not provided. The rectangular one that is used spreads each frequency over its neighbours; "
        "torch.hann_window(n_fft) does so less. `window=torch.ones(n_fft)` says that it is meant.");
  if (return_complex && !*return_complex && !pairs.test_and_set())
    warn("stft with return_complex=False is deprecated: torch.view_as_real of the complex result is the same.");

  if (signal.dim() == 1) signal = thpp::unsqueeze(signal, 0);
  const int64_t pieces = 1 + (length - piece) / hop;
  if (aligned) {
    const int64_t left = (n_fft - win) / 2;
    signal = thpp::_pad(signal, {left, n_fft - win - left}, "constant", std::nullopt);
  }
  const Tensor wide = window.defined() || win < n_fft ? widened(signal, window, win, n_fft, signal.dtype()) : Tensor();
  const auto delivered = [&](Tensor result) {
    thpp::transpose_(result, 1, 2);  // it is new, and no view
    if (self.dim() == 1) thpp::squeeze_(result, {0});
    return return_complex.value_or(complex) ? result : thpp::view_as_real(result);
  };
  const auto recorded = [](const Tensor &t) { return t.defined() && (guard_flags(t) & TH_RECORDED); };
  if (grad_mode() && (recorded(signal) || recorded(wide))) {  // as a whole, for its parts are recorded
    Tensor all = thpp::unfold(signal, 1, n_fft, hop);
    if (wide.defined()) all = thpp::mul(all, wide);
    const char *const norm = normalized ? "ortho" : "backward";
    return delivered(half ? thpp::fft_rfft(all, std::nullopt, 2, norm) : thpp::fft_fft(all, std::nullopt, 2, norm));
  }
  const IntList stride = signal.strides();
  const Tensor frames = thpp::as_strided(signal, {signal.size(0), pieces, n_fft},
                                         {stride[0], hop * stride[1], stride[1]}, signal.storage_offset());
  const double scale = normalized ? 1 / std::sqrt(double(n_fft)) : 1;
  Tensor result = thpp::new_empty(signal, {signal.size(0), pieces, half ? n_fft / 2 + 1 : n_fft},
                                  complex_dtype(promote(signal, wide)));
  // Some pieces at a time: what they are times the window stays in the cache.
  constexpr int64_t kElements = 1 << 18;
  const int64_t step = wide.defined() ? std::max<int64_t>(1, kElements / std::max<int64_t>(1, n_fft * signal.size(0)))
                                      : std::max<int64_t>(1, pieces);
  Tensor product;
  for (int64_t first = 0; first < pieces; first += step) {
    const int64_t count = std::min(step, pieces - first);
    Tensor part = thpp::narrow(frames, 1, first, count), target = thpp::narrow(result, 1, first, count);
    if (wide.defined()) {
      if (product.defined() && product.size(1) == count)
        thpp::mul_out(product, part, wide);
      else
        product = thpp::mul(part, wide);
      part = product;
    }
    if (complex)
      thpp::_fft_c2c_out(target, part, 2, n_fft, true, scale);
    else
      thpp::_fft_r2c_out(target, part, 2, n_fft, true, scale, half);
  }
  return delivered(result);
}

Tensor body::istft(const Tensor &self, int64_t n_fft, std::optional<int64_t> hop_length,
                   std::optional<int64_t> win_length, const Tensor &window, bool center, bool normalized,
                   std::optional<bool> onesided, std::optional<int64_t> length, bool return_complex) {
  if (!is_complex(self.dtype()))
    THError(TH_ERROR_RUNTIME,
            "istft requires a complex-valued input tensor matching the output from stft with return_complex=True.");
  const int64_t hop = hop_length.value_or(n_fft >> 2), win = win_length.value_or(n_fft);
  const auto wrong = [&](const std::string &what) {
    refuse("istft(" + shown(self, "torch.", false) + ", n_fft=" + shown(n_fft) + ", hop_length=" + shown(hop) +
               ", win_length=" + shown(win) + ", window=" + shown(window, "torch.", true) +
               ", center=" + shown(std::optional(center)) + ", normalized=" + shown(std::optional(normalized)) +
               ", onesided=" + shown(onesided) + ", length=" + shown(length) +
               ", return_complex=" + shown(std::optional(return_complex)) + ")",
           what);
  };
  TH_wrapDim(-3, self.dim() + 1);  // as of pairs of real numbers
  if (!self.numel()) wrong(" : input tensor cannot be empty.");
  if (self.dim() != 2 && self.dim() != 3)
    wrong(" : expected a tensor with 3 or 4 dimensions, but got " + shown(int64_t(self.dim() + 1)));
  const int64_t pieces = self.size(self.dim() - 1), rows = self.size(self.dim() - 2);
  const bool half = onesided.value_or(rows != n_fft);
  if (rows != (half ? n_fft / 2 + 1 : n_fft))
    wrong(std::string(" : expected the frequency dimension (3rd to the last) of the input tensor to match ") +
          (half ? "n_fft / 2 + 1 when onesided=True" : "n_fft when onesided=False") + ", but got " + shown(rows));
  if (hop <= 0 || hop > win) wrong(" : expected 0 < hop_length <= win_length");
  if (win <= 0 || win > n_fft) wrong(" : expected 0 < win_length <= n_fft");
  if (window.defined() && (window.dim() != 1 || window.size(0) != win))
    wrong(" : Invalid window shape. window has to be 1D and length of `win_length`");
  if (return_complex && half) THError(TH_ERROR_RUNTIME, "%s", kMixed);
  if (!return_complex && window.defined() && is_complex(window.dtype()))
    THError(TH_ERROR_RUNTIME, "Complex windows are incompatible with return_complex=False");

  const Tensor wide = widened(self, window, win, n_fft, self.dtype());
  const Tensor columns = thpp::transpose(self.dim() == 2 ? thpp::unsqueeze(self, 0) : self, 1, 2);
  const double scale = normalized ? 1 / std::sqrt(double(n_fft)) : 1 / double(n_fft);
  const Tensor frames = return_complex ? thpp::_fft_c2c(columns, 2, n_fft, false, scale)
                                       : thpp::_fft_c2r(columns, 2, n_fft, false, scale);
  const Tensor sum = thpp::_overlap_add(thpp::mul(frames, wide), hop);
  const Tensor weight = thpp::_overlap_add(thpp::expand(thpp::mul(wide, wide), {1, pieces, n_fft}), hop);

  const int64_t whole = n_fft + hop * (pieces - 1), start = center ? n_fft / 2 : 0;
  const int64_t end = length ? start + *length : center ? whole - n_fft / 2 : whole;
  const int64_t count = std::min(end, whole) - start;
  if (count <= 0)
    THError(TH_ERROR_RUNTIME, "istft: no element of the signal is left between %lld and %lld of %lld", (long long)start,
            (long long)end, (long long)whole);
  const Tensor below = thpp::narrow(weight, 1, start, count);
  if (has_values(below) && thpp::min(thpp::abs(below)).item().to_double() < 1e-11) wrong("window overlap add min: 1");
  Tensor result = thpp::div(thpp::narrow(sum, 1, start, count), below);
  if (self.dim() == 2) result = thpp::squeeze(result, {0});
  if (end > whole) {
    static std::atomic_flag warned;
    if (!warned.test_and_set())
      warn("The length of signal is shorter than the length parameter. The rest of the result is zeros.");
    result = thpp::_pad(result, {0, end - whole}, "constant", std::nullopt);
  }
  return result;
}

}  // namespace thpp
