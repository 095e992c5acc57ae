// Layers of recurrent units over packed sequences: per step one product of the state with the weights and one pass over
// the units, both over blocks of units and samples, so that a block's sums are in the cache when they are used.
//
// Blocks are cut by shape alone, and each is one thread's: results do not depend on how many there are.
#include <algorithm>
#include <vector>

#include "cells.hpp"
#include "kit/computed.hpp"
#include "kit/parallel.hpp"
#include "products.hpp"

namespace thnn {
namespace {

constexpr int64_t kUnits = 64, kSamples = 64;  // of a block; units: whole panels

// Where the steps' rows are, and the order in which they are taken.
class Steps {
 public:
  Steps(const THNNRecurrentPlan &plan, const int64_t *sizes, bool reverse)
      : sizes_(sizes), n_(plan.steps), batch_(plan.batch), reverse_(reverse), first_(size_t(plan.steps)) {
    for (int64_t t = 0, at = 0; t < n_; at += sizes[t++]) first_[size_t(t)] = at;
  }
  int64_t count() const { return n_; }
  int64_t at(int64_t k) const { return reverse_ ? n_ - 1 - k : k; }  // the step that is taken k-th
  int64_t size(int64_t t) const { return sizes_[t]; }
  int64_t first(int64_t t) const { return first_[size_t(t)]; }
  // How many samples of step t have had a step before, and where that's rows begin; the others come from hx.
  int64_t continued(int64_t t) const { return !reverse_ ? (t ? sizes_[t] : 0) : t + 1 < n_ ? sizes_[t + 1] : 0; }
  int64_t before(int64_t t) const { return first(reverse_ ? t + 1 : t - 1); }
  // The row in which each sample ends; -1: it has no steps.
  int64_t last(int64_t sample) const {
    if (!n_ || sizes_[0] <= sample) return -1;
    if (reverse_) return sample;
    const int64_t *const end = std::partition_point(sizes_, sizes_ + n_, [=](int64_t n) { return n > sample; });
    return first(end - sizes_ - 1) + sample;
  }
  int64_t batch() const { return batch_; }

 private:
  const int64_t *sizes_;
  int64_t n_, batch_;
  bool reverse_;
  std::vector<int64_t> first_;
};

// Runs f(first sample, end, first unit, end) for blocks of `samples` x `units`; `work`: multiplications per unit and sample.
template <class F>
void eachBlock(int64_t samples, int64_t units, int64_t work, const F &f) {
  const int64_t across = (units + kUnits - 1) / kUnits, down = (samples + kSamples - 1) / kSamples;
  const int64_t ofBlock = std::min(units, kUnits) * std::min(samples, kSamples) * std::max<int64_t>(work, 1);
  parallelFor(across * down, std::max<int64_t>(1, (1 << 17) / std::max<int64_t>(ofBlock, 1)),
              [&](int64_t begin, int64_t end) {
                for (int64_t i = begin; i < end; i++) {
                  const int64_t sample = i / across * kSamples, unit = i % across * kUnits;
                  f(sample, std::min(samples, sample + kSamples), unit, std::min(units, unit + kUnits));
                }
              });
}

template <class C>
struct Layer {
  const THNNRecurrentPlan &p;
  const Steps &steps;
  const C *hx, *cx;
  const std::vector<Matrix<C>> &weights;  // forward: one per gate; backward: that of all
  const Matrix<C> *projection;

  int64_t gatesOf(int64_t row) const { return row * p.gates * p.units; }
  bool projects() const { return projection; }

  // A row of `states` (of all steps) or of `initial` before step t, p.units wide.
  const C *previous(int64_t t, int64_t sample, const C *states, const C *initial) const {
    return sample < steps.continued(t) ? states + (steps.before(t) + sample) * p.units : initial + sample * p.units;
  }

  // sums (of samples from `from`, `width` wide) = h weightᵀ of units [unit, end) of each gate, or added to them
  void products(int64_t t, int64_t from, int64_t to, int64_t unit, int64_t end, const C *output, bool add, C *sums,
                int64_t width) const {
    const int64_t middle = std::clamp(steps.continued(t), from, to);
    for (int g = 0; g < p.gates; g++) {
      C *const c = sums + g * p.units + unit;
      if (middle > from)
        weights[size_t(g)].multiply(middle - from, output + (steps.before(t) + from) * p.state, p.state, unit, end, add,
                                    c, width);
      weights[size_t(g)].multiply(to - middle, hx + middle * p.state, p.state, unit, end, add,
                                  c + (middle - from) * width, width);
    }
  }
};

template <class C>
std::optional<Matrix<C>> matrix(const Elements<C> &weight, int64_t k, int64_t n, int64_t row, int64_t column,
                                bool often) {
  if (!weight.data()) return {};
  return std::optional<Matrix<C>>(std::in_place, k, n, weight.data(), row, column, often);
}

// ---- forward -----------------------------------------------------------------------------------------------------------

template <class C>
struct Forward : Layer<C> {
  using Layer<C>::p, Layer<C>::steps, Layer<C>::hx, Layer<C>::cx;
  C *gates, *second;  // the two parts of storage
  const C *bias;
  C *output;

  // One block of step t: its products, then its units. h' goes to `next`, a row per sample.
  void block(int64_t t, int64_t from, int64_t to, int64_t unit, int64_t end, C *next) const {
    const int64_t n = end - unit, units = p.units, all = p.gates * units, row = steps.first(t) + from;
    if (p.mode == THNN_GRU) {
      const auto sums = memory<C>((to - from) * all);
      this->products(t, from, to, unit, end, output, false, sums.get(), all);
      for (int64_t i = from; i < to; i++) {
        C *const x = gates + this->gatesOf(row + i - from) + unit;
        cells<C>().gru(n, x, sums.get() + (i - from) * all + unit, bias + unit, units,
                       this->previous(t, i, output, hx) + unit, x, second + (row + i - from) * units + unit,
                       next + i * units + unit);
      }
      return;
    }
    // The products are added to those of the input.
    const bool isLstm = p.mode == THNN_LSTM;
    if (!isLstm)
      for (int64_t i = row; i < row + to - from; i++)
        std::copy_n(gates + i * units + unit, n, output + i * units + unit);
    C *const rows = (isLstm ? gates : output) + this->gatesOf(row);
    this->products(t, from, to, unit, end, output, true, rows, all);
    for (int64_t i = from; i < to; i++) {
      C *const x = rows + (i - from) * all + unit;
      if (isLstm)
        cells<C>().lstm(n, x, units, this->previous(t, i, second, cx) + unit, second + (row + i - from) * units + unit,
                        next + i * units + unit);
      else
        (p.mode == THNN_RNN_TANH ? cells<C>().tanh : cells<C>().relu)(n, x);
    }
  }

  void run() const {
    const auto full = memory<C>(this->projects() ? p.batch * p.units : 0);
    for (int64_t k = 0; k < steps.count(); k++) {
      const int64_t t = steps.at(k), size = steps.size(t);
      C *const to = output + steps.first(t) * p.state;
      eachBlock(size, p.units, p.gates * p.state, [&](int64_t from, int64_t until, int64_t unit, int64_t end) {
        block(t, from, until, unit, end, this->projects() ? full.get() : to);
      });
      if (!this->projects()) continue;
      eachBlock(size, p.state, p.units, [&](int64_t from, int64_t until, int64_t unit, int64_t end) {
        this->projection->multiply(until - from, full.get() + from * p.units, p.units, unit, end, false,
                                   to + from * p.state + unit, p.state);
      });
    }
  }

  // The states in which the samples end.
  void ends(C *hy, C *cy) const {
    for (int64_t i = 0; i < p.batch; i++) {
      const int64_t row = steps.last(i);
      std::copy_n(row < 0 ? hx + i * p.state : output + row * p.state, p.state, hy + i * p.state);
      if (cx) std::copy_n((row < 0 ? cx + i * p.units : second + row * p.units), p.units, cy + i * p.units);
    }
  }
};

template <class T>
void updateOutput(THTensor *storage, THTensor *output, THTensor *hy, THTensor *cy, const THTensor *hx,
                  const THTensor *cx, const THTensor *weight, const THTensor *bias, const THTensor *projection,
                  int nsizes, const int64_t *sizes, bool reverse, int64_t mode) {
  using C = Compute<T>;
  THNNRecurrentPlan plan;
  const bool runs = THNNPrepare_RecurrentLayer_updateOutput(&plan, DtypeOf<T>::value, storage, output, hy, cy, hx, cx,
                                                            weight, bias, projection, nsizes, sizes, mode);
  if (!runs) return resizeResults(plan.result, 3);
  requireMemory(storage);
  const Elements<C> h(hx), c(cx), w(weight), b(bias), r(projection);
  const std::vector<C> zeros(bias ? 0 : size_t(plan.gates * plan.units));
  const Steps steps(plan, sizes, reverse);
  const bool often = nsizes > 1;
  std::vector<Matrix<C>> weights;
  for (int g = 0; g < plan.gates; g++)
    weights.emplace_back(plan.state, plan.units, w.data() + g * plan.units * plan.state, 1, plan.state, often);
  const auto projected = matrix(r, plan.units, plan.state, 1, plan.units, often);
  InPlace<C> kept(storage);
  Computed<C> y(plan.result[0], {}), hEnd(plan.result[1], {}), cEnd(plan.result[2], {});
  const Forward<C> forward{{plan, steps, h.data(), c.data(), weights, projected ? &*projected : nullptr},
                           kept.data(),
                           kept.data() + plan.rows * plan.gates * plan.units,
                           bias ? b.data() : zeros.data(),
                           y.data()};
  forward.run();
  forward.ends(hEnd.data(), cEnd.data());
  y.finish(), hEnd.finish(), cEnd.finish(), kept.finish();
}

// ---- backward ----------------------------------------------------------------------------------------------------------

// dh and dc: at first the gradients for the states in which the samples end; then, for those that a step has been undone
// of, the ones for the states before it.
template <class C>
struct Backward : Layer<C> {
  using Layer<C>::p, Layer<C>::steps, Layer<C>::hx, Layer<C>::cx;
  const C *dy, *output, *gates, *second;  // the latter the two parts of storage
  C *dx, *dhidden, *dstate, *dh, *dc;

  // Through the weights, from step t to the states before it: units [unit, end) of the state.
  void throughWeight(int64_t t, int64_t from, int64_t to, int64_t unit, int64_t end) const {
    if (to <= from) return;
    const int64_t all = p.gates * p.units;
    const bool isGru = p.mode == THNN_GRU;
    this->weights[0].multiply(to - from, (isGru ? dhidden : dx) + this->gatesOf(steps.first(t) + from), all, unit, end,
                              isGru, dh + from * p.state + unit, p.state);
  }

  // The units of step t, one sample; d: the gradient for its h', units [unit, unit + n).
  void units(int64_t t, int64_t sample, int64_t unit, int64_t n, const C *d) const {
    const int64_t row = steps.first(t) + sample, units = p.units;
    C *const to = dx + this->gatesOf(row) + unit;
    const C *const made = gates + this->gatesOf(row) + unit, *const stored = second + row * units + unit;
    if (p.mode == THNN_LSTM) {
      C *const dcell = dc + sample * units + unit;
      cells<C>().lstmBackward(n, made, to, units, this->previous(t, sample, second, cx) + unit, stored, d, dcell,
                              dcell);
    } else if (p.mode == THNN_GRU) {
      cells<C>().gruBackward(n, made, stored, this->previous(t, sample, output, hx) + unit, d, to,
                             dhidden + this->gatesOf(row) + unit, units, dh + sample * units + unit);
    } else {
      (p.mode == THNN_RNN_TANH ? cells<C>().tanhBackward : cells<C>().reluBackward)(n, output + row * units + unit, d,
                                                                                    to);
    }
  }

  // dh + dy of one sample of step t
  void total(int64_t t, int64_t sample, int64_t unit, int64_t n, C *to) const {
    const C *const state = dh + sample * p.state + unit;
    const C *const of = dy ? dy + (steps.first(t) + sample) * p.state + unit : nullptr;
    for (int64_t k = 0; k < n; k++) to[k] = of ? state[k] + of[k] : state[k];
  }

  void run() const {
    const int64_t n = steps.count(), work = p.gates * p.units;
    const auto full = memory<C>(this->projects() ? p.batch * p.units : 0);
    for (int64_t k = n - 1; k >= -1; k--) {  // step k, after the products of step k + 1
      const int64_t later = k + 1 < n ? steps.at(k + 1) : -1, t = k < 0 ? -1 : steps.at(k);
      const int64_t size = t < 0 ? 0 : steps.size(t), known = later < 0 ? 0 : steps.size(later);
      eachBlock(std::max(size, known), p.state, work, [&](int64_t from, int64_t to, int64_t unit, int64_t end) {
        throughWeight(later, from, std::min(to, known), unit, end);
        C d[kUnits];
        for (int64_t i = from; i < std::min(to, size); i++) {
          if (this->projects()) {
            total(t, i, unit, end - unit, dstate + (steps.first(t) + i) * p.state + unit);
          } else {
            total(t, i, unit, end - unit, d);
            units(t, i, unit, end - unit, d);
          }
        }
      });
      if (!this->projects() || t < 0) continue;
      eachBlock(size, p.units, p.state, [&](int64_t from, int64_t to, int64_t unit, int64_t end) {
        this->projection->multiply(to - from, dstate + (steps.first(t) + from) * p.state, p.state, unit, end, false,
                                   full.get() + from * p.units + unit, p.units);
        for (int64_t i = from; i < to; i++) units(t, i, unit, end - unit, full.get() + i * p.units + unit);
      });
    }
  }
};

template <class T>
void updateGradInput(const THTensor *output, const THTensor *gradOutput, const THTensor *gradHy, const THTensor *gradCy,
                     THTensor *gradInput, THTensor *gradHidden, THTensor *gradState, THTensor *gradHx, THTensor *gradCx,
                     const THTensor *storage, const THTensor *hx, const THTensor *cx, const THTensor *weight,
                     const THTensor *projection, int nsizes, const int64_t *sizes, bool reverse, int64_t mode) {
  using C = Compute<T>;
  THNNRecurrentPlan plan;
  const bool runs = THNNPrepare_RecurrentLayer_updateGradInput(
      &plan, DtypeOf<T>::value, output, gradOutput, gradHy, gradCy, gradInput, gradHidden, gradState, gradHx, gradCx,
      storage, hx, cx, weight, projection, nsizes, sizes, mode);
  if (!runs) return resizeResults(plan.result, 5);
  const Elements<C> dy(gradOutput), dhy(gradHy), dcy(gradCy), y(output), kept(storage), h(hx), c(cx), w(weight),
      r(projection);
  const Steps steps(plan, sizes, reverse);
  Computed<C> dx(plan.result[0], {}), dhidden(plan.result[1], {}), dstate(plan.result[2], {}), dh(plan.result[3], {}),
      dc(plan.result[4], {});
  const auto begin = [](const C *from, C *to, int64_t n) {
    from ? std::copy_n(from, n, to) : std::fill_n(to, n, C(0));
  };
  begin(dhy.data(), dh.data(), plan.batch * plan.state);
  if (cx) begin(dcy.data(), dc.data(), plan.batch * plan.units);
  const bool often = nsizes > 1;
  std::vector<Matrix<C>> weights;
  weights.emplace_back(plan.gates * plan.units, plan.state, w.data(), plan.state, 1, often);
  const auto projected = matrix(r, plan.state, plan.units, plan.units, 1, often);
  const Backward<C> backward{{plan, steps, h.data(), c.data(), weights, projected ? &*projected : nullptr},
                             dy.data(),
                             y.data(),
                             kept.data(),
                             kept.data() + plan.rows * plan.gates * plan.units,
                             dx.data(),
                             dhidden.data(),
                             dstate.data(),
                             dh.data(),
                             dc.data()};
  backward.run();
  dx.finish(), dhidden.finish(), dstate.finish(), dh.finish(), dc.finish();
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(RecurrentLayer_updateOutput, floating,
            (THNNState *, THTensor *storage, THTensor *output, THTensor *hy, THTensor *cy, const THTensor *hx,
             const THNullableTensor *cx, const THTensor *weight, const THNullableTensor *bias,
             const THNullableTensor *projection, int nsizes, const int64_t *sizes, bool reverse, int64_t mode),
            thnn::updateOutput<T>(storage, output, hy, cy, hx, cx, weight, bias, projection, nsizes, sizes, reverse,
                                  mode))
THNN_DEFINE(RecurrentLayer_updateGradInput, floating,
            (THNNState *, const THTensor *output, const THNullableTensor *gradOutput, const THNullableTensor *gradHy,
             const THNullableTensor *gradCy, THTensor *gradInput, THTensor *gradHidden, THTensor *gradState,
             THTensor *gradHx, THTensor *gradCx, const THTensor *storage, const THTensor *hx,
             const THNullableTensor *cx, const THTensor *weight, const THNullableTensor *projection, int nsizes,
             const int64_t *sizes, bool reverse, int64_t mode),
            thnn::updateGradInput<T>(output, gradOutput, gradHy, gradCy, gradInput, gradHidden, gradState, gradHx,
                                     gradCx, storage, hx, cx, weight, projection, nsizes, sizes, reverse, mode))
