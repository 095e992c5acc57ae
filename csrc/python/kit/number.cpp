#include "number.h"

#include "errors.h"
#include "numpy_bridge.h"
#include "tensor_object.h"

namespace torch::python {

static int64_t long_of(PyObject *object) {
  int overflow;
  const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (overflow) raise(PyExc_OverflowError, "int too big to convert");
  if (value == -1 && PyErr_Occurred()) throw PythonError();
  return value;
}

// One that int64 does not hold is uint64's.
static thpp::Scalar integer_of(PyObject *object) {
  int overflow;
  const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
  if (value == -1 && !overflow && PyErr_Occurred()) throw PythonError();
  if (!overflow) return thpp::Scalar(int64_t(value));
  const unsigned long long wide = overflow > 0 ? PyLong_AsUnsignedLongLong(object) : 0;
  if (overflow < 0 || (wide == ~0ull && PyErr_Occurred())) {
    PyErr_Clear();
    raise(PyExc_OverflowError, "int too big to convert");
  }
  return thpp::Scalar(uint64_t(wide));
}

thpp::Scalar number_of(PyObject *object) {
  if (PyFloat_Check(object)) return thpp::Scalar(PyFloat_AS_DOUBLE(object));
  if (PyBool_Check(object)) return thpp::Scalar(object == Py_True);
  if (PyLong_Check(object)) return integer_of(object);
  if (PyComplex_Check(object)) return thpp::Scalar({PyComplex_RealAsDouble(object), PyComplex_ImagAsDouble(object)});
  if (is_tensor(object)) return item_of(tensor_of(object));
  // NumPy's scalars other than float64 know best what they are: numpy.bool has an __index__, too, and warns.
  if (PyIndex_Check(object) && !is_numpy_scalar(object)) {
    Ref number = Ref(PyNumber_Index(object));
    if (number) return integer_of(number.get());
    PyErr_Clear();
  }
  Ref value = checked_ref(PyObject_CallMethod(object, "item", nullptr));
  if (!PyFloat_Check(value.get()) && !PyLong_Check(value.get()) && !PyComplex_Check(value.get()))
    raise(PyExc_TypeError, "%s is not a number that tensors can hold", type_name(object));
  return number_of(value.get());
}

int64_t int_of(PyObject *object) {
  if (PyLong_Check(object)) return long_of(object);
  Ref number = checked_ref(PyNumber_Index(object));
  return long_of(number.get());
}

Ints ints_of(PyObject *sequence) {
  Ints ints{size_t(PySequence_Fast_GET_SIZE(sequence))};
  for (size_t i = 0; i < ints.size(); ++i) ints[i] = int_of(element(sequence, Py_ssize_t(i)).get());
  return ints;
}

}  // namespace torch::python
