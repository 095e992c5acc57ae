/* Mathematical functions that CUDA has and the C library lacks. */
#ifndef HOST_CUDA_MATH_H
#define HOST_CUDA_MATH_H

#include <algorithm>
#include <cmath>
#include <limits>

/* nvcc's global min, max and abs take any mixture of arithmetic types. */
#define HOST_CUDA_MINMAX(T) \
  inline T min(T a, T b) { return b < a ? b : a; } \
  inline T max(T a, T b) { return a < b ? b : a; }
HOST_CUDA_MINMAX(int)
HOST_CUDA_MINMAX(unsigned)
HOST_CUDA_MINMAX(long)
HOST_CUDA_MINMAX(unsigned long)
HOST_CUDA_MINMAX(long long)
HOST_CUDA_MINMAX(unsigned long long)
#undef HOST_CUDA_MINMAX
inline float min(float a, float b) { return std::fmin(a, b); }
inline float max(float a, float b) { return std::fmax(a, b); }
inline double min(double a, double b) { return std::fmin(a, b); }
inline double max(double a, double b) { return std::fmax(a, b); }

namespace hostcuda {
constexpr double pi = 3.141592653589793238;

// sin and cos of pi x: the argument is brought to [-1/4, 1/4] first, where nothing is lost.
inline double sinpi(double x) {
  const double r = std::remainder(x, 2.0), a = std::fabs(r);
  if (!(a <= 1)) return x - x;  // infinity, NaN
  if (a == 0 || a == 1) return std::copysign(0.0, x);
  const double s = a <= 0.25 ? std::sin(pi * a) : a <= 0.75 ? std::cos(pi * (0.5 - a)) : std::sin(pi * (1 - a));
  return std::copysign(s, r);
}
inline double cospi(double x) {
  const double a = std::fabs(std::remainder(x, 2.0));
  if (!(a <= 1)) return x - x;
  if (a == 0.5) return 0;
  return a <= 0.25 ? std::cos(pi * a) : a <= 0.75 ? std::sin(pi * (0.5 - a)) : -std::cos(pi * (1 - a));
}

// exp(x²) erfc(x): a continued fraction where erfc would underflow.
inline double erfcx(double x) {
  if (x < 8)
    return x < -26.7 ? std::numeric_limits<double>::infinity()
                     : double(std::exp((long double)x * x) * std::erfc((long double)x));
  if (x > 1e8) return 1 / (std::sqrt(pi) * x);
  double f = x;
  for (int k = 60; k > 0; k--) f = x + k / 2.0 / f;
  return 1 / (std::sqrt(pi) * f);
}

// The root y of erfc(y) = c, 0 < c <= 1: by Halley's steps from a rough start. Logarithms, as c may be tiny.
inline double erfcinvUpper(double c) {
  double y = c > 0.5 ? (1 - c) * std::sqrt(pi) / 2
                     : std::sqrt(std::max(-std::log(c * std::sqrt(-std::log(c) + 0.6)), 0.05));
  for (int i = 0; i < 12; i++) {
    // f(y) = log erfc(y) - log c; f' = -2/sqrt(pi) / erfcx(y)
    const double f = (c > 0.5 ? std::log1p(-std::erf(y)) : std::log(erfcx(y)) - y * y) - std::log(c);
    const double step = f * erfcx(y) * std::sqrt(pi) / 2;
    y += step;
    if (std::fabs(step) <= 1e-16 * std::fabs(y)) break;
  }
  return y;
}
inline double erfcinv(double c) {
  if (!(c >= 0 && c <= 2)) return std::numeric_limits<double>::quiet_NaN();
  if (c == 0) return std::numeric_limits<double>::infinity();
  if (c == 2) return -std::numeric_limits<double>::infinity();
  if (c == 1) return 0;
  return c < 1 ? erfcinvUpper(c) : -erfcinvUpper(2 - c);
}
inline double erfinv(double x) {
  if (!(std::fabs(x) <= 1)) return std::numeric_limits<double>::quiet_NaN();
  if (std::fabs(x) == 1) return std::copysign(std::numeric_limits<double>::infinity(), x);
  if (std::fabs(x) > 0.5) return std::copysign(erfcinvUpper(1 - std::fabs(x)), x);
  double y = x * std::sqrt(pi) / 2;
  for (int i = 0; i < 12; i++) {
    const double step = (std::erf(y) - x) * std::sqrt(pi) / 2 * std::exp(y * y);
    y -= step / (1 + y * step);
    if (std::fabs(step) <= 1e-16 * std::fabs(y)) break;
  }
  return y;
}
}  // namespace hostcuda

/* double f(double), float ff(float), computed in double. */
#define HOST_CUDA_FUNCTION(name, ...) \
  inline double name(double x) { return __VA_ARGS__; } \
  inline float name##f(float value) { \
    const double x = value; \
    return float(__VA_ARGS__); \
  }
HOST_CUDA_FUNCTION(rsqrt, 1 / std::sqrt(x))
HOST_CUDA_FUNCTION(rcbrt, 1 / std::cbrt(x))
HOST_CUDA_FUNCTION(sinpi, hostcuda::sinpi(x))
HOST_CUDA_FUNCTION(cospi, hostcuda::cospi(x))
HOST_CUDA_FUNCTION(normcdf, 0.5 * std::erfc(-x * 0.70710678118654752440))
HOST_CUDA_FUNCTION(normcdfinv, -1.4142135623730950488 * hostcuda::erfcinv(2 * x))
HOST_CUDA_FUNCTION(erfcx, hostcuda::erfcx(x))
HOST_CUDA_FUNCTION(erfinv, hostcuda::erfinv(x))
HOST_CUDA_FUNCTION(erfcinv, hostcuda::erfcinv(x))
HOST_CUDA_FUNCTION(cyl_bessel_i0, x != x ? x : std::cyl_bessel_i(0.0, std::fabs(x)))
HOST_CUDA_FUNCTION(cyl_bessel_i1, x != x ? x : std::copysign(std::cyl_bessel_i(1.0, std::fabs(x)), x))
#undef HOST_CUDA_FUNCTION
inline float rsqrt(float x) { return rsqrtf(x); }
inline void sincospi(double x, double *s, double *c) { *s = sinpi(x), *c = cospi(x); }
inline void sincospif(float x, float *s, float *c) { *s = sinpif(x), *c = cospif(x); }
inline double norm3d(double x, double y, double z) { return std::hypot(x, y, z); }
inline float norm3df(float x, float y, float z) { return std::hypot(x, y, z); }
inline double norm4d(double x, double y, double z, double w) { return std::hypot(std::hypot(x, y), std::hypot(z, w)); }
inline double rhypot(double x, double y) { return 1 / std::hypot(x, y); }
inline double rnorm3d(double x, double y, double z) { return 1 / std::hypot(x, y, z); }

/* The fast ones, whose last bits nobody may count on. */
inline float __expf(float x) { return std::exp(x); }
inline float __exp10f(float x) { return std::pow(10.0f, x); }
inline float __logf(float x) { return std::log(x); }
inline float __log2f(float x) { return std::log2(x); }
inline float __log10f(float x) { return std::log10(x); }
inline float __powf(float x, float y) { return std::pow(x, y); }
inline float __sinf(float x) { return std::sin(x); }
inline float __cosf(float x) { return std::cos(x); }
inline float __tanf(float x) { return std::tan(x); }
inline float __fdividef(float x, float y) { return x / y; }
inline float __saturatef(float x) { return x != x ? 0.0f : std::fmin(std::fmax(x, 0.0f), 1.0f); }
inline float __frsqrt_rn(float x) { return rsqrtf(x); }
inline float fdividef(float x, float y) { return x / y; }
inline float fdivide(float x, float y) { return x / y; }
inline double fdivide(double x, double y) { return x / y; }

#endif
