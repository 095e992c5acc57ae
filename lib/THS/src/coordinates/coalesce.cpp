// Coordinates in ascending order, each once.
#include <algorithm>
#include <utility>

#include <THS/THSTensorMath.h>

#include "../kit/sparse.hpp"

namespace ths {
namespace {

// Entries of one place: the positions first[k] … first[k + 1] - 1 of `order`; NULL: the entries themselves.
template <class T>
void addGroups(T *to, const T *from, int64_t block, int64_t groups, const int64_t *first, const int64_t *order) {
  using C = Compute<T>;
  constexpr int64_t kAhead = 32;  // entries that are fetched meanwhile: they stand anywhere
  const auto entry = [&](int64_t i) { return from + (order ? order[i] : i) * block; };
  if (block == 1) {
    parallelFor(groups, kGrain, [&](int64_t begin, int64_t end) {
      const int64_t last = first[groups] - kAhead;
      int64_t i = first[begin];
      for (int64_t k = begin; k < end; k++) {
        if (i < last) __builtin_prefetch(entry(i + kAhead));
        const T value = *entry(i++);
        if (i == first[k + 1]) {
          to[k] = value;
          continue;
        }
        C sum(value);
        for (; i < first[k + 1]; i++) {
          if (i < last) __builtin_prefetch(entry(i + kAhead));
          addTo(sum, *entry(i));
        }
        to[k] = T(sum);
      }
    });
    return;
  }
  parallelFor(groups, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, block)), [&](int64_t begin, int64_t end) {
    std::vector<C> sums(size_t(std::min<int64_t>(block, 256)));
    for (int64_t k = begin; k < end; k++) {
      if (first[k + 1] - first[k] == 1) {
        std::copy_n(entry(first[k]), block, to + k * block);
        continue;
      }
      for (int64_t at = 0; at < block; at += 256) {
        const int64_t width = std::min<int64_t>(256, block - at);
        for (int64_t d = 0; d < width; d++) sums[size_t(d)] = C(entry(first[k])[at + d]);
        for (int64_t i = first[k] + 1; i < first[k + 1]; i++) {
          const T *const more = entry(i) + at;
          for (int64_t d = 0; d < width; d++) {
            C sum = sums[size_t(d)];
            addTo(sum, more[d]);
            sums[size_t(d)] = sum;
          }
        }
        for (int64_t d = 0; d < width; d++) to[k * block + at + d] = T(sums[size_t(d)]);
      }
    }
  });
}

// Where a new place begins among n places in order: `first`, with n at its end; how many there are.
template <class At>
int64_t groupsOf(int64_t n, const At &key, Array<int64_t> &first) {
  constexpr int64_t kBlock = 1 << 16;
  const int64_t blocks = (n + kBlock - 1) / kBlock;
  std::vector<int64_t> counts(size_t(blocks) + 1);
  const auto begins = [&](int64_t i) { return i == 0 || key(i) != key(i - 1); };
  parallelFor(blocks, 1, [&](int64_t from, int64_t to) {
    for (int64_t b = from; b < to; b++)
      for (int64_t i = b * kBlock; i < std::min(n, (b + 1) * kBlock); i++) counts[size_t(b)] += begins(i);
  });
  int64_t sum = 0;
  for (int64_t &count : counts) sum += std::exchange(count, sum);
  first = array<int64_t>(sum + 1);
  parallelFor(blocks, 1, [&](int64_t from, int64_t to) {
    for (int64_t b = from; b < to; b++) {
      int64_t k = counts[size_t(b)];
      for (int64_t i = b * kBlock; i < std::min(n, (b + 1) * kBlock); i++)
        if (begins(i)) first[size_t(k++)] = i;
    }
  });
  first[size_t(sum)] = n;
  return sum;
}

// Counts the entries of each row (begin[row + 1]) of a matrix whose places are different and ascend by columns, and in
// a column by rows: those of one that was transposed. False if they do not, or are out of bounds.
bool countTransposed(const int64_t *rows, const int64_t *columns, int64_t n, const int64_t *size, uint32_t *begin) {
  std::fill_n(begin, size[0] + 1, 0);
  int64_t row = -1, column = 0;
  for (int64_t i = 0; i < n; i++) {
    const int64_t r = rows[i], c = columns[i];
    if (uint64_t(r) >= uint64_t(size[0]) || uint64_t(c) >= uint64_t(size[1]) || c < column || (c == column && r <= row))
      return false;
    begin[r + 1]++;
    row = r;
    column = c;
  }
  return true;
}

// Those are put in order by counting.
template <class T>
void turn(THTensor *indices, THTensor *values, const int64_t *from, int64_t n, int64_t rows, uint32_t *begin,
          const THTensor *given) {
  const int64_t block = blockOf(given);
  shapeLike(values, n, given);
  shape(indices, {2, n});
  int64_t *const to = elements<int64_t>(indices);
  const T *const x = elements<T>(given);
  T *const r = elements<T>(values);
  for (int64_t row = 0; row < rows; row++) {
    begin[row + 1] += begin[row];
    std::fill(to + begin[row], to + begin[row + 1], row);
  }
  for (int64_t i = 0; i < n; i++) {
    const int64_t at = begin[from[i]]++;
    to[n + at] = from[n + i];
    copyBlock(r, at, x, i, block);
  }
}

template <class T>
void coalesce(THTensor *indices, THTensor *values, const THSTensor *self) {
  const THSMembers &members = *THSTensor_members(self);
  const Ref from(contiguous(members.values));
  if (members.sparse_dim == 2 && self->size[0] / 4 <= members.indices->size[1]) {
    const Ref at(contiguous(members.indices));
    const int64_t n = at->size[1], *const rows = elements<int64_t>(at);
    const Array<uint32_t> begin = array<uint32_t>(self->size[0] + 1);
    if (n <= UINT32_MAX && countTransposed(rows, rows + n, n, self->size, begin.get()))
      return turn<T>(indices, values, rows, n, self->size[0], begin.get(), from);
  }
  const Places places(members.indices, self->size);
  const int64_t n = places.count(), block = blockOf(from);
  bool ascending = true;
  for (int64_t i = 1; i < n && ascending; i++) ascending = places[i - 1] <= places[i];
  const Sorted found = ascending ? Sorted() : sorted(places.data(), n, places.limit());
  const int64_t *const keys = ascending ? places.data() : found.keys.get();
  Array<int64_t> first;
  const int64_t groups = groupsOf(n, [&](int64_t i) { return keys[i]; }, first);
  const int ndim = members.sparse_dim;
  shapeLike(values, groups, from);
  shape(indices, {ndim, groups});
  addGroups(elements<T>(values), elements<T>(from), block, groups, first.get(), found.order.get());
  int64_t *const to = elements<int64_t>(indices);
  parallelFor(groups, kGrain, [&](int64_t begin, int64_t end) {
    PlaceWriter writer(ndim, self->size, to, groups);
    for (int64_t k = begin; k < end; k++) writer.write(keys[first[size_t(k)]], k);
  });
}

}  // namespace
}  // namespace ths

THS_DEFINE(coalesce, all_complex, (THTensor *indices, THTensor *values, const THSTensor *self),
           ths::coalesce<T>(indices, values, self))
