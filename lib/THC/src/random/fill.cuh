// Fills from the stream of a generator: element i takes the words that it takes on the CPU, so it is the same number.
#pragma once

#include <algorithm>

#include <THC/THCTensorRandom.h>
#include "kit/define.cuh"
#include "random/draws.hpp"
#include "kit/launch.cuh"
#include "kit/numbers.cuh"
#include "kit/operands.hpp"

namespace thc {

// Words that a number of dtype T is made of.
template <class T>
constexpr int kWords = std::is_same_v<T, double> ? 2 : 1;

// A thread turns one block of words into 4 or 2 elements: convert(out, words, index of the first in the stream).
template <class T, int wordsPerElement, class Convert>
__global__ void __launch_bounds__(kBlock)
    fillKernel(T *out, int64_t n, uint64_t seed, uint64_t offset, Convert convert) {
  constexpr int perBlock = 4 / wordsPerElement;
  const int64_t blocks = (n + perBlock - 1) / perBlock, step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t b = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; b < blocks; b += step) {
    const uint64_t block = offset + uint64_t(b);
    const th::PhiloxBlock words = th::philoxBlock(seed, block);
    T made[perBlock];
    convert(made, words, block * perBlock);
    for (int k = 0; k < perBlock && b * perBlock + k < n; k++) out[b * perBlock + k] = made[k];
  }
}

// Fills self, once it is prepared.
template <class T, int wordsPerElement, class Convert>
void fill(THTensor *self, THGenerator *generator, const Convert &convert) {
  using Stored = th::Stored<T>;
  requireOneDevice({self}, {});
  const OnDevice on(self);
  Target target(th::DtypeOf<T>::value, self);
  constexpr int64_t perBlock = 4 / wordsPerElement;
  const int64_t blocks = (self->numel + perBlock - 1) / perBlock;
  const uint64_t offset = THGenerator_reserve(generator, uint64_t(blocks));
  launch(fillKernel<Stored, wordsPerElement, Convert>, blocksFor(blocks), kBlock, 0, on.stream, target.data<Stored>(),
         self->numel, THGenerator_initialSeed(generator), offset, convert);
  target.finish();
}

__device__ inline uint64_t wideWord(const th::PhiloxBlock &words, int i) {
  return words[size_t(2 * i)] | uint64_t(words[size_t(2 * i + 1)]) << 32;
}

}  // namespace thc
