// Whether operations are recorded, hooks for what is saved, and anomaly mode, as torch/autograd/*.py sets them.
#include "node.h"

#include <optional>
#include <string>

#include <autograd/engine.h>
#include <autograd/record.h>
#include <autograd/saved.h>
#include <THPP/Functions.h>
#include <THPP/Inference.h>

namespace torch::python {

using thpp::Tensor;

namespace {

// ---- recording ----------------------------------------------------------------------------------
PyObject *set_grad_enabled(PyObject *, PyObject *on) {
  if (!PyBool_Check(on))
    return PyErr_Format(PyExc_TypeError, "set_grad_enabled(): argument 'enabled' (position 1) must be bool, not %s",
                        type_name(on));
  thpp::set_grad_mode(on == Py_True);
  Py_RETURN_NONE;
}
PyObject *is_grad_enabled(PyObject *, PyObject *) { return PyBool_FromLong(thpp::wants_grad_mode()); }

PyObject *set_inference(PyObject *, PyObject *on) {
  thpp::set_inference_mode(on == Py_True);
  Py_RETURN_NONE;
}
PyObject *is_inference(PyObject *, PyObject *) { return PyBool_FromLong(thpp::inference_mode()); }

PyObject *set_grad_layout(PyObject *, PyObject *on) {
  if (!PyBool_Check(on))
    return PyErr_Format(PyExc_TypeError,
                        "set_grad_layout_enforcement_enabled(): argument 'enabled' (position 1) must be bool, not %s",
                        type_name(on));
  autograd::set_grad_layout_enforced(on == Py_True);
  Py_RETURN_NONE;
}
PyObject *is_grad_layout(PyObject *, PyObject *) { return PyBool_FromLong(autograd::grad_layout_enforced()); }

// ---- torch.autograd.graph.saved_tensors_hooks ---------------------------------------------------
class Owned {
 public:
  explicit Owned(PyObject *object) : object_(Py_NewRef(object)) {}
  Owned(const Owned &) = delete;
  ~Owned() { end_reference(object_); }
  PyObject *get() const { return object_; }

 private:
  PyObject *const object_;
};

struct PackedByPython final : autograd::SavedHook {
  PackedByPython(PyObject *object, std::shared_ptr<Owned> function)
      : packed(object), unpack_hook(std::move(function)) {}
  Tensor unpack() override {
    return with_python([&] {
      const Ref result = checked_ref(
          calling_python([&] { return PyObject_CallOneArg(unpack_hook->get(), packed.get()); }));
      if (!is_tensor(result.get()))
        raise(PyExc_TypeError, "Output of saved tensor unpack_hook expected to be a Tensor but got result of type %s",
              type_name(result.get()));
      return tensor_of(result.get());
    });
  }
  const Owned packed;
  const std::shared_ptr<Owned> unpack_hook;
};

struct HooksOfPython final : autograd::SavedHooks {
  HooksOfPython(PyObject *pack, PyObject *unpack) : pack_hook(pack), unpack_hook(std::make_shared<Owned>(unpack)) {}
  std::unique_ptr<autograd::SavedHook> pack(const Tensor &tensor) override {
    return with_python([&]() -> std::unique_ptr<autograd::SavedHook> {
      const uint32_t version = tensor.version();
      const struct Unrecorded {
        const bool before = thpp::wants_grad_mode();
        Unrecorded() { thpp::set_grad_mode(false); }
        ~Unrecorded() { thpp::set_grad_mode(before); }
      } unrecorded;
      const Ref object = checked_ref(wrap(tensor));
      const Ref packed = checked_ref(
          calling_python([&] { return PyObject_CallOneArg(pack_hook.get(), object.get()); }));
      if (tensor.version() != version)
        raise(PyExc_RuntimeError,
              "A saved tensor pack hook is modifying its input in place, which others see, too: let it change a copy.");
      return std::make_unique<PackedByPython>(packed.get(), unpack_hook);
    });
  }
  const Owned pack_hook;
  const std::shared_ptr<Owned> unpack_hook;
};

}  // namespace
void set_saved_hooks(autograd::Saved &saved, PyObject *pack, PyObject *unpack) {
  saved.set_hook(HooksOfPython(pack, unpack).pack(thpp::detach(saved.raw())));
}
PyObject *unpack_hook_of(const autograd::Saved &saved) {
  const auto *const hook = dynamic_cast<const PackedByPython *>(saved.hook());
  return hook ? Py_NewRef(hook->unpack_hook->get()) : nullptr;
}
bool two_functions(PyObject *args, PyObject *&pack, PyObject *&unpack) {
  if (PyTuple_GET_SIZE(args) != 2) return false;
  pack = PyTuple_GET_ITEM(args, 0);
  unpack = PyTuple_GET_ITEM(args, 1);
  return PyCallable_Check(pack) && PyCallable_Check(unpack);
}
namespace {

thread_local std::optional<std::string> disabled;  // why there may be no hooks in this thread

PyObject *push_saved_hooks(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    PyObject *pack, *unpack;
    if (!two_functions(args, pack, unpack))
      raise(PyExc_TypeError,
            "_push_saved_tensors_default_hooks(): incompatible function arguments: saved_tensors_hooks takes two "
            "functions, pack_hook and unpack_hook");
    if (disabled) raise(PyExc_RuntimeError, "%s", disabled->c_str());
    autograd::saved_hooks().push_back(std::make_shared<HooksOfPython>(pack, unpack));
    return Py_NewRef(Py_None);
  });
}
PyObject *pop_saved_hooks(PyObject *, PyObject *) {
  return guarded([&] {
    auto &hooks = autograd::saved_hooks();
    if (hooks.empty()) raise(PyExc_RuntimeError, "there are no saved tensor hooks to take away");
    const auto last = hooks.back();
    hooks.pop_back();
    return Py_NewRef(Py_None);
  });
}
// _disable_saved_hooks(message or None): what was set before.
PyObject *disable_saved_hooks(PyObject *, PyObject *message) {
  return guarded([&] {
    if (message != Py_None && !autograd::saved_hooks().empty()) raise(PyExc_RuntimeError, "%U", message);
    const char *const text = message == Py_None ? nullptr : PyUnicode_AsUTF8(message);
    if (message != Py_None && !text) throw PythonError();
    Ref before(disabled ? PyUnicode_FromString(disabled->c_str()) : Py_NewRef(Py_None));
    disabled = text ? std::optional<std::string>(text) : std::nullopt;
    return before.release();
  });
}

// ---- anomaly mode -------------------------------------------------------------------------------
struct Note final : Node::Note {
  Note() : metadata(checked_ref(PyDict_New()).get()) {}
  const Owned metadata;
};

constexpr char kTraceback[] = "traceback_";

void warn(const Ref &text) {
  if (PyErr_WarnEx(PyExc_UserWarning, PyUnicode_AsUTF8(text.get()), 1) < 0) throw PythonError();
}

struct Tracebacks final : autograd::AnomalyHandler {
  std::unique_ptr<Node::Note> note() override {
    return with_python([]() -> std::unique_ptr<Node::Note> {
      auto made = std::make_unique<Note>();
      const Ref module = checked_ref(PyImport_ImportModule("traceback"));
      const Ref stack = checked_ref(
          calling_python([&] { return PyObject_CallMethod(module.get(), "format_stack", nullptr); }));
      checked(PyDict_SetItemString(made->metadata.get(), kTraceback, stack.get()));
      return made;
    });
  }

  void explain(const Node &node) override {
    with_python([&] {
      const Ref name = checked_ref(PyUnicode_FromString(node.name()));
      const Ref stack = traceback_of(node);
      if (!stack)
        return warn(checked_ref(PyUnicode_FromFormat(
            "Error detected in %U. No forward pass information available. Enable detect anomaly during forward pass for "
            "more information.",
            name.get())));
      warn(checked_ref(PyUnicode_FromFormat(
          "Error detected in %U. Traceback of forward call that caused the error:\n%U", name.get(), stack.get())));
      // The node was made by the backward pass of another one.
      Ref current = Ref::borrow(name.get());
      const Node *parent = node.note->parent.get();
      for (; parent; parent = parent->note ? parent->note->parent.get() : nullptr) {
        const Ref its = checked_ref(PyUnicode_FromString(parent->name())), calls = traceback_of(*parent);
        if (calls)
          warn(checked_ref(PyUnicode_FromFormat(
              "\n\nPrevious calculation was induced by %U. Traceback of forward call that induced the "
              "previous calculation:\n%U",
              its.get(), calls.get())));
        else
          warn(checked_ref(PyUnicode_FromFormat(
              "\n\nPrevious calculation was induced by %U. No forward pass information available.", its.get())));
      }
    });
  }

 private:
  // Its lines as one text; null where nothing was noted.
  static Ref traceback_of(const Node &node) {
    const auto *const note = dynamic_cast<const Note *>(node.note.get());
    PyObject *const stack = note ? PyDict_GetItemString(note->metadata.get(), kTraceback) : nullptr;
    if (!stack) return Ref();
    const Ref empty = checked_ref(PyUnicode_FromString(""));
    return checked_ref(PyUnicode_Join(empty.get(), stack));
  }
};

PyObject *set_anomaly(PyObject *, PyObject *args) {
  int on, check_nan = 1;
  if (!PyArg_ParseTuple(args, "p|p", &on, &check_nan)) return nullptr;
  autograd::set_anomaly_mode(on, check_nan);
  Py_RETURN_NONE;
}
PyObject *is_anomaly(PyObject *, PyObject *) { return PyBool_FromLong(autograd::anomaly_mode()); }
PyObject *is_nan_checked(PyObject *, PyObject *) { return PyBool_FromLong(autograd::anomaly_checks_nan()); }

}  // namespace

PyObject *node_metadata(Node &node) {
  if (!node.note) node.note = std::make_unique<Note>();
  auto *const note = dynamic_cast<Note *>(node.note.get());
  if (!note) raise(PyExc_RuntimeError, "%s was noted by C++, and has no metadata", node.name());
  return note->metadata.get();
}

void start_anomaly_mode() {
  static Tracebacks tracebacks;
  autograd::set_anomaly_handler(&tracebacks);
}

PyMethodDef autograd_mode_functions[] = {
    {"_set_grad_enabled", set_grad_enabled, METH_O, nullptr},
    {"is_grad_enabled", is_grad_enabled, METH_NOARGS, "Whether the calling thread records operations."},
    {"_set_inference_mode", set_inference, METH_O, nullptr},
    {"is_inference_mode_enabled", is_inference, METH_NOARGS, "Whether the calling thread is inside inference_mode."},
    {"_set_grad_layout_enforced", set_grad_layout, METH_O, nullptr},
    {"_is_grad_layout_enforced", is_grad_layout, METH_NOARGS, nullptr},
    {"_push_saved_tensors_hooks", push_saved_hooks, METH_VARARGS, nullptr},
    {"_pop_saved_tensors_hooks", pop_saved_hooks, METH_NOARGS, nullptr},
    {"_disable_saved_tensors_hooks", disable_saved_hooks, METH_O, nullptr},
    {"set_anomaly_enabled", set_anomaly, METH_VARARGS,
     "set_anomaly_enabled(enabled, check_nan=True): what torch.autograd.set_detect_anomaly does."},
    {"is_anomaly_enabled", is_anomaly, METH_NOARGS, "Whether anomaly mode is on."},
    {"is_anomaly_check_nan_enabled", is_nan_checked, METH_NOARGS, "Whether it refuses gradients with NaN."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::python
