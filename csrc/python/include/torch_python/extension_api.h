// What extensions of others need of libtorch_python: tensors, numbers and dtypes out of Python
// objects and into them, and errors. torch/extension.h builds pybind11's conversions on it.
//
// Every function needs the interpreter's lock. None throws: a failure is reported by its result,
// with Python's error set where a comment says so. torch is imported if the program has not yet.
#pragma once

#include <Python.h>

#include <THPP/Tensor.h>

#include <torch_python/export.h>

namespace torch::python {

// The tensor of a torch.Tensor or of an object of a derived type; borrowed. nullptr, without an
// error, for anything else; nullptr with an error if torch cannot be imported.
TORCH_PYTHON_API const thpp::Tensor *tensor_in(PyObject *object) noexcept;

// A torch.Tensor over the same elements; None for an undefined one. New reference; nullptr with an error.
TORCH_PYTHON_API PyObject *object_of(const thpp::Tensor &tensor) noexcept;

// A bool, int or float, or a tensor with one element. False, without an error, for anything else;
// false with an error for an int that does not fit.
TORCH_PYTHON_API bool number_in(PyObject *object, thpp::Scalar &number) noexcept;
TORCH_PYTHON_API PyObject *object_of(const thpp::Scalar &number) noexcept;  // new reference; nullptr with an error

// A torch.dtype. False, without an error, for anything else; false with an error as above.
TORCH_PYTHON_API bool dtype_in(PyObject *object, THDtype &dtype) noexcept;
TORCH_PYTHON_API PyObject *object_of(THDtype dtype) noexcept;  // new reference; nullptr with an error

// Inside a catch block: sets Python's error to what the bindings of torch raise for the exception.
TORCH_PYTHON_API void set_error_from_exception() noexcept;
// Inside a catch block: whether the exception is an error of Python's on its way through C++, which a hook or a function
// of Python raised in the backward pass. It is Python's error again then.
TORCH_PYTHON_API bool set_error_of_python() noexcept;

}  // namespace torch::python
