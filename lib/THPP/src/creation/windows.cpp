// Window functions.
#include "creation.h"

#include <cmath>
#include <numbers>

#include "bodies.h"

namespace thpp {

namespace {

// A window of `length` elements; a periodic one is the next longer without its last element. formula(x, n)
// makes it out of the numbers 0 … n - 1.
template <class Formula>
Tensor window(const char *name, int64_t length, bool periodic, std::optional<THDtype> dtype,
              std::optional<THDevice> device, const Formula &formula) {
  const THDtype t = dtype.value_or(default_dtype());
  if (!is_floating(t))
    THError(TH_ERROR_RUNTIME, "%s expects floating point dtypes, got: torch.%s", name, TH_dtypeName(t));
  if (length < 0)
    THError(TH_ERROR_RUNTIME, "%s requires non-negative window_length, got window_length=%lld", name,
            (long long)length);
  if (length <= 1) return thpp::ones({length}, t, device);
  const int64_t n = TH_saturatedSum(length, periodic);
  const Tensor whole = formula(thpp::arange(Scalar(n), std::optional(t), device), n);
  return periodic ? thpp::narrow(whole, 0, 0, length) : whole;
}

void scale(const Tensor &x, double by) { thpp::mul_(x, wrapped_number(by)); }

// In place. For the few elements of a window the library's cosine, which is exact at 0, is quick enough.
void cosine(const Tensor &x) {
  const auto loop = [&](auto *data) {
    for (int64_t i = 0; i < x.numel(); ++i) data[i] = std::cos(data[i]);
  };
  if (is_host_memory(x.device()) && x.dtype() == TH_Double)
    loop(x.data<double>());
  else if (is_host_memory(x.device()) && x.dtype() == TH_Float)
    loop(x.data<float>());
  else
    thpp::cos_(x);
}

Tensor hamming(const char *name, int64_t length, bool periodic, double alpha, double beta, std::optional<THDtype> dtype,
               std::optional<THDevice> device) {
  return window(name, length, periodic, dtype, device, [=](const Tensor &x, int64_t n) {
    scale(x, 2 * std::numbers::pi / double(n - 1));
    cosine(x);
    scale(x, -beta);
    return Tensor(thpp::add_(x, wrapped_number(alpha), 1));
  });
}

// The modified Bessel function I0, by its power series, whose terms are all positive.
double bessel_i0(double x) {
  const double quarter = x * x / 4;
  double term = 1, sum = 1;
  for (double k = 1; term > sum * 1e-17; k++) sum += term *= quarter / (k * k);
  return sum;
}

}  // namespace

Tensor body::bartlett_window(int64_t window_length, bool periodic, std::optional<THDtype> dtype,
                             std::optional<THDevice> device) {
  return window("bartlett_window", window_length, periodic, dtype, device, [](const Tensor &x, int64_t n) {
    scale(x, 2.0 / double(n - 1));
    const int64_t half = (n - 1) / 2 + 1;
    const Tensor falling = thpp::narrow(x, 0, half, n - half);
    scale(falling, -1);
    thpp::add_(falling, wrapped_number(2), 1);
    return x;
  });
}

Tensor body::blackman_window(int64_t window_length, bool periodic, std::optional<THDtype> dtype,
                             std::optional<THDevice> device) {
  return window("blackman_window", window_length, periodic, dtype, device, [](const Tensor &x, int64_t n) {
    scale(x, std::numbers::pi / double(n - 1));
    const Tensor twice = thpp::mul(x, wrapped_number(4)), once = thpp::mul(x, wrapped_number(2));
    cosine(twice);
    cosine(once);
    scale(twice, 0.08);
    scale(once, 0.5);
    return thpp::add(thpp::sub(twice, once, 1), wrapped_number(0.42), 1);
  });
}

Tensor body::hann_window(int64_t window_length, bool periodic, std::optional<THDtype> dtype,
                         std::optional<THDevice> device) {
  return hamming("hann_window", window_length, periodic, 0.5, 0.5, dtype, device);
}

Tensor body::hamming_window(int64_t window_length, bool periodic, double alpha, double beta,
                            std::optional<THDtype> dtype, std::optional<THDevice> device) {
  return hamming("hamming_window", window_length, periodic, alpha, beta, dtype, device);
}

Tensor body::kaiser_window(int64_t window_length, bool periodic, double beta, std::optional<THDtype> dtype,
                           std::optional<THDevice> device) {
  return window("kaiser_window", window_length, periodic, dtype, device, [=](const Tensor &x, int64_t n) {
    if (!has_values(x)) return x;
    const Tensor exact = thpp::empty({n}, TH_Double);
    double *const out = exact.data<double>();
    const double middle = double(n - 1) / 2;
    for (int64_t i = 0; i < n; ++i) {
      const double place = (double(i) - middle) / middle;  // from -1 to 1
      out[i] = bessel_i0(beta * std::sqrt(std::max(0.0, 1 - place * place))) / bessel_i0(beta);
    }
    return thpp::to(exact, x.dtype(), false, x.device());
  });
}

}  // namespace thpp
