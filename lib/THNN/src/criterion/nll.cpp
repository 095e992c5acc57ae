// ClassNLLCriterion and SpatialClassNLLCriterion.
#include "criterion.hpp"
#include "kit/messages.hpp"
#include "kit/prepare.hpp"

namespace thnn {
namespace {

// The arguments of both directions, once their classes are known to be there.
template <class T>
struct Nll {
  using C = Compute<T>;
  const Ref input, target, weights;
  const int64_t classes, inner, ignored;
  const int64_t *const classOf;  // by sample

  Nll(const THNNNllPlan &plan, const THTensor *x, const THIndexTensor *t, const THNullableTensor *w,
      int64_t ignoreIndex)
      : input(contiguousAs(DtypeOf<T>::value, x)), target(contiguousAs(TH_Long, t)),
        weights(w ? contiguousAs(DtypeOf<T>::value, w) : Ref()), classes(plan.classes), inner(plan.inner),
        ignored(ignoreIndex), classOf(elements<int64_t>(target)) {
    for (int64_t i = 0; i < plan.samples; i++)
      if (classOf[i] != ignored && uint64_t(classOf[i]) >= uint64_t(classes))
        THError(TH_ERROR_INDEX, TH_TARGET_OUTSIDE, (long long)classOf[i]);
  }

  // Where class c of sample i lies: samples are (batch, inner), the input (batch, classes, inner).
  int64_t place(int64_t i, int64_t c) const {
    return inner == 1 ? i * classes + c : (i / inner * classes + c) * inner + i % inner;
  }
  C weightOf(int64_t c) const { return weights ? C(elements<T>(weights)[c]) : C(1); }
};

// The prepare halves of ClassNLLCriterion, or of SpatialClassNLLCriterion.
using PrepareNll = decltype(THNNPrepare_ClassNLLCriterion_updateOutput);
using PrepareNllGradient = decltype(THNNPrepare_ClassNLLCriterion_updateGradInput);

template <class T>
void nll(PrepareNll prepare, const THTensor *input, const THIndexTensor *target, THTensor *output, bool sizeAverage,
         const THNullableTensor *weights, THTensor *total_weight, int64_t ignore_index, bool reduce) {
  using C = Compute<T>;
  THNNNllPlan plan;
  if (!prepare(&plan, DtypeOf<T>::value, input, target, output, weights, total_weight, reduce))
    return resizeResults(plan.result, 2);
  const Nll<T> p(plan, input, target, weights, ignore_index);
  const int64_t samples = plan.samples;
  const T *const x = elements<T>(p.input);
  const auto loss = [&](int64_t i) {
    const int64_t c = p.classOf[i];
    return c == p.ignored ? C(0) : -p.weightOf(c) * C(x[p.place(i, c)]);
  };
  if (reduce) {
    const double sum = blockSum(samples, [&](int64_t begin, int64_t end) {
      double s = 0;
      for (int64_t i = begin; i < end; i++) s += double(loss(i));
      return s;
    });
    const double total = blockSum(samples, [&](int64_t begin, int64_t end) {
      double s = 0;
      for (int64_t i = begin; i < end; i++) s += p.classOf[i] == p.ignored ? 0 : double(p.weightOf(p.classOf[i]));
      return s;
    });
    resizeResults(plan.result, 2);
    setNumber<T>(output, sizeAverage ? sum / total : sum);
    setNumber<T>(total_weight, total);
  } else {
    Output result(plan.result, 2, {input, weights ? weights : input}, false);
    T *const r = result.data<T>();
    parallelFor(samples, kGrain / 4, [&](int64_t begin, int64_t end) {
      for (int64_t i = begin; i < end; i++) r[i] = T(loss(i));
    });
    result.finish();
    setNumber<T>(total_weight, 0);
  }
}

template <class T>
void nllBackward(PrepareNllGradient prepare, const THTensor *input, const THIndexTensor *target,
                 const THTensor *gradOutput, THTensor *gradInput, bool sizeAverage, const THNullableTensor *weights,
                 const THTensor *total_weight, int64_t ignore_index, bool reduce) {
  using C = Compute<T>;
  THNNNllPlan plan;
  if (!prepare(&plan, DtypeOf<T>::value, input, target, gradOutput, gradInput, weights, total_weight, reduce))
    return resizeResults(plan.result);
  const Nll<T> p(plan, input, target, weights, ignore_index);
  double factor = 1;
  if (reduce) {
    factor = number<T>(gradInput, gradOutput);
    if (sizeAverage) factor /= number<T>(gradInput, total_weight);
  }
  const Ref gradient = contiguousAs(DtypeOf<T>::value, gradOutput);
  const T *const grad = elements<T>(gradient);
  Output result(plan.result, 1, {input, gradOutput, weights ? weights : input}, false);
  THTensor_zero(result.tensor());
  T *const r = result.data<T>();
  parallelFor(plan.samples, kGrain / 4, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++)
      if (const int64_t c = p.classOf[i]; c != p.ignored)
        r[p.place(i, c)] = T(-p.weightOf(c) * (reduce ? C(factor) : C(grad[i])));
  });
  result.finish();
}

}  // namespace
}  // namespace thnn

#define NLL(Name)                                                                                                    \
  THNN_DEFINE(Name##_updateOutput, floating,                                                                         \
              (THNNState *, const THTensor *input, const THIndexTensor *target, THTensor *output, bool sizeAverage,  \
               const THNullableTensor *weights, THTensor *total_weight, int64_t ignore_index, bool reduce),          \
              thnn::nll<T>(THNNPrepare_##Name##_updateOutput, input, target, output, sizeAverage, weights,           \
                           total_weight, ignore_index, reduce))                                                      \
  THNN_DEFINE(Name##_updateGradInput, floating,                                                                      \
              (THNNState *, const THTensor *input, const THIndexTensor *target, const THTensor *gradOutput,          \
               THTensor *gradInput, bool sizeAverage, const THNullableTensor *weights, const THTensor *total_weight, \
               int64_t ignore_index, bool reduce),                                                                   \
              thnn::nllBackward<T>(THNNPrepare_##Name##_updateGradInput, input, target, gradOutput, gradInput,       \
                                   sizeAverage, weights, total_weight, ignore_index, reduce))
NLL(ClassNLLCriterion)
NLL(SpatialClassNLLCriterion)
#undef NLL
