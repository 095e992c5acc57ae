// torch._cuda: devices, streams and events of THC. torch/cuda is over it, and imports it at the first use of a device.
#include "bind.h"

#include "start.h"

namespace torch::cuda {

namespace {

// A dict of what there is to know of a device.
PyObject *properties(PyObject *, PyObject *device) {
  return guarded([&] {
    const int index = from<int>(device);
    const THCDeviceProperties &p = *[index] {
      WithoutGil free;
      return THC_deviceProperties(index);
    }();
    return Py_BuildValue(
        "{s:s,s:y#,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:i,s:n,s:n,s:n,s:n,s:n}", "name", p.name,
        "uuid", reinterpret_cast<const char *>(p.uuid), Py_ssize_t(sizeof p.uuid), "major", p.major, "minor", p.minor,
        "multi_processor_count", p.multiProcessorCount, "max_threads_per_multi_processor",
        p.maxThreadsPerMultiProcessor, "warp_size", p.warpSize, "regs_per_multiprocessor", p.regsPerMultiprocessor,
        "is_integrated", p.isIntegrated, "is_multi_gpu_board", p.isMultiGpuBoard, "pci_domain_id", p.pciDomain,
        "pci_bus_id", p.pciBus, "pci_device_id", p.pciDevice, "clock_rate", p.clockRate, "memory_clock_rate",
        p.memoryClockRate, "memory_bus_width", p.memoryBusWidth, "total_memory", Py_ssize_t(p.totalMemory),
        "shared_memory_per_block", Py_ssize_t(p.sharedMemoryPerBlock), "shared_memory_per_block_optin",
        Py_ssize_t(p.sharedMemoryPerBlockOptin), "shared_memory_per_multiprocessor",
        Py_ssize_t(p.sharedMemoryPerMultiprocessor), "L2_cache_size", Py_ssize_t(p.l2CacheSize));
  });
}

PyObject *priority_range(PyObject *, PyObject *) {
  return guarded([] {
    int least, greatest;
    {
      WithoutGil free;
      THC_streamPriorityRange(&least, &greatest);
    }
    return Py_BuildValue("ii", least, greatest);
  });
}

void *blas_handle(int device) { return THCState_blasHandle(THC_state(device)); }

PyMethodDef functions[] = {
    row<start>("start", "Registers the devices, or raises RuntimeError with the reason why there is none."),
    row<THC_deviceCount>("device_count", "How many devices there are; 0 without a driver."),
    row<THC_whyNoDevice>("why_no_device", "Why that is 0, or None."),
    row<THC_getDevice>("get_device", "The index of the thread's current device."),
    row<THC_setDevice>("set_device", "Makes the device of that index the thread's current one."),
    row<THC_synchronize>("synchronize", "Waits for a device; raises what its kernels have met."),
    {"properties", properties, METH_O, "What there is to know of a device: a dict."},
    row<THC_canAccessPeer>("can_access_peer", "Whether one device reads another's memory."),
    row<THC_runtimeVersion>("runtime_version", "13000: CUDA 13.0."),
    row<THC_driverVersion>("driver_version", "What the driver can; 0 without one."),
    row<THC_compiledArchitectures>("architectures", "What the kernels are compiled for: \"sm_90 compute_90\"."),
    row<blas_handle>("blas_handle", "The thread's cublasHandle_t of a device, an int."),

    row<THC_currentStream>("current_stream", "The thread's current stream of a device, an int; 0: the default one."),
    row<THC_setCurrentStream>("set_current_stream", "Makes a stream the current one of a device."),
    row<THC_streamFromPool>("stream_from_pool", "(device, priority): one of the streams that torch keeps."),
    row<THC_streamPriority>("stream_priority", "(stream, device): its priority; below 0 is a high one."),
    {"priority_range", priority_range, METH_NOARGS, "(least, greatest) priority of streams."},
    row<THC_streamQuery>("stream_query", "(stream, device): whether it has done all its work."),
    row<THC_streamSynchronize>("stream_synchronize", "(stream, device): waits for its work."),

    row<THCEvent_new>("event_new", "(timing, blocking, interprocess): an event."),
    row<THCEvent_record>("event_record", "(event, stream, device)"),
    row<THCEvent_wait>("event_wait", "(event, stream, device): the stream goes on after it."),
    row<THCEvent_query>("event_query", "Whether it has been reached."),
    row<THCEvent_synchronize>("event_synchronize", "Waits until it has been reached."),
    row<THCEvent_elapsed>("event_elapsed", "(start, end): milliseconds between them."),
    row<THCEvent_device>("event_device", "The index of its device; -1 if it is not recorded."),
    row<THCEvent_handle>("event_handle", "Its cudaEvent_t, an int; 0 if it is not recorded."),
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace

}  // namespace torch::cuda

PyMODINIT_FUNC PyInit__cuda() {
  static PyModuleDef definition = {PyModuleDef_HEAD_INIT, "torch._cuda", nullptr, -1, torch::cuda::functions};
  PyObject *const module = PyModule_Create(&definition);
  if (module && PyModule_AddFunctions(module, torch::cuda::memory_functions) == 0) return module;
  Py_XDECREF(module);
  return nullptr;
}
