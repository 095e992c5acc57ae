// Gradients, as the rest of the bindings sees them. What is behind it: autograd/node.h.
#pragma once

#include <Python.h>

#include <THPP/Tensor.h>

namespace torch::python {

void add_node_types(PyObject *module);
void add_function_types(PyObject *module);
void start_anomaly_mode();

// Tables, each named after its file in autograd/, but for those of tensor.cpp, which are called after gradients.
extern PyMethodDef function_functions[], engine_functions[], autograd_mode_functions[];  // of torch._C
extern PyMethodDef gradient_functions[], gradient_operators[];  // of torch._C; of torch
extern PyMethodDef gradient_methods[], backward_methods[];  // of tensors; the second is engine.cpp's
extern PyGetSetDef gradient_properties[];

// Of a new tensor. Throws for dtypes that have no derivative.
void make_leaf(const thpp::Tensor &tensor);
void check_leaf(const thpp::Tensor &tensor);  // raises what make_leaf would
void throw_recorded(const thpp::Tensor &tensor, const char *method);  // of methods that run Python per element

// What the collector has to see of a tensor that nobody else holds.
int visit_gradient_state(const thpp::Tensor &tensor, bool counting, visitproc visit, void *arg);

}  // namespace torch::python
