/* torch._C: a door. All that is behind it lives in libtorch_python. */
#include <Python.h>

#include <torch_python/init.h>

PyMODINIT_FUNC PyInit__C(void) { return torch_python_init(); }
