// What the files of torch._distributed share.
#pragma once

#include <pybind11/chrono.h>
#include <torch/python.h>

#include <THD/ProcessGroup.h>

namespace torch::distributed {

using Unlocked = py::call_guard<py::gil_scoped_release>;  // others run while this waits

void bind_errors(py::module_ &module);
void bind_stores(py::module_ &module);
void bind_groups(py::module_ &module);
void bind_reducer(py::module_ &module);

}  // namespace torch::distributed
