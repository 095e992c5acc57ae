// Streams: each thread's current ones, and the pools from which they come.
#include "state.hpp"

#include <algorithm>
#include <atomic>
#include <mutex>

namespace {

constexpr int kPoolSize = 32;
constexpr int kPriorities = 8;  // from 0, the least, to -7; devices have fewer

struct Pool {
  std::atomic<uint32_t> next{0};
  std::once_flag made[kPoolSize];
  cudaStream_t streams[kPoolSize];
};

Pool &poolOf(int device, int priority) {
  static Pool(*const pools)[kPriorities] = new Pool[thc::kMaxDevices][kPriorities];
  return pools[device][-priority];
}

thread_local cudaStream_t current[thc::kMaxDevices];

}  // namespace

bool thc::isReady(cudaError_t answer, const char *function) {
  if (answer == cudaSuccess) return true;
  if (answer != cudaErrorNotReady) THC_raiseError(answer, "a query", function);
  (void)cudaGetLastError();
  return false;
}

THCStream THC_currentStream(int device) {
  // Who asks for the current device's stream is about to use it, perhaps with functions of the runtime's own.
  if (device == -1) thc::settleDevice();
  return current[thc::checkDevice(device)];
}

void THC_setCurrentStream(int device, THCStream stream) { current[thc::checkDevice(device)] = stream; }

THCStream THC_streamFromPool(int device, int priority) {
  device = thc::checkDevice(device);
  const thc::DeviceGuard guard(device);
  int least = 0, greatest = 0;
  THC_streamPriorityRange(&least, &greatest);
  priority = std::clamp(priority, std::max(greatest, 1 - kPriorities), 0);
  Pool &pool = poolOf(device, priority);
  const uint32_t i = pool.next.fetch_add(1, std::memory_order_relaxed) % kPoolSize;
  std::call_once(pool.made[i],
                 [&] { THC_CHECK(cudaStreamCreateWithPriority(&pool.streams[i], cudaStreamNonBlocking, priority)); });
  return pool.streams[i];
}

int THC_streamPriority(THCStream stream, int device) {
  const thc::DeviceGuard guard(device);
  int priority = 0;
  THC_CHECK(cudaStreamGetPriority(stream, &priority));
  return priority;
}

void THC_streamPriorityRange(int *least, int *greatest) {
  thc::checkDevice(-1);
  THC_CHECK(cudaDeviceGetStreamPriorityRange(least, greatest));
}

bool THC_streamQuery(THCStream stream, int device) {
  const thc::DeviceGuard guard(device);
  return thc::isReady(cudaStreamQuery(stream), __func__);
}

void THC_streamSynchronize(THCStream stream, int device) {
  device = thc::checkDevice(device);
  const thc::DeviceGuard guard(device);
  THC_CHECK(cudaStreamSynchronize(stream));
  THC_checkFailure(device);
}

void THC_synchronize(int device) {
  device = thc::checkDevice(device);
  const thc::DeviceGuard guard(device);
  THC_CHECK(cudaDeviceSynchronize());
  THC_checkFailure(device);
}
