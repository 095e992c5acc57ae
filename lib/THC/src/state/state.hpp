// What the files of this family share.
#pragma once

#include <compare>
#include <cstddef>
#include <string>
#include "kit/cuda.hpp"

namespace thc {

// A stream that uses memory. The default stream of every device is called NULL.
struct Use {
  int device;
  cudaStream_t stream;
  auto operator<=>(const Use &) const = default;
};

constexpr int kMaxDevices = 64;

// A device's number, with -1 resolved; raises if there is no such device.
int checkDevice(int device);

// Before the current device is used by other ways than DeviceGuard: the runtime is told which it is, if it has not been.
void settleDevice();

// Whether this process has work with the device, so that making it current wakes nothing.
bool isUsed(int device);

// Whether this is a child of a process that had asked the driver before it forked. Its driver is lost, and so are locks
// that other threads held: whatever gives something back does nothing then.
bool isForked();

// Waits for all of a device's work, where one stream of it cannot be waited for, and raises nothing: a device that is lost
// does nothing any longer.
void drain(int device) noexcept;

// An error of a function that raises nothing, since destructors call it: kept, the first one of several, and raised by the
// next call that waits for a device or allocates on one.
void keepError(THErrorKind kind, const char *text) noexcept;
void raiseKept();

// "20.00 MiB"
std::string formatSize(size_t nbytes);

// Whether an event's, or a stream's, work is done, from the answer of a query; raises other errors.
bool isReady(cudaError_t answer, const char *function);

}  // namespace thc
