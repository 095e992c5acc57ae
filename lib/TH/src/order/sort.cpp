// Sorting along a dimension. Always stable.
#include <TH/THPrepare.h>
#include <TH/THTensorSort.h>
#include <hwy/contrib/sort/vqsort.h>

#include <algorithm>
#include <vector>

#include "kit/parallel.hpp"
#include "kit/prepare.hpp"
#include "kit/result.hpp"
#include "kit/sortkeys.hpp"

namespace th {
namespace {

// Least significant byte first: one counting pass per byte, from one array to the other. A byte
// that all keys share is skipped, so small integers are quick in any type.
template <class Item>
void radixSort(Item *&items, Item *&scratch, int64_t n, int keyBytes) {
  using Count = typename Item::Position;
  Count count[8][256];
  std::fill_n(count[0], 256 * keyBytes, Count(0));
  for (int64_t i = 0; i < n; i++)
    for (int d = 0; d < keyBytes; d++) count[d][items[i].digit(d)]++;
  for (int d = 0; d < keyBytes; d++) {
    Count *next = count[d];
    if (int64_t(next[items[0].digit(d)]) == n) continue;
    Count total = 0;
    for (int b = 0; b < 256; b++) total += std::exchange(next[b], total);
    for (int64_t i = 0; i < n; i++) scratch[next[items[i].digit(d)]++] = items[i];
    std::swap(items, scratch);
  }
}

template <class Item>
void insertionSort(Item *items, int64_t n) {
  for (int64_t i = 1; i < n; i++) {
    const Item item = items[i];
    int64_t j = i;
    for (; j > 0 && item < items[j - 1]; j--) items[j] = items[j - 1];
    items[j] = item;
  }
}

// Highway's vector quicksort, of whole items. Which one it takes for a pivot is left to chance; as no two items are
// equal, the result is not. Version 1.0 has only the class, later ones are giving it up.
template <class Word>
void vectorSort(Word *words, int64_t n) {
#if HWY_MAJOR > 1 || HWY_MINOR > 0
  hwy::VQSort(words, size_t(n), hwy::SortAscending());
#else
  hwy::Sorter()(words, size_t(n), hwy::SortAscending());
#endif
}
void vectorSort(NarrowItem *items, int64_t n) { vectorSort(reinterpret_cast<uint64_t *>(items), n); }
void vectorSort(WideItem *items, int64_t n) { vectorSort(reinterpret_cast<hwy::uint128_t *>(items), n); }

// The bits in which keys differ.
template <class Item>
uint64_t differingBits(const Item *items, int64_t n) {
  uint64_t differing = 0;
  for (int64_t i = 1; i < n; i++) differing |= items[i].key() ^ items[0].key();
  return differing;
}
int byteCount(uint64_t bits) {
  int bytes = 0;
  for (; bits; bits >>= 8) bytes += (bits & 255) != 0;
  return bytes;
}

// to = the items by 32 bits of their keys, those from `shift` on, and position. Narrow items are sorted in half the time.
void sortBy32(WideItem *to, const WideItem *items, int64_t n, int shift, NarrowItem *narrow) {
  for (int64_t i = 0; i < n; i++) narrow[i] = NarrowItem(uint32_t(items[i].key() >> shift), i);
  vectorSort(narrow, n);
  for (int64_t i = 0; i < n; i++) to[i] = items[narrow[i].position()];
}

// By the upper 32 of the bits that differ, then what these leave equal by the lower ones.
void sortInHalves(WideItem *&items, WideItem *&scratch, int64_t n, uint64_t differing) {
  const int shift = std::max(0, int(std::bit_width(differing)) - 32);
  const std::unique_ptr<NarrowItem[]> narrow(new NarrowItem[size_t(n)]);
  sortBy32(scratch, items, n, shift, narrow.get());
  std::swap(items, scratch);
  for (int64_t begin = 0, end; begin < n; begin = end) {
    for (end = begin + 1; end < n && items[end].key() >> shift == items[begin].key() >> shift; end++) {
    }
    if (end - begin <= 24) {
      insertionSort(items + begin, end - begin);
    } else if (shift) {
      sortBy32(scratch, items + begin, end - begin, 0, narrow.get());
      std::copy_n(scratch, end - begin, items + begin);
    }
  }
}

}  // namespace

// The limits are where the methods' measured times cross.
template <class Item>
void sortItems(Item *&items, Item *&scratch, int64_t n, int keyBytes) {
  if (n <= 24) return insertionSort(items, n);
  if (n <= kFewItems) return std::sort(items, items + n);
  const uint64_t differing = differingBits(items, n);
  const int bytes = byteCount(differing);
  if (bytes <= 2) return radixSort(items, scratch, n, keyBytes);
  if constexpr (std::is_same_v<Item, WideItem>) {
    if (n > 400 && n <= UINT32_MAX) return sortInHalves(items, scratch, n, differing);
    if (n > 400) return radixSort(items, scratch, n, keyBytes);
  }
  vectorSort(items, n);
}
template void sortItems(NarrowItem *&, NarrowItem *&, int64_t, int);
template void sortItems(WideItem *&, WideItem *&, int64_t, int);

template <class T>
void sortNumbers(T *numbers, int64_t n) {
  if constexpr (sizeof(T) == 1)  // Highway sorts none so small
    std::sort(numbers, numbers + n);
  else if (n > 1)
    vectorSort(numbers, n);
}
template void sortNumbers(uint8_t *, int64_t);
template void sortNumbers(int8_t *, int64_t);
template void sortNumbers(int16_t *, int64_t);
template void sortNumbers(int32_t *, int64_t);
template void sortNumbers(int64_t *, int64_t);
template void sortNumbers(float *, int64_t);
template void sortNumbers(double *, int64_t);

namespace {

// Integers that lie close: counted, and each position then written where it belongs.
template <class T>
void countingSort(T *values, int64_t *indices, const T *row, int64_t n, int64_t stride, const Keys<T> &keys,
                  std::vector<int64_t> &count) {
  std::fill(count.begin(), count.end(), 0);
  for (int64_t i = 0; i < n; i++) count[keys(row[i * stride])]++;
  int64_t next = 0;
  for (size_t key = 0; key < count.size(); key++) {
    const T element = keys.element(KeyOf<T>(key));
    const int64_t end = next + count[key];
    count[key] = next;
    for (; next < end; next++) values[next * stride] = element;
  }
  for (int64_t i = 0; i < n; i++) indices[count[keys(row[i * stride])]++ * stride] = i;
}
// As many as the cache holds lines to write to.
constexpr int64_t kCounted = 1 << 14;

template <class T>
void sort(THTensor *values, THTensor *indices, const THTensor *input, int dim, bool descending) {
  THRowsPlan plan;
  THPrepare_sort(&plan, DtypeOf<T>::value, values, indices, input, dim);
  // In place, rows are read from a copy.
  Ref t(std::is_same_v<T, bool>             ? asCanonicalBools(input)
        : values->storage == input->storage ? Ref(THTensor_newClone(input))
                                            : Ref());
  t = Ref(THTensor_newContiguous(t ? static_cast<THTensor *>(t) : const_cast<THTensor *>(input)));
  resizeResults(plan.result, 2);
  if (!hasMemory(values)) return;

  ContiguousResult valueResult(values), indexResult(indices);
  const Rows rows(plan.rows);
  const int64_t n = rows.length, stride = rows.stride;
  const T *const from = elements<T>(t);
  T *const toValues = valueResult.data<T>();
  int64_t *const toIndices = indexResult.data<int64_t>();
  const int64_t grain = std::max<int64_t>(1, kGrain / 8 / std::max<int64_t>(n, 1));
  withKeys(from, t->numel, n, descending, [&]<class Item>(Item, const Keys<T> &keys) {
    const bool counted = std::is_integral_v<T> && keys.span < uint64_t(std::min(n, kCounted));
    parallelFor(rows.count, grain, [&](int64_t begin, int64_t end) {
      if constexpr (std::is_integral_v<T>)
        if (counted) {
          std::vector<int64_t> count(keys.span + 1);
          for (int64_t k = begin; k < end; k++) {
            const int64_t start = rows.start(k);
            countingSort(toValues + start, toIndices + start, from + start, n, stride, keys, count);
          }
          return;
        }
      const std::unique_ptr<Item[]> memory(new Item[size_t(2 * n)]);
      Item *items = memory.get(), *scratch = items + n;
      for (int64_t k = begin; k < end; k++) {
        const int64_t start = rows.start(k);
        const T *row = from + start;
        for (int64_t i = 0; i < n; i++) items[i] = Item(keys(row[i * stride]), i);
        sortItems(items, scratch, n, keys.bytes());
        for (int64_t i = 0; i < n; i++) {
          const int64_t position = int64_t(items[i].position());
          if constexpr (std::is_integral_v<T>)
            toValues[start + i * stride] = keys.element(KeyOf<T>(items[i].key()));
          else
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

TH_DEFINE(sort, all, (THTensor *values, THTensor *indices, const THTensor *t, int dim, bool descending, bool),
          th::sort<T>(values, indices, t, dim, descending))
