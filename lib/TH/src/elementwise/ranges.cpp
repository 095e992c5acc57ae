// Tensors filled by a formula of the index.
#include <cmath>
#include <TH/THTensorComplex.h>
#include <TH/THTensorMath.h>
#include "kit/define.hpp"
#include "kit/parallel.hpp"
#include "kit/scalar.hpp"
#include "kit/tensor.hpp"

namespace th {
namespace {

// Element i of r, in the order of its indices, = formula(i) of type T. r becomes a vector unless it has n elements.
template <class T, class Formula>
void fillVector(THTensor *r, int64_t n, const Formula &formula) {
  const bool fits = r->numel == n;
  if (!hasMemory(r)) {
    if (!fits) THTensor_resize(r, 1, &n);
    return;
  }
  Ref own;
  THTensor *out = r;
  if (r->dtype != DtypeOf<T>::value || (fits && !THTensor_isContiguous(r))) {
    own = Ref(fits ? THTensor_newWithSize(DtypeOf<T>::value, r->ndim, r->size)
                   : THTensor_newWithSize(DtypeOf<T>::value, 1, &n));
    out = own;
  } else if (!fits) {
    THTensor_resize(r, 1, &n);
  }
  T *to = elements<T>(out);
  parallelFor(n, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) to[i] = formula(i);
  });
  if (out == r) return;
  if (!fits) THTensor_resize(r, 1, &n);
  THTensor_copy(r, own);
}

// As torch counts: in integers for int64, in double for all others, whatever is computed.
template <class T>
int64_t arangeLength(THScalar start, THScalar end, THScalar step) {
  const double a = scalarToDouble(start), b = scalarToDouble(end);
  if (!std::isfinite(a) || !std::isfinite(b)) THError(TH_ERROR_RUNTIME, "unsupported range: %g -> %g", a, b);
  double length;
  if constexpr (std::is_same_v<T, int64_t>) {
    const int64_t x = scalarTo<int64_t>(start), y = scalarTo<int64_t>(end), s = scalarTo<int64_t>(step);
    if (s == 0) THError(TH_ERROR_RUNTIME, "step must be nonzero");
    if (s > 0 ? y < x : y > x) THError(TH_ERROR_RUNTIME, "upper bound and lower bound inconsistent with step sign");
    // Distances as unsigned numbers: y - x may not fit.
    const uint64_t distance = s > 0 ? uint64_t(y) - uint64_t(x) : uint64_t(x) - uint64_t(y);
    const uint64_t by = s > 0 ? uint64_t(s) : -uint64_t(s);
    const uint64_t n = distance / by + (distance % by != 0);
    if (n > uint64_t(std::numeric_limits<int64_t>::max()))
      THError(TH_ERROR_RUNTIME, "invalid size, possible overflow?");
    return int64_t(n);
  } else {
    const double s = scalarToDouble(step);
    if (std::is_integral_v<T> ? truncateTo<int64_t>(s) == 0 : s == 0) THError(TH_ERROR_RUNTIME, "step must be nonzero");
    if (s > 0 ? b < a : b > a) THError(TH_ERROR_RUNTIME, "upper bound and lower bound inconsistent with step sign");
    length = std::ceil((b - a) / s);
  }
  if (!(length >= 0 && length <= 9.2e18)) THError(TH_ERROR_RUNTIME, "invalid size, possible overflow?");
  return int64_t(length);
}

template <class T>
void arange(THTensor *r, THScalar start, THScalar end, THScalar step) {
  const int64_t n = arangeLength<T>(start, end, step);
  if constexpr (std::is_integral_v<T>) {
    const auto a = uint64_t(scalarTo<int64_t>(start)), s = uint64_t(scalarTo<int64_t>(step));
    fillVector<T>(r, n, [=](int64_t i) { return T(a + uint64_t(i) * s); });
  } else {
    using A = std::conditional_t<isHalfType<T>, float, double>;
    const A a = A(scalarToDouble(start)), s = A(scalarToDouble(step));
    fillVector<T>(r, n, [=](int64_t i) { return T(a + A(i) * s); });
  }
}

// From both ends to the middle, so that both are exact and the whole is symmetric.
template <class T>
void linspace(THTensor *r, THScalar start, THScalar end, int64_t steps) {
  if (steps < 0) THError(TH_ERROR_RUNTIME, "number of steps must be non-negative");
  // Without memory it is of no account whether the dtype holds these.
  const T a = hasMemory(r) ? scalarTo<T>(start) : T(), b = hasMemory(r) ? scalarTo<T>(end) : T();
  using S = std::conditional_t<std::is_integral_v<T>, double, T>;  // a half type rounds after each operation
  const S step = steps > 1 ? S(S(S(b) - S(a)) / S(Compute<S>(steps - 1))) : S(Compute<S>(0));
  const int64_t half = steps / 2;
  fillVector<T>(r, steps, [=](int64_t i) {
    if (steps == 1) return a;
    const S distance = S(step * S(Compute<S>(i < half ? i : steps - 1 - i)));
    return convertTo<T>(i < half ? S(S(a) + distance) : S(S(b) - distance));
  });
}

// As torch counts: in double, whatever is computed.
template <class T>
void range(THTensor *r, THScalar start, THScalar end, THScalar step) {
  const double first = scalarToDouble(start), last = scalarToDouble(end), by = scalarToDouble(step);
  if (by == 0) THError(TH_ERROR_RUNTIME, "step must be nonzero");
  if (!std::isfinite(first) || !std::isfinite(last))
    THError(TH_ERROR_RUNTIME, "unsupported range: %g -> %g", first, last);
  if (by > 0 ? last < first : last > first)
    THError(TH_ERROR_RUNTIME, "upper bound and lower bound inconsistent with step sign");
  const double length = std::floor((last - first) / by + 1);
  if (!(length >= 0 && length <= 9.2e18)) THError(TH_ERROR_RUNTIME, "invalid size, possible overflow?");
  using A = std::conditional_t<std::is_integral_v<T>, int64_t, std::conditional_t<isHalfType<T>, float, double>>;
  const A a = scalarTo<A>(start), s = scalarTo<A>(step);
  fillVector<T>(r, int64_t(length), [=](int64_t i) { return T(a + A(i) * s); });
}

// base to the power of linspace's values.
template <class T>
void logspace(THTensor *r, THScalar start, THScalar end, int64_t steps, double base) {
  if (steps < 0) THError(TH_ERROR_RUNTIME, "number of steps must be non-negative");
  using S = std::conditional_t<std::is_integral_v<T>, float, Compute<T>>;
  const S first = S(scalarToDouble(start)), last = S(scalarToDouble(end)), b = S(base);
  const S step = steps > 1 ? (last - first) / S(steps - 1) : S(0);
  const int64_t half = steps / 2;
  fillVector<T>(r, steps, [=](int64_t i) {
    const S exponent = steps == 1 ? first : i < half ? first + step * S(i) : last - step * S(steps - 1 - i);
    return convertTo<T>(std::pow(b, exponent));
  });
}

template <class T>
void eye(THTensor *r, int64_t rows, int64_t columns) {
  if (rows < 0) THError(TH_ERROR_RUNTIME, "n must be greater or equal to 0, got %lld", (long long)rows);
  if (columns < 0) THError(TH_ERROR_RUNTIME, "m must be greater or equal to 0, got %lld", (long long)columns);
  const int64_t size[] = {rows, columns};
  if (!sameShape(2, size, r)) THTensor_resize(r, 2, size);
  THTensor_zero(r);
  Ref diagonal(THTensor_newDiagonal(r, 0, 0, 1));
  THTensor_fill(diagonal, scalar(int64_t(1)));
}

}  // namespace
}  // namespace th

TH_DEFINE(arange, number, (THTensor *r, THScalar start, THScalar end, THScalar step),
          th::arange<T>(r, start, end, step))
TH_DEFINE(linspace, number_complex, (THTensor *r, THScalar start, THScalar end, int64_t steps),
          th::linspace<T>(r, start, end, steps))
TH_DEFINE(range, number, (THTensor *r, THScalar start, THScalar end, THScalar step), th::range<T>(r, start, end, step))
TH_DEFINE(logspace, number, (THTensor *r, THScalar start, THScalar end, int64_t steps, double base),
          th::logspace<T>(r, start, end, steps, base))
TH_DEFINE(eye, all_complex, (THTensor *r, int64_t rows, int64_t columns), th::eye<T>(r, rows, columns))
