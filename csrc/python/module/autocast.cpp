// torch.autocast's state in the calling thread, as torch/amp and torch/_autocast.py set it.
#include <algorithm>
#include <optional>

#include "errors.h"
#include "functions.h"
#include "tensor_object.h"
#include "types.h"

#include <THPP/Autocast.h>

namespace torch::python {

namespace {

// Whose setting is meant, "cpu" or "cuda": torch/_autocast.py keeps those of others itself.
THDeviceKind kind_of(PyObject *name) {
  return PyUnicode_Check(name) && !PyUnicode_CompareWithASCIIString(name, "cuda") ? TH_CUDA : TH_CPU;
}

PyObject *set_enabled(PyObject *, PyObject *args) {
  PyObject *kind, *on;
  if (!PyArg_ParseTuple(args, "OO!", &kind, &PyBool_Type, &on)) return nullptr;
  thpp::set_autocast_enabled(kind_of(kind), on == Py_True);
  Py_RETURN_NONE;
}
PyObject *is_enabled(PyObject *, PyObject *kind) { return PyBool_FromLong(thpp::autocast_enabled(kind_of(kind))); }
PyObject *converts(PyObject *, PyObject *) {
  return PyBool_FromLong(thpp::autocast_converts(TH_CPU) || thpp::autocast_converts(TH_CUDA));
}

PyObject *set_dtype(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    PyObject *kind, *dtype;
    if (!PyArg_ParseTuple(args, "OO", &kind, &dtype)) return nullptr;
    if (!is_dtype(dtype)) raise(PyExc_TypeError, "_set_autocast_dtype() takes a torch.dtype, not %s", type_name(dtype));
    thpp::set_autocast_dtype(kind_of(kind), reinterpret_cast<DtypeObject *>(dtype)->dtype);
    return Py_NewRef(Py_None);
  });
}
PyObject *get_dtype(PyObject *, PyObject *kind) { return Py_NewRef(dtype_object(thpp::autocast_dtype(kind_of(kind)))); }

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

// ---- functions with a Python body -------------------------------------------------------------------
constexpr const char *kPolicies[] = {
#define NAME(name) #name,
    THPP_CASTS(NAME)
#undef NAME
};

// A policy by its name in codegen/autocast.py; throws. None: the function is on no list.
std::optional<thpp::Cast> policy_of(PyObject *name) {
  if (name == Py_None) return std::nullopt;
  for (size_t i = 0; i < std::size(kPolicies); i++)
    if (PyUnicode_Check(name) && !PyUnicode_CompareWithASCIIString(name, kPolicies[i])) return thpp::Cast(i);
  raise(PyExc_ValueError, "_autocast_call(): there is no policy %R", name);
}

bool is_sequence(PyObject *object) { return PyTuple_Check(object) || PyList_Check(object); }

// All tensors among the arguments, those in lists too.
void gather(PyObject *object, std::vector<thpp::Tensor> &tensors) {
  if (is_tensor(object)) tensors.push_back(tensor_of(object));
  if (!is_sequence(object)) return;
  const Ref items = checked_ref(PySequence_Fast(object, ""));
  for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); i++)
    if (is_tensor(PySequence_Fast_GET_ITEM(items.get(), i)))
      tensors.push_back(tensor_of(PySequence_Fast_GET_ITEM(items.get(), i)));
}

PyObject *cast_object(PyObject *object, THDeviceKind kind, THDtype dtype) {
  if (is_tensor(object)) {
    const thpp::Tensor &given = tensor_of(object), cast = thpp::autocast_to(kind, given, dtype);
    return cast.get() == given.get() ? Py_NewRef(object) : wrap(cast);
  }
  std::vector<thpp::Tensor> inside;
  gather(object, inside);
  if (inside.empty()) return Py_NewRef(object);
  Ref list = checked_ref(PySequence_List(object));
  for (Py_ssize_t i = 0; i < PyList_GET_SIZE(list.get()); i++) {
    PyObject *item = PyList_GET_ITEM(list.get(), i);
    if (is_tensor(item)) checked(PyList_SetItem(list.get(), i, checked(cast_object(item, kind, dtype))));
  }
  return PyTuple_Check(object) ? PyList_AsTuple(list.get()) : list.release();
}

// _autocast_call(function, policies, args, kwargs): function(*args, **kwargs), a function with a Python body, by the
// policy for the kind of device that its tensors are on.
PyObject *call(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    PyObject *function, *on_cpu, *on_cuda, *positional, *named;
    if (!PyArg_ParseTuple(args, "O(OO)O!O!", &function, &on_cpu, &on_cuda, &PyTuple_Type, &positional, &PyDict_Type,
                          &named))
      return nullptr;
    std::vector<thpp::Tensor> tensors;
    PyObject *name, *value;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(positional); i++) gather(PyTuple_GET_ITEM(positional, i), tensors);
    for (Py_ssize_t at = 0; PyDict_Next(named, &at, &name, &value);) gather(value, tensors);
    const bool elsewhere = std::ranges::any_of(tensors, [](const auto &t) { return t.device().kind != TH_CPU; });
    const THDeviceKind kind = elsewhere ? TH_CUDA : TH_CPU;
    const std::optional<thpp::Cast> policy = policy_of(elsewhere ? on_cuda : on_cpu);
    if (!policy || !thpp::autocast_converts(kind)) return PyObject_Call(function, positional, named);
    if (policy == thpp::Cast::AsGiven) {
      const thpp::NoAutocast off;
      return PyObject_Call(function, positional, named);
    }
    const THDtype dtype = thpp::autocast_target(kind, *policy, tensors);
    const Ref given = checked_ref(PyTuple_New(PyTuple_GET_SIZE(positional)));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(positional); i++)
      PyTuple_SET_ITEM(given.get(), i, checked(cast_object(PyTuple_GET_ITEM(positional, i), kind, dtype)));
    const Ref keywords = checked_ref(PyDict_New());
    for (Py_ssize_t at = 0; PyDict_Next(named, &at, &name, &value);)
      checked(PyDict_SetItem(keywords.get(), name, checked_ref(cast_object(value, kind, dtype)).get()));
    const thpp::NoAutocast off;
    return PyObject_Call(function, given.get(), keywords.get());
  });
}

}  // namespace

PyMethodDef autocast_functions[] = {
    {"_set_autocast_enabled", set_enabled, METH_VARARGS, nullptr},
    {"_is_autocast_enabled", is_enabled, METH_O, nullptr},
    {"_autocast_converts", converts, METH_NOARGS, nullptr},
    {"_set_autocast_dtype", set_dtype, METH_VARARGS, nullptr},
    {"_get_autocast_dtype", get_dtype, METH_O, nullptr},
    {"_autocast_call", call, METH_VARARGS, nullptr},
    {"set_autocast_cache_enabled", set_cache_enabled, METH_O,
     "set_autocast_cache_enabled(enabled): whether autocast keeps the weights that it has converted."},
    {"is_autocast_cache_enabled", is_cache_enabled, METH_NOARGS,
     "Whether autocast keeps the weights that it has converted."},
    {"clear_autocast_cache", clear_cache, METH_NOARGS, "Forgets the weights that autocast has converted."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::python
