// Gradients as Python sees them: nodes, hooks, custom functions, the backward pass.
//
// A node has at most one Python object (Node::pyobj). That of a node of C++ has nothing of its own: it owns a reference
// to its node, dies as it likes, and the next one is as good. That of a custom function is the function's `ctx`, with
// all that the user has put there, so that either owns the other, as tensors and their objects do (tensor/life.cpp).
#pragma once

#include <Python.h>

#include <autograd/engine.h>
#include <autograd/meta.h>
#include <autograd/saved.h>

#include <torch_python/args.h>

#include "autograd.h"
#include "errors.h"
#include "ref.h"
#include "tensor_object.h"

namespace torch::python {

using autograd::Grads;
using autograd::Node;

// ---- node.cpp -----------------------------------------------------------------------------------
struct NodeObject {
  PyObject_HEAD
  Node *node;  // nullptr: of a Function that somebody has made an instance of
};
extern PyTypeObject NodeType;  // of which each name of a node has a derived type
bool is_node(PyObject *object);  // of C++, or the ctx of a custom function
Node &node_of(PyObject *object);  // throws
PyObject *node_object(const autograd::Ref<Node> &node);  // new reference; None for no node
extern PyGetSetDef node_properties[];
extern PyMethodDef node_methods[];

// ---- saved.cpp ----------------------------------------------------------------------------------
// The attribute _saved_… or _raw_saved_… of a node; null where it has none of that name. Throws, as where it was freed.
Ref saved_attribute(Node &node, const char *attribute);
void add_saved_names(Node &node, PyObject *list);  // of all of them
void add_saved_type(PyObject *module);
// modes.cpp:
void set_saved_hooks(autograd::Saved &saved, PyObject *pack, PyObject *unpack);
PyObject *unpack_hook_of(const autograd::Saved &saved);  // a new reference; nullptr where no Python hook has packed it
bool two_functions(PyObject *args, PyObject *&pack, PyObject *&unpack);  // whether a call's arguments are that

// ---- hooks.cpp ----------------------------------------------------------------------------------
// Python's hooks stand in dicts, from which a torch.utils.hooks.RemovableHandle takes them. All throw.
PyObject *add_post_hook(Node &node, PyObject *function);  // these three: a new handle
PyObject *add_pre_hook(Node &node, PyObject *function);
PyObject *add_tensor_hook(PyObject *tensor, PyObject *function);
PyObject *add_post_accumulate_hook(PyObject *tensor, PyObject *function);
PyObject *tensor_hooks(const thpp::Tensor &tensor);  // the dict, or nullptr; borrowed
void set_tensor_hooks(PyObject *tensor, PyObject *dict);  // nullptr: none
PyObject *post_accumulate_hooks(const thpp::Tensor &tensor);
// What the collector has to see of hooks.
int visit_hooks(const Node &node, visitproc visit, void *arg);

// ---- function.cpp -------------------------------------------------------------------------------
// Begins as a NodeObject does.
struct FunctionObject {
  PyObject_HEAD
  Node *node;
  PyObject *dict, *weakrefs;
  PyObject *to_save, *dirty, *non_differentiable, *needs_input_grad, *saved_for_forward;
  bool owned;  // by its node, which is no counted reference then
  bool materialize_grads;
};
extern PyTypeObject *FunctionBaseType;
inline bool is_function(PyObject *object) { return PyType_IsSubtype(Py_TYPE(object), FunctionBaseType); }
PyObject *function_object(FunctionObject *self);  // new reference
void release_function(Node *node);  // with the last reference to a node that has an object

// What notes of a node there are (modes.cpp): a dict, made where there is none; borrowed.
PyObject *node_metadata(Node &node);

}  // namespace torch::python
