// Python's types of nodes: one for each name.
#include "node.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <unordered_map>
#include <vector>

#include <autograd/numbers.h>

#include "number.h"
#include "types.h"

namespace torch::python {

using thpp::Tensor;

static NodeObject *cast(PyObject *self) { return reinterpret_cast<NodeObject *>(self); }

bool is_node(PyObject *object) { return PyType_IsSubtype(Py_TYPE(object), &NodeType) || is_function(object); }

Node &node_of(PyObject *object) {
  Node *const node = cast(object)->node;
  if (!node)
    raise(
        PyExc_RuntimeError,
        "an instance of %s is part of no graph: only what its apply() passes to forward() and backward() has gradients",
        type_name(object));
  return *node;
}

// ---- a leaf's accumulator -----------------------------------------------------------------------
static PyObject *variable(PyObject *self, void *) {
  return guarded([&] { return wrap(node_of(self).leaf()); });
}
static PyGetSetDef variable_property = {"variable", variable, nullptr, "The leaf.", nullptr};

// ---- a type per name ----------------------------------------------------------------------------
static constexpr char kAccumulateGrad[] = "torch::autograd::AccumulateGrad";

static PyTypeObject *type_named(const char *name) {
  static std::unordered_map<std::string, PyTypeObject *> types;
  PyTypeObject *&type = types[name];
  if (!type) {
    const char *const scope = std::strrchr(name, ':');
    const Ref made = checked_ref(PyObject_CallFunction(reinterpret_cast<PyObject *>(&PyType_Type), "s(O){s:s,s:()}",
                                                       scope ? scope + 1 : name, &NodeType, "__module__", "builtins",
                                                       "__slots__"));
    if (!std::strcmp(name, kAccumulateGrad)) {
      const Ref property = checked_ref(
          PyDescr_NewGetSet(reinterpret_cast<PyTypeObject *>(made.get()), &variable_property));
      checked(PyObject_SetAttrString(made.get(), variable_property.name, property.get()));
    }
    // Another thread may have been faster, where making one has let it have the interpreter's lock.
    if (!type) type = reinterpret_cast<PyTypeObject *>(Py_NewRef(made.get()));
  }
  return type;
}

PyObject *node_object(const autograd::Ref<Node> &node) {
  if (!node) Py_RETURN_NONE;
  if (auto *const known = static_cast<PyObject *>(node->pyobj.load()))
    return is_function(known) ? function_object(reinterpret_cast<FunctionObject *>(known)) : Py_NewRef(known);
  PyTypeObject *const type = type_named(node->name());
  PyObject *const self = checked(type->tp_alloc(type, 0));
  cast(self)->node = autograd::Ref<Node>(node).leave();
  node->pyobj = self;
  return self;
}

static void dealloc(PyObject *self) {
  PyObject_GC_UnTrack(self);
  if (Node *const node = cast(self)->node) {
    node->pyobj = nullptr;
    node->release();
  }
  Py_TYPE(self)->tp_free(self);
}

// Hooks belong to the node, which is the object's alone if nobody else counts it. Python visits the type: it derives from
// one that is no heap type.
static int traverse(PyObject *self, visitproc visit, void *arg) {
  const Node *const node = cast(self)->node;
  return node && node->use_count() == 1 ? visit_hooks(*node, visit, arg) : 0;
}

static PyObject *throw_new(PyTypeObject *type, PyObject *, PyObject *) {
  return PyErr_Format(PyExc_TypeError, "cannot create '%s' instances", type->tp_name);
}

// ---- _saved_… -----------------------------------------------------------------------------------
// Looked for where a type has no attribute of that name: which there are differs from node to node.
static PyObject *getattro(PyObject *self, PyObject *name) {
  PyObject *const found = PyObject_GenericGetAttr(self, name);
  if (found || !PyErr_ExceptionMatches(PyExc_AttributeError)) return found;
  const char *const text = PyUnicode_AsUTF8(name);
  if (!text || (std::strncmp(text, "_saved_", 7) && std::strncmp(text, "_raw_saved_", 11))) return nullptr;
  PyErr_Clear();
  PyObject *const value = guarded([&] { return saved_attribute(node_of(self), text).release(); });
  return value || PyErr_Occurred() ? value : PyObject_GenericGetAttr(self, name);
}

static PyObject *dir(PyObject *self, PyObject *) {
  return guarded([&] {
    Ref names = checked_ref(
        PyObject_CallMethod(reinterpret_cast<PyObject *>(&PyBaseObject_Type), "__dir__", "O", self));
    add_saved_names(node_of(self), names.get());
    return names.release();
  });
}

// ---- node(grad, …): what the node makes of gradients -------------------------------------------
static PyObject *apply(PyObject *self, PyObject *args, PyObject *kwargs) {
  return guarded([&]() -> PyObject * {
    if (kwargs && PyDict_GET_SIZE(kwargs)) raise(PyExc_TypeError, "keyword arguments are not supported");
    const autograd::Ref<Node> node = autograd::Ref<Node>::share(&node_of(self));
    const Py_ssize_t n = PyTuple_GET_SIZE(args);
    if (n != Py_ssize_t(node->outputs().size()))
      raise(PyExc_TypeError, "expected %zu arguments, got %zd instead", node->outputs().size(), n);
    Grads grads;
    for (Py_ssize_t i = 0; i < n; ++i) {
      PyObject *const grad = PyTuple_GET_ITEM(args, i);
      if (grad != Py_None && !is_tensor(grad))
        raise(PyExc_TypeError, "expected Variable or None (got %s) as gradient %zd", type_name(grad), i);
      grads.push_back(grad == Py_None ? Tensor() : tensor_of(grad));
    }
    Grads results;
    {
      ReleaseGil free(INFINITY);
      results = node->apply(std::move(grads));
    }
    if (results.size() == 1) return wrap(results[0]);
    return wrap(results);
  });
}

// ---- what a node says of itself -----------------------------------------------------------------
static std::vector<const autograd::Edge *> shown_edges(const Node &node) {
  const auto &edges = node.edges();
  const auto of_number = [](const autograd::Edge &edge) { return !edge && edge.output == autograd::Edge::kOfNumber; };
  const bool hides = std::ranges::any_of(edges, of_number) && !autograd::takes_numbers(node);
  std::vector<const autograd::Edge *> shown;
  for (const autograd::Edge &edge : edges)
    if (!hides || edge) shown.push_back(&edge);
  return shown;
}

static PyObject *next_functions(PyObject *self, void *) {
  return guarded([&] {
    const auto edges = shown_edges(node_of(self));
    Ref tuple = checked_ref(PyTuple_New(Py_ssize_t(edges.size())));
    for (size_t i = 0; i < edges.size(); ++i) {
      const Ref node = checked_ref(node_object(edges[i]->node));
      const uint32_t output = edges[i]->node ? edges[i]->output : 0;
      PyTuple_SET_ITEM(tuple.get(), Py_ssize_t(i), checked(Py_BuildValue("OI", node.get(), output)));
    }
    return tuple.release();
  });
}

static PyTypeObject *input_metadata_type() {
  static PyStructSequence_Field fields[] = {{"dtype", nullptr},
                                            {"device", nullptr},
                                            {"shape", nullptr},
                                            {"is_nested_tensor", nullptr},
                                            {"is_cpp_nested_tensor", nullptr},
                                            {nullptr, nullptr}};
  static PyStructSequence_Desc description = {"torch._C._InputMetadata", "What a gradient must look like.", fields, 5};
  return reinterpret_cast<PyTypeObject *>(
      kept([] { return reinterpret_cast<PyObject *>(PyStructSequence_NewType(&description)); }));
}

// Of each output of the forward call, which are the backward pass's inputs: dtype, device and shape; None for one without
// gradient.
static PyObject *input_metadata(PyObject *self, void *) {
  return guarded([&] {
    const auto &outputs = node_of(self).outputs();
    Ref tuple = checked_ref(PyTuple_New(Py_ssize_t(outputs.size())));
    for (size_t i = 0; i < outputs.size(); ++i) {
      PyObject *row = Py_NewRef(Py_None);
      if (outputs[i].known) {
        row = checked(PyStructSequence_New(input_metadata_type()));
        PyStructSequence_SetItem(row, 0, Py_NewRef(dtype_object(outputs[i].dtype)));
        PyStructSequence_SetItem(row, 1, device_object(outputs[i].device));
        const Ref size = checked_ref(new_size(outputs[i].size));
        PyStructSequence_SetItem(row, 2, checked(PySequence_List(size.get())));
        PyStructSequence_SetItem(row, 3, Py_NewRef(Py_False));
        PyStructSequence_SetItem(row, 4, Py_NewRef(Py_False));
      }
      PyTuple_SET_ITEM(tuple.get(), Py_ssize_t(i), row);
    }
    return tuple.release();
  });
}

static PyObject *metadata(PyObject *self, void *) {
  return guarded([&] { return Py_NewRef(node_metadata(node_of(self))); });
}
static PyObject *requires_grad(PyObject *, void *) { Py_RETURN_TRUE; }

static PyObject *name(PyObject *self, PyObject *) {
  return guarded([&] { return PyUnicode_FromString(node_of(self).name()); });
}
static PyObject *sequence(PyObject *self, PyObject *) {
  return guarded([&] { return PyLong_FromUnsignedLongLong(node_of(self).sequence()); });
}
static PyObject *set_sequence(PyObject *self, PyObject *value) {
  return guarded([&] {
    const unsigned long long number = PyLong_AsUnsignedLongLong(value);
    if (number == ~0ull && PyErr_Occurred()) throw PythonError();
    node_of(self).set_sequence(number);
    return Py_NewRef(Py_None);
  });
}
static PyObject *register_hook(PyObject *self, PyObject *function) {
  return guarded([&] { return add_post_hook(node_of(self), function); });
}
static PyObject *register_prehook(PyObject *self, PyObject *function) {
  return guarded([&] { return add_pre_hook(node_of(self), function); });
}

PyGetSetDef node_properties[] = {
    {"next_functions", next_functions, nullptr, "(node, output number) for each input of the forward call.", nullptr},
    {"metadata", metadata, nullptr, "A dict of what has been noted of the node.", nullptr},
    {"requires_grad", requires_grad, nullptr, nullptr, nullptr},
    {"_input_metadata", input_metadata, nullptr, nullptr, nullptr},
    {nullptr, nullptr, nullptr, nullptr, nullptr},
};
PyMethodDef node_methods[] = {
    {"name", name, METH_NOARGS, "The node's name, as error messages give it."},
    {"register_hook", register_hook, METH_O,
     "Calls function(grad_inputs, grad_outputs) each time the node has run; what it returns, unless it is None, takes the "
     "place of grad_inputs. Returns a handle with a remove()."},
    {"register_prehook", register_prehook, METH_O,
     "Calls function(grad_outputs) each time before the node runs; what it returns, unless it is None, takes their place. "
     "Returns a handle with a remove()."},
    {"_sequence_nr", sequence, METH_NOARGS, nullptr},
    {"_set_sequence_nr", set_sequence, METH_O, nullptr},
    {"__dir__", dir, METH_NOARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

PyTypeObject NodeType = {
    .ob_base = PyVarObject_HEAD_INIT(nullptr, 0).tp_name = "torch._C._Node",
    .tp_basicsize = sizeof(NodeObject),
    .tp_dealloc = dealloc,
    .tp_call = apply,
    .tp_getattro = getattro,
    .tp_flags = Py_TPFLAGS_DEFAULT | Py_TPFLAGS_BASETYPE | Py_TPFLAGS_HAVE_GC,
    .tp_doc = "A node of the graph of gradients.",
    .tp_traverse = traverse,
    .tp_methods = node_methods,
    .tp_getset = node_properties,
    .tp_new = throw_new,
};

void add_node_types(PyObject *module) {
  checked(PyType_Ready(&NodeType));
  checked(PyModule_AddObjectRef(module, "_Node", reinterpret_cast<PyObject *>(&NodeType)));
  add_saved_type(module);
  // torch._C._functions: the types of nodes that programs ask for by name.
  const Ref functions = checked_ref(PyModule_New("torch._C._functions"));
  checked(PyModule_AddObjectRef(functions.get(), "AccumulateGrad",
                                reinterpret_cast<PyObject *>(type_named(kAccumulateGrad))));
  checked(PyModule_AddObjectRef(module, "_functions", functions.get()));
  autograd::set_node_object_release(release_function);
}

}  // namespace torch::python
