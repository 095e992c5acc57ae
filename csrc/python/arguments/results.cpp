// Results on their way to Python.
#include <cstring>
#include <map>
#include <span>
#include <string>
#include <vector>

#include <torch_python/args.h>
#include "errors.h"
#include "functions.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

PyObject *wrap(const std::vector<thpp::Tensor> &tensors) {
  Ref tuple = checked_ref(PyTuple_New(Py_ssize_t(tensors.size())));
  for (size_t i = 0; i < tensors.size(); ++i) PyTuple_SET_ITEM(tuple.get(), Py_ssize_t(i), wrap(tensors[i]));
  return tuple.release();
}

PyObject *wrap(bool value) { return PyBool_FromLong(value); }
PyObject *wrap(int64_t value) { return PyLong_FromLongLong(value); }
PyObject *wrap(double value) { return PyFloat_FromDouble(value); }
PyObject *wrap(thpp::Scalar value) { return scalar_object(value); }
PyObject *wrap(THDtype dtype) { return Py_NewRef(dtype_object(dtype)); }

// ---- named tuples: torch.return_types.max(values=…, indices=…) ----------------------------------
// "torch.return_types.max(\nvalues=tensor(…),\nindices=tensor(…))": a line for each field.
static PyObject *named_repr(PyObject *self) {
  return guarded([&]() -> PyObject * {
    std::string text = std::string(Py_TYPE(self)->tp_name) + "(";
    Ref names = checked_ref(PyObject_GetAttrString(reinterpret_cast<PyObject *>(Py_TYPE(self)), "__match_args__"));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(names.get()); ++i) {
      Ref value = checked_ref(PyObject_Repr(PyTuple_GET_ITEM(self, i)));
      text.append(i ? ",\n" : "\n").append(PyUnicode_AsUTF8(PyTuple_GET_ITEM(names.get(), i))).append("=");
      text.append(PyUnicode_AsUTF8(value.get()));
    }
    return PyUnicode_FromString((text + ")").c_str());
  });
}

using Names = std::span<const char *const>;  // which live as long as the type

static PyTypeObject *make_named_type(const std::string &op, Names names) {
  std::vector<PyStructSequence_Field> fields;
  for (const char *name : names) fields.push_back({name, nullptr});
  fields.push_back({nullptr, nullptr});
  const std::string *full = new std::string("torch.return_types." + op);  // lives as long as the type
  PyStructSequence_Desc description = {full->c_str(), nullptr, fields.data(), int(names.size())};
  PyTypeObject *type = PyStructSequence_NewType(&description);
  if (!type) throw PythonError();
  type->tp_repr = named_repr;
  PyType_Modified(type);
  return type;
}

static std::map<std::string, PyTypeObject *, std::less<>> types;

static PyTypeObject *named_type(const char *op, Names names) {
  auto found = types.find(std::string_view(op));
  if (found == types.end()) found = types.emplace(op, make_named_type(op, names)).first;
  return found->second;
}

PyObject *return_type(const char *op, PyObject *fields) {
  std::vector<const char *> names;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(fields); ++i) {
    const char *const name = PyUnicode_AsUTF8(PyTuple_GET_ITEM(fields, i));
    if (!name) throw PythonError();
    names.push_back((new std::string(name))->c_str());
  }
  return Py_NewRef(reinterpret_cast<PyObject *>(named_type(op, names)));
}

PyObject *wrap_named(const char *op, std::initializer_list<const char *> names,
                     std::initializer_list<thpp::Tensor> values) {
  Ref result = checked_ref(PyStructSequence_New(named_type(op, Names(names.begin(), names.size()))));
  Py_ssize_t i = 0;
  for (const thpp::Tensor &value : values) PyStructSequence_SetItem(result.get(), i++, wrap(value));
  return result.release();
}

void ResizeWatch::warn_of_resize(thpp::IntList before, thpp::IntList after) {
  char had[512], has[512];
  TH_sizeString(int(before.size()), before.data(), had, sizeof had);
  TH_sizeString(int(after.size()), after.data(), has, sizeof has);
  const std::string
      text = std::string("An output with one or more elements was resized since it had shape ") + had +
             ", which does not match the required output shape " + has +
             ". Resizing an output that has elements is deprecated; t.resize_(0) makes one of it that may "
             "take any shape.";
  if (PyErr_WarnEx(PyExc_UserWarning, text.c_str(), 1) < 0) throw PythonError();
}

PyObject *same_named(const char *op, std::initializer_list<const char *> names, PyObject *out) {
  Ref items = checked_ref(PySequence_Tuple(out));
  const std::string type = std::string(op) + "_out";
  Ref result = checked_ref(PyStructSequence_New(named_type(type.c_str(), Names(names.begin(), names.size()))));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(items.get()); ++i)
    PyStructSequence_SetItem(result.get(), i, same(PyTuple_GET_ITEM(items.get(), i)));
  return result.release();
}

}  // namespace torch::python
