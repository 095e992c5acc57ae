// What host code around kernels needs: checked calls of the runtime, the device's guard, memory for a call.
#pragma once

#include <cstddef>
#include <cuda_runtime.h>
#include <THC/THCGeneral.h>

// Raises when a call of the runtime fails: its error's name and text, the call, and the function that made it.
#define THC_CHECK(call)                                                                               \
  do {                                                                                                \
    if (const cudaError_t thcError = (call); thcError != cudaSuccess) [[unlikely]]                    \
      THC_raiseError(int(thcError), #call, __func__);                                                 \
  } while (false)

namespace thc {

// The stream in which the calling thread's work for a device goes; -1: for its current device.
inline cudaStream_t currentStream(int device) { return THC_currentStream(device); }

// The number of a tensor's device.
inline int deviceOf(const THTensor *t) { return t->storage->device.index; }

// Makes a device the calling thread's current one; the one before comes back at the end, also when something is raised.
class DeviceGuard {
 public:
  explicit DeviceGuard(int device) : before_(THC_enterDevice(device)), changed_(device >= 0 && device != before_) {}
  explicit DeviceGuard(const THTensor *t) : DeviceGuard(deviceOf(t)) {}
  ~DeviceGuard() {
    if (changed_) THC_leaveDevice(before_);
  }
  DeviceGuard(const DeviceGuard &) = delete;
  DeviceGuard &operator=(const DeviceGuard &) = delete;

 private:
  int before_;
  bool changed_;
};

// Uninitialised memory of a device for the length of a call: it belongs to the device's current stream, so it may go back
// while kernels that were launched there still use it. No bytes: NULL.
class Workspace {
 public:
  Workspace(size_t nbytes, int device)
      : data_(nbytes ? THC_malloc(nbytes, THC_currentStream(device), device) : nullptr) {}
  ~Workspace() { THC_free(data_); }
  Workspace(const Workspace &) = delete;
  Workspace &operator=(const Workspace &) = delete;

  void *data() const { return data_; }
  template <class T> T *as() const { return static_cast<T *>(data_); }

 private:
  void *data_;
};

}  // namespace thc
