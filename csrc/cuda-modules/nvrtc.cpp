// torch._nvrtc: CUDA C++ compiled in the running process, by NVRTC, and launched by the driver. The driver is looked for at
// the first use of what needs it: sources are compiled also where there is none. torch/cuda/_utils.py is over it.
#include "python.h"

PyMODINIT_FUNC PyInit__nvrtc() {
  static PyModuleDef definition = {
      PyModuleDef_HEAD_INIT, "torch._nvrtc", nullptr, -1, nullptr, nullptr, nullptr, nullptr, nullptr};
  PyObject *const module = PyModule_Create(&definition);
  if (module && PyModule_AddFunctions(module, torch::nvrtc::compiler_functions) == 0 &&
      PyModule_AddFunctions(module, torch::nvrtc::driver_functions) == 0)
    return module;
  Py_XDECREF(module);
  return nullptr;
}
