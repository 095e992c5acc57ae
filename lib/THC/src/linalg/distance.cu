// Distances of the rows of two matrices: a warp for each, whose lanes take the elements in turn.
#include <THC/THCTensorLapack.h>
#include <TH/THPrepare.h>

#include <algorithm>
#include <cmath>

#include "kit/define.cuh"
#include "kit/launch.cuh"
#include "kit/numbers.cuh"
#include "kit/operands.hpp"

namespace thc {
namespace {

enum class Norm { differences, absolute, square, largest, power };

template <Norm norm, class T>
__device__ __forceinline__ T term(T difference, T p) {
  if constexpr (norm == Norm::differences)
    return difference == difference ? T(difference != 0) : difference;
  else if constexpr (norm == Norm::square)
    return difference * difference;
  else if constexpr (norm == Norm::power)
    return std::pow(std::fabs(difference), p);
  else
    return std::fabs(difference);
}
template <Norm norm, class T>
__device__ __forceinline__ T joined(T a, T b) {
  if constexpr (norm == Norm::largest)
    return b > a ? b : a;  // passes over NaN, as on the CPU
  else
    return a + b;
}

struct Rows {
  int64_t left, right, n;  // rows of a matrix of each side, and their elements
};

// r[batch, i, j] of rows i of a and j of b, of which all are contiguous.
template <Norm norm, class T>
__global__ void __launch_bounds__(kBlock) distanceKernel(T *r, const T *a, const T *b, int64_t count, Rows rows, T p) {
  constexpr int warps = kBlock / kWarp;
  const int lane = int(threadIdx.x) % kWarp, warp = int(threadIdx.x) / kWarp;
  for (int64_t first = int64_t(blockIdx.x) * warps; first < count; first += int64_t(gridDim.x) * warps) {
    const int64_t i = first + warp;
    T sum = 0;
    if (i < count) {
      const int64_t row = i / rows.right, batch = row / rows.left;
      const T *const x = a + row * rows.n, *const y = b + (batch * rows.right + i % rows.right) * rows.n;
      for (int64_t k = lane; k < rows.n; k += kWarp) sum = joined<norm>(sum, term<norm>(x[k] - y[k], p));
    }
    for (int apart = kWarp / 2; apart; apart /= 2) sum = joined<norm>(sum, __shfl_xor_sync(kFullWarp, sum, apart));
    if (lane || i >= count) continue;
    if constexpr (norm == Norm::square) sum = std::sqrt(sum);
    if constexpr (norm == Norm::power) sum = std::pow(sum, 1 / p);
    r[i] = sum;
  }
}

template <class T>
void cdist(THTensor *r, const THTensor *a, const THTensor *b, double p) {
  requireOneDevice({r, a, b}, {});
  if (!THPrepare_cdist(th::DtypeOf<T>::value, r, a, b)) return;
  const OnDevice on(r);
  const Rows rows{a->size[a->ndim - 2], b->size[b->ndim - 2], a->size[a->ndim - 1]};
  const auto kernel = p == 0          ? distanceKernel<Norm::differences, T>
                      : p == 1        ? distanceKernel<Norm::absolute, T>
                      : p == 2        ? distanceKernel<Norm::square, T>
                      : std::isinf(p) ? distanceKernel<Norm::largest, T>
                                      : distanceKernel<Norm::power, T>;
  launch(kernel, blocksFor(r->numel, kBlock / kWarp), kBlock, 0, on.stream, thc::elements<T>(r),
         thc::elements<const T>(a), thc::elements<const T>(b), r->numel, rows, T(p));
}

}  // namespace
}  // namespace thc

THC_DEFINE(cdist, float_double, (THTensor *r, const THTensor *a, const THTensor *b, double p),
           thc::cdist<T>(r, a, b, p))
