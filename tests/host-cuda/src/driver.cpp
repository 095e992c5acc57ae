// The driver's functions: modules that are loaded at run time, and their kernels.
//
// An image is what nvrtc.cpp makes: a shared object, or the same as a comment of a text that looks like PTX.
#include <cuda.h>
#include <dlfcn.h>
#include <elf.h>
#include <host_cuda/module.h>
#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <unordered_set>

#include "runtime.hpp"

struct CUfunc_st {
  const hostcuda::KernelEntry *kernel;
  CUmodule module;
};
struct CUmod_st {
  void *object = nullptr;
  int file = -1;  // whose number is in the path by which the loader knows the object, so it stays as long
  int device = 0;
  std::map<std::string, CUfunc_st> functions;
};

namespace hostcuda {
namespace {

auto &modules = *new std::unordered_set<CUmodule>;
auto &functions = *new std::unordered_set<CUfunction>;

// The runtime's codes are the driver's, but for these.
CUresult driverError(cudaError_t error) {
  switch (error) {
    case cudaErrorInvalidConfiguration: return CUDA_ERROR_INVALID_VALUE;
    case cudaErrorInvalidDeviceFunction: return CUDA_ERROR_INVALID_HANDLE;
    case cudaErrorInsufficientDriver: return CUDA_ERROR_NOT_INITIALIZED;
    default: return CUresult(error);
  }
}

// As `call`, of functions whose errors the runtime does not remember.
template <class F>
CUresult driverCall(F &&body) {
  if (const cudaError_t error = enter()) return driverError(error);
  std::lock_guard<Lock> guard(lock());
  if (inCallback()) return CUDA_ERROR_NOT_PERMITTED;
  if (const cudaError_t error = device(currentDevice()).sticky) return driverError(error);
  try {
    return body();
  } catch (const std::bad_alloc &) {
    return CUDA_ERROR_OUT_OF_MEMORY;
  }
}

int digit(char c) { return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1; }

// The shared object in a text that ends with a null byte; empty: there is none.
std::string objectInText(const char *text) {
  constexpr char mark[] = "\n// object ";
  const char *at = std::strstr(text, mark);
  std::string object;
  if (at)
    for (at += sizeof mark - 1; digit(at[0]) >= 0 && digit(at[1]) >= 0; at += 2)
      object += char(digit(at[0]) * 16 + digit(at[1]));
  return object;
}

CUresult objectIn(const void *image, std::string &object) {
  if (std::memcmp(image, ELFMAG, SELFMAG) == 0) {
    Elf64_Ehdr header;
    std::memcpy(&header, image, sizeof header);
    object.assign(static_cast<const char *>(image), header.e_shoff + size_t(header.e_shentsize) * header.e_shnum);
    return CUDA_SUCCESS;
  }
  // What begins neither as ELF nor as text is nothing that a driver knows.
  const unsigned char first = *static_cast<const unsigned char *>(image);
  if ((first < ' ' && first != '\n') || first > '~') return CUDA_ERROR_INVALID_IMAGE;
  object = objectInText(static_cast<const char *>(image));
  return object.empty() ? CUDA_ERROR_INVALID_PTX : CUDA_SUCCESS;
}

void closeObject(const CUmod_st &module) {
  if (module.object) dlclose(module.object);
  if (module.file >= 0) close(module.file);
}

bool openObject(const std::string &object, CUmod_st &module) {
  module.file = memfd_create("kernels", MFD_CLOEXEC);
  const std::string path = "/proc/self/fd/" + std::to_string(module.file);
  if (module.file >= 0 && write(module.file, object.data(), object.size()) == ssize_t(object.size()))
    module.object = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!module.object) closeObject(module);
  return module.object;
}

// Do the devices run it? Machine code of its own generation, PTX of its own or older ones.
bool runsHere(int architecture, bool real) {
  const int here = settings().capability;
  return real ? architecture / 10 == here / 10 && architecture <= here : architecture <= here;
}

CUresult loadModule(CUmodule *module, const void *image) {
  if (!module || !image) return CUDA_ERROR_INVALID_VALUE;
  std::string object;
  if (const CUresult error = objectIn(image, object)) return error;
  auto made = std::make_unique<CUmod_st>();
  if (!openObject(object, *made)) return CUDA_ERROR_INVALID_IMAGE;
  const auto *kernel = static_cast<const KernelEntry *>(dlsym(made->object, "hostcudaKernels"));
  const auto *architecture = static_cast<const int *>(dlsym(made->object, "hostcudaArchitecture"));
  const bool real = std::memcmp(image, ELFMAG, SELFMAG) == 0;
  if (!kernel || !architecture || !runsHere(*architecture, real)) {
    closeObject(*made);
    return kernel ? CUDA_ERROR_NO_BINARY_FOR_GPU : CUDA_ERROR_INVALID_IMAGE;
  }
  made->device = currentDevice();
  for (; kernel->expression; kernel++) {
    Dl_info info;
    if (dladdr(kernel->function, &info) && info.dli_sname && info.dli_saddr == kernel->function)
      made->functions[info.dli_sname] = {kernel, made.get()};
  }
  for (auto &[name, function] : made->functions) functions.insert(&function);
  *module = made.release();
  modules.insert(*module);
  return CUDA_SUCCESS;
}

void closeModule(CUmodule module) {
  for (auto &[name, function] : module->functions) {
    functions.erase(&function);
    forgetFunction(function.kernel->function);
  }
  modules.erase(module);
  closeObject(*module);
  delete module;
}

CUresult launchFunction(CUfunction function, dim3 grid, dim3 block, unsigned shared, CUstream stream, void **parameters,
                        void **extra) {
  if (!functions.count(function) || function->module->device != currentDevice()) return CUDA_ERROR_INVALID_HANDLE;
  if (extra) return CUDA_ERROR_NOT_SUPPORTED;
  const KernelEntry &kernel = *function->kernel;
  return driverError(queueLaunch(kernel.function, *kernel.parameters, grid, block, parameters, shared, stream));
}

}  // namespace

void forgetModules(int device) {
  for (const CUmodule module : std::vector<CUmodule>(modules.begin(), modules.end()))
    if (module->device == device) closeModule(module);
}

}  // namespace hostcuda

using namespace hostcuda;

extern "C" {

CUresult cuGetErrorName(CUresult error, const char **name) {
  switch (error) {
#define NAME(name_, value, text) \
  case CUDA_ERROR_##name_: return *name = "CUDA_ERROR_" #name_, CUDA_SUCCESS;
    HOST_CUDA_DRIVER_ERRORS(NAME)
#undef NAME
    case CUDA_SUCCESS: return *name = "CUDA_SUCCESS", CUDA_SUCCESS;
  }
  return *name = nullptr, CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text) {
  switch (error) {
#define TEXT(name, value, text_) \
  case CUDA_ERROR_##name: return *text = text_, CUDA_SUCCESS;
    HOST_CUDA_DRIVER_ERRORS(TEXT)
#undef TEXT
    case CUDA_SUCCESS: return *text = "no error", CUDA_SUCCESS;
  }
  return *text = nullptr, CUDA_ERROR_INVALID_VALUE;
}

CUresult cuModuleLoadData(CUmodule *module, const void *image) {
  return driverCall([=] { return loadModule(module, image); });
}

CUresult cuModuleUnload(CUmodule module) {
  return driverCall([=] {
    if (!modules.count(module)) return CUDA_ERROR_INVALID_HANDLE;
    finishDevice(module->device);  // whose queues may hold launches of it
    closeModule(module);
    return CUDA_SUCCESS;
  });
}

CUresult cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name) {
  return driverCall([=] {
    if (!function || !name) return CUDA_ERROR_INVALID_VALUE;
    if (!modules.count(module)) return CUDA_ERROR_INVALID_HANDLE;
    const auto found = module->functions.find(name);
    if (found == module->functions.end()) return CUDA_ERROR_NOT_FOUND;
    *function = &found->second;
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *size) {
  return driverCall([=] {
    if (!functions.count(function)) return CUDA_ERROR_INVALID_HANDLE;
    const Parameters &parameters = *function->kernel->parameters;
    if (!offset || index >= size_t(parameters.count)) return CUDA_ERROR_INVALID_VALUE;
    size_t at = 0;
    for (size_t i = 0; i <= index; i++) {
      const size_t bytes = parameters.sizes[i], alignment = std::min<size_t>(bytes & -bytes, 16);
      *offset = (at + alignment - 1) / alignment * alignment;
      at = *offset + bytes;
    }
    if (size) *size = parameters.sizes[index];
    return CUDA_SUCCESS;
  });
}

CUresult cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value) {
  return driverCall([=] {
    if (!functions.count(function)) return CUDA_ERROR_INVALID_HANDLE;
    if (attribute != CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES) return CUDA_ERROR_INVALID_VALUE;
    return driverError(setDynamicLimit(function->kernel->function, value));
  });
}

CUresult cuLaunchKernel(CUfunction function, unsigned gridX, unsigned gridY, unsigned gridZ, unsigned blockX,
                        unsigned blockY, unsigned blockZ, unsigned shared, CUstream stream, void **parameters,
                        void **extra) {
  return driverCall([=] {
    return launchFunction(function, dim3(gridX, gridY, gridZ), dim3(blockX, blockY, blockZ), shared, stream, parameters,
                          extra);
  });
}

// Every function of the driver that is here has been in it since 12.4 or longer.
cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **function, unsigned version,
                                             unsigned long long flags, cudaDriverEntryPointQueryResult *found) {
  if (!symbol || !function || flags) return remember(cudaErrorInvalidValue);
  // The driver is needed, a device is not.
  if (settings().driverVersion < CUDART_VERSION) return remember(cudaErrorInsufficientDriver);
  *function = nullptr;
  const bool known = version >= 12040 && version <= unsigned(settings().driverVersion);
#define ENTRY(name) \
  if (known && std::strcmp(symbol, #name) == 0) *function = reinterpret_cast<void *>(name);
  ENTRY(cuGetErrorName)
  ENTRY(cuGetErrorString)
  ENTRY(cuModuleLoadData)
  ENTRY(cuModuleUnload)
  ENTRY(cuModuleGetFunction)
  ENTRY(cuFuncGetParamInfo)
  ENTRY(cuFuncSetAttribute)
  ENTRY(cuLaunchKernel)
#undef ENTRY
  if (found)
    *found = *function ? cudaDriverEntryPointSuccess
             : known   ? cudaDriverEntryPointSymbolNotFound
                       : cudaDriverEntryPointVersionNotSufficent;
  return cudaSuccess;
}

}  // extern "C"
