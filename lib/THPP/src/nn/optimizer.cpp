// An optimiser has one row in a table here: how the numbers of THNN's rule follow from its options and from what it counts.
#include <THPP/Optimizer.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include <THNN/Optimizer.h>
#include <THPP/Guard.h>
#include "backend.h"

namespace thpp {

namespace {

// ---- what is counted ----------------------------------------------------------------------------

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

// ---- the optimisers -----------------------------------------------------------------------------

using Numbers = std::array<double, THNN_STEP_NUMBERS>;
template <size_t n> using Options = std::array<double, n>;
constexpr size_t kCounters = 3;

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

struct Rule : OptimizerRule {
  THNNRule kernel;
  Numbers (*numbers)(const double *options, Counter *c);
};

template <size_t n> constexpr size_t count(NumbersOf<n>) { return n; }

template <auto numbers>
constexpr Rule row(const char *name, THNNRule kernel, size_t counters) {
  return {{name, count(numbers), counters}, kernel, [](const double *options, Counter *c) {
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

// ---- a step -------------------------------------------------------------------------------------

using Column = std::vector<Tensor>;

THTensor *at(const Column &column, size_t i) { return column.empty() ? nullptr : column[i].get(); }

// Whether t is on another device than `like`, or of another layout.
bool is_elsewhere(const THTensor *t, const THTensor *like) {
  const THDevice own = t->storage->device, its = like->storage->device;
  return own.kind != its.kind || own.index != its.index;
}

// Whether the loop takes the tensors of a parameter, which are strided and on the device of the first one.
bool takes(const TensorLists &lists, size_t i) {
  const THTensor *const first = lists[0][0].get();
  if (!first) return false;
  const THTensor *tensors[THNN_STEP_TENSORS] = {};
  for (size_t c = 0; c < lists.size(); c++) {
    const THTensor *const t = tensors[c] = at(lists[c], i);
    if (!t) continue;
    if (t->layout != TH_STRIDED || (t != first && is_elsewhere(t, first))) return false;
    if (t->dtype != TH_Float && t->dtype != TH_Double && t->dtype != TH_Half && t->dtype != TH_BFloat16) return false;
    for (size_t before = 0; before < c; before++)
      if (tensors[before] && tensors[before]->storage == t->storage) return false;
  }
  return THNNPrepare_step(tensors, THNN_STEP_TENSORS);
}

bool fit(const Rule &rule, const TensorLists &lists, const TensorLists &counters) {
  if (grad_mode() || lists.size() > THNN_STEP_TENSORS || counters.size() != rule.counters) return false;
  const size_t n = lists[0].size();
  for (const Column &column : lists)
    if (!column.empty() && column.size() != n) return false;
  for (const Column &column : counters)
    if (column.size() != n || !std::ranges::all_of(column, Counter::takes)) return false;
  for (size_t i = 0; i < n; i++)
    if (!takes(lists, i)) return false;
  return true;
}

// Counts a step of each parameter. All have mostly made as many: what follows from it is computed again where it changes.
void fill(const Rule &rule, const double *options, const TensorLists &lists, const TensorLists &counters,
          std::vector<THNNStep> &steps) {
  using Counters = std::array<Counter, kCounters>;
  Counters before, after;
  Numbers numbers;
  for (size_t i = 0; i < steps.size(); i++) {
    Counters c;
    for (size_t k = 0; k < rule.counters; k++) c[k] = Counter(counters[k][i]);
    if (i == 0 || c != before) {
      before = after = c;
      after[0] = after[0] + 1;
      numbers = rule.numbers(options, after.data());
    }
    for (size_t k = 0; k < rule.counters; k++) after[k].write(counters[k][i]);
    THNNStep &step = steps[i];
    for (size_t column = 0; column < lists.size(); column++) step.tensors[column] = at(lists[column], i);
    std::copy(numbers.begin(), numbers.end(), step.numbers);
  }
}

}  // namespace

const OptimizerRule *find_optimizer_rule(const char *name) {
  for (const Rule &rule : rules)
    if (!std::strcmp(name, rule.name)) return &rule;
  return nullptr;
}

bool optimizer_step(const OptimizerRule &which, const TensorLists &lists, const TensorLists &counters,
                    std::span<const double> options, bool fused) {
  const Rule &rule = static_cast<const Rule &>(which);
  if (options.size() != rule.options)
    THError(TH_ERROR_VALUE, "a step of %s takes %zu options, not %zu", rule.name, rule.options, options.size());
  if (lists.empty() || lists[0].empty()) return !grad_mode();  // nothing to do
  if (!fit(rule, lists, counters)) return false;
  const Backend on = backend_of(flags(lists[0][0]), lists[0][0]);
  auto *run = &THNNOptimizer_steps;
  if (on.table) run = on.table->kernels ? on.table->kernels->THNNOptimizer_steps : nullptr;
  if (!run) return false;
  std::vector<THNNStep> steps(lists[0].size());
  fill(rule, options.data(), lists, counters, steps);
  run(nn_state_of(on), rule.kernel, steps.data(), int64_t(steps.size()), fused);
  return true;
}

}  // namespace thpp
