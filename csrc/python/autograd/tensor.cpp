// What of a tensor's gradients Python sees: its attributes and methods.
#include "node.h"

#include <autograd/view.h>
#include <THPP/Functions.h>
#include <THPP/Inference.h>

#include "native.h"
#include "overrides.h"
#include "types.h"

namespace torch::python {

using thpp::Tensor;

void check_leaf(const Tensor &tensor) {
  if (autograd::is_leaf(tensor) && TH_kind(tensor.dtype()) < TH_KIND_float)
    raise(PyExc_RuntimeError, "Only Tensors of floating point and complex dtype can require gradients");
}
void make_leaf(const Tensor &tensor) {
  if (!autograd::is_leaf(tensor)) return;
  check_leaf(tensor);
  autograd::set_requires_grad(tensor, true);
}

void throw_recorded(const Tensor &tensor, const char *method) {
  if (autograd::requires_grad(tensor))
    raise(PyExc_RuntimeError, "Can't call %s() on Variable that requires grad. Use var.detach().%s() instead.", method,
          method);
}

// ---- requires_grad ------------------------------------------------------------------------------
static PyObject *get_requires_grad(PyObject *self, void *) {
  return PyBool_FromLong(autograd::requires_grad(tensor_of(self)));
}

static void change_requires_grad(const Tensor &tensor, bool wanted, const char *kinds, bool throw_outputs) {
  if (!autograd::is_leaf(tensor) && (throw_outputs || !wanted)) {
    if (wanted) raise(PyExc_RuntimeError, "you can only change requires_grad flags of leaf variables.");
    raise(
        PyExc_RuntimeError,
        "you can only change requires_grad flags of leaf variables. If you want to use a computed variable in a subgraph "
        "that doesn't require differentiation use var_no_grad = var.detach().");
  }
  if (wanted && TH_kind(tensor.dtype()) < TH_KIND_float)
    raise(PyExc_RuntimeError, "only Tensors of %s can require gradients", kinds);
  autograd::set_requires_grad(tensor, wanted);
}

static int set_requires_grad(PyObject *self, PyObject *value, void *) {
  return guarded_int([&] {
    if (!value || !PyBool_Check(value)) raise(PyExc_RuntimeError, "requires_grad must be a bool");
    change_requires_grad(tensor_of(self), value == Py_True, "floating point and complex dtype", true);
    return 0;
  });
}

NATIVE_OPERATOR(requires_grad_, kSelf, {"requires_grad", ArgType::Bool, kOptional, "True"});
static PyObject *requires_grad__call(Args &args) {
  change_requires_grad(args.tensor(0), args.boolean(1, true), "floating point dtype", false);
  return same(args.object(0));
}

// ---- grad ---------------------------------------------------------------------------------------
static PyObject *get_grad(PyObject *self, void *) {
  return guarded([&] {
    const Tensor &tensor = tensor_of(self);
    const Tensor grad = autograd::grad_of(tensor);
    if (!grad.defined() && !autograd::is_leaf(tensor) && !autograd::retains_grad(tensor) &&
        PyErr_WarnEx(PyExc_UserWarning,
                     "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its .grad attribute "
                     "won't be populated during autograd.backward(), unless .retain_grad() was called on it before.",
                     1) < 0)
      throw PythonError();
    return wrap(grad);
  });
}

static void check_grad(const Tensor &tensor, PyObject *self, PyObject *value) {
  if (!is_tensor(value))
    raise(PyExc_TypeError, "assigned grad expected to be a Tensor or None but got grad of type %s", type_name(value));
  if (value == self) raise(PyExc_RuntimeError, "can't assign Variable as its own grad");
  const Tensor &grad = tensor_of(value);
  if (grad.dtype() != tensor.dtype())
    raise(
        PyExc_RuntimeError,
        "attempting to assign a gradient with dtype '%S' to a tensor with grad_dtype '%S'. The gradient must match the "
        "tensor's grad_dtype: grad.to(tensor.dtype) does.",
        dtype_object(grad.dtype()), dtype_object(tensor.dtype()));
  const Ref its(device_object(grad.device())), ours(device_object(tensor.device()));
  if (grad.device().kind != tensor.device().kind)
    raise(PyExc_RuntimeError,
          "attempting to assign a gradient with device type '%S' to a tensor with device type '%S'. Please ensure that "
          "the gradient and the tensor are on the same device",
          its.get(), ours.get());
  if (grad.device().index != tensor.device().index)
    raise(PyExc_RuntimeError, "attempting to assign a gradient located on device '%S' to a tensor located on '%S'",
          its.get(), ours.get());
  if (!std::ranges::equal(grad.sizes(), tensor.sizes())) {
    char of_grad[256], of_tensor[256];
    TH_sizeString(grad.dim(), grad.sizes().data(), of_grad, sizeof of_grad);
    TH_sizeString(tensor.dim(), tensor.sizes().data(), of_tensor, sizeof of_tensor);
    raise(
        PyExc_RuntimeError,
        "attempting to assign a gradient of size '%s' to a tensor of size '%s'. Please ensure that the gradient and the "
        "tensor are the same size",
        of_grad, of_tensor);
  }
}

static int set_grad(PyObject *self, PyObject *value, void *) {
  return guarded_int([&] {
    const Tensor &tensor = tensor_of(self);
    if (!value || value == Py_None) {
      autograd::set_grad(tensor, Tensor());
      return 0;
    }
    check_grad(tensor, self, value);
    autograd::set_grad(tensor, tensor_of(value));
    return 0;
  });
}

NATIVE_OPERATOR(retain_grad, kSelf);
static PyObject *retain_grad_call(Args &args) {
  autograd::retain_grad(args.tensor(0));
  Py_RETURN_NONE;
}
static PyObject *retains_grad(PyObject *self, void *) {
  return PyBool_FromLong(autograd::retains_grad(tensor_of(self)));
}

// ---- its place in the graph ---------------------------------------------------------------------
static PyObject *is_leaf(PyObject *self, void *) {
  return guarded([&] { return PyBool_FromLong(autograd::is_leaf(tensor_of(self))); });
}
static PyObject *grad_fn(PyObject *self, void *) {
  return guarded([&] {
    const auto node = autograd::grad_fn(tensor_of(self));
    if (node) track_tensor(self);  // hooks that are put on the node may lead back to the tensor
    return node_object(node);
  });
}
static PyObject *output_nr(PyObject *self, void *) {
  return guarded([&] { return PyLong_FromUnsignedLong(autograd::output_nr(tensor_of(self))); });
}
static PyObject *base(PyObject *self, void *) {
  return guarded([&] { return wrap(autograd::base_of(tensor_of(self))); });
}
static PyObject *is_view(PyObject *self, PyObject *) {
  return PyBool_FromLong((tensor_of(self).get()->flags & (TH_VIEW | TH_CUT_VIEW)) != 0);
}

NATIVE_OPERATOR(detach_, kSelf);
static PyObject *detach__call(Args &args) {
  autograd::detach_(args.tensor(0));
  return same(args.object(0));
}

// ---- hooks --------------------------------------------------------------------------------------
NATIVE_OPERATOR(register_hook, kSelf, {"hook", ArgType::Object, 0, nullptr});
static PyObject *register_hook_call(Args &args) { return add_tensor_hook(args.object(0), args.object(1)); }

NATIVE_OPERATOR(register_post_accumulate_grad_hook, kSelf, {"hook", ArgType::Object, 0, nullptr});
static PyObject *register_post_accumulate_grad_hook_call(Args &args) {
  return add_post_accumulate_hook(args.object(0), args.object(1));
}

static PyObject *or_none(PyObject *borrowed) { return Py_NewRef(borrowed ? borrowed : Py_None); }
static PyObject *get_hooks(PyObject *self, void *) {
  return guarded([&] { return or_none(tensor_hooks(tensor_of(self))); });
}
static int set_hooks(PyObject *self, PyObject *value, void *) {
  return guarded_int([&] {
    if (!value || value == Py_None)
      set_tensor_hooks(self, nullptr);
    else if (PyDict_Check(value))
      set_tensor_hooks(self, value);
    else
      raise(PyExc_TypeError, "_backward_hooks must be a dict or None, not %s", type_name(value));
    return 0;
  });
}
static PyObject *get_post_accumulate(PyObject *self, void *) {
  return guarded([&] { return or_none(post_accumulate_hooks(tensor_of(self))); });
}

// torch._C._increment_version(tensor): as a write would.
static PyObject *increment_version(PyObject *, PyObject *object) {
  return guarded([&] {
    if (!is_tensor(object))
      raise(PyExc_RuntimeError, "increment_version expects each element of the iterable to be a tensor, not %s",
            type_name(object));
    if (!thpp::is_inference(tensor_of(object))) tensor_of(object).bump_version();  // of those nobody counts writes
    return Py_NewRef(Py_None);
  });
}

// torch._C._is_inference(tensor): whether it was made in inference mode.
static PyObject *is_inference(PyObject *, PyObject *object) {
  if (!is_tensor(object))
    return PyErr_Format(PyExc_TypeError, "is_inference(): argument 'input' (position 1) must be Tensor, not %s",
                        type_name(object));
  return PyBool_FromLong(thpp::is_inference(tensor_of(object)));
}

// torch._C._gradient_edge(tensor): (node, output number), a leaf's accumulator for a leaf.
static PyObject *gradient_edge(PyObject *, PyObject *object) {
  return guarded([&] {
    if (!is_tensor(object)) raise(PyExc_TypeError, "expected a Tensor, got %s", type_name(object));
    const autograd::Edge edge = autograd::gradient_edge(tensor_of(object));
    const Ref node = checked_ref(node_object(edge.node));
    return checked(Py_BuildValue("OI", node.get(), edge.output));
  });
}

PyMethodDef gradient_methods[] = {
    method_row<op_requires_grad_>(),
    method_row<op_retain_grad>(),
    method_row<op_detach_>(),
    method_row<op_register_hook>(),
    method_row<op_register_post_accumulate_grad_hook>(),
    {"_is_view", overridable<"_is_view", is_view>, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};
PyMethodDef gradient_operators[] = {function_row<op_detach_>(), {nullptr, nullptr, 0, nullptr}};
PyMethodDef gradient_functions[] = {
    {"_increment_version", increment_version, METH_O, nullptr},
    {"_is_inference", is_inference, METH_O, nullptr},
    {"_gradient_edge", gradient_edge, METH_O, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

#define READ(name, get) {name, overridable_get<name, get>, nullptr, nullptr, nullptr}
#define WRITE(name, get, set) {name, overridable_get<name, get>, overridable_set<name, set>, nullptr, nullptr}
PyGetSetDef gradient_properties[] = {
    WRITE("requires_grad", get_requires_grad, set_requires_grad),
    WRITE("grad", get_grad, set_grad),
    WRITE("_grad", get_grad, set_grad),
    READ("retains_grad", retains_grad),
    READ("is_leaf", is_leaf),
    READ("grad_fn", grad_fn),
    READ("output_nr", output_nr),
    READ("_base", base),
    WRITE("_backward_hooks", get_hooks, set_hooks),
    READ("_post_accumulate_grad_hooks", get_post_accumulate),
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};

}  // namespace torch::python
