#include "order/rowsort.hpp"

#include <algorithm>
#include <bit>
#include <cub/device/device_radix_sort.cuh>

#include "kit/convert.cuh"
#include "kit/launch.cuh"
#include "kit/operands.hpp"
#include "kit/sortkeys.hpp"

namespace thc {
namespace {

__device__ __forceinline__ int64_t rowStart(const THRows &rows, int64_t row, int64_t length) {
  return row / rows.stride * rows.stride * length + row % rows.stride;
}

template <class T>
__global__ void __launch_bounds__(kBlock) keysKernel(Keys keys, const T *from, THRows rows, bool descending) {
  using Key = th::KeyOf<T>;
  const int64_t n = rows.count * rows.length, step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const int64_t row = i / rows.length, place = i - row * rows.length;
    const T *const at = from + (rows.stride == 1 ? i : rowStart(rows, row, rows.length) + place * rows.stride);
    Key key;
    if constexpr (std::is_same_v<T, bool>)
      key = *reinterpret_cast<const uint8_t *>(at) != 0;
    else
      key = th::keyOf(*at);
    if (descending) key = Key(~key);
    if (keys.wide)
      keys.wide[i] = key;
    else
      keys.narrow[i] = uint32_t(key);
  }
}

// ---- short rows: in shared memory ------------------------------------------------------------------------

// Batcher's bitonic sort ("Sorting networks and their applications", AFIPS 1968) of keys with their positions, which
// make all of them different. `size` is the power of 2 that a row is filled up to; a block sorts as many rows as it has
// room for.
template <class Key>
__global__ void __launch_bounds__(kBlock)
    shortRowsKernel(Key *keys, uint32_t *positions, int64_t count, int n, int size) {
  THC_SHARED(Key, key, kItems);
  THC_SHARED(uint32_t, place, kItems);
  const int rows = kItems / size, thread = int(threadIdx.x), threads = int(blockDim.x);
  for (int64_t first = int64_t(blockIdx.x) * rows; first < count; first += int64_t(gridDim.x) * rows) {
    __syncthreads();
    for (int i = thread; i < kItems; i += threads) {
      const int64_t row = first + i / size;
      const int at = i % size;
      const bool is = row < count && at < n;
      key[i] = is ? keys[row * n + at] : Key(~Key(0));
      place[i] = is ? uint32_t(at) : ~uint32_t(0);
    }
    for (int run = 2; run <= size; run *= 2)
      for (int apart = run / 2; apart; apart /= 2) {
        __syncthreads();
        for (int pair = thread; pair < kItems / 2; pair += threads) {
          const int i = 2 * pair - (pair & (apart - 1)), j = i + apart;
          const bool ascending = !(i & run & (size - 1));
          const bool less = key[j] < key[i] || (key[j] == key[i] && place[j] < place[i]);
          if (less != ascending) continue;
          const Key k = key[i];
          const uint32_t p = place[i];
          key[i] = key[j], place[i] = place[j];
          key[j] = k, place[j] = p;
        }
      }
    __syncthreads();
    for (int i = thread; i < kItems; i += threads) {
      const int64_t row = first + i / size;
      const int at = i % size;
      if (row >= count || at >= n) continue;
      keys[row * n + at] = key[i];
      positions[row * n + at] = place[i];
    }
  }
}

template <class Key>
void sortShort(Key *keys, uint32_t *positions, int64_t count, int n, cudaStream_t stream) {
  const int size = int(std::bit_ceil(unsigned(n)));
  launch(shortRowsKernel<Key>, blocksFor(count, kItems / size), kBlock, 0, stream, keys, positions, count, n, size);
}

// ---- long rows: by CUB's radix sort ----------------------------------------------------------------------
template <class Key>
void radixSort(Key *to, uint32_t *toPositions, const Key *from, const uint32_t *positions, int64_t n, int bits,
               cudaStream_t stream, int device) {
  size_t bytes = 0;
  THC_CHECK(cub::DeviceRadixSort::SortPairs(nullptr, bytes, from, to, positions, toPositions, n, 0, bits, stream));
  const Workspace workspace(bytes, device);
  THC_CHECK(
      cub::DeviceRadixSort::SortPairs(workspace.data(), bytes, from, to, positions, toPositions, n, 0, bits, stream));
}

// to[i] = i modulo `length`, or divided by it
__global__ void __launch_bounds__(kBlock) countKernel(uint32_t *to, int64_t n, int64_t length) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) to[i] = uint32_t(i % length);
}
__global__ void __launch_bounds__(kBlock)
    joinKernel(uint64_t *to, const uint32_t *keys, int64_t n, int64_t length, int bits) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    to[i] = uint64_t(i / length) << bits | keys[i];
}
__global__ void __launch_bounds__(kBlock) splitKernel(uint32_t *keys, const uint64_t *from, int64_t n, int bits) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    keys[i] = uint32_t(from[i] & ((uint64_t(1) << bits) - 1));
}
__global__ void __launch_bounds__(kBlock)
    rowsKernel(uint32_t *rows, const uint32_t *places, int64_t n, int64_t length) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    rows[i] = uint32_t(places[i] / length);
}
__global__ void __launch_bounds__(kBlock) localKernel(uint64_t *keys, uint32_t *positions, const uint64_t *from,
                                                      const uint32_t *places, int64_t n, int64_t length) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    keys[i] = from[places[i]];
    positions[i] = uint32_t(places[i] % length);
  }
}

struct RadixSorter {
  cudaStream_t stream;
  int device;

  template <class... Parameter, class... Argument>
  void each(int64_t n, void (*kernel)(Parameter...), const Argument &...arguments) const {
    launch(kernel, blocksFor(n), kBlock, 0, stream, arguments...);
  }

  // One row: `keys` become its sorted ones.
  template <class Key>
  void sortOne(Key *keys, uint32_t *positions, int64_t n, int bits) const {
    const Workspace sorted(size_t(n) * sizeof(Key), device), places(size_t(n) * sizeof(uint32_t), device);
    each(n, countKernel, places.as<uint32_t>(), n, n);
    radixSort(sorted.as<Key>(), positions, keys, places.as<uint32_t>(), n, bits, stream, device);
    THC_CHECK(cudaMemcpyAsync(keys, sorted.data(), size_t(n) * sizeof(Key), cudaMemcpyDeviceToDevice, stream));
  }

  // Several rows at once: the row's number is the upper part of its keys.
  void sortSome(uint32_t *keys, uint32_t *positions, int64_t rows, int64_t length, int bits) const {
    const int64_t n = rows * length;
    const Workspace words(2 * size_t(n) * sizeof(uint64_t), device), places(size_t(n) * sizeof(uint32_t), device);
    uint64_t *const from = words.as<uint64_t>(), *const to = from + n;
    each(n, countKernel, places.as<uint32_t>(), n, length);
    each(n, joinKernel, from, keys, n, length, bits);
    radixSort(to, positions, from, places.as<uint32_t>(), n, bits + std::bit_width(uint64_t(rows - 1)), stream, device);
    each(n, splitKernel, keys, to, n, bits);
  }
  // There is no room for it beside keys of 64 bits: by the keys, then by rows.
  void sortSome(uint64_t *keys, uint32_t *positions, int64_t rows, int64_t length, int bits) const {
    const int64_t n = rows * length;
    const Workspace words(size_t(n) * sizeof(uint64_t), device), numbers(4 * size_t(n) * sizeof(uint32_t), device);
    uint32_t *const places = numbers.as<uint32_t>(), *const byKey = places + n, *const row = byKey + n,
                    *const toRow = row + n;
    each(n, countKernel, places, n, n);
    radixSort(words.as<uint64_t>(), byKey, keys, places, n, bits, stream, device);
    each(n, rowsKernel, row, byKey, n, length);
    radixSort(toRow, places, row, byKey, n, std::bit_width(uint64_t(rows - 1)), stream, device);
    THC_CHECK(cudaMemcpyAsync(words.data(), keys, size_t(n) * sizeof(uint64_t), cudaMemcpyDeviceToDevice, stream));
    each(n, localKernel, keys, positions, words.as<uint64_t>(), places, n, length);
  }

  template <class Key>
  void sort(Key *keys, uint32_t *positions, int64_t count, int64_t n, int bits) const {
    constexpr int64_t alone = 1 << 18, together = 1 << 28;  // elements
    const int64_t step = n >= alone ? 1 : together / n;
    for (int64_t row = 0; row < count; row += step) {
      const int64_t rows = std::min(step, count - row);
      if (rows == 1)
        sortOne(keys + row * n, positions + row * n, n, bits);
      else
        sortSome(keys + row * n, positions + row * n, rows, n, bits);
    }
  }
};

template <class Word>
__global__ void __launch_bounds__(kBlock)
    takeKernel(Word *values, int64_t *indices, const Word *from, THRows rows, Taken taken, bool bools) {
  const int64_t n = rows.count * taken.taken, step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const int64_t row = i / taken.taken, k = i - row * taken.taken;
    const int64_t position = taken.positions[row * taken.perRow + k];
    const Word word = from[rowStart(rows, row, rows.length) + position * rows.stride];
    const int64_t to = rowStart(rows, row, taken.taken) + k * rows.stride;
    values[to] = bools ? Word(word != 0) : word;
    if (indices) indices[to] = position;
  }
}

}  // namespace

void makeKeys(const Keys &keys, const THTensor *t, const THRows &rows, bool descending, cudaStream_t stream) {
  const unsigned blocks = blocksFor(rows.count * rows.length);
  switch (THDtype(t->dtype)) {
#define THC_KEYS(Name, ...)                                                                                          \
  case TH_##Name:                                                                                                    \
    return launch(keysKernel<th::Element<TH_##Name>>, blocks, kBlock, 0, stream, keys,                               \
                  thc::elements<th::Element<TH_##Name>>(t), rows, descending);
    TH_FOR_all(THC_KEYS, )
#undef THC_KEYS
    default: return;
  }
}

uint64_t nanKey(THDtype dtype) { return th::isFloating(dtype) ? ~uint64_t(0) >> (64 - 8 * th::elementSize(dtype)) : 0; }

void requireShortRows(const THRows &rows) {
  if (rows.length >= int64_t(UINT32_MAX))
    THError(TH_ERROR_NOT_IMPLEMENTED, "no more than %u elements are put in order on CUDA, but there are %lld",
            UINT32_MAX - 1, (long long)rows.length);
}

void sortKeys(const Keys &keys, uint32_t *positions, const THRows &rows, int bits, cudaStream_t stream, int device) {
  const auto sort = [&](auto *row) {
    if (rows.length <= kItems)
      sortShort(row, positions, rows.count, int(rows.length), stream);
    else
      RadixSorter{stream, device}.sort(row, positions, rows.count, rows.length, bits);
  };
  if (keys.wide)
    sort(keys.wide);
  else
    sort(keys.narrow);
}

SortedRows::SortedRows(const THTensor *t, const THRows &rows, bool descending, cudaStream_t stream, int device)
    : positions_((requireShortRows(rows), size_t(rows.count * rows.length) * sizeof(uint32_t)), device),
      memory_(size_t(rows.count * rows.length) * (th::elementSize(THDtype(t->dtype)) == 8 ? 8 : 4), device) {
  const int64_t size = th::elementSize(THDtype(t->dtype));
  if (size == 8)
    keys_.wide = memory_.as<uint64_t>();
  else
    keys_.narrow = memory_.as<uint32_t>();
  if (!(rows.count * rows.length)) return;
  makeKeys(keys_, t, rows, descending, stream);
  sortKeys(keys_, positions_.as<uint32_t>(), rows, int(8 * size), stream, device);
}

void takeFromRows(void *values, int64_t *indices, const THTensor *t, const THRows &rows, const Taken &taken,
                  cudaStream_t stream) {
  const int64_t n = rows.count * taken.taken;
  if (!n) return;
  const auto take = [&]<class Word>(const Word *from) {
    launch(takeKernel<Word>, blocksFor(n), kBlock, 0, stream, static_cast<Word *>(values), indices, from, rows, taken,
           t->dtype == TH_Bool);
  };
  switch (th::elementSize(THDtype(t->dtype))) {
    case 1: return take(thc::elements<const uint8_t>(t));
    case 2: return take(thc::elements<const uint16_t>(t));
    case 4: return take(thc::elements<const uint32_t>(t));
    default: return take(thc::elements<const uint64_t>(t));
  }
}

}  // namespace thc
