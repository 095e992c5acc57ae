// What torch._nvrtc's files share: Python's objects with owners, errors as exceptions.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <memory>
#include <stdexcept>
#include <string>

#include "../python/include/torch_python/taking_gil.h"

namespace torch::nvrtc {

struct PythonError {};  // Python's error is set

struct Release {
  void operator()(PyObject *object) const { python::drop_reference(object); }
};
using Object = std::unique_ptr<PyObject, Release>;

// Takes a new reference; raises what Python has raised if there is none.
inline Object owned(PyObject *object) {
  if (!object) throw PythonError();
  return Object(object);
}

template <class Body>
PyObject *guarded(Body body) noexcept {
  try {
    return python::calling_python(body);
  } catch (const PythonError &) {
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (const std::exception &error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  }
  return nullptr;
}

struct WithoutGil {
  PyThreadState *const state = PyEval_SaveThread();
  WithoutGil() = default;
  WithoutGil(const WithoutGil &) = delete;
  ~WithoutGil() {
    python::taking_gil([this] { PyEval_RestoreThread(state); });
  }
};

extern PyMethodDef compiler_functions[];  // compile.cpp
extern PyMethodDef driver_functions[];    // driver.cpp

}  // namespace torch::nvrtc
