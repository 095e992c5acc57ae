// Orthogonal polynomials of degree n, in double by their recurrences. 0 for n <= -1, as in torch; a degree above
// a million, where a recurrence would not end, NaN.
#include <TH/THTensorSpecial.h>

#include <cmath>

#include "kit/kernel.hpp"
#include "kit/special.hpp"

namespace th {
namespace {

constexpr double kMaxDegree = 1 << 20;

// p(0) = 1, p(1) = first, p(k + 1) = next(k, p(k), p(k - 1))
template <class Next>
double recurrence(double degree, double first, const Next &next) {
  if (degree != degree || degree > kMaxDegree) return special::kNan;
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
double chebyshev(double x, double n, double first) {
  return recurrence(n, first, [=](double, double p, double before) { return 2 * x * p - before; });
}
double hermiteH(double x, double n, double limit) {
  if (n > limit) return special::kNan;
  return recurrence(n, 2 * x, [=](double k, double p, double before) { return 2 * x * p - 2 * k * before; });
}
double hermiteHe(double x, double n, double limit) {
  if (n > limit) return special::kNan;
  return recurrence(n, x, [=](double k, double p, double before) { return x * p - k * before; });
}
double laguerre(double x, double n) {
  return recurrence(n, 1 - x,
                    [=](double k, double p, double before) { return ((2 * k + 1 - x) * p - k * before) / (k + 1); });
}
double legendre(double x, double n) {
  if (std::fabs(x) == 1 && n > -1) return x > 0 || std::fmod(std::trunc(n), 2) == 0 ? 1 : -1;
  return recurrence(n, x,
                    [=](double k, double p, double before) { return ((2 * k + 1) * x * p - k * before) / (k + 1); });
}

// torch gives up where the numbers leave T's range for most x.
template <class T> constexpr double kHermiteLimit = sizeof(T) == 4 ? 128 : 512;

#define TH_POLYNOMIAL(name, expression)                                                                 \
  template <class T> struct Of_##name {                                                                 \
    T operator()(T t, T degree) const {                                                                 \
      const double x = t, n = degree;                                                                   \
      return T(expression);                                                                             \
    }                                                                                                   \
  };                                                                                                    \
  constexpr KernelTable k_##name = makeTable(Dtypes<TH_Float, TH_Double>{}, PlainBinary<Of_##name>{});
#define TH_POLYNOMIALS(X)                                      \
  X(chebyshevT, chebyshev(x, n, x))                            \
  X(chebyshevU, chebyshev(x, n, 2 * x))                        \
  X(chebyshevV, chebyshev(x, n, 2 * x - 1))                    \
  X(chebyshevW, chebyshev(x, n, 2 * x + 1))                    \
  X(shiftedChebyshevT, chebyshev(2 * x - 1, n, 2 * x - 1))     \
  X(shiftedChebyshevU, chebyshev(2 * x - 1, n, 4 * x - 2))     \
  X(shiftedChebyshevV, chebyshev(2 * x - 1, n, 4 * x - 3))     \
  X(shiftedChebyshevW, chebyshev(2 * x - 1, n, 4 * x - 1))     \
  X(hermiteH, hermiteH(x, n, kHermiteLimit<T>))                \
  X(hermiteHe, hermiteHe(x, n, kHermiteLimit<T>))              \
  X(laguerreL, laguerre(x, n))                                 \
  X(legendreP, legendre(x, n))
TH_POLYNOMIALS(TH_POLYNOMIAL)

}  // namespace
}  // namespace th

#define TH_DEFINE_POLYNOMIAL(name, expression)                                       \
  TH_DEFINE(name, float_double, (THTensor *r, const THTensor *t, const THTensor *degree),  \
            th::pointwise(th::k_##name, dtype, nullptr, r, {t, degree}))
TH_POLYNOMIALS(TH_DEFINE_POLYNOMIAL)
