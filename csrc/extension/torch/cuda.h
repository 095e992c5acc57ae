// The C++ side of CUDA for extensions: devices, the stream in which torch's kernels run, and checks of the runtime's
// errors. In a torch that is built with CUDA; for C++ files and .cu files alike.
//
//     #include <torch/torch.h>
//     #include <torch/cuda.h>
//
//     torch::Tensor twice(torch::Tensor x) {
//       TORCH_CHECK(x.is_cuda(), "twice: x is on ", x.device());
//       const c10::cuda::CUDAGuard guard(x.device());
//       torch::Tensor r = torch::empty_like(x);
//       twice_kernel<<<blocks, 256, 0, at::cuda::getCurrentCUDAStream()>>>(…);
//       C10_CUDA_KERNEL_LAUNCH_CHECK();
//       return r;
//     }
#pragma once

#include <cuda_runtime.h>
#include <optional>

#include <THC/THCGeneral.h>
#include <torch/torch.h>

// An error of the CUDA runtime becomes a RuntimeError, with its name, its text and the call.
#define C10_CUDA_CHECK(call)                                                                            \
  do {                                                                                                  \
    if (const cudaError_t torchCudaError = (call); torchCudaError != cudaSuccess) [[unlikely]]          \
      THC_raiseError(int(torchCudaError), #call, __func__);                                             \
  } while (false)
// Behind every launch: its error, if it has one. With CUDA_LAUNCH_BLOCKING=1 it waits for the kernel and finds its, too.
#define C10_CUDA_KERNEL_LAUNCH_CHECK() THC_checkLaunch(THC_currentStream(-1), __func__)
// The names of 2018.
#define AT_CUDA_CHECK C10_CUDA_CHECK
#define THCudaCheck C10_CUDA_CHECK

namespace torch {

using DeviceIndex = int8_t;

namespace cuda {

// ---- devices; -1 is the calling thread's current one ---------------------------------------------
inline DeviceIndex device_count() { return DeviceIndex(THC_deviceCount()); }
inline bool is_available() { return device_count() > 0; }
inline DeviceIndex current_device() { return DeviceIndex(THC_getDevice()); }
inline void set_device(DeviceIndex device) { THC_setDevice(device); }
inline void synchronize(DeviceIndex device = -1) { THC_synchronize(device); }
inline const THCDeviceProperties *getDeviceProperties(DeviceIndex device) { return THC_deviceProperties(device); }
inline const THCDeviceProperties *getCurrentDeviceProperties() { return THC_deviceProperties(-1); }

namespace detail {

inline DeviceIndex indexOf(Device device) {
  TORCH_CHECK(device.is_cuda(), "expected a CUDA device, but got ", device);
  return device.index();
}

}  // namespace detail

// Makes a device the calling thread's current one until the end of the scope.
class CUDAGuard {
 public:
  explicit CUDAGuard(DeviceIndex device) : before_(DeviceIndex(THC_enterDevice(device))) {}
  explicit CUDAGuard(Device device) : CUDAGuard(detail::indexOf(device)) {}
  ~CUDAGuard() { THC_leaveDevice(before_); }
  CUDAGuard(const CUDAGuard &) = delete;
  CUDAGuard &operator=(const CUDAGuard &) = delete;

  void set_index(DeviceIndex device) { THC_setDevice(device); }
  void set_device(Device device) { set_index(detail::indexOf(device)); }
  Device original_device() const { return Device(kCUDA, before_); }
  Device current_device() const { return Device(kCUDA, cuda::current_device()); }

 private:
  DeviceIndex before_;
};

// The same for a device that there may be, such as that of an optional tensor.
class OptionalCUDAGuard {
 public:
  OptionalCUDAGuard() = default;
  explicit OptionalCUDAGuard(std::optional<Device> device) {
    if (device) guard_.emplace(*device);
  }
  explicit OptionalCUDAGuard(DeviceIndex device) { guard_.emplace(device); }

  void set_device(Device device) { set_index(detail::indexOf(device)); }
  void set_index(DeviceIndex device) {
    if (guard_)
      guard_->set_index(device);
    else
      guard_.emplace(device);
  }

 private:
  std::optional<CUDAGuard> guard_;
};

// ---- streams -------------------------------------------------------------------------------------
// A stream and its device. It owns nothing.
class CUDAStream {
 public:
  CUDAStream(cudaStream_t stream, DeviceIndex device) : stream_(stream), device_(device) {}

  cudaStream_t stream() const { return stream_; }
  operator cudaStream_t() const { return stream_; }
  DeviceIndex device_index() const { return device_; }
  Device device() const { return Device(kCUDA, device_); }
  bool query() const { return THC_streamQuery(stream_, device_); }
  void synchronize() const { THC_streamSynchronize(stream_, device_); }
  int priority() const { return THC_streamPriority(stream_, device_); }
  bool operator==(const CUDAStream &) const = default;

 private:
  cudaStream_t stream_;
  DeviceIndex device_;
};

namespace detail {

inline DeviceIndex orCurrent(DeviceIndex device) { return device < 0 ? current_device() : device; }

}  // namespace detail

// Where torch's own kernels go: an extension that launches there needs no synchronisation with them.
inline CUDAStream getCurrentCUDAStream(DeviceIndex device = -1) {
  device = detail::orCurrent(device);
  return {THC_currentStream(device), device};
}
inline CUDAStream getDefaultCUDAStream(DeviceIndex device = -1) { return {nullptr, detail::orCurrent(device)}; }
inline CUDAStream getStreamFromPool(int priority, DeviceIndex device = -1) {
  device = detail::orCurrent(device);
  return {THC_streamFromPool(device, priority), device};
}
inline CUDAStream getStreamFromPool(bool high_priority = false, DeviceIndex device = -1) {
  return getStreamFromPool(high_priority ? -1 : 0, device);
}
inline CUDAStream getStreamFromExternal(cudaStream_t stream, DeviceIndex device) { return {stream, device}; }
inline void setCurrentCUDAStream(CUDAStream stream) { THC_setCurrentStream(stream.device_index(), stream.stream()); }

// Makes a stream the current one of its device, and that device the current one, until the end of the scope.
class CUDAStreamGuard {
 public:
  explicit CUDAStreamGuard(CUDAStream stream)
      : guard_(stream.device_index()), before_(getCurrentCUDAStream(stream.device_index())) {
    setCurrentCUDAStream(stream);
  }
  ~CUDAStreamGuard() { THC_setCurrentStream(before_.device_index(), before_.stream()); }
  CUDAStreamGuard(const CUDAStreamGuard &) = delete;
  CUDAStreamGuard &operator=(const CUDAStreamGuard &) = delete;

  CUDAStream original_stream() const { return before_; }

 private:
  CUDAGuard guard_;
  CUDAStream before_;
};

}  // namespace cuda
}  // namespace torch
