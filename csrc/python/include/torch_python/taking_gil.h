// What every wait for the interpreter's lock goes through. Of C++ and the system alone: modules without tensors use it, too.
#pragma once

#include <cxxabi.h>
#include <unistd.h>

namespace torch::python {

// Calls what waits for the interpreter's lock. Python ends a thread that still asks for it while the interpreter ends, by
// unwinding its stack, which functions that raise nothing do not survive: such a thread stays here, as Python 3.14 has it.
template <class Wait>
void taking_gil(const Wait &wait) noexcept {
  try {
    wait();
  } catch (const abi::__forced_unwind &) {
    for (;;) pause();
  }
}

}  // namespace torch::python
