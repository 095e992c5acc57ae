// What nodes have saved, as Python sees it: _saved_self is the tensor, _raw_saved_self a SavedTensor, which takes hooks.
#include "node.h"

#include <cstring>
#include <string>
#include <vector>

#include <THPP/Functions.h>
#include <THPP/Inference.h>

#include "types.h"

namespace torch::python {

using autograd::Saved;
using autograd::SavedValue;

namespace {

constexpr char kSaved[] = "_saved_", kRaw[] = "_raw_saved_", kSizes[] = "_sym_sizes";

// ---- _raw_saved_… -------------------------------------------------------------------------------
// Names its place in the node, for what was saved may be freed meanwhile.
struct SavedObject {
  PyObject_HEAD
  Node *node;  // counted
  const char *name;  // the node's, a literal
  size_t index;
};
PyTypeObject *SavedType;
SavedObject *cast(PyObject *self) { return reinterpret_cast<SavedObject *>(self); }

Ref saved_object(Node &node, const char *name, size_t index) {
  Ref made = checked_ref(SavedType->tp_alloc(SavedType, 0));
  node.retain();
  cast(made.get())->node = &node;
  cast(made.get())->name = name;
  cast(made.get())->index = index;
  return made;
}

struct FindSaved final : autograd::SavedVisitor {
  explicit FindSaved(const SavedObject &of) : of_(of) { of.node->each_saved(*this); }
  void tensor(const char *name, Saved &saved) override {
    if (!std::strcmp(name, of_.name)) found = &saved;
  }
  void list(const char *name, std::vector<Saved> &saved, bool) override {
    if (!std::strcmp(name, of_.name) && of_.index < saved.size()) found = &saved[of_.index];
  }
  void info(const char *, const autograd::TensorInfo &) override {}
  void value(const char *, SavedValue) override {}
  Saved *found = nullptr;  // null where a list was freed

 private:
  const SavedObject &of_;
};

PyObject *unpacked(Node &node, const Saved &saved) {
  thpp::Tensor tensor;
  {
    // What its hooks give back is what it was, with its place in the graph.
    const bool before = thpp::wants_grad_mode();
    thpp::set_grad_mode(true);
    try {
      tensor = saved.unpack(&node);
    } catch (...) {
      thpp::set_grad_mode(before);
      throw;
    }
    thpp::set_grad_mode(before);
  }
  return wrap(tensor);
}

PyObject *data(PyObject *self, void *) {
  return guarded([&] {
    Node &node = *cast(self)->node;
    const Saved *const saved = FindSaved(*cast(self)).found;
    if (!saved) autograd::throw_released(node.name());
    return unpacked(node, *saved);
  });
}

PyObject *unpack(PyObject *self, PyObject *) { return data(self, nullptr); }

PyObject *unpack_hook(PyObject *self, void *) {
  return guarded([&] {
    const Saved *const saved = FindSaved(*cast(self)).found;
    PyObject *const hook = saved ? unpack_hook_of(*saved) : nullptr;
    return hook ? hook : Py_NewRef(Py_None);
  });
}

PyObject *register_hooks(PyObject *self, PyObject *args) {
  return guarded([&] {
    PyObject *pack, *unpack;
    if (!two_functions(args, pack, unpack))
      raise(PyExc_TypeError,
            "register_hooks(): incompatible function arguments: two functions are expected, pack_hook and "
            "unpack_hook");
    Saved *const saved = FindSaved(*cast(self)).found;
    if (!saved || saved->released())
      raise(
          PyExc_RuntimeError,
          "Calling register_hooks on a saved tensor after it has been freed. What a node has saved is freed by backward() "
          "and autograd.grad(), unless retain_graph=True.");
    if (saved->hooked())
      raise(
          PyExc_RuntimeError,
          "Calling register_hooks on a saved tensor whose hooks have already been set. Hint: only one pair of hooks is "
          "allowed at a time.");
    if (!saved->given())
      raise(PyExc_RuntimeError, "Calling register_hooks on a saved tensor with value None is forbidden");
    set_saved_hooks(*saved, pack, unpack);
    return Py_NewRef(Py_None);
  });
}

void dealloc(PyObject *self) {
  cast(self)->node->release();
  PyTypeObject *const type = Py_TYPE(self);
  type->tp_free(self);
  Py_DECREF(type);
}

PyObject *throw_new(PyTypeObject *, PyObject *, PyObject *) {
  PyErr_SetString(PyExc_RuntimeError, "Trying to create a SavedTensor object from Python is forbidden.");
  return nullptr;
}

// ---- _saved_… -----------------------------------------------------------------------------------
template <class T>
PyObject *tuple_of(const std::vector<T> &values) {
  const Ref tuple = checked_ref(PyTuple_New(Py_ssize_t(values.size())));
  for (size_t i = 0; i < values.size(); ++i) PyTuple_SET_ITEM(tuple.get(), Py_ssize_t(i), checked(wrap(values[i])));
  return Py_NewRef(tuple.get());
}

struct ToPython {
  PyObject *operator()(std::monostate) const { return Py_NewRef(Py_None); }
  PyObject *operator()(const std::string &text) const { return PyUnicode_FromString(text.c_str()); }
  template <class T>
  PyObject *operator()(const std::vector<T> &values) const {
    return tuple_of(values);
  }
  PyObject *operator()(const auto &value) const { return wrap(value); }
};

struct ReadSaved final : autograd::SavedVisitor {
  ReadSaved(Node &node, const char *attribute) : node_(node), raw_(!std::strncmp(attribute, kRaw, sizeof kRaw - 1)) {
    wanted_ = attribute + (raw_ ? sizeof kRaw : sizeof kSaved) - 1;
    node.each_saved(*this);
  }
  void tensor(const char *name, Saved &saved) override {
    if (wanted_ == name) found = raw_ ? saved_object(node_, name, 0) : checked_ref(unpacked(node_, saved));
  }
  void list(const char *name, std::vector<Saved> &saved, bool released) override {
    if (wanted_ != name) return;
    if (released) autograd::throw_released(node_.name());
    found = checked_ref(PyTuple_New(Py_ssize_t(saved.size())));
    for (size_t i = 0; i < saved.size(); ++i)
      PyTuple_SET_ITEM(found.get(), Py_ssize_t(i),
                       raw_ ? saved_object(node_, name, i).release() : checked(unpacked(node_, saved[i])));
  }
  void info(const char *name, const autograd::TensorInfo &info) override {
    if (raw_ || wanted_ != std::string(name) + kSizes) return;
    found = checked_ref(tuple_of(std::vector<int64_t>(info.sizes().begin(), info.sizes().end())));
  }
  void value(const char *name, SavedValue value) override {
    if (!raw_ && wanted_ == name) found = checked_ref(std::visit(ToPython{}, value));
  }
  Ref found;

 private:
  Node &node_;
  const bool raw_;
  std::string wanted_;
};

struct ListSaved final : autograd::SavedVisitor {
  explicit ListSaved(PyObject *to) : to_(to) {}
  void tensor(const char *name, Saved &) override { add(std::string(kSaved) + name), add(std::string(kRaw) + name); }
  void list(const char *name, std::vector<Saved> &, bool) override {
    add(std::string(kSaved) + name), add(std::string(kRaw) + name);
  }
  void info(const char *name, const autograd::TensorInfo &) override { add(std::string(kSaved) + name + kSizes); }
  void value(const char *name, SavedValue) override { add(std::string(kSaved) + name); }

 private:
  void add(const std::string &name) {
    const Ref text = checked_ref(PyUnicode_FromString(name.c_str()));
    checked(PyList_Append(to_, text.get()));
  }
  PyObject *const to_;
};

}  // namespace

Ref saved_attribute(Node &node, const char *attribute) { return std::move(ReadSaved(node, attribute).found); }

void add_saved_names(Node &node, PyObject *list) {
  ListSaved names(list);
  node.each_saved(names);
}

void add_saved_type(PyObject *module) {
  static PyMethodDef methods[] = {
      {"register_hooks", register_hooks, METH_VARARGS,
       "register_hooks(pack_hook, unpack_hook): as torch.autograd.graph.saved_tensors_hooks, for this tensor alone."},
      {"unpack", unpack, METH_NOARGS, "The tensor, as the node's backward pass sees it."},
      {nullptr, nullptr, 0, nullptr},
  };
  static PyGetSetDef properties[] = {
      {"data", data, nullptr, "The tensor, as the node's backward pass sees it.", nullptr},
      {"unpack_hook", unpack_hook, nullptr, "The function that unpacks it; None: none does.", nullptr},
      {nullptr, nullptr, nullptr, nullptr, nullptr},
  };
  static PyType_Slot slots[] = {
      {Py_tp_dealloc, reinterpret_cast<void *>(dealloc)},
      {Py_tp_new, reinterpret_cast<void *>(throw_new)},
      {Py_tp_methods, methods},
      {Py_tp_getset, properties},
      {0, nullptr},
  };
  static PyType_Spec spec = {"torch._C._autograd.SavedTensor", sizeof(SavedObject), 0, Py_TPFLAGS_DEFAULT, slots};
  SavedType = reinterpret_cast<PyTypeObject *>(checked(PyType_FromSpec(&spec)));
  checked(PyModule_AddObjectRef(module, "_SavedTensor", reinterpret_cast<PyObject *>(SavedType)));
}

}  // namespace torch::python
