// The state behind THGenerator.
#pragma once

#include <atomic>
#include <TH/THRandom.h>

// Atomic, so that two threads that draw from the default generator get different numbers.
struct THGenerator {
  std::atomic<uint64_t> seed{67280421310721};
  std::atomic<uint64_t> offset{0};
  THDevice device{};
};

namespace th {

// Reserves n blocks of the stream; returns the number of the first.
uint64_t takeBlocks(THGenerator *generator, uint64_t n);

}  // namespace th
