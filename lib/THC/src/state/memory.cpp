// Memory of devices, as others see it: the functions of THCGeneral.h, and TH's row for storages on CUDA.
#include <atomic>
#include <cstdio>
#include <exception>

#include <THC/THCTensorCopy.h>

#include "cache.hpp"

namespace {

std::atomic<thc::Cache *> caches[thc::kMaxDevices];

// Calls f with each cache there is, until it returns true.
template <class F> bool anyCache(F f) {
  for (int device = 0; device < THC_deviceCount(); device++)
    if (thc::Cache *cache = caches[device].load(std::memory_order_acquire); cache && f(*cache)) return true;
  return false;
}

void *allocStorage(void *, THDevice device, size_t nbytes) {
  return THC_malloc(nbytes, THC_currentStream(device.index), device.index);
}

void freeStorage(void *, THDevice device, void *data, size_t) try {
  if (!thc::isForked()) thc::cacheOf(device.index).free(data);
} catch (const std::exception &error) {
  thc::keepError(TH_ERROR_RUNTIME, error.what());
}

void copyStorage(void *, THDevice device, void *to, const void *from, size_t nbytes) {
  const thc::DeviceGuard guard(device.index);
  const THCStream stream = THC_currentStream(device.index);
  THC_CHECK(cudaMemcpyAsync(to, from, nbytes, cudaMemcpyDeviceToDevice, stream));
  THC_recordStream(from, stream, device.index);  // freed next, perhaps into the hands of another stream
}

constexpr THAllocator row = {allocStorage, freeStorage, copyStorage, nullptr, THCTensor_copy};

}  // namespace

thc::Cache &thc::cacheOf(int device) {
  Cache *cache = caches[device].load(std::memory_order_acquire);
  if (cache) [[likely]]
    return *cache;
  auto *made = new Cache(device);
  if (caches[device].compare_exchange_strong(cache, made)) return *made;
  delete made;
  return *cache;
}

std::string thc::formatSize(size_t nbytes) {
  if (nbytes <= 1024) return std::to_string(nbytes) + " bytes";
  constexpr const char *units[] = {"KiB", "MiB", "GiB"};
  int unit = 0;
  double value = double(nbytes) / 1024;
  for (; value > 1024 && unit < 2; unit++) value /= 1024;
  char text[64];
  std::snprintf(text, sizeof text, "%.2f %s", value, units[unit]);
  return text;
}

void THC_init(void) {
  thc::checkDevice(-1);
  thc::memoryConfig();
  TH_setAllocator(TH_CUDA, &row);
}

void *THC_malloc(size_t nbytes, THCStream stream, int device) {
  device = thc::checkDevice(device);
  thc::raiseKept();
  return nbytes ? thc::cacheOf(device).allocate(nbytes, stream) : nullptr;
}

void THC_free(void *data) try {
  if (!data || thc::isForked()) return;
  if (anyCache([=](thc::Cache &cache) { return cache.free(data); })) return;
  char text[128];
  std::snprintf(text, sizeof text, "%p is no block of a device's memory, or has been freed", data);
  thc::keepError(TH_ERROR_RUNTIME, text);
} catch (const std::exception &error) {
  thc::keepError(TH_ERROR_RUNTIME, error.what());
}

void THC_recordStream(const void *data, THCStream stream, int device) {
  if (!data) return;
  const thc::Use use{thc::checkDevice(device), stream};
  anyCache([=](thc::Cache &cache) {
    cache.recordStream(data, use);
    return false;
  });
}

int THC_pointerDevice(const void *data) {
  thc::checkDevice(-1);
  cudaPointerAttributes attributes{};
  THC_CHECK(cudaPointerGetAttributes(&attributes, data));
  if (attributes.type == cudaMemoryTypeUnregistered)
    THError(TH_ERROR_RUNTIME, "%p is the host's, and not registered with any CUDA device", data);
  return attributes.device;
}

void THC_emptyCache(void) {
  anyCache([](thc::Cache &cache) {
    cache.empty();
    return false;
  });
}

void THC_memoryInfo(int device, size_t *free, size_t *total) {
  const thc::DeviceGuard guard(device);
  THC_CHECK(cudaMemGetInfo(free, total));
}

void THC_setMemoryFraction(int device, double fraction) {
  thc::cacheOf(thc::checkDevice(device)).setFraction(fraction);
}

void THC_resetPeakMemory(int device) { thc::cacheOf(thc::checkDevice(device)).resetPeak(); }

void THC_resetAccumulatedMemory(int device) { thc::cacheOf(thc::checkDevice(device)).resetAccumulated(); }

void THC_memoryStats(int device, THCMemoryStats *stats) { thc::cacheOf(thc::checkDevice(device)).stats(stats); }

void THC_visitMemory(void *context, THCSegmentVisitor segment, THCBlockVisitor block) {
  anyCache([=](thc::Cache &cache) {
    cache.visit(context, segment, block);
    return false;
  });
}
