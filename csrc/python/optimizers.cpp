// Steps of optimisers over lists: what torch/optim calls instead of an operator for each part of its rule.
//
// A function returns False, with nothing changed, where one of the lists holds what THNN's loops do not take: then
// torch/optim goes through its rule itself.
#include "autograd.h"

#include <cmath>
#include <vector>

#include <THNN/Optimizer.h>
#include <THPP/Guard.h>
#include <THPP/NN.h>

#include "overrides.h"
#include "tensor_object.h"
#include "torch_python/gil.h"

namespace torch::python {

using thpp::Tensor;

namespace {

using Column = std::vector<Tensor>;  // a tensor for each parameter, or none at all

// The tensors of a list; false if it holds something else, or what has a word in the matter itself.
bool collect(PyObject *list, Column &column) {
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

bool is_counter(const Tensor &step) {
  return step.numel() == 1 && step.device().kind == TH_CPU && (step.dtype() == TH_Float || step.dtype() == TH_Double);
}

// Counts a step, and returns how many there were with it.
double counted(const Tensor &step) {
  THTensor *const t = step.get();
  step.bump_version();
  if (step.dtype() == TH_Float) return static_cast<float *>(t->storage->data)[t->offset] += 1;
  return static_cast<double *>(t->storage->data)[t->offset] += 1;
}

// The lists of a step: parameters, gradients and state. `steps`: what counts, which may have other shapes.
class Lists {
 public:
  Lists(std::initializer_list<PyObject *> lists, PyObject *steps) {
    if (thpp::grad_mode() || has_mode()) return;
    columns_.resize(lists.size());
    size_t c = 0;
    for (PyObject *const list : lists)
      if (!collect(list, columns_[c++])) return;
    if (!collect(steps, steps_)) return;
    const size_t n = columns_[0].size();
    for (const Column &column : columns_)
      if (!column.empty() && column.size() != n) return;
    if (!steps_.empty() && steps_.size() != n) return;
    for (size_t i = 0; i < n; i++)
      if (!takes(i)) return;
    for (const Tensor &step : steps_)
      if (!is_counter(step)) return;
    fits_ = true;
  }

  bool fits() const { return fits_; }
  size_t size() const { return columns_[0].size(); }
  double work() const {
    double elements = 0;
    for (const Tensor &t : columns_[0]) elements += double(t.numel());
    return elements + 64.0 * double(size());
  }
  const Tensor &at(size_t column, size_t i) const { return columns_[column].empty() ? none_ : columns_[column][i]; }
  double count(size_t i) const { return counted(steps_[i]); }
  // All but the gradient, which is column 1, were written.
  void written(size_t i) const {
    for (size_t c = 0; c < columns_.size(); c++)
      if (c != 1 && !columns_[c].empty()) columns_[c][i].bump_version();
  }

 private:
  bool takes(size_t i) const {
    const THTensor *tensors[8];
    int n = 0;
    for (const Column &column : columns_) {
      const THTensor *const t = column.empty() ? nullptr : column[i].get();
      tensors[n++] = t;
      if (!t) continue;
      if (t->device != TH_CPU || t->layout != TH_STRIDED || (t->dtype != TH_Float && t->dtype != TH_Double))
        return false;
      for (int before = 0; before < n - 1; before++)
        if (tensors[before] && tensors[before]->storage == t->storage) return false;
    }
    return THNNPrepare_step(tensors, n);
  }

  std::vector<Column> columns_;
  Column steps_;
  const Tensor none_;
  bool fits_ = false;
};

// Calls step(i) for each parameter.
template <class Step>
PyObject *run(const Lists &lists, const Step &step) {
  if (!lists.fits()) Py_RETURN_FALSE;
  {
    const ReleaseGil released(lists.work());
    for (size_t i = 0; i < lists.size(); i++) {
      step(i);
      lists.written(i);
    }
  }
  Py_RETURN_TRUE;
}

// 1 - beta^count and what follows from it: all parameters of a group have mostly made as many steps.
struct Corrections {
  double count = -1, factor = 0, root = 0;
  void of(double steps, double lr, double beta1, double beta2) {
    if (steps == count) return;
    count = steps;
    factor = -(lr / (1 - std::pow(beta1, steps)));
    root = std::pow(1 - std::pow(beta2, steps), 0.5);
  }
};

// (params, grads, averages, squares, largest or None, steps, lr, beta1, beta2, weight_decay, eps, maximize, decoupled)
PyObject *adam(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    PyObject *params, *grads, *averages, *squares, *largest, *steps;
    double lr, beta1, beta2, weight_decay, eps;
    int maximize, decoupled;
    if (!PyArg_ParseTuple(args, "OOOOOOdddddpp", &params, &grads, &averages, &squares, &largest, &steps, &lr, &beta1,
                          &beta2, &weight_decay, &eps, &maximize, &decoupled))
      return nullptr;
    const Lists lists({params, grads, averages, squares, largest}, steps);
    const double shrink = decoupled && weight_decay != 0 ? 1 - lr * weight_decay : 1;
    const double decay = decoupled ? 0 : weight_decay;
    Corrections by;
    return run(lists, [&](size_t i) {
      by.of(lists.count(i), lr, beta1, beta2);
      thpp::nn::Adam_step(lists.at(0, i), lists.at(1, i), lists.at(2, i), lists.at(3, i), lists.at(4, i), shrink, decay,
                          1 - beta1, beta2, 1 - beta2, by.root, eps, by.factor, maximize);
    });
  });
}

// (params, grads, buffers or None, lr, weight_decay, momentum, dampening, nesterov, maximize)
PyObject *sgd(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    PyObject *params, *grads, *buffers;
    double lr, weight_decay, momentum, dampening;
    int nesterov, maximize;
    if (!PyArg_ParseTuple(args, "OOOddddpp", &params, &grads, &buffers, &lr, &weight_decay, &momentum, &dampening,
                          &nesterov, &maximize))
      return nullptr;
    const Lists lists({params, grads, buffers}, Py_None);
    return run(lists, [&](size_t i) {
      thpp::nn::SGD_step(lists.at(0, i), lists.at(1, i), lists.at(2, i), weight_decay, momentum, 1 - dampening, -lr,
                         nesterov, maximize);
    });
  });
}

// (params, grads, squares, averages or None, buffers or None, steps, lr, weight_decay, alpha, eps, momentum, maximize)
PyObject *rmsprop(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    PyObject *params, *grads, *squares, *averages, *buffers, *steps;
    double lr, weight_decay, alpha, eps, momentum;
    int maximize;
    if (!PyArg_ParseTuple(args, "OOOOOOdddddp", &params, &grads, &squares, &averages, &buffers, &steps, &lr,
                          &weight_decay, &alpha, &eps, &momentum, &maximize))
      return nullptr;
    const Lists lists({params, grads, squares, averages, buffers}, steps);
    return run(lists, [&](size_t i) {
      lists.count(i);
      thpp::nn::RMSprop_step(lists.at(0, i), lists.at(1, i), lists.at(2, i), lists.at(3, i), lists.at(4, i),
                             weight_decay, alpha, 1 - alpha, eps, momentum, -lr, maximize);
    });
  });
}

// (params, grads, sums, steps, lr, lr_decay, weight_decay, eps, maximize)
PyObject *adagrad(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    PyObject *params, *grads, *sums, *steps;
    double lr, lr_decay, weight_decay, eps;
    int maximize;
    if (!PyArg_ParseTuple(args, "OOOOddddp", &params, &grads, &sums, &steps, &lr, &lr_decay, &weight_decay, &eps,
                          &maximize))
      return nullptr;
    const Lists lists({params, grads, sums}, steps);
    return run(lists, [&](size_t i) {
      const double rate = lr / (1 + (lists.count(i) - 1) * lr_decay);
      thpp::nn::Adagrad_step(lists.at(0, i), lists.at(1, i), lists.at(2, i), weight_decay, eps, -rate, maximize);
    });
  });
}

}  // namespace

PyMethodDef optimizer_functions[] = {
    {"_adam_step", adam, METH_VARARGS, nullptr},
    {"_sgd_step", sgd, METH_VARARGS, nullptr},
    {"_rmsprop_step", rmsprop, METH_VARARGS, nullptr},
    {"_adagrad_step", adagrad, METH_VARARGS, nullptr},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace torch::python
