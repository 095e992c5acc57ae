// Orthogonal polynomials of degree n, in double by their recurrences, as templates: see formulas.hpp. 0 for n <= -1, as in torch; a
// degree above a million, where a recurrence would not end, NaN.
#pragma once

#include "formulas.hpp"

namespace th::formulas {

inline constexpr double kMaxDegree = 1 << 20;

// p(0) = 1, p(1) = first, p(k + 1) = next(k, p(k), p(k - 1))
template <class Real, class Next>
constexpr Real recurrence(Real degree, Real first, const Next &next) {
  if (degree != degree || degree > kMaxDegree) return kNan;
  const int64_t n = degree <= -1 ? -1 : int64_t(degree);
  if (n < 1) return n < 0 ? 0 : 1;
  double before = 1, p = first;
  for (int64_t k = 1; k < n && p == p; k++) {
    const double after = next(double(k), p, before);
    before = p;
    p = after;
  }
  return p;
}

// The four kinds of Chebyshev's have one recurrence and differ in their first.
template <class Real>
constexpr Real chebyshev(Real x, Real n, Real first) {
  return recurrence(n, first, [=](Real, Real p, Real before) { return 2 * x * p - before; });
}
template <class Real>
constexpr Real hermiteH(Real x, Real n, Real limit) {
  if (n > limit) return kNan;
  return recurrence(n, 2 * x, [=](Real k, Real p, Real before) { return 2 * x * p - 2 * k * before; });
}
template <class Real>
constexpr Real hermiteHe(Real x, Real n, Real limit) {
  if (n > limit) return kNan;
  return recurrence(n, x, [=](Real k, Real p, Real before) { return x * p - k * before; });
}
template <class Real>
constexpr Real laguerre(Real x, Real n) {
  return recurrence(n, 1 - x,
                    [=](Real k, Real p, Real before) { return ((2 * k + 1 - x) * p - k * before) / (k + 1); });
}
template <class Real>
constexpr Real legendre(Real x, Real n) {
  if (std::fabs(x) == 1 && n > -1) return x > 0 || std::fmod(std::trunc(n), 2) == 0 ? 1 : -1;
  return recurrence(n, x, [=](Real k, Real p, Real before) { return ((2 * k + 1) * x * p - k * before) / (k + 1); });
}

// torch gives up where the numbers leave T's range for most x.
template <class T>
inline constexpr double kHermiteLimit = sizeof(T) == 4 ? 128 : 512;

}  // namespace th::formulas

// X(kernel, expression of x and n for element type T)
#define TH_POLYNOMIALS(X)                                      \
  X(chebyshevT, th::formulas::chebyshev(x, n, x))                            \
  X(chebyshevU, th::formulas::chebyshev(x, n, 2 * x))                        \
  X(chebyshevV, th::formulas::chebyshev(x, n, 2 * x - 1))                    \
  X(chebyshevW, th::formulas::chebyshev(x, n, 2 * x + 1))                    \
  X(shiftedChebyshevT, th::formulas::chebyshev(2 * x - 1, n, 2 * x - 1))     \
  X(shiftedChebyshevU, th::formulas::chebyshev(2 * x - 1, n, 4 * x - 2))     \
  X(shiftedChebyshevV, th::formulas::chebyshev(2 * x - 1, n, 4 * x - 3))     \
  X(shiftedChebyshevW, th::formulas::chebyshev(2 * x - 1, n, 4 * x - 1))     \
  X(hermiteH, th::formulas::hermiteH(x, n, th::formulas::kHermiteLimit<T>))                \
  X(hermiteHe, th::formulas::hermiteHe(x, n, th::formulas::kHermiteLimit<T>))              \
  X(laguerreL, th::formulas::laguerre(x, n))                                 \
  X(legendreP, th::formulas::legendre(x, n))
