// Different elements, or slices: sorted, or as runs of equal neighbours. NaN differs from everything.
#include <numeric>
#include <vector>

#include <TH/THTensorOrder.h>
#include "prepare.hpp"
#include "sortkeys.hpp"

namespace th {
namespace {

template <class T>
bool equalElements(T a, T b) {
  if constexpr (isHalfType<T>)
    return float(a) == float(b);
  else
    return a == b;
}

// The positions of n elements of T in ascending order.
template <class T>
std::vector<int64_t> sortedPositions(const T *x, int64_t n) {
  std::vector<int64_t> order(static_cast<size_t>(n));
  withItem<T>(n, [&]<class Item>(Item) {
    const std::unique_ptr<Item[]> memory(new Item[size_t(2 * n)]);
    Item *items = memory.get(), *scratch = items + n;
    for (int64_t i = 0; i < n; i++) items[i] = Item(keyOf(x[i]), i);
    if (n) sortItems(items, scratch, n, sizeof(T));
    for (int64_t i = 0; i < n; i++) order[size_t(i)] = int64_t(items[i].position());
  });
  return order;
}

// n slices of `width` elements each, which are written to `values` as slices of shape size[1 …].
template <class T>
void distinct(THTensor *values, THTensor *inverse, THTensor *counts, const THTensor *t, bool sorted, bool slices) {
  requireDtype<T>(t);
  requireDtype(values, dtypeOf(t), "values");
  const Ref input = std::is_same_v<T, bool> ? truths(t) : Ref(THTensor_newContiguous(const_cast<THTensor *>(t)));
  const int64_t n = slices ? t->size[0] : t->numel, width = slices && n ? t->numel / n : 1;
  const T *const x = elements<T>(input);
  auto equal = [&](int64_t a, int64_t b) {
    return std::equal(x + a * width, x + (a + 1) * width, x + b * width, equalElements<T>);
  };
  std::vector<int64_t> order;
  if (sorted && width == 1) {
    order = sortedPositions(x, n);
  } else {
    order.resize(size_t(n));
    std::iota(order.begin(), order.end(), 0);
    if (sorted)
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return std::lexicographical_compare(x + a * width, x + (a + 1) * width, x + b * width, x + (b + 1) * width,
                                            [](T p, T q) { return keyOf(p) < keyOf(q); });
      });
  }
  std::vector<int64_t> first,
      group(static_cast<size_t>(n));  // where in `order` each group begins; group of each element
  for (int64_t i = 0; i < n; i++) {
    if (!i || !equal(order[size_t(i) - 1], order[size_t(i)])) first.push_back(i);
    group[size_t(order[size_t(i)])] = int64_t(first.size()) - 1;
  }

  int64_t size[TH_MAX_DIM] = {int64_t(first.size())};
  const int ndim = slices ? t->ndim : 1;
  for (int d = 1; d < ndim; d++) size[d] = t->size[d];
  requireSeparate(values, t, ndim, size);
  ContiguousResult valueResult(values, ndim, size);
  T *const to = valueResult.data<T>();
  for (int64_t g = 0; g < size[0]; g++) std::copy_n(x + order[size_t(first[size_t(g)])] * width, width, to + g * width);
  valueResult.finish();
  if (inverse) {
    requireDtype(inverse, TH_Long, "inverse");
    ContiguousResult result(inverse, slices ? 1 : t->ndim, slices ? &n : t->size);
    std::copy(group.begin(), group.end(), result.data<int64_t>());
    result.finish();
  }
  if (counts) {
    requireDtype(counts, TH_Long, "counts");
    ContiguousResult result(counts, 1, size);
    first.push_back(n);
    for (int64_t g = 0; g < size[0]; g++) result.data<int64_t>()[g] = first[size_t(g) + 1] - first[size_t(g)];
    result.finish();
  }
}

}  // namespace
}  // namespace th

#define DISTINCT (THTensor *values, THTensor *inverse, THTensor *counts, const THTensor *t, bool sorted)
TH_DEFINE(unique, all, DISTINCT, th::distinct<T>(values, inverse, counts, t, sorted, false))
TH_DEFINE(uniqueSlices, all, DISTINCT, th::distinct<T>(values, inverse, counts, t, sorted, true))
