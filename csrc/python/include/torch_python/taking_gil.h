// What every wait for the interpreter's lock goes through, and calls of what users wrote. Of Python and the system alone: modules without tensors use it, too.
#pragma once

#include <Python.h>

#include <cxxabi.h>
#include <unistd.h>

namespace torch::python {

// Calls Python, or what waits for its lock. Python ends a thread that asks for the lock while the interpreter ends, by
// unwinding its stack: functions that raise nothing do not survive that, nor do destructors that give objects back without
// the lock. Such a thread stays here, as Python 3.14 has it. (gcc gives the handler a null reference: what is caught is no
// object of C++. UndefinedBehaviorSanitizer need not say so.)
template <class Call>
__attribute__((no_sanitize("undefined"))) auto calling_python(const Call &call) -> decltype(call()) {
  try {
    return call();
  } catch (const abi::__forced_unwind &) {
    for (;;) pause();
  }
}

// A wait for the lock. A thread that asks when the interpreter has ended would be given a lock that guards nothing, and
// stays, too. The process's first thread is the one that ends it, and still works in the meantime.
template <class Wait>
void taking_gil(const Wait &wait) noexcept {
  if (!Py_IsInitialized() && gettid() != getpid())
    for (;;) pause();
  calling_python(wait);
}

// Gives a reference back, with the lock: with the last one Python code may run (__del__). Without it a stack is being unwound
// (see calling_python), and the thread stays before it would end an object.
[[gnu::noinline]] inline void drop_last_reference(PyObject *object) noexcept {
  if (!PyGILState_Check())
    for (;;) pause();
  calling_python([object] { Py_DECREF(object); });
}
inline void drop_reference(PyObject *object) noexcept {
  if (Py_REFCNT(object) > 1)
    Py_DECREF(object);
  else
    drop_last_reference(object);
}

}  // namespace torch::python
