// Where places stand in others, and rows among entries.
#include <algorithm>

#include <THS/THSTensorMath.h>

#include "../kit/sparse.hpp"

using namespace ths;

void THSTensor_find(THTensor *r, const THSTensor *self, const THTensor *indices) {
  const THSMembers &members = *THSTensor_members(self);
  const Places mine(members.indices, self->size), asked(indices, self->size);
  shape(r, {asked.count()});
  int64_t *const at = elements<int64_t>(r);
  const int64_t *const keys = mine.data(), *const end = keys + mine.count();
  parallelFor(asked.count(), kGrain / 16, [&](int64_t first, int64_t last) {
    const int64_t *from = keys;
    for (int64_t i = first; i < last; i++) {
      // What is asked for in order is found near the one before.
      const int64_t key = asked[i];
      if (i == first || asked[i - 1] > key) from = keys;
      const int64_t near = std::min<int64_t>(8, end - from);
      from = std::find_if(from, from + near, [&](int64_t there) { return there >= key; });
      if (from != end && *from < key) from = std::lower_bound(from, end, key);
      at[i] = from != end && *from == key ? from - keys : -1;
    }
  });
}

void THSTensor_compress(THTensor *r, const THTensor *rows, int64_t n) {
  const Ref held(contiguous(rows));
  const int64_t entries = rows->numel;
  const int64_t *const at = elements<int64_t>(held);
  if (!std::is_sorted(at, at + entries) || (entries && (at[0] < 0 || at[entries - 1] >= n)))
    THError(TH_ERROR_RUNTIME, "rows to be compressed have to ascend from 0 to %lld", (long long)n - 1);
  shape(r, {n + 1});
  int64_t *const begin = elements<int64_t>(r);
  if (!entries) std::fill_n(begin, n + 1, 0);
  parallelFor(entries, kGrain, [&](int64_t first, int64_t last) {
    for (int64_t i = first; i < last; i++) {
      std::fill(begin + (i ? at[i - 1] + 1 : 0), begin + at[i] + 1, i);
      if (i == entries - 1) std::fill(begin + at[i] + 1, begin + n + 1, entries);
    }
  });
}

void THSTensor_group(THTensor *begins, THTensor *order, const THTensor *rows, int64_t n) {
  const Ref held(contiguous(rows));
  const int64_t entries = rows->numel;
  const int64_t *const at = elements<int64_t>(held);
  if (!std::all_of(at, at + entries, [&](int64_t row) { return row >= 0 && row < n; }))
    THError(TH_ERROR_RUNTIME, "rows to be grouped have to be from 0 to %lld", (long long)n - 1);
  const ByRows found = byRows(at, entries, n);
  shape(begins, {n + 1});
  shape(order, {entries});
  std::copy_n(found.begin.get(), n + 1, elements<int64_t>(begins));
  std::copy_n(found.entry.get(), entries, elements<int64_t>(order));
}
