// MultiMarginCriterion and MultiLabelMarginCriterion: how much the classes that are wrong exceed those that are right.
#include "margins.hpp"

#include <vector>

#include "criterion.hpp"
#include "kit/computed.hpp"
#include "kit/prepare.hpp"

namespace thnn {
namespace {

template <class C>
const MarginLoop<C> &loopOf() {
  if constexpr (sizeof(C) == sizeof(float))
    return marginLoops().single;
  else
    return marginLoops().twice;
}

// The loss of each sample, by `sample(i)`, as the output: one number, or one per sample.
template <class T, class Sample>
void writeLosses(const THNNMarginPlan &plan, std::initializer_list<const THTensor *> inputs, bool sizeAverage,
                 bool reduce, const Sample &sample) {
  using C = Compute<T>;
  std::vector<C> losses(size_t(plan.samples));
  parallelFor(plan.samples, std::max<int64_t>(1, kGrain / 4 / (plan.classes + 1)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) losses[size_t(i)] = sample(i);
  });
  if (!reduce) {
    Output result(&plan.result, 1, inputs, false);
    T *const r = result.data<T>();
    for (size_t i = 0; i < losses.size(); i++) r[i] = T(losses[i]);
    return result.finish();
  }
  double sum = 0;
  for (const C loss : losses) sum += double(loss);
  resizeResults(&plan.result);
  setNumber<T>(plan.result.tensor, sizeAverage ? sum / double(plan.samples) : sum);
}

// gradInput, of which sample(i, row, factor) fills the rows, which are 0.
template <class T, class Sample>
void writeGradients(THNNMarginPlan &plan, std::initializer_list<const THTensor *> inputs, const THTensor *gradOutput,
                    bool sizeAverage, bool reduce, const Sample &sample) {
  using C = Compute<T>;
  const Elements<C> grad(gradOutput);
  const C share = C(1) / C(plan.classes * (reduce && sizeAverage ? plan.samples : 1));
  into<C>(plan.result, inputs, [&](C *r) {
    std::fill_n(r, plan.samples * plan.classes, C(0));
    parallelFor(plan.samples, std::max<int64_t>(1, kGrain / 4 / (plan.classes + 1)), [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i++) sample(i, r + i * plan.classes, share * grad.data()[reduce ? 0 : i]);
    });
  });
}

// ---- one class is right ----------------------------------------------------------------------------------
template <class T>
struct MultiMargin {
  using C = Compute<T>;
  const MarginLoop<C> &loop = loopOf<C>();
  const Elements<C> input, weights;
  const Ref target;
  const int64_t classes;
  const bool squared;
  const C margin;

  MultiMargin(const THNNMarginPlan &plan, const THTensor *x, const THTensor *t, const THTensor *w, int64_t p, double m)
      : input(x), weights(w), target(contiguousAs(TH_Long, t)), classes(plan.classes), squared(p == 2), margin(C(m)) {
    for (int64_t i = 0; i < plan.samples; i++)
      if (uint64_t(right(i)) >= uint64_t(classes)) THError(TH_ERROR_RUNTIME, "target out of range");
  }
  int64_t right(int64_t i) const { return elements<int64_t>(target)[i]; }
  C weight(int64_t c) const { return weights.data() ? weights.data()[c] : C(1); }

  C loss(int64_t i) const {
    const int64_t c = right(i);
    const C *const x = input.data() + i * classes;
    const C shift = margin - x[c];
    const C sum = loop.sum(x, c, shift, squared) + loop.sum(x + c + 1, classes - c - 1, shift, squared);
    return sum * weight(c) / C(classes);
  }
  void gradient(int64_t i, C *r, C factor) const {
    const int64_t c = right(i);
    const C *const x = input.data() + i * classes;
    const C shift = margin - x[c], scale = factor * weight(c);
    r[c] = -(loop.gradient(x, r, c, shift, scale, squared) +
             loop.gradient(x + c + 1, r + c + 1, classes - c - 1, shift, scale, squared));
  }
};

template <class T>
void multiMargin(const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage, int64_t p,
                 const THTensor *weights, double margin, bool reduce) {
  THNNMarginPlan plan;
  if (!THNNPrepare_MultiMarginCriterion_updateOutput(&plan, DtypeOf<T>::value, input, target, output, p, weights,
                                                     reduce))
    return resizeResults(&plan.result);
  const MultiMargin<T> m(plan, input, target, weights, p, margin);
  writeLosses<T>(plan, {input, target}, sizeAverage, reduce, [&](int64_t i) { return m.loss(i); });
}

template <class T>
void multiMarginBackward(const THTensor *input, const THTensor *target, const THTensor *gradOutput, THTensor *gradInput,
                         bool sizeAverage, int64_t p, const THTensor *weights, double margin, bool reduce) {
  THNNMarginPlan plan;
  if (!THNNPrepare_MultiMarginCriterion_updateGradInput(&plan, DtypeOf<T>::value, input, target, gradOutput, gradInput,
                                                        p, weights, reduce))
    return resizeResults(&plan.result);
  const MultiMargin<T> m(plan, input, target, weights, p, margin);
  writeGradients<T>(plan, {input, target, gradOutput}, gradOutput, sizeAverage, reduce,
                    [&](int64_t i, auto *r, auto factor) { m.gradient(i, r, factor); });
}

// ---- several are: those before a row's first -1 ------------------------------------------------------------
template <class T>
struct MultiLabel {
  using C = Compute<T>;
  const MarginLoop<C> &loop = loopOf<C>();
  const Elements<C> input;
  const Ref target;
  const int64_t classes;

  MultiLabel(const THNNMarginPlan &plan, const THTensor *x, const THTensor *t)
      : input(x), target(contiguousAs(TH_Long, t)), classes(plan.classes) {
    for (int64_t k = 0; k < plan.samples * classes; k++)
      if (const int64_t c = elements<int64_t>(target)[k]; c < -1 || c >= classes)
        THError(TH_ERROR_RUNTIME, "argument #2 'target' is out of range");
  }

  // The classes that are wrong, and what the input has for them.
  struct Row {
    const C *x;
    const int64_t *right;
    int64_t count;  // of right ones; one may stand there twice
    std::vector<int64_t> wrong;
    std::vector<C> values;
  };
  Row row(int64_t i) const {
    Row row{input.data() + i * classes, elements<int64_t>(target) + i * classes, 0, {}, {}};
    std::vector<char> isRight(size_t(classes), 0);
    for (; row.count < classes && row.right[row.count] >= 0; row.count++) isRight[size_t(row.right[row.count])] = 1;
    for (int64_t c = 0; c < classes; c++)
      if (!isRight[size_t(c)]) {
        row.wrong.push_back(c);
        row.values.push_back(row.x[c]);
      }
    return row;
  }

  C loss(int64_t i) const {
    const Row row = this->row(i);
    double sum = 0;
    for (int64_t k = 0; k < row.count; k++)
      sum += double(loop.sum(row.values.data(), int64_t(row.values.size()), 1 - row.x[row.right[k]], false));
    return C(sum / double(classes));
  }
  void gradient(int64_t i, C *r, C factor) const {
    const Row row = this->row(i);
    std::vector<C> slopes(row.values.size(), C(0));
    for (int64_t k = 0; k < row.count; k++) {
      const int64_t c = row.right[k];
      r[c] -= loop.gradient(row.values.data(), slopes.data(), int64_t(slopes.size()), 1 - row.x[c], factor, false);
    }
    for (size_t k = 0; k < slopes.size(); k++) r[row.wrong[k]] = slopes[k];
  }
};

template <class T>
void multiLabel(const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage, bool reduce) {
  THNNMarginPlan plan;
  if (!THNNPrepare_MultiLabelMarginCriterion_updateOutput(&plan, DtypeOf<T>::value, input, target, output, reduce))
    return resizeResults(&plan.result);
  const MultiLabel<T> m(plan, input, target);
  writeLosses<T>(plan, {input, target}, sizeAverage, reduce, [&](int64_t i) { return m.loss(i); });
}

template <class T>
void multiLabelBackward(const THTensor *input, const THTensor *target, const THTensor *gradOutput, THTensor *gradInput,
                        bool sizeAverage, bool reduce) {
  THNNMarginPlan plan;
  if (!THNNPrepare_MultiLabelMarginCriterion_updateGradInput(&plan, DtypeOf<T>::value, input, target, gradOutput,
                                                             gradInput, reduce))
    return resizeResults(&plan.result);
  const MultiLabel<T> m(plan, input, target);
  writeGradients<T>(plan, {input, target, gradOutput}, gradOutput, sizeAverage, reduce,
                    [&](int64_t i, auto *r, auto factor) { m.gradient(i, r, factor); });
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(MultiMarginCriterion_updateOutput, floating,
            (THNNState *, const THTensor *input, const THIndexTensor *target, THTensor *output, bool sizeAverage,
             int64_t p, const THNullableTensor *weights, double margin, bool reduce),
            thnn::multiMargin<T>(input, target, output, sizeAverage, p, weights, margin, reduce))
THNN_DEFINE(MultiMarginCriterion_updateGradInput, floating,
            (THNNState *, const THTensor *input, const THIndexTensor *target, const THTensor *gradOutput,
             THTensor *gradInput, bool sizeAverage, int64_t p, const THNullableTensor *weights, double margin,
             bool reduce),
            thnn::multiMarginBackward<T>(input, target, gradOutput, gradInput, sizeAverage, p, weights, margin, reduce))
THNN_DEFINE(MultiLabelMarginCriterion_updateOutput, floating,
            (THNNState *, const THTensor *input, const THIndexTensor *target, THTensor *output, bool sizeAverage,
             bool reduce),
            thnn::multiLabel<T>(input, target, output, sizeAverage, reduce))
THNN_DEFINE(MultiLabelMarginCriterion_updateGradInput, floating,
            (THNNState *, const THTensor *input, const THIndexTensor *target, const THTensor *gradOutput,
             THTensor *gradInput, bool sizeAverage, bool reduce),
            thnn::multiLabelBackward<T>(input, target, gradOutput, gradInput, sizeAverage, reduce))
