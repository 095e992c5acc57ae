#include "sparse.hpp"

#include <algorithm>
#include <atomic>
#include <bit>
#include <utility>

namespace ths {

Places::Places(const THTensor *indices, const int64_t *size) : held_(contiguous(indices)), count_(indices->size[1]) {
  const int ndim = int(indices->size[0]);
  limit_ = ndim ? TH_numel(ndim, size) : 1;
  const int64_t *const rows = elements<int64_t>(held_);
  if (ndim == 1)
    one_ = rows;  // its own key
  else
    keys_ = array<int64_t>(count_);
  std::atomic<bool> fits = true;
  parallelFor(count_, kGrain, [&](int64_t begin, int64_t end) {
    int64_t outside = 0;  // negative: an index was, or was too large
    for (int d = 0; d < ndim; d++) {
      const int64_t *const line = rows + d * count_, length = size[d];
      for (int64_t i = begin; i < end; i++) outside |= line[i] | (length - 1 - line[i]);
    }
    if (outside < 0) {
      fits = false;
      return;
    }
    if (one_) return;
    for (int64_t i = begin; i < end; i++) {
      int64_t key = 0;
      for (int d = 0; d < ndim; d++) key = key * size[d] + rows[d * count_ + i];
      keys_[size_t(i)] = key;
    }
  });
  if (fits) return;
  for (int d = 0; d < ndim; d++)
    for (int64_t i = 0; i < count_; i++) {
      const int64_t at = rows[d * count_ + i];
      if (at < 0) THError(TH_ERROR_RUNTIME, "found negative index %lld for dim %d", (long long)at, d);
      if (at >= size[d])
        THError(TH_ERROR_RUNTIME, "size is inconsistent with indices: for dim %d, size is %lld but found index %lld", d,
                (long long)size[d], (long long)at);
    }
}

void shapeLike(THTensor *r, int64_t entries, const THTensor *values) {
  int64_t size[TH_MAX_DIM];
  std::copy_n(values->size, values->ndim, size);
  size[0] = entries;
  THTensor_resize(r, values->ndim, size);
}

namespace {

// Sorting is by radix, the highest digit first: keys go to buckets that fit the processor's cache, where the rest is
// sorted from the lowest digit on. Every step is stable, and blocks that count for themselves are cut by n alone: the
// order is that of one thread.
constexpr int kTopBits = 11;        // of the first digit
constexpr int kBucketBits = 12;     // entries that a bucket should have
constexpr int kDigitBits = 8;       // at most, of those that follow
constexpr int64_t kComparing = 48;  // entries that are sorted by comparing

// What is sorted: key and place in one word where they fit, equal keys being in the order of places then; or both.
struct Word {
  uint64_t word;
  uint64_t digits() const { return word; }
};
struct Keyed {
  uint64_t key;
  int64_t place;
  uint64_t digits() const { return key; }
};

// Sorts n items by bits [low, high), with as many of `scratch`; returns which of the two has them.
template <class Item>
Item *sortBucket(Item *items, Item *scratch, int64_t n, int low, int high) {
  if (n <= kComparing) {
    for (int64_t i = 1; i < n; i++) {
      const Item item = items[i];
      int64_t at = i;
      for (; at > 0 && items[at - 1].digits() > item.digits(); at--) items[at] = items[at - 1];
      items[at] = item;
    }
    return items;
  }
  const int passes = (high - low + kDigitBits - 1) / kDigitBits;
  if (!passes) return items;
  const int bits = (high - low + passes - 1) / passes;
  const uint64_t mask = (uint64_t(1) << bits) - 1;
  int64_t counts[64 / kDigitBits][1 << kDigitBits];
  for (int pass = 0; pass < passes; pass++) std::fill_n(counts[pass], 1 << bits, 0);
  for (int64_t i = 0; i < n; i++) {
    uint64_t digits = items[i].digits() >> low;
    for (int pass = 0; pass < passes; pass++, digits >>= bits) counts[pass][digits & mask]++;
  }
  for (int pass = 0, shift = low; pass < passes; pass++, shift += bits) {
    int64_t *const next = counts[pass], sum = 0;
    for (int64_t k = 0; k < 1 << bits; k++) sum += std::exchange(next[k], sum);
    for (int64_t i = 0; i < n; i++) scratch[next[items[i].digits() >> shift & mask]++] = items[i];
    std::swap(items, scratch);
  }
  return items;
}

// make(key, place) is an item, whose key begins at bit `low`; keyOf and placeOf give them back.
template <class Item, class Make, class KeyOf, class PlaceOf>
Sorted sortAs(const int64_t *keys, int64_t n, int64_t limit, int keyBits, int low, const Make &make, const KeyOf &keyOf,
              const PlaceOf &placeOf) {
  const int top = std::min(keyBits, std::clamp(int(std::bit_width(uint64_t(n))) - kBucketBits, 0, kTopBits));
  const int rest = keyBits - top;
  const int64_t buckets = int64_t(uint64_t(limit - 1) >> rest) + 1;
  const int64_t block = std::max<int64_t>(1 << 16, (n + 63) / 64), blocks = (n + block - 1) / block;
  Array<Item> items = array<Item>(n), scratch = array<Item>(n);
  const Array<int64_t> next = zeros<int64_t>(blocks * buckets);
  const auto eachBlock = [&](const auto &body) {
    parallelFor(blocks, 1, [&](int64_t first, int64_t last) {
      for (int64_t b = first; b < last; b++)
        for (int64_t i = b * block; i < std::min(n, (b + 1) * block); i++)
          body(next[size_t(b * buckets + (keys[i] >> rest))], i);
    });
  };
  eachBlock([](int64_t &count, int64_t) { count++; });
  const Array<int64_t> begin = array<int64_t>(buckets + 1);
  int64_t sum = 0;
  for (int64_t k = 0; k < buckets; k++) {
    begin[size_t(k)] = sum;
    for (int64_t b = 0; b < blocks; b++) sum += std::exchange(next[size_t(b * buckets + k)], sum);
  }
  begin[size_t(buckets)] = n;
  eachBlock([&](int64_t &at, int64_t i) { items[size_t(at++)] = make(keys[i], i); });
  Sorted result{array<int64_t>(n), array<int64_t>(n)};
  // Threads share out entries: a bucket is that one's in whose part it begins.
  parallelFor(n, kGrain, [&](int64_t from, int64_t to) {
    const int64_t *bucket = std::lower_bound(begin.get(), begin.get() + buckets, from);
    for (; bucket != begin.get() + buckets && *bucket < to; bucket++) {
      const int64_t first = *bucket, last = bucket[1];
      const Item *const found = sortBucket(items.get() + first, scratch.get() + first, last - first, low, low + rest) -
                                first;
      for (int64_t i = first; i < last; i++) {
        result.keys[size_t(i)] = keyOf(found[i]);
        result.order[size_t(i)] = placeOf(found[i]);
      }
    }
  });
  return result;
}

}  // namespace

Sorted sorted(const int64_t *keys, int64_t n, int64_t limit) {
  if (!n) return {array<int64_t>(0), array<int64_t>(0)};
  const int keyBits = int(std::bit_width(uint64_t(limit - 1))), placeBits = int(std::bit_width(uint64_t(n - 1)));
  if (keyBits + placeBits > 64)
    return sortAs<Keyed>(
        keys, n, limit, keyBits, 0, [](int64_t key, int64_t i) { return Keyed{uint64_t(key), i}; },
        [](const Keyed &item) { return int64_t(item.key); }, [](const Keyed &item) { return item.place; });
  const uint64_t mask = (uint64_t(1) << placeBits) - 1;
  return sortAs<Word>(
      keys, n, limit, keyBits, placeBits,
      [=](int64_t key, int64_t i) { return Word{uint64_t(key) << placeBits | uint64_t(i)}; },
      [=](Word item) { return int64_t(item.word >> placeBits); }, [=](Word item) { return int64_t(item.word & mask); });
}

ByRows byRows(const int64_t *rows, int64_t entries, int64_t n) {
  ByRows result{array<int64_t>(n + 1), array<int64_t>(entries)};
  sortByRows(rows, entries, n, result.begin.get(), [&](int64_t i, int64_t to) { result.entry[size_t(to)] = i; });
  return result;
}

}  // namespace ths
