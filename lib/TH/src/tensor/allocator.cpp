// The table of allocators, and the rows of the CPU and of the device that has no memory.
#include <atomic>
#include <cstring>
#include <TH/THGeneral.h>

namespace {

void *allocCPU(void *, THDevice, size_t nbytes) { return TH_alloc(nbytes); }
void freeCPU(void *, THDevice, void *data, size_t nbytes) { TH_free(data, nbytes); }
void copyCPU(void *, THDevice, void *to, const void *from, size_t nbytes) { std::memcpy(to, from, nbytes); }
constexpr THAllocator cpu = {allocCPU, freeCPU, copyCPU, nullptr, nullptr};

void *allocNothing(void *, THDevice, size_t) { return nullptr; }
void freeNothing(void *, THDevice, void *, size_t) {}
void copyNothing(void *, THDevice, void *, const void *, size_t) {}
constexpr THAllocator nothing = {allocNothing, freeNothing, copyNothing, nullptr, nullptr};

constinit std::atomic<const THAllocator *> table[TH_NUM_DEVICE_KINDS] = {&cpu, &nothing, nullptr};
static_assert(TH_CPU == 0 && TH_Meta == 1);

}  // namespace

const THAllocator *TH_setAllocator(THDeviceKind kind, const THAllocator *allocator) {
  return table[kind].exchange(allocator, std::memory_order_acq_rel);
}

const THAllocator *TH_allocator(THDeviceKind kind) {
  const THAllocator *allocator = table[kind].load(std::memory_order_acquire);
  if (!allocator) [[unlikely]]
    THError(TH_ERROR_RUNTIME, "no allocator is registered for device '%s': its backend is not loaded",
            TH_deviceName(kind));
  return allocator;
}
