// Runs of elements from one dtype to another.
#pragma once

#include <TH/THGeneral.h>

namespace th {

// n contiguous elements; dst and src do not overlap.
using Convert = void (*)(void *dst, const void *src, int64_t n);
Convert converter(THDtype to, THDtype from);
Convert complexConverter(THDtype to, THDtype from);  // where at least one of them is complex, and both have kernels
Convert storedConverter(THDtype to, THDtype from);   // where at least one of them has no kernels
struct ConvertTable {
  Convert to[TH_NUM_DTYPES][TH_NUM_DTYPES];
};

// Between contiguous elements of `width` (1, 2, 4, 8, 16) bytes and such that are `stride` bytes apart.
void gather(void *dst, const char *src, int64_t stride, int64_t n, size_t width);
void scatter(char *dst, int64_t stride, const void *src, int64_t n, size_t width);

constexpr int64_t kBlock = 512;  // elements that fit the first-level cache many times over

// What lies between a dtype in memory and another one that a loop works in: one conversion or two.
struct Conversion {
  Convert first, second;  // NULL: none
  uint8_t from, to;       // widths
  explicit operator bool() const { return first; }
};
Conversion conversion(THDtype from, THDtype via, THDtype to);

// At most kBlock elements: from memory, strided, to a contiguous block; and back.
void fetch(const Conversion &c, void *block, const char *memory, int64_t stride, int64_t n);
void store(const Conversion &c, char *memory, int64_t stride, const void *block, int64_t n);

}  // namespace th
