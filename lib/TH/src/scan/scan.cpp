// Running sums, products and extrema along a dimension. A row is walked in order, whatever the
// number of threads; where rows lie side by side, many of them are walked together.
#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>

#include <TH/THPrepare.h>
#include <TH/THTensorOrder.h>
#include "kit/parallel.hpp"
#include "kit/prepare.hpp"
#include "kit/scalar.hpp"
#include "kit/sortkeys.hpp"

namespace th {
namespace {

constexpr int64_t kSide = 128;  // rows that are walked together

// Integers wrap around.
template <class T>
using Accumulator = std::conditional_t<
    isComplexType<T>, THComplexDouble,
    std::conditional_t<std::is_integral_v<T>, uint64_t, std::conditional_t<isHalfType<T>, float, double>>>;

// Calls row(first, w) for groups of w rows that lie side by side from element `first` on.
template <class Row>
void forRowGroups(const Rows &rows, const Row &row) {
  const int64_t side = rows.stride == 1 ? 1 : kSide, groups = (rows.stride + side - 1) / side;
  const int64_t grain = std::max<int64_t>(1, kGrain / std::max<int64_t>(1, rows.length * side));
  parallelFor(rows.count / rows.stride * groups, grain, [&](int64_t begin, int64_t end) {
    for (int64_t g = begin; g < end; g++) {
      const int64_t at = g % groups * side;
      row(g / groups * rows.stride * rows.length + at, std::min(side, rows.stride - at));
    }
  });
}

// y[i] = acc = take(acc, x[i]) in each of w rows of n elements. A step waits for the one before: those of several rows
// fill the time.
template <int w, class T, class A, class Take>
void accumulateRows(T *y, const T *x, int64_t n, A identity, const Take &take) {
  A acc[w];
  std::fill_n(acc, w, identity);
  for (int64_t i = 0; i < n; i++)
    for (int k = 0; k < w; k++) y[k * n + i] = T(acc[k] = take(acc[k], A(x[k * n + i])));
}

// Of all rows.
template <class T, class A, class Take>
void accumulate(THTensor *r, const THTensor *t, int dim, A identity, const Take &take) {
  THRowsPlan plan;
  THPrepare_scan(&plan, r, t, dim);
  Ref input = contiguousAs(DtypeOf<T>::value, t);
  resizeResults(plan.result);
  ResultAs result(DtypeOf<T>::value, r);
  const Rows rows(plan.rows);
  if (!rows.count || !hasMemory(r)) return result.finish();
  const T *const from = elements<T>(input);
  T *const to = result.data<T>();
  if (rows.stride == 1) {
    constexpr int together = 4;
    parallelFor(rows.count, std::max<int64_t>(1, kGrain / rows.length), [&](int64_t begin, int64_t end) {
      const int64_t n = rows.length;
      int64_t k = begin;
      for (; k + together <= end; k += together) accumulateRows<together>(to + k * n, from + k * n, n, identity, take);
      for (; k < end; k++) accumulateRows<1>(to + k * n, from + k * n, n, identity, take);
    });
    return result.finish();
  }
  forRowGroups(rows, [&](int64_t first, int64_t w) {
    A acc[kSide];
    std::fill_n(acc, w, identity);
    const T *x = from + first;
    T *y = to + first;
    for (int64_t i = 0; i < rows.length; i++, x += rows.stride, y += rows.stride)
      for (int64_t j = 0; j < w; j++) y[j] = T(acc[j] = take(acc[j], A(x[j])));
  });
  result.finish();
}

template <class T>
void cumsum(THTensor *r, const THTensor *t, int dim) {
  using A = Accumulator<T>;
  accumulate<T>(r, t, dim, A(0), [](A a, A x) { return a + x; });
}
template <class T>
void cumprod(THTensor *r, const THTensor *t, int dim) {
  using A = Accumulator<T>;
  accumulate<T>(r, t, dim, A(1), [](A a, A x) { return a * x; });
}
template <class T>
void logcumsumexp(THTensor *r, const THTensor *t, int dim) {
  using A = Accumulator<T>;
  if constexpr (isComplexType<T>) {
    using Z = std::complex<double>;
    const auto last = -std::numeric_limits<double>::infinity();
    return accumulate<T>(r, t, dim, A(last, 0), [](A a, A x) {
      const bool first = a.real() < x.real();  // a NaN goes on in either place
      const Z low(first ? Z(a.real(), a.imag()) : Z(x.real(), x.imag()));
      const Z high(first ? Z(x.real(), x.imag()) : Z(a.real(), a.imag()));
      const Z sum = std::isinf(low.real()) && low.real() < 0 ? high : high + std::log(1.0 + std::exp(low - high));
      return A(sum.real(), sum.imag());
    });
  } else {
    accumulate<T>(r, t, dim, -std::numeric_limits<A>::infinity(), [](A a, A x) {
      const A low = std::isnan(x) ? x : std::min(a, x), high = std::isnan(x) ? x : std::max(a, x);
      return low == high && std::isinf(low) ? low : std::log1p(std::exp(low - high)) + high;
    });
  }
}

template <class T, bool greatest>
void extremum(THTensor *values, THTensor *indices, const THTensor *t, int dim) {
  THRowsPlan plan;
  THPrepare_scanExtremum(&plan, DtypeOf<T>::value, values, indices, t, dim);
  Ref input(THTensor_newContiguous(const_cast<THTensor *>(t)));
  resizeResults(plan.result, 2);
  if (!hasMemory(values)) return;
  ContiguousResult valueResult(values), indexResult(indices);
  const Rows rows(plan.rows);
  const T *const from = elements<T>(input);
  T *const toValues = valueResult.data<T>();
  int64_t *const toIndices = indexResult.data<int64_t>();
  if (rows.count)
    forRowGroups(rows, [&](int64_t first, int64_t w) {
      for (int64_t j = first; j < first + w; j++) {
        int64_t place = 0, i = 0, at = j;
        const auto next = [&] { i++, at += rows.stride; };
        T best = from[at];
        // Extrema change seldom or always, so a branch is predicted well; a conditional move would make each element
        // wait for the one before. Behind a NaN there are only NaNs.
        for (Compute<T> b = best; i < rows.length && b == b; next()) {
          if (const Compute<T> a = from[at]; !(greatest ? a < b : a > b)) [[unlikely]]
            best = from[at], b = a, place = i;
          toValues[at] = best, toIndices[at] = place;
        }
        for (; i < rows.length; next()) {
          if (const Compute<T> a = from[at]; a != a) best = from[at], place = i;
          toValues[at] = best, toIndices[at] = place;
        }
      }
    });
  valueResult.finish();
  indexResult.finish();
}

}  // namespace
}  // namespace th

using namespace th;

void THPrepare_scan(THRowsPlan *plan, THTensor *r, const THTensor *t, int dim) {
  plan->dim = TH_wrapDim(dim, t->ndim);
  if (r != t) requireSeparate(r, t, t->ndim, t->size);
  plan->rows = Rows(t, plan->dim);
  setResult(plan->result[0], r, t);
  plan->result[1].tensor = nullptr;
}

void THPrepare_scanExtremum(THRowsPlan *plan, THDtype dtype, THTensor *values, THTensor *indices, const THTensor *t,
                            int dim) {
  requireDtype(t, dtype);
  requireDtype(values, dtypeOf(t), "values");
  requireDtype(indices, TH_Long, "indices");
  plan->dim = TH_wrapDim(dim, t->ndim);
  if (values != t) requireSeparate(values, t, t->ndim, t->size);
  requireSeparate(indices, t, t->ndim, t->size);
  requireSeparate(values, indices);
  plan->rows = Rows(t, plan->dim);
  setResult(plan->result[0], values, t);
  setResult(plan->result[1], indices, t);
}

TH_DEFINE(cumsum, number_complex, (THTensor *r, const THTensor *t, int dim), th::cumsum<T>(r, t, dim))
TH_DEFINE(cumprod, number_complex, (THTensor *r, const THTensor *t, int dim), th::cumprod<T>(r, t, dim))
TH_DEFINE(logcumsumexp, floating_complex, (THTensor *r, const THTensor *t, int dim), th::logcumsumexp<T>(r, t, dim))
#define RUNNING (THTensor *values, THTensor *indices, const THTensor *t, int dim)
TH_DEFINE(cummax, all, RUNNING, th::extremum<T, true>(values, indices, t, dim))
TH_DEFINE(cummin, all, RUNNING, th::extremum<T, false>(values, indices, t, dim))
