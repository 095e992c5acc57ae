// torch._C._profiler_…: for torch/autograd/profiler.py.
#include "profiler.h"

#include <memory>
#include <string_view>

#include "errors.h"
#include "functions.h"
#include "native.h"
#include "types.h"

namespace torch::python {

namespace {

thread_local std::unique_ptr<Recording> started;

Recording &started_here() {
  if (!started) raise(PyExc_RuntimeError, "the profiler has not been started in this thread");
  return *started;
}

// ---- calls of Python --------------------------------------------------------------------------------------------
const char *builtin_name(PyObject *function) {
  return PyCFunction_Check(function) ? reinterpret_cast<PyCFunctionObject *>(function)->m_ml->ml_name
                                     : Py_TYPE(function)->tp_name;
}

// Functions of this file, which a profile need not show.
bool is_own(PyObject *function) { return std::string_view(builtin_name(function)).starts_with("_profiler_"); }

int trace(PyObject *, PyFrameObject *frame, int what, PyObject *argument) {
  Recording *const recording = recording_now;
  if (!recording || (what > PyTrace_RETURN && is_own(argument))) return 0;
  return guarded_int([&] {
    switch (what) {
      case PyTrace_CALL: {
        const Ref code(reinterpret_cast<PyObject *>(PyFrame_GetCode(frame)));
        recording->begin_python(code.get());
        break;
      }
      case PyTrace_RETURN: recording->end_python(EventKind::PythonFunction); break;
      case PyTrace_C_CALL: recording->begin_builtin(builtin_name(argument)); break;
      case PyTrace_C_RETURN:
      case PyTrace_C_EXCEPTION: recording->end_python(EventKind::BuiltinFunction); break;
    }
    return 0;
  });
}

// ---- what was noted, as Python has it --------------------------------------------------------------------------
// (kind, shape, dtype, value) of an argument: "Tensor", "TensorList", "Scalar", "ScalarList", "" of another.
struct AsRow {
  static PyObject *ints(const std::vector<int64_t> &list) {
    Ref made = checked_ref(PyList_New(Py_ssize_t(list.size())));
    for (size_t i = 0; i < list.size(); ++i)
      PyList_SET_ITEM(made.get(), Py_ssize_t(i), checked(PyLong_FromLongLong(list[i])));
    return made.release();
  }
  static PyObject *scalar(PyObject *value) {
    return checked(Py_BuildValue("(sOON)", "Scalar", Py_None, Py_None, value));
  }

  PyObject *operator()(std::monostate) const { return checked(Py_BuildValue("(sOOO)", "", Py_None, Py_None, Py_None)); }
  PyObject *operator()(const KeptTensor &tensor) const {
    return checked(Py_BuildValue("(sNOO)", "Tensor", ints(tensor.shape), dtype_object(tensor.dtype), Py_None));
  }
  PyObject *operator()(const std::vector<KeptTensor> &tensors) const {
    Ref shapes = checked_ref(PyList_New(0)), dtypes = checked_ref(PyList_New(0));
    for (const KeptTensor &tensor : tensors) {
      checked(PyList_Append(shapes.get(), Ref(ints(tensor.shape)).get()));
      checked(PyList_Append(dtypes.get(), dtype_object(tensor.dtype)));
    }
    return checked(Py_BuildValue("(sOOO)", "TensorList", shapes.get(), dtypes.get(), Py_None));
  }
  PyObject *operator()(int64_t value) const { return scalar(PyLong_FromLongLong(value)); }
  PyObject *operator()(double value) const { return scalar(PyFloat_FromDouble(value)); }
  PyObject *operator()(bool value) const { return scalar(PyBool_FromLong(value)); }
  PyObject *operator()(const std::string &text) const {
    return checked(Py_BuildValue("(sOOs)", "", Py_None, Py_None, text.c_str()));
  }
  PyObject *operator()(const std::vector<int64_t> &list) const {
    return checked(Py_BuildValue("(sOON)", "ScalarList", Py_None, Py_None, ints(list)));
  }
  PyObject *operator()(const std::vector<double> &list) const {
    Ref made = checked_ref(PyList_New(0));
    for (const double value : list) checked(PyList_Append(made.get(), checked_ref(PyFloat_FromDouble(value)).get()));
    return checked(Py_BuildValue("(sOOO)", "ScalarList", Py_None, Py_None, made.get()));
  }
};

Ref arguments_of(const Recording &recording, const Event &event) {
  if (event.arguments < 0) return Ref::borrow(Py_None);
  const auto &given = recording.arguments[size_t(event.arguments)];
  Ref list = checked_ref(PyList_New(Py_ssize_t(given.size())));
  for (size_t i = 0; i < given.size(); ++i) PyList_SET_ITEM(list.get(), Py_ssize_t(i), std::visit(AsRow(), given[i]));
  return list;
}

// Operators by their name in PyTorch's dispatcher, where they have one there.
Ref name_of(const Event &event) {
  if (event.code) return Ref::borrow(event.code);
  if (!event.op) return checked_ref(PyUnicode_FromString(event.name));
  const char *const aten = event.op->aten;
  const bool known = *aten && !(aten[0] == '_' && !aten[1]);
  return checked_ref(PyUnicode_FromFormat("%s::%s", known ? "aten" : "th", known ? aten : event.op->name));
}

// (name or code, kind, begin, end, sequence, parent, arguments)
PyObject *row_of(const Recording &recording, const Event &event) {
  static constexpr const char *kKinds[] = {"operator", "node", "range", "python", "builtin"};
  const Ref name = name_of(event), given = arguments_of(recording, event);
  return checked(Py_BuildValue("(OsLLLiO)", name.get(), kKinds[size_t(event.kind)], event.begin, event.end,
                               event.sequence, int(event.parent), given.get()));
}

Ref rows_of(const Recording &recording) {
  Ref list = checked_ref(PyList_New(Py_ssize_t(recording.events.size())));
  for (size_t i = 0; i < recording.events.size(); ++i)
    PyList_SET_ITEM(list.get(), Py_ssize_t(i), row_of(recording, recording.events[i]));
  return list;
}

// (time, bytes, total, address, event)
Ref allocations_of(const Recording &recording) {
  Ref list = checked_ref(PyList_New(0));
  for (const Allocation &a : recording.allocations) {
    const Ref row = checked_ref(Py_BuildValue("(LLLKi)", a.time, a.bytes, a.total,
                                              static_cast<unsigned long long>(reinterpret_cast<uintptr_t>(a.address)),
                                              int(a.event)));
    checked(PyList_Append(list.get(), row.get()));
  }
  return list;
}

// ---- the functions ----------------------------------------------------------------------------------------------
// _profiler_start(shapes, memory, python)
PyObject *start(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    int shapes, memory, python;
    if (!PyArg_ParseTuple(args, "ppp", &shapes, &memory, &python)) return nullptr;
    if (started) raise(PyExc_RuntimeError, "Profiler is already enabled on this thread");
    started = std::make_unique<Recording>(RecordingOptions{bool(shapes), bool(memory), bool(python)});
    started->watch(true);
    if (python) PyEval_SetProfile(trace, nullptr);
    Py_RETURN_NONE;
  });
}

// Notes nothing, or again.
PyObject *watch(PyObject *, PyObject *on) {
  return guarded([&]() -> PyObject * {
    const int yes = PyObject_IsTrue(on);
    checked(yes);
    started_here().watch(yes);
    Py_RETURN_NONE;
  });
}

// ([rows of events], [rows of allocations], when it began, the same since the epoch)
PyObject *stop(PyObject *, PyObject *) {
  return guarded([&] {
    started_here();
    if (started->options.python) PyEval_SetProfile(nullptr, nullptr);
    started->watch(false);
    const std::unique_ptr<Recording> recording = std::move(started);
    const Ref events = rows_of(*recording), allocations = allocations_of(*recording);
    return checked(
        Py_BuildValue("(OOLL)", events.get(), allocations.get(), recording->begun, recording->begun_since_epoch));
  });
}

PyObject *is_on(PyObject *, PyObject *) { return PyBool_FromLong(recording_now != nullptr); }

KeptArgument kept_argument(PyObject *object) {
  if (PyUnicode_Check(object)) {
    const char *const text = PyUnicode_AsUTF8(object);
    if (!text) throw PythonError();
    return std::string(text);
  }
  return {};
}

// _profiler_begin(name, text or None) -> (recording, event) for _profiler_end; None where nothing is noted.
PyObject *begin_range(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    const char *name;
    PyObject *text = Py_None;
    if (!PyArg_ParseTuple(args, "s|O", &name, &text)) return nullptr;
    if (!recording_now) Py_RETURN_NONE;
    std::vector<KeptArgument> given;
    if (text != Py_None) given.push_back(kept_argument(text));
    const size_t begun = recording_now->begin_range(name, std::move(given));
    return Py_BuildValue("(Kn)", static_cast<unsigned long long>(recording_now->number), Py_ssize_t(begun));
  });
}

PyObject *end_range(PyObject *, PyObject *handle) {
  return guarded([&]() -> PyObject * {
    unsigned long long number;
    Py_ssize_t begun;
    if (handle == Py_None) Py_RETURN_NONE;
    if (!PyTuple_Check(handle)) raise(PyExc_TypeError, "_profiler_end expects what _profiler_begin gave");
    if (!PyArg_ParseTuple(handle, "Kn", &number, &begun)) return nullptr;
    if (recording_now && recording_now->number == number) recording_now->end(size_t(begun));
    Py_RETURN_NONE;
  });
}

}  // namespace

PyMethodDef profiler_functions[] = {
    {"_profiler_start", start, METH_VARARGS, nullptr},
    {"_profiler_watch", watch, METH_O, nullptr},
    {"_profiler_stop", stop, METH_NOARGS, nullptr},
    {"_profiler_on", is_on, METH_NOARGS, nullptr},
    {"_profiler_begin", begin_range, METH_VARARGS, nullptr},
    {"_profiler_end", end_range, METH_O, nullptr},
    {},
};

}  // namespace torch::python
