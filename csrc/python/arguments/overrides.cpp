#include "overrides.h"

#include <string>

#include "functions.h"

namespace torch::python {

std::atomic<int> entered_modes{0};

namespace {

enum class Overrides : uint8_t { All, ModesOnly, None };
__attribute__((tls_model("initial-exec"))) constinit thread_local Overrides overrides_now = Overrides::All;

// This thread's modes, the innermost last. A list, since it must not outlive the interpreter's objects.
std::vector<PyObject *> &modes() {
  static thread_local std::vector<PyObject *> entered;
  return entered;
}

PyObject *protocol() {
  static PyObject *const name = PyUnicode_InternFromString("__torch_function__");
  return name;
}

// What a class says that overloads nothing: __torch_function__ = torch._C._disabled_torch_function_impl.
PyObject *disabled(PyObject *, PyObject *args) {
  PyObject *function, *types, *arguments, *kwargs = nullptr;
  if (!PyArg_ParseTuple(args, "OOO|O", &function, &types, &arguments, &kwargs)) return nullptr;
  const Overrides before = std::exchange(overrides_now, std::max(overrides_now, Overrides::ModesOnly));
  Ref tuple(PySequence_Tuple(arguments));
  PyObject *result = tuple ? calling_python([&] {
    return PyObject_Call(function, tuple.get(), kwargs == Py_None ? nullptr : kwargs);
  })
                           : nullptr;
  overrides_now = before;
  return result;
}
PyMethodDef disabled_row = {"_disabled_torch_function_impl", disabled, METH_VARARGS, nullptr};
PyObject *disabled_object() {
  static PyObject *const object = PyCFunction_New(&disabled_row, nullptr);
  return object;
}

// The most frequent types of arguments that are no tensors.
bool is_builtin_type(PyTypeObject *type) {
  return type == &PyLong_Type || type == &PyFloat_Type || type == &PyBool_Type || type == &PyTuple_Type ||
         type == &PyList_Type || type == &PyUnicode_Type || type == &PySlice_Type || type == Py_TYPE(Py_None) ||
         type == &PyComplex_Type || type == Py_TYPE(Py_Ellipsis);
}

// Dispatches to the innermost mode, which does not see what it calls itself. Undefined: it leaves it to the others.
Ref dispatch_to_mode(PyObject *function, PyObject *types, PyObject *args, PyObject *kwargs) {
  auto &entered = modes();
  const Ref mode(entered.back());
  entered.pop_back();
  entered_modes.fetch_sub(1, std::memory_order_relaxed);
  const struct ScopedModePop {
    PyObject *mode;
    ~ScopedModePop() {
      modes().push_back(Py_NewRef(mode));
      entered_modes.fetch_add(1, std::memory_order_relaxed);
    }
  } again{mode.get()};
  return Ref(calling_python(
      [&] { return PyObject_CallMethodObjArgs(mode.get(), protocol(), function, types, args, kwargs, nullptr); }));
}

}  // namespace

bool mode_overloads() { return overrides_now != Overrides::None && !modes().empty(); }

bool has_override(PyObject *object) {
  PyTypeObject *const type = Py_TYPE(object);
  if (is_builtin_type(type) || overrides_now != Overrides::All || PyType_Check(object)) return false;
  PyObject *const found = _PyType_Lookup(type, protocol());
  return found && found != disabled_object();
}

void Overloaded::add(PyObject *object) {
  if (!is_overloaded(object)) return;
  PyTypeObject *const type = Py_TYPE(object);
  size_t at = objects_.size();
  for (size_t i = 0; i < objects_.size(); ++i) {
    if (Py_TYPE(objects_[i]) == type) return;
    if (at == objects_.size() && PyType_IsSubtype(type, Py_TYPE(objects_[i]))) at = i;
  }
  objects_.insert(objects_.begin() + ptrdiff_t(at), object);
}

void Overloaded::add_all(PyObject *sequence) {
  PyObject **items = PySequence_Fast_ITEMS(sequence);
  for (Py_ssize_t i = 0, n = PySequence_Fast_GET_SIZE(sequence); i < n; ++i) add(items[i]);
}

PyObject *Overloaded::dispatch(PyObject *function, PyObject *args, PyObject *kwargs) const {
  Ref types = checked_ref(PyTuple_New(Py_ssize_t(objects_.size())));
  for (size_t i = 0; i < objects_.size(); ++i)
    PyTuple_SET_ITEM(types.get(), Py_ssize_t(i), Py_NewRef(reinterpret_cast<PyObject *>(Py_TYPE(objects_[i]))));
  const bool moded = has_mode();
  if (moded) {
    Ref result = dispatch_to_mode(function, types.get(), args, kwargs);
    if (!result) throw PythonError();
    if (result.get() != Py_NotImplemented) return result.release();
  }
  for (PyObject *object : objects_) {
    Ref method = checked_ref(PyObject_GetAttr(object, protocol()));
    Ref result = checked_ref(calling_python(
        [&] { return PyObject_CallFunctionObjArgs(method.get(), function, types.get(), args, kwargs, nullptr); }));
    if (result.get() != Py_NotImplemented) return result.release();
  }
  Ref name(PyObject_GetAttrString(function, "__qualname__"));
  PyErr_Clear();
  std::string text;
  if (moded) text += "\n  - a mode";
  for (PyObject *object : objects_) text += std::string("\n  - ") + type_name(object);
  raise(PyExc_TypeError,
        "Multiple dispatch failed for 'torch.%S'; all __torch_function__ handlers returned NotImplemented:\n%s",
        name ? name.get() : function, text.c_str());
}

// ---- overloaded calls ---------------------------------------------------------------------------
static PyObject *dispatch_with(PyObject *function, std::initializer_list<PyObject *> args) {
  Overloaded overloaded;
  Ref tuple = checked_ref(PyTuple_New(Py_ssize_t(args.size())));
  Py_ssize_t i = 0;
  for (PyObject *object : args) {
    PyTuple_SET_ITEM(tuple.get(), i++, Py_NewRef(object));
    if (PyTuple_Check(object))
      overloaded.add_all(object);  // an index
    else
      overloaded.add(object);
  }
  return overloaded.dispatch(function, tuple.get(), nullptr);
}

PyObject *dispatch_method(const char *method, std::initializer_list<PyObject *> args) {
  const Ref function = checked_ref(PyObject_GetAttrString(reinterpret_cast<PyObject *>(TensorType), method));
  return dispatch_with(function.get(), args);
}

PyObject *dispatch_property(const char *name, const char *access, std::initializer_list<PyObject *> args) {
  const Ref property = checked_ref(PyObject_GetAttrString(reinterpret_cast<PyObject *>(TensorType), name));
  const Ref function = checked_ref(PyObject_GetAttrString(property.get(), access));
  return dispatch_with(function.get(), args);
}

PyObject *dispatch_function(PyObject *function, const Overloaded &overloaded, PyObject *const *args, Py_ssize_t nargs,
                            PyObject *kwnames, PyObject *self) {
  const Py_ssize_t first = self ? 1 : 0;
  Ref tuple = checked_ref(PyTuple_New(first + nargs)), kwargs;
  if (self) PyTuple_SET_ITEM(tuple.get(), 0, Py_NewRef(self));
  for (Py_ssize_t i = 0; i < nargs; ++i) PyTuple_SET_ITEM(tuple.get(), first + i, Py_NewRef(args[i]));
  if (kwnames && PyTuple_GET_SIZE(kwnames)) {
    kwargs = checked_ref(PyDict_New());
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(kwnames); ++i)
      checked(PyDict_SetItem(kwargs.get(), PyTuple_GET_ITEM(kwnames, i), args[nargs + i]));
  }
  return overloaded.dispatch(function, tuple.get(), kwargs.get());
}

// ---- torch._C -----------------------------------------------------------------------------------
namespace {

// DisableTorchFunctionSubclass, DisableTorchFunction: contexts.
struct DisableObject {
  PyObject_HEAD
  Overrides before;
};
template <Overrides level>
PyObject *enter(PyObject *self, PyObject *) {
  reinterpret_cast<DisableObject *>(self)->before = std::exchange(overrides_now, std::max(overrides_now, level));
  Py_RETURN_NONE;
}
PyObject *leave(PyObject *self, PyObject *) {
  overrides_now = reinterpret_cast<DisableObject *>(self)->before;
  Py_RETURN_FALSE;
}
template <Overrides level>
PyMethodDef context_methods[] = {{"__enter__", enter<level>, METH_NOARGS, nullptr},
                                 {"__exit__", leave, METH_VARARGS, nullptr},
                                 {nullptr, nullptr, 0, nullptr}};
template <Overrides level>
PyTypeObject context_type = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = level == Overrides::None
                                                               ? "torch._C.DisableTorchFunction"
                                                               : "torch._C.DisableTorchFunctionSubclass",
    .tp_basicsize = sizeof(DisableObject),
    .tp_flags = Py_TPFLAGS_DEFAULT,
    .tp_methods = context_methods<level>,
    .tp_new = PyType_GenericNew,
};

PyObject *has_torch_function(PyObject *, PyObject *args) {
  return guarded([&] {
    Ref items = checked_ref(PySequence_Fast(args, "expected a sequence"));
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items.get()); ++i)
      if (is_overloaded(PySequence_Fast_ITEMS(items.get())[i])) Py_RETURN_TRUE;
    return PyBool_FromLong(has_mode());
  });
}
PyObject *has_torch_function_unary(PyObject *, PyObject *object) { return PyBool_FromLong(needs_dispatch(object)); }
PyObject *has_torch_function_variadic(PyObject *, PyObject *const *args, Py_ssize_t nargs) {
  for (Py_ssize_t i = 0; i < nargs; ++i)
    if (is_overloaded(args[i])) Py_RETURN_TRUE;
  return PyBool_FromLong(has_mode());
}

// _handle_torch_function(function, relevant_args, args, kwargs)
PyObject *handle(PyObject *, PyObject *all) {
  return guarded([&]() -> PyObject * {
    PyObject *function, *relevant, *args, *kwargs;
    if (!PyArg_ParseTuple(all, "OOOO", &function, &relevant, &args, &kwargs)) return nullptr;
    Ref items = checked_ref(PySequence_Fast(relevant, "relevant_args must be a sequence"));
    Overloaded overloaded;
    overloaded.add_all(items.get());
    return overloaded.dispatch(function, args, kwargs);
  });
}

PyObject *is_enabled(PyObject *, PyObject *) { return PyBool_FromLong(overrides_now == Overrides::All); }
PyObject *push_mode(PyObject *, PyObject *mode) {
  modes().push_back(Py_NewRef(mode));
  entered_modes.fetch_add(1, std::memory_order_relaxed);
  Py_RETURN_NONE;
}
PyObject *pop_mode(PyObject *, PyObject *) {
  if (modes().empty()) return PyErr_Format(PyExc_RuntimeError, "no TorchFunctionMode is entered");
  PyObject *const mode = modes().back();
  modes().pop_back();
  entered_modes.fetch_sub(1, std::memory_order_relaxed);
  return mode;
}
PyObject *count_modes(PyObject *, PyObject *) { return PyLong_FromSize_t(modes().size()); }
PyObject *get_mode(PyObject *, PyObject *index) {
  const size_t i = PyLong_AsSize_t(index);
  if (PyErr_Occurred()) return nullptr;
  if (i >= modes().size()) return PyErr_Format(PyExc_IndexError, "there are %zu modes", modes().size());
  return Py_NewRef(modes()[i]);
}

}  // namespace

PyMethodDef override_functions[] = {
    {"_has_torch_function", has_torch_function, METH_O, nullptr},
    {"_has_torch_function_unary", has_torch_function_unary, METH_O, nullptr},
    {"_has_torch_function_variadic", _PyCFunction_CAST(has_torch_function_variadic), METH_FASTCALL, nullptr},
    {"_handle_torch_function", handle, METH_VARARGS, nullptr},
    {"_is_torch_function_enabled", is_enabled, METH_NOARGS, nullptr},
    {"_push_on_torch_function_stack", push_mode, METH_O, nullptr},
    {"_pop_torch_function_stack", pop_mode, METH_NOARGS, nullptr},
    {"_len_torch_function_stack", count_modes, METH_NOARGS, nullptr},
    {"_get_function_stack_at", get_mode, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

void add_override_types(PyObject *module) {
  for (PyTypeObject *type : {&context_type<Overrides::ModesOnly>, &context_type<Overrides::None>}) {
    checked(PyType_Ready(type));
    checked(PyModule_AddObjectRef(module, type->tp_name + std::string_view("torch._C.").size(),
                                  reinterpret_cast<PyObject *>(type)));
  }
  checked(PyModule_AddObjectRef(module, disabled_row.ml_name, checked(disabled_object())));
}

}  // namespace torch::python
