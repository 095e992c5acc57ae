// torch.autocast's state in the calling thread, as torch/amp and torch/_autocast.py set it.
#include "autograd.h"
#include "types.h"

#include <THPP/Autocast.h>

namespace torch::python {

namespace {

PyObject *set_enabled(PyObject *, PyObject *on) {
  thpp::set_autocast_enabled(on == Py_True);
  Py_RETURN_NONE;
}
PyObject *is_enabled(PyObject *, PyObject *) { return PyBool_FromLong(thpp::autocast_enabled()); }
PyObject *converts(PyObject *, PyObject *) { return PyBool_FromLong(thpp::autocast_converts()); }

PyObject *set_dtype(PyObject *, PyObject *dtype) {
  return guarded([&] {
    if (!is_dtype(dtype)) raise(PyExc_TypeError, "_set_autocast_dtype() takes a torch.dtype, not %s", type_name(dtype));
    thpp::set_autocast_dtype(reinterpret_cast<DtypeObject *>(dtype)->dtype);
    return Py_NewRef(Py_None);
  });
}
PyObject *get_dtype(PyObject *, PyObject *) { return Py_NewRef(dtype_object(thpp::autocast_dtype())); }

PyObject *set_cache_enabled(PyObject *, PyObject *on) {
  if (!PyBool_Check(on)) return PyErr_Format(PyExc_TypeError, "enabled must be a bool (got %s)", type_name(on));
  thpp::set_autocast_cache_enabled(on == Py_True);
  Py_RETURN_NONE;
}
PyObject *is_cache_enabled(PyObject *, PyObject *) { return PyBool_FromLong(thpp::autocast_cache_enabled()); }
PyObject *clear_cache(PyObject *, PyObject *) {
  thpp::clear_autocast_cache();
  Py_RETURN_NONE;
}

// _autocast_call(function, dtype, args, kwargs): function(*args, **kwargs) with floating-point tensors of the CPU in that
// dtype (None: autocast's; False: as they are), and its parts as they stand.
PyObject *call(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    PyObject *function, *wanted, *positional, *named;
    if (!PyArg_ParseTuple(args, "OOO!O!", &function, &wanted, &PyTuple_Type, &positional, &PyDict_Type, &named))
      return nullptr;
    const bool casts = wanted != Py_False;
    const THDtype dtype = is_dtype(wanted) ? dtype_of(wanted).value() : thpp::autocast_dtype();
    const auto cast = [&](PyObject *object) {
      return casts && is_tensor(object) ? wrap(thpp::autocast_to(tensor_of(object), dtype)) : Py_NewRef(object);
    };
    const Ref given = checked_ref(PyTuple_New(PyTuple_GET_SIZE(positional)));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(positional); i++)
      PyTuple_SET_ITEM(given.get(), i, checked(cast(PyTuple_GET_ITEM(positional, i))));
    const Ref keywords = checked_ref(PyDict_New());
    PyObject *name, *value;
    for (Py_ssize_t at = 0; PyDict_Next(named, &at, &name, &value);)
      checked(PyDict_SetItem(keywords.get(), name, checked_ref(cast(value)).get()));
    const thpp::NoAutocast off;
    return PyObject_Call(function, given.get(), keywords.get());
  });
}

}  // namespace

PyMethodDef autocast_functions[] = {
    {"_set_autocast_enabled", set_enabled, METH_O, nullptr},
    {"_is_autocast_enabled", is_enabled, METH_NOARGS, nullptr},
    {"_autocast_converts", converts, METH_NOARGS, nullptr},
    {"_set_autocast_dtype", set_dtype, METH_O, nullptr},
    {"_get_autocast_dtype", get_dtype, METH_NOARGS, nullptr},
    {"_autocast_call", call, METH_VARARGS, nullptr},
    {"set_autocast_cache_enabled", set_cache_enabled, METH_O,
     "set_autocast_cache_enabled(enabled): whether autocast keeps the weights that it has converted."},
    {"is_autocast_cache_enabled", is_cache_enabled, METH_NOARGS,
     "Whether autocast keeps the weights that it has converted."},
    {"clear_autocast_cache", clear_cache, METH_NOARGS, "Forgets the weights that autocast has converted."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::python
