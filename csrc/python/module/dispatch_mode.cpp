// Modes of Python below recording (THPP/DispatchMode.h), for torch/utils/_selective_checkpoint.py and its like, and for
// torch/utils/_dispatch_modes.py.
#include <algorithm>
#include <memory>
#include <vector>

#include <autograd/record.h>

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
Tensor alias_of(const Tensor &result) {
  const thpp::WithoutModes unheard;
  return result.defined() ? thpp::detach(result) : Tensor();
}
std::vector<Tensor> aliases_of(const std::vector<Tensor> &results) {
  std::vector<Tensor> aliases;
  for (const Tensor &result : results) aliases.push_back(alias_of(result));
  return aliases;
}
Ref list_of(const std::vector<Tensor> &tensors) {
  Ref list = checked_ref(PyList_New(Py_ssize_t(tensors.size())));
  for (size_t i = 0; i < tensors.size(); ++i) PyList_SET_ITEM(list.get(), Py_ssize_t(i), checked(wrap(tensors[i])));
  return list;
}

// The tensors of a mode's answer, as `taken` takes each.
template <class Taken>
std::vector<Tensor> results_of(PyObject *tuple, Taken taken) {
  std::vector<Tensor> results;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tuple); ++i) {
    PyObject *const item = PyTuple_GET_ITEM(tuple, i);
    if (item != Py_None && !is_tensor(item))
      raise(PyExc_TypeError, "a mode's answer has to hold tensors, not %s", type_name(item));
    results.push_back(item == Py_None ? Tensor() : taken(tensor_of(item)));
  }
  return results;
}

Py_ssize_t number_of(const thpp::Op &op) { return &op - thpp::operators().data(); }

class ModeOfPython : public thpp::DispatchMode {
 public:
  explicit ModeOfPython(PyObject *function) : function_(Py_NewRef(function)) {}
  ~ModeOfPython() override { end_reference(function_); }

 protected:
  PyObject *const function_;
};

thread_local std::vector<std::unique_ptr<ModeOfPython>> entered;
// When it ends, those that were entered since and not left are no longer kept; their thread has left them, or will.
struct EnteredInside {
  const size_t before = entered.size();
  ~EnteredInside() { entered.erase(entered.begin() + Py_ssize_t(std::min(before, entered.size())), entered.end()); }
};

// function(number, arguments), with the function's place in thpp::operators(), answers with the results as a tuple; or with
// None: they are to be computed; or with a function that is to be given them, in a list, when they are.
class Listener final : public ModeOfPython {
 public:
  using ModeOfPython::ModeOfPython;

  std::vector<Tensor> call(const thpp::Op &op, std::span<const thpp::Argument> arguments,
                           const std::function<std::vector<Tensor>()> &run) override {
    std::vector<Tensor> results;
    PyObject *keep = nullptr;
    const bool known = with_python([&] {
      const Ref given = arguments_of(arguments);
      Ref answer = checked_ref(PyObject_CallFunction(function_, "nO", number_of(op), given.get()));
      if (PyTuple_Check(answer.get())) {
        results = results_of(answer.get(), alias_of);
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
        const Ref aliases = list_of(aliases_of(results));
        checked_ref(PyObject_CallOneArg(kept.get(), aliases.get()));
      });
    return results;
  }
};

// ---- modes that stand for the call ------------------------------------------------------------------
bool wants_gradient(const thpp::Argument &argument) {
  if (auto *const one = std::get_if<const Tensor *>(&argument)) return autograd::requires_grad(**one);
  if (auto *const list = std::get_if<thpp::TensorList>(&argument)) return autograd::wants(*list);
  return false;
}

// A call that a mode of Python answers.
struct Call {
  const std::function<std::vector<Tensor>()> &run;
  const bool recorded;  // results become outputs of a node, and are no tensors that Python has
  std::vector<Tensor> results = {}, shown = {};  // what was computed, and what Python got for it

  Ref compute() {
    const thpp::NoRecording off;
    std::vector<Tensor> made;
    {
      const ReleaseGil free(INFINITY);
      made = run();
    }
    const std::vector<Tensor> seen = recorded ? aliases_of(made) : made;
    results.insert(results.end(), made.begin(), made.end());
    shown.insert(shown.end(), seen.begin(), seen.end());
    return list_of(seen);
  }
  Tensor taken(const Tensor &answer) const {
    if (!recorded) return answer;
    for (size_t i = 0; i < shown.size(); ++i)
      if (shown[i].get() == answer.get()) return results[i];
    return alias_of(answer);
  }
};

constexpr const char *kCall = "torch._C.call";
PyObject *compute(PyObject *capsule, PyObject *) {
  return guarded([&] {
    auto *const call = static_cast<Call *>(PyCapsule_GetContext(capsule));
    if (!call) raise(PyExc_RuntimeError, "the call that this would compute is over");
    return call->compute().release();
  });
}
PyMethodDef compute_method = {"compute", compute, METH_NOARGS, nullptr};

// The function compute() of a call, while it lasts.
class Computing {
 public:
  explicit Computing(Call &call)
      : capsule_(checked_ref(PyCapsule_New(this, kCall, nullptr))),
        function_(checked_ref(PyCFunction_New(&compute_method, capsule_.get()))) {
    checked(PyCapsule_SetContext(capsule_.get(), &call));
  }
  ~Computing() { PyCapsule_SetContext(capsule_.get(), nullptr); }
  PyObject *function() const { return function_.get(); }

 private:
  const Ref capsule_, function_;
};

// function(number, arguments, compute) answers with the results as a tuple, of which compute() gives a list.
class Answering final : public ModeOfPython {
 public:
  using ModeOfPython::ModeOfPython;

  std::vector<Tensor> call(const thpp::Op &op, std::span<const thpp::Argument> arguments,
                           const std::function<std::vector<Tensor>()> &run) override {
    const bool recorded = op.form == thpp::Form::Functional && thpp::grad_mode() &&
                          std::ranges::any_of(arguments, wants_gradient);
    const thpp::NoRecording off;
    const EnteredInside inside;
    return with_python([&] {
      Call call{run, recorded};
      const Ref given = arguments_of(arguments);
      const Computing computing(call);
      const Ref answer = checked_ref(
          PyObject_CallFunction(function_, "nOO", number_of(op), given.get(), computing.function()));
      if (!PyTuple_Check(answer.get()))
        raise(PyExc_TypeError, "a mode's answer has to be a tuple, not %s", type_name(answer.get()));
      return results_of(answer.get(), [&](const Tensor &tensor) { return call.taken(tensor); });
    });
  }
};

struct LeftOut {
  EnteredInside entered;
  thpp::WithoutModes modes;
};
thread_local std::vector<std::unique_ptr<LeftOut>> left_out;

template <class Mode>
PyObject *enter(PyObject *, PyObject *function) {
  return guarded([&] {
    auto mode = std::make_unique<Mode>(function);
    thpp::push_dispatch_mode(mode.get());
    entered.push_back(std::move(mode));
    return Py_NewRef(Py_None);
  });
}
PyObject *leave(PyObject *, PyObject *) {
  return guarded([&] {
    const thpp::DispatchMode *const mode = thpp::pop_dispatch_mode();
    std::erase_if(entered, [&](const auto &one) { return one.get() == mode; });
    return Py_NewRef(Py_None);
  });
}

PyObject *leave_out(PyObject *, PyObject *) {
  return guarded([&] {
    left_out.push_back(std::make_unique<LeftOut>());
    return Py_NewRef(Py_None);
  });
}
PyObject *take_back(PyObject *, PyObject *) {
  return guarded([&] {
    if (left_out.empty()) raise(PyExc_RuntimeError, "no modes are left out");
    left_out.pop_back();
    return Py_NewRef(Py_None);
  });
}

PyObject *call_recorded(PyObject *, PyObject *function) {
  return guarded([&] {
    const thpp::RecordingAnew anew;
    return checked(PyObject_CallNoArgs(function));
  });
}

}  // namespace

PyMethodDef dispatch_functions[] = {
    {"_enter_dispatch_mode", enter<Listener>, METH_O, nullptr},
    {"_enter_answering_mode", enter<Answering>, METH_O, nullptr},
    {"_leave_dispatch_mode", leave, METH_NOARGS, nullptr},
    {"_leave_out_dispatch_modes", leave_out, METH_NOARGS, nullptr},
    {"_take_back_dispatch_modes", take_back, METH_NOARGS, nullptr},
    {"_call_recorded", call_recorded, METH_O, nullptr},
    {},
};

}  // namespace torch::python
