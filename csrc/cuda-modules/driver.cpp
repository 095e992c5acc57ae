// torch._nvrtc: images in a device, their kernels, launches. The driver's functions are found through the runtime, which
// opens libcuda.so.1: this module is linked with no driver.
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <elf.h>

#include <cstring>
#include <vector>

#include "python.h"

namespace torch::nvrtc {

namespace {

void check(cudaError_t error, const char *call) {
  if (error != cudaSuccess)
    throw std::runtime_error(std::string("CUDA error: ") + cudaGetErrorString(error) + " (" + cudaGetErrorName(error) +
                             " of " + call + ")");
}

// The function of the driver that has this name, as CUDA 12.4, the first to have them all, declares it.
template <class F>
F *entry(const char *name) {
  void *function = nullptr;
  cudaDriverEntryPointQueryResult found = cudaDriverEntryPointSymbolNotFound;
  check(cudaGetDriverEntryPointByVersion(name, &function, 12040, cudaEnableDefault, &found), name);
  if (!function) throw std::runtime_error(std::string("the driver has no ") + name);
  return reinterpret_cast<F *>(function);
}

struct Driver {
#define ENTRY(name) decltype(::name) *name = entry<decltype(::name)>(#name)
  ENTRY(cuGetErrorName);
  ENTRY(cuGetErrorString);
  ENTRY(cuModuleLoadData);
  ENTRY(cuModuleUnload);
  ENTRY(cuModuleGetFunction);
  ENTRY(cuFuncGetParamInfo);
  ENTRY(cuFuncSetAttribute);
  ENTRY(cuLaunchKernel);
#undef ENTRY
};
const Driver &driver() {
  static const Driver found;  // or, where there is none, an exception, each time
  return found;
}

void check(CUresult error, const std::string &call) {
  if (error == CUDA_SUCCESS) return;
  const char *name = nullptr, *text = nullptr;
  driver().cuGetErrorName(error, &name);
  driver().cuGetErrorString(error, &text);
  throw std::runtime_error(std::string("CUDA error: ") + (text ? text : "unknown") + " (" + (name ? name : "no name") +
                           " of " + call + ")");
}

// The device is the calling thread's current one while this lives.
struct OnDevice {
  int before = 0;
  const int now;
  explicit OnDevice(int device) : now(device) {
    check(cudaGetDevice(&before), "cudaGetDevice");
    check(cudaSetDevice(device), "cudaSetDevice");  // also where it is that already: the thread may have no context yet
  }
  OnDevice(const OnDevice &) = delete;
  ~OnDevice() {
    if (before != now) cudaSetDevice(before);  // makes a context, where there is none yet
  }
};

// ---- modules and kernels, as capsules -------------------------------------------------------------
struct Module {
  CUmodule handle = nullptr;
  int device = 0;
};
struct Kernel {
  CUfunction handle = nullptr;
  int device = 0;
  std::vector<size_t> sizes;  // of its parameters
  Object module;  // which outlives it
};
constexpr char module_name[] = "torch._nvrtc.module", kernel_name[] = "torch._nvrtc.kernel";

template <class T>
T &in(PyObject *capsule, const char *name) {
  void *const found = PyCapsule_GetPointer(capsule, name);
  if (!found) throw PythonError();
  return *static_cast<T *>(found);
}

// When Python forgets it. A device that has failed, or a process that ends, has no module to unload any more.
void free_module(PyObject *capsule) {
  Module *const module = static_cast<Module *>(PyCapsule_GetPointer(capsule, module_name));
  try {
    const WithoutGil free;  // it waits for the device
    const OnDevice there(module->device);
    driver().cuModuleUnload(module->handle);
  } catch (const std::exception &) {
  }
  delete module;
}
void free_kernel(PyObject *capsule) { delete static_cast<Kernel *>(PyCapsule_GetPointer(capsule, kernel_name)); }

// The driver is not told how long an image is, and believes what its headers say. A null byte follows bytes of Python, as
// PTX wants it.
void check_size(const char *image, size_t size) {
  if (size < SELFMAG)
    throw std::runtime_error("an image of " + std::to_string(size) + " bytes is neither PTX nor code");
  if (std::memcmp(image, ELFMAG, SELFMAG) != 0) return;
  Elf64_Ehdr header;
  if (size < sizeof header)
    throw std::runtime_error("an image of " + std::to_string(size) + " bytes is cut off: the header of ELF has " +
                             std::to_string(sizeof header));
  std::memcpy(&header, image, sizeof header);
  const auto holds = [=](const char *table, uint64_t at, size_t entries, size_t each) {
    if (at <= size && entries * each <= size - at) return;
    throw std::runtime_error("an image of " + std::to_string(size) + " bytes is cut off: its " + table + " begins at " +
                             std::to_string(at) + " and has " + std::to_string(entries * each) + " bytes");
  };
  holds("section table", header.e_shoff, header.e_shnum, header.e_shentsize);
  holds("segment table", header.e_phoff, header.e_phnum, header.e_phentsize);
}

PyObject *load(PyObject *, PyObject *args) {
  const char *image;
  Py_ssize_t size;
  int device;
  if (!PyArg_ParseTuple(args, "y#i:load", &image, &size, &device)) return nullptr;
  return guarded([&] {
    check_size(image, size_t(size));
    auto module = std::make_unique<Module>();
    module->device = device;
    {
      const WithoutGil free;
      const OnDevice there(device);
      check(driver().cuModuleLoadData(&module->handle, image), "cuModuleLoadData");
    }
    Object capsule = owned(PyCapsule_New(module.get(), module_name, free_module));
    module.release();
    return capsule.release();
  });
}

PyObject *kernel(PyObject *, PyObject *args) {
  PyObject *capsule;
  const char *name;
  if (!PyArg_ParseTuple(args, "Os:kernel", &capsule, &name)) return nullptr;
  return guarded([&] {
    const Module &module = in<Module>(capsule, module_name);
    const OnDevice there(module.device);
    auto made = std::make_unique<Kernel>();
    made->device = module.device;
    check(driver().cuModuleGetFunction(&made->handle, module.handle, name),
          std::string("cuModuleGetFunction(\"") + name + "\")");
    size_t offset, size;
    while (driver().cuFuncGetParamInfo(made->handle, made->sizes.size(), &offset, &size) == CUDA_SUCCESS)
      made->sizes.push_back(size);
    made->module.reset(Py_NewRef(capsule));
    Object result = owned(PyCapsule_New(made.get(), kernel_name, free_kernel));
    made.release();
    return result.release();
  });
}

PyObject *parameters(PyObject *, PyObject *capsule) {
  return guarded([&] {
    const Kernel &kernel = in<Kernel>(capsule, kernel_name);
    const Object sizes = owned(PyTuple_New(Py_ssize_t(kernel.sizes.size())));
    for (size_t i = 0; i < kernel.sizes.size(); i++)
      PyTuple_SET_ITEM(sizes.get(), Py_ssize_t(i), owned(PyLong_FromSize_t(kernel.sizes[i])).release());
    return Py_NewRef(sizes.get());
  });
}

PyObject *device(PyObject *, PyObject *capsule) {
  return guarded([&] { return PyLong_FromLong(in<Kernel>(capsule, kernel_name).device); });
}

PyObject *allow_shared_memory(PyObject *, PyObject *args) {
  PyObject *capsule;
  int bytes;
  if (!PyArg_ParseTuple(args, "Oi:allow_shared_memory", &capsule, &bytes)) return nullptr;
  return guarded([&] {
    const Kernel &kernel = in<Kernel>(capsule, kernel_name);
    const OnDevice there(kernel.device);
    check(driver().cuFuncSetAttribute(kernel.handle, CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES, bytes),
          "cuFuncSetAttribute");
    return Py_NewRef(Py_None);
  });
}

PyObject *launch(PyObject *, PyObject *args) {
  PyObject *capsule, *values;
  unsigned grid[3], block[3], shared;
  unsigned long long stream;
  if (!PyArg_ParseTuple(args, "O(III)(III)IKO!:launch", &capsule, &grid[0], &grid[1], &grid[2], &block[0], &block[1],
                        &block[2], &shared, &stream, &PyTuple_Type, &values))
    return nullptr;
  return guarded([&] {
    const Kernel &kernel = in<Kernel>(capsule, kernel_name);
    const size_t count = size_t(PyTuple_GET_SIZE(values));
    if (count != kernel.sizes.size())
      throw std::runtime_error("the kernel takes " + std::to_string(kernel.sizes.size()) + " arguments, not " +
                               std::to_string(count));
    std::vector<void *> pointers(count + 1);  // never empty: the driver wants to see an array
    for (size_t i = 0; i < count; i++) {
      char *data;
      Py_ssize_t size;
      if (PyBytes_AsStringAndSize(PyTuple_GET_ITEM(values, Py_ssize_t(i)), &data, &size) < 0) throw PythonError();
      if (size_t(size) != kernel.sizes[i])
        throw std::runtime_error("argument " + std::to_string(i) + " of the kernel takes " +
                                 std::to_string(kernel.sizes[i]) + " bytes, not " + std::to_string(size));
      pointers[i] = data;
    }
    {
      const WithoutGil free;
      const OnDevice there(kernel.device);
      check(driver().cuLaunchKernel(kernel.handle, grid[0], grid[1], grid[2], block[0], block[1], block[2], shared,
                                    CUstream(uintptr_t(stream)), pointers.data(), nullptr),
            "cuLaunchKernel");
    }
    return Py_NewRef(Py_None);
  });
}

PyObject *error_text(PyObject *, PyObject *code) {
  return guarded([&] {
    const long number = PyLong_AsLong(code);
    if (number == -1 && PyErr_Occurred()) throw PythonError();
    return PyUnicode_FromString(cudaGetErrorString(cudaError_t(number)));
  });
}

}  // namespace

PyMethodDef driver_functions[] = {
    {"error_text", error_text, METH_O, "error_text(code): what the runtime says of a cudaError_t. Needs no driver."},
    {"load", load, METH_VARARGS, "load(image, device): PTX or code in a device. RuntimeError if that cannot run it."},
    {"kernel", kernel, METH_VARARGS, "kernel(module, name): the kernel of that name, which keeps the module."},
    {"parameters", parameters, METH_O, "parameters(kernel): the sizes of its parameters in bytes, a tuple."},
    {"device", device, METH_O, "device(kernel): the index of its device."},
    {"allow_shared_memory", allow_shared_memory, METH_VARARGS,
     "allow_shared_memory(kernel, bytes): launches may ask for so much, beyond the 48 KiB that any may."},
    {"launch", launch, METH_VARARGS,
     "launch(kernel, grid, block, shared, stream, values): grid and block are triples of ints, stream a cudaStream_t, an\n"
     "int, values a tuple of bytes, one for each parameter. Does not wait."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::nvrtc
