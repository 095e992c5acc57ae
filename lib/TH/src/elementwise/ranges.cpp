// Tensors filled by a formula of the index.
#include <cmath>
#include <TH/THCheck.h>
#include <TH/THPrepare.h>
#include <TH/THTensorComplex.h>
#include <TH/THTensorMath.h>
#include <TH/THTensorUnsigned.h>
#include "kit/define.hpp"
#include "kit/parallel.hpp"
#include "kit/result.hpp"
#include "kit/scalar.hpp"
#include "kit/tensor.hpp"

namespace th {
namespace {

// Element i of the result, in the order of its indices, = formula(i) of type T.
template <class T, class Formula>
void fillVector(THTensor *r, const THRangePlan &plan, const Formula &formula) {
  if (!hasMemory(r)) return resizeResults(&plan.result);
  const int64_t n = plan.n;
  const bool fits = !plan.result.tensor;
  Ref own;
  THTensor *out = r;
  if (r->dtype != DtypeOf<T>::value || (fits && !THTensor_isContiguous(r))) {
    own = Ref(fits ? THTensor_newWithSize(DtypeOf<T>::value, r->ndim, r->size)
                   : THTensor_newWithSize(DtypeOf<T>::value, 1, &n));
    out = own;
  } else {
    resizeResults(&plan.result);
  }
  T *to = elements<T>(out);
  parallelFor(n, kGrain, [&](int64_t begin, int64_t end) {
    T *const data = to;
    const Formula of = formula;  // in registers: an element might alias what it captures
    for (int64_t i = begin; i < end; i++) data[i] = of(i);
  });
  if (out == r) return;
  resizeResults(&plan.result);
  THTensor_copy(r, own);
}

// r becomes a vector unless it has n elements.
void setVector(THRangePlan *plan, THTensor *r, int64_t n) {
  plan->n = n;
  setResult(plan->result, r, 1, &n);
  if (r->numel != n) return;
  requireDistinct(r);
  plan->result.tensor = nullptr;
}

// As torch counts: in integers for int64, in double for all others, whatever is computed.
// Numbers that int64 does not hold, in uint64, are counted exactly as well.
int64_t arangeLength(THDtype dtype, THScalar start, THScalar end, THScalar step) {
  if (start.kind == TH_KIND_uint || end.kind == TH_KIND_uint) {
    const auto origin = [](THScalar x) { return scalar(int64_t(scalarTo<uint64_t>(x) ^ uint64_t(1) << 63)); };
    if (dtype == TH_UInt64) return arangeLength(TH_Long, origin(start), origin(end), step);
  }
  const double a = scalarToDouble(start), b = scalarToDouble(end);
  if (!std::isfinite(a) || !std::isfinite(b)) THError(TH_ERROR_RUNTIME, "unsupported range: %g -> %g", a, b);
  if (dtype == TH_Long) {
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
  }
  const double s = scalarToDouble(step);
  if (isFloating(dtype) ? s == 0 : truncateTo<int64_t>(s) == 0) THError(TH_ERROR_RUNTIME, "step must be nonzero");
  if (s > 0 ? b < a : b > a) THError(TH_ERROR_RUNTIME, "upper bound and lower bound inconsistent with step sign");
  const double length = std::ceil((b - a) / s);
  if (!(length >= 0 && length <= 9.2e18)) THError(TH_ERROR_RUNTIME, "invalid size, possible overflow?");
  return int64_t(length);
}

// A number as `dtype` holds it.
THScalar rounded(THDtype dtype, THScalar value) {
  alignas(8) char element[kWidest];
  scalarToBytes(dtype, value, element);
  return scalarFromBytes(dtype, element);
}

template <class T>
void arange(THTensor *r, THScalar start, THScalar end, THScalar step) {
  THRangePlan plan;
  THPrepare_arange(&plan, DtypeOf<T>::value, r, start, end, step);
  if constexpr (std::is_integral_v<T>) {
    const auto a = uint64_t(plan.start.value.i), s = uint64_t(plan.step.value.i);
    fillVector<T>(r, plan, [=](int64_t i) { return T(a + uint64_t(i) * s); });
  } else {
    using A = std::conditional_t<isHalfType<T>, float, double>;
    const A a = A(plan.start.value.d), s = A(plan.step.value.d);
    fillVector<T>(r, plan, [=](int64_t i) { return T(a + A(i) * s); });
  }
}

// From both ends to the middle, so that both are exact and the whole is symmetric.
template <class T>
void linspace(THTensor *r, THScalar start, THScalar end, int64_t steps) {
  THRangePlan plan;
  THPrepare_linspace(&plan, DtypeOf<T>::value, r, start, end, steps);
  if (!hasMemory(r)) return resizeResults(&plan.result);
  const T a = scalarTo<T>(plan.start), b = scalarTo<T>(plan.end);
  using S = std::conditional_t<std::is_integral_v<T>, double, T>;  // a half type rounds after each operation
  const S step = steps > 1 ? S(S(S(b) - S(a)) / S(Compute<S>(steps - 1))) : S(Compute<S>(0));
  const int64_t half = steps / 2;
  fillVector<T>(r, plan, [=](int64_t i) {
    if (steps == 1) return a;
    const S distance = S(step * S(Compute<S>(i < half ? i : steps - 1 - i)));
    return convertTo<T>(i < half ? S(S(a) + distance) : S(S(b) - distance));
  });
}

template <class T>
void range(THTensor *r, THScalar start, THScalar end, THScalar step) {
  THRangePlan plan;
  THPrepare_range(&plan, DtypeOf<T>::value, r, start, end, step);
  using A = std::conditional_t<std::is_integral_v<T>, int64_t, std::conditional_t<isHalfType<T>, float, double>>;
  const A a = scalarTo<A>(plan.start), s = scalarTo<A>(plan.step);
  fillVector<T>(r, plan, [=](int64_t i) { return T(a + A(i) * s); });
}

// base to the power of linspace's values.
template <class T>
void logspace(THTensor *r, THScalar start, THScalar end, int64_t steps, double base) {
  THRangePlan plan;
  THPrepare_logspace(&plan, r, start, end, steps);
  using S = std::conditional_t<std::is_integral_v<T>, float, Compute<T>>;
  const S first = S(plan.start.value.d), last = S(plan.end.value.d), b = S(base);
  const S step = steps > 1 ? (last - first) / S(steps - 1) : S(0);
  const int64_t half = steps / 2;
  fillVector<T>(r, plan, [=](int64_t i) {
    const S exponent = steps == 1 ? first : i < half ? first + step * S(i) : last - step * S(steps - 1 - i);
    return convertTo<T>(std::pow(b, exponent));
  });
}

void eye(THTensor *r, int64_t rows, int64_t columns) {
  THResult result;
  THPrepare_eye(&result, r, rows, columns);
  resizeResults(&result);
  THTensor_zero(r);
  Ref diagonal(THTensor_newDiagonal(r, 0, 0, 1));
  THTensor_fill(diagonal, scalar(int64_t(1)));
}

}  // namespace
}  // namespace th

using namespace th;

void THPrepare_arange(THRangePlan *plan, THDtype dtype, THTensor *r, THScalar start, THScalar end, THScalar step) {
  const int64_t n = arangeLength(dtype, start, end, step);
  const auto number = [&](THScalar x) {
    return isFloating(dtype)                              ? scalar(scalarToDouble(x))
           : x.kind == TH_KIND_uint && dtype == TH_UInt64 ? scalar(int64_t(x.value.u))
                                                          : scalar(scalarTo<int64_t>(x));
  };
  plan->start = number(start), plan->step = number(step);
  setVector(plan, r, n);
}

// As torch counts: in double, whatever is computed.
void THPrepare_range(THRangePlan *plan, THDtype dtype, THTensor *r, THScalar start, THScalar end, THScalar step) {
  const double first = scalarToDouble(start), last = scalarToDouble(end), by = scalarToDouble(step);
  if (by == 0) THError(TH_ERROR_RUNTIME, "step must be nonzero");
  if (!std::isfinite(first) || !std::isfinite(last))
    THError(TH_ERROR_RUNTIME, "unsupported range: %g -> %g", first, last);
  if (by > 0 ? last < first : last > first)
    THError(TH_ERROR_RUNTIME, "upper bound and lower bound inconsistent with step sign");
  const double length = std::floor((last - first) / by + 1);
  if (!(length >= 0 && length <= 9.2e18)) THError(TH_ERROR_RUNTIME, "invalid size, possible overflow?");
  const THDtype compute = !isFloating(dtype) ? TH_Long : isHalf(dtype) ? TH_Float : TH_Double;
  plan->start = rounded(compute, start), plan->step = rounded(compute, step);
  setVector(plan, r, int64_t(length));
}

void THCheck_steps(int64_t steps) {
  if (steps < 0) THError(TH_ERROR_RUNTIME, "number of steps must be non-negative");
}

void THPrepare_linspace(THRangePlan *plan, THDtype dtype, THTensor *r, THScalar start, THScalar end, int64_t steps) {
  THCheck_steps(steps);
  // Without memory it does not matter whether the dtype holds these.
  plan->start = hasMemory(r) ? rounded(dtype, start) : start;
  plan->end = hasMemory(r) ? rounded(dtype, end) : end;
  setVector(plan, r, steps);
}

void THPrepare_logspace(THRangePlan *plan, THTensor *r, THScalar start, THScalar end, int64_t steps) {
  THCheck_steps(steps);
  plan->start = scalar(scalarToDouble(start)), plan->end = scalar(scalarToDouble(end));
  setVector(plan, r, steps);
}

void THCheck_eye(int64_t rows, int64_t columns) {
  if (rows < 0) THError(TH_ERROR_RUNTIME, "n must be greater or equal to 0, got %lld", (long long)rows);
  if (columns < 0) THError(TH_ERROR_RUNTIME, "m must be greater or equal to 0, got %lld", (long long)columns);
}

void THPrepare_eye(THResult *result, THTensor *r, int64_t rows, int64_t columns) {
  THCheck_eye(rows, columns);
  const int64_t size[] = {rows, columns};
  setResult(*result, r, 2, size);
  if (sameShape(2, size, r)) result->tensor = nullptr;
}

TH_DEFINE(arange, number, (THTensor *r, THScalar start, THScalar end, THScalar step),
          th::arange<T>(r, start, end, step))
TH_DEFINE(linspace, number_complex, (THTensor *r, THScalar start, THScalar end, int64_t steps),
          th::linspace<T>(r, start, end, steps))
TH_DEFINE(range, number, (THTensor *r, THScalar start, THScalar end, THScalar step), th::range<T>(r, start, end, step))
TH_DEFINE(logspace, number, (THTensor *r, THScalar start, THScalar end, int64_t steps, double base),
          th::logspace<T>(r, start, end, steps, base))
TH_DEFINE(eye, all_complex, (THTensor *r, int64_t rows, int64_t columns), th::eye(r, rows, columns))

// Of the unsigned integers wider than 8 bits, by uint64.
TH_DEFINE(arange, uint64, (THTensor *r, THScalar start, THScalar end, THScalar step),
          th::arange<T>(r, start, end, step))
TH_DEFINE(linspace, uint64, (THTensor *r, THScalar start, THScalar end, int64_t steps),
          th::linspace<T>(r, start, end, steps))
TH_DEFINE(range, uint64, (THTensor *r, THScalar start, THScalar end, THScalar step), th::range<T>(r, start, end, step))
TH_DEFINE(logspace, uint64, (THTensor *r, THScalar start, THScalar end, int64_t steps, double base),
          th::logspace<T>(r, start, end, steps, base))
