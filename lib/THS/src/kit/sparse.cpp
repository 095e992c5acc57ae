#include "sparse.hpp"

#include <algorithm>
#include <bit>
#include <utility>

namespace ths {

Places::Places(const THTensor *indices, const int64_t *size) : held_(contiguous(indices)), count_(indices->size[1]) {
  const int ndim = int(indices->size[0]);
  limit_ = ndim ? TH_numel(ndim, size) : 1;
  const int64_t *const rows = elements<int64_t>(held_);
  for (int d = 0; d < ndim; d++)
    for (int64_t i = 0; i < count_; i++) {
      const int64_t at = rows[d * count_ + i];
      if (at < 0) THError(TH_ERROR_RUNTIME, "found negative index %lld for dim %d", (long long)at, d);
      if (at >= size[d])
        THError(TH_ERROR_RUNTIME, "size is inconsistent with indices: for dim %d, size is %lld but found index %lld", d,
                (long long)size[d], (long long)at);
    }
  if (ndim == 1) {
    one_ = rows;
    return;
  }
  keys_ = array<int64_t>(count_);
  parallelFor(count_, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      int64_t key = 0;
      for (int d = 0; d < ndim; d++) key = key * size[d] + rows[d * count_ + i];
      keys_[size_t(i)] = key;
    }
  });
}

void shapeLike(THTensor *r, int64_t entries, const THTensor *values) {
  int64_t size[TH_MAX_DIM];
  std::copy_n(values->size, values->ndim, size);
  size[0] = entries;
  THTensor_resize(r, values->ndim, size);
}

namespace {

// One pass of a stable counting sort by the digit that starts at bit `shift`. Blocks are cut by n alone and count for
// themselves, so the result is that of one thread.
constexpr int kDigit = 8;
constexpr int64_t kBuckets = 1 << kDigit;

template <class Item, class Word>
void sortPass(const Item *from, Item *to, int64_t n, int64_t block, const Word &word, int shift) {
  const int64_t blocks = (n + block - 1) / block;
  const auto counts = std::make_unique<int64_t[]>(size_t(blocks * kBuckets));
  const auto digit = [&](const Item &item) { return (word(item) >> shift) & (kBuckets - 1); };
  parallelFor(blocks, 1, [&](int64_t first, int64_t last) {
    for (int64_t b = first; b < last; b++)
      for (int64_t i = b * block; i < std::min(n, (b + 1) * block); i++)
        counts[size_t(b * kBuckets) + digit(from[i])]++;
  });
  int64_t sum = 0;
  for (int64_t bucket = 0; bucket < kBuckets; bucket++)
    for (int64_t b = 0; b < blocks; b++) sum += std::exchange(counts[size_t(b * kBuckets + bucket)], sum);
  parallelFor(blocks, 1, [&](int64_t first, int64_t last) {
    for (int64_t b = first; b < last; b++)
      for (int64_t i = b * block; i < std::min(n, (b + 1) * block); i++)
        to[counts[size_t(b * kBuckets) + digit(from[i])]++] = from[i];
  });
}

// Sorts by bits [low, high) of word(item).
template <class Item, class Word>
void sortBits(Array<Item> &items, int64_t n, int low, int high, const Word &word) {
  if (high <= low) return;
  Array<Item> scratch = array<Item>(n);
  const int64_t block = std::max<int64_t>(1 << 16, (n + 63) / 64);
  for (int shift = low; shift < high; shift += kDigit) {
    sortPass(items.get(), scratch.get(), n, block, word, shift);
    std::swap(items, scratch);
  }
}

struct Keyed {
  uint64_t key;
  int64_t place;
};

}  // namespace

Array<int64_t> sortedOrder(const int64_t *keys, int64_t n, int64_t limit) {
  Array<int64_t> order = array<int64_t>(n);
  const int keyBits = limit > 1 ? std::bit_width(uint64_t(limit - 1)) : 0;
  const int placeBits = n > 1 ? std::bit_width(uint64_t(n - 1)) : 0;
  if (keyBits + placeBits <= 64) {
    // Key and place in one word; equal keys are in the order of places already.
    Array<uint64_t> words = array<uint64_t>(n);
    for (int64_t i = 0; i < n; i++) words[size_t(i)] = uint64_t(keys[i]) << placeBits | uint64_t(i);
    sortBits(words, n, placeBits, placeBits + keyBits, [](uint64_t word) { return word; });
    const uint64_t mask = placeBits ? ~uint64_t(0) >> (64 - placeBits) : 0;
    for (int64_t i = 0; i < n; i++) order[size_t(i)] = int64_t(words[size_t(i)] & mask);
    return order;
  }
  Array<Keyed> items = array<Keyed>(n);
  for (int64_t i = 0; i < n; i++) items[size_t(i)] = {uint64_t(keys[i]), i};
  sortBits(items, n, 0, keyBits, [](const Keyed &item) { return item.key; });
  for (int64_t i = 0; i < n; i++) order[size_t(i)] = items[size_t(i)].place;
  return order;
}

ByRows byRows(const int64_t *rows, int64_t entries, int64_t n) {
  ByRows result{std::make_unique<int64_t[]>(size_t(n + 1)), array<int64_t>(entries)};
  for (int64_t i = 0; i < entries; i++) result.begin[size_t(rows[i])]++;
  int64_t sum = 0;
  for (int64_t r = 0; r <= n; r++) sum += std::exchange(result.begin[size_t(r)], sum);
  for (int64_t i = 0; i < entries; i++) result.entry[size_t(result.begin[size_t(rows[i])]++)] = i;
  for (int64_t r = n; r > 0; r--) result.begin[size_t(r)] = result.begin[size_t(r - 1)];
  result.begin[0] = 0;
  return result;
}

}  // namespace ths
