// Different elements, or slices: sorted, or as runs of equal neighbours. NaN differs from everything.
#include <utility>
#include <THC/THCTensorOrder.h>
#include <TH/THPrepare.h>
#include "kit/define.cuh"
#include "kit/hostread.hpp"
#include "kit/launch.cuh"
#include "kit/numbers.cuh"
#include "kit/result.hpp"
#include "order/apart.hpp"
#include "order/rowsort.hpp"

namespace thc {
namespace {

// n slices of `width` keys each; slice number i is slice order[i] in memory, or i itself where there is no order.
struct Slices {
  Keys keys;
  int64_t n, width;
  uint64_t nan;  // the key of NaN; 0: there is none

  __device__ uint64_t key(int64_t at) const { return keys.wide ? keys.wide[at] : keys.narrow[at]; }
  __device__ bool isLess(int64_t a, int64_t b) const {
    for (int64_t k = 0; k < width; k++) {
      const uint64_t x = key(a * width + k), y = key(b * width + k);
      if (x != y) return x < y;
    }
    return false;
  }
  __device__ bool isEqual(int64_t a, int64_t b) const {
    for (int64_t k = 0; k < width; k++) {
      const uint64_t x = key(a * width + k);
      if (x != key(b * width + k) || (nan && x == nan)) return false;
    }
    return true;
  }
};

__global__ void __launch_bounds__(kBlock) startKernel(uint32_t *order, int64_t n) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) order[i] = uint32_t(i);
}

// Sorted runs of `run` slices become runs twice as long. Where a slice goes is found by a search in its run's neighbour.
__global__ void __launch_bounds__(kBlock) mergeKernel(uint32_t *to, const uint32_t *from, Slices slices, int64_t run) {
  const int64_t n = slices.n, step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const int64_t own = i / run * run, pair = i / (2 * run) * (2 * run);
    const bool later = own != pair;
    int64_t low = later ? pair : own + run < n ? own + run : n, high = low + run < n ? low + run : n;
    const int64_t first = low;
    while (low < high) {  // equal ones of the earlier run come first
      const int64_t middle = low + (high - low) / 2;
      if (later ? !slices.isLess(from[i], from[middle]) : slices.isLess(from[middle], from[i]))
        low = middle + 1;
      else
        high = middle;
    }
    to[pair + (i - own) + (low - first)] = from[i];
  }
}

// Does a group begin here?
__global__ void __launch_bounds__(kBlock) headsKernel(int64_t *heads, Slices slices, const uint32_t *order) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < slices.n; i += step)
    heads[i] = !i || !slices.isEqual(order ? order[i - 1] : i - 1, order ? order[i] : i);
}

// group[i] counts the groups up to slice i.
__global__ void __launch_bounds__(kBlock) groupsKernel(const int64_t *group, const uint32_t *order, int64_t n,
                                                       int64_t *first, uint32_t *chosen, int64_t *inverse) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const int64_t g = group[i] - 1;
    if (!i || group[i - 1] != group[i]) {
      first[g] = i;
      chosen[g] = order[i];
    }
    if (inverse) inverse[order[i]] = g;
  }
}
__global__ void __launch_bounds__(kBlock)
    lengthsKernel(int64_t *counts, const int64_t *first, int64_t groups, int64_t n) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t g = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; g < groups; g += step)
    counts[g] = (g + 1 < groups ? first[g + 1] : n) - first[g];
}

void distinct(THDtype dtype, THTensor *values, THTensor *inverse, THTensor *counts, const THTensor *t, bool sorted,
              bool bySlice) {
  requireOneDevice({values, inverse, counts}, {t});
  THPrepare_unique(dtype, values, inverse, counts, t, sorted, bySlice);
  const OnDevice on(values);
  const Ref input = contiguousApart(values, dtype, t);
  const int64_t n = bySlice ? t->size[0] : t->numel, width = bySlice && n ? t->numel / n : 1;
  const THRows all{1, n, 1};
  requireShortRows(all);

  const bool plain = sorted && width == 1;  // then keys are sorted along with their positions
  const SortedRows rows(input, plain ? all : THRows{0, 0, 1}, false, on.stream, on.index);
  const size_t wide = th::elementSize(dtype) == 8 ? 8 : 4;
  const Workspace keys(plain ? 0 : size_t(t->numel) * wide, on.index),
      orders(plain ? 0 : 2 * size_t(n) * sizeof(uint32_t), on.index);
  Slices slices{rows.keys(), n, width, nanKey(dtype)};
  const uint32_t *order = rows.positions();
  if (!plain && n) {
    slices.keys = {wide == 4 ? keys.as<uint32_t>() : nullptr, wide == 8 ? keys.as<uint64_t>() : nullptr};
    if (t->numel) makeKeys(slices.keys, input, {1, t->numel, 1}, false, on.stream);
    uint32_t *from = orders.as<uint32_t>(), *to = from + n;
    launch(startKernel, blocksFor(n), kBlock, 0, on.stream, from, n);
    for (int64_t run = 1; sorted && run < n; run *= 2) {
      launch(mergeKernel, blocksFor(n), kBlock, 0, on.stream, to, from, slices, run);
      std::swap(from, to);
    }
    order = from;
  }

  const Ref group(THTensor_newWithSizeOn(values->storage->device, TH_Long, 1, &n));
  int64_t *const groupOf = thc::elements<int64_t>(group);
  int64_t groups = 0;
  if (n) {
    launch(headsKernel, blocksFor(n), kBlock, 0, on.stream, groupOf, slices, plain ? nullptr : order);
    THCudaLongTensor_cumsum(group, group, 0);
    groups = readBack(groupOf + n - 1, on.stream, on.index);
  }

  int64_t size[TH_MAX_DIM] = {groups};
  const int ndim = bySlice ? t->ndim : 1;
  for (int d = 1; d < ndim; d++) size[d] = t->size[d];
  THResult results[3];
  th::setResult(results[0], values, ndim, size);
  th::setResult(results[1], inverse, bySlice ? 1 : t->ndim, t->size);
  th::setResult(results[2], counts, 1, size);
  THResult_resize(results, 3);
  if (!n) return;

  const Workspace first(size_t(groups) * sizeof(int64_t), on.index),
      chosen(size_t(groups) * sizeof(uint32_t), on.index);
  Target valueTarget(dtype, values), inverseTarget(TH_Long, inverse ? inverse : group),
      countTarget(TH_Long, counts ? counts : group);
  launch(groupsKernel, blocksFor(n), kBlock, 0, on.stream, groupOf, order, n, first.as<int64_t>(),
         chosen.as<uint32_t>(), inverse ? inverseTarget.data<int64_t>() : nullptr);
  // A slice is one element of each of `width` rows along dimension 0.
  takeFromRows(dataOf(valueTarget.tensor(), on), nullptr, input, {width, n, width}, {chosen.as<uint32_t>(), 0, groups},
               on.stream);
  valueTarget.finish();
  if (inverse) inverseTarget.finish();
  if (!counts) return;
  launch(lengthsKernel, blocksFor(groups), kBlock, 0, on.stream, countTarget.data<int64_t>(), first.as<int64_t>(),
         groups, n);
  countTarget.finish();
}

}  // namespace
}  // namespace thc

#define DISTINCT (THTensor *values, THTensor *inverse, THTensor *counts, const THTensor *t, bool sorted)
THC_DEFINE(unique, all, DISTINCT, thc::distinct(dtype, values, inverse, counts, t, sorted, false))
THC_DEFINE(uniqueSlices, all, DISTINCT, thc::distinct(dtype, values, inverse, counts, t, sorted, true))
