// MSECriterion and ClassNLLCriterion.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "criterion/criterion.cpp"
#include <hwy/foreach_target.h>
#include "kit/loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T> struct SquaredError {
  T operator()(T x, T y) const { return (x - y) * (x - y); }
};
template <class T> struct Difference {
  T factor;
  T operator()(T x, T y) const { return factor * (x - y); }
};
template <class T> struct DifferenceTimes {
  T factor;
  T operator()(T x, T y, T g) const { return factor * (x - y) * g; }
};

constexpr KernelTable squaredError = makeTable(FloatingDtypes{}, Binary<SquaredError>{});
constexpr KernelTable difference = makeTable(FloatingDtypes{}, Binary<Difference>{});
constexpr KernelTable differenceTimes = makeTable(FloatingDtypes{}, Ternary<DifferenceTimes>{});

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <algorithm>

#include "kit/module.hpp"
#include "kit/messages.hpp"
#include "kit/parallel.hpp"
#include "kit/prepare.hpp"

namespace thnn {
namespace {

// Rounded to T here: too large is infinite, not an error.
template <class T>
void setNumber(THTensor *r, double value) {
  THTensor_fill(r, scalar(double(Compute<T>(T(Compute<T>(value))))));
}

// The number that a kernel needs to fill r; any where r has no elements to be filled.
template <class T>
double number(const THTensor *r, const THTensor *t) {
  return hasMemory(r) ? double(Compute<T>(*elements<T>(t))) : 0;
}

// The sum of term(begin, end) over blocks of n numbers: blocks are added one after the other, in
// double, whatever thread computed them.
template <class Term>
double blockSum(int64_t n, const Term &term) {
  constexpr int64_t block = 4096, batch = 256;
  double total = 0, partial[batch];
  for (int64_t first = 0; first < n; first += block * batch) {
    const int64_t blocks = std::min(batch, (n - first + block - 1) / block);
    parallelFor(blocks, kGrain / block, [&](int64_t begin, int64_t end) {
      for (int64_t b = begin; b < end; b++) partial[b] = term(first + b * block, std::min(n, first + (b + 1) * block));
    });
    for (int64_t b = 0; b < blocks; b++) total += partial[b];
  }
  return total;
}

// ---- mean squared error ---------------------------------------------------------------------------

template <class T>
void mse(THDtype dtype, const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage,
         bool reduce) {
  using C = Compute<T>;
  if (!reduce) {
    checkMse(dtype, input, target, output);
    return pointwise(TH_BEST_TARGET(squaredError), dtype, nullptr, output, {input, target});
  }
  THResult loss;
  if (!THNNPrepare_MSECriterion_updateOutput(nullptr, &loss, dtype, input, target, output, true))
    return resizeResults(&loss);
  const Ref a = contiguousAs(dtype, input), b = contiguousAs(dtype, target);
  const T *const x = elements<T>(a), *const y = elements<T>(b);
  const double sum = blockSum(input->numel, [=](int64_t begin, int64_t end) {
    constexpr int lanes = 16;
    C lane[lanes] = {};
    int64_t i = begin;
    for (; i + lanes <= end; i += lanes)
      for (int l = 0; l < lanes; l++) {
        const C d = C(x[i + l]) - C(y[i + l]);
        lane[l] += d * d;
      }
    for (int l = 0; i < end; i++, l++) lane[l] += (C(x[i]) - C(y[i])) * (C(x[i]) - C(y[i]));
    double total = 0;
    for (const C l : lane) total += double(l);
    return total;
  });
  const double mean = sizeAverage ? sum / double(input->numel) : sum;
  resizeResults(&loss);
  setNumber<T>(output, mean);
}

template <class T>
void mseBackward(THDtype dtype, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
                 THTensor *gradInput, bool sizeAverage, bool reduce) {
  using C = Compute<T>;
  checkMseGradient(dtype, input, target, gradOutput, gradInput, reduce);
  if (reduce) {
    const double twice = sizeAverage ? 2 / double(input->numel) : 2;
    const C factor = C(twice * number<T>(gradInput, gradOutput));
    pointwise(TH_BEST_TARGET(difference), dtype, &factor, gradInput, {input, target});
  } else {
    const C factor = 2;
    pointwise(TH_BEST_TARGET(differenceTimes), dtype, &factor, gradInput, {input, target, gradOutput});
  }
}

// ---- negative log likelihood ------------------------------------------------------------------------

// The arguments of both directions, once their classes are known to be there.
template <class T>
struct Nll {
  using C = Compute<T>;
  const Ref input, target, weights;
  const int64_t classes, ignored;
  const int64_t *const classOf;  // by sample

  Nll(const THNNNllPlan &plan, const THTensor *x, const THIndexTensor *t, const THNullableTensor *w,
      int64_t ignoreIndex)
      : input(contiguousAs(DtypeOf<T>::value, x)), target(contiguousAs(TH_Long, t)),
        weights(w ? contiguousAs(DtypeOf<T>::value, w) : Ref()), classes(plan.classes), ignored(ignoreIndex),
        classOf(elements<int64_t>(target)) {
    for (int64_t i = 0; i < plan.samples; i++)
      if (classOf[i] != ignored && uint64_t(classOf[i]) >= uint64_t(classes))
        THError(TH_ERROR_INDEX, TH_TARGET_OUTSIDE, (long long)classOf[i]);
  }

  C weightOf(int64_t c) const { return weights ? C(elements<T>(weights)[c]) : C(1); }
};

template <class T>
void nll(const THTensor *input, const THIndexTensor *target, THTensor *output, bool sizeAverage,
         const THNullableTensor *weights, THTensor *total_weight, int64_t ignore_index, bool reduce) {
  using C = Compute<T>;
  THNNNllPlan plan;
  if (!THNNPrepare_ClassNLLCriterion_updateOutput(&plan, DtypeOf<T>::value, input, target, output, weights,
                                                  total_weight, reduce))
    return resizeResults(plan.result, 2);
  const Nll<T> p(plan, input, target, weights, ignore_index);
  const int64_t samples = plan.samples;
  const T *const x = elements<T>(p.input);
  const auto loss = [&](int64_t i) {
    const int64_t c = p.classOf[i];
    return c == p.ignored ? C(0) : -p.weightOf(c) * C(x[i * p.classes + c]);
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
void nllBackward(const THTensor *input, const THIndexTensor *target, const THTensor *gradOutput, THTensor *gradInput,
                 bool sizeAverage, const THNullableTensor *weights, const THTensor *total_weight, int64_t ignore_index,
                 bool reduce) {
  using C = Compute<T>;
  THNNNllPlan plan;
  if (!THNNPrepare_ClassNLLCriterion_updateGradInput(&plan, DtypeOf<T>::value, input, target, gradOutput, gradInput,
                                                     weights, total_weight, reduce))
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
        r[i * p.classes + c] = T(-p.weightOf(c) * (reduce ? C(factor) : C(grad[i])));
  });
  result.finish();
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(MSECriterion_updateOutput, floating,
            (THNNState *, const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage,
             bool reduce),
            thnn::mse<T>(dtype, input, target, output, sizeAverage, reduce))
THNN_DEFINE(MSECriterion_updateGradInput, floating,
            (THNNState *, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
             THTensor *gradInput, bool sizeAverage, bool reduce),
            thnn::mseBackward<T>(dtype, input, target, gradOutput, gradInput, sizeAverage, reduce))
THNN_DEFINE(ClassNLLCriterion_updateOutput, floating,
            (THNNState *, const THTensor *input, const THIndexTensor *target, THTensor *output, bool sizeAverage,
             const THNullableTensor *weights, THTensor *total_weight, int64_t ignore_index, bool reduce),
            thnn::nll<T>(input, target, output, sizeAverage, weights, total_weight, ignore_index, reduce))
THNN_DEFINE(ClassNLLCriterion_updateGradInput, floating,
            (THNNState *, const THTensor *input, const THIndexTensor *target, const THTensor *gradOutput,
             THTensor *gradInput, bool sizeAverage, const THNullableTensor *weights, const THTensor *total_weight,
             int64_t ignore_index, bool reduce),
            thnn::nllBackward<T>(input, target, gradOutput, gradInput, sizeAverage, weights, total_weight, ignore_index,
                                 reduce))

#endif
