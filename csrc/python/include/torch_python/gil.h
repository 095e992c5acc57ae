// The interpreter's lock while native code works.
#pragma once

#include <Python.h>

#include <cstdint>

namespace torch::python {

// Gives up the interpreter's lock for its lifetime, if the work is worth it: a switch costs more
// than adding two small tensors does. `elements` is an estimate, and as such a number that cannot overflow.
class ReleaseGil {
 public:
  explicit ReleaseGil(double elements) : state_(elements >= 4096 ? PyEval_SaveThread() : nullptr) {}
  ~ReleaseGil() {
    if (state_) PyEval_RestoreThread(state_);
  }
  ReleaseGil(const ReleaseGil &) = delete;

 private:
  PyThreadState *state_;
};

}  // namespace torch::python
