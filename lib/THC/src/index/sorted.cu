// Sorting places, by CUB's radix sort, which is stable.
#include <cub/device/device_radix_sort.cuh>

#include <bit>

#include "index/sorted.cuh"
#include "kit/launch.cuh"
#include "kit/numbers.cuh"

namespace thc {
namespace {

template <class Key>
__global__ void __launch_bounds__(kBlock)
    keysKernel(const int64_t *places, Key *keys, Key *positions, int64_t n, Key skipped) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    keys[i] = places[i] == kSkipped ? skipped : Key(places[i]);
    positions[i] = Key(i);
  }
}

__global__ void __launch_bounds__(kBlock) lastKernel(int64_t *places, Sorted sorted) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < sorted.n; i += step)
    if (i + 1 < sorted.n && sorted.place(i + 1) == sorted.place(i)) places[sorted.position(i)] = kSkipped;
}

int64_t padded(int64_t bytes) { return (bytes + 255) / 256 * 256; }

template <class Key>
Ref sort(const THTensor *places, Sorted &sorted, cudaStream_t stream) {
  const int64_t n = sorted.n, bytes = padded(n * int64_t(sizeof(Key)));
  const int bits = int(std::bit_width(sorted.skipped));
  size_t extra = 0;
  Key *const none = nullptr;
  THC_CHECK(cub::DeviceRadixSort::SortPairs(nullptr, extra, none, none, none, none, n, 0, bits, stream));
  const int64_t total = 4 * bytes + int64_t(extra);
  Ref memory(th::newLike(places, TH_Byte, 1, &total));
  char *const base = thc::elements<char>(memory);
  Key *of[4];
  for (int i = 0; i < 4; i++) of[i] = reinterpret_cast<Key *>(base + i * bytes);
  launch(keysKernel<Key>, blocksFor(n), kBlock, 0, stream, thc::elements<int64_t>(places), of[0], of[1], n,
         Key(sorted.skipped));
  THC_CHECK(cub::DeviceRadixSort::SortPairs(base + 4 * bytes, extra, of[0], of[2], of[1], of[3], n, 0, bits, stream));
  sorted.places = of[2], sorted.positions = of[3];
  return memory;
}

}  // namespace

SortedPlaces::SortedPlaces(const THTensor *places, const THTensor *t, cudaStream_t stream) {
  sorted_.n = places->numel;
  sorted_.skipped = 1;  // more than any element's place
  for (int d = 0; d < t->ndim; d++)
    if (t->numel) sorted_.skipped += uint64_t(t->size[d] - 1) * uint64_t(t->stride[d]);
  sorted_.wide = sorted_.skipped > UINT32_MAX || sorted_.n > int64_t(UINT32_MAX);
  memory_ = sorted_.wide ? sort<uint64_t>(places, sorted_, stream) : sort<uint32_t>(places, sorted_, stream);
}

Ref lastOfPlaces(Ref places, const THTensor *t) {
  if (places->numel < 2) return places;
  const OnDevice on(t);
  const SortedPlaces order(places, t, on.stream);
  launch(lastKernel, blocksFor(places->numel), kBlock, 0, on.stream, thc::elements<int64_t>(places), order.sorted());
  return places;
}

}  // namespace thc
