// Exceptions between C++ and Python. Inside, errors are C++ exceptions: th::Exception from the
// libraries, PythonError when Python's error is set already. Every function that Python calls
// runs its body in `guarded`, which turns them into Python's.
#pragma once

#include <Python.h>

#include <exception>
#include <memory>
#include <string>

#include <torch_python/gil.h>

#include "ref.h"

namespace torch::python {

struct PythonError {};

// Python's error on its way through code that knows nothing of Python, maybe without the interpreter's lock: the backward
// pass, between a hook and the caller.
class CarriedError : public std::exception {
 public:
  CarriedError();  // takes the error that is set
  void restore() const;  // sets it again
  const char *what() const noexcept override;

 private:
  struct Held;
  std::shared_ptr<Held> held_;
};

PyObject *linalg_error();  // torch.linalg.LinAlgError; borrowed
PyObject *memory_error();  // torch.OutOfMemoryError; borrowed

// Sets the error and throws PythonError.
[[noreturn]] void raise(PyObject *type, const char *format, ...);

// A new reference or nullptr from the C API: nullptr becomes PythonError.
inline PyObject *checked(PyObject *object) {
  if (!object) throw PythonError();
  return object;
}
inline Ref checked_ref(PyObject *object) { return Ref(checked(object)); }
inline void checked(int status) {
  if (status < 0) throw PythonError();
}

// What `find` gives, a new reference, asked for once and kept for good. Not as the initializer of a static variable: where
// it runs Python code, the interpreter's lock may go to a thread that then waits for the variable and keeps the lock.
template <class Find>
PyObject *kept(Find find) {
  constinit static PyObject *known = nullptr;  // of this `find`: each lambda is a type of its own
  if (!known) {
    Ref found = checked_ref(find());
    if (!known) known = found.release();  // else another thread was faster
  }
  return known;
}

// Element i of a list or tuple that is being read. What is done with an element may run Python code (__index__,
// __getitem__, __del__) that changes the list, so it is looked up each time, and kept alive.
inline Ref element(PyObject *sequence, Py_ssize_t i) {
  if (i >= PySequence_Fast_GET_SIZE(sequence)) raise(PyExc_RuntimeError, "a list has become shorter while it was read");
  return Ref::borrow(PySequence_Fast_GET_ITEM(sequence, i));
}

// Inside a catch (...) block: sets Python's error.
void translate_exception() noexcept;

template <class Body>
PyObject *guarded(Body body) noexcept {
  try {
    return body();
  } catch (...) {
    translate_exception();
    return nullptr;
  }
}

[[noreturn]] void throw_python();  // the interpreter is ending, or has ended

// What C++ calls to run Python: takes the interpreter's lock for it, and lets errors through as a C++ exception.
template <class Body>
auto with_python(Body body) -> decltype(body()) {
  const HoldGil held;
  if (!held) throw_python();
  try {
    return calling_python(body);
  } catch (const PythonError &) {
    throw CarriedError();
  }
}

// The same for slots that answer with a number: -1 is the error.
template <class Body>
auto guarded_int(Body body) noexcept -> decltype(body()) {
  try {
    return body();
  } catch (...) {
    translate_exception();
    return -1;
  }
}

}  // namespace torch::python
