// Hooks written in Python. Those of one place stand in a dict, by the numbers of their handles, and run in its order.
#include "node.h"

#include <utility>

namespace torch::python {

using autograd::PostAccumulateHook;
using autograd::PostHook;
using autograd::PreHook;
using autograd::TensorHook;
using thpp::Tensor;

namespace {

class Dict {
 public:
  explicit Dict(PyObject *dict) : dict_(Py_NewRef(dict)) {}
  Dict(const Dict &) = delete;
  ~Dict() { end_reference(dict_); }
  PyObject *get() const { return dict_; }

  // Calls each(hook) for all that are there now.
  template <class Each>
  void for_each(Each each) const {
    const Ref hooks = checked_ref(PyMapping_Values(dict_));
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(hooks.get()); ++i) each(PyList_GET_ITEM(hooks.get(), i));
  }

 private:
  PyObject *const dict_;
};

// ---- what hooks return --------------------------------------------------------------------------
Ref name_of(PyObject *hook) {
  Ref name(PyObject_GetAttrString(hook, "__name__"));
  if (!name) {
    PyErr_Clear();
    name = checked_ref(PyUnicode_FromString("<unknown>"));
  }
  return name;
}

void check_replacement(const Tensor &before, PyObject *result, PyObject *hook) {
  if (!is_tensor(result)) raise(PyExc_TypeError, "expected Variable, but hook returned '%s'", type_name(result));
  const Tensor &after = tensor_of(result);
  if (!before.defined()) raise(PyExc_RuntimeError, "can't replace a None gradient with a non-None value");
  const Ref name = name_of(hook);
  if (before.dtype() != after.dtype())
    raise(PyExc_RuntimeError, "hook '%U' has changed the type of value (was torch.%sTensor got torch.%sTensor)",
          name.get(), TH_typeName(before.dtype()), TH_typeName(after.dtype()));
  if (before.device().kind != after.device().kind || before.device().index != after.device().index)
    raise(PyExc_RuntimeError, "hook '%U' has changed the device of value", name.get());
  if (!std::ranges::equal(before.sizes(), after.sizes()))
    raise(PyExc_RuntimeError, "hook '%U' has changed the size of value", name.get());
}

// The gradients that a hook of a node returns in place of others.
void replace(Grads &grads, PyObject *result, PyObject *hook) {
  if (result == Py_None) return;
  if (!PyTuple_Check(result)) raise(PyExc_TypeError, "expected tuple, but hook returned '%s'", type_name(result));
  if (PyTuple_GET_SIZE(result) != Py_ssize_t(grads.size())) {
    const Ref name = name_of(hook);
    raise(PyExc_RuntimeError, "hook '%U' has returned an incorrect number of values (got %zd, but expected %zu)",
          name.get(), PyTuple_GET_SIZE(result), grads.size());
  }
  for (size_t i = 0; i < grads.size(); ++i)
    if (PyObject *const item = PyTuple_GET_ITEM(result, Py_ssize_t(i)); item != Py_None)
      check_replacement(grads[i], item, hook);
  for (size_t i = 0; i < grads.size(); ++i) {
    PyObject *const item = PyTuple_GET_ITEM(result, Py_ssize_t(i));
    grads[i] = item == Py_None ? Tensor() : tensor_of(item);
  }
}

// ---- the four places ----------------------------------------------------------------------------
struct TensorHooks final : TensorHook {
  explicit TensorHooks(PyObject *dict) : hooks(dict) {}
  void *python() const override { return hooks.get(); }
  Tensor call(const Tensor &grad) override {
    return with_python([&] {
      Tensor now = grad;
      hooks.for_each([&](PyObject *hook) {
        const Ref value = checked_ref(wrap(now));
        const Ref result = checked_ref(calling_python([&] { return PyObject_CallOneArg(hook, value.get()); }));
        if (result.get() == Py_None) return;
        check_replacement(now, result.get(), hook);
        now = tensor_of(result.get());
      });
      return now;
    });
  }
  const Dict hooks;
};

struct PreHooks final : PreHook {
  explicit PreHooks(PyObject *dict) : hooks(dict) {}
  void *python() const override { return hooks.get(); }
  void call(Grads &outputs) override {
    with_python([&] {
      hooks.for_each([&](PyObject *hook) {
        const Ref values = checked_ref(wrap(outputs));
        replace(outputs, checked_ref(calling_python([&] { return PyObject_CallOneArg(hook, values.get()); })).get(),
                hook);
      });
    });
  }
  const Dict hooks;
};

struct PostHooks final : PostHook {
  explicit PostHooks(PyObject *dict) : hooks(dict) {}
  void *python() const override { return hooks.get(); }
  void call(Grads &inputs, const Grads &outputs) override {
    with_python([&] {
      const Ref given = checked_ref(wrap(outputs));
      hooks.for_each([&](PyObject *hook) {
        const Ref values = checked_ref(wrap(inputs));
        PyObject *const args[] = {values.get(), given.get()};
        replace(inputs, checked_ref(calling_python([&] { return PyObject_Vectorcall(hook, args, 2, nullptr); })).get(),
                hook);
      });
    });
  }
  const Dict hooks;
};

struct PostAccumulateHooks final : PostAccumulateHook {
  explicit PostAccumulateHooks(PyObject *dict) : hooks(dict) {}
  void *python() const override { return hooks.get(); }
  void call(const Tensor &leaf) override {
    with_python([&] {
      const Ref object = checked_ref(wrap(leaf));
      hooks.for_each([&](PyObject *hook) {
        const Ref result = checked_ref(calling_python([&] { return PyObject_CallOneArg(hook, object.get()); }));
        if (result.get() != Py_None && !is_tensor(result.get()))  // a tensor is let pass, and not used
          raise(PyExc_TypeError, "expected Variable, but hook returned '%s': such a hook returns None",
                type_name(result.get()));
      });
    });
  }
  const Dict hooks;
};

// ---- registered ---------------------------------------------------------------------------------
Ref new_dict() {
  return checked_ref(PyObject_CallNoArgs(kept(
      [] { return PyObject_GetAttrString(checked_ref(PyImport_ImportModule("collections")).get(), "OrderedDict"); })));
}

PyObject *add_to(PyObject *dict, PyObject *function) {
  PyObject *const type = kept([] {
    return PyObject_GetAttrString(checked_ref(PyImport_ImportModule("torch.utils.hooks")).get(), "RemovableHandle");
  });
  Ref handle = checked_ref(PyObject_CallOneArg(type, dict));
  const Ref id = checked_ref(PyObject_GetAttrString(handle.get(), "id"));
  checked(PyObject_SetItem(dict, id.get(), function));
  return handle.release();
}

// The hooks of a kind among those of a node, which may be C++'s, too; made where there are none.
template <class Hooks, class List>
Hooks &known_or_new(Node &node, const List &list) {
  for (const auto &hook : list)
    if (auto *const known = dynamic_cast<Hooks *>(hook.get())) return *known;
  const auto made = std::make_shared<Hooks>(new_dict().get());
  node.add_hook(made);
  return *made;
}

TensorHooks *known_hooks(const Tensor &tensor) {
  if (const auto node = autograd::grad_fn(tensor)) {
    if (!node->hooks()) return nullptr;
    const uint32_t output = autograd::output_nr(tensor);
    for (const auto &[nr, hook] : node->hooks()->tensor)
      if (auto *const known = nr == output ? dynamic_cast<TensorHooks *>(hook.get()) : nullptr) return known;
    return nullptr;
  }
  if (const autograd::GradMeta *const meta = autograd::meta_of(tensor))
    for (const auto &hook : meta->hooks)
      if (auto *const known = dynamic_cast<TensorHooks *>(hook.get())) return known;
  return nullptr;
}

}  // namespace

PyObject *add_post_hook(Node &node, PyObject *function) {
  return add_to(known_or_new<PostHooks>(node, node.make_hooks().post).hooks.get(), function);
}
PyObject *add_pre_hook(Node &node, PyObject *function) {
  return add_to(known_or_new<PreHooks>(node, node.make_hooks().pre).hooks.get(), function);
}

PyObject *add_tensor_hook(PyObject *object, PyObject *function) {
  const Tensor tensor = tensor_of(object);
  if (!autograd::requires_grad(tensor))
    raise(PyExc_RuntimeError, "cannot register a hook on a tensor that doesn't require gradient");
  TensorHooks *hooks = known_hooks(tensor);
  if (!hooks) {
    const auto made = std::make_shared<TensorHooks>(new_dict().get());
    autograd::add_hook(tensor, made);
    hooks = made.get();
  }
  track_tensor(object);
  return add_to(hooks->hooks.get(), function);
}

PyObject *tensor_hooks(const Tensor &tensor) {
  const TensorHooks *const hooks = known_hooks(tensor);
  return hooks ? hooks->hooks.get() : nullptr;
}

void set_tensor_hooks(PyObject *object, PyObject *dict) {
  const Tensor tensor = tensor_of(object);
  if (const TensorHooks *const known = known_hooks(tensor)) autograd::remove_hook(tensor, known);
  if (!dict) return;
  autograd::add_hook(tensor, std::make_shared<TensorHooks>(dict));
  track_tensor(object);
}

PyObject *post_accumulate_hooks(const Tensor &tensor) {
  const autograd::GradMeta *const meta = autograd::meta_of(tensor);
  return meta && meta->post_accumulate ? static_cast<PyObject *>(meta->post_accumulate->python()) : nullptr;
}

PyObject *add_post_accumulate_hook(PyObject *object, PyObject *function) {
  const Tensor tensor = tensor_of(object);
  if (!autograd::requires_grad(tensor))
    raise(PyExc_RuntimeError, "cannot register a hook on a tensor that doesn't require gradient");
  if (!autograd::is_leaf(tensor))
    raise(PyExc_RuntimeError, "post accumulate grad hooks cannot be registered on non-leaf tensors");
  PyObject *dict = post_accumulate_hooks(tensor);
  if (!dict) {
    const auto made = std::make_shared<PostAccumulateHooks>(new_dict().get());
    autograd::set_post_accumulate(tensor, made);
    dict = made->hooks.get();
  }
  track_tensor(object);
  return add_to(dict, function);
}

// ---- the collector ------------------------------------------------------------------------------
// What is visited are dicts, which the collector empties by itself where they are part of a cycle.
template <class Hooks>
static int visit_all(const Hooks &hooks, visitproc visit, void *arg) {
  for (const auto &hook : hooks) Py_VISIT(static_cast<PyObject *>(hook->python()));
  return 0;
}

int visit_hooks(const Node &node, visitproc visit, void *arg) {
  const autograd::NodeHooks *const hooks = node.hooks();
  if (!hooks) return 0;
  for (const auto &[output, hook] : hooks->tensor) Py_VISIT(static_cast<PyObject *>(hook->python()));
  if (const int status = visit_all(hooks->pre, visit, arg)) return status;
  return visit_all(hooks->post, visit, arg);
}

int visit_gradient_state(const Tensor &tensor, bool counting, visitproc visit, void *arg) {
  const autograd::GradMeta *const meta = tensor.defined() ? autograd::meta_of(tensor) : nullptr;
  if (!meta) return 0;
  if (const int status = visit_all(meta->hooks, visit, arg)) return status;
  if (meta->post_accumulate) Py_VISIT(static_cast<PyObject *>(meta->post_accumulate->python()));
  const Node *const node = meta->grad_fn.get();
  if (!node || (counting && node->use_count() != 1)) return 0;
  if (auto *const object = static_cast<PyObject *>(node->pyobj.load());
      object && is_function(object) && reinterpret_cast<FunctionObject *>(object)->owned)
    Py_VISIT(object);
  return visit_hooks(*node, visit, arg);
}

}  // namespace torch::python
