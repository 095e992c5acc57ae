// Steps of optimisers over lists: what torch/optim calls instead of an operator for each part of its rule.
//
// An optimiser has one row in a table here: how the numbers of THNN's rule follow from its options and from what it counts.
#include "autograd.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <THNN/Optimizer.h>
#include <THPP/Guard.h>

#include "overrides.h"
#include "tensor_object.h"
#include "torch_python/gil.h"

namespace torch::python {

using thpp::Tensor;

namespace {

using Column = std::vector<Tensor>;  // a tensor for each parameter, or none at all

// The tensors of a list; false if it holds something else, or what overrides `__torch_function__`.
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

// A number that is counted from step to step, in a tensor of one element on the host. It takes the values that its dtype has.
class Counter {
 public:
  Counter() = default;
  explicit Counter(const Tensor &tensor) : single_(tensor.dtype() == TH_Float) {
    const THTensor *const t = tensor.get();
    value_ = single_ ? double(static_cast<float *>(t->storage->data)[t->offset])
                     : static_cast<double *>(t->storage->data)[t->offset];
  }
  static bool takes(const Tensor &t) {
    return t.numel() == 1 && t.device().kind == TH_CPU && (t.dtype() == TH_Float || t.dtype() == TH_Double);
  }
  void write(const Tensor &tensor) const {
    THTensor *const t = tensor.get();
    tensor.bump_version();
    if (single_)
      static_cast<float *>(t->storage->data)[t->offset] = float(value_);
    else
      static_cast<double *>(t->storage->data)[t->offset] = value_;
  }
  double rounded(double x) const { return single_ ? double(float(x)) : x; }
  Counter &operator=(double x) {
    value_ = rounded(x);
    return *this;
  }
  operator double() const { return value_; }
  bool operator==(const Counter &) const = default;

 private:
  double value_ = 0;
  bool single_ = false;
};

// The lists of a step: parameters, gradients and state; `counters`, which may have other shapes, apart.
class Lists {
 public:
  Lists(PyObject *lists, PyObject *counters) {
    if (thpp::grad_mode() || has_mode()) return;
    if (!collect_all(lists, columns_) || !collect_all(counters, counters_) || columns_.size() > THNN_STEP_TENSORS)
      return;
    const size_t n = size();
    for (const Column &column : columns_)
      if (!column.empty() && column.size() != n) return;
    for (const Column &column : counters_) {
      if (column.size() != n) return;
      for (const Tensor &counter : column)
        if (!Counter::takes(counter)) return;
    }
    for (size_t i = 0; i < n; i++)
      if (!takes(i)) return;
    fits_ = true;
  }

  bool fits() const { return fits_; }
  size_t size() const { return columns_.empty() ? 0 : columns_[0].size(); }
  double work() const {
    double elements = 0;
    for (const Tensor &t : columns_[0]) elements += double(t.numel());
    return elements + 64.0 * double(size());
  }
  THTensor *at(size_t column, size_t i) const { return columns_[column].empty() ? nullptr : columns_[column][i].get(); }
  size_t columns() const { return columns_.size(); }
  const std::vector<Column> &counters() const { return counters_; }

 private:
  static bool collect_all(PyObject *lists, std::vector<Column> &columns) {
    const Py_ssize_t n = PyTuple_GET_SIZE(lists);
    columns.resize(size_t(n));
    for (Py_ssize_t c = 0; c < n; c++)
      if (!collect(PyTuple_GET_ITEM(lists, c), columns[size_t(c)])) return false;
    return true;
  }
  bool takes(size_t i) const {
    const THTensor *tensors[THNN_STEP_TENSORS] = {};
    for (size_t c = 0; c < columns_.size(); c++) {
      const THTensor *const t = tensors[c] = at(c, i);
      if (!t) continue;
      if (t->device != TH_CPU || t->layout != TH_STRIDED) return false;
      if (t->dtype != TH_Float && t->dtype != TH_Double && t->dtype != TH_Half && t->dtype != TH_BFloat16) return false;
      for (size_t before = 0; before < c; before++)
        if (tensors[before] && tensors[before]->storage == t->storage) return false;
    }
    return THNNPrepare_step(tensors, THNN_STEP_TENSORS);
  }

  std::vector<Column> columns_, counters_;
  bool fits_ = false;
};

// ---- the optimisers ------------------------------------------------------------------------------

using Numbers = std::array<double, THNN_STEP_NUMBERS>;
template <size_t n> using Options = std::array<double, n>;
constexpr size_t kOptions = 8, kCounters = 3;

// THNN's numbers for a parameter, from the options and what is counted: c[0] is the number of steps with this one, and
// further ones are brought up to date.
template <size_t n> using NumbersOf = Numbers (*)(const Options<n> &options, Counter *c);

double sign(double maximize) { return maximize != 0 ? -1 : 1; }
double correction(double beta, double count) { return 1 - std::pow(beta, count); }

// How a decay acts: on the gradient, or apart from it on the parameter.
struct Decay {
  double coupled, shrink;
  Decay(double lr, double decay, double decoupled)
      : coupled(decoupled != 0 ? 0 : decay), shrink(decoupled != 0 && decay != 0 ? 1 - lr * decay : 1) {}
};

Numbers adam(const Options<7> &options, Counter *c) {
  const auto [lr, beta1, beta2, weight_decay, eps, maximize, decoupled] = options;
  const Decay decay(lr, weight_decay, decoupled);
  const double root = std::pow(correction(beta2, c[0]), 0.5), factor = -(lr / correction(beta1, c[0]));
  return {sign(maximize), decay.coupled, decay.shrink, 1 - beta1, beta2, 1 - beta2, root, eps, factor};
}

Numbers sgd(const Options<6> &options, Counter *) {
  const auto [lr, weight_decay, momentum, dampening, nesterov, maximize] = options;
  return {sign(maximize), weight_decay, momentum, 1 - dampening, -lr, nesterov};
}

Numbers rmsprop(const Options<6> &options, Counter *) {
  const auto [lr, weight_decay, alpha, eps, momentum, maximize] = options;
  return {sign(maximize), weight_decay, alpha, 1 - alpha, eps, momentum, -lr};
}

Numbers adagrad(const Options<5> &options, Counter *c) {
  const auto [lr, lr_decay, weight_decay, eps, maximize] = options;
  return {sign(maximize), weight_decay, eps, -(lr / (1 + (c[0] - 1) * lr_decay))};
}

Numbers adadelta(const Options<5> &options, Counter *) {
  const auto [lr, rho, eps, weight_decay, maximize] = options;
  return {sign(maximize), weight_decay, rho, 1 - rho, eps, -lr};
}

Numbers adamax(const Options<6> &options, Counter *c) {
  const auto [lr, beta1, beta2, eps, weight_decay, maximize] = options;
  return {sign(maximize), weight_decay, 1 - beta1, beta2, eps, -(lr / correction(beta1, c[0]))};
}

Numbers nadam(const Options<8> &options, Counter *c) {
  const auto [lr, beta1, beta2, eps, weight_decay, momentum_decay, maximize, decoupled] = options;
  const Decay decay(lr, weight_decay, decoupled);
  const auto momentum = [&](double count) { return beta1 * (1 - 0.5 * std::pow(0.96, count * momentum_decay)); };
  const double mu = momentum(c[0]), next = momentum(c[0] + 1);
  Counter &product = c[1];
  product = product * product.rounded(mu);
  return {sign(maximize),
          decay.coupled,
          decay.shrink,
          1 - beta1,
          beta2,
          1 - beta2,
          correction(beta2, c[0]),
          eps,
          -lr * (1 - mu) / (1 - product),
          -lr * next / (1 - product * next)};
}

Numbers radam(const Options<7> &options, Counter *c) {
  const auto [lr, beta1, beta2, eps, weight_decay, maximize, decoupled] = options;
  const Decay decay(lr, weight_decay, decoupled);
  const double count = c[0], power = std::pow(beta2, count), correction2 = 1 - power, bound = 2 / (1 - beta2) - 1;
  const double length = bound - 2 * count * power / correction2;
  const bool adaptive = length > 5;
  const double rectified = adaptive
                               ? std::pow((length - 4) * (length - 2) * bound / ((bound - 4) * (bound - 2) * length),
                                          0.5)
                               : 1;
  return {sign(maximize),
          decay.coupled,
          decay.shrink,
          1 - beta1,
          beta2,
          1 - beta2,
          correction(beta1, count),
          lr,
          double(adaptive),
          std::pow(correction2, 0.5),
          eps,
          rectified};
}

Numbers asgd(const Options<6> &options, Counter *c) {
  const auto [lr, lambd, alpha, t0, weight_decay, maximize] = options;
  Counter &eta = c[1], &mu = c[2];
  const Numbers numbers = {sign(maximize), weight_decay, 1 - lambd * eta, eta, mu};
  eta = lr / std::pow(1 + lambd * lr * c[0], alpha);
  mu = 1 / std::max(1.0, c[0] - t0);
  return numbers;
}

Numbers rprop(const Options<5> &options, Counter *) {
  const auto [minus, plus, least, most, maximize] = options;
  return {sign(maximize), 0, minus, plus, least, most};
}

struct Rule {
  const char *name;
  THNNRule rule;
  size_t options, counters;
  Numbers (*numbers)(const double *options, Counter *c);
};

template <size_t n> constexpr size_t count(NumbersOf<n>) { return n; }

template <auto numbers>
constexpr Rule row(const char *name, THNNRule rule, size_t counters) {
  return {name, rule, count(numbers), counters, [](const double *options, Counter *c) {
            Options<count(numbers)> given;
            std::copy_n(options, given.size(), given.begin());
            return numbers(given, c);
          }};
}

constexpr Rule rules[] = {
    row<adam>("adam", THNN_RULE_ADAM, 1),
    row<sgd>("sgd", THNN_RULE_SGD, 0),
    row<rmsprop>("rmsprop", THNN_RULE_RMSPROP, 1),
    row<adagrad>("adagrad", THNN_RULE_ADAGRAD, 1),
    row<adadelta>("adadelta", THNN_RULE_ADADELTA, 1),
    row<adamax>("adamax", THNN_RULE_ADAMAX, 1),
    row<nadam>("nadam", THNN_RULE_NADAM, 2),
    row<radam>("radam", THNN_RULE_RADAM, 1),
    row<asgd>("asgd", THNN_RULE_ASGD, 3),
    row<rprop>("rprop", THNN_RULE_RPROP, 1),
};

const Rule &rule_of(PyObject *name) {
  for (const Rule &rule : rules)
    if (PyUnicode_CompareWithASCIIString(name, rule.name) == 0) return rule;
  raise(PyExc_ValueError, "there is no loop for the steps of %R", name);
}

// The options of a rule; false if one is a tensor, or another thing that only operators of tensors know to handle.
bool read_options(const Rule &rule, PyObject *options, double *values) {
  if (size_t(PyTuple_GET_SIZE(options)) != rule.options)
    raise(PyExc_ValueError, "a step of %s takes %zu options, not %zd", rule.name, rule.options,
          PyTuple_GET_SIZE(options));
  for (size_t k = 0; k < rule.options; k++) {
    PyObject *const option = PyTuple_GET_ITEM(options, Py_ssize_t(k));
    if (!PyFloat_Check(option) && !PyLong_Check(option)) return false;
    values[k] = PyFloat_AsDouble(option);
    if (values[k] == -1 && PyErr_Occurred()) throw PythonError();
  }
  return true;
}

// Counts a step of each parameter. All have mostly made as many: what follows from it is computed again where it changes.
void fill(const Rule &rule, const double *options, const Lists &lists, std::vector<THNNStep> &steps) {
  using Counters = std::array<Counter, kCounters>;
  Counters before, after;
  Numbers numbers;
  for (size_t i = 0; i < steps.size(); i++) {
    Counters c;
    for (size_t k = 0; k < rule.counters; k++) c[k] = Counter(lists.counters()[k][i]);
    if (i == 0 || c != before) {
      before = after = c;
      after[0] = after[0] + 1;
      numbers = rule.numbers(options, after.data());
    }
    for (size_t k = 0; k < rule.counters; k++) after[k].write(lists.counters()[k][i]);
    THNNStep &step = steps[i];
    for (size_t column = 0; column < lists.columns(); column++) step.tensors[column] = lists.at(column, i);
    std::copy(numbers.begin(), numbers.end(), step.numbers);
  }
}

// (rule, (params, grads, state…), (counters…), options, fused): makes the step. A list of state may be None. Returns False,
// with nothing changed, where THNN's loop does not take the tensors: complex, with gaps, on other devices, recorded or with
// types of their own. Then torch/optim goes through its rule itself.
PyObject *step(PyObject *, PyObject *args) {
  return guarded([&]() -> PyObject * {
    PyObject *name, *lists_, *counters, *given;
    int fused;
    if (!PyArg_ParseTuple(args, "UO!O!O!p", &name, &PyTuple_Type, &lists_, &PyTuple_Type, &counters, &PyTuple_Type,
                          &given, &fused))
      return nullptr;
    const Rule &rule = rule_of(name);
    double options[kOptions];
    if (!read_options(rule, given, options)) Py_RETURN_FALSE;
    const Lists lists(lists_, counters);
    if (!lists.fits() || lists.counters().size() != rule.counters) Py_RETURN_FALSE;
    std::vector<THNNStep> steps(lists.size());
    fill(rule, options, lists, steps);
    {
      const ReleaseGil released(lists.work());
      THNNOptimizer_steps(nullptr, rule.rule, steps.data(), int64_t(steps.size()), fused);
    }
    Py_RETURN_TRUE;
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
