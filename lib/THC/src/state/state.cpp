// A device's generator, and the handles by which threads call cuBLAS.
#include <cublas_v2.h>
#include <map>
#include <mutex>
#include <vector>

#include "state.hpp"

struct THCState {
  int device = 0;
  THGenerator *generator = nullptr;
  std::mutex mutex;
  std::vector<cublasHandle_t> handles;  // of threads that have ended
};

namespace {

#define THC_CHECK_BLAS(call)                                                                            \
  do {                                                                                                  \
    if (const cublasStatus_t status = (call); status != CUBLAS_STATUS_SUCCESS) [[unlikely]]             \
      THError(TH_ERROR_RUNTIME, "CUDA error: %s when calling `%s`", cublasGetStatusName(status), #call); \
  } while (false)

// One thread's handle for one device. cuBLAS works in memory that it is given for each stream: its own would be shared by
// streams, which would wait for one another.
struct BlasHandle {
  THCState *state = nullptr;
  cublasHandle_t handle = nullptr;
  cudaStream_t stream = nullptr;
  bool ready = false;  // for that stream
  std::map<cudaStream_t, void *> workspaces;

  // The handle stays for another thread: to destroy it would wait for the device.
  ~BlasHandle() {
    if (!handle || thc::isForked()) return;
    for (const auto &[stream, workspace] : workspaces) THC_free(workspace);
    const std::lock_guard lock(state->mutex);
    state->handles.push_back(handle);
  }
};
thread_local BlasHandle blasHandles[thc::kMaxDevices];

// What cuBLAS asks for since Hopper, and before.
size_t workspaceSize(int device) { return (THC_deviceProperties(device)->major >= 9 ? 32768 : 8320) * size_t(1024); }

cublasHandle_t takeHandle(THCState *state) {
  {
    const std::lock_guard lock(state->mutex);
    if (!state->handles.empty()) {
      const cublasHandle_t handle = state->handles.back();
      state->handles.pop_back();
      return handle;
    }
  }
  cublasHandle_t handle = nullptr;
  THC_CHECK_BLAS(cublasCreate(&handle));
  return handle;
}

void setStream(BlasHandle &self, int device, cudaStream_t stream) {
  self.ready = false;
  void *&workspace = self.workspaces[stream];
  const size_t nbytes = workspaceSize(device);
  if (!workspace) workspace = THC_malloc(nbytes, stream, device);
  THC_CHECK_BLAS(cublasSetStream(self.handle, stream));  // which takes the workspace away
  THC_CHECK_BLAS(cublasSetWorkspace(self.handle, workspace, nbytes));
  self.stream = stream;
  self.ready = true;
}

}  // namespace

THCState *THC_state(int device) {
  device = thc::checkDevice(device);
  static THCState *const states = [] {
    auto *made = new THCState[thc::kMaxDevices];
    for (int i = 0; i < THC_deviceCount(); i++) {
      made[i].device = i;
      made[i].generator = THGenerator_newOn({TH_CUDA, int8_t(i)});
    }
    return made;
  }();
  return states + device;
}

int THCState_device(const THCState *self) { return self->device; }

THGenerator *THCState_generator(THCState *self) { return self->generator; }

void *THCState_blasHandle(THCState *self) {
  BlasHandle &mine = blasHandles[self->device];
  const cudaStream_t stream = THC_currentStream(self->device);
  if (mine.ready && mine.stream == stream) [[likely]]
    return mine.handle;
  const thc::DeviceGuard guard(self->device);
  if (!mine.handle) {
    mine.handle = takeHandle(self);
    mine.state = self;
  }
  setStream(mine, self->device, stream);
  return mine.handle;
}
