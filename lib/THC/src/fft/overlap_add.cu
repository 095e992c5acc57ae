// Pieces of signals, added up where they overlap: each element of the result takes its pieces in their order, as on the CPU.
#include <THC/THCTensorFft.h>
#include <TH/THPrepare.h>

#include "kit/define.cuh"
#include "kit/launch.cuh"
#include "kit/numbers.cuh"
#include "kit/operands.hpp"

namespace thc {
namespace {

struct Pieces {
  int64_t count = 0, length = 0, hop = 0;
  int64_t stride[3] = {};  // from signal to signal, piece to piece, element to element
};

template <class T>
__global__ void __launch_bounds__(kBlock)
    overlapAddKernel(T *r, int64_t signals, int64_t length, const T *t, Pieces pieces) {
  const int64_t n = signals * length, step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) {
    const int64_t signal = i / length, k = i - signal * length;
    const int64_t first = k < pieces.length ? 0 : (k - pieces.length) / pieces.hop + 1;
    T sum = T(0);
    for (int64_t piece = first; piece < pieces.count && piece * pieces.hop <= k; piece++)
      sum = sum + t[signal * pieces.stride[0] + piece * pieces.stride[1] + (k - piece * pieces.hop) * pieces.stride[2]];
    r[i] = sum;
  }
}

template <class T>
void overlapAdd(THTensor *r, const THTensor *t, int64_t hop) {
  requireOneDevice({r, t}, {});
  THResult shape;
  THPrepare_overlapAdd(&shape, th::DtypeOf<T>::value, r, t, hop);
  const OnDevice on(r);
  THResult_resize(&shape, 1);
  if (!r->numel) return;
  Pieces pieces{t->size[1], t->size[2], hop, {t->stride[0], t->stride[1], t->stride[2]}};
  Target target(th::DtypeOf<T>::value, r);
  launch(overlapAddKernel<T>, blocksFor(r->numel), kBlock, 0, on.stream, target.data<T>(), shape.size[0], shape.size[1],
         thc::elements<const T>(t), pieces);
  target.finish();
}

}  // namespace
}  // namespace thc

THC_DEFINE(overlapAdd, lapack, (THTensor *r, const THTensor *t, int64_t hop), thc::overlapAdd<T>(r, t, hop))
