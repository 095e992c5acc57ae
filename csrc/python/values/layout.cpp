// torch.layout and torch.memory_format: objects that only have a name.
#include <algorithm>
#include <iterator>
#include <string_view>

#include "errors.h"
#include "types.h"

namespace torch::python {

struct NamedObject {
  PyObject_HEAD
  const char *name;
};

static PyObject *repr(PyObject *self) {
  return PyUnicode_FromFormat("torch.%s", reinterpret_cast<NamedObject *>(self)->name);
}
static PyObject *reduce(PyObject *self, PyObject *) {
  return PyUnicode_FromString(reinterpret_cast<NamedObject *>(self)->name);
}
static PyObject *module_of(PyObject *, void *) { return PyUnicode_FromString("torch"); }  // where pickles find it
static PyGetSetDef properties[] = {
    {"__module__", module_of, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
static PyMethodDef methods[] = {
    {"__reduce__", reduce, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

#define NAMED_TYPE(name)                                                                            \
  {                                                                                                 \
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = name, .tp_basicsize = sizeof(NamedObject), \
    .tp_repr = repr,                                                                                \
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_DISALLOW_INSTANTIATION | Py_TPFLAGS_IMMUTABLETYPE,  \
    .tp_methods = methods,                                                                          \
    .tp_getset = properties                                                                         \
  }
PyTypeObject LayoutType = NAMED_TYPE("torch.layout");
PyTypeObject MemoryFormatType = NAMED_TYPE("torch.memory_format");
#undef NAMED_TYPE

PyObject *strided;

static PyObject *layouts[TH_NUM_LAYOUTS];
PyObject *layout_object(THLayout layout) { return Py_NewRef(layouts[layout]); }

static PyObject *formats[4];  // by MemoryFormat

void check_layout(const char *maker, PyObject *object) {
  if (object != strided && std::string_view(maker).ends_with("_window"))
    raise(PyExc_RuntimeError, "%s is not implemented for sparse types, got: layout=%R", maker, object);
}

thpp::MemoryFormat memory_format_of(PyObject *object) {
  return thpp::MemoryFormat(std::ranges::find(formats, object) - formats);
}

PyObject *memory_format_object(thpp::MemoryFormat format) { return Py_NewRef(formats[size_t(format)]); }

static PyObject *add_named(PyObject *module, PyTypeObject *type, const char *name) {
  NamedObject *object = PyObject_New(NamedObject, type);
  if (!object) throw PythonError();
  object->name = name;
  checked(PyModule_AddObjectRef(module, name, reinterpret_cast<PyObject *>(object)));
  return reinterpret_cast<PyObject *>(object);
}

void add_layouts(PyObject *module) {
  add_type(module, "layout", &LayoutType);
  add_type(module, "memory_format", &MemoryFormatType);
  for (int i = 0; i < TH_NUM_LAYOUTS; ++i) layouts[i] = add_named(module, &LayoutType, TH_layoutName(THLayout(i)));
  strided = layouts[TH_STRIDED];
  add_named(module, &LayoutType, "jagged");  // programs ask whether a tensor has it; none has
  static constexpr const char *names[] = {"contiguous_format", "preserve_format", "channels_last", "channels_last_3d"};
  for (size_t i = 0; i < std::size(names); ++i) formats[i] = add_named(module, &MemoryFormatType, names[i]);
}

}  // namespace torch::python
