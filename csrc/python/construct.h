// Tensors from Python data.
#pragma once

#include <Python.h>

#include <optional>

#include <THPP/Tensor.h>

namespace torch::python {

// A new tensor holding the values of a number, nested sequences, a NumPy array or a tensor. Without a
// dtype it is inferred.
thpp::Tensor tensor_from_data(PyObject *data, std::optional<THDtype> dtype);

extern PyMethodDef construct_functions[];  // torch.tensor and its like
extern PyMethodDef construct_methods[];    // new_tensor

}  // namespace torch::python
