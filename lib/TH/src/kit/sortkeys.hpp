// Order as unsigned integers. An element becomes a key whose order as an unsigned number is the
// element's (NaN last, -0 = 0), and a key with its position becomes an item. Items are all
// different, so any way to sort them is a stable sort of the elements.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <type_traits>

#include <TH/prepare/rows.h>
#include "extent.hpp"
#include "scalar.hpp"
#include "tensor.hpp"

namespace th {

template <int bytes> struct UnsignedOf;
template <> struct UnsignedOf<1> {
  using U = uint8_t;
};
template <> struct UnsignedOf<2> {
  using U = uint16_t;
};
template <> struct UnsignedOf<4> {
  using U = uint32_t;
};
template <> struct UnsignedOf<8> {
  using U = uint64_t;
};
template <class T> using KeyOf = typename UnsignedOf<sizeof(T)>::U;

template <class T>
constexpr KeyOf<T> keyOf(T x) {
  using U = KeyOf<T>;
  constexpr U sign = U(U(1) << (sizeof(T) * 8 - 1));
  const U bits = std::bit_cast<U>(x);
  if constexpr (std::is_same_v<T, bool> || std::is_unsigned_v<T>) {
    return bits;
  } else if constexpr (std::is_integral_v<T>) {
    return bits ^ sign;
  } else {
    constexpr U infinity = sizeof(T) == 8                ? U(0x7ff0000000000000)
                           : sizeof(T) == 4              ? U(0x7f800000)
                           : std::is_same_v<T, bfloat16> ? U(0x7f80)
                                                         : U(0x7c00);
    const U magnitude = bits & U(~sign);
    const U positive = magnitude | sign, negative = U(sign - magnitude);  // equal for the two zeros
    return magnitude > infinity ? U(~U(0)) : bits & sign ? negative : positive;
  }
}

// Key and position in one word: keys of up to 32 bits, fewer than 2^32 of them.
struct NarrowItem {
  using Position = uint32_t;
  uint64_t word;
  NarrowItem() = default;
  NarrowItem(uint64_t key, int64_t position) : word(key << 32 | uint64_t(position)) {}
  Position position() const { return uint32_t(word); }
  uint64_t key() const { return word >> 32; }
  unsigned digit(int d) const { return unsigned(word >> (32 + 8 * d)) & 255; }
  bool operator<(const NarrowItem &other) const { return word < other.word; }
};

// Both as one number of 128 bits, the lower half first.
struct alignas(16) WideItem {
  using Position = uint64_t;
  uint64_t place, high;
  WideItem() = default;
  WideItem(uint64_t key, int64_t position) : place(uint64_t(position)), high(key) {}
  Position position() const { return place; }
  uint64_t key() const { return high; }
  unsigned digit(int d) const { return unsigned(high >> (8 * d)) & 255; }
  bool operator<(const WideItem &other) const {
    return high < other.high || (high == other.high && place < other.place);
  }
};

// So few items are sorted without looking at their keys first.
constexpr int64_t kFewItems = 96;

// Sorts n items whose positions ascend and whose keys have this many bytes. The result stands in
// `items`; the two arrays may have been swapped.
template <class Item> void sortItems(Item *&items, Item *&scratch, int64_t n, int keyBytes);

// Sorts plain numbers, none of them NaN.
template <class T> void sortNumbers(T *numbers, int64_t n);

// How far n integers may reach for a table with an entry for all that could be there to be worth its memory.
template <class Entry>
uint64_t tableLimit(int64_t n) {
  return 256 + 8 / sizeof(Entry) * uint64_t(n);
}

// Calls body(Item()) with the item type that rows of n elements of type T need.
template <class T, class Body>
void withItem(int64_t n, const Body &body) {
  if (sizeof(T) <= 4 && n <= UINT32_MAX)
    body(NarrowItem());
  else
    body(WideItem());
}

// Numbers in whose order elements are to stand. Of integers the first in that order has 0.
template <class T>
struct Keys {
  using Key = KeyOf<T>;
  Key flip, base = 0;
  uint64_t span = Key(~Key(0));  // no key is greater

  // For rows of n out of `count` elements.
  Keys(const T *x, int64_t count, int64_t n, bool descending) : flip(descending ? Key(~Key(0)) : Key(0)) {
    if constexpr (std::is_integral_v<T>)
      if (n > kFewItems) {
        MinMax<T> extent{T(0), T(1)};
        if constexpr (!std::is_same_v<T, bool>) extent = extentOf(x, count);
        base = Key(keyOf(descending ? extent.high : extent.low) ^ flip);
        span = extent.span();
      }
  }
  Key operator()(T element) const { return Key((keyOf(element) ^ flip) - base); }
  T element(Key key) const {
    static_assert(std::is_integral_v<T>);
    return T(Key(Key(key + base) ^ flip ^ keyOf(T(0))));
  }
  int bytes() const { return std::max(1, (int(std::bit_width(span)) + 7) / 8); }
};

// Calls body(Item(), keys) with the item type that rows of n out of `count` elements x need.
template <class T, class Body>
void withKeys(const T *x, int64_t count, int64_t n, bool descending, const Body &body) {
  const Keys<T> keys(x, count, n, descending);
  if (keys.bytes() <= 4 && n <= UINT32_MAX)
    body(NarrowItem(), keys);
  else
    body(WideItem(), keys);
}

// The rows along one dimension of a contiguous tensor: row k starts at start(k); its elements are
// `stride` apart.
struct Rows : THRows {
  explicit Rows(const THRows &rows) : THRows(rows) {}
  Rows(const THTensor *t, int dim) : THRows{0, 1, 1} {
    if (t->ndim) {
      length = t->size[dim];
      for (int d = dim + 1; d < t->ndim; d++) stride *= t->size[d];
    }
    count = length ? t->numel / length : 0;
  }
  int64_t start(int64_t k) const { return start(k, length); }
  // The same row of a tensor whose rows have another length.
  int64_t start(int64_t k, int64_t otherLength) const { return k / stride * stride * otherLength + k % stride; }
};

}  // namespace th
