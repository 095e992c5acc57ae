// torch.autograd.Function: a node whose forward and backward are written in Python.
//
// cls.apply(x, …) makes a `ctx`, an object of the class cls._backward_cls, and its node; runs cls.forward(ctx, x, …)
// without recording; and makes the tensors that come out of it outputs of the node. In the backward pass the node calls
// ctx.apply(grad, …), which torch/autograd/function.py leads to cls.backward(ctx, grad, …).
#include "node.h"

#include <structmember.h>

#include <cstddef>
#include <string>
#include <utility>

#include <autograd/custom.h>
#include <autograd/engine.h>
#include <THPP/Functions.h>
#include <THPP/Inference.h>
#include <THPP/Observer.h>

namespace torch::python {

using autograd::Edge;
using thpp::Tensor;

PyTypeObject *FunctionBaseType;

namespace {

FunctionObject *cast(PyObject *self) { return reinterpret_cast<FunctionObject *>(self); }
PyObject *object_at(FunctionObject *self) { return reinterpret_cast<PyObject *>(self); }

// ---- the node -----------------------------------------------------------------------------------
// An output of forward(), for gradients that nobody has computed.
struct Output {
  bool is_tensor = false;
  THDtype dtype = TH_Float;
  THDevice device = {};
  std::vector<int64_t> size;
};

struct FunctionNode final : Node {
  explicit FunctionNode(const char *name) : name_(name) {}
  const char *name() const override { return name_.c_str(); }
  Grads apply(Grads &&grads) override {
    return with_python([&] { return apply_in_python(grads); });
  }
  bool takes_undefined() const override { return true; }
  void release_saved() override { saved.release(); }

  void each_saved(autograd::SavedVisitor &visitor) override { visitor.list("tensors", saved.each(), saved.released()); }

  autograd::SavedList saved;
  std::vector<bool> is_tensor;  // each argument of forward(); these have an edge
  std::vector<Output> results;

 private:
  Grads apply_in_python(const Grads &grads);
  Ref argument(const Tensor &grad, const Output &output, bool materialize) const;
  const std::string name_;
};

Ref FunctionNode::argument(const Tensor &grad, const Output &output, bool materialize) const {
  if (grad.defined()) return checked_ref(wrap(grad));
  if (!materialize || !output.is_tensor) return Ref::borrow(Py_None);
  return checked_ref(wrap(thpp::zeros(output.size, output.dtype, output.device)));
}

Grads FunctionNode::apply_in_python(const Grads &grads) {
  const Ref ctx = Ref::borrow(static_cast<PyObject *>(pyobj.load()));
  if (!ctx) raise(PyExc_RuntimeError, "%s: its ctx has ended before the backward pass", name());
  const bool materialize = cast(ctx.get())->materialize_grads;
  const Ref args = checked_ref(PyTuple_New(Py_ssize_t(results.size())));
  for (size_t i = 0; i < results.size(); ++i) {
    const Tensor grad = i < grads.size() ? grads[i] : Tensor();
    PyTuple_SET_ITEM(args.get(), Py_ssize_t(i), argument(grad, results[i], materialize).release());
  }
  const Ref function = checked_ref(PyObject_GetAttrString(ctx.get(), "apply"));
  Ref result = checked_ref(calling_python([&] { return PyObject_CallObject(function.get(), args.get()); }));
  if (!PyTuple_Check(result.get())) result = checked_ref(PyTuple_Pack(1, result.get()));

  const Py_ssize_t given = PyTuple_GET_SIZE(result.get()), expected = Py_ssize_t(is_tensor.size());
  bool fits = given >= expected;
  for (Py_ssize_t i = expected; i < given; ++i) fits = fits && PyTuple_GET_ITEM(result.get(), i) == Py_None;
  if (!fits)
    raise(PyExc_RuntimeError, "function %s returned an incorrect number of gradients (expected %zd, got %zd)", name(),
          expected, given);
  Grads inputs;
  for (Py_ssize_t i = 0; i < expected; ++i) {
    PyObject *const grad = PyTuple_GET_ITEM(result.get(), i);
    if (!is_tensor[size_t(i)]) {
      if (grad != Py_None)
        raise(
            PyExc_RuntimeError,
            "function %s returned a gradient different than None at position %zd, but the corresponding forward input "
            "was not a Variable",
            name(), i + 1);
      continue;
    }
    if (grad != Py_None && !python::is_tensor(grad))
      raise(PyExc_RuntimeError, "expected Variable or None (got %s)", type_name(grad));
    inputs.push_back(grad == Py_None ? Tensor() : tensor_of(grad));
  }
  return inputs;
}

FunctionNode &function_node(PyObject *self) { return static_cast<FunctionNode &>(node_of(self)); }

// ---- the life of a ctx --------------------------------------------------------------------------
PyObject *make(PyTypeObject *type, PyObject *, PyObject *) {
  PyObject *const self = type->tp_alloc(type, 0);  // of zeros
  if (self) cast(self)->materialize_grads = true;
  return self;
}

// Its last reference has gone. Whether its node, which the graph still holds, takes it over.
bool resurrect(FunctionObject *self) {
  Node *const node = self->node;
  if (!node || node->pyobj.load() != self || node->use_count() == 1) return false;
  self->owned = true;
  Py_SET_REFCNT(object_at(self), 1);
  node->release();
  return true;
}

int clear(PyObject *object) {
  FunctionObject *const self = cast(object);
  Py_CLEAR(self->dict);
  Py_CLEAR(self->to_save);
  Py_CLEAR(self->dirty);
  Py_CLEAR(self->non_differentiable);
  Py_CLEAR(self->needs_input_grad);
  Py_CLEAR(self->saved_for_forward);
  return 0;
}

int traverse(PyObject *object, visitproc visit, void *arg) {
  FunctionObject *const self = cast(object);
  Py_VISIT(Py_TYPE(object));
  Py_VISIT(self->dict);
  Py_VISIT(self->to_save);
  Py_VISIT(self->dirty);
  Py_VISIT(self->non_differentiable);
  Py_VISIT(self->needs_input_grad);
  Py_VISIT(self->saved_for_forward);
  if (self->node && !self->owned && self->node->use_count() == 1) return visit_hooks(*self->node, visit, arg);
  return 0;
}

void dealloc(PyObject *object) {
  FunctionObject *const self = cast(object);
  PyTypeObject *const type = Py_TYPE(object);
  if (resurrect(self)) return;
  if (type->tp_finalize && (PyObject_CallFinalizerFromDealloc(object) < 0 || resurrect(self))) return;
  PyObject_GC_UnTrack(object);
  Py_TRASHCAN_BEGIN(object, dealloc) if (self->weakrefs) PyObject_ClearWeakRefs(object);
  type->tp_clear(object);  // of a derived type the slots too
  if (Node *const node = std::exchange(self->node, nullptr)) {
    node->pyobj = nullptr;
    node->release();
  }
  type->tp_free(object);
  Py_DECREF(type);
  Py_TRASHCAN_END
}

// Python gives a derived type a tp_dealloc that empties it before ours could keep it.
int init_type(PyObject *type, PyObject *args, PyObject *kwargs) {
  if (PyType_Type.tp_init(type, args, kwargs) < 0) return -1;
  reinterpret_cast<PyTypeObject *>(type)->tp_dealloc = dealloc;
  return 0;
}

// ---- forward ------------------------------------------------------------------------------------
class GradMode {
 public:
  explicit GradMode(bool on) : before_(thpp::wants_grad_mode()) { thpp::set_grad_mode(on); }
  ~GradMode() { thpp::set_grad_mode(before_); }
  GradMode(const GradMode &) = delete;

 private:
  const bool before_;
};

// The forward() of a class, and its setup_context(), if it has one of its own: then forward() has no ctx.
struct Forward {
  explicit Forward(PyObject *cls);
  Ref function, context;
};

Forward::Forward(PyObject *cls) {
  PyObject *const name = kept([] { return PyUnicode_InternFromString("forward"); });
  PyObject *const setup = kept([] { return PyUnicode_InternFromString("setup_context"); });
  PyObject *const none = kept([] {
    const Ref module = checked_ref(PyImport_ImportModule("torch.autograd.function"));
    const Ref base = checked_ref(PyObject_GetAttrString(module.get(), "_SingleLevelFunction"));
    return PyObject_GetAttrString(base.get(), "setup_context");
  });
  function = checked_ref(PyObject_GetAttr(cls, name));
  Ref found = checked_ref(PyObject_GetAttr(cls, setup));
  if (found.get() != none) context = std::move(found);
}

// One call of apply().
class Call {
 public:
  Call(PyObject *cls, const Forward &forward, PyObject *const *args, Py_ssize_t nargs);
  PyObject *run();

 private:
  Ref forward();
  Ref outputs_of(PyObject *raw);
  Tensor processed(PyObject *object, bool several);
  void save();

  bool is_input(PyObject *object) const {
    for (Py_ssize_t i = 0; i < nargs_; ++i)
      if (args_[i] == object) return true;
    return false;
  }
  static bool holds(PyObject *tuple, PyObject *object) {
    for (Py_ssize_t i = 0; tuple && i < PyTuple_GET_SIZE(tuple); ++i)
      if (PyTuple_GET_ITEM(tuple, i) == object) return true;
    return false;
  }

  const Forward &forward_;
  PyObject *const *const args_;
  const Py_ssize_t nargs_;
  Ref ctx_;
  FunctionNode *node_ = nullptr;
  bool recording_ = false;
};

Call::Call(PyObject *cls, const Forward &forward, PyObject *const *args, Py_ssize_t nargs)
    : forward_(forward), args_(args), nargs_(nargs) {
  const Ref type = checked_ref(PyObject_GetAttrString(cls, "_backward_cls"));
  ctx_ = checked_ref(calling_python([&] { return PyObject_CallNoArgs(type.get()); }));
  if (!is_function(ctx_.get())) raise(PyExc_TypeError, "%R is no class derived from torch.autograd.Function", cls);
  FunctionObject *const ctx = cast(ctx_.get());
  node_ = new FunctionNode(reinterpret_cast<PyTypeObject *>(type.get())->tp_name);
  ctx->node = node_;
  node_->pyobj = ctx;
  ctx->needs_input_grad = checked(PyTuple_New(nargs));
  for (Py_ssize_t i = 0; i < nargs; ++i) {
    const bool tensor = is_tensor(args[i]), wanted = tensor && autograd::requires_grad(tensor_of(args[i]));
    PyTuple_SET_ITEM(ctx->needs_input_grad, i, PyBool_FromLong(wanted));
    node_->is_tensor.push_back(tensor);
    recording_ |= wanted;
  }
  recording_ &= thpp::grad_mode();
  if (!recording_) return;
  for (Py_ssize_t i = 0; i < nargs; ++i)
    if (is_tensor(args[i])) autograd::add_edges(*node_, tensor_of(args[i]));
  if (autograd::anomaly_mode()) autograd::note_anomaly(*node_);
}

// What forward() returns.
Ref Call::forward() {
  std::vector<PyObject *> all;
  if (!forward_.context) all.push_back(ctx_.get());
  all.insert(all.end(), args_, args_ + nargs_);
  const GradMode off(false);
  Ref result = checked_ref(
      calling_python([&] { return PyObject_Vectorcall(forward_.function.get(), all.data(), all.size(), nullptr); }));
  if (forward_.context) {
    const Ref inputs = checked_ref(PyTuple_New(nargs_));
    for (Py_ssize_t i = 0; i < nargs_; ++i) PyTuple_SET_ITEM(inputs.get(), i, Py_NewRef(args_[i]));
    checked_ref(calling_python([&] {
      return PyObject_CallFunctionObjArgs(forward_.context.get(), ctx_.get(), inputs.get(), result.get(), nullptr);
    }));
  }
  return result;
}

// What stands for a tensor of forward() in the results. Each counts as an output, whether or not it has a gradient.
Tensor Call::processed(PyObject *object, bool several) {
  const FunctionObject *const ctx = cast(ctx_.get());
  const autograd::CustomResult is = {is_input(object), holds(ctx->dirty, object),
                                     !holds(ctx->non_differentiable, object)};
  return autograd::add_result(autograd::Ref<Node>::share(node_), tensor_of(object), is, recording_, several);
}

Ref Call::outputs_of(PyObject *raw) {
  const bool alone = !PyTuple_Check(raw);
  const Ref all = alone ? checked_ref(PyTuple_Pack(1, raw)) : Ref::borrow(raw);
  FunctionObject *const ctx = cast(ctx_.get());
  for (PyObject *const marked : {ctx->dirty, ctx->non_differentiable}) {
    if (!marked) continue;
    const bool dirty = marked == ctx->dirty;
    if (!PyTuple_Check(marked))
      raise(PyExc_TypeError, "autograd internal error: %s attribute is expected to be a tuple but is %s",
            dirty ? "dirty_tensors" : "non_differentiable", type_name(marked));
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(marked); ++i) {
      PyObject *const item = PyTuple_GET_ITEM(marked, i);
      if (!is_tensor(item))
        raise(dirty ? PyExc_RuntimeError : PyExc_TypeError,
              dirty ? "mark_dirty can only accept variables, but argument %zd is of type %s"
                    : "mark_non_differentiable only accepts variable arguments, but argument %zd is of "
                      "type %s",
              i, type_name(item));
      if (dirty) tensor_of(item).bump_version();
      if (dirty && !holds(all.get(), item))
        raise(
            PyExc_RuntimeError,
            "Some elements marked as dirty during the forward method were not returned as output. The inputs that are "
            "modified inplace must all be outputs of the Function.");
    }
  }
  Py_ssize_t tensors = 0;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(all.get()); ++i)
    tensors += is_tensor(PyTuple_GET_ITEM(all.get(), i)) &&
               autograd::is_differentiable(tensor_of(PyTuple_GET_ITEM(all.get(), i)).dtype()) &&
               !holds(ctx->non_differentiable, PyTuple_GET_ITEM(all.get(), i));
  const Ref results = checked_ref(PyTuple_New(PyTuple_GET_SIZE(all.get())));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(all.get()); ++i) {
    PyObject *const object = PyTuple_GET_ITEM(all.get(), i);
    Output &info = node_->results.emplace_back();
    PyObject *result;
    if (is_tensor(object)) {
      const Tensor &tensor = tensor_of(object);
      info = {true, tensor.dtype(), tensor.device(), {tensor.sizes().begin(), tensor.sizes().end()}};
      const Tensor processed_tensor = processed(object, tensors > 1);
      result = processed_tensor.is_same(tensor_of(object)) ? Py_NewRef(object) : wrap(processed_tensor);
      track_tensor(result);
    } else {
      node_->add_output(Tensor());
      result = Py_NewRef(object);
    }
    PyTuple_SET_ITEM(results.get(), i, result);
  }
  if (alone) return Ref::borrow(PyTuple_GET_ITEM(results.get(), 0));
  return Ref::borrow(results.get());
}

void Call::save() {
  FunctionObject *const ctx = cast(ctx_.get());
  const Ref tensors(std::exchange(ctx->to_save, nullptr));
  if (!tensors || tensors.get() == Py_None) return;
  if (!PyTuple_Check(tensors.get()))
    raise(PyExc_TypeError, "saved tensors must be a tuple, not %s", type_name(tensors.get()));
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tensors.get()); ++i) {
    PyObject *const item = PyTuple_GET_ITEM(tensors.get(), i);
    if (item != Py_None && !is_tensor(item))
      raise(PyExc_TypeError, "save_for_backward can only save variables, but argument %zd is of type %s", i,
            type_name(item));
    if (!recording_) continue;
    node_->saved.add(item == Py_None ? Tensor() : tensor_of(item), node_);
  }
}

PyObject *Call::run() {
  const Ref raw = forward();
  Ref result = outputs_of(raw.get());
  save();
  FunctionObject *const ctx = cast(ctx_.get());
  Py_CLEAR(ctx->dirty);
  Py_CLEAR(ctx->non_differentiable);
  Py_CLEAR(ctx->saved_for_forward);
  return result.release();
}

// All arguments in the order of forward()'s parameters: gradients are told by their places. A setup_context() sees the
// defaults of those that were left out, too.
Ref bound_arguments(const Forward &forward, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) {
  PyObject *const function = forward.function.get();
  Ref tuple = checked_ref(PyTuple_New(nargs));
  for (Py_ssize_t i = 0; i < nargs; ++i) PyTuple_SET_ITEM(tuple.get(), i, Py_NewRef(args[i]));
  const Ref defaults(PyObject_GetAttrString(function, "__defaults__"));
  PyErr_Clear();
  if (!kwnames && defaults && defaults.get() == Py_None) return tuple;
  const Ref keywords = checked_ref(PyDict_New());
  for (Py_ssize_t i = 0; kwnames && i < PyTuple_GET_SIZE(kwnames); ++i)
    checked(PyDict_SetItem(keywords.get(), PyTuple_GET_ITEM(kwnames, i), args[nargs + i]));
  const Ref module = checked_ref(PyImport_ImportModule("torch.autograd.function"));
  return checked_ref(PyObject_CallMethod(module.get(), forward.context ? "_bind_default_args" : "_positional_args",
                                         "OOO", function, tuple.get(), keywords.get()));
}

PyObject *apply(PyObject *cls, PyObject *const *args, Py_ssize_t nargs, PyObject *kwnames) {
  return guarded([&]() -> PyObject * {
    const Forward forward(cls);
    const thpp::ObservedScope now(thpp::observer(), reinterpret_cast<PyTypeObject *>(cls)->tp_name,
                                  int64_t(autograd::next_sequence()));
    if (!forward.context && !kwnames) return Call(cls, forward, args, nargs).run();
    const Ref all = bound_arguments(forward, args, nargs, kwnames);
    return Call(cls, forward, PySequence_Fast_ITEMS(all.get()), PyTuple_GET_SIZE(all.get())).run();
  });
}

// ---- what a ctx says ----------------------------------------------------------------------------
PyObject *saved_tensors(PyObject *self, void *) {
  return guarded([&] {
    if (!cast(self)->node) return checked(PyTuple_New(0));
    FunctionNode &node = function_node(self);
    const GradMode with_history(true);  // a saved result is the node's output again
    return wrap(node.saved.unpack(&node));
  });
}

// The name of 2017.
PyObject *saved_variables(PyObject *self, void *context) {
  if (PyErr_WarnEx(PyExc_DeprecationWarning, "'saved_variables' is deprecated; use 'saved_tensors'", 1) < 0)
    return nullptr;
  return saved_tensors(self, context);
}

PyObject *raw_saved_tensors(PyObject *self, void *) {
  return guarded([&] {
    FunctionNode &node = function_node(self);
    if (node.saved.released()) autograd::throw_released(node.name());
    return saved_attribute(node, "_raw_saved_tensors").release();
  });
}

template <PyObject *FunctionObject::*field>
PyObject *get_object(PyObject *self, void *) {
  PyObject *const value = cast(self)->*field;
  return Py_NewRef(value ? value : Py_None);
}
template <PyObject *FunctionObject::*field>
int set_object(PyObject *self, PyObject *value, void *) {
  if (value == Py_None) value = nullptr;
  Py_XSETREF(cast(self)->*field, Py_XNewRef(value));
  return 0;
}
int set_materialize_grads(PyObject *self, PyObject *value, void *) {
  if (!value || !PyBool_Check(value)) {
    PyErr_SetString(PyExc_TypeError, "materialize_grads must be a bool");
    return -1;
  }
  cast(self)->materialize_grads = value == Py_True;
  return 0;
}
PyObject *get_materialize_grads(PyObject *self, void *) { return PyBool_FromLong(cast(self)->materialize_grads); }

// Frees what was saved, as the backward pass does.
PyObject *clear_saved(PyObject *self, PyObject *) {
  return guarded([&] {
    function_node(self).release_saved();
    return Py_NewRef(Py_None);
  });
}

#define FIELD(name, member) \
  {name, get_object<&FunctionObject::member>, set_object<&FunctionObject::member>, nullptr, nullptr}
PyGetSetDef own_properties[] = {
    {"saved_tensors", saved_tensors, nullptr, "What save_for_backward() was given, as it was then.", nullptr},
    {"saved_variables", saved_variables, nullptr, "saved_tensors, with a DeprecationWarning.", nullptr},
    {"_raw_saved_tensors", raw_saved_tensors, nullptr, "The same, as SavedTensor objects.", nullptr},
    FIELD("to_save", to_save),
    FIELD("dirty_tensors", dirty),
    FIELD("non_differentiable", non_differentiable),
    FIELD("needs_input_grad", needs_input_grad),
    FIELD("saved_for_forward", saved_for_forward),
    {"materialize_grads", get_materialize_grads, set_materialize_grads, nullptr, nullptr},
    {"__dict__", PyObject_GenericGetDict, PyObject_GenericSetDict, nullptr, nullptr},
};
PyMethodDef own_methods[] = {
    {"apply", _PyCFunction_CAST(apply), METH_FASTCALL | METH_KEYWORDS | METH_CLASS, nullptr},
    {"maybe_clear_saved_tensors", clear_saved, METH_NOARGS, nullptr},
};
PyMemberDef members[] = {
    {"__dictoffset__", T_PYSSIZET, offsetof(FunctionObject, dict), READONLY, nullptr},
    {"__weaklistoffset__", T_PYSSIZET, offsetof(FunctionObject, weakrefs), READONLY, nullptr},
    {nullptr, 0, 0, 0, nullptr},
};

// ---- torch._C._throw_derivative(message, tensors) -----------------------------------------------
// The tensors as outputs of a node that raises: what once_differentiable makes of gradients.
struct ErrorNode final : Node {
  explicit ErrorNode(const char *text) : text_(text) {}
  const char *name() const override { return "Error"; }
  Grads apply(Grads &&) override { THError(TH_ERROR_RUNTIME, "%s", text_.c_str()); }

 private:
  const std::string text_;
};

PyObject *throw_derivative(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    const char *text;
    PyObject *tensors;
    if (!PyArg_ParseTuple(args, "sO!", &text, &PyTuple_Type, &tensors)) return nullptr;
    const autograd::Ref<ErrorNode> node(new ErrorNode(text));
    std::vector<Tensor> results;
    for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tensors); ++i) {
      PyObject *const item = PyTuple_GET_ITEM(tensors, i);
      if (item != Py_None && !is_tensor(item))
        raise(PyExc_TypeError, "expected Tensor or None, got %s", type_name(item));
      Tensor result = item == Py_None ? Tensor() : thpp::detach(tensor_of(item));
      if (result.defined()) autograd::record(result, autograd::Ref<Node>(node));
      results.push_back(std::move(result));
    }
    return wrap(results);
  });
}

}  // namespace

PyObject *function_object(FunctionObject *self) {
  PyObject *const object = object_at(self);
  if (!self->owned) return Py_NewRef(object);
  self->owned = false;
  self->node->retain();  // the object's reference,
  return object;  // and the node's is the caller's
}

// Another thread may have found the ctx until this one has the interpreter's lock.
void release_function(Node *node) {
  const HoldGil held;
  if (!held) return;
  auto *const object = static_cast<PyObject *>(node->pyobj.load());
  if (object && is_function(object) && cast(object)->owned && node->use_count() == 1) {
    cast(object)->owned = false;  // the reference is the ctx's
    drop_reference(object);
  } else {
    node->release();
  }
}

PyMethodDef function_functions[] = {
    {"_throw_derivative", throw_derivative, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

void add_function_types(PyObject *module) {
  static PyType_Slot meta_slots[] = {
      {Py_tp_base, &PyType_Type}, {Py_tp_init, reinterpret_cast<void *>(init_type)}, {0, nullptr}};
  static PyType_Spec meta_spec = {"torch._C._FunctionMeta", 0, 0, Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE, meta_slots};
  PyObject *const metatype = checked(PyType_FromSpec(&meta_spec));

  static std::vector<PyGetSetDef> properties(std::begin(own_properties), std::end(own_properties));
  for (const PyGetSetDef *row = node_properties; row->name; ++row)
    if (std::string_view(row->name) != "variable") properties.push_back(*row);
  properties.push_back({nullptr, nullptr, nullptr, nullptr, nullptr});
  static std::vector<PyMethodDef> methods(std::begin(own_methods), std::end(own_methods));
  for (const PyMethodDef *row = node_methods; row->ml_name; ++row) methods.push_back(*row);
  methods.push_back({nullptr, nullptr, 0, nullptr});

  PyType_Slot slots[] = {
      {Py_tp_new, reinterpret_cast<void *>(make)},
      {Py_tp_dealloc, reinterpret_cast<void *>(dealloc)},
      {Py_tp_traverse, reinterpret_cast<void *>(traverse)},
      {Py_tp_clear, reinterpret_cast<void *>(clear)},
      {Py_tp_methods, methods.data()},
      {Py_tp_getset, properties.data()},
      {Py_tp_members, members},
      {0, nullptr},
  };
  PyType_Spec spec = {"torch._C._FunctionBase", sizeof(FunctionObject), 0,
                      Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC, slots};
  FunctionBaseType = reinterpret_cast<PyTypeObject *>(checked(PyType_FromSpec(&spec)));
  Py_INCREF(metatype);
  Py_SET_TYPE(reinterpret_cast<PyObject *>(FunctionBaseType), reinterpret_cast<PyTypeObject *>(metatype));
  checked(PyModule_AddObjectRef(module, "_FunctionBase", reinterpret_cast<PyObject *>(FunctionBaseType)));
  checked(PyModule_AddObjectRef(module, "_FunctionMeta", metatype));
}

}  // namespace torch::python
