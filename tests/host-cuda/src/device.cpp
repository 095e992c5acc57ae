// Settings, devices, errors, versions.
#include <pthread.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <string>
#include <utility>

#include "runtime.hpp"

namespace hostcuda {
namespace {

std::atomic<bool> used{false}, forked{false};
thread_local cudaError_t lastError = cudaSuccess;
thread_local int threadDevice = 0;

size_t number(const char *name, size_t otherwise, size_t largest) {
  const char *text = std::getenv(name);
  if (!text || !*text) return otherwise;
  char *end;
  const unsigned long long value = std::strtoull(text, &end, 10);
  if (*end || value > largest || *text == '-') {
    std::fprintf(stderr, "host CUDA: %s=%s: a number up to %zu is expected\n", name, text, largest);
    std::exit(2);
  }
  return value;
}

Settings readSettings() {
  Settings s{};
  s.devices = int(number("HOST_CUDA_DEVICES", 2, maxDevices));
  s.capability = int(number("HOST_CUDA_CAPABILITY", 90, 999));
  s.memory = number("HOST_CUDA_MEMORY", size_t(1) << 30, size_t(1) << 36);
  s.randomOrder = std::getenv("HOST_CUDA_ORDER") != nullptr;
  s.seed = number("HOST_CUDA_ORDER", 0, SIZE_MAX);
  const std::string driver = std::getenv("HOST_CUDA_DRIVER") ? std::getenv("HOST_CUDA_DRIVER") : "";
  s.driverVersion = driver == "none" ? 0 : driver == "old" ? 12040 : CUDART_VERSION;
  const std::string protection = std::getenv("HOST_CUDA_PROTECTION") ? std::getenv("HOST_CUDA_PROTECTION") : "";
  s.mprotect = protection == "mprotect";
  if ((!driver.empty() && driver != "none" && driver != "old") || (!protection.empty() && protection != "mprotect")) {
    std::fprintf(stderr, "host CUDA: HOST_CUDA_DRIVER is none or old, HOST_CUDA_PROTECTION mprotect\n");
    std::exit(2);
  }
  return s;
}

cudaDeviceProp propertiesOf(int index) {
  cudaDeviceProp p{};
  std::snprintf(p.name, sizeof(p.name), "Host CUDA device");
  std::memcpy(p.uuid.bytes, "host-cuda-dev-0", 16);
  p.uuid.bytes[15] = char(index);
  p.totalGlobalMem = settings().memory;
  p.sharedMemPerBlock = maxSharedMemory;
  p.sharedMemPerBlockOptin = maxSharedMemoryOptin;
  p.sharedMemPerMultiprocessor = 228 * 1024;
  p.reservedSharedMemPerBlock = 1024;
  p.regsPerBlock = p.regsPerMultiprocessor = 65536;
  p.warpSize = lanesPerWarp;
  p.memPitch = 0x7fffffff;
  p.maxThreadsPerBlock = maxThreadsPerBlock;
  p.maxThreadsDim[0] = p.maxThreadsDim[1] = 1024, p.maxThreadsDim[2] = 64;
  p.maxGridSize[0] = 0x7fffffff, p.maxGridSize[1] = p.maxGridSize[2] = 65535;
  p.totalConstMem = 65536;
  p.major = settings().capability / 10;
  p.minor = settings().capability % 10;
  p.textureAlignment = 512;
  p.multiProcessorCount = 4;
  p.canMapHostMemory = p.concurrentKernels = p.unifiedAddressing = p.streamPrioritiesSupported = 1;
  p.asyncEngineCount = 2;
  p.pciBusID = index + 1;
  p.memoryBusWidth = 64;
  p.l2CacheSize = 1 << 20;
  p.maxThreadsPerMultiProcessor = 2048;
  p.maxBlocksPerMultiProcessor = 32;
  p.hostRegisterSupported = 1;
  return p;
}

// An attribute's value, or -1 for one that this device does not know.
int attributeOf(const cudaDeviceProp &p, cudaDeviceAttr attribute) {
  switch (attribute) {
    case cudaDevAttrMaxThreadsPerBlock: return p.maxThreadsPerBlock;
    case cudaDevAttrMaxBlockDimX: return p.maxThreadsDim[0];
    case cudaDevAttrMaxBlockDimY: return p.maxThreadsDim[1];
    case cudaDevAttrMaxBlockDimZ: return p.maxThreadsDim[2];
    case cudaDevAttrMaxGridDimX: return p.maxGridSize[0];
    case cudaDevAttrMaxGridDimY: return p.maxGridSize[1];
    case cudaDevAttrMaxGridDimZ: return p.maxGridSize[2];
    case cudaDevAttrMaxSharedMemoryPerBlock: return int(p.sharedMemPerBlock);
    case cudaDevAttrWarpSize: return p.warpSize;
    case cudaDevAttrMaxRegistersPerBlock: return p.regsPerBlock;
    case cudaDevAttrClockRate: return 1000000;
    case cudaDevAttrMemoryClockRate: return 1000000;
    case cudaDevAttrMultiProcessorCount: return p.multiProcessorCount;
    case cudaDevAttrIntegrated: return p.integrated;
    case cudaDevAttrCanMapHostMemory: return p.canMapHostMemory;
    case cudaDevAttrComputeMode: return 0;
    case cudaDevAttrConcurrentKernels: return p.concurrentKernels;
    case cudaDevAttrPciBusId: return p.pciBusID;
    case cudaDevAttrPciDeviceId: return p.pciDeviceID;
    case cudaDevAttrPciDomainId: return p.pciDomainID;
    case cudaDevAttrGlobalMemoryBusWidth: return p.memoryBusWidth;
    case cudaDevAttrL2CacheSize: return p.l2CacheSize;
    case cudaDevAttrMaxThreadsPerMultiProcessor: return p.maxThreadsPerMultiProcessor;
    case cudaDevAttrAsyncEngineCount: return p.asyncEngineCount;
    case cudaDevAttrUnifiedAddressing: return p.unifiedAddressing;
    case cudaDevAttrComputeCapabilityMajor: return p.major;
    case cudaDevAttrComputeCapabilityMinor: return p.minor;
    case cudaDevAttrStreamPrioritiesSupported: return p.streamPrioritiesSupported;
    case cudaDevAttrMaxSharedMemoryPerMultiprocessor: return int(p.sharedMemPerMultiprocessor);
    case cudaDevAttrMaxRegistersPerMultiprocessor: return p.regsPerMultiprocessor;
    case cudaDevAttrManagedMemory: return p.managedMemory;
    case cudaDevAttrIsMultiGpuBoard: return p.isMultiGpuBoard;
    case cudaDevAttrConcurrentManagedAccess: return p.concurrentManagedAccess;
    case cudaDevAttrCooperativeLaunch: return p.cooperativeLaunch;
    case cudaDevAttrMaxSharedMemoryPerBlockOptin: return int(p.sharedMemPerBlockOptin);
    case cudaDevAttrHostRegisterSupported: return p.hostRegisterSupported;
    case cudaDevAttrMaxBlocksPerMultiprocessor: return p.maxBlocksPerMultiProcessor;
    case cudaDevAttrMemoryPoolsSupported: return p.memoryPoolsSupported;
  }
  return -1;
}

bool isDevice(int index) { return index >= 0 && index < settings().devices; }

}  // namespace

const Settings &settings() {
  static const Settings s = readSettings();
  return s;
}

std::mt19937_64 &randomNumbers() {
  static std::mt19937_64 numbers(settings().seed);
  return numbers;
}

void Lock::waitForChange() {
  std::unique_lock<std::mutex> guard(waiting_);
  const uint64_t seen = changes_;
  waiters_++;
  const int depth = std::exchange(depth_, 0);
  for (int i = 0; i < depth; i++) mutex_.unlock();
  change_.wait_for(guard, std::chrono::milliseconds(5), [&] { return changes_ != seen; });
  waiters_--;
  guard.unlock();
  for (int i = 0; i < depth; i++) mutex_.lock();
  depth_ = depth;
}

void Lock::changed() {
  if (!waiters_) return;
  {
    std::lock_guard<std::mutex> guard(waiting_);
    changes_++;
  }
  change_.notify_all();
}

Lock &lock() {
  static auto &mutex = *new Lock;
  return mutex;
}

Device &device(int index) {
  static auto *devices = [] {
    auto *made = new Device[maxDevices];
    for (int i = 0; i < maxDevices; i++) {
      made[i].defaultStream = std::make_shared<Stream>();
      made[i].defaultStream->device = i;
      made[i].defaultStream->isDefault = true;
    }
    return made;
  }();
  return devices[index];
}

int currentDevice() { return threadDevice; }

cudaError_t enter() {
  if (settings().driverVersion < CUDART_VERSION) return cudaErrorInsufficientDriver;
  if (settings().devices == 0) return cudaErrorNoDevice;
  if (forked) return cudaErrorInitializationError;
  if (!used.exchange(true)) pthread_atfork(nullptr, nullptr, [] { forked = true; });
  return cudaSuccess;
}

namespace {
cudaError_t peek() {
  if (used && !forked) {
    std::lock_guard<Lock> guard(lock());
    if (cudaError_t sticky = device(threadDevice).sticky) return sticky;
  }
  return lastError;
}

struct Calls {
  std::mutex mutex;
  std::map<std::string, unsigned long long> of;
};
Calls &calls() {
  static auto &made = *new Calls;
  return made;
}
}  // namespace

void count(const char *function) {
  std::lock_guard<std::mutex> guard(calls().mutex);
  calls().of[function]++;
}

cudaError_t remember(cudaError_t error) {
  if (error) lastError = error;
  return error;
}

}  // namespace hostcuda

using namespace hostcuda;

extern "C" {

unsigned long long hostcudaCalls(const char *function) {
  std::lock_guard<std::mutex> guard(calls().mutex);
  unsigned long long sum = 0;
  for (const auto &[name, number] : calls().of)
    if (!function || name == function) sum += number;
  return sum;
}

cudaError_t cudaGetLastError() {
  count(__func__);
  const cudaError_t error = peek();
  lastError = cudaSuccess;
  return error;
}

cudaError_t cudaPeekAtLastError() {
  count(__func__);
  return peek();
}

const char *cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define NAME(name, value, text) \
  case cudaError##name: return "cudaError" #name;
    HOST_CUDA_ERRORS(NAME)
#undef NAME
    case cudaSuccess: return "cudaSuccess";
  }
  return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define TEXT(name, value, text) \
  case cudaError##name: return text;
    HOST_CUDA_ERRORS(TEXT)
#undef TEXT
    case cudaSuccess: return "no error";
  }
  return "unrecognized error code";
}

cudaError_t cudaRuntimeGetVersion(int *version) {
  count(__func__);
  if (!version) return remember(cudaErrorInvalidValue);
  *version = CUDART_VERSION;
  return cudaSuccess;
}

cudaError_t cudaDriverGetVersion(int *version) {
  count(__func__);
  if (!version) return remember(cudaErrorInvalidValue);
  *version = settings().driverVersion;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count) {
  hostcuda::count(__func__);
  if (!count) return remember(cudaErrorInvalidValue);
  if (cudaError_t error = enter()) return remember(error);
  *count = settings().devices;
  return cudaSuccess;
}

cudaError_t cudaGetDevice(int *index) {
  count(__func__);
  if (!index) return remember(cudaErrorInvalidValue);
  if (cudaError_t error = enter()) return remember(error);
  *index = threadDevice;
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int index) {
  count(__func__);
  if (cudaError_t error = enter()) return remember(error);
  if (!isDevice(index)) return remember(cudaErrorInvalidDevice);
  threadDevice = index;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned *flags) {
  return call([=] {
    if (!flags) return cudaErrorInvalidValue;
    *flags = cudaDeviceMapHost;
    return cudaSuccess;
  });
}

cudaError_t cudaSetDeviceFlags(unsigned flags) {
  return call([=] { return flags & ~15u ? cudaErrorInvalidValue : cudaSuccess; });
}

cudaError_t cudaGetDeviceProperties(cudaDeviceProp *properties, int index) {
  return call([=] {
    if (!properties) return cudaErrorInvalidValue;
    if (!isDevice(index)) return cudaErrorInvalidDevice;
    *properties = propertiesOf(index);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetAttribute(int *value, cudaDeviceAttr attribute, int index) {
  return call([=] {
    if (!value) return cudaErrorInvalidValue;
    if (!isDevice(index)) return cudaErrorInvalidDevice;
    const int found = attributeOf(propertiesOf(index), attribute);
    if (found < 0) return cudaErrorInvalidValue;
    *value = found;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int index) {
  return call([=] {
    if (!id || length < 13) return cudaErrorInvalidValue;
    if (!isDevice(index)) return cudaErrorInvalidDevice;
    std::snprintf(id, size_t(length), "0000:%02x:00.0", index + 1);
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest) {
  return call([=] {
    if (least) *least = 0;
    if (greatest) *greatest = -5;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceSynchronize() {
  return call([] {
    finishDevice(currentDevice());
    return device(currentDevice()).sticky;
  });
}

cudaError_t cudaDeviceReset() {
  count(__func__);
  if (cudaError_t error = enter()) return remember(error);
  std::lock_guard<Lock> guard(lock());
  resetDevice(threadDevice);
  lastError = cudaSuccess;
  return cudaSuccess;
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int index, int peer) {
  return call([=] {
    if (!can) return cudaErrorInvalidValue;
    if (!isDevice(index) || !isDevice(peer)) return cudaErrorInvalidDevice;
    *can = index != peer;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags) {
  return call([=] {
    if (flags) return cudaErrorInvalidValue;
    if (!isDevice(peer) || peer == currentDevice()) return cudaErrorInvalidDevice;
    bool &enabled = device(currentDevice()).peers[peer];
    if (enabled) return cudaErrorPeerAccessAlreadyEnabled;
    enabled = true;
    return cudaSuccess;
  });
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  return call([=] {
    if (!isDevice(peer) || peer == currentDevice()) return cudaErrorInvalidDevice;
    if (!device(currentDevice()).peers[peer]) return cudaErrorPeerAccessNotEnabled;
    finishDevice(currentDevice());
    device(currentDevice()).peers[peer] = false;
    return cudaSuccess;
  });
}

}  // extern "C"
