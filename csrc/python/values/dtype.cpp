#include "errors.h"
#include "types.h"

namespace torch::python {

static const char *const kNames[] = {
#define NAME(Name, type, kind, kernels, name, alias) name,
    TH_DTYPES(NAME)
#undef NAME
};
static const char *const kAliases[] = {
#define ALIAS(Name, type, kind, kernels, name, alias) alias,
    TH_DTYPES(ALIAS)
#undef ALIAS
};

static DtypeObject objects[TH_NUM_DTYPES];

static THDtype value(PyObject *self) { return reinterpret_cast<DtypeObject *>(self)->dtype; }

PyObject *dtype_object(THDtype dtype) { return reinterpret_cast<PyObject *>(&objects[dtype]); }

std::optional<THDtype> dtype_of(PyObject *object) {
  if (is_dtype(object)) return value(object);
  if (object == reinterpret_cast<PyObject *>(&PyFloat_Type)) return TH_Double;
  if (object == reinterpret_cast<PyObject *>(&PyBool_Type)) return TH_Bool;
  if (object == reinterpret_cast<PyObject *>(&PyLong_Type)) return TH_Long;
  if (object == reinterpret_cast<PyObject *>(&PyComplex_Type)) return TH_ComplexDouble;
  return std::nullopt;
}

static PyObject *repr(PyObject *self) { return PyUnicode_FromFormat("torch.%s", kNames[value(self)]); }
// Pickled by name: "float32" in module torch.
static PyObject *reduce(PyObject *self, PyObject *) { return PyUnicode_FromString(kNames[value(self)]); }
static PyObject *to_real(PyObject *self, PyObject *) { return Py_NewRef(dtype_object(thpp::real_dtype(value(self)))); }
static PyObject *to_complex(PyObject *self, PyObject *) {
  return guarded([&]() -> PyObject * {
    if (TH_kind(value(self)) >= TH_KIND_float) return Py_NewRef(dtype_object(thpp::complex_dtype(value(self))));
    raise(PyExc_RuntimeError, "Unknown Complex ScalarType for %s", TH_typeName(value(self)));
  });
}

static PyObject *is_floating_point(PyObject *self, void *) {
  return PyBool_FromLong(TH_kind(value(self)) == TH_KIND_float);
}
static PyObject *is_complex(PyObject *self, void *) { return PyBool_FromLong(TH_kind(value(self)) == TH_KIND_complex); }
static PyObject *is_signed(PyObject *self, void *) { return PyBool_FromLong(thpp::is_signed(value(self))); }
static PyObject *itemsize(PyObject *self, void *) { return PyLong_FromSize_t(TH_elementSize(value(self))); }

// Of its numbers: binary digits, the greatest finite one, the smallest positive one that is not subnormal.
static PyObject *limits(PyObject *self, PyObject *) {
  const THDtype dtype = value(self);
  return Py_BuildValue("idd", TH_digits(dtype), TH_finfoMax(dtype), TH_smallest(dtype));
}

static PyMethodDef methods[] = {
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {"_limits", limits, METH_NOARGS, nullptr},
    {"to_real", to_real, METH_NOARGS, nullptr},
    {"to_complex", to_complex, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
static PyObject *module(PyObject *, void *) { return PyUnicode_FromString("torch"); }  // where pickle finds it
static PyGetSetDef properties[] = {
    {"__module__", module, nullptr, nullptr, nullptr},
    {"is_floating_point", is_floating_point, nullptr, nullptr, nullptr},
    {"is_complex", is_complex, nullptr, nullptr, nullptr},
    {"is_signed", is_signed, nullptr, nullptr, nullptr},
    {"itemsize", itemsize, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

PyTypeObject DtypeType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "torch.dtype",
    .tp_basicsize = sizeof(DtypeObject),
    .tp_repr = repr,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,
    .tp_methods = methods,
    .tp_getset = properties,
};

void add_dtypes(PyObject *module) {
  add_type(module, "dtype", &DtypeType);
  const Ref by_type = checked_ref(PyDict_New());  // {"Float": torch.float32}
  for (int i = 0; i < TH_NUM_DTYPES; ++i) {
    PyObject_Init(dtype_object(THDtype(i)), &DtypeType);
    objects[i].dtype = THDtype(i);
    checked(PyModule_AddObjectRef(module, kNames[i], dtype_object(THDtype(i))));
    if (*kAliases[i]) checked(PyModule_AddObjectRef(module, kAliases[i], dtype_object(THDtype(i))));
    checked(PyDict_SetItemString(by_type.get(), TH_typeName(THDtype(i)), dtype_object(THDtype(i))));
  }
  checked(PyModule_AddObjectRef(module, "_dtypes_by_type", by_type.get()));
}

}  // namespace torch::python
