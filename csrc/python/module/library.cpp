// Users' operators between C++ and Python: what TORCH_LIBRARY registered, for torch/_library/native.py, and calls both
// ways.
#include <autograd/library.h>

#include "errors.h"
#include "functions.h"
#include "number.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

using operators::Value;
using operators::Values;

namespace {

// ---- values --------------------------------------------------------------------------------------
Value value_of(PyObject *object) {
  if (object == Py_None) return {};
  if (is_tensor(object)) return {tensor_of(object)};
  if (PyBool_Check(object) || PyLong_Check(object) || PyFloat_Check(object) || PyComplex_Check(object))
    return {number_of(object)};
  if (PyUnicode_Check(object)) {
    Py_ssize_t length;
    const char *const text = PyUnicode_AsUTF8AndSize(object, &length);
    if (!text) throw PythonError();
    return {std::string(text, size_t(length))};
  }
  if (is_dtype(object)) return {*dtype_of(object)};
  if (is_device(object)) return {device_of(object)};
  if (PyList_Check(object) || PyTuple_Check(object)) {
    Values list;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(object); ++i)
      list.push_back(value_of(element(object, i).get()));
    return {std::move(list)};
  }
  raise(PyExc_TypeError, "an operator of C++ cannot take a %s", type_name(object));
}

struct AsObject {
  PyObject *operator()(std::monostate) const { return Py_NewRef(Py_None); }
  PyObject *operator()(const thpp::Scalar &number) const { return wrap(number); }
  PyObject *operator()(const std::string &text) const {
    return PyUnicode_FromStringAndSize(text.data(), Py_ssize_t(text.size()));
  }
  PyObject *operator()(const thpp::Tensor &tensor) const {
    return tensor.defined() ? wrap(tensor) : Py_NewRef(Py_None);
  }
  PyObject *operator()(THDtype dtype) const { return wrap(dtype); }
  PyObject *operator()(THDevice device) const { return device_object(device); }
  PyObject *operator()(const Values &list) const {
    Ref made = checked_ref(PyList_New(Py_ssize_t(list.size())));
    for (size_t i = 0; i < list.size(); ++i)
      PyList_SET_ITEM(made.get(), Py_ssize_t(i), checked(std::visit(*this, list[i].any)));
    return made.release();
  }
};

// None, one value, or a tuple.
PyObject *result_object(const Values &values) {
  if (values.empty()) return Py_NewRef(Py_None);
  if (values.size() == 1) return checked(std::visit(AsObject(), values[0].any));
  const Ref list = checked_ref(AsObject()(values));
  return checked(PyList_AsTuple(list.get()));
}

// What this thread leaves out, until the scope ends.
class Excluding {
 public:
  explicit Excluding(unsigned keys) : before_(operators::excluded()) { operators::set_excluded(keys); }
  ~Excluding() { operators::set_excluded(before_); }
  Excluding(const Excluding &) = delete;

 private:
  const unsigned before_;
};

// ---- what Python asks ----------------------------------------------------------------------------
PyObject *event_object(const operators::Event &event) {
  static const char *const kinds[] = {"owner", "definition", "implementation", "module", "error"};
  return Py_BuildValue("(ssssssnO)", kinds[event.kind], event.space.c_str(), event.text.c_str(), event.key.c_str(),
                       event.signature.c_str(), event.where.c_str(), Py_ssize_t(event.kernel),
                       event.falls_through ? Py_True : Py_False);
}

// The events from this number on, in a list.
PyObject *events(PyObject *, PyObject *first) {
  return guarded([&] {
    const size_t end = operators::event_count();
    Ref list = checked_ref(PyList_New(0));
    for (size_t i = size_t(int_of(first)); i < end; ++i) {
      const Ref made = checked_ref(event_object(operators::event(i)));
      checked(PyList_Append(list.get(), made.get()));
    }
    return list.release();
  });
}

PyObject *count(PyObject *, PyObject *) { return PyLong_FromSize_t(operators::event_count()); }

// (kernel's number, list of arguments, keys left out): its results.
PyObject *run(PyObject *, PyObject *const *args, Py_ssize_t given) {
  return guarded([&] {
    if (given != 3 || !PyList_Check(args[1])) raise(PyExc_TypeError, "_operator_run(kernel, arguments, excluded)");
    Values values = std::get<Values>(value_of(args[1]).any);
    const size_t kernel = size_t(int_of(args[0]));
    const Excluding keys{unsigned(int_of(args[2]))};
    {
      const ReleaseGil free(INFINITY);
      operators::run_kernel(kernel, values);
    }
    return result_object(values);
  });
}

// ---- what C++ asks -------------------------------------------------------------------------------
class Side final : public operators::PythonSide {
 public:
  Side(PyObject *defines, PyObject *call) : defines_(Py_NewRef(defines)), call_(Py_NewRef(call)) {}

  bool defines(const std::string &qualified) override {
    return with_python([&] {
      const Ref answer = checked_ref(PyObject_CallFunction(defines_, "s", qualified.c_str()));
      return PyObject_IsTrue(answer.get()) == 1;
    });
  }
  void call(const std::string &qualified, Values &values) override {
    with_python([&] {
      const Ref list = checked_ref(AsObject()(values));
      const Ref answer = checked_ref(
          PyObject_CallFunction(call_, "sOI", qualified.c_str(), list.get(), operators::excluded()));
      Values results;
      if (PyTuple_Check(answer.get()))
        results = std::get<Values>(value_of(answer.get()).any);
      else if (answer.get() != Py_None)
        results.push_back(value_of(answer.get()));
      values = std::move(results);
    });
  }

 private:
  PyObject *const defines_, *const call_;  // kept for good, as the table of operators is
};

PyObject *python_side(PyObject *, PyObject *const *args, Py_ssize_t given) {
  return guarded([&] {
    if (given != 2) raise(PyExc_TypeError, "_operator_python_side(defines, call)");
    operators::set_python_side(std::make_unique<Side>(args[0], args[1]));
    return Py_NewRef(Py_None);
  });
}

PyObject *in_python(PyObject *, PyObject *qualified) {
  return guarded([&] {
    const Value name = value_of(qualified);
    operators::computed_by_python(std::get<std::string>(name.any));
    return Py_NewRef(Py_None);
  });
}

}  // namespace

PyMethodDef library_functions[] = {
    {"_operator_events", events, METH_O, nullptr},
    {"_operator_event_count", count, METH_NOARGS, nullptr},
    {"_operator_run", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(run)), METH_FASTCALL, nullptr},
    {"_operator_python_side", reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(python_side)), METH_FASTCALL,
     nullptr},
    {"_operator_in_python", in_python, METH_O, nullptr},
    {},
};

}  // namespace torch::python
