// The generator: a seed and the number of the next block of its Philox stream.
#include "generator.hpp"

#include <cerrno>
#include <sys/random.h>

#include "philox.hpp"

namespace th {

uint64_t takeBlocks(THGenerator *generator, uint64_t n) {
  return generator->offset.fetch_add(n, std::memory_order_relaxed);
}

}  // namespace th

THGenerator *THGenerator_new(void) { return new THGenerator; }
THGenerator *THGenerator_newOn(THDevice device) { return new THGenerator{.device = device}; }
void THGenerator_free(THGenerator *self) { delete self; }

THGenerator *THGenerator_default(void) {
  static THGenerator generator;
  return &generator;
}

THDevice THGenerator_device(const THGenerator *self) { return self->device; }

void THGenerator_manualSeed(THGenerator *self, uint64_t seed) {
  self->seed = seed;
  self->offset = 0;
}

uint64_t THGenerator_seed(THGenerator *self) {
  uint64_t seed;
  while (getrandom(&seed, sizeof seed, 0) != sizeof seed)
    if (errno != EINTR) THError(TH_ERROR_RUNTIME, "the system gives no random numbers (getrandom: errno %d)", errno);
  THGenerator_manualSeed(self, seed);
  return seed;
}

uint64_t THGenerator_initialSeed(const THGenerator *self) { return self->seed; }
uint64_t THGenerator_offset(const THGenerator *self) { return self->offset; }
void THGenerator_setOffset(THGenerator *self, uint64_t offset) { self->offset = offset; }

uint64_t THGenerator_reserve(THGenerator *self, uint64_t n) { return th::takeBlocks(self, n); }

uint64_t THGenerator_random(THGenerator *self) {
  const th::PhiloxBlock block = th::philoxBlock(self->seed, th::takeBlocks(self, 1));
  return block[0] | uint64_t(block[1]) << 32;
}
