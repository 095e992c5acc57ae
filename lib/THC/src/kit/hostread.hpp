// Single values of a device that the host waits for.
#pragma once

#include "kit/cuda.hpp"

namespace thc {

// The value at an address of the device when the stream has done its work so far; raises what kernels have reported.
template <class T>
T readBack(const T *data, cudaStream_t stream, int device) {
  T value;
  THC_CHECK(cudaMemcpyAsync(&value, data, sizeof value, cudaMemcpyDeviceToHost, stream));
  THC_streamSynchronize(stream, device);
  return value;
}

}  // namespace thc
