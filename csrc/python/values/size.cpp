// torch.Size: a tuple of ints with numel(), their product, that stays a Size when sliced, added, repeated.
#include "errors.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

PyObject *new_size(thpp::IntList size) {
  PyObject *self = checked(SizeType.tp_alloc(&SizeType, Py_ssize_t(size.size())));
  for (size_t i = 0; i < size.size(); ++i) PyTuple_SET_ITEM(self, i, PyLong_FromLongLong(size[i]));
  return self;
}

static PyObject *make(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  return guarded([&]() -> PyObject * {
    Ref self = checked_ref(PyTuple_Type.tp_new(type, args, kwargs));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self.get()); ++i) {
      PyObject *item = PyTuple_GET_ITEM(self.get(), i);
      if (PyLong_Check(item)) {
        int overflow;
        PyLong_AsLongLongAndOverflow(item, &overflow);
        if (overflow) raise(PyExc_ValueError, "Overflow when unpacking long long");
        if (PyLong_CheckExact(item)) continue;
      }
      // Anything else that is an integer is replaced by one.
      PyObject *number = PyLong_Check(item) ? PyLong_FromLongLong(PyLong_AsLongLong(item)) : PyNumber_Index(item);
      if (!number) {
        PyErr_Clear();
        raise(PyExc_TypeError, "torch.Size() takes an iterable of 'int' (item %zd is '%s')", i, type_name(item));
      }
      Py_DECREF(item);
      PyTuple_SET_ITEM(self.get(), i, number);
    }
    return self.release();
  });
}

static PyObject *repr(PyObject *self) {
  return guarded([&]() -> PyObject * {
    Ref list = checked_ref(PySequence_List(self));
    return PyUnicode_FromFormat("torch.Size(%R)", list.get());
  });
}

// A tuple that a tuple's own slot has made, as a Size.
static PyObject *as_size(PyObject *made) {
  if (!made || made == Py_NotImplemented || !PyTuple_Check(made)) return made;
  Ref tuple(made);
  return PyObject_CallOneArg(reinterpret_cast<PyObject *>(&SizeType), made);
}

static PyObject *concat(PyObject *a, PyObject *b) { return as_size(PyTuple_Type.tp_as_sequence->sq_concat(a, b)); }
static PyObject *repeat(PyObject *a, Py_ssize_t n) { return as_size(PyTuple_Type.tp_as_sequence->sq_repeat(a, n)); }
static PyObject *subscript(PyObject *self, PyObject *index) {
  PyObject *result = PyTuple_Type.tp_as_mapping->mp_subscript(self, index);
  return PySlice_Check(index) ? as_size(result) : result;
}
// tuple + Size reaches this slot: PyTuple has no nb_add of its own.
static PyObject *add(PyObject *a, PyObject *b) {
  if (!PyTuple_Check(a) || !PyTuple_Check(b)) Py_RETURN_NOTIMPLEMENTED;
  return concat(a, b);
}

static PyObject *numel(PyObject *self, PyObject *) {
  return guarded([&] {
    Ref product(checked_ref(PyLong_FromLong(1)));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(self); ++i)
      product = checked_ref(PyNumber_Multiply(product.get(), PyTuple_GET_ITEM(self, i)));
    return product.release();
  });
}
static PyObject *reduce(PyObject *self, PyObject *) {
  return guarded([&] {
    Ref values = checked_ref(PySequence_Tuple(self));  // a plain tuple
    return Py_BuildValue("O(O)", &SizeType, values.get());
  });
}

static PyMethodDef methods[] = {
    {"numel", numel, METH_NOARGS, "Product of the sizes."},
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
static PyNumberMethods as_number = {.nb_add = add};
static PySequenceMethods as_sequence = {.sq_concat = concat, .sq_repeat = repeat};
static PyMappingMethods as_mapping = {.mp_subscript = subscript};

PyTypeObject SizeType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "torch.Size",
    .tp_repr = repr,
    .tp_as_number = &as_number,
    .tp_as_sequence = &as_sequence,
    .tp_as_mapping = &as_mapping,
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = methods,
    .tp_base = &PyTuple_Type,
    .tp_new = make,
};

}  // namespace torch::python
