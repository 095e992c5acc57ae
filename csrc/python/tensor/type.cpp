// The constructors of torch.Tensor, and the making of its type from the tables of other files.
#include <Python.h>

#include <structmember.h>

#include <cstddef>
#include <cstring>
#include <optional>
#include <string_view>
#include <vector>

#include <torch_python/args.h>
#include <THPP/Functions.h>

#include "autograd.h"
#include "binder.h"
#include "construct.h"
#include "errors.h"
#include "native.h"
#include "number.h"
#include "overrides.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

// ---- torch.Tensor(...), torch.FloatTensor(...), tensor.new(...): the old constructor ------------
static const char *kind_of(THDevice device) { return TH_deviceName(THDeviceKind(device.kind)); }

// The device that device= names, which must be of the kind that the constructor makes tensors on. A bare number counts
// accelerators.
static THDevice device_among(THDevice kind, PyObject *value) {
  if (!is_device_like(value))
    raise(PyExc_TypeError, "new(): argument 'device' must be torch.device, not %s", type_name(value));
  const auto check = [&](const std::string &given) {
    if (given != kind_of(kind))
      raise(PyExc_RuntimeError, "legacy constructor expects device type: %s but device type: %s was passed",
            kind_of(kind), given.c_str());
  };
  if (!PyLong_Check(value)) {  // before a device that is not there is looked for
    const Ref text = checked_ref(PyObject_Str(value));
    const std::string name = PyUnicode_AsUTF8(text.get());
    check(name.substr(0, name.find(':')));
  }
  const THDevice device = device_of(value);
  check(kind_of(device));
  return device;
}

// The keywords that it takes: device=, and data= or size= for the only argument.
static Ref positional(PyObject *args, PyObject *kwargs, THDevice &device) {
  Ref result = Ref::borrow(args);
  PyObject *key, *value;
  Py_ssize_t at = 0;
  while (kwargs && PyDict_Next(kwargs, &at, &key, &value)) {
    const std::string_view name = PyUnicode_AsUTF8(key);
    if (name == "device") {
      if (value != Py_None) device = device_among(device, value);
    } else if ((name == "data" || name == "size") && PyTuple_GET_SIZE(result.get()) == 0) {
      result = checked_ref(name == "data" ? PyTuple_Pack(1, value) : PySequence_Tuple(value));
    } else {
      raise(PyExc_TypeError, "new() got an unexpected keyword argument '%U'", key);
    }
  }
  return result;
}

[[noreturn]] static void throw_combination(PyObject *args) {
  std::string types;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(args); ++i)
    types.append(i ? ", " : "").append(type_name(PyTuple_GET_ITEM(args, i)));
  raise(PyExc_TypeError,
        "new() received an invalid combination of arguments - got (%s), but expected one of:\n"
        " * (int... size)\n * (sequence data)\n * (Tensor other)\n * (Storage storage)\n"
        "each with device=, of the tensor's kind of device",
        types.c_str());
}

// With `exact`, a tensor that is given has to be of that dtype, on that device.
static thpp::Tensor construct(PyObject *given, PyObject *kwargs, THDtype dtype, THDevice device, bool exact) {
  const Ref positions = positional(given, kwargs, device);
  const auto made = [&](const thpp::IntList size) {
    return thpp::Tensor::steal(THTensor_newWithSizeOn(device, dtype, int(size.size()), size.data()));
  };
  PyObject *const args = positions.get();
  const Py_ssize_t n = PyTuple_GET_SIZE(args);
  PyObject *first = n ? PyTuple_GET_ITEM(args, 0) : nullptr;
  if (!first) return made({0});
  if (n == 1 && is_tensor(first)) {
    const thpp::Tensor &other = tensor_of(first);
    if (exact && other.dtype() != dtype)
      raise(PyExc_TypeError, "new(): expected a torch.%sTensor (got a torch.%sTensor)", TH_typeName(dtype),
            TH_typeName(other.dtype()));
    if (exact && other.device().kind != device.kind)
      raise(PyExc_TypeError, "new(): expected a tensor on device %s (got one on %s)", kind_of(device),
            kind_of(other.device()));
    return thpp::alias(other);
  }
  if (n == 1 && (is_untyped_storage(first) || PyObject_HasAttrString(first, "_untyped_storage"))) {
    Ref tensor = checked_ref(wrap(made({0})));
    checked_ref(PyObject_CallMethod(tensor.get(), "set_", "O", first));
    return thpp::detach(tensor_of(tensor.get()));
  }
  const bool whole = n == 1 && Py_TYPE(first) == &SizeType;
  if (whole || is_size(first)) {
    PyObject *sizes = whole ? first : args;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(sizes); ++i)
      if (!is_size(PyTuple_GET_ITEM(sizes, i)))
        raise(PyExc_TypeError, "new(): sizes must be ints (got %s at position %zd)",
              type_name(PyTuple_GET_ITEM(sizes, i)), i);
    return made(ints_of(sizes));
  }
  if (n > 1) throw_combination(args);
  if (PyUnicode_Check(first)) raise(PyExc_TypeError, "new(): invalid data type '%s'", type_name(first));
  if (!PySequence_Check(first)) raise(PyExc_TypeError, "new(): data must be a sequence (got %s)", type_name(first));
  return tensor_from_data(first, dtype, device);
}

// A derived type may take keywords of its own in its __init__.
static PyObject *make(PyTypeObject *type, PyObject *args, PyObject *kwargs) {
  return guarded([&]() -> PyObject * {
    return wrap_subclass(type,
                         construct(args, type == TensorType ? kwargs : nullptr, thpp::default_dtype(), {}, false));
  });
}

// tensor.new(…): of the tensor's dtype, on its device.
static PyObject *make_like(PyObject *self, PyObject *args, PyObject *kwargs) {
  return guarded([&] {
    if (needs_dispatch(self)) [[unlikely]] {
      const Ref function = checked_ref(PyObject_GetAttrString(reinterpret_cast<PyObject *>(TensorType), "new"));
      const Ref own = checked_ref(PyTuple_Pack(1, self)), all = checked_ref(PySequence_Concat(own.get(), args));
      Overloaded overloaded;
      overloaded.add(self);
      return overloaded.dispatch(function.get(), all.get(), kwargs);
    }
    if (tensor_of(self).layout() != TH_STRIDED) {
      const Ref types = checked_ref(PyImport_ImportModule("torch.sparse._types"));
      const Ref like = checked_ref(PyObject_GetAttrString(types.get(), "like"));
      const Ref own = checked_ref(PyTuple_Pack(1, self)), all = checked_ref(PySequence_Concat(own.get(), args));
      return checked(PyObject_Call(like.get(), all.get(), kwargs));
    }
    return wrap(construct(args, kwargs, tensor_of(self).dtype(), tensor_of(self).device(), true));
  });
}
// torch.Tensor._construct(dtype, …), and of ((dtype, device), …): what torch.FloatTensor(…) calls.
static PyObject *make_of(PyObject *, PyObject *args, PyObject *kwargs) {
  return guarded([&] {
    PyObject *type = PyTuple_GET_SIZE(args) ? PyTuple_GET_ITEM(args, 0) : nullptr, *place = nullptr;
    if (type && PyTuple_Check(type) && !PyArg_ParseTuple(type, "OO", &type, &place)) throw PythonError();
    const auto dtype = type ? dtype_of(type) : std::nullopt;
    if (!dtype) raise(PyExc_TypeError, "_construct(): a torch.dtype is missing");
    const Ref rest = checked_ref(PyTuple_GetSlice(args, 1, PyTuple_GET_SIZE(args)));
    return wrap(construct(rest.get(), kwargs, *dtype, place ? device_of(place) : THDevice{}, true));
  });
}

// torch.Tensor._make_subclass(cls, data, require_grad=False)
static PyObject *make_subclass(PyObject *, PyObject *args, PyObject *kwargs) {
  return guarded([&] {
    static const char *const names[] = {"cls", "data", "require_grad", nullptr};
    PyObject *type, *data;
    int require_grad = 0;
    if (!PyArg_ParseTupleAndKeywords(args, kwargs, "O!O!|p", const_cast<char **>(names), &PyType_Type, &type,
                                     TensorType, &data, &require_grad))
      throw PythonError();
    PyTypeObject *subtype = reinterpret_cast<PyTypeObject *>(type);
    if (!PyType_IsSubtype(subtype, TensorType)) raise(PyExc_TypeError, "cls must be a type that derives from Tensor");
    const thpp::Tensor tensor = thpp::detach(tensor_of(data));
    if (require_grad) make_leaf(tensor);
    return wrap_subclass(subtype, tensor);
  });
}

// ---- text ---------------------------------------------------------------------------------------
static PyObject *format(PyObject *self, PyObject *spec) {
  return guarded([&] {
    if (!PyUnicode_Check(spec)) raise(PyExc_TypeError, "__format__() argument must be str, not %s", type_name(spec));
    if (needs_dispatch(self)) [[unlikely]]
      return dispatch_method("__format__", {self, spec});
    const thpp::Tensor &tensor = tensor_of(self);
    if (tensor.dim() == 0 && tensor.device().kind != TH_Meta && is_exact_tensor(self)) {
      Ref item = checked_ref(item_object(tensor));
      return PyObject_Format(item.get(), spec);
    }
    if (PyUnicode_GetLength(spec))
      raise(PyExc_TypeError, "unsupported format string passed to %s.__format__", type_name(self));
    return PyObject_Str(self);
  });
}

static Py_hash_t hash(PyObject *self) {
  Ref id(PyLong_FromVoidPtr(self));
  return id ? PyObject_Hash(id.get()) : -1;
}

// ---- the type -----------------------------------------------------------------------------------
static PyMethodDef own_methods[] = {
    {"__format__", format, METH_O, nullptr},
    {"new", _PyCFunction_CAST(make_like), METH_VARARGS | METH_KEYWORDS, nullptr},
    {"_construct", _PyCFunction_CAST(make_of), METH_VARARGS | METH_KEYWORDS | METH_STATIC, nullptr},
    {"_make_subclass", reinterpret_cast<PyCFunction>(make_subclass), METH_VARARGS | METH_KEYWORDS | METH_STATIC,
     nullptr},
    {nullptr, nullptr, 0, nullptr},
};

static PyMemberDef members[] = {
    {"__dictoffset__", T_PYSSIZET, offsetof(TensorObject, dict), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(TensorObject, weakrefs), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

static const PyType_Slot base_slots[] = {
    {Py_tp_new, reinterpret_cast<void *>(make)},
    {Py_tp_hash, reinterpret_cast<void *>(hash)},
    {Py_tp_members, members},
    {0, nullptr},
};

static std::vector<PyMethodDef> &all_methods() {
  std::vector<const PyMethodDef *> tables = {own_methods,      number_methods,    native_methods,   convert_methods,
                                             callback_methods, construct_methods, gradient_methods, backward_methods};
  for (PyMethodDef *const *table = tensor_methods; *table; ++table) tables.push_back(*table);
  static std::vector<PyMethodDef> all = joined("torch.Tensor", tables);
  return all;
}

void make_tensor_type(PyObject *module) {
  static std::vector<PyGetSetDef> properties;
  properties.push_back(dict_property);
  for (const PyGetSetDef *table : {tensor_properties, gradient_properties})
    for (; table->name; ++table) properties.push_back(*table);
  properties.push_back({nullptr, nullptr, nullptr, nullptr, nullptr});

  std::vector<PyType_Slot> slots;
  for (const PyType_Slot *table : {base_slots, life_slots, number_slots, container_slots})
    for (; table->slot; ++table) slots.push_back(*table);
  slots.push_back({Py_tp_methods, all_methods().data()});
  slots.push_back({Py_tp_getset, properties.data()});
  slots.push_back({0, nullptr});

  PyType_Spec spec = {"torch.Tensor", sizeof(TensorObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots.data()};
  PyTypeObject *const metatype = make_tensor_metatype();
  TensorType = reinterpret_cast<PyTypeObject *>(checked(PyType_FromSpec(&spec)));
  Py_INCREF(metatype);
  Py_SET_TYPE(reinterpret_cast<PyObject *>(TensorType), metatype);  // PyType_FromMetaclass is younger than Python 3.11
  TensorType->tp_name = "Tensor";  // what error messages call it
  PyObject *type = reinterpret_cast<PyObject *>(TensorType);
  Ref priority = checked_ref(PyLong_FromLong(1000));  // NumPy's operators leave the work to ours
  checked(PyObject_SetAttrString(type, "__array_priority__", priority.get()));
  checked(PyModule_AddObjectRef(module, "Tensor", type));
  checked(PyModule_AddObjectRef(module, "_TensorMeta", reinterpret_cast<PyObject *>(metatype)));
  start_tensor_life();
}

}  // namespace torch::python
