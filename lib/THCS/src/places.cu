// Places in order, where they stand among others, and rows among entries.
#include <algorithm>
#include <bit>
#include <cub/device/device_radix_sort.cuh>
#include <cub/device/device_scan.cuh>

#include "sparse.cuh"

namespace thcs {
namespace {

struct KeyOfPlace {
  int64_t *keys;
  const int64_t *indices;
  int64_t n;
  int ndim;
  int64_t size[TH_MAX_DIM];
  __device__ void operator()(int64_t i) const {
    int64_t key = 0;
    for (int d = 0; d < ndim; d++) key = key * size[d] + indices[d * n + i];
    keys[i] = key;
  }
};

struct Count {
  int64_t *to;
  __device__ void operator()(int64_t i) const { to[i] = i; }
};

struct IsHead {
  int64_t *heads;
  const int64_t *keys;
  __device__ void operator()(int64_t i) const { heads[i] = i == 0 || keys[i] != keys[i - 1]; }
};
struct WriteHead {
  int64_t *first;
  const int64_t *before, *keys;  // heads before i
  int64_t n;
  __device__ void operator()(int64_t i) const {
    if (i == n || i == 0 || keys[i] != keys[i - 1]) first[before[i]] = i;
  }
};

struct CountBefore {
  int64_t *to;
  const int64_t *ascending;
  int64_t n;
  __device__ void operator()(int64_t row) const { to[row] = countLess(ascending, n, row); }
};

struct Find {
  int64_t *to;
  const int64_t *keys, *asked;
  int64_t n;
  __device__ void operator()(int64_t i) const {
    const int64_t at = countLess(keys, n, asked[i]);
    to[i] = at < n && keys[at] == asked[i] ? at : -1;
  }
};

struct BadRow {
  const int64_t *rows;
  int64_t n;
  bool ascending;
  unsigned *found;
  __device__ void operator()(int64_t i) const {
    if (rows[i] < 0 || rows[i] >= n || (ascending && i && rows[i - 1] > rows[i])) *found = 1;
  }
};

// Whether there is a row that is out of bounds, or not where it should be.
bool hasBadRow(const THTensor *rows, int64_t n, bool ascending, const OnDevice &on) {
  const Flag flag(on);
  each(rows->numel, on, BadRow{thc::elements<const int64_t>(rows), n, ascending, flag.address()});
  return flag.isSet();
}

}  // namespace

Places::Places(const THTensor *indices, const int64_t *size, const OnDevice &on)
    : held_(contiguousAs(TH_Long, indices)),
      keys_(indices->size[0] == 1 ? 0 : size_t(indices->size[1]) * sizeof(int64_t), on.index),
      one_(indices->size[0] == 1 ? thc::elements<const int64_t>(held_) : nullptr), count_(indices->size[1]) {
  const int ndim = int(indices->size[0]);
  limit_ = ndim ? TH_numel(ndim, size) : 1;
  if (one_) return;
  KeyOfPlace keyOf{keys_.as<int64_t>(), thc::elements<const int64_t>(held_), count_, ndim, {}};
  std::copy_n(size, ndim, keyOf.size);
  each(count_, on, keyOf);
}

Sorted::Sorted(const int64_t *keys, int64_t n, int64_t limit, const OnDevice &on)
    : keys_(size_t(n) * sizeof(int64_t), on.index), order_(size_t(n) * sizeof(int64_t), on.index), sorted_(keys) {
  const int bits = limit > 1 ? int(std::bit_width(uint64_t(limit - 1))) : 0;
  if (!bits || n < 2) {
    each(n, on, Count{order_.as<int64_t>()});
    return;
  }
  const Workspace numbers(size_t(n) * sizeof(int64_t), on.index);
  each(n, on, Count{numbers.as<int64_t>()});
  // None is negative, and their bits are those of unsigned numbers.
  const auto *const from = reinterpret_cast<const uint64_t *>(keys);
  const auto sort = [&](void *memory, size_t &bytes) {
    THC_CHECK(cub::DeviceRadixSort::SortPairs(memory, bytes, from, keys_.as<uint64_t>(), numbers.as<const int64_t>(),
                                              order_.as<int64_t>(), n, 0, bits, on.stream));
  };
  size_t bytes = 0;
  sort(nullptr, bytes);
  const Workspace workspace(std::max<size_t>(bytes, 1), on.index);
  sort(workspace.data(), bytes);
  sorted_ = keys_.as<int64_t>();
}

void sumsBefore(int64_t *to, const int64_t *from, int64_t n, const OnDevice &on) {
  const auto sum = [&](void *memory, size_t &bytes) {
    THC_CHECK(cub::DeviceScan::ExclusiveSum(memory, bytes, from, to, n + 1, on.stream));
  };
  size_t bytes = 0;
  sum(nullptr, bytes);
  const Workspace workspace(std::max<size_t>(bytes, 1), on.index);
  sum(workspace.data(), bytes);
}

namespace {

int64_t countRuns(int64_t *before, const int64_t *keys, int64_t n, const OnDevice &on) {
  each(n, on, IsHead{before, keys});
  THC_CHECK(cudaMemsetAsync(before + n, 0, sizeof(int64_t), on.stream));
  sumsBefore(before, before, n, on);
  return readBack(before + n, on.stream, on.index);
}

}  // namespace

Runs::Runs(const int64_t *keys, int64_t n, const OnDevice &on)
    : before_(size_t(n + 1) * sizeof(int64_t), on.index), count_(countRuns(before_.as<int64_t>(), keys, n, on)),
      first_(size_t(count_ + 1) * sizeof(int64_t), on.index) {
  each(n + 1, on, WriteHead{first_.as<int64_t>(), before_.as<int64_t>(), keys, n});
}

void beginsOf(int64_t *to, int64_t rows, const int64_t *ascending, int64_t n, const OnDevice &on) {
  each(rows + 1, on, CountBefore{to, ascending, n});
}

}  // namespace thcs

using namespace thcs;

void THCSTensor_find(THTensor *r, const THSTensor *self, const THTensor *indices) {
  const Operator named("find");
  const THSMembers &members = *THSTensor_members(self);
  requireOneDevice({r, members.indices, indices}, {});
  const OnDevice on(r);
  requireBounds(self);
  requireBounds(indices, self->size);
  const Places mine(members.indices, self->size, on), asked(indices, self->size, on);
  shape(r, {asked.count()});
  each(asked.count(), on, Find{thc::elements<int64_t>(r), mine.data(), asked.data(), mine.count()});
}

// What is wrong with rows is said by THS, of a copy on the host.
void THCSTensor_compress(THTensor *r, const THTensor *rows, int64_t n) {
  const Operator named("compress");
  requireOneDevice({r, rows}, {});
  const OnDevice on(r);
  const Ref held = contiguousAs(TH_Long, rows, r);
  if (hasBadRow(held, n, true, on)) {
    const Ref begins(THTensor_new(TH_Long)), copy = toHost(held);
    THSTensor_compress(begins, copy, n);
  }
  shape(r, {n + 1});
  beginsOf(thc::elements<int64_t>(r), n, thc::elements<const int64_t>(held), held->numel, on);
}

void THCSTensor_group(THTensor *begins, THTensor *order, const THTensor *rows, int64_t n) {
  const Operator named("group");
  requireOneDevice({begins, order, rows}, {});
  const OnDevice on(begins);
  const Ref held = contiguousAs(TH_Long, rows, begins);
  if (hasBadRow(held, n, false, on)) {
    const Ref first(THTensor_new(TH_Long)), second(THTensor_new(TH_Long)), copy = toHost(held);
    THSTensor_group(first, second, copy, n);
  }
  const int64_t entries = held->numel;
  const Sorted sorted(thc::elements<const int64_t>(held), entries, n, on);
  shape(begins, {n + 1});
  shape(order, {entries});
  beginsOf(thc::elements<int64_t>(begins), n, sorted.keys(), entries, on);
  if (entries)
    THC_CHECK(cudaMemcpyAsync(thc::elements<int64_t>(order), sorted.order(), size_t(entries) * sizeof(int64_t),
                              cudaMemcpyDeviceToDevice, on.stream));
}
