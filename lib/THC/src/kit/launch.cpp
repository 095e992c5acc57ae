#include "kit/launch.cuh"

#include <cstdlib>

namespace thc {

bool launchIsBlocking() {
  static const bool blocking = [] {
    const char *value = std::getenv("CUDA_LAUNCH_BLOCKING");
    return value && value[0] == '1';
  }();
  return blocking;
}

void finishLaunch(cudaStream_t stream) {
  THC_CHECK(cudaStreamSynchronize(stream));
  THC_checkFailure(THC_getDevice());
}

}  // namespace thc
