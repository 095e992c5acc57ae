// Elements as words: for kernels that move them and do not look at them.
#pragma once

#include "kit/launch.cuh"
#include "kit/scalar.hpp"
#include "kit/walk.cuh"

namespace thc {

// A complex number in memory that is aligned as its parts are, no more: memory of others may be. th::Wide is one of double.
template <class Part>
struct Parts {
  Part low, high;
};

// Calls body(Word()) with the word that elements of `size` bytes are. `addresses`: theirs, by bitwise or; strides are
// multiples of the size.
template <class Body>
void withWord(int64_t size, uintptr_t addresses, const Body &body) {
  switch (size) {
    case 1: return body(uint8_t());
    case 2: return body(uint16_t());
    case 4: return addresses % 4 ? body(Parts<uint16_t>()) : body(uint32_t());
    case 8: return addresses % 8 ? body(Parts<uint32_t>()) : body(uint64_t());
    default: return body(th::Wide());
  }
}

template <class... Pointer>
uintptr_t addressBits(const Pointer *...data) {
  return (uintptr_t(0) | ... | reinterpret_cast<uintptr_t>(data));
}

struct alignas(16) WideWord {
  uint64_t low, high;
};
constexpr int64_t kWideWord = sizeof(WideWord);

// The same with neighbours along dimension 0 taken together, up to 16 bytes of them, where they are whole words for all
// operands: calls body(plan in such words, Word()).
template <int n, class Body>
void withWideWord(THPointwisePlan plan, char *const (&data)[n], int64_t size, const Body &body) {
  uintptr_t addresses = 0;
  for (char *at : data) addresses |= addressBits(at);
  const int64_t own = size;
  const auto fits = [&] {
    if (plan.shape[0] % 2 || addresses % uintptr_t(2 * size)) return false;
    for (int k = 0; k < n; k++) {
      if (plan.stride[0][k] != size) return false;
      for (int d = 1; d < plan.ndim; d++)
        if (plan.stride[d][k] % (2 * size)) return false;
    }
    return true;
  };
  for (; size < kWideWord && fits(); size *= 2) {
    plan.shape[0] /= 2;
    for (int k = 0; k < n; k++) plan.stride[0][k] = 2 * size;
  }
  if (size > own && size == kWideWord) return body(plan, WideWord());
  withWord(size, addresses, [&](auto word) { body(plan, word); });
}

// Several words of a thread are under way at the same time.
constexpr uint32_t kMovedAhead = 4;

template <class Word>
__global__ void __launch_bounds__(kBlock) moveKernel(Walk<2> walk) {
  const uint32_t step = gridDim.x * blockDim.x;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < walk.count; i += kMovedAhead * step) {
    Word word[kMovedAhead];
    char *to[kMovedAhead];
#pragma unroll
    for (uint32_t j = 0; j < kMovedAhead; j++) {
      char *at[2];
      if (i + j * step >= walk.count) break;
      walk.addresses(i + j * step, at);
      to[j] = at[0];
      word[j] = *reinterpret_cast<const Word *>(at[1]);
    }
#pragma unroll
    for (uint32_t j = 0; j < kMovedAhead; j++)
      if (i + j * step < walk.count) *reinterpret_cast<Word *>(to[j]) = word[j];
  }
}

// data[0] = data[1], elements of `size` bytes.
inline void moveWords(const THPointwisePlan &plan, char *const (&data)[2], int64_t size, cudaStream_t stream) {
  withWideWord(plan, data, size, [&](const THPointwisePlan &wide, auto word) {
    forWalks<2>(wide, data, [&](const Walk<2> &walk) {
      launch(moveKernel<decltype(word)>, blocksFor(walk.count, kBlock * int(kMovedAhead)), kBlock, 0, stream, walk);
    });
  });
}

}  // namespace thc
