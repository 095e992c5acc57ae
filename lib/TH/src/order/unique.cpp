// Different elements, or slices: sorted, or as runs of equal neighbours. NaN differs from everything.
#include <algorithm>
#include <numeric>
#include <vector>

#include <TH/THPrepare.h>
#include <TH/THTensorOrder.h>
#include "kit/prepare.hpp"
#include "kit/sortkeys.hpp"

namespace th {
namespace {

template <class T>
bool equalElements(T a, T b) {
  if constexpr (isHalfType<T>)
    return float(a) == float(b);
  else
    return a == b;
}

// Groups of equal elements or slices: positions, group after group, and where among these each begins.
struct Groups {
  std::vector<int64_t> order, first;
};

// The groups of n elements in ascending order.
template <class T>
Groups sortedGroups(const T *x, int64_t n) {
  Groups groups;
  groups.order.resize(size_t(n));
  withKeys(x, n, n, false, [&]<class Item>(Item, const Keys<T> &keys) {
    const std::unique_ptr<Item[]> memory(new Item[size_t(2 * n)]);
    Item *items = memory.get(), *scratch = items + n;
    for (int64_t i = 0; i < n; i++) items[i] = Item(keys(x[i]), i);
    if (n) sortItems(items, scratch, n, keys.bytes());
    for (int64_t i = 0; i < n; i++) {
      groups.order[size_t(i)] = int64_t(items[i].position());
      const bool isNan = !std::is_integral_v<T> && items[i].key() == keys.span;
      if (!i || isNan || items[i].key() != items[i - 1].key()) groups.first.push_back(i);
    }
  });
  return groups;
}

// The results that are wanted, others are NULL. Groups are of equal elements or slices.
struct Results {
  THTensor *values, *inverse, *counts;
  const THTensor *t;
  bool slices;

  // Each function writes one result: the groups' values, the group of each element or slice, the groups' lengths.
  template <class T, class Values, class Inverse, class Counts>
  void write(int64_t groups, const Values &writeValues, const Inverse &writeInverse, const Counts &writeCounts) const {
    int64_t size[TH_MAX_DIM] = {groups};
    const int ndim = slices ? t->ndim : 1;
    for (int d = 1; d < ndim; d++) size[d] = t->size[d];
    requireSeparate(values, t, ndim, size);
    THResult results[3];
    setResult(results[0], values, ndim, size);
    setResult(results[1], inverse, slices ? 1 : t->ndim, t->size);
    setResult(results[2], counts, 1, size);
    resizeResults(results, 3);
    ContiguousResult valueResult(values);
    writeValues(valueResult.data<T>());
    valueResult.finish();
    if (inverse) {
      ContiguousResult result(inverse);
      writeInverse(result.data<int64_t>());
      result.finish();
    }
    if (counts) {
      ContiguousResult result(counts);
      writeCounts(result.data<int64_t>());
      result.finish();
    }
  }
};

// Integers that lie close are counted.
template <class T>
void distinctCounted(const Results &results, const T *x, int64_t n, MinMax<T> extent) {
  const auto place = [low = uint64_t(extent.low)](T number) { return uint64_t(number) - low; };
  std::vector<int64_t> count(extent.span() + 1);
  for (int64_t i = 0; i < n; i++) count[place(x[i])]++;
  const auto groups = int64_t(count.size()) - std::count(count.begin(), count.end(), 0);
  results.write<T>(
      groups,
      [&](T *to) {
        for (size_t p = 0; p < count.size(); p++)
          if (count[p]) *to++ = T(uint64_t(extent.low) + p);
      },
      [&](int64_t *to) {
        std::vector<int64_t> group(count.size());
        int64_t next = 0;
        for (size_t p = 0; p < count.size(); p++) group[p] = count[p] ? next++ : 0;
        for (int64_t i = 0; i < n; i++) to[i] = group[place(x[i])];
      },
      [&](int64_t *to) { std::copy_if(count.begin(), count.end(), to, [](int64_t c) { return c != 0; }); });
}

// Where no positions are wanted, numbers are sorted without them. NaNs stay as they are, at the end; of zeros of both
// signs the first one counts.
template <class T>
void distinctSorted(const Results &results, const T *x, int64_t n) {
  const auto isNumber = [](T y) { return y == y; };
  std::vector<T> sorted(static_cast<size_t>(n));
  const auto end = std::copy_if(x, x + n, sorted.begin(), isNumber);
  const int64_t numbers = end - sorted.begin();
  sortNumbers(sorted.data(), numbers);
  std::remove_copy_if(x, x + n, end, isNumber);
  if (const auto zeros = std::equal_range(sorted.begin(), end, T(0)); zeros.first != zeros.second)
    *zeros.first = *std::find(x, x + n, T(0));
  const auto begins = [&](int64_t i) { return !i || !(sorted[size_t(i) - 1] == sorted[size_t(i)]); };
  int64_t groups = 0;
  for (int64_t i = 0; i < n; i++) groups += begins(i);
  results.write<T>(
      groups,
      [&](T *to) {
        for (int64_t i = 0; i < n; i++)
          if (begins(i)) *to++ = sorted[size_t(i)];
      },
      [](int64_t *) {},
      [&](int64_t *to) {
        for (int64_t i = 0, g = -1; i < n; i++)
          if (begins(i))
            to[++g] = 1;
          else
            to[g]++;
      });
}

// n slices of `width` elements each, which are written to `values` as slices of shape size[1 …].
template <class T>
void distinct(const Results &results, bool sorted) {
  const THTensor *const t = results.t;
  THPrepare_unique(DtypeOf<T>::value, results.values, results.inverse, results.counts, t, sorted, results.slices);
  const Ref input = std::is_same_v<T, bool> ? asCanonicalBools(t)
                                            : Ref(THTensor_newContiguous(const_cast<THTensor *>(t)));
  const int64_t n = results.slices ? t->size[0] : t->numel, width = results.slices && n ? t->numel / n : 1;
  const T *const x = elements<T>(input);
  if (sorted && width == 1 && n) {
    if constexpr (std::is_integral_v<T>) {
      using Number = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;
      const auto *numbers = reinterpret_cast<const Number *>(x);
      const MinMax<Number> extent = extentOf(numbers, n);
      if (extent.span() < tableLimit<int64_t>(n)) return distinctCounted(results, numbers, n, extent);
    }
    if constexpr (!isHalfType<T> && !std::is_same_v<T, bool>)
      if (!results.inverse) return distinctSorted(results, x, n);
  }
  Groups found;
  auto &[order, first] = found;
  if (sorted && width == 1) {
    found = sortedGroups(x, n);
  } else {
    order.resize(size_t(n));
    std::iota(order.begin(), order.end(), 0);
    if (sorted)
      std::stable_sort(order.begin(), order.end(), [&](int64_t a, int64_t b) {
        return std::lexicographical_compare(x + a * width, x + (a + 1) * width, x + b * width, x + (b + 1) * width,
                                            [](T p, T q) { return keyOf(p) < keyOf(q); });
      });
    const auto equal = [&](int64_t a, int64_t b) {
      return std::equal(x + a * width, x + (a + 1) * width, x + b * width, equalElements<T>);
    };
    for (int64_t i = 0; i < n; i++)
      if (!i || !equal(order[size_t(i) - 1], order[size_t(i)])) first.push_back(i);
  }
  const auto groups = int64_t(first.size());
  first.push_back(n);
  results.write<T>(
      groups,
      [&](T *to) {
        for (int64_t g = 0; g < groups; g++)
          std::copy_n(x + order[size_t(first[size_t(g)])] * width, width, to + g * width);
      },
      [&](int64_t *to) {
        for (int64_t g = 0; g < groups; g++)
          for (int64_t i = first[size_t(g)]; i < first[size_t(g) + 1]; i++) to[order[size_t(i)]] = g;
      },
      [&](int64_t *to) {
        for (int64_t g = 0; g < groups; g++) to[g] = first[size_t(g) + 1] - first[size_t(g)];
      });
}

}  // namespace
}  // namespace th

#define DISTINCT (THTensor *values, THTensor *inverse, THTensor *counts, const THTensor *t, bool sorted)
TH_DEFINE(unique, all, DISTINCT, th::distinct<T>({values, inverse, counts, t, false}, sorted))
TH_DEFINE(uniqueSlices, all, DISTINCT, th::distinct<T>({values, inverse, counts, t, true}, sorted))
