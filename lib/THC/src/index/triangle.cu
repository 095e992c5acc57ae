// By position: triangles of matrices, diagonals, reversed dimensions.
#include <THC/THCTensorIndex.h>
#include <TH/THPrepare.h>

#include "index/byindex.hpp"
#include "kit/failure.cuh"
#include "kit/launch.cuh"
#include "kit/numbers.cuh"
#include "kit/words.cuh"

namespace thc {
namespace {

// Operands: r, t, and the column less the row, which is an address from 0 on.
template <class Word>
__global__ void __launch_bounds__(kBlock) triangleKernel(Walk<3> walk, int64_t k, bool lower) {
  const uint32_t step = gridDim.x * blockDim.x;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < walk.count; i += step) {
    char *at[3];
    walk.addresses(i, at);
    const auto diagonal = reinterpret_cast<int64_t>(at[2]);
    const bool keeps = lower ? diagonal <= k : diagonal >= k;
    *reinterpret_cast<Word *>(at[0]) = keeps ? *reinterpret_cast<const Word *>(at[1]) : Word();
  }
}

void triangle(THTensor *r, const THTensor *t, int64_t k, bool lower) {
  requireOneDevice({r, t}, {});
  THResult result;
  THPrepare_triangle(&result, r, t, lower);
  if (result.tensor) THResult_resize(&result, 1);
  if (!t->numel) return;
  const OnDevice on(r);
  const int64_t bytes = th::elementSize(th::dtypeOf(t));
  int64_t size[TH_MAX_DIM], stride[3][TH_MAX_DIM];
  char *data[] = {dataOf(r, on), dataOf(t, on), nullptr};
  for (int d = 0; d < t->ndim; d++) {
    size[d] = t->size[d];
    stride[0][d] = r->stride[d] * bytes;
    stride[1][d] = t->stride[d] * bytes;
    stride[2][d] = d == t->ndim - 1 ? 1 : d == t->ndim - 2 ? -1 : 0;
    if (stride[0][d] != 0 || size[d] == 1) continue;
    for (int j = 0; j < 3; j++) data[j] += (size[d] - 1) * stride[j][d];  // of an expanded result the last one stays
    size[d] = 1;
  }
  const int64_t *const strides[] = {stride[0], stride[1], stride[2]};
  const THPointwisePlan plan = boxPlan(3, t->ndim, size, strides);
  withWord(bytes, addressBits(data[0], data[1]), [&](auto word) {
    forWalks<3>(plan, data, [&](const Walk<3> &walk) {
      launch(triangleKernel<decltype(word)>, blocksFor(walk.count), kBlock, 0, on.stream, walk, k, lower);
    });
  });
}

}  // namespace
}  // namespace thc

using namespace thc;

void THCTensor_tril(THTensor *r, const THTensor *t, int64_t k) {
  const Operator named("tril");
  triangle(r, t, k, true);
}
void THCTensor_triu(THTensor *r, const THTensor *t, int64_t k) {
  const Operator named("triu");
  triangle(r, t, k, false);
}

void THCTensor_diag(THTensor *r, const THTensor *t, int64_t k) {
  const Operator named("diag");
  requireOneDevice({r, t}, {});
  THResult result;
  THPrepare_diag(&result, r, t, k);
  THResult_resize(&result, 1);
  if (t->ndim == 2) return THCTensor_copy(r, Ref(THTensor_newDiagonal(const_cast<THTensor *>(t), k, 0, 1)));
  THCTensor_zero(r);
  THCTensor_copy(Ref(THTensor_newDiagonal(r, k, 0, 1)), t);
}

void THCTensor_flip(THTensor *r, const THTensor *t, uint64_t dims) {
  const Operator named("flip");
  requireOneDevice({r, t}, {});
  THPointwisePlan plan;
  int64_t first;
  if (!THPrepare_flip(&plan, &first, r, t, dims)) return;
  const OnDevice on(r);
  char *const data[] = {dataOf(r, on), dataOf(t, on) + first * th::elementSize(th::dtypeOf(t))};
  moveWords(plan, data, th::elementSize(th::dtypeOf(t)), on.stream);
}
