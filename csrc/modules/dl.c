/* torch._dl: the flags of dlopen(3) as numbers. They are the machine's, and Python does not
 * everywhere know them all. */
#include <Python.h>
#include <dlfcn.h>

static struct PyModuleDef definition = {PyModuleDef_HEAD_INIT, .m_name = "torch._dl", .m_size = 0};

PyMODINIT_FUNC PyInit__dl(void) {
  PyObject *module = PyModule_Create(&definition);
  if (!module) return NULL;
  if (PyModule_AddIntConstant(module, "RTLD_GLOBAL", RTLD_GLOBAL) < 0 ||
      PyModule_AddIntConstant(module, "RTLD_NOW", RTLD_NOW) < 0 ||
      PyModule_AddIntConstant(module, "RTLD_LAZY", RTLD_LAZY) < 0 ||
      PyModule_AddIntConstant(module, "RTLD_LOCAL", RTLD_LOCAL) < 0) {
    Py_DECREF(module);
    return NULL;
  }
  return module;
}
