// Bessel functions of orders 0 and 1, Airy's, and the incomplete gamma functions, in double.
#include <THC/THCTensorSpecial.h>
#include "special/by_double.cuh"
#include "special/bessel.hpp"

namespace thc {
namespace {

// K(0, x) and K(1, x) near 0, up to 2, by their series (DLMF 10.31).
__host__ __device__ double besselKNear(int order, double x) {
  const double quarter = x * x / 4, logarithm = std::log(x / 2);
  constexpr double kEuler = 0.57721566490153286061;
  double psi = -kEuler, term = 1, first = 1;  // digamma(k + 1), (x^2/4)^k / (k! (k + order)!), sums
  double rest = order ? psi + 0.5 : psi;
  for (int k = 1; k < 40 && term > 1e-18; k++) {
    term *= quarter / (double(k) * (k + order));
    psi += 1.0 / k;
    first += term;
    rest += term * (order ? psi + 0.5 / (k + 1) : psi);
  }
  return order ? 1 / x + x / 2 * (logarithm * first - rest) : rest - logarithm * first;
}

// K(order, x) from 2 on, for any order: Temme's continued fraction, evaluated forwards with the sum that normalises it
// (N. M. Temme, "On the numerical evaluation of the modified Bessel function of the third kind", 1975).
__host__ __device__ double besselKFar(double order, double x) {
  const double start = 0.25 - order * order;
  double a = -start, b = 2 * (1 + x), d = 1 / b, step = d, before = 0, q = 1, weight = start, total = start;
  double sum = 1 + total * step;
  for (int i = 2; i < 500; i++) {
    a -= 2 * (i - 1);
    weight *= -a / i;
    const double next = (before - b * q) / a;
    before = q;
    q = next;
    total += weight * next;
    b += 2;
    d = 1 / (b + a * d);
    step *= b * d - 1;
    const double change = total * step;
    sum += change;
    if (std::fabs(change) < 1e-17 * std::fabs(sum)) break;
  }
  return std::sqrt(th::formulas::kPi / (2 * x)) * std::exp(-x) / sum;
}

struct BetweenK {
  __host__ __device__ double operator()(int order, double x) const {
    return x <= 2 ? besselKNear(order, x) : besselKFar(order, x);
  }
};

// ---- Airy's function ------------------------------------------------------------------------------------
// A solution of y'' = x y, known at x with its slope, at x + h: Taylor's series.
struct Solution {
  double x, y, slope;
  __device__ void advance(double h) {
    double c[3] = {x * y / 2, slope, y};  // of h^2, h, 1, and on
    double power = h, value = y + slope * h, derivative = slope;
    for (int n = 2; n < 40; n++) {
      derivative += n * c[0] * power;
      power *= h;
      value += c[0] * power;
      // (n + 1) n c(n + 1) = x c(n - 1) + c(n - 2)
      const double next = (x * c[1] + c[2]) / (double(n + 1) * n);
      c[2] = c[1], c[1] = c[0], c[0] = next;
    }
    x += h;
    y = value;
    slope = derivative;
  }
};

// Near 0 and below by steps, which are stable where the solutions oscillate; above by K(1/3); far below by the asymptotic
// series (DLMF 9.7).
__device__ double airy(double x) {
  constexpr double kAtZero = 0.355028053887817239, kSlope = -0.258819403792806798;
  if (x != x) return x;
  if (std::isinf(x)) return x > 0 ? 0 : th::formulas::kNan;
  const double a = std::fabs(x), z = 2.0 / 3 * a * std::sqrt(a);
  if (x > 1.25) return z > 700 ? 0 : std::sqrt(a / 3) / th::formulas::kPi * besselKFar(1.0 / 3, z);
  if (x > -9) {
    Solution solution{0, kAtZero, kSlope};
    const int steps = int(a * 2) + 1;
    for (int i = 0; i < steps; i++) solution.advance((x - solution.x) / (steps - i));
    return solution.y;
  }
  double term = 1, sums[2] = {1, 0};  // of even and of odd powers of 1 / z, each with alternating signs
  for (int k = 1; k < 30; k++) {
    const double next = term * (6 * k - 5.0) * (6 * k - 3) * (6 * k - 1) / (216.0 * k * (2 * k - 1) * z);
    if (next > term) break;  // beyond, the series diverges
    term = next;
    sums[k % 2] += k % 4 < 2 ? term : -term;
  }
  const double angle = z - th::formulas::kPi / 4;
  return (std::cos(angle) * sums[0] + std::sin(angle) * sums[1]) / std::sqrt(th::formulas::kPi * std::sqrt(a));
}

}  // namespace
}  // namespace thc

BY_DOUBLE(besselJ0, float_double, BesselJ0, ::j0(x))
BY_DOUBLE(besselJ1, float_double, BesselJ1, ::j1(x))
BY_DOUBLE(besselY0, float_double, BesselY0, x < 0 ? th::formulas::kNan : ::y0(x))
BY_DOUBLE(besselY1, float_double, BesselY1, x < 0 ? th::formulas::kNan : ::y1(x))
BY_DOUBLE(besselK0, float_double, BesselK0, th::formulas::besselK(0, x, false, thc::BetweenK{}))
BY_DOUBLE(besselK1, float_double, BesselK1, th::formulas::besselK(1, x, false, thc::BetweenK{}))
BY_DOUBLE(scaledBesselK0, float_double, ScaledBesselK0, th::formulas::besselK(0, x, true, thc::BetweenK{}))
BY_DOUBLE(scaledBesselK1, float_double, ScaledBesselK1, th::formulas::besselK(1, x, true, thc::BetweenK{}))
BY_DOUBLE(sphericalBesselJ0, float_double, SphericalJ0, th::formulas::sphericalJ0(x))
BY_DOUBLE(airyAi, float_double, AiryAi, thc::airy(x))

namespace thc {
namespace {

struct IncompleteGamma {
  int upper;
  __device__ double operator()(double a, double x) const { return th::formulas::incompleteGamma(a, x, upper != 0); }
};

}  // namespace
}  // namespace thc

#define BINARY (THTensor *r, const THTensor *a, const THTensor *x)
THC_DEFINE(igamma, floating, BINARY, thc::pointwise<T, double>(thc::IncompleteGamma{0}, r, a, x))
THC_DEFINE(igammac, floating, BINARY, thc::pointwise<T, double>(thc::IncompleteGamma{1}, r, a, x))
