#include "errors.h"

#include <cstdarg>
#include <new>

#include <TH/THGeneral.h>
#include <TH/THException.hpp>

namespace torch::python {

void raise(PyObject *type, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  PyErr_FormatV(type, format, arguments);
  va_end(arguments);
  throw PythonError();
}

PyObject *linalg_error() {
  return kept([] {
    return PyErr_NewExceptionWithDoc("torch._C._LinAlgError",
                                     "A matrix is singular, not positive definite, or an iteration did not converge.",
                                     PyExc_RuntimeError, nullptr);
  });
}

PyObject *memory_error() {
  return kept([] {
    return PyErr_NewExceptionWithDoc("torch.OutOfMemoryError", "A device has no memory left.", PyExc_RuntimeError,
                                     nullptr);
  });
}

void throw_python() {
  THError(TH_ERROR_RUNTIME, "a function written in Python cannot be called: the interpreter is ending");
}

struct CarriedError::Held {
  PyObject *type, *value, *traceback;
  std::string text;
  ~Held() {
    for (PyObject *const object : {type, value, traceback})
      if (object) end_reference(object);
  }
};

CarriedError::CarriedError() : held_(std::make_shared<Held>()) {
  PyErr_Fetch(&held_->type, &held_->value, &held_->traceback);
  PyErr_NormalizeException(&held_->type, &held_->value, &held_->traceback);
  const Ref text(held_->value ? PyObject_Str(held_->value) : nullptr);
  const char *const utf8 = text ? PyUnicode_AsUTF8(text.get()) : nullptr;
  PyErr_Clear();
  held_->text = utf8 ? utf8 : "an error in Python";
}

void CarriedError::restore() const {
  PyErr_Restore(Py_XNewRef(held_->type), Py_XNewRef(held_->value), Py_XNewRef(held_->traceback));
}

const char *CarriedError::what() const noexcept { return held_->text.c_str(); }

static PyObject *python_type(THErrorKind kind) {
  switch (kind) {
    case TH_ERROR_INDEX: return PyExc_IndexError;
    case TH_ERROR_VALUE: return PyExc_ValueError;
    case TH_ERROR_TYPE: return PyExc_TypeError;
    case TH_ERROR_NOT_IMPLEMENTED: return PyExc_NotImplementedError;
    case TH_ERROR_LINALG: return linalg_error();
    case TH_ERROR_MEMORY: return memory_error();
    case TH_ERROR_RUNTIME: return PyExc_RuntimeError;
  }
  return PyExc_RuntimeError;
}

void translate_exception() noexcept {
  try {
    calling_python([] { throw; });  // Python's end of a thread is none: see there
  } catch (const PythonError &) {
  } catch (const CarriedError &e) {
    e.restore();
  } catch (const th::Exception &e) {
    PyErr_SetString(python_type(e.kind()), e.what());
  } catch (const std::bad_alloc &) {
    PyErr_NoMemory();
  } catch (const std::exception &e) {
    PyErr_SetString(PyExc_RuntimeError, e.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "unknown C++ exception");
  }
}

}  // namespace torch::python
