// Order statistics along a dimension: the k-th smallest, medians, modes, quantiles.
#include <algorithm>
#include <cmath>

#include <TH/THPrepare.h>
#include <TH/THTensorOrder.h>
#include "kit/parallel.hpp"
#include "kit/apart.hpp"
#include "kit/sortkeys.hpp"

namespace th {
namespace {

template <class T>
inline bool isNumber(T x) {
  if constexpr (isHalfType<T>)
    return float(x) == float(x);
  else
    return x == x;
}

// values and indices = what choose(row, n, items, scratch) finds: a position in each row of the plan.
template <class T, class Choose>
void chooseFromRows(const THRowsPlan &plan, const THTensor *input, const Choose &choose) {
  Ref t = rowsAlong(input, plan.dim);
  resizeResults(plan.result, 2);
  if (!hasMemory(plan.result[0].tensor)) return;
  ContiguousResult valueResult(plan.result[0].tensor), indexResult(plan.result[1].tensor);
  const int64_t n = t->size[t->ndim - 1], count = n ? t->numel / n : 0;
  const T *const from = elements<T>(t);
  T *const toValues = valueResult.data<T>();
  int64_t *const toIndices = indexResult.data<int64_t>();
  withItem<T>(n, [&]<class Item>(Item) {
    parallelFor(count, std::max<int64_t>(1, kGrain / 4 / std::max<int64_t>(n, 1)), [&](int64_t begin, int64_t end) {
      const std::unique_ptr<Item[]> memory(new Item[size_t(2 * n)]);
      for (int64_t k = begin; k < end; k++) {
        const T *row = from + k * n;
        const int64_t at = choose(row, n, memory.get(), memory.get() + n);
        toValues[k] = row[at];
        toIndices[k] = at;
      }
    });
  });
  valueResult.finish();
  indexResult.finish();
}

template <class T, class Item>
int64_t kthPosition(const T *row, int64_t n, int64_t k, Item *items) {
  for (int64_t i = 0; i < n; i++) items[i] = Item(keyOf(row[i]), i);
  std::nth_element(items, items + k, items + n);
  return int64_t(items[k].position());
}

template <class T>
void kthvalue(THTensor *values, THTensor *indices, const THTensor *t, int64_t k, int dim, bool keepdim) {
  THRowsPlan plan;
  THPrepare_kthvalue(&plan, DtypeOf<T>::value, values, indices, t, k, dim, keepdim);
  chooseFromRows<T>(plan, t,
                    [k](const T *row, int64_t n, auto *items, auto *) { return kthPosition(row, n, k - 1, items); });
}

template <class T>
void median(const char *name, THTensor *values, THTensor *indices, const THTensor *t, int dim, bool keepdim,
            bool ignoreNan) {
  THRowsPlan plan;
  THPrepare_orderStatistic(&plan, name, DtypeOf<T>::value, values, indices, t, dim, keepdim);
  chooseFromRows<T>(plan, t, [=](const T *row, int64_t n, auto *items, auto *) {
    int64_t numbers = n;
    if constexpr (!std::is_integral_v<T>)
      for (int64_t i = 0; i < n; i++) {
        if (isNumber(row[i])) continue;
        if (!ignoreNan) return i;
        numbers--;
      }
    return kthPosition(row, n, numbers ? (numbers - 1) / 2 : 0, items);
  });
}

template <class T>
void mode(THTensor *values, THTensor *indices, const THTensor *t, int dim, bool keepdim) {
  THRowsPlan plan;
  THPrepare_orderStatistic(&plan, "mode", DtypeOf<T>::value, values, indices, t, dim, keepdim);
  chooseFromRows<T>(plan, t, [](const T *row, int64_t n, auto *items, auto *scratch) {
    using Item = std::remove_pointer_t<decltype(items)>;
    for (int64_t i = 0; i < n; i++) items[i] = Item(keyOf(row[i]), i);
    sortItems(items, scratch, n, sizeof(T));
    int64_t best = 0, most = 0, run = 0;
    for (int64_t i = 0; i < n; i++) {
      const int64_t at = int64_t(items[i].position());
      run++;
      if (i + 1 < n && keyOf(row[at]) == keyOf(row[items[i + 1].position()]) && isNumber(row[at])) continue;
      if (run > most) most = run, best = at;
      run = 0;
    }
    return best;
  });
}

// torch's lerp, which is exact at both ends.
template <class A>
A between(A a, A b, A weight) {
  return weight < A(0.5) ? a + weight * (b - a) : b - (b - a) * (1 - weight);
}

template <class T>
void quantile(THTensor *r, const THTensor *t, const THTensor *q, int interpolation, bool ignoreNan) {
  using A = Compute<T>;
  THResult shape;
  THPrepare_quantile(&shape, DtypeOf<T>::value, r, t, q);
  if (!hasMemory(r)) return resizeResults(&shape);
  const int64_t rows = t->size[0], n = t->size[1], count = q->numel;
  const Ref sorted = contiguousApart(r, dtypeOf(t), t), ranks = contiguousApart(r, dtypeOf(t), q);
  resizeResults(&shape);
  ResultAs result(dtypeOf(t), r);
  const T *const from = elements<T>(sorted), *const fraction = elements<T>(ranks);
  T *const to = result.template data<T>();
  parallelFor(rows, std::max<int64_t>(1, kGrain / 16 / std::max<int64_t>(1, count)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      const T *row = from + i * n;
      // NaN stands at the end.
      const int64_t numbers = std::partition_point(row, row + n, [](T x) { return isNumber(x); }) - row;
      for (int64_t j = 0; j < count; j++) {
        A rank = A(fraction[j]) * A((ignoreNan ? numbers : n) - 1);
        if (ignoreNan)
          rank = std::max(rank, A(0));
        else if (numbers < n)
          rank = A(n - 1);
        if (interpolation == TH_INTERPOLATE_LOWER) rank = std::floor(rank);
        if (interpolation == TH_INTERPOLATE_HIGHER) rank = std::ceil(rank);
        if (interpolation == TH_INTERPOLATE_NEAREST) rank = std::nearbyint(rank);
        const int64_t below = std::min(int64_t(rank), n - 1);
        T value = row[below];
        if (interpolation == TH_INTERPOLATE_LINEAR || interpolation == TH_INTERPOLATE_MIDPOINT) {
          const A weight = interpolation == TH_INTERPOLATE_LINEAR ? rank - A(below) : A(0.5);
          value = T(between(A(value), A(row[std::min(int64_t(std::ceil(rank)), n - 1)]), weight));
        }
        to[j * rows + i] = value;
      }
    }
  });
  result.finish();
}

}  // namespace
}  // namespace th

#define ALONG_DIM (THTensor *values, THTensor *indices, const THTensor *t, int dim, bool keepdim)
TH_DEFINE(kthvalue, number, (THTensor *values, THTensor *indices, const THTensor *t, int64_t k, int dim, bool keepdim),
          th::kthvalue<T>(values, indices, t, k, dim, keepdim))
TH_DEFINE(median, number, ALONG_DIM, th::median<T>("median", values, indices, t, dim, keepdim, false))
TH_DEFINE(nanmedian, number, ALONG_DIM, th::median<T>("nanmedian", values, indices, t, dim, keepdim, true))
TH_DEFINE(mode, all, ALONG_DIM, th::mode<T>(values, indices, t, dim, keepdim))
TH_DEFINE(quantile, floating, (THTensor *r, const THTensor *t, const THTensor *q, int interpolation, bool ignoreNan),
          th::quantile<T>(r, t, q, interpolation, ignoreNan))
