// The generator: a seed and the number of the next block of its Philox stream, or a Mersenne Twister.
#include "generator.hpp"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <sys/random.h>

#include "philox.hpp"

namespace th {

uint64_t takeBlocks(THGenerator *generator, uint64_t n) {
  return generator->offset.fetch_add(n, std::memory_order_relaxed);
}

namespace {

constexpr const char *kKinds[] = {"philox", "mt19937"};

struct PhiloxState {
  uint64_t seed, offset;
};

THRandomKind kindOfEnvironment() {
  const char *const name = std::getenv("TORCH_CPU_RNG");
  if (!name || !*name) return TH_PHILOX;
  for (const THRandomKind kind : {TH_PHILOX, TH_MT19937})
    if (!std::strcmp(name, kKinds[kind])) return kind;
  THError(TH_ERROR_VALUE, "TORCH_CPU_RNG in the environment must be philox or mt19937, but is '%s'", name);
}

std::atomic<THRandomKind> &defaultKind() {
  static std::atomic<THRandomKind> kind{kindOfEnvironment()};
  return kind;
}

// Of a generator that no other thread makes one of this kind.
Mersenne &twisterOf(THGenerator *self) {
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  if (!self->kept) {
    self->kept = std::make_unique<Mersenne>();
    self->kept->seed(self->seed);
  }
  return *self->kept;
}

void seedPhilox(THGenerator *self, uint64_t seed, uint64_t offset) {
  self->seed = seed;
  self->offset = offset;
  self->twister = nullptr;
}

THGenerator *made(THDevice device) {
  auto self = std::make_unique<THGenerator>();
  self->device = device;
  THGenerator_manualSeed(self.get(), self->seed);
  return self.release();
}

}  // namespace
}  // namespace th

using th::Mersenne, th::MersenneState;

THGenerator *THGenerator_new(void) { return th::made({}); }
THGenerator *THGenerator_newOn(THDevice device) { return th::made(device); }
void THGenerator_free(THGenerator *self) { delete self; }

THGenerator *THGenerator_default(void) {
  static THGenerator *const generator = THGenerator_new();
  return generator;
}

THDevice THGenerator_device(const THGenerator *self) { return self->device; }

THRandomKind THGenerator_defaultKind(void) { return th::defaultKind(); }
void THGenerator_setDefaultKind(THRandomKind kind) {
  if (th::defaultKind().exchange(kind) == kind) return;
  THGenerator *const generator = THGenerator_default();
  THGenerator_manualSeed(generator, generator->seed);
}
THRandomKind THGenerator_kind(const THGenerator *self) { return self->twister.load() ? TH_MT19937 : TH_PHILOX; }

void THGenerator_manualSeed(THGenerator *self, uint64_t seed) {
  if (self->device.kind != TH_CPU || THGenerator_defaultKind() == TH_PHILOX) return th::seedPhilox(self, seed, 0);
  Mersenne &twister = th::twisterOf(self);
  const std::lock_guard lock(twister.mutex);
  twister.seed(seed);
  self->seed = seed;
  self->twister = &twister;
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
  if (Mersenne *const twister = self->twister) {
    const std::lock_guard lock(twister->mutex);
    return twister->word64();
  }
  const th::PhiloxBlock block = th::philoxBlock(self->seed, th::takeBlocks(self, 1));
  return block[0] | uint64_t(block[1]) << 32;
}

// ---- states ----------------------------------------------------------------------------------------------

int64_t THGenerator_getState(const THGenerator *self, void *state, int64_t size) {
  if (Mersenne *const twister = self->twister) {
    const std::lock_guard lock(twister->mutex);
    const MersenneState found = twister->state();
    if (size >= int64_t(sizeof found)) std::memcpy(state, &found, sizeof found);
    return sizeof found;
  }
  const th::PhiloxState found{self->seed, self->offset};
  if (size >= int64_t(sizeof found)) std::memcpy(state, &found, sizeof found);
  return sizeof found;
}

void THGenerator_setState(THGenerator *self, const void *state, int64_t size) {
  const bool onCpu = self->device.kind == TH_CPU;
  if (size == sizeof(th::PhiloxState)) {
    th::PhiloxState found;
    std::memcpy(&found, state, sizeof found);
    return th::seedPhilox(self, found.seed, found.offset);
  }
  if (!onCpu || size != sizeof(MersenneState))
    THError(TH_ERROR_RUNTIME,
            "RNG state is wrong size: expected %zu bytes%s, as get_state() returns them, but got %lld",
            sizeof(th::PhiloxState), onCpu ? " or 5056" : "", (long long)size);
  MersenneState found;
  std::memcpy(&found, state, sizeof found);
  Mersenne &twister = th::twisterOf(self);
  const std::lock_guard lock(twister.mutex);
  if (!twister.setState(found))
    THError(TH_ERROR_RUNTIME,
            "Invalid mt19937 state: seeded=%d, left=%d, next=%llu; a generator's has seeded=1, left from 1 to 624 and "
            "next up to 625 - left",
            found.seeded, found.left, (unsigned long long)found.next);
  self->seed = found.seed;
  self->twister = &twister;
}
