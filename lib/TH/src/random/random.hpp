// Filling tensors from the stream of a generator.
#pragma once

#include <algorithm>
#include <cstring>
#include <limits>

#include "kit/define.hpp"
#include "deviates.hpp"
#include "generator.hpp"
#include "draws.hpp"
#include "kit/parallel.hpp"
#include "kit/result.hpp"
#include "kit/scalar.hpp"
#include "kit/tensor.hpp"
#include "mersenne_fill.hpp"

namespace th {

constexpr int64_t kChunkBlocks = 256;
constexpr int64_t kChunkWords = 4 * kChunkBlocks;

// Calls convert(out, words, count, first element) for chunks of self's elements, once it is prepared. `wordsPerElement`
// divides 4, and count is even but for the last chunk's rounding up.
template <class T, class Convert>
void fill(THTensor *self, THGenerator *generator, int wordsPerElement, const Convert &convert) {
  requireMemory(self);  // before the generator moves on
  ContiguousResult result(self);
  const int64_t n = self->numel;
  const int64_t perBlock = 4 / wordsPerElement, perChunk = kChunkBlocks * perBlock;
  const uint64_t seed = generator->seed;
  const uint64_t offset = takeBlocks(generator, uint64_t((n + perBlock - 1) / perBlock));
  T *const data = result.data<T>();
  parallelFor((n + perChunk - 1) / perChunk, 8, [&](int64_t begin, int64_t end) {
    alignas(64) uint32_t words[kChunkWords];
    alignas(64) T rest[kChunkWords];
    for (int64_t chunk = begin; chunk < end; chunk++) {
      const int64_t first = chunk * perChunk, count = std::min(perChunk, n - first);
      const int64_t blocks = (count + perBlock - 1) / perBlock;
      philoxWords(words, seed, offset + uint64_t(chunk * kChunkBlocks), (blocks + 3) / 4 * 4);
      if (count % perBlock == 0) {
        convert(data + first, words, count, offset * uint64_t(perBlock) + uint64_t(first));
      } else {
        convert(rest, words, blocks * perBlock, offset * uint64_t(perBlock) + uint64_t(first));
        std::memcpy(data + first, rest, size_t(count) * sizeof(T));
      }
    }
  });
  result.finish();
}

inline void standardNormal(float *z, const uint32_t *words, int64_t n) { deviateLoops().normal32(z, words, n); }
inline void standardNormal(double *z, const uint32_t *words, int64_t n) { deviateLoops().normal64(z, words, n); }

}  // namespace th
