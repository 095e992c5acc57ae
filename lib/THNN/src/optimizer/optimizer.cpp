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
#include <utility>

#include <THNN/Optimizer.h>

#include "rules-inl.hpp"

#ifndef THNN_OPTIMIZER_LOOPS
#define THNN_OPTIMIZER_LOOPS
namespace thnn {

// A rule's loops over the elements of one step, in float after the rounding to a half type.
template <class T>
using Loop = void (*)(int64_t n, T *const *tensors, const double *numbers);
struct Loops {
  unsigned state;
  Loop<float> single, bfloat16, half;
  Loop<double> twice;
};

// By rule and by which of its tensors that may be missing are there: a bit for each.
constexpr int kVariants = 4;
struct Rules {
  Loops of[THNN_NUM_RULES][kVariants];
};

}  // namespace thnn
#endif

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class Rule, class T, size_t... k>
Rule ruleOf(const double *numbers, std::index_sequence<k...>) {
  return std::bit_cast<Rule>(std::array<T, sizeof...(k)>{T(numbers[k])...});
}

template <class Rule, class T, class Round, size_t... k>
void loop(int64_t n, T *const *tensors, const Rule rule, std::index_sequence<k...>) {
  T *const p = tensors[0];
  const T *const grad = tensors[1];
  T *const kept[] = {tensors[2 + k]..., nullptr};
  [[maybe_unused]] constexpr auto has = [](size_t i) { return bool(Rule::state >> i & 1); };
  const Round r;
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    T x[] = {(has(k) ? kept[k][i] : T(0))..., T(0)};
    p[i] = rule(p[i], rule.direction(p[i], grad[i], r), x, r);
    ((has(k) ? void(kept[k][i] = x[k]) : void()), ...);
  }
}

template <class Rule, class T, class Round>
void elements(int64_t n, T *const *tensors, const double *numbers) {
  static_assert(sizeof(Rule) <= THNN_STEP_NUMBERS * sizeof(T));
  loop<Rule, T, Round>(n, tensors, ruleOf<Rule, T>(numbers, std::make_index_sequence<sizeof(Rule) / sizeof(T)>()),
                       std::make_index_sequence<std::bit_width(Rule::state)>());
}

template <class Single, class Twice>
constexpr thnn::Loops loopsOf = {Single::state, elements<Single, float, ToSelf>, elements<Single, float, ToBFloat16>,
                                 elements<Single, float, ToHalf>, elements<Twice, double, ToSelf>};

#define RULE(Name) loopsOf<Name<float>, Name<double>>
#define VARIANT(Name, ...) loopsOf<Name<float, __VA_ARGS__>, Name<double, __VA_ARGS__>>
constexpr thnn::Rules rules = {{
    {VARIANT(Adam, false), VARIANT(Adam, true)},
    {VARIANT(Sgd, false), VARIANT(Sgd, true)},
    {VARIANT(RmsProp, false, false), VARIANT(RmsProp, true, false), VARIANT(RmsProp, false, true),
     VARIANT(RmsProp, true, true)},
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

template <class T>
void whole(Loop<T> loop, const THNNStep &step, int64_t begin, int64_t end) {
  T *tensors[THNN_STEP_TENSORS] = {};
  for (int k = 0; k < THNN_STEP_TENSORS; k++)
    if (step.tensors[k]) tensors[k] = reinterpret_cast<T *>(place(step.tensors[k], begin));
  loop(end - begin, tensors, step.numbers);
}

// Half types: blocks in float.
void converted(Loop<float> loop, THDtype dtype, const THNNStep &step, int64_t begin, int64_t end) {
  const Convert widen = converter(TH_Float, dtype), narrow = converter(dtype, TH_Float);
  float blocks[THNN_STEP_TENSORS][kBlock], *tensors[THNN_STEP_TENSORS] = {};
  for (; begin < end; begin += kBlock) {
    const int64_t n = std::min(end - begin, kBlock);
    for (int k = 0; k < THNN_STEP_TENSORS; k++)
      if (step.tensors[k]) widen(tensors[k] = blocks[k], place(step.tensors[k], begin), n);
    loop(n, tensors, step.numbers);
    for (int k = 0; k < THNN_STEP_TENSORS; k++)
      if (k != 1 && step.tensors[k]) narrow(place(step.tensors[k], begin), blocks[k], n);
  }
}

void part(THNNRule rule, const THNNStep &step, bool fused, int64_t begin, int64_t end) {
  const Loops &loops = loopsFor(rule, step);
  switch (dtypeOf(step.tensors[0])) {
    case TH_Double: return whole(loops.twice, step, begin, end);
    case TH_Half: return converted(fused ? loops.single : loops.half, TH_Half, step, begin, end);
    case TH_BFloat16: return converted(fused ? loops.single : loops.bfloat16, TH_BFloat16, step, begin, end);
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
