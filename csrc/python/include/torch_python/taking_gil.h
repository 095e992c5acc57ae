// What every wait for the interpreter's lock goes through. Of Python and the system alone: modules without tensors use it, too.
#pragma once

#include <Python.h>

#include <cxxabi.h>
#include <unistd.h>

namespace torch::python {

// Calls what waits for the interpreter's lock. Python ends a thread that still asks for it while the interpreter ends, by
// unwinding its stack, which functions that raise nothing do not survive: such a thread stays here, as Python 3.14 has it.
// So does one that asks when the interpreter has ended, and would be given a lock that guards nothing. The process's first
// thread is the one that ends it, and still works in the meantime.
template <class Wait>
void taking_gil(const Wait &wait) noexcept {
  if (!Py_IsInitialized() && gettid() != getpid())
    for (;;) pause();
  try {
    wait();
  } catch (const abi::__forced_unwind &) {
    for (;;) pause();
  }
}

}  // namespace torch::python
