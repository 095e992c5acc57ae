// Modes of Python below recording (THPP/DispatchMode.h), for torch/utils/_selective_checkpoint.py.
#include <memory>
#include <vector>

#include <THPP/DispatchMode.h>
#include <THPP/Functions.h>

#include "errors.h"
#include "functions.h"
#include "tensor_object.h"
#include "types.h"

namespace torch::python {

using thpp::Tensor;

namespace {

// ---- arguments as Python has them ---------------------------------------------------------------
struct AsObject {
  PyObject *operator()(std::monostate) const { return Py_NewRef(Py_None); }
  PyObject *operator()(const Tensor *tensor) const {
    if (!tensor->defined()) return Py_NewRef(Py_None);
    return tensor->is_wrapped_number() ? item_object(*tensor) : wrap(*tensor);
  }
  PyObject *operator()(const thpp::Scalar *number) const { return wrap(*number); }
  PyObject *operator()(bool value) const { return wrap(value); }
  PyObject *operator()(int64_t value) const { return wrap(value); }
  PyObject *operator()(double value) const { return wrap(value); }
  PyObject *operator()(char value) const { return PyUnicode_FromStringAndSize(&value, 1); }
  PyObject *operator()(const char *text) const { return text ? PyUnicode_FromString(text) : Py_NewRef(Py_None); }
  PyObject *operator()(THDtype dtype) const { return wrap(dtype); }
  PyObject *operator()(THDevice device) const { return device_object(device); }
  PyObject *operator()(thpp::MemoryFormat format) const { return memory_format_object(format); }
  // A generator of C++ has no object that Python could be given.
  PyObject *operator()(THGenerator *) const { return Py_NewRef(Py_None); }
  template <class T>
  PyObject *operator()(thpp::List<T> list) const {
    Ref made = checked_ref(PyList_New(Py_ssize_t(list.size())));
    for (size_t i = 0; i < list.size(); ++i) PyList_SET_ITEM(made.get(), Py_ssize_t(i), checked(item(list[i])));
    return made.release();
  }

 private:
  PyObject *item(const Tensor &tensor) const { return (*this)(&tensor); }
  template <class T>
  PyObject *item(const T &value) const {
    return (*this)(value);
  }
};

Ref arguments_of(std::span<const thpp::Argument> arguments) {
  Ref tuple = checked_ref(PyTuple_New(Py_ssize_t(arguments.size())));
  for (size_t i = 0; i < arguments.size(); ++i)
    PyTuple_SET_ITEM(tuple.get(), Py_ssize_t(i), checked(std::visit(AsObject(), arguments[i])));
  return tuple;
}

// Results of a call that is recorded become outputs of a node, if nobody else has them: so Python gets, and gives, aliases.
Ref aliases_of(const std::vector<Tensor> &results) {
  std::vector<Tensor> aliases;
  for (const Tensor &result : results) aliases.push_back(result.defined() ? thpp::detach(result) : Tensor());
  return checked_ref(AsObject()(thpp::TensorList(aliases)));
}

std::vector<Tensor> results_of(PyObject *tuple) {
  std::vector<Tensor> results;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
    PyObject *const item = PyTuple_GET_ITEM(tuple, i);
    if (item != Py_None && !is_tensor(item))
      raise(PyExc_TypeError, "a mode's answer has to hold tensors, not %s", type_name(item));
    results.push_back(item == Py_None ? Tensor() : thpp::detach(tensor_of(item)));
  }
  return results;
}

// function(number, arguments), with the function's place in thpp::operators(), answers with the results as a tuple; or with None: they are to be computed; or with
// a function that is to be given them, in a list, when they are.
class ModeOfPython final : public thpp::DispatchMode {
 public:
  explicit ModeOfPython(PyObject *function) : function_(Py_NewRef(function)) {}
  ~ModeOfPython() override { end_reference(function_); }

  std::vector<Tensor> call(const thpp::Op &op, std::span<const thpp::Argument> arguments,
                           const std::function<std::vector<Tensor>()> &run) override {
    std::vector<Tensor> results;
    PyObject *keep = nullptr;
    const bool known = with_python([&] {
      const Ref given = arguments_of(arguments);
      const Py_ssize_t number = &op - thpp::operators().data();
      Ref answer = checked_ref(PyObject_CallFunction(function_, "nO", number, given.get()));
      if (PyTuple_Check(answer.get())) {
        results = results_of(answer.get());
        return true;
      }
      if (answer.get() != Py_None) keep = answer.release();
      return false;
    });
    if (known) return results;
    const std::unique_ptr<PyObject, void (*)(PyObject *)> kept(keep, end_reference);
    results = run();
    if (kept)
      with_python([&] {
        const Ref aliases = aliases_of(results);
        checked_ref(PyObject_CallOneArg(kept.get(), aliases.get()));
      });
    return results;
  }

 private:
  PyObject *const function_;
};

thread_local std::vector<std::unique_ptr<ModeOfPython>> entered;

PyObject *enter(PyObject *, PyObject *function) {
  return guarded([&] {
    auto mode = std::make_unique<ModeOfPython>(function);
    thpp::push_dispatch_mode(mode.get());
    entered.push_back(std::move(mode));
    return Py_NewRef(Py_None);
  });
}
PyObject *leave(PyObject *, PyObject *) {
  return guarded([&] {
    thpp::pop_dispatch_mode();
    entered.pop_back();
    return Py_NewRef(Py_None);
  });
}

}  // namespace

PyMethodDef dispatch_functions[] = {
    {"_enter_dispatch_mode", enter, METH_O, nullptr},
    {"_leave_dispatch_mode", leave, METH_NOARGS, nullptr},
    {},
};

}  // namespace torch::python
