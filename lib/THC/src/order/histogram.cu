// Counting: numbers, and those in bins between edges. Counts are added by atomics, which is exact; weights in the order of
// the bins' sorted elements, so that every run gives the same bits.
#include <algorithm>
#include <cmath>
#include <limits>
#include <THC/THCTensorOrder.h>
#include <THC/THCTensorReduce.h>
#include <TH/THPrepare.h>
#include <TH/THTensorMath.h>
#include "kit/define.cuh"
#include "kit/hostread.hpp"
#include "kit/launch.cuh"
#include "kit/messages.hpp"
#include "kit/numbers.cuh"
#include "order/apart.hpp"
#include "order/below.cuh"
#include "order/rowsort.hpp"

namespace thc {
namespace {

// Numbers from `bins` on count nowhere.
__global__ void __launch_bounds__(kBlock) countKernel(int64_t *counts, const int64_t *bin, int64_t n, int64_t bins) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    if (bin[i] < bins) atomicAdd(reinterpret_cast<unsigned long long *>(counts + bin[i]), 1ull);
}

constexpr int kBinThreads = 32;  // add up one bin

__global__ void __launch_bounds__(kBlock) weighKernel(double *totals, const uint64_t *keys, const uint32_t *positions,
                                                      const double *weights, int64_t n, int64_t bins, uint64_t zero) {
  constexpr int perBlock = kBlock / kBinThreads;
  THC_SHARED(double, shared, kBlock);
  const int lane = int(threadIdx.x) % kBinThreads, own = int(threadIdx.x) / kBinThreads;
  for (int64_t first = int64_t(blockIdx.x) * perBlock; first < bins; first += int64_t(gridDim.x) * perBlock) {
    const int64_t bin = first + own;
    double total = 0;
    if (bin < bins) {
      const int64_t begin = countBelow(keys, n, zero + uint64_t(bin)),
                    end = countBelow(keys, n, zero + uint64_t(bin) + 1);
      for (int64_t i = begin + lane; i < end; i += kBinThreads) total += weights[positions[i]];
    }
    __syncthreads();
    shared[threadIdx.x] = total;
    for (int half = kBinThreads / 2; half; half /= 2) {
      __syncthreads();
      if (lane < half) shared[threadIdx.x] += shared[threadIdx.x + half];
    }
    if (!lane && bin < bins) totals[bin] = shared[threadIdx.x];
  }
}

// r, which has its shape, = how often each number below `bins` is in `bin` (int64, not negative), or what weight it has.
void count(THTensor *r, const THTensor *bin, const THTensor *weights, int64_t bins, const OnDevice &on) {
  const int64_t n = bin->numel;
  const int64_t *const from = thc::elements<const int64_t>(bin);
  if (!weights) {
    Target target(TH_Long, r);
    THC_CHECK(cudaMemsetAsync(target.data<int64_t>(), 0, size_t(bins) * sizeof(int64_t), on.stream));
    if (n && bins) launch(countKernel, blocksFor(n), kBlock, 0, on.stream, target.data<int64_t>(), from, n, bins);
    return target.finish();
  }
  const SortedRows sorted(bin, {n ? 1 : 0, n, 1}, false, on.stream, on.index);
  Target target(TH_Double, r);
  if (bins)
    launch(weighKernel, blocksFor(bins, kBlock / kBinThreads), kBlock, 0, on.stream, target.data<double>(),
           sorted.keys().wide, sorted.positions(), thc::elements<const double>(weights), n, bins, uint64_t(1) << 63);
  target.finish();
}

// An element that a kernel gives, as int64.
int64_t extremeOf(decltype(THCudaLongTensor_amin) *kernel, const THTensor *t, const OnDevice &on) {
  const Ref end(THTensor_newWithSizeOn(t->storage->device, TH_Long, 0, nullptr));
  kernel(end, t, TH_ALL_DIMS, false);
  return readBack(thc::elements<const int64_t>(end), on.stream, on.index);
}

void bincount(THDtype dtype, THTensor *r, const THTensor *t, const THTensor *weights, int64_t minlength) {
  requireOneDevice({r}, {t, weights});
  THPrepare_bincount(dtype, r, t, weights, minlength);
  const OnDevice on(r);
  const Ref numbers = contiguousApart(r, TH_Long, t);
  int64_t bins = minlength;
  if (t->numel) {
    if (extremeOf(THCudaLongTensor_amin, numbers, on) < 0) THError(TH_ERROR_RUNTIME, TH_NEGATIVE_COUNT);
    const int64_t greatest = extremeOf(THCudaLongTensor_amax, numbers, on);
    if (greatest == std::numeric_limits<int64_t>::max())
      THError(TH_ERROR_RUNTIME, "bincount: %lld is too large to be counted", (long long)greatest);
    bins = std::max(bins, greatest + 1);
  }
  THResult shape;
  THPrepare_bincountResult(&shape, r, t, weights, bins);
  const Ref each = weights ? contiguousApart(r, TH_Double, weights) : Ref();
  THResult_resize(&shape, 1);
  count(r, numbers, each, bins, on);
}

// ---- bins between edges -------------------------------------------------------------------------------------
template <class C>
__device__ int64_t edgesUpTo(const C *edge, int64_t from, int64_t to, C x) {  // of edges [from, to), the first above x
  while (from < to) {
    const int64_t middle = from + (to - from) / 2;
    if (x < edge[middle])
      to = middle;
    else
      from = middle + 1;
  }
  return from;
}

template <class T, class C>
__global__ void __launch_bounds__(kBlock)
    binsKernel(int64_t *bin, const T *x, const C *edge, int64_t n, int64_t bins, bool uniform, bool exact) {
  const C low = edge[0], high = edge[bins];
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const C v = th::convertTo<C>(x[i]);
    int64_t found = bins;
    if (v >= low && v <= high) {
      // No number where both ends are one, or too far apart.
      const C place = uniform ? (v - low) * C(bins) / (high - low) : std::numeric_limits<C>::quiet_NaN();
      const bool placed = place >= 0 && place <= C(bins);
      found = placed ? int64_t(place) : bins;
      if (placed && found > bins) found = bins;
      if (!placed)
        found = edgesUpTo(edge, 0, bins + 1, v) - 1;
      else if (exact)  // rounding may be off by one bin
        found = edgesUpTo(edge, found > 1 ? found - 1 : 0, found + 2 < bins + 1 ? found + 2 : bins + 1, v) - 1;
      found = found < 0 ? 0 : found > bins - 1 ? bins - 1 : found;
    }
    bin[i] = found;
  }
}

template <class T>
void histogram(THTensor *r, const THTensor *t, const THTensor *weights, const THTensor *edges, bool uniform,
               bool exact) {
  requireOneDevice({r}, {t, weights, edges});
  using C = Compute<T>;
  THResult shape;
  THPrepare_histogram(&shape, r, t, weights, edges);
  const OnDevice on(r);
  const int64_t bins = edges->numel - 1, n = t->numel;
  const Ref input = contiguousApart(r, th::DtypeOf<T>::value, t),
            boundaries = contiguousApart(r, th::DtypeOf<C>::value, edges),
            each = weights ? contiguousApart(r, TH_Double, weights) : Ref(),
            bin(THTensor_newWithSizeOn(r->storage->device, TH_Long, 1, &n));
  if (n && bins)
    launch(binsKernel<T, C>, blocksFor(n), kBlock, 0, on.stream, thc::elements<int64_t>(bin),
           thc::elements<const T>(input), thc::elements<const C>(boundaries), n, bins, uniform, exact);
  THResult_resize(&shape, 1);
  count(r, bin, each, bins, on);
}

// Kernels of the same dtype.
struct Ends {
  decltype(THCudaTensor_amin) *least, *greatest;
};

double endOf(decltype(THCudaTensor_amin) *kernel, const THTensor *t, const OnDevice &on) {
  const Ref end(THTensor_newWithSizeOn(t->storage->device, TH_Double, 0, nullptr));
  kernel(end, t, TH_ALL_DIMS, false);
  return readBack(thc::elements<const double>(end), on.stream, on.index);
}

template <class T>
void histc(THTensor *r, const THTensor *t, int64_t bins, double low, double high, const Ends &ends) {
  requireOneDevice({r}, {t});
  using C = Compute<T>;
  THResult shape;
  THPrepare_histc(&shape, th::DtypeOf<T>::value, r, t, bins, low, high);
  const OnDevice on(r);
  if (low == high && t->numel) {
    low = endOf(ends.least, t, on);
    high = endOf(ends.greatest, t, on);
  }
  if (low == high) low -= 1, high += 1;
  if (!std::isfinite(low) || !std::isfinite(high))
    THError(TH_ERROR_RUNTIME, "torch.histc: range of [%g, %g] is not finite", low, high);
  // The edges are the CPU's.
  const Ref computed(THTensor_new(th::DtypeOf<C>::value));
  (std::is_same_v<C, double> ? THDoubleTensor_linspace : THFloatTensor_linspace)(computed, th::scalar(low),
                                                                                 th::scalar(high), bins + 1);
  const Ref edges(th::newLike(r, th::DtypeOf<C>::value, 1, computed->size));
  THCTensor_copy(edges, computed);
  histogram<T>(r, t, nullptr, edges, true, false);
}

}  // namespace
}  // namespace thc

THC_DEFINE(bincount, integral, (THTensor *r, const THTensor *t, const THTensor *weights, int64_t minlength),
           thc::bincount(dtype, r, t, weights, minlength))
THC_DEFINE(histogram, floating,
           (THTensor *r, const THTensor *t, const THTensor *weights, const THTensor *edges, bool uniform, bool exact),
           thc::histogram<T>(r, t, weights, edges, uniform, exact))
#define THC_HISTC(Name, ...)                                                                                    \
  void THC_TENSOR(Name, histc)(THTensor *r, const THTensor *t, int64_t bins, double low, double high) {         \
    const thc::Operator named("histc");                                                                         \
    thc::histc<th::Element<TH_##Name>>(r, t, bins, low, high, {THC_TENSOR(Name, amin), THC_TENSOR(Name, amax)}); \
  }
TH_FOR_floating(THC_HISTC, )
