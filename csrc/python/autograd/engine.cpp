// Tensor.backward, and what torch.autograd.backward and torch.autograd.grad call.
#include "node.h"

#include <string>

#include <THPP/Functions.h>

#include "native.h"
#include "types.h"

namespace torch::python {

using autograd::Edge;
using thpp::Tensor;

namespace {

// A tensor, or a torch.autograd.graph.GradientEdge: a node and the number of one of its outputs.
struct Place {
  Tensor tensor;
  Edge edge;
};

Place place_of(PyObject *object) {
  if (is_tensor(object)) return {tensor_of(object), {}};
  const Ref node(PyObject_GetAttrString(object, "node")), output(PyObject_GetAttrString(object, "output_nr"));
  PyErr_Clear();
  if (!node || !output || !is_node(node.get()))
    raise(PyExc_TypeError, "expected a Tensor or a GradientEdge, got %s", type_name(object));
  const long nr = PyLong_AsLong(output.get());
  if (nr == -1 && PyErr_Occurred()) throw PythonError();
  return {Tensor(), {autograd::Ref<Node>::share(&node_of(node.get())), uint32_t(nr)}};
}

Edge root_of(const Place &place, Py_ssize_t i) {
  if (!place.tensor.defined()) return place.edge;
  Edge edge = autograd::requires_grad(place.tensor) ? autograd::gradient_edge(place.tensor) : Edge{};
  if (!edge) raise(PyExc_RuntimeError, "element %zd of tensors does not require grad and does not have a grad_fn", i);
  return edge;
}

// ---- the gradients that a pass begins with ------------------------------------------------------
struct Expected {
  THDtype dtype;
  THDevice device;
  thpp::IntList size;
};

Tensor first_gradient(const Place &place, PyObject *given, Py_ssize_t i) {
  const Tensor &root = place.tensor;
  Expected expected;
  if (root.defined()) {
    expected = {root.dtype(), root.device(), root.sizes()};
  } else {
    const auto &outputs = place.edge.node->outputs();
    if (place.edge.output >= outputs.size() || !outputs[place.edge.output].known)
      raise(PyExc_RuntimeError, "output %u of %s has no gradient", place.edge.output, place.edge.node->name());
    const autograd::OutputInfo &info = outputs[place.edge.output];
    expected = {info.dtype, info.device, info.size};
  }
  const bool complex = TH_kind(expected.dtype) == TH_KIND_complex;
  if (given == Py_None) {
    int64_t numel = 1;
    for (const int64_t n : expected.size) numel *= n;
    if (numel != 1) raise(PyExc_RuntimeError, "grad can be implicitly created only for scalar outputs");
    if (complex)
      raise(PyExc_RuntimeError, "grad can be implicitly created only for real scalar outputs but got %S",
            dtype_object(expected.dtype));
    if (TH_kind(expected.dtype) != TH_KIND_float)
      raise(PyExc_RuntimeError, "grad can be implicitly created only for floating point outputs but got %S",
            dtype_object(expected.dtype));
    const thpp::NoRecording off;
    return root.defined() ? thpp::ones_like(root) : thpp::ones(expected.size, expected.dtype, expected.device);
  }
  if (!is_tensor(given))
    raise(PyExc_TypeError, "gradients can be either Tensors or None, but got %s", type_name(given));
  const Tensor &grad = tensor_of(given);
  if (!std::ranges::equal(grad.sizes(), expected.size)) {
    const Ref found = checked_ref(new_size(grad.sizes())), wanted = checked_ref(new_size(expected.size));
    raise(PyExc_RuntimeError,
          "Mismatch in shape: grad_output[%zd] has a shape of %R and output[%zd] has a shape of %R.", i, found.get(), i,
          wanted.get());
  }
  if ((TH_kind(grad.dtype()) == TH_KIND_complex) != complex)
    raise(PyExc_RuntimeError,
          "For complex Tensors, both grad_output and output are required to have the same dtype. Mismatch in dtype: "
          "grad_output[%zd] has a dtype of %S and output[%zd] has a dtype of %S.",
          i, dtype_object(grad.dtype()), i, dtype_object(expected.dtype));
  return grad;
}

Edge input_of(PyObject *object, bool accumulate) {
  if (!is_tensor(object) && !PyObject_HasAttrString(object, "node"))
    raise(PyExc_RuntimeError, "all inputs have to be Tensors or GradientEdges, but got %s", type_name(object));
  const Place place = place_of(object);
  if (!place.tensor.defined()) return place.edge;
  if (!autograd::requires_grad(place.tensor))
    raise(PyExc_RuntimeError, "%s",
          accumulate ? "can't retain_grad on Tensor that has requires_grad=False, one of the inputs of backward()"
                     : "One of the differentiated Tensors does not require grad");
  if (accumulate && !autograd::is_leaf(place.tensor)) autograd::retain_grad(place.tensor);
  return autograd::gradient_edge(place.tensor);
}

void warn_of_cycles() {
  if (PyErr_WarnEx(
          PyExc_UserWarning,
          "Using backward() with create_graph=True will create a reference cycle between the parameter and its "
          "gradient which can cause a memory leak: torch.autograd.grad makes none. Otherwise set the .grad of "
          "the parameters to None when they have been used.",
          1) < 0)
    throw PythonError();
}

// How many passes that want some gradients only are running in this thread, one in another.
thread_local int restricted = 0;
class Restricted {
 public:
  explicit Restricted(bool is) : is_(is) { restricted += is_; }
  ~Restricted() { restricted -= is_; }
  Restricted(const Restricted &) = delete;

 private:
  const bool is_;
};
PyObject *is_checkpoint_valid(PyObject *, PyObject *) { return PyBool_FromLong(restricted == 0); }

// The lists are tuples; `grads` has as many elements as `tensors`, or none.
PyObject *run(PyObject *tensors, PyObject *grads, bool keep, bool create, PyObject *inputs, bool accumulate,
              bool allow_unused) {
  std::vector<Edge> roots, wanted;
  Grads first;
  for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(tensors); ++i) {
    const Place place = place_of(PyTuple_GET_ITEM(tensors, i));
    PyObject *const grad = grads && i < PyTuple_GET_SIZE(grads) ? PyTuple_GET_ITEM(grads, i) : Py_None;
    roots.push_back(root_of(place, i));
    first.push_back(first_gradient(place, grad, i));
  }
  for (Py_ssize_t i = 0; inputs && i < PyTuple_GET_SIZE(inputs); ++i)
    wanted.push_back(input_of(PyTuple_GET_ITEM(inputs, i), accumulate));
  if (accumulate && create) warn_of_cycles();
  Grads results;
  const Restricted scope(!wanted.empty());
  {
    ReleaseGil free(INFINITY);
    results = autograd::run(roots, std::move(first), wanted, {keep, create, accumulate});
    roots.clear();  // graphs end without the lock
    wanted.clear();
  }
  if (accumulate) Py_RETURN_NONE;
  for (size_t i = 0; i < results.size(); ++i)
    if (!results[i].defined() && !allow_unused)
      raise(
          PyExc_RuntimeError,
          "The differentiated Tensor at index %zu appears to not have been used in the graph. Set allow_unused=True if "
          "this is the desired behavior.",
          i);
  return wrap(results);
}

// _engine_run(tensors, grads, keep_graph, create_graph, inputs, accumulate, allow_unused)
PyObject *engine_run(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    PyObject *tensors, *grads, *inputs;
    int keep, create, accumulate, allow_unused;
    if (!PyArg_ParseTuple(args, "O!O!ppO!pp", &PyTuple_Type, &tensors, &PyTuple_Type, &grads, &keep, &create,
                          &PyTuple_Type, &inputs, &accumulate, &allow_unused))
      return nullptr;
    return run(tensors, grads, keep, create, inputs, accumulate, allow_unused);
  });
}

// _queue_callback(function): called when the outermost backward pass of this thread ends well.
PyObject *queue_callback(PyObject *, PyObject *function) {
  return guarded([&] {
    const std::shared_ptr<PyObject> held(Py_NewRef(function), end_reference);
    autograd::queue_callback(
        [held] { with_python([&] { checked_ref(calling_python([&] { return PyObject_CallNoArgs(held.get()); })); }); });
    return Py_NewRef(Py_None);
  });
}

PyObject *running_pass(PyObject *, PyObject *) { return PyLong_FromLongLong(autograd::running_pass()); }
PyObject *running_node(PyObject *, PyObject *) {
  return guarded([&] {
    Node *const node = autograd::running_node();
    return node ? node_object(autograd::Ref<Node>::share(node)) : Py_NewRef(Py_None);
  });
}

// _will_engine_execute_node(node): whether the running pass reaches it and somebody wants what it is given.
PyObject *will_run(PyObject *, PyObject *object) {
  return guarded([&] {
    if (!is_node(object)) raise(PyExc_TypeError, "expected a node, got %s", type_name(object));
    if (autograd::running_pass() < 0)
      raise(PyExc_RuntimeError, "_will_engine_execute_node: there is no backward pass in this thread");
    return PyBool_FromLong(autograd::will_run(node_of(object)));
  });
}

}  // namespace

// ---- Tensor.backward ----------------------------------------------------------------------------
// None, a tensor or an edge, a list of them, or a dict's values.
static Ref tuple_of_inputs(PyObject *inputs) {
  if (!inputs) return checked_ref(PyTuple_New(0));
  const bool alone = is_tensor(inputs) || PyObject_HasAttrString(inputs, "output_nr");
  const Ref values = PyDict_Check(inputs) ? checked_ref(PyDict_Values(inputs)) : Ref::borrow(inputs);
  Ref tuple = checked_ref(alone ? PyTuple_Pack(1, inputs) : PySequence_Tuple(values.get()));
  if (PyTuple_GET_SIZE(tuple.get()) == 0)
    raise(PyExc_RuntimeError, "`inputs` argument to `backward()` cannot be empty.");
  return tuple;
}

// None, a tensor, or a list of one.
static Ref tuple_of_gradients(PyObject *gradient) {
  if (!gradient) return checked_ref(PyTuple_New(0));
  if (is_tensor(gradient)) return checked_ref(PyTuple_Pack(1, gradient));
  Ref tuple = checked_ref(PySequence_Tuple(gradient));
  if (PyTuple_GET_SIZE(tuple.get()) != 1)
    raise(PyExc_RuntimeError, "got 1 tensors and %zd gradients", PyTuple_GET_SIZE(tuple.get()));
  return tuple;
}

NATIVE_OPERATOR(backward, kSelf, {"gradient", ArgType::Object, kOptional | kNullable, "None"},
                {"retain_graph", ArgType::Object, kOptional | kNullable, "None"},
                {"create_graph", ArgType::Object, kOptional | kNullable, "False"},
                {"inputs", ArgType::Object, kOptional | kNullable, "None"});
static bool truth(Args &args, int i, bool otherwise) {
  if (!args.has(i)) return otherwise;
  const int is = PyObject_IsTrue(args.object(i));
  checked(is);
  return is;
}
static PyObject *backward_call(Args &args) {
  const Ref tensors = checked_ref(PyTuple_Pack(1, args.object(0)));
  const Ref grads = tuple_of_gradients(args.object(1));
  const bool create = truth(args, 3, false);
  return run(tensors.get(), grads.get(), truth(args, 2, create), create, tuple_of_inputs(args.object(4)).get(), true,
             true);
}

PyMethodDef backward_methods[] = {method_row<op_backward>(), {nullptr, nullptr, 0, nullptr}};

PyMethodDef engine_functions[] = {
    {"_engine_run", engine_run, METH_VARARGS, nullptr},
    {"_queue_callback", queue_callback, METH_O, nullptr},
    {"_is_checkpoint_valid", is_checkpoint_valid, METH_NOARGS, nullptr},
    {"_current_graph_task_id", running_pass, METH_NOARGS, nullptr},
    {"_will_engine_execute_node", will_run, METH_O, nullptr},
    {"_current_autograd_node", running_node, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::python
