// torch/optim's steps over lists (THPP/Optimizer.h), and what it asks about lists.
#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <vector>

#include <THPP/Optimizer.h>

#include "errors.h"
#include "functions.h"
#include "overrides.h"
#include "tensor_object.h"
#include "torch_python/gil.h"

namespace torch::python {

using thpp::Tensor;

namespace {

// The tensors of a list; false if it holds something else, or what overrides `__torch_function__`.
bool collect(PyObject *list, std::vector<Tensor> &column) {
  if (list == Py_None) return true;
  const Ref items = checked_ref(PySequence_Fast(list, "a step takes lists of tensors"));
  const Py_ssize_t n = PySequence_Fast_GET_SIZE(items.get());
  column.reserve(size_t(n));
  for (Py_ssize_t i = 0; i < n; i++) {
    PyObject *const item = PySequence_Fast_GET_ITEM(items.get(), i);
    if (!is_tensor(item) || is_overloaded(item)) return false;
    column.push_back(tensor_of(item));
  }
  return true;
}

bool collect_all(PyObject *lists, thpp::TensorLists &columns) {
  const Py_ssize_t n = PyTuple_GET_SIZE(lists);
  columns.resize(size_t(n));
  for (Py_ssize_t c = 0; c < n; c++)
    if (!collect(PyTuple_GET_ITEM(lists, c), columns[size_t(c)])) return false;
  return true;
}

double work(const thpp::TensorLists &lists) {
  if (lists.empty()) return 0;
  double elements = 0;
  for (const Tensor &t : lists[0]) elements += double(t.numel());
  return elements + 64.0 * double(lists[0].size());
}

const thpp::OptimizerRule &rule_of(PyObject *name) {
  const char *const text = PyUnicode_AsUTF8(name);
  if (!text) throw PythonError();
  const thpp::OptimizerRule *const rule = thpp::find_optimizer_rule(text);
  if (!rule) raise(PyExc_ValueError, "there is no loop for the steps of %R", name);
  return *rule;
}

// More than any rule has. A step of one small parameter takes less than a microsecond, so memory of their own costs.
using Options = std::array<double, 16>;

// The options of a step, so many; nothing if one is a tensor, or another thing that only operators of tensors know to handle.
std::optional<size_t> read_options(PyObject *options, Options &values) {
  const Py_ssize_t n = PyTuple_GET_SIZE(options);
  if (size_t(n) > values.size()) raise(PyExc_ValueError, "a step takes at most %zu options, not %zd", values.size(), n);
  for (Py_ssize_t k = 0; k < n; k++) {
    PyObject *const option = PyTuple_GET_ITEM(options, k);
    if (!PyFloat_Check(option) && !PyLong_Check(option)) return std::nullopt;
    const double value = values[size_t(k)] = PyFloat_AsDouble(option);
    if (value == -1 && PyErr_Occurred()) throw PythonError();
  }
  return size_t(n);
}

// (rule, (params, grads, state…), (counters…), options, fused): makes the step. A list of state may be None. Returns False,
// with nothing changed, where THPP has no loop for it, or tensors have types of their own. Then torch/optim goes through its
// rule itself.
PyObject *step(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    PyObject *name, *lists_, *counters_, *given;
    int fused;
    if (!PyArg_ParseTuple(args, "UO!O!O!p", &name, &PyTuple_Type, &lists_, &PyTuple_Type, &counters_, &PyTuple_Type,
                          &given, &fused))
      return nullptr;
    const thpp::OptimizerRule &rule = rule_of(name);
    Options options;
    const std::optional<size_t> count = read_options(given, options);
    if (!count || has_mode()) Py_RETURN_FALSE;
    thpp::TensorLists lists, counters;
    if (!collect_all(lists_, lists) || !collect_all(counters_, counters)) Py_RETURN_FALSE;
    const auto run = [&] {
      const ReleaseGil released(work(lists));
      return thpp::optimizer_step(rule, lists, counters, std::span(options).first(*count), fused);
    };
    return PyBool_FromLong(run());
  });
}

// (params, lists…): the first (list, parameter) whose tensor has not the parameter's shape, or None. Elements that are no
// tensors, and lists that are None, are skipped.
PyObject *misshapen(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    if (PyTuple_GET_SIZE(args) == 0) Py_RETURN_NONE;
    const Ref params = checked_ref(PySequence_Fast(PyTuple_GET_ITEM(args, 0), "parameters are given as a list"));
    for (Py_ssize_t c = 1; c < PyTuple_GET_SIZE(args); c++) {
      if (PyTuple_GET_ITEM(args, c) == Py_None) continue;
      const Ref column = checked_ref(PySequence_Fast(PyTuple_GET_ITEM(args, c), "state is given as lists"));
      const Py_ssize_t n = std::min(PySequence_Fast_GET_SIZE(column.get()), PySequence_Fast_GET_SIZE(params.get()));
      for (Py_ssize_t i = 0; i < n; i++) {
        PyObject *const kept = PySequence_Fast_GET_ITEM(column.get(), i);
        PyObject *const param = PySequence_Fast_GET_ITEM(params.get(), i);
        if (!is_tensor(kept) || !is_tensor(param) || is_overloaded(kept) || is_overloaded(param)) continue;
        if (!std::ranges::equal(tensor_of(kept).sizes(), tensor_of(param).sizes()))
          return checked(Py_BuildValue("nn", c - 1, i));
      }
    }
    Py_RETURN_NONE;
  });
}

}  // namespace

PyMethodDef optimizer_functions[] = {
    {"_optimizer_step", step, METH_VARARGS, nullptr},
    {"_optimizer_misshapen", misshapen, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::python
