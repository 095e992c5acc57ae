// The block that runs: its threads, its shared memory, what stops it.
#ifndef HOST_CUDA_SRC_BLOCK_HPP
#define HOST_CUDA_SRC_BLOCK_HPP

#include <host_cuda/device.h>

#include <string>
#include <vector>

#include "fiber.hpp"
#include "runtime.hpp"

namespace hostcuda {

struct Launch {
  const void *function;
  Invoke invoke;
  uint3 grid, block;
  size_t shared;  // dynamic
  int device;
  std::vector<char> bytes;       // the arguments
  std::vector<void *> arguments;  // and where each lies
};

// What the checks of accesses look at first: of the thread that carries out a kernel; nobody else's accesses are checked.
struct Running {
  unsigned spans;               // whose memory the kernel may touch; 0: no kernel is running
  uintptr_t stackLow, stackSize;  // of the fiber
};
extern __thread Running running __attribute__((tls_model("initial-exec")));

// Whose memory kernels of a device may touch: a bit for each device, and that of page-locked memory.
unsigned spansOf(int device);
cudaError_t runLaunch(const Launch &launch);
// Ends the kernel with an error, after a message that says what it did, where. Called by a thread of the kernel.
[[noreturn]] void stopKernel(cudaError_t error, const std::string &what);
bool isShared(uintptr_t address, size_t size);
std::string describeShared(uintptr_t address);  // empty: not shared memory
void limitStaticShared(const void *function, size_t bytes);
size_t dynamicSharedLimit(const void *function);

}  // namespace hostcuda

#endif
