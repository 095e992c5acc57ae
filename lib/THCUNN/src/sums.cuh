// Sums of terms that are made of several tensors. Blocks add up in double what they take, a second kernel what the blocks
// have, and it hands the sums on; how many blocks there are follows from the number of terms alone, so that every run gives
// the same bits.
#pragma once

#include "kernel.cuh"

namespace thcunn {

constexpr int kMostSumBlocks = 1024;
constexpr int64_t kTermsPerThread = 8;  // at least, where there is more than one block

template <int n>
struct Sums {
  double of[n];
};

// In thread 0: the sum of what all threads of a block of kBlock have.
template <int n>
__device__ __forceinline__ void sumBlock(Sums<n> &sums) {
  THC_SHARED(Sums<n>, shared, kBlock / kWarp);
  const int thread = int(threadIdx.x);
#pragma unroll
  for (int k = 0; k < n; k++)
    for (int half = kWarp / 2; half; half /= 2) sums.of[k] += __shfl_down_sync(kFullWarp, sums.of[k], unsigned(half));
  if (thread % kWarp == 0) shared[thread / kWarp] = sums;
  __syncthreads();
  if (thread == 0)
    for (int warp = 1; warp < kBlock / kWarp; warp++)
#pragma unroll
      for (int k = 0; k < n; k++) sums.of[k] += shared[warp].of[k];
}

// term(i, sums) adds term i.
template <int n, class Term>
__global__ void __launch_bounds__(kBlock) sumTermsKernel(Term term, int64_t count, Sums<n> *ofBlock) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  Sums<n> sums{};
#pragma unroll 4
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step) term(i, sums.of);
  sumBlock(sums);
  if (threadIdx.x == 0) ofBlock[blockIdx.x] = sums;
}

template <int n, class Use>
__global__ void __launch_bounds__(kBlock) sumBlocksKernel(const Sums<n> *ofBlock, int blocks, Use use) {
  Sums<n> sums{};
  for (int b = int(threadIdx.x); b < blocks; b += kBlock)
#pragma unroll
    for (int k = 0; k < n; k++) sums.of[k] += ofBlock[b].of[k];
  sumBlock(sums);
  if (threadIdx.x == 0) use(sums.of);
}

// n sums of `count` terms. The terms are read by the time of finish(use), which hands the sums to use(sums) on the device:
// so the results may get their shapes in between.
template <int n>
class TermSums {
 public:
  template <class Term>
  TermSums(const OnDevice &on, int64_t count, const Term &term)
      : on_(on), blocks_(blocksOf(count)), memory_(size_t(blocks_) * sizeof(Sums<n>), on.index) {
    launch(sumTermsKernel<n, Term>, unsigned(blocks_), kBlock, 0, on.stream, term, count, memory_.as<Sums<n>>());
  }
  template <class Use>
  void finish(const Use &use) {
    launch(sumBlocksKernel<n, Use>, 1u, kBlock, 0, on_.stream, memory_.as<Sums<n>>(), blocks_, use);
  }

 private:
  static int blocksOf(int64_t count) {
    const int64_t blocks = (count + kBlock * kTermsPerThread - 1) / (kBlock * kTermsPerThread);
    return int(blocks < 1 ? 1 : blocks > kMostSumBlocks ? kMostSumBlocks : blocks);
  }
  const OnDevice &on_;
  int blocks_;
  Workspace memory_;
};

}  // namespace thcunn
