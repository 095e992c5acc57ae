// Connectionist temporal classification: Graves, Fernández, Gomez, Schmidhuber 2006, equations 5 to 15, in logarithms.
//
// States are the labels with blanks between and around them. In a step one stays, moves on by one state, or skips the blank
// between two labels that differ. Backward is the same in the opposite order of states and steps. Samples are shared out.
#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "ctc_loops.hpp"
#include "kit/computed.hpp"
#include "kit/parallel.hpp"
#include "kit/prepare.hpp"

namespace thnn {
namespace {

template <class C> constexpr C kNone = -std::numeric_limits<C>::infinity();  // log 0

// Where each sample's labels are.
class Targets {
 public:
  Targets(const THNNCtcPlan &plan, const THTensor *targets, const int64_t *lengths)
      : tensor_(contiguousAs(TH_Long, targets)), lengths_(lengths), begins_(size_t(plan.batch)) {
    int64_t next = 0;
    for (int64_t i = 0; i < plan.batch; next += lengths[i++]) {
      begins_[size_t(i)] = elements<int64_t>(tensor_) + (targets->ndim == 2 ? i * targets->size[1] : next);
      for (int64_t k = 0; k < lengths[i]; k++)
        if (uint64_t(begins_[size_t(i)][k]) >= uint64_t(plan.classes))
          THError(TH_ERROR_RUNTIME, "label %lld of sample %lld is %lld, which is none of the %lld classes",
                  (long long)k, (long long)i, (long long)begins_[size_t(i)][k], (long long)plan.classes);
    }
  }
  int64_t length(int64_t sample) const { return lengths_[sample]; }
  const int64_t *labels(int64_t sample) const { return begins_[size_t(sample)]; }

 private:
  const Ref tensor_;
  const int64_t *lengths_;
  std::vector<const int64_t *> begins_;
};

// One sample's states, in the order of the labels or the opposite one, and their logarithms at one step.
template <class C>
class States {
 public:
  explicit States(int64_t most)
      : labels_(size_t(most)), skip_(size_t(most)), shares_(size_t(most)), before_(size_t(most + 2), kNone<C>),
        after_(size_t(most + 2), kNone<C>) {}

  void set(const int64_t *labels, int64_t length, int64_t blank, bool opposite) {
    n_ = 2 * length + 1;
    for (int64_t s = 0; s < n_; s++) labels_[size_t(s)] = s % 2 ? labels[opposite ? length - 1 - s / 2 : s / 2] : blank;
    for (int64_t s = 0; s < n_; s++)
      skip_[size_t(s)] = s >= 2 && labels_[size_t(s)] != labels_[size_t(s - 2)] ? C(0) : kNone<C>;
    started_ = false;
  }
  // Goes over to the next step, whose logarithms of probabilities are at `row`.
  void advance(const C *row) {
    for (int64_t s = 0; s < n_; s++) shares_[size_t(s)] = row[labels_[size_t(s)]];
    std::swap(before_, after_);
    if (!started_) {
      std::fill(after_.begin(), after_.end(), kNone<C>);
      for (int64_t s = 0; s < std::min<int64_t>(2, n_); s++) after_[size_t(s + 2)] = shares_[size_t(s)];
      started_ = true;
    } else {
      ctcLoops<C>().step(n_, before_.data() + 2, skip_.data(), shares_.data(), after_.data() + 2);
    }
  }
  int64_t size() const { return n_; }
  int64_t label(int64_t s) const { return labels_[size_t(s)]; }
  const C *shares() const { return shares_.data(); }
  const C *logs() const { return after_.data() + 2; }

 private:
  int64_t n_ = 0;
  bool started_ = false;
  std::vector<int64_t> labels_;
  std::vector<C> skip_, shares_, before_, after_;  // the last two begin with two that are no states
};

template <class C>
C logSum(C a, C b) {
  const C most = std::max(a, b);
  return most == kNone<C> ? most : most + std::log1p(std::exp(std::min(a, b) - most));
}

int64_t grainOf(const THNNCtcPlan &plan) {
  return std::max<int64_t>(1, kGrain / 16 / std::max<int64_t>(1, plan.steps * plan.states));
}

template <class C>
void updateOutput(const THTensor *logProbs, const THTensor *targets, THTensor *output, THTensor *alpha,
                  int ninputLengths, const int64_t *inputLengths, int ntargetLengths, const int64_t *targetLengths,
                  int64_t blank) {
  THNNCtcPlan plan;
  if (!THNNPrepare_CTCCriterion_updateOutput(&plan, DtypeOf<C>::value, logProbs, targets, output, alpha, ninputLengths,
                                             inputLengths, ntargetLengths, targetLengths, blank))
    return resizeResults(plan.result, 2);
  const Targets labels(plan, targets, targetLengths);
  const Elements<C> x(logProbs);
  Computed<C> losses(plan.result[0], {}), forward(plan.result[1], {});
  parallelFor(plan.batch, grainOf(plan), [&, loss = losses.data(), all = forward.data()](int64_t begin, int64_t end) {
    States<C> states(plan.states);
    for (int64_t i = begin; i < end; i++) {
      states.set(labels.labels(i), labels.length(i), blank, false);
      C *to = all + i * plan.steps * plan.states;
      for (int64_t t = 0; t < plan.steps; t++, to += plan.states) {
        int64_t known = 0;
        if (t < inputLengths[i]) {
          states.advance(x.data() + (t * plan.batch + i) * plan.classes);
          known = states.size();
          std::copy_n(states.logs(), known, to);
        }
        std::fill(to + known, to + plan.states, kNone<C>);
      }
      const int64_t n = states.size();
      if (!inputLengths[i])
        loss[i] = n == 1 ? C(0) : -kNone<C>;
      else
        loss[i] = -logSum(states.logs()[n - 1], n > 1 ? states.logs()[n - 2] : kNone<C>);
    }
  });
  losses.finish(), forward.finish();
}

template <class C>
void updateGradInput(const THTensor *logProbs, const THTensor *gradOutput, THTensor *gradInput, const THTensor *targets,
                     const THTensor *output, const THTensor *alpha, int ninputLengths, const int64_t *inputLengths,
                     int ntargetLengths, const int64_t *targetLengths, int64_t blank, bool zeroInfinity) {
  THNNCtcPlan plan;
  if (!THNNPrepare_CTCCriterion_updateGradInput(&plan, DtypeOf<C>::value, logProbs, gradOutput, gradInput, targets,
                                                output, alpha, ninputLengths, inputLengths, ntargetLengths,
                                                targetLengths, blank))
    return resizeResults(plan.result);
  const Targets labels(plan, targets, targetLengths);
  const Elements<C> x(logProbs), g(gradOutput), losses(output), forward(alpha);
  Computed<C> result(plan.result[0], {});
  parallelFor(plan.batch, grainOf(plan), [&, all = result.data()](int64_t begin, int64_t end) {
    States<C> states(plan.states);  // in the opposite order
    std::vector<C> likely(size_t(plan.states));
    for (int64_t i = begin; i < end; i++) {
      states.set(labels.labels(i), labels.length(i), blank, true);
      const C loss = losses.data()[i], factor = g.data()[i];
      const bool fits = std::abs(loss) != -kNone<C>;
      for (int64_t t = plan.steps - 1; t >= 0; t--) {
        const int64_t at = (t * plan.batch + i) * plan.classes;
        C *const to = all + at;
        if (t >= inputLengths[i] || !fits) {
          const bool zero = t >= inputLengths[i] || zeroInfinity;
          std::fill_n(to, plan.classes, zero ? C(0) : std::numeric_limits<C>::quiet_NaN());
          continue;
        }
        states.advance(x.data() + at);
        ctcLoops<C>().exponential(plan.classes, x.data() + at, factor, to);
        ctcLoops<C>().likely(states.size(), forward.data() + (i * plan.steps + t) * plan.states, states.logs(),
                             states.shares(), loss, factor, likely.data());
        for (int64_t s = 0; s < states.size(); s++) to[states.label(s)] -= likely[size_t(s)];
      }
    }
  });
  result.finish();
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(CTCCriterion_updateOutput, float_double,
            (THNNState *, const THTensor *logProbs, const THIndexTensor *targets, THTensor *output, THTensor *alpha,
             int ninputLengths, const int64_t *inputLengths, int ntargetLengths, const int64_t *targetLengths,
             int64_t blank),
            thnn::updateOutput<T>(logProbs, targets, output, alpha, ninputLengths, inputLengths, ntargetLengths,
                                  targetLengths, blank))
THNN_DEFINE(CTCCriterion_updateGradInput, float_double,
            (THNNState *, const THTensor *logProbs, const THTensor *gradOutput, THTensor *gradInput,
             const THIndexTensor *targets, const THTensor *output, const THTensor *alpha, int ninputLengths,
             const int64_t *inputLengths, int ntargetLengths, const int64_t *targetLengths, int64_t blank,
             bool zeroInfinity),
            thnn::updateGradInput<T>(logProbs, gradOutput, gradInput, targets, output, alpha, ninputLengths,
                                     inputLengths, ntargetLengths, targetLengths, blank, zeroInfinity))
