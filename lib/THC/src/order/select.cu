#include "order/select.hpp"

#include "kit/launch.cuh"

namespace thc {
namespace {

constexpr int kDigits = 256, kWarps = kBlock / kWarp;
static_assert(kBlock == kDigits, "a thread has a digit");

struct Selection {
  uint32_t *positions = nullptr;  // row after row, in the order of the positions
  Keys chosen;  // and their keys, if there is one of them
  int64_t count = 0, length = 0, taken = 0;  // rows; elements of one; those that are taken, or 0: the one of the rank
  int bits = 0;  // of keys
  int64_t rank = 0;
  Median median = Median::no;
  uint64_t nan = 0;  // its key, if there may be NaN, else 0
};

// The sum of what the threads up to this one have; `total`: of all. Whoever calls it again may do so at once.
__device__ uint32_t scanBlock(uint32_t x, uint32_t *warps, uint32_t &total) {
  const int lane = int(threadIdx.x) % kWarp, warp = int(threadIdx.x) / kWarp;
  for (int apart = 1; apart < kWarp; apart *= 2) {
    const uint32_t other = __shfl_up_sync(kFullWarp, x, unsigned(apart));
    if (lane >= apart) x += other;
  }
  __syncthreads();
  if (lane == kWarp - 1) warps[warp] = x;
  __syncthreads();
  total = 0;
  for (int w = 0; w < kWarps; w++) {
    if (w < warp) x += warps[w];
    total += warps[w];
  }
  return x;
}

template <class Key>
__global__ void __launch_bounds__(kBlock) selectKernel(Selection s, const Key *keys, Key *chosen) {
  THC_SHARED(uint32_t, digits, kDigits);
  THC_SHARED(uint32_t, warps, kWarps);
  THC_SHARED(uint32_t, found, 2);  // the digit of the rank; how many with it are of lower ranks
  const int thread = int(threadIdx.x);
  for (int64_t row = blockIdx.x; row < s.count; row += gridDim.x) {
    const Key *const key = keys + row * s.length;
    uint32_t total;
    uint32_t rank = uint32_t(s.rank);
    if (s.median != Median::no) {
      uint32_t mine = 0;
      if (s.nan)
        for (int64_t i = thread; i < s.length; i += kBlock) mine += key[i] < s.nan;
      scanBlock(mine, warps, total);
      rank = uint32_t(medianRank(s.median, s.nan ? total : s.length, s.length));
    }

    Key pivot = 0, known = 0;  // the digits of the rank's key, and where they are
    for (int shift = s.bits - 8; shift >= 0; shift -= 8) {
      digits[thread] = 0;
      __syncthreads();
      for (int64_t i = thread; i < s.length; i += kBlock)
        if ((key[i] & known) == pivot) atomicAdd(digits + (key[i] >> shift & (kDigits - 1)), 1u);
      __syncthreads();
      const uint32_t own = digits[thread], upTo = scanBlock(own, warps, total);
      if (upTo - own <= rank && rank < upTo) found[0] = uint32_t(thread), found[1] = upTo - own;
      __syncthreads();
      pivot |= Key(found[0]) << shift;
      known |= Key(kDigits - 1) << shift;
      rank -= found[1];
    }

    // Of those with the rank's key the first ones are taken.
    const uint32_t equals = rank + 1;
    uint32_t less = 0, equal = 0;  // so far
    for (int64_t base = 0; base < s.length; base += kBlock) {
      const int64_t i = base + thread;
      const bool isLess = i < s.length && key[i] < pivot, isEqual = i < s.length && key[i] == pivot;
      const uint32_t upTo = scanBlock(uint32_t(isLess) | uint32_t(isEqual) << 16, warps, total);
      const uint32_t lessBefore = less + (upTo & 0xffff) - isLess, equalBefore = equal + (upTo >> 16) - isEqual;
      if (!s.taken) {
        if (isEqual && equalBefore == rank) s.positions[row] = uint32_t(i);
      } else if (isLess || (isEqual && equalBefore < equals)) {
        const int64_t to = row * s.taken + lessBefore + (equalBefore < equals ? equalBefore : equals);
        s.positions[to] = uint32_t(i);
        chosen[to] = key[i];
      }
      less += total & 0xffff;
      equal += total >> 16;
      if (equal >= equals && (!s.taken || int64_t(less) + equals >= s.taken)) break;
    }
    __syncthreads();  // before the next row's digits
  }
}

// to[i] = from[what stands at to[i] in its row]
__global__ void __launch_bounds__(kBlock) followKernel(uint32_t *to, const uint32_t *from, int64_t n, int64_t length) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    to[i] = from[i / length * length + to[i]];
}

// Memory for n keys.
struct KeySpace {
  KeySpace(THDtype dtype, int64_t n, int device)
      : wide(th::elementSize(dtype) == 8), memory(size_t(n) * (wide ? 8 : 4), device) {
    if (wide)
      keys.wide = memory.as<uint64_t>();
    else
      keys.narrow = memory.as<uint32_t>();
  }
  bool wide;
  Workspace memory;
  Keys keys;
};

void select(Selection s, const THTensor *t, const THRows &rows, bool descending, cudaStream_t stream, int device) {
  const KeySpace space(THDtype(t->dtype), rows.count * rows.length, device);
  makeKeys(space.keys, t, rows, descending, stream);
  s.count = rows.count;
  s.length = rows.length;
  s.bits = int(8 * th::elementSize(THDtype(t->dtype)));
  if (space.wide)
    launch(selectKernel<uint64_t>, blocksFor(s.count, 1), kBlock, 0, stream, s, space.keys.wide, s.chosen.wide);
  else
    launch(selectKernel<uint32_t>, blocksFor(s.count, 1), kBlock, 0, stream, s, space.keys.narrow, s.chosen.narrow);
}

}  // namespace

bool isSelected(const THRows &rows, int64_t taken) {
  constexpr int64_t alone = int64_t(1) << 18;  // elements of a row that has but one block
  return taken > 0 && rows.length > kItems && taken <= rows.length / 4 && (rows.count >= 8 || rows.length <= alone);
}

SelectedRows::SelectedRows(const THTensor *t, const THRows &rows, int64_t taken, bool descending, cudaStream_t stream,
                           int device)
    : positions_((requireShortRows(rows), size_t(rows.count * taken) * sizeof(uint32_t)), device) {
  if (!rows.count) return;
  const int64_t n = rows.count * taken;
  const auto dtype = THDtype(t->dtype);
  const KeySpace chosen(dtype, n, device);
  const Workspace places(size_t(n) * sizeof(uint32_t), device);
  Selection s;
  s.positions = places.as<uint32_t>();
  s.chosen = chosen.keys;
  s.taken = taken;
  s.rank = taken - 1;
  select(s, t, rows, descending, stream, device);
  // Equal keys stay in the order of their positions.
  uint32_t *const order = positions_.as<uint32_t>();
  sortKeys(chosen.keys, order, {rows.count, taken, 1}, int(8 * th::elementSize(dtype)), stream, device);
  launch(followKernel, blocksFor(n), kBlock, 0, stream, order, places.as<uint32_t>(), n, taken);
}

ChosenRows::ChosenRows(const THTensor *t, const THRows &rows, Median median, int64_t k, cudaStream_t stream, int device)
    : positions_((requireShortRows(rows), size_t(rows.count) * sizeof(uint32_t)), device) {
  if (!rows.count) return;
  Selection s;
  s.positions = positions_.as<uint32_t>();
  s.rank = k;
  s.median = median;
  s.nan = nanKey(THDtype(t->dtype));
  select(s, t, rows, false, stream, device);
}

}  // namespace thc
