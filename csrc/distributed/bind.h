// What the files of torch._distributed share.
#pragma once

#include <pybind11/chrono.h>
#include <torch/python.h>

#include <THD/ProcessGroup.h>

namespace torch::distributed {

using Unlocked = py::call_guard<py::gil_scoped_release>;  // others run while this waits

// A group that is let go of without the interpreter's lock: it waits for threads that may want it.
inline thd::GroupRef unlocked(thd::GroupRef group) {
  thd::ProcessGroup *const raw = group.get();
  return thd::GroupRef(raw, [held = std::move(group)](thd::ProcessGroup *) mutable {
    if (!Py_IsInitialized() || !PyGILState_Check()) return held.reset();
    const py::gil_scoped_release gone;
    held.reset();
  });
}

void bind_errors(py::module_ &module);
void bind_stores(py::module_ &module);
void bind_groups(py::module_ &module);
void bind_reducer(py::module_ &module);

}  // namespace torch::distributed
