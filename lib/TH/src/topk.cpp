// The k first along a dimension, without sorting the rest.
#include <TH/THTensorSort.h>

#include <cstring>

#include "parallel.hpp"
#include "result.hpp"
#include "sortkeys.hpp"

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

// Few of a row of contiguous numbers: the best so far stand sorted in `best`, and a vector of
// elements of which none can beat the last of them is passed over at once. NaN passes that test, and
// is compared by its key.
constexpr int64_t kFew = 16;

// (16 bytes are what every machine of the architecture has: of longer vectors the compiler would
// compare element by element.)
template <class Item, bool largest, class T>
void selectFew(Item *best, const T *row, int64_t n, int64_t k) {
  typedef T V __attribute__((vector_size(16), aligned(alignof(T)), may_alias));
  constexpr int64_t lanes = 16 / sizeof(T), step = 4 * lanes;
  constexpr KeyOf<T> flip = largest ? KeyOf<T>(~KeyOf<T>(0)) : KeyOf<T>(0);
  int64_t i = 0;
  for (; i < k; i++) best[i] = Item(keyOf(row[i]) ^ flip, i);
  std::sort(best, best + k);
  T worst = row[best[k - 1].position()];
  auto consider = [&](int64_t i) {
    if (largest ? row[i] <= worst : row[i] >= worst) return;
    const Item item(keyOf(row[i]) ^ flip, i);
    if (!(item < best[k - 1])) return;
    int64_t j = k - 1;
    for (; j > 0 && item < best[j - 1]; j--) best[j] = best[j - 1];
    best[j] = item;
    worst = row[best[k - 1].position()];
  };
  for (; i + step <= n; i += step) {
    auto *v = reinterpret_cast<const V *>(row + i);
    const auto losers = largest ? (v[0] <= worst) & (v[1] <= worst) & (v[2] <= worst) & (v[3] <= worst)
                                : (v[0] >= worst) & (v[1] >= worst) & (v[2] >= worst) & (v[3] >= worst);
    int64_t words[2];
    std::memcpy(words, &losers, sizeof words);
    if ((words[0] & words[1]) == -1) continue;
    for (int64_t j = i; j < i + step; j++) consider(j);
  }
  for (; i < n; i++) consider(i);
}

template <class T>
void topk(THTensor *values, THTensor *indices, const THTensor *input, int64_t k, int dim, bool largest, bool sorted) {
  requireDtype<T>(input);
  requireDtype(values, dtypeOf(input), "values");
  requireDtype(indices, TH_Long, "indices");
  dim = TH_wrapDim(dim, input->ndim);
  int64_t size[TH_MAX_DIM];
  std::copy_n(input->size, input->ndim, size);
  if (k < 0 || k > (input->ndim ? input->size[dim] : 1)) THError(TH_ERROR_RUNTIME, "selected index k out of range");
  if (input->ndim)
    size[dim] = k;
  else
    k = 1;
  requireSeparate(values, input, input->ndim, size);
  requireSeparate(indices, input, input->ndim, size);
  requireSeparate(values, indices);
  Ref t(THTensor_newContiguous(const_cast<THTensor *>(input)));
  ContiguousResult valueResult(values, t->ndim, size), indexResult(indices, t->ndim, size);

  const Rows rows(t, dim);
  const int64_t n = rows.length, stride = rows.stride;
  const KeyOf<T> flip = largest ? KeyOf<T>(~KeyOf<T>(0)) : KeyOf<T>(0);
  const int64_t capacity = std::min(n, 2 * k + 256);
  const T *const from = elements<T>(t);
  T *const toValues = valueResult.data<T>();
  int64_t *const toIndices = indexResult.data<int64_t>();
  if (k)
    withItem<T>(n, [&]<class Item>(Item) {
      parallelFor(rows.count, std::max<int64_t>(1, kGrain / n), [&](int64_t begin, int64_t end) {
        const std::unique_ptr<Item[]> memory(new Item[size_t(capacity)]);
        for (int64_t r = begin; r < end; r++) {
          Item *items = memory.get();
          const T *row = from + rows.start(r);
          bool done = false;
          if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool>)
            if (stride == 1 && k <= kFew) {
              largest ? selectFew<Item, true>(items, row, n, k) : selectFew<Item, false>(items, row, n, k);
              done = true;
            }
          if (!done) {
            selectFirst(items, capacity, n, k, [&](int64_t i) { return Item(keyOf(row[i * stride]) ^ flip, i); });
            if (sorted) std::sort(items, items + k);
          }
          const int64_t start = rows.start(r, k);
          for (int64_t i = 0; i < k; i++) {
            const int64_t position = int64_t(items[i].position());
            toValues[start + i * stride] = row[position * stride];
            toIndices[start + i * stride] = position;
          }
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
