// Steps of optimisers: the loop over elements and the one over parameters. The rules are in rules-inl.hpp.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "optimizer/optimizer.cpp"
#include <hwy/foreach_target.h>
#include <hwy/ops/set_macros-inl.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

#include <THNN/Optimizer.h>

#include "rules-inl.hpp"

#ifndef THNN_OPTIMIZER_LOOPS
#define THNN_OPTIMIZER_LOOPS
namespace thnn {

// A rule's loops over the elements of one step. Those for half types take whole groups of elements.
constexpr int64_t kGroup = 16;
using Loop = void (*)(int64_t n, void *const *tensors, const double *numbers);
struct Loops {
  unsigned state;
  Loop single, twice;
  Loop half[2], bfloat16[2];  // rounded after each operation; fused
};

// By rule and by which of its tensors that may be missing are there: a bit for each.
constexpr int kVariants = 4;
struct Rules {
  bool widened;  // loops for half types take floats, and round them
  Loops of[THNN_NUM_RULES][kVariants];
};

}  // namespace thnn
#endif

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

// NaN is the usual one: roundings rely on it.
template <class Rule, class T, size_t... k>
Rule ruleOf(const double *numbers, std::index_sequence<k...>) {
  constexpr auto number = [](double x) { return x != x ? std::numeric_limits<T>::quiet_NaN() : T(x); };
  return std::bit_cast<Rule>(std::array<T, sizeof...(k)>{number(numbers[k])...});
}

// An element by itself: the compiler makes vectors of them.
template <class T>
struct Single {
  static constexpr int64_t size = 1;
  T part[1];
  void load(const T *from) { part[0] = *from; }
  template <bool>
  void store(T *to) const {
    *to = part[0];
  }
};

// A group of elements, from i on. plain: they go where the gradient says.
template <class Group, bool plain, class Rule, class Round, class T, size_t... k>
HWY_INLINE void step(T *p, const T *grad, [[maybe_unused]] T *const *kept, int64_t i, const Rule &rule, Round r,
                     std::index_sequence<k...>) {
  [[maybe_unused]] constexpr auto has = [](size_t place) { return bool(Rule::state >> place & 1); };
  Group value, gradient, state[sizeof...(k) + 1] = {};
  value.load(p + i);
  gradient.load(grad + i);
  ((has(k) ? state[k].load(kept[k] + i) : void()), ...);
  for (size_t j = 0; j < std::size(value.part); j++) {
    auto &x = value.part[j];
    std::decay_t<decltype(x)> of[] = {state[k].part[j]..., x};
    x = rule(x, plain ? gradient.part[j] : rule.direction(x, gradient.part[j], r), of, r);
    ((state[k].part[j] = of[k]), ...);
  }
  value.template store<Round::exact>(p + i);
  ((has(k) ? state[k].template store<Round::exact>(kept[k] + i) : void()), ...);
}

template <class Group, class Rule, class Round, class T, size_t... k>
void loop(int64_t n, void *const *tensors, const Rule rule, std::index_sequence<k...> places) {
  T *const p = static_cast<T *>(tensors[0]);
  const T *const grad = static_cast<const T *>(tensors[1]);
  T *const kept[] = {static_cast<T *>(tensors[2 + k])..., nullptr};
  const auto steps = [&](auto plain) HWY_ATTR {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i += Group::size) step<Group, plain>(p, grad, kept, i, rule, Round(), places);
  };
  if constexpr (Group::size > 1)
    if (rule.sign == 1 && rule.decay == 0) return steps(std::true_type());
  steps(std::false_type());
}

template <class Group, class Rule, class T, class Round>
void elements(int64_t n, void *const *tensors, const double *numbers) {
  using N = std::conditional_t<std::is_same_v<T, double>, double, float>;
  static_assert(sizeof(Rule) <= THNN_STEP_NUMBERS * sizeof(N) && thnn::kGroup % Group::size == 0);
  loop<Group, Rule, Round, T>(n, tensors,
                              ruleOf<Rule, N>(numbers, std::make_index_sequence<sizeof(Rule) / sizeof(N)>()),
                              std::make_index_sequence<std::bit_width(Rule::state)>());
}

template <class Rule, class T> constexpr thnn::Loop ofFloats = elements<Single<T>, Rule, T, ToSelf>;
#if TH_HALF_VECTORS
constexpr bool widened = false;
template <class Rule, class H, class Round>
constexpr thnn::Loop ofHalves[] = {elements<Group<H>, Rule, H, Round>, elements<Group<H>, Rule, H, ToSelf>};
#else
constexpr bool widened = true;
template <class Rule, class, class Round>
constexpr thnn::Loop ofHalves[] = {elements<Single<float>, Rule, float, Round>, ofFloats<Rule, float>};
#endif

template <class Rule, class Twice>
constexpr thnn::Loops loopsOf = {Rule::state,
                                 ofFloats<Rule, float>,
                                 ofFloats<Twice, double>,
                                 {ofHalves<Rule, half, ToHalf>[0], ofHalves<Rule, half, ToHalf>[1]},
                                 {ofHalves<Rule, bfloat16, ToBFloat16>[0], ofHalves<Rule, bfloat16, ToBFloat16>[1]}};

#define RULE(Name) loopsOf<Name<float>, Name<double>>
#define VARIANT(Name, ...) loopsOf<Name<float, __VA_ARGS__>, Name<double, __VA_ARGS__>>
constexpr thnn::Rules rules = {widened,
                               {
                                   {VARIANT(Adam, false), VARIANT(Adam, true)},
                                   {VARIANT(Sgd, false), VARIANT(Sgd, true)},
                                   {VARIANT(RmsProp, false, false), VARIANT(RmsProp, true, false),
                                    VARIANT(RmsProp, false, true), VARIANT(RmsProp, true, true)},
                                   {RULE(Adagrad)},
                                   {RULE(Adadelta)},
                                   {RULE(Adamax)},
                                   {RULE(NAdam)},
                                   {RULE(RAdam)},
                                   {RULE(Asgd)},
                                   {RULE(Rprop)},
                               }};
#undef RULE
#undef VARIANT

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <cstring>
#include <functional>
#include <vector>

#include "kit/convert.hpp"
#include "kit/module.hpp"
#include "kit/parallel.hpp"

namespace thnn {
namespace {

bool sameOrder(const THTensor *a, const THTensor *b) {
  if (a->dtype != b->dtype || !sameShape(a->ndim, a->size, b)) return false;
  for (int d = 0; d < a->ndim; d++)
    if (a->size[d] > 1 && a->stride[d] != b->stride[d]) return false;
  return true;
}

// The loops for the tensors that a step has, by their bits from the state on; raises where there are none.
const Loops &loopsFor(THNNRule rule, const THNNStep &step) {
  unsigned state = 0;
  for (int k = 2; k < THNN_STEP_TENSORS; k++) state |= unsigned(step.tensors[k] != nullptr) << (k - 2);
  for (const Loops &loops : TH_BEST_TARGET(rules).of[rule])
    if (loops.single && loops.state == state) return loops;
  THError(TH_ERROR_RUNTIME, "rule %d takes no state of the tensors %x", int(rule), state);
}

// Raises unless a step can be made, and nothing that is written shares memory with another one of its tensors.
void checkStep(const THNNStep &step) {
  for (const THTensor *t : step.tensors)
    if (t) requireMemory(t);
  if (!THNNPrepare_step(step.tensors, THNN_STEP_TENSORS))
    THError(TH_ERROR_RUNTIME,
            "a parameter, its gradient and its state must have one dtype, one shape and one order of elements without "
            "gaps, but the parameter has the shape %s",
            shapeString(step.tensors[0]).c_str());
  for (int a = 0; a < THNN_STEP_TENSORS; a++)
    for (int b = 0; b < a; b++)
      if (step.tensors[a] && step.tensors[b]) requireSeparate(step.tensors[a], step.tensors[b]);
}

char *place(const THTensor *t, int64_t begin) {
  return static_cast<char *>(t->storage->data) + (t->offset + begin) * int64_t(TH_elementSize(dtypeOf(t)));
}

void whole(Loop loop, const THNNStep &step, int64_t begin, int64_t end) {
  void *tensors[THNN_STEP_TENSORS] = {};
  for (int k = 0; k < THNN_STEP_TENSORS; k++)
    if (step.tensors[k]) tensors[k] = place(step.tensors[k], begin);
  loop(end - begin, tensors, step.numbers);
}

// By copies of that dtype, which end with zeros in a whole group.
void inBlocks(Loop loop, THDtype copied, const THNNStep &step, int64_t begin, int64_t end) {
  const THDtype dtype = dtypeOf(step.tensors[0]);
  const Convert fetch = converter(copied, dtype), store = converter(dtype, copied);
  const int64_t width = int64_t(TH_elementSize(copied));
  alignas(64) char blocks[THNN_STEP_TENSORS][(kBlock + kGroup) * sizeof(float)];
  void *tensors[THNN_STEP_TENSORS] = {};
  for (; begin < end; begin += kBlock) {
    const int64_t n = std::min(end - begin, kBlock);
    for (int k = 0; k < THNN_STEP_TENSORS; k++) {
      if (!step.tensors[k]) continue;
      fetch(tensors[k] = blocks[k], place(step.tensors[k], begin), n);
      std::memset(blocks[k] + n * width, 0, size_t(kGroup * width));
    }
    loop((n + kGroup - 1) / kGroup * kGroup, tensors, step.numbers);
    for (int k = 0; k < THNN_STEP_TENSORS; k++)
      if (k != 1 && step.tensors[k]) store(place(step.tensors[k], begin), blocks[k], n);
  }
}

void ofHalves(Loop loop, const THNNStep &step, int64_t begin, int64_t end) {
  if (TH_BEST_TARGET(rules).widened) return inBlocks(loop, TH_Float, step, begin, end);
  const int64_t stop = end - (end - begin) % kGroup;
  whole(loop, step, begin, stop);
  if (stop < end) inBlocks(loop, dtypeOf(step.tensors[0]), step, stop, end);
}

void part(THNNRule rule, const THNNStep &step, bool fused, int64_t begin, int64_t end) {
  const Loops &loops = loopsFor(rule, step);
  switch (dtypeOf(step.tensors[0])) {
    case TH_Double: return whole(loops.twice, step, begin, end);
    case TH_Half: return ofHalves(loops.half[fused], step, begin, end);
    case TH_BFloat16: return ofHalves(loops.bfloat16[fused], step, begin, end);
    default: return whole(loops.single, step, begin, end);
  }
}

// Whether no step writes memory that another one reads or writes: only such may run at the same time.
bool separate(const THNNStep *steps, int64_t n) {
  std::vector<std::pair<const char *, const char *>> ranges;
  for (int64_t i = 0; i < n; i++)
    for (const THTensor *t : steps[i].tensors)
      if (t && t->numel) ranges.emplace_back(place(t, 0), place(t, t->numel));
  std::sort(ranges.begin(), ranges.end(), [](auto &a, auto &b) { return std::less<>()(a.first, b.first); });
  for (size_t i = 1; i < ranges.size(); i++)
    if (std::less<>()(ranges[i].first, ranges[i - 1].second)) return false;
  return true;
}

}  // namespace
}  // namespace thnn

using namespace thnn;

bool THNNPrepare_step(const THTensor *const *tensors, int n) {
  const THTensor *const first = tensors[0];
  if (!isDense(first)) return false;
  for (int i = 1; i < n; i++)
    if (tensors[i] && !sameOrder(first, tensors[i])) return false;
  return true;
}

void THNNOptimizer_steps(THNNState *, THNNRule rule, const THNNStep *steps, int64_t n, bool fused) {
  std::vector<int64_t> ends;  // of each step's elements, where those of all are numbered
  ends.reserve(size_t(n));
  int64_t total = 0;
  for (int64_t i = 0; i < n; i++) {
    checkStep(steps[i]);
    loopsFor(rule, steps[i]);
    ends.push_back(total += steps[i].tensors[0]->numel);
  }
  const auto run = [&](int64_t begin, int64_t end) {
    for (size_t i = size_t(std::upper_bound(ends.begin(), ends.end(), begin) - ends.begin()); begin < end; i++) {
      const int64_t start = ends[i] - steps[i].tensors[0]->numel, stop = std::min(end, ends[i]);
      if (begin < stop) part(rule, steps[i], fused, begin - start, stop - start);
      begin = stop;
    }
  };
  constexpr int64_t grain = kGrain / 4;
  if (total <= grain || TH_getNumThreads() == 1 || !separate(steps, n))
    run(0, total);
  else
    parallelFor(total, grain, run);
  for (int64_t i = 0; i < n; i++)
    for (int k = 0; k < THNN_STEP_TENSORS; k++)
      if (k != 1 && steps[i].tensors[k]) THTensor_bumpVersion(steps[i].tensors[k]);
}

#endif
