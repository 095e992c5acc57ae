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
  const auto entry = [&](int64_t i) { return from + (order ? order[i] : i) * block; };
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
            if constexpr (std::is_same_v<T, bool>)
              sums[size_t(d)] = sums[size_t(d)] || more[d];
            else
              sums[size_t(d)] = C(sums[size_t(d)] + C(more[d]));
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

template <class T>
void coalesce(THTensor *indices, THTensor *values, const THSTensor *self) {
  const THSMembers &members = *THSTensor_members(self);
  const Ref from(contiguous(members.values));
  const Places places(members.indices, self->size);
  const int64_t n = places.count(), block = blockOf(from);
  bool ascending = true;
  for (int64_t i = 1; i < n && ascending; i++) ascending = places[i - 1] <= places[i];
  const Array<int64_t> order = ascending ? nullptr : sortedOrder(places.data(), n, places.limit());
  const auto key = [&](int64_t i) { return places[order ? order[size_t(i)] : i]; };
  Array<int64_t> first;
  const int64_t groups = groupsOf(n, key, first);
  const int ndim = members.sparse_dim;
  shapeLike(values, groups, from);
  shape(indices, {ndim, groups});
  addGroups(elements<T>(values), elements<T>(from), block, groups, first.get(), order.get());
  int64_t *const to = elements<int64_t>(indices);
  parallelFor(groups, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; k++) writePlace(key(first[size_t(k)]), ndim, self->size, to, groups, k);
  });
}

// The union of two ascending lists: of each entry of it, where it comes from, -1 where it is not.
struct Merged {
  Array<int64_t> a, b;
  int64_t count = 0;
};
Merged merge(const Places &a, const Places &b) {
  Merged result{array<int64_t>(a.count() + b.count()), array<int64_t>(a.count() + b.count())};
  int64_t i = 0, j = 0, k = 0;
  for (; i < a.count() || j < b.count(); k++) {
    const bool left = j == b.count() || (i < a.count() && a[i] <= b[j]);
    const bool right = i == a.count() || (j < b.count() && b[j] <= a[i]);
    result.a[size_t(k)] = left ? i++ : -1;
    result.b[size_t(k)] = right ? j++ : -1;
  }
  result.count = k;
  return result;
}

template <class T>
void cadd(THTensor *indices, THTensor *values, const THSTensor *self, THScalar alpha, const THSTensor *other) {
  using C = Compute<T>;
  const THSMembers &mine = *THSTensor_members(self), &theirs = *THSTensor_members(other);
  const Ref from(contiguousAs(DtypeOf<T>::value, mine.values)), more(contiguousAs(DtypeOf<T>::value, theirs.values));
  const Places a(mine.indices, self->size), b(theirs.indices, self->size);
  const C factor = scalarTo<C>(alpha);
  const Merged merged = merge(a, b);
  const int64_t block = blockOf(from), n = merged.count;
  const int ndim = mine.sparse_dim;
  shapeLike(values, n, from);
  shape(indices, {ndim, n});
  T *const to = elements<T>(values);
  int64_t *const places = elements<int64_t>(indices);
  parallelFor(n, std::max<int64_t>(1, kGrain / std::max<int64_t>(1, block)), [&](int64_t begin, int64_t end) {
    for (int64_t k = begin; k < end; k++) {
      const int64_t i = merged.a[size_t(k)], j = merged.b[size_t(k)];
      writePlace(i >= 0 ? a[i] : b[j], ndim, self->size, places, n, k);
      const T *const x = elements<T>(from) + i * block, *const y = elements<T>(more) + j * block;
      for (int64_t d = 0; d < block; d++) {
        if constexpr (std::is_same_v<T, bool>)
          to[k * block + d] = (i >= 0 && x[d]) || (j >= 0 && factor && y[d]);
        else
          to[k * block + d] = T(i < 0 ? C(factor * C(y[d])) : j < 0 ? C(x[d]) : C(C(x[d]) + C(factor * C(y[d]))));
      }
    }
  });
}

}  // namespace
}  // namespace ths

THS_DEFINE(coalesce, all_complex, (THTensor *indices, THTensor *values, const THSTensor *self),
           ths::coalesce<T>(indices, values, self))
THS_DEFINE(cadd, all_complex,
           (THTensor *indices, THTensor *values, const THSTensor *self, THScalar alpha, const THSTensor *other),
           ths::cadd<T>(indices, values, self, alpha, other))
