// Where places stand in others, and rows among entries.
#include <algorithm>
#include <atomic>
#include <numeric>

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
  const int64_t entries = rows->numel, size[] = {n + 1};
  const int64_t *const at = elements<int64_t>(held);
  const Ref made(THTensor_newWithSize(TH_Long, 1, size));
  int64_t *const begin = elements<int64_t>(made);
  if (!entries) std::fill_n(begin, n + 1, 0);
  std::atomic<bool> ascend = true;
  parallelFor(entries, kGrain, [&](int64_t first, int64_t last) {
    int64_t row = first ? at[first - 1] : -1;
    bool fits = row >= (first ? 0 : -1) && at[first] >= 0;
    for (int64_t i = first; i < last && fits; i++) {
      while (i < last && at[i] == row) i++;
      if (i == last) break;
      const int64_t next = at[i];
      fits = next > row && next < n;
      if (fits) std::fill(begin + row + 1, begin + next + 1, i);
      row = next;
    }
    if (!fits)
      ascend = false;
    else if (last == entries)
      std::fill(begin + row + 1, begin + n + 1, entries);
  });
  if (!ascend) THError(TH_ERROR_RUNTIME, "rows to be compressed have to ascend from 0 to %lld", (long long)n - 1);
  THTensor_set(r, made);
}

void THSLongTensor_ranges(THTensor *begins, THTensor *numbers, const THTensor *from, const THTensor *to) {
  const Ref first(contiguous(from)), last(contiguous(to));
  const int64_t n = from->numel;
  if (to->numel != n)
    THError(TH_ERROR_RUNTIME, "ranges have as many ends as beginnings, got %lld and %lld", (long long)to->numel,
            (long long)n);
  const int64_t *const a = elements<int64_t>(first), *const b = elements<int64_t>(last);
  for (int64_t k = 0; k < n; k++)
    if (a[k] < 0 || b[k] < a[k])
      THError(TH_ERROR_RUNTIME, "a range of entries cannot go from %lld to %lld", (long long)a[k], (long long)b[k]);
  shape(begins, {n + 1});
  int64_t *const begin = elements<int64_t>(begins), sum = 0;
  for (int64_t k = 0; k < n; k++) {
    begin[k] = sum;
    sum += b[k] - a[k];
  }
  begin[n] = sum;
  shape(numbers, {sum});
  int64_t *const number = elements<int64_t>(numbers);
  parallelFor(n, 1024, [&](int64_t start, int64_t end) {
    for (int64_t k = start; k < end; k++) std::iota(number + begin[k], number + begin[k + 1], a[k]);
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
