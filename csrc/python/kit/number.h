// Python numbers as C++ ones.
#pragma once

#include <torch_python/args.h>

namespace torch::python {

// bool, int, float, one of NumPy's scalars, or a tensor with one element. Ints that int64 or uint64 holds.
thpp::Scalar number_of(PyObject *object);
// An int, or anything with __index__.
int64_t int_of(PyObject *object);
// The ints of a list or tuple.
Ints ints_of(PyObject *sequence);

}  // namespace torch::python
