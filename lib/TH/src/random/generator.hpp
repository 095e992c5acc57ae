// The state behind THGenerator.
#pragma once

#include <atomic>
#include <memory>
#include <TH/THRandom.h>

#include "mersenne.hpp"

// Atomic, so that two threads that draw from the default generator get different numbers.
struct THGenerator {
  std::atomic<uint64_t> seed{67280421310721};
  std::atomic<uint64_t> offset{0};
  THDevice device{};
  // Of one that draws from the twister; null: from Philox. What it points to stays as long as the generator, for a thread
  // may be drawing while another makes this a generator of the other kind.
  std::atomic<th::Mersenne *> twister{nullptr};
  std::unique_ptr<th::Mersenne> kept;
};

namespace th {

// Reserves n blocks of the stream; returns the number of the first.
uint64_t takeBlocks(THGenerator *generator, uint64_t n);

}  // namespace th
