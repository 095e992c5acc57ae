// Launches: what they may ask for, and the kernels' attributes.
#include <cxxabi.h>
#include <dlfcn.h>
#include <signal.h>

#include <algorithm>

#include <cstdlib>
#include <cstring>
#include <unordered_map>

#include "block.hpp"

namespace hostcuda {
namespace {

struct Function {
  size_t staticShared = 0;  // known from the first launch on
  size_t dynamicLimit = maxSharedMemory;
};
auto &functions = *new std::unordered_map<const void *, Function>;

}  // namespace

void limitStaticShared(const void *function, size_t bytes) {
  size_t &known = functions[function].staticShared;
  known = std::max(known, bytes);
}

size_t dynamicSharedLimit(const void *function) { return functions[function].dynamicLimit; }

cudaError_t checkLaunch(const void *function, dim3 grid, dim3 block, size_t shared) {
  if (!function) return cudaErrorInvalidDeviceFunction;
  if (!grid.x || !grid.y || !grid.z || !block.x || !block.y || !block.z) return cudaErrorInvalidConfiguration;
  if (grid.x > 0x7fffffffu || grid.y > 65535 || grid.z > 65535) return cudaErrorInvalidConfiguration;
  if (block.x > 1024 || block.y > 1024 || block.z > 64 ||
      uint64_t(block.x) * block.y * block.z > uint64_t(maxThreadsPerBlock))
    return cudaErrorInvalidConfiguration;
  const Function &f = functions[function];
  if (shared > f.dynamicLimit || f.staticShared + shared > f.dynamicLimit) return cudaErrorInvalidValue;
  return cudaSuccess;
}

std::string nameOf(const void *function) {
  Dl_info info;
  if (!dladdr(function, &info)) return "a kernel";
  if (info.dli_sname && info.dli_saddr == function) {
    int status;
    char *name = abi::__cxa_demangle(info.dli_sname, nullptr, nullptr, &status);
    const std::string text = name ? name : info.dli_sname;
    std::free(name);
    return text;
  }
  char text[40];
  std::snprintf(text, sizeof(text), "+0x%zx",
                size_t(static_cast<const char *>(function) - static_cast<const char *>(info.dli_fbase)));
  const char *file = std::strrchr(info.dli_fname, '/');
  return std::string("the kernel at ") + (file ? file + 1 : info.dli_fname) + text;
}

void prepareThread() {
  static thread_local bool prepared;
  if (prepared) return;
  prepared = true;
  stack_t stack{};
  if (sigaltstack(nullptr, &stack) || !(stack.ss_flags & SS_DISABLE)) return;
  constexpr size_t size = 64 * 1024;
  stack.ss_sp = std::malloc(size);  // for as long as the thread lives
  stack.ss_size = size;
  stack.ss_flags = 0;
  sigaltstack(&stack, nullptr);
}

cudaError_t queueLaunch(const void *function, const Parameters &parameters, dim3 grid, dim3 block, void **arguments,
                        size_t shared, cudaStream_t handle) {
  const StreamRef stream = findStream(handle);
  if (!stream || stream->device != currentDevice()) return cudaErrorInvalidResourceHandle;
  if (cudaError_t error = checkLaunch(function, grid, block, shared)) return error;
  if (parameters.count && !arguments) return cudaErrorInvalidValue;
  auto launch = std::make_shared<Launch>();
  launch->function = function;
  launch->invoke = parameters.invoke;
  launch->grid = grid;
  launch->block = block;
  launch->shared = shared;
  launch->device = stream->device;
  constexpr size_t alignment = 64;
  size_t total = alignment;
  for (int i = 0; i < parameters.count; i++) total += (parameters.sizes[i] + alignment - 1) / alignment * alignment;
  launch->bytes.resize(total);
  char *at = reinterpret_cast<char *>((uintptr_t(launch->bytes.data()) + alignment - 1) / alignment * alignment);
  for (int i = 0; i < parameters.count; i++) {
    launch->arguments.push_back(at);
    std::memcpy(at, arguments[i], parameters.sizes[i]);
    at += (parameters.sizes[i] + alignment - 1) / alignment * alignment;
  }
  Task task;
  task.run = [launch] { return runLaunch(*launch); };
  enqueue(stream, std::move(task));
  return cudaSuccess;
}

cudaError_t setDynamicLimit(const void *function, int bytes) {
  Function &f = functions[function];
  if (bytes < 0 || size_t(bytes) + f.staticShared > maxSharedMemoryOptin) return cudaErrorInvalidValue;
  f.dynamicLimit = std::max(maxSharedMemory, size_t(bytes) + f.staticShared);
  return cudaSuccess;
}

void forgetFunction(const void *function) { functions.erase(function); }

extern "C" {

cudaError_t hostcudaLaunch(const void *function, const Parameters *parameters, dim3 grid, dim3 block, void **arguments,
                           size_t shared, cudaStream_t stream) {
  return call([&] { return queueLaunch(function, *parameters, grid, block, arguments, shared, stream); },
              "cudaLaunchKernel");
}

cudaError_t hostcudaFuncGetAttributes(cudaFuncAttributes *attributes, const void *function) {
  return call([=] {
    if (!attributes) return cudaErrorInvalidValue;
    if (!function) return cudaErrorInvalidDeviceFunction;
    const Function &f = functions[function];
    *attributes = {};
    attributes->sharedSizeBytes = f.staticShared;
    attributes->maxThreadsPerBlock = maxThreadsPerBlock;
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = 90;
    attributes->maxDynamicSharedSizeBytes = int(f.dynamicLimit - f.staticShared);
    return cudaSuccess;
  });
}

cudaError_t hostcudaFuncSetAttribute(const void *function, cudaFuncAttribute attribute, int value) {
  return call([=] {
    if (!function) return cudaErrorInvalidDeviceFunction;
    if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
      return value < -1 || value > 100 ? cudaErrorInvalidValue : cudaSuccess;
    if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize) return cudaErrorInvalidValue;
    return setDynamicLimit(function, value);
  });
}

cudaError_t hostcudaOccupancy(int *blocks, const void *function, int blockSize, size_t shared) {
  return call([=] {
    if (!blocks || blockSize < 1) return cudaErrorInvalidValue;
    if (!function) return cudaErrorInvalidDeviceFunction;
    const int threads = (blockSize + lanesPerWarp - 1) / lanesPerWarp * lanesPerWarp;
    const size_t each = functions[function].staticShared + shared + 1024;
    *blocks = blockSize > maxThreadsPerBlock
                  ? 0
                  : int(std::min({size_t(2048 / threads), size_t(32), size_t(228 * 1024) / each}));
    return cudaSuccess;
  });
}

}  // extern "C"
}  // namespace hostcuda
