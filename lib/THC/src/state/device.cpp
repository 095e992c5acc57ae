// Devices: how many, which is current, what they are; and why there are none. The driver is asked at the first question, not
// when the library is loaded.
#include "state.hpp"

#include <algorithm>
#include <atomic>
#include <cstdlib>
#include <cstring>
#include <mutex>
#include <pthread.h>

#include "architecture.hpp"

#ifndef TORCH_CUDA_ARCHITECTURES
#error "TORCH_CUDA_ARCHITECTURES: the names of what kernels are compiled for, as \"sm_90 compute_90\""
#endif

namespace {

struct Devices {
  int count = 0;
  std::string why;
};

std::string versionText(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

std::atomic<bool> forked{false};

std::string whyNone(cudaError_t error) {
  const int driver = THC_driverVersion();
  const std::string needed = versionText(CUDART_VERSION);
  if (error == cudaErrorInsufficientDriver && driver == 0)
    return "Found no NVIDIA driver on your system: this build uses CUDA " + needed +
           " and needs a driver that supports it";
  if (error == cudaErrorInsufficientDriver)
    return "The NVIDIA driver on your system is too old (found version " + versionText(driver) +
           "): this build uses CUDA " + needed + " and needs a driver of that version or a newer one";
  if (error == cudaSuccess || error == cudaErrorNoDevice) {
    const char *visible = std::getenv("CUDA_VISIBLE_DEVICES");
    return std::string("No CUDA GPUs are available") +
           (visible ? ": CUDA_VISIBLE_DEVICES is \"" + std::string(visible) + "\"" : "");
  }
  return std::string("CUDA cannot be initialized: ") + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) + ")";
}

Devices ask() {
  Devices devices;
  const cudaError_t error = cudaGetDeviceCount(&devices.count);
  if (error != cudaSuccess) {
    (void)cudaGetLastError();
    devices.count = 0;
  }
  if (devices.count == 0)
    devices.why = whyNone(error);
  else
    pthread_atfork(nullptr, nullptr, [] { forked.store(true, std::memory_order_relaxed); });
  devices.count = std::min(devices.count, thc::kMaxDevices);
  return devices;
}

const Devices &devices() {
  static const Devices *const answer = new Devices(ask());
  return *answer;
}

struct Device {
  std::once_flag asked;
  THCDeviceProperties properties{};
  std::atomic<bool> used{false};
};
Device &deviceAt(int device) {
  static Device *const table = new Device[thc::kMaxDevices];
  return table[device];
}

int attribute(int device, cudaDeviceAttr what) {
  int value = 0;
  THC_CHECK(cudaDeviceGetAttribute(&value, what, device));
  return value;
}

void askProperties(int device, THCDeviceProperties &p) {
  cudaDeviceProp from{};
  THC_CHECK(cudaGetDeviceProperties(&from, device));
  static_assert(sizeof p.name == sizeof from.name && sizeof p.uuid == sizeof from.uuid);
  std::memcpy(p.name, from.name, sizeof p.name);
  std::memcpy(p.uuid, &from.uuid, sizeof p.uuid);
  p.major = from.major;
  p.minor = from.minor;
  p.multiProcessorCount = from.multiProcessorCount;
  p.maxThreadsPerMultiProcessor = from.maxThreadsPerMultiProcessor;
  p.warpSize = from.warpSize;
  p.regsPerMultiprocessor = from.regsPerMultiprocessor;
  p.isIntegrated = from.integrated;
  p.isMultiGpuBoard = from.isMultiGpuBoard;
  p.pciDomain = from.pciDomainID;
  p.pciBus = from.pciBusID;
  p.pciDevice = from.pciDeviceID;
  p.clockRate = attribute(device, cudaDevAttrClockRate);
  p.memoryClockRate = attribute(device, cudaDevAttrMemoryClockRate);
  p.memoryBusWidth = from.memoryBusWidth;
  p.totalMemory = from.totalGlobalMem;
  p.sharedMemoryPerBlock = from.sharedMemPerBlock;
  p.sharedMemoryPerBlockOptin = from.sharedMemPerBlockOptin;
  p.sharedMemoryPerMultiprocessor = from.sharedMemPerMultiprocessor;
  p.l2CacheSize = size_t(from.l2CacheSize);
}

// Raises if no code here runs on the device. An exception leaves the flag as it was: the next call asks again.
const THCDeviceProperties &propertiesOf(int device) {
  Device &self = deviceAt(device);
  std::call_once(self.asked, [&] {
    THCDeviceProperties p{};
    askProperties(device, p);
    if (!thc::runsOn(THC_compiledArchitectures(), p.major, p.minor))
      THError(TH_ERROR_RUNTIME,
              "CUDA error: no kernel image is available for execution on the device: cuda:%d (%s) has compute "
              "capability %d.%d, and this build was compiled for %s",
              device, p.name, p.major, p.minor, THC_compiledArchitectures());
    self.properties = p;
  });
  return self.properties;
}

// The device that this thread wants and the runtime has not been told of, so as not to wake it; or -1.
thread_local int wanted = -1;

void setRuntimeDevice(int device) {
  Device &self = deviceAt(device);
  if (!self.used.load(std::memory_order_acquire)) propertiesOf(device);
  THC_CHECK(cudaSetDevice(device));
  self.used.store(true, std::memory_order_release);
  wanted = -1;
}

// Asked each time where there are several: other libraries may set it, too.
int runtimeDevice() {
  int device = 0;
  if (devices().count > 1) THC_CHECK(cudaGetDevice(&device));
  return device;
}

}  // namespace

int thc::checkDevice(int device) {
  const int count = THC_deviceCount();
  if (count == 0) [[unlikely]]
    THError(TH_ERROR_RUNTIME, "%s", THC_whyNoDevice());
  if (device == -1) return THC_getDevice();
  if (device < 0 || device >= count) [[unlikely]]
    THError(TH_ERROR_RUNTIME, "CUDA error: invalid device ordinal: %d, where there are %d devices", device, count);
  return device;
}

void thc::settleDevice() {
  if (wanted >= 0) [[unlikely]]
    setRuntimeDevice(wanted);
}

bool thc::isUsed(int device) { return deviceAt(device).used.load(std::memory_order_acquire); }

void thc::drain(int device) noexcept try {
  const DeviceGuard guard(device);
  (void)cudaDeviceSynchronize();
  (void)cudaGetLastError();
} catch (...) {
}

bool thc::isForked() { return forked.load(std::memory_order_relaxed); }

int THC_deviceCount(void) { return thc::isForked() ? 0 : devices().count; }

const char *THC_whyNoDevice(void) {
  if (thc::isForked())
    return "Cannot re-initialize CUDA in forked subprocess: the parent had asked for devices before it forked; start "
           "processes by 'spawn' or 'forkserver'";
  return devices().count ? nullptr : devices().why.c_str();
}

int THC_getDevice(void) {
  if (THC_deviceCount() == 0) THError(TH_ERROR_RUNTIME, "%s", THC_whyNoDevice());
  return wanted >= 0 ? wanted : runtimeDevice();
}

void THC_setDevice(int device) {
  device = thc::checkDevice(device);
  if (wanted >= 0 || runtimeDevice() != device || !thc::isUsed(device)) setRuntimeDevice(device);
}

int THC_enterDevice(int device) {
  device = thc::checkDevice(device);
  const int before = THC_getDevice();
  if (wanted >= 0 || before != device || !thc::isUsed(device)) setRuntimeDevice(device);
  return before;
}

void THC_leaveDevice(int before) {
  if (wanted < 0) {
    int now = before;
    if (cudaGetDevice(&now) == cudaSuccess && now == before) return;
  }
  if (thc::isUsed(before) && cudaSetDevice(before) == cudaSuccess)
    wanted = -1;
  else
    wanted = before;
}

const THCDeviceProperties *THC_deviceProperties(int device) { return &propertiesOf(thc::checkDevice(device)); }

bool THC_canAccessPeer(int device, int peer) {
  device = thc::checkDevice(device);
  peer = thc::checkDevice(peer);
  int can = 0;
  if (device != peer) THC_CHECK(cudaDeviceCanAccessPeer(&can, device, peer));
  return can != 0;
}

int THC_runtimeVersion(void) {
  int version = 0;
  THC_CHECK(cudaRuntimeGetVersion(&version));
  return version;
}

int THC_driverVersion(void) {
  int version = 0;
  return cudaDriverGetVersion(&version) == cudaSuccess ? version : 0;
}

const char *THC_compiledArchitectures(void) { return TORCH_CUDA_ARCHITECTURES; }

void THC_raiseError(int code, const char *call, const char *function) {
  const auto error = cudaError_t(code);
  (void)cudaGetLastError();  // the next call shall not meet it again
  const bool noImage = error == cudaErrorNoKernelImageForDevice;
  THError(error == cudaErrorMemoryAllocation ? TH_ERROR_MEMORY : TH_ERROR_RUNTIME,
          "CUDA error: %s (%s of %s in %s)%s%s", cudaGetErrorString(error), cudaGetErrorName(error), call, function,
          noImage ? "; this build was compiled for " : "", noImage ? THC_compiledArchitectures() : "");
}
