// Tensors from Python data.
#pragma once

#include <Python.h>

#include <optional>

#include <THPP/Tensor.h>

namespace torch::python {

// A new tensor holding the values of a number, nested sequences, a NumPy array or a tensor. Without a
// dtype it is inferred; without a device it is the CPU, or where a tensor is.
thpp::Tensor tensor_from_data(PyObject *data, std::optional<THDtype> dtype, std::optional<THDevice> device = {});

// storage/buffer.cpp: a tensor over `count` elements (-1: all) of a buffer, from byte `offset` on; keeps the object alive.
thpp::Tensor tensor_over_buffer(PyObject *object, THDtype dtype, int64_t count = -1, int64_t offset = 0);

extern PyMethodDef construct_functions[];  // torch.tensor and its like
extern PyMethodDef construct_methods[];    // new_tensor

}  // namespace torch::python
