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

template <class Word>
__global__ void __launch_bounds__(kBlock) moveKernel(Walk<2> walk) {
  const uint32_t step = gridDim.x * blockDim.x;
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < walk.count; i += step) {
    char *at[2];
    walk.addresses(i, at);
    *reinterpret_cast<Word *>(at[0]) = *reinterpret_cast<const Word *>(at[1]);
  }
}

// data[0] = data[1], elements of `size` bytes.
inline void moveWords(const THPointwisePlan &plan, char *const (&data)[2], int64_t size, cudaStream_t stream) {
  withWord(size, addressBits(data[0], data[1]), [&](auto word) {
    forWalks<2>(plan, data, [&](const Walk<2> &walk) {
      launch(moveKernel<decltype(word)>, blocksFor(walk.count), kBlock, 0, stream, walk);
    });
  });
}

}  // namespace thc
