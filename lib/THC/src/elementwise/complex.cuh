// Elementary functions of complex numbers in double, for kernels: CUDA's library has none. Made of real functions, right to
// some units in the last place of the larger part; infinities, NaN and signed zeros are as C's Annex G has them.
#pragma once

#include <bit>
#include <cstdint>
#include <cmath>
#include <limits>
#include <TH/THComplex.hpp>

// Found by the arguments' type, as complex_functions.hpp looks for them.
namespace th {

using Complex = complex<double>;
#define THC_FUNCTION_OF_COMPLEX __host__ __device__ inline

constexpr double kInfinityOf = std::numeric_limits<double>::infinity(),
                 kNanOf = std::numeric_limits<double>::quiet_NaN();
constexpr double kExpLimit = 709;  // beyond, e^x overflows

THC_FUNCTION_OF_COMPLEX Complex conjugate(Complex z) { return {z.real(), -z.imag()}; }
THC_FUNCTION_OF_COMPLEX Complex timesI(Complex z) { return {-z.imag(), z.real()}; }
THC_FUNCTION_OF_COMPLEX Complex overI(Complex z) { return {z.imag(), -z.real()}; }

THC_FUNCTION_OF_COMPLEX double abs(Complex z) { return std::hypot(z.real(), z.imag()); }

THC_FUNCTION_OF_COMPLEX Complex sqrt(Complex z) {
  const double x = z.real(), y = z.imag();
  if (std::isinf(y)) return {kInfinityOf, y};
  if (std::isinf(x)) {
    const double finite = y != y ? y : 0;
    return x > 0 ? Complex(x, std::copysign(finite, y)) : Complex(finite, std::copysign(kInfinityOf, y));
  }
  if (x == 0 && y == 0) return {0, y};
  // |x| + |z| must neither overflow nor be subnormal.
  const double larger = std::fmax(std::fabs(x), std::fabs(y));
  const double scale = larger > 1e307 ? 0x1p-4 : larger < 1e-290 ? 0x1p104 : 1;
  const double back = larger > 1e307 ? 0x1p2 : larger < 1e-290 ? 0x1p-52 : 1;
  const double a = x * scale, b = y * scale;
  const double t = std::sqrt(0.5 * (std::fabs(a) + std::hypot(a, b)));
  const double other = b / (2 * t);
  return x >= 0 ? Complex(t * back, other * back) : Complex(std::fabs(other) * back, std::copysign(t, y) * back);
}

// factor r e^x for |r| <= 1, where e^x alone may overflow
THC_FUNCTION_OF_COMPLEX double scaledExp(double x, double r, double factor = 1) {
  if (x <= kExpLimit) return r * factor * std::exp(x);
  const double half = std::exp(x * 0.5);
  return r * half * (half * factor);
}

THC_FUNCTION_OF_COMPLEX Complex exp(Complex z) {
  const double x = z.real(), y = z.imag();
  if (y == 0) return {std::exp(x), y};
  if (!std::isfinite(y)) {
    if (x == -kInfinityOf) return {0, std::copysign(0.0, y)};
    return {x == kInfinityOf ? x : kNanOf, kNanOf};
  }
  return {scaledExp(x, std::cos(y)), scaledExp(x, std::sin(y))};
}

// The first 26 of 53 bits: their square is exact.
THC_FUNCTION_OF_COMPLEX double upperHalf(double x) {
  return std::bit_cast<double>(std::bit_cast<uint64_t>(x) & ~uint64_t(0x7ffffff));
}

THC_FUNCTION_OF_COMPLEX Complex log(Complex z) {
  const double angle = std::atan2(z.imag(), z.real());
  const double x = std::fabs(z.real()), y = std::fabs(z.imag());
  if (std::isinf(x) || std::isinf(y)) return {kInfinityOf, angle};
  const double a = std::fmax(x, y), b = std::fmin(x, y);
  if (a > 0.7 && a < 1.42 && b < 1.01 && x == x && y == y) {
    // Near |z| = 1, by |z|^2 - 1 with some 80 bits: products of halves are exact, and what cancels is a sum of them.
    const double c = upperHalf(a), d = upperHalf(b);
    const double less1 = ((c * c - 1) + d * d) + ((a - c) * (a + c) + (b - d) * (b + d));
    return {0.5 * std::log1p(less1), angle};
  }
  if (a > 1e307) return {std::log(std::hypot(x * 0x1p-4, y * 0x1p-4)) + 4 * M_LN2, angle};
  if (a < 1e-290 && a > 0) return {std::log(std::hypot(x * 0x1p104, y * 0x1p104)) - 104 * M_LN2, angle};
  return {std::log(std::hypot(x, y)), angle};
}

THC_FUNCTION_OF_COMPLEX Complex sinh(Complex z) {
  const double x = z.real(), y = z.imag();
  if (y == 0) return {std::sinh(x), y};
  if (!std::isfinite(y)) return {x == 0 || std::isinf(x) ? x : kNanOf, kNanOf};
  if (std::fabs(x) < kExpLimit) return {std::sinh(x) * std::cos(y), std::cosh(x) * std::sin(y)};
  return {std::copysign(1.0, x) * scaledExp(std::fabs(x), std::cos(y), 0.5), scaledExp(std::fabs(x), std::sin(y), 0.5)};
}
THC_FUNCTION_OF_COMPLEX Complex cosh(Complex z) {
  const double x = z.real(), y = z.imag();
  if (y == 0) return {std::cosh(x), std::copysign(1.0, x) * y};
  if (!std::isfinite(y)) {
    if (x == 0) return {kNanOf, x};
    return {std::isinf(x) ? kInfinityOf : kNanOf, kNanOf};
  }
  if (std::fabs(x) < kExpLimit) return {std::cosh(x) * std::cos(y), std::sinh(x) * std::sin(y)};
  return {scaledExp(std::fabs(x), std::cos(y), 0.5), std::copysign(1.0, x) * scaledExp(std::fabs(x), std::sin(y), 0.5)};
}
// With t = tan y and s = sinh x (W. Kahan, "Branch cuts for complex elementary functions", 1987).
THC_FUNCTION_OF_COMPLEX Complex tanh(Complex z) {
  const double x = z.real(), y = z.imag();
  if (y == 0) return {std::tanh(x), y};
  if (!std::isfinite(y)) {
    if (std::isinf(x)) return {std::copysign(1.0, x), std::copysign(0.0, y)};
    return {x == 0 ? x : kNanOf, kNanOf};
  }
  if (std::fabs(x) > 22) return {std::copysign(1.0, x), 4 * std::sin(y) * std::cos(y) * std::exp(-2 * std::fabs(x))};
  const double t = std::tan(y), s = std::sinh(x), beta = 1 + t * t, under = 1 + beta * s * s;
  return {beta * std::sqrt(1 + s * s) * s / under, t / under};
}
THC_FUNCTION_OF_COMPLEX Complex sin(Complex z) { return overI(sinh(timesI(z))); }
THC_FUNCTION_OF_COMPLEX Complex cos(Complex z) { return cosh(timesI(z)); }
THC_FUNCTION_OF_COMPLEX Complex tan(Complex z) { return overI(tanh(timesI(z))); }

// ---- inverse functions, as Kahan has them ---------------------------------------------------------------
// The angle of an infinite number; NaN if one of its parts is.
THC_FUNCTION_OF_COMPLEX double angleOfInfinite(double x, double y) {
  if (x != x || y != y) return kNanOf;
  return std::atan2(std::copysign(std::isinf(y) ? 1.0 : 0.0, y), std::copysign(std::isinf(x) ? 1.0 : 0.0, x));
}
// 1 + z and 1 - z with their own signs of zero; Re(x y), Im(x y) one by one
THC_FUNCTION_OF_COMPLEX double realOfProduct(Complex x, Complex y) { return x.real() * y.real() - x.imag() * y.imag(); }
THC_FUNCTION_OF_COMPLEX double imagOfProduct(Complex x, Complex y) { return x.real() * y.imag() + x.imag() * y.real(); }

THC_FUNCTION_OF_COMPLEX Complex asinh(Complex z) {
  const double x = z.real(), y = z.imag();
  if (std::isinf(x) || std::isinf(y)) return {std::copysign(kInfinityOf, x), angleOfInfinite(std::fabs(x), y)};
  if (x != x || y != y) return {kNanOf, y == 0 ? y : kNanOf};
  const double most = std::fmax(std::fabs(x), std::fabs(y));
  if (most > 1e150) {  // log(2 |z|)
    const Complex w = log(Complex(std::fabs(x), y));
    return {std::copysign(w.real() + M_LN2, x), w.imag()};
  }
  const Complex s1 = sqrt(Complex(1 + y, -x)), s2 = sqrt(Complex(1 - y, x));
  return {std::asinh(imagOfProduct(conjugate(s1), s2)), std::atan2(y, realOfProduct(s1, s2))};
}
THC_FUNCTION_OF_COMPLEX Complex asin(Complex z) { return overI(asinh(timesI(z))); }

THC_FUNCTION_OF_COMPLEX Complex acos(Complex z) {
  const double x = z.real(), y = z.imag();
  if (std::isinf(x) || std::isinf(y)) return {angleOfInfinite(x, std::fabs(y)), std::copysign(kInfinityOf, -y)};
  if (x != x || y != y) return {x == 0 ? M_PI_2 : kNanOf, kNanOf};
  if (std::fmax(std::fabs(x), std::fabs(y)) > 1e150) {
    const Complex w = log(Complex(x, std::fabs(y)));
    return {w.imag(), std::copysign(w.real() + M_LN2, -y)};
  }
  const Complex s1 = sqrt(Complex(1 - x, -y)), s2 = sqrt(Complex(1 + x, y));
  return {2 * std::atan2(s1.real(), s2.real()), std::asinh(imagOfProduct(conjugate(s2), s1))};
}
THC_FUNCTION_OF_COMPLEX Complex acosh(Complex z) {
  const Complex w = acos(z);
  return {std::fabs(w.imag()), std::copysign(w.real(), z.imag())};
}

THC_FUNCTION_OF_COMPLEX Complex atanh(Complex z) {
  const double x = std::fabs(z.real()), y = z.imag(), a = std::fabs(y);
  if (std::isinf(x) || std::isinf(a)) return {std::copysign(0.0, z.real()), y != y ? y : std::copysign(M_PI_2, y)};
  if (x != x || y != y) return {x == 0 ? z.real() : kNanOf, kNanOf};
  double real, imag;
  if (std::fmax(x, a) > 1e150) {
    const double h = std::hypot(x * 0.5, y * 0.5);
    real = x / h / h * 0.25;
    imag = std::copysign(M_PI_2, y);
  } else if (x == 1) {  // the square of a small y would vanish
    real = a == 0 ? kInfinityOf : 0.5 * (std::log(std::hypot(a, 2.0)) - std::log(a));
    imag = a == 0 ? y : std::copysign(0.5 * (M_PI_2 + std::atan(a * 0.5)), y);
  } else {
    const double rest = (1 - x) * (1 - x) + y * y;
    real = 0.25 * std::log1p(4 * x / rest);
    imag = 0.5 * std::atan2(2 * y, (1 - x) * (1 + x) - y * y);
  }
  return {std::copysign(real, z.real()), imag};
}
THC_FUNCTION_OF_COMPLEX Complex atan(Complex z) { return overI(atanh(timesI(z))); }

THC_FUNCTION_OF_COMPLEX Complex pow(Complex z, Complex e) { return exp(e * log(z)); }

#undef THC_FUNCTION_OF_COMPLEX
}  // namespace th
