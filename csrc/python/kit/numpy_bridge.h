// NumPy arrays as tensors and back, over the same memory. NumPy is never imported by us before an
// array is needed; whether an object is NumPy's is found out without it.
#pragma once

#include <Python.h>

#include <THPP/Tensor.h>

namespace torch::python {

bool is_numpy_array(PyObject *object);
bool is_numpy_scalar(PyObject *object);  // numpy.float32(1) and the like; float64 is a float, too
bool is_numpy_complex(PyObject *object);
bool is_numpy_bool(PyObject *object);
bool is_numpy_integer(PyObject *object);  // an array of no dimensions that holds one
// The dtype of a NumPy scalar.
THDtype numpy_scalar_dtype(PyObject *object);

thpp::Tensor tensor_from_numpy(PyObject *array);  // keeps the array alive
// NumPy's array over the tensor's memory; it keeps `owner`, the tensor's object, alive.
PyObject *numpy_from_tensor(PyObject *owner);

}  // namespace torch::python
