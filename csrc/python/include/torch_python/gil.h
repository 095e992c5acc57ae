// The interpreter's lock while native code works.
#pragma once

#include <Python.h>

#include <cmath>

#include <THPP/Tensor.h>

#include "taking_gil.h"

namespace torch::python {

// How much work a tensor's elements are. A device may have other work to do first, for which a call waits: to see a
// result, to have memory, to have room in its queue.
inline double work(const thpp::Tensor &tensor) {
  if (!tensor.defined()) return 0;
  return tensor.device().kind == TH_CUDA ? INFINITY : double(tensor.numel());
}

// Gives up the interpreter's lock for its lifetime, if the work is worth it: a switch costs more
// than adding two small tensors does. `elements` is an estimate, and as such a number that cannot overflow.
class ReleaseGil {
 public:
  explicit ReleaseGil(double elements) : state_(elements >= 4096 ? PyEval_SaveThread() : nullptr) {}
  explicit ReleaseGil(const thpp::Tensor &tensor) : ReleaseGil(work(tensor)) {}
  ~ReleaseGil() {
    if (state_) taking_gil([this] { PyEval_RestoreThread(state_); });
  }
  ReleaseGil(const ReleaseGil &) = delete;

 private:
  PyThreadState *state_;
};

// Takes the interpreter's lock for its lifetime, where something that native code owns comes to its end. False if there is
// no interpreter any more that could end an object: then the object stays.
class HoldGil {
 public:
  HoldGil() : held_(Py_IsInitialized() && (!is_finalizing() || PyGILState_Check())) {
    if (held_) taking_gil([this] { state_ = PyGILState_Ensure(); });
  }
  ~HoldGil() {
    if (!held_) return;
    if (!PyGILState_Check())  // the stack is being unwound
      for (;;) pause();
    calling_python([this] { PyGILState_Release(state_); });
  }
  HoldGil(const HoldGil &) = delete;
  explicit operator bool() const { return held_; }

 private:
  static bool is_finalizing() {
#if PY_VERSION_HEX < 0x030D0000
    return _Py_IsFinalizing();
#else
    return Py_IsFinalizing();
#endif
  }
  const bool held_;
  PyGILState_STATE state_{};
};

// Gives back a reference that native code owned, in whichever thread.
inline void end_reference(PyObject *object) noexcept {
  if (const HoldGil held; held) drop_reference(object);
}

}  // namespace torch::python
