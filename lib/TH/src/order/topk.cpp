// The k first along a dimension, without sorting the rest.
#include <TH/THPrepare.h>
#include <TH/THTensorSort.h>

#include <algorithm>
#include <cstring>

#include "kit/parallel.hpp"
#include "kit/result.hpp"
#include "kit/sortkeys.hpp"
#include "kit/vectors.hpp"

namespace th {
namespace {

// Elements are read once. A pool of more than k candidates is cut down to its k best whenever it is
// full, and from then on only what beats the worst of those gets in: on n random elements about
// k ln(n / k) do. Equal elements are taken in the order of their positions.
template <class Item, class Next>
int64_t selectFirst(Item *pool, int64_t capacity, int64_t n, int64_t k, const Next &next) {
  int64_t size = 0, i = 0;
  for (; i < n && size < capacity; i++) pool[size++] = next(i);
  while (i < n) {
    std::nth_element(pool, pool + (k - 1), pool + size);
    const Item worst = pool[k - 1];
    for (size = k; i < n && size < capacity; i++) {
      const Item item = next(i);
      pool[size] = item;
      size += item < worst;
    }
  }
  if (size > k) std::nth_element(pool, pool + (k - 1), pool + size);
  return std::min(size, k);
}

// Few of many numbers: the best so far stand sorted in `best`, and a vector of elements of which none can beat the last
// of them is skipped at once. NaN passes that test, and is compared by its key.
constexpr int64_t kFew = 16;

// The best so far take x, which stands at i, in if it beats the worst of them.
template <bool largest, class Item, class T, class At>
void admit(Item *best, T &worst, T x, int64_t i, int64_t k, const At &at) {
  if (largest ? x <= worst : x >= worst) return;
  constexpr KeyOf<T> flip = largest ? KeyOf<T>(~KeyOf<T>(0)) : KeyOf<T>(0);
  const Item item(keyOf(x) ^ flip, i);
  if (!(item < best[k - 1])) return;
  int64_t j = k - 1;
  for (; j > 0 && item < best[j - 1]; j--) best[j] = best[j - 1];
  best[j] = item;
  worst = at(int64_t(best[k - 1].position()));
}

// 16 bytes are what every machine of the architecture has: of longer vectors the compiler would compare element by
// element.
template <class T> using Vector = VectorInMemory<T, 16>;
template <class T> constexpr int64_t kStep = 4 * kLanesOf<T, Vector<T>>;

// Whether no element of four vectors beats worst(which vector), one number or a vector of them.
template <bool largest, class T, class Worst>
bool noneBeats(const T *x, const Worst &worst) {
  auto *v = reinterpret_cast<const Vector<T> *>(x);
  const auto losers = largest ? (v[0] <= worst(0)) & (v[1] <= worst(1)) & (v[2] <= worst(2)) & (v[3] <= worst(3))
                              : (v[0] >= worst(0)) & (v[1] >= worst(1)) & (v[2] >= worst(2)) & (v[3] >= worst(3));
  int64_t words[2];
  std::memcpy(words, &losers, sizeof words);
  return (words[0] & words[1]) == -1;
}

template <class Item, bool largest, class T>
T firstFew(Item *best, const T *row, int64_t stride, int64_t k) {
  constexpr KeyOf<T> flip = largest ? KeyOf<T>(~KeyOf<T>(0)) : KeyOf<T>(0);
  for (int64_t i = 0; i < k; i++) best[i] = Item(keyOf(row[i * stride]) ^ flip, i);
  std::sort(best, best + k);
  return row[int64_t(best[k - 1].position()) * stride];
}

// Of one contiguous row.
template <class Item, bool largest, class T>
void selectFew(Item *best, const T *row, int64_t n, int64_t k) {
  constexpr int64_t step = kStep<T>;
  T worst = firstFew<Item, largest>(best, row, 1, k);
  const auto at = [=](int64_t p) { return row[p]; };
  int64_t i = k;
  for (; i + step <= n; i += step) {
    if (noneBeats<largest>(row + i, [=](int) { return worst; })) continue;
    for (int64_t j = i; j < i + step; j++) admit<largest>(best, worst, row[j], j, k, at);
  }
  for (; i < n; i++) admit<largest>(best, worst, row[i], i, k, at);
}

// Of some columns side by side, `best` k for each.
constexpr int64_t kColumns = 256;

template <class Item, bool largest, class T>
void selectFewOfColumns(Item *best, const T *from, int64_t columns, int64_t n, int64_t stride, int64_t k) {
  using V = Vector<T>;
  constexpr int64_t step = kStep<T>;
  alignas(64) T worst[kColumns];
  for (int64_t c = 0; c < columns; c++) worst[c] = firstFew<Item, largest>(best + c * k, from + c, stride, k);
  for (int64_t i = k; i < n; i++) {
    const T *const x = from + i * stride;
    const auto consider = [&](int64_t c) {
      admit<largest>(best + c * k, worst[c], x[c], i, k, [=](int64_t p) { return from[p * stride + c]; });
    };
    int64_t c = 0;
    for (; c + step <= columns; c += step) {
      if (noneBeats<largest>(x + c, [&](int v) { return reinterpret_cast<const V *>(worst + c)[v]; })) continue;
      for (int64_t j = c; j < c + step; j++) consider(j);
    }
    for (; c < columns; c++) consider(c);
  }
}

template <class T>
void topk(THTensor *values, THTensor *indices, const THTensor *input, int64_t k, int dim, bool largest, bool sorted) {
  THRowsPlan plan;
  THPrepare_topk(&plan, DtypeOf<T>::value, values, indices, input, k, dim);
  k = plan.k;
  Ref t(THTensor_newContiguous(const_cast<THTensor *>(input)));
  resizeResults(plan.result, 2);
  if (!hasMemory(values)) return;

  ContiguousResult valueResult(values), indexResult(indices);
  const Rows rows(plan.rows);
  const int64_t n = rows.length, stride = rows.stride;
  const KeyOf<T> flip = largest ? KeyOf<T>(~KeyOf<T>(0)) : KeyOf<T>(0);
  const int64_t capacity = std::min(n, 2 * k + 256);
  constexpr bool few = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
  const T *const from = elements<T>(t);
  T *const toValues = valueResult.data<T>();
  int64_t *const toIndices = indexResult.data<int64_t>();
  if (k)
    withItem<T>(n, [&]<class Item>(Item) {
      parallelFor(rows.count, std::max<int64_t>(1, kGrain / n), [&](int64_t begin, int64_t end) {
        const auto give = [&](const Item *items, int64_t r) {
          const T *row = from + rows.start(r);
          const int64_t start = rows.start(r, k);
          for (int64_t i = 0; i < k; i++) {
            const int64_t position = int64_t(items[i].position());
            toValues[start + i * stride] = row[position * stride];
            toIndices[start + i * stride] = position;
          }
        };
        if constexpr (few)
          if (k <= kFew) {
            const int64_t wide = std::min(stride, kColumns);
            Item own[kFew];
            const std::unique_ptr<Item[]> many(wide > 1 ? new Item[size_t(wide * k)] : nullptr);
            Item *const best = many ? many.get() : own;
            for (int64_t r = begin; r < end;) {
              const T *first = from + rows.start(r);
              const int64_t columns = std::min({wide, stride - r % stride, end - r});
              if (stride == 1)
                largest ? selectFew<Item, true>(best, first, n, k) : selectFew<Item, false>(best, first, n, k);
              else
                largest ? selectFewOfColumns<Item, true>(best, first, columns, n, stride, k)
                        : selectFewOfColumns<Item, false>(best, first, columns, n, stride, k);
              for (int64_t c = 0; c < columns; c++) give(best + c * k, r++);
            }
            return;
          }
        const std::unique_ptr<Item[]> items(new Item[size_t(capacity)]);
        for (int64_t r = begin; r < end; r++) {
          const T *row = from + rows.start(r);
          selectFirst(items.get(), capacity, n, k, [&](int64_t i) { return Item(keyOf(row[i * stride]) ^ flip, i); });
          if (sorted) std::sort(items.get(), items.get() + k);
          give(items.get(), r);
        }
      });
    });
  valueResult.finish();
  indexResult.finish();
}

}  // namespace
}  // namespace th

TH_DEFINE(topk, all,
          (THTensor *values, THTensor *indices, const THTensor *t, int64_t k, int dim, bool largest, bool sorted),
          th::topk<T>(values, indices, t, k, dim, largest, sorted))
