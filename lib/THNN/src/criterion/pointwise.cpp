// Criterions of input and target, element by element: Abs, BCE, BCEWithLogits, DistKLDiv, Huber, Margin, MSE, SmoothL1,
// SoftMargin; and L1Cost.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "criterion/pointwise.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
#include <hwy/contrib/math/math-inl.h>
#include "kit/lanes-inl.hpp"
#include "pointwise.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

#define LANES template <class D, class V> HWY_INLINE V operator()
template <class D, class V>
HWY_INLINE V zeroUnless(hn::Mask<D> keep, V x) {
  return hn::IfThenElseZero(keep, x);
}

// ---- logarithms that losses need ------------------------------------------------------------------------
// Of x >= 0: 0's is -infinity, NaN's and negative numbers' is NaN.
template <class D, class V>
HWY_INLINE V logarithmOf(D d, V x) {
  using T = hn::TFromD<D>;
  V y;
  if constexpr (sizeof(T) == 4) {
    const auto small = hn::Lt(x, hn::Set(d, kLeast<T>));
    const V scaled = hn::IfThenElse(small, hn::Mul(x, set(d, 0x1p32)), x);
    y = hn::Sub(logOf(d, scaled), zeroUnless<D>(small, set(d, 32 * 0.693147180559945309417)));
  } else {
    y = hn::Log(d, x);
  }
  const V least = hn::IfThenElse(hn::Eq(x, hn::Zero(d)), hn::Neg(hn::Inf(d)), hn::NaN(d));
  return hn::IfThenElse(hn::Gt(x, hn::Zero(d)), y, least);
}
// Of 1 - x, for x from 0 to 1; what 1 - x rounds off comes in again.
template <class D, class V>
HWY_INLINE V logarithmOfRest(D d, V x) {
  const V one = set(d, 1), rest = hn::Sub(one, x), lost = hn::Sub(hn::Sub(one, rest), x);
  const V safe = hn::IfThenElse(hn::Gt(rest, hn::Zero(d)), rest, one);
  return hn::Add(logarithmOf(d, rest), hn::Div(lost, safe));
}
template <class D, class V>
HWY_INLINE V exponentialOf(D d, V x) {
  constexpr bool single = sizeof(hn::TFromD<D>) == 4;
  const V most = set(d, single ? 88.7 : 709.7);
  return hn::IfThenElse(hn::Gt(x, most), hn::Inf(d), expOf(d, hn::Min(x, most)));
}
template <class D, class V>
HWY_INLINE V signOf(D d, V x) {
  return hn::IfThenElse(hn::Eq(x, hn::Zero(d)), x, hn::CopySign(set(d, 1), x));  // NaN's is 1
}

// ---- losses, and their slopes times factor and gradient -------------------------------------------------
template <class T> struct Abs {
  LANES(D, V x, V y) const { return hn::Abs(hn::Sub(x, y)); }
};
template <class T> struct AbsSlope {
  T factor;
  LANES(D d, V x, V y, V g) const { return hn::Mul(hn::Mul(g, hn::Set(d, factor)), signOf(d, hn::Sub(x, y))); }
};

template <class T> struct MSE {
  LANES(D, V x, V y) const {
    const V difference = hn::Sub(x, y);
    return hn::Mul(difference, difference);
  }
};
template <class T> struct MSESlope {
  T factor;
  LANES(D d, V x, V y, V g) const { return hn::Mul(hn::Mul(g, hn::Set(d, 2 * factor)), hn::Sub(x, y)); }
};

template <class T> struct SmoothL1 {
  T beta, inverse;
  LANES(D d, V x, V y) const {
    const V difference = hn::Abs(hn::Sub(x, y)), half = set(d, 0.5), limit = hn::Set(d, beta);
    const V near = hn::Mul(hn::Mul(hn::Mul(difference, difference), half), hn::Set(d, inverse));
    return hn::IfThenElse(hn::Lt(difference, limit), near, hn::NegMulAdd(half, limit, difference));
  }
};
template <class T> struct SmoothL1Slope {
  T factor, beta, inverse;
  LANES(D d, V x, V y, V g) const {
    const V difference = hn::Sub(x, y);
    const auto near = hn::Lt(hn::Abs(difference), hn::Set(d, beta));
    const V slope = hn::IfThenElse(near, hn::Mul(difference, hn::Set(d, inverse)), signOf(d, difference));
    return hn::Mul(hn::Mul(g, hn::Set(d, factor)), slope);
  }
};

template <class T> struct Huber {
  T delta;
  LANES(D d, V x, V y) const {
    const V difference = hn::Abs(hn::Sub(x, y)), half = set(d, 0.5), limit = hn::Set(d, delta);
    const V near = hn::Mul(half, hn::Mul(difference, difference));
    return hn::IfThenElse(hn::Le(difference, limit), near, hn::Mul(limit, hn::NegMulAdd(half, limit, difference)));
  }
};
template <class T> struct HuberSlope {
  T factor, delta;
  LANES(D d, V x, V y, V g) const {
    const V difference = hn::Sub(x, y), limit = hn::Set(d, delta);
    const V far = hn::Mul(limit, signOf(d, difference));
    const V slope = hn::IfThenElse(hn::Le(hn::Abs(difference), limit), difference, far);
    return hn::Mul(hn::Mul(g, hn::Set(d, factor)), slope);
  }
};

// Logarithms are not below -100.
template <class T> struct BCE {
  LANES(D d, V x, V y) const {
    const V least = set(d, -100);
    const V log = hn::Max(logarithmOf(d, x), least), other = hn::Max(logarithmOfRest(d, x), least);
    return hn::Sub(hn::Mul(hn::Sub(y, set(d, 1)), other), hn::Mul(y, log));
  }
};
template <class T> struct BCESlope {
  T factor;
  LANES(D d, V x, V y, V g) const {
    const V variance = hn::Max(hn::Mul(hn::Sub(set(d, 1), x), x), set(d, 1e-12));
    return hn::Div(hn::Mul(hn::Mul(g, hn::Set(d, factor)), hn::Sub(x, y)), variance);
  }
};
template <class T> struct WeightedBCE {
  LANES(D d, V x, V y, V w) const { return hn::Mul(w, BCE<T>()(d, x, y)); }
};
template <class T> struct WeightedBCESlope {
  T factor;
  LANES(D d, V x, V y, V w, V g) const { return hn::Mul(w, BCESlope<T>{factor}(d, x, y, g)); }
};
template <class T> struct NotUnit {  // 1 for what is outside of [0, 1]
  LANES(D d, V x) const {
    const auto inside = hn::And(hn::Ge(x, hn::Zero(d)), hn::Le(x, set(d, 1)));
    return hn::IfThenZeroElse(inside, set(d, 1));
  }
};

// (1 - y) x + log(1 + e^-x)
template <class T> struct BCEWithLogits {
  LANES(D d, V x, V y) const { return hn::MulAdd(hn::Sub(set(d, 1), y), x, softPlusOf(d, hn::Neg(x), decayOf(d, x))); }
};
template <class T> struct BCEWithLogitsSlope {
  T factor;
  LANES(D d, V x, V y, V g) const { return hn::Mul(hn::Mul(g, hn::Set(d, factor)), hn::Sub(sigmoidOf(d, x).value, y)); }
};

template <class T> struct KLDiv {
  LANES(D d, V x, V y) const {
    const V entropy = hn::IfThenZeroElse(hn::Eq(y, hn::Zero(d)), hn::Mul(y, logarithmOf(d, y)));
    return hn::NegMulAdd(y, x, entropy);
  }
};
template <class T> struct KLDivSlope {
  T factor;
  LANES(D d, V, V y, V g) const { return hn::Mul(hn::Mul(g, hn::Set(d, -factor)), y); }
};
template <class T> struct KLDivOfLog {
  LANES(D d, V x, V y) const { return hn::Mul(exponentialOf(d, y), hn::Sub(y, x)); }
};
template <class T> struct KLDivOfLogSlope {
  T factor;
  LANES(D d, V, V y, V g) const { return hn::Mul(hn::Mul(g, hn::Set(d, -factor)), exponentialOf(d, y)); }
};

template <class T> struct SoftMargin {
  LANES(D d, V x, V y) const {
    const V turned = hn::Neg(hn::Mul(x, y));
    return softPlusOf(d, turned, decayOf(d, turned));
  }
};
template <class T> struct SoftMarginSlope {
  T factor;
  LANES(D d, V x, V y, V g) const {
    return hn::Mul(hn::Mul(hn::Mul(g, hn::Set(d, -factor)), y), sigmoidOf(d, hn::Mul(x, y)).rest);
  }
};

template <class T> struct Margin {
  T margin;
  LANES(D d, V x, V y) const { return positivePart(d, hn::NegMulAdd(x, y, hn::Set(d, margin))); }
};
template <class T> struct MarginSlope {
  T factor, margin;
  LANES(D d, V x, V y, V g) const {
    const auto near = hn::Lt(hn::Mul(x, y), hn::Set(d, margin));
    return zeroUnless<D>(near, hn::Mul(hn::Mul(g, hn::Set(d, -factor)), y));
  }
};

template <class T> struct Length {
  LANES(D, V x) const { return hn::Abs(x); }
};
template <class T> struct LengthSlope {
  LANES(D d, V x, V g) const { return hn::Mul(g, signOf(d, x)); }
};
#undef LANES

// ---- sums of a run -----------------------------------------------------------------------------------------
template <class T>
double sumOf(hn::Vec<hn::ScalableTag<T>> v) {
  T lane[kMaxLanes<T>];
  const hn::ScalableTag<T> d;
  hn::StoreU(v, d, lane);
  double sum = 0;
  for (size_t l = 0; l < hn::Lanes(d); l++) sum += double(lane[l]);
  return sum;
}

// In four vectors of sums, whatever precedes the run.
template <class Fn, class T, int inputs>
double sumRun(const void *param, const T *const *from, int64_t n) {
  const hn::ScalableTag<T> d;
  const Fn fn = makeOp<Fn>(param);
  const int64_t lanes = int64_t(hn::Lanes(d));
  constexpr auto all = std::make_index_sequence<size_t(inputs)>();
  int64_t step[inputs], i = 0;
  std::fill_n(step, inputs, 1);
  auto s0 = hn::Zero(d), s1 = s0, s2 = s0, s3 = s0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) {
    s0 = hn::Add(s0, at(fn, from, step, i, all));
    s1 = hn::Add(s1, at(fn, from, step, i + lanes, all));
    s2 = hn::Add(s2, at(fn, from, step, i + 2 * lanes, all));
    s3 = hn::Add(s3, at(fn, from, step, i + 3 * lanes, all));
  }
  for (; i + lanes <= n; i += lanes) s0 = hn::Add(s0, at(fn, from, step, i, all));
  double sum = sumOf<T>(hn::Add(hn::Add(s0, s1), hn::Add(s2, s3)));
  if (i == n) return sum;
  T rests[inputs][kMaxLanes<T>], result[kMaxLanes<T>];
  const T *operands[inputs];
  padded<T, inputs>(rests, operands, from, step, i, n - i);
  mapRun<Fn, T, inputs>(fn, result, operands, step, lanes);
  for (int64_t k = 0; k < n - i; k++) sum += double(result[k]);
  return sum;
}

template <template <class> class Fn, int inputs>
constexpr thnn::Sums sums = {sumRun<Fn<float>, float, inputs>, sumRun<Fn<double>, double, inputs>};
template <template <class> class Fn, template <class> class Slope, int inputs = 2>
constexpr thnn::Loss loss = {makeTable(FloatingDtypes{}, Map<Fn, inputs>{}),
                             makeTable(FloatingDtypes{}, Map<Slope, inputs + 1>{}), sums<Fn, inputs>};
constexpr thnn::Loss absolute = loss<Abs, AbsSlope>, mse = loss<MSE, MSESlope>,
                     smoothL1 = loss<SmoothL1, SmoothL1Slope>;
constexpr thnn::Loss huber = loss<Huber, HuberSlope>, bce = loss<BCE, BCESlope>;
constexpr thnn::Loss weightedBce = loss<WeightedBCE, WeightedBCESlope, 3>;
constexpr thnn::Loss bceWithLogits = loss<BCEWithLogits, BCEWithLogitsSlope>, klDiv = loss<KLDiv, KLDivSlope>;
constexpr thnn::Loss klDivOfLog = loss<KLDivOfLog, KLDivOfLogSlope>, softMargin = loss<SoftMargin, SoftMarginSlope>;
constexpr thnn::Loss margin = loss<Margin, MarginSlope>, length = loss<Length, LengthSlope, 1>;
constexpr thnn::Sums notUnit = sums<NotUnit, 1>;

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include "criterion.hpp"
#include "kit/computed.hpp"
#include "kit/numbers.hpp"
#include "kit/prepare.hpp"

namespace thnn {
namespace {

constexpr int kMostInputs = 3;

// The sum of the loss of all elements of tensors of one shape.
template <class T>
double total(const Sums &sums, const void *parameters, std::initializer_list<const THTensor *> tensors) {
  using C = Compute<T>;
  const auto run = sums.template of<C>();
  std::vector<Elements<C>> inputs;
  for (const THTensor *t : tensors) inputs.emplace_back(t);
  const size_t n = inputs.size();
  const C *data[kMostInputs];
  for (size_t k = 0; k < n; k++) data[k] = inputs[k].data();
  return blockSum((*tensors.begin())->numel, [&](int64_t begin, int64_t end) {
    const C *from[kMostInputs];
    for (size_t k = 0; k < n; k++) from[k] = data[k] + begin;
    return run(parameters, from, end - begin);
  });
}

// inputs: input, target and perhaps weights
template <class T>
void evaluate(const Loss &loss, std::initializer_list<const THTensor *> inputs, THTensor *output, bool sizeAverage,
              bool reduce, std::initializer_list<double> numbers = {}) {
  constexpr THDtype dtype = DtypeOf<T>::value;
  const THTensor *const input = inputs.begin()[0], *const target = inputs.begin()[1];
  const Numbers<T> parameters(numbers);
  if (!reduce) {
    checkMse(dtype, input, target, output);
    return pointwise(loss.each, dtype, &parameters, output, inputs);
  }
  THResult result;
  if (!THNNPrepare_MSECriterion_updateOutput(nullptr, &result, dtype, input, target, output, true))
    return resizeResults(&result);
  const double sum = total<T>(loss.sums, &parameters, inputs);
  resizeResults(&result);
  setNumber<T>(output, sizeAverage ? sum / double(input->numel) : sum);
}

// A copy of gradOutput, one number, as which r may be written.
template <class T>
Ref numberFor(const THTensor *r, const THTensor *gradOutput) {
  return Ref(THTensor_newWithScalar(DtypeOf<T>::value, scalar(number<T>(r, gradOutput))));
}

// inputs: input, target, perhaps weights, gradOutput
template <class T>
void evaluateGradient(const Loss &loss, std::initializer_list<const THTensor *> inputs, THTensor *gradInput,
                      bool sizeAverage, bool reduce, std::initializer_list<double> numbers = {}) {
  constexpr THDtype dtype = DtypeOf<T>::value;
  const THTensor *const input = inputs.begin()[0], *const gradOutput = inputs.end()[-1];
  Numbers<T> parameters({reduce && sizeAverage ? 1 / double(input->numel) : 1});
  std::copy(numbers.begin(), numbers.end(), parameters.of + 1);
  checkMseGradient(dtype, input, inputs.begin()[1], gradOutput, gradInput, reduce);
  if (!reduce) return pointwise(loss.gradient, dtype, &parameters, gradInput, inputs);
  const Ref number = numberFor<T>(gradInput, gradOutput);
  // The result's shape is that of the others, as backends have it that read the number apart.
  THPointwisePlan plan;
  if (!THNNPrepare_MSECriterion_updateGradInput(&plan, dtype, input, inputs.begin()[1], gradOutput, gradInput, true))
    return;
  if (inputs.size() == 3)
    return pointwise(loss.gradient, dtype, &parameters, gradInput, {input, inputs.begin()[1], number});
  pointwise(loss.gradient, dtype, &parameters, gradInput, {input, inputs.begin()[1], inputs.begin()[2], number});
}

template <class T>
void requireUnit(const THTensor *r, const THTensor *t, const char *name) {
  if (hasMemory(r) && total<T>(TH_BEST_TARGET(notUnit), nullptr, {t}) > 0)
    THError(TH_ERROR_RUNTIME, "all elements of %s should be between 0 and 1", name);
}

template <class T>
void bce(const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage, const THTensor *weights,
         bool reduce) {
  checkMse(DtypeOf<T>::value, input, target, output);
  if (weights) checkMse(DtypeOf<T>::value, input, weights, output);
  requireUnit<T>(output, input, "input");
  requireUnit<T>(output, target, "target");
  if (weights)
    evaluate<T>(TH_BEST_TARGET(weightedBce), {input, target, weights}, output, sizeAverage, reduce);
  else
    evaluate<T>(TH_BEST_TARGET(bce), {input, target}, output, sizeAverage, reduce);
}

template <class T>
void bceBackward(const THTensor *input, const THTensor *target, const THTensor *gradOutput, THTensor *gradInput,
                 bool sizeAverage, const THTensor *weights, bool reduce) {
  if (!weights)
    return evaluateGradient<T>(TH_BEST_TARGET(bce), {input, target, gradOutput}, gradInput, sizeAverage, reduce);
  checkMse(DtypeOf<T>::value, input, weights, gradInput);
  evaluateGradient<T>(TH_BEST_TARGET(weightedBce), {input, target, weights, gradOutput}, gradInput, sizeAverage,
                      reduce);
}

template <class T>
void l1Cost(const THTensor *input, THTensor *output) {
  THResult result;
  if (!THNNPrepare_MSECriterion_updateOutput(nullptr, &result, DtypeOf<T>::value, input, input, output, true))
    return resizeResults(&result);
  const double sum = total<T>(TH_BEST_TARGET(length).sums, nullptr, {input});
  resizeResults(&result);
  setNumber<T>(output, sum);
}

template <class T>
void l1CostBackward(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput) {
  constexpr THDtype dtype = DtypeOf<T>::value;
  checkMseGradient(dtype, input, input, gradOutput, gradInput, true);
  const Ref number = numberFor<T>(gradInput, gradOutput);
  pointwise(TH_BEST_TARGET(length).gradient, dtype, nullptr, gradInput, {input, number});
}

}  // namespace
}  // namespace thnn

// A criterion's two functions; what follows its table are its parameters, and what the kernels make of them.
#define CRITERION(Name, table, parameters, ...)                                                                      \
  THNN_DEFINE(Name##_updateOutput, floating,                                                                         \
              (THNNState *, const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage,       \
               bool reduce UNPACK parameters),                                                                       \
              thnn::evaluate<T>(table, {input, target}, output, sizeAverage, reduce, {__VA_ARGS__}))                 \
  THNN_DEFINE(Name##_updateGradInput, floating,                                                                      \
              (THNNState *, const THTensor *input, const THTensor *target, const THTensor *gradOutput,               \
               THTensor *gradInput, bool sizeAverage, bool reduce UNPACK parameters),                                \
              thnn::evaluateGradient<T>(table, {input, target, gradOutput}, gradInput, sizeAverage, reduce,          \
                                        {__VA_ARGS__}))
#define UNPACK(...) __VA_OPT__(, ) __VA_ARGS__
CRITERION(AbsCriterion, TH_BEST_TARGET(absolute), ())
CRITERION(MSECriterion, TH_BEST_TARGET(mse), ())
CRITERION(SmoothL1Criterion, TH_BEST_TARGET(smoothL1), (double beta), beta, beta > 0 ? 1 / beta : 0)
CRITERION(HuberCriterion, TH_BEST_TARGET(huber), (double delta), delta)
CRITERION(BCEWithLogitsCriterion, TH_BEST_TARGET(bceWithLogits), ())
CRITERION(DistKLDivCriterion, log_target ? TH_BEST_TARGET(klDivOfLog) : TH_BEST_TARGET(klDiv), (bool log_target))
CRITERION(SoftMarginCriterion, TH_BEST_TARGET(softMargin), ())
CRITERION(MarginCriterion, TH_BEST_TARGET(margin), (double margin), margin)

THNN_DEFINE(BCECriterion_updateOutput, floating,
            (THNNState *, const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage,
             const THNullableTensor *weights, bool reduce),
            thnn::bce<T>(input, target, output, sizeAverage, weights, reduce))
THNN_DEFINE(BCECriterion_updateGradInput, floating,
            (THNNState *, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
             THTensor *gradInput, bool sizeAverage, const THNullableTensor *weights, bool reduce),
            thnn::bceBackward<T>(input, target, gradOutput, gradInput, sizeAverage, weights, reduce))
THNN_DEFINE(L1Cost_updateOutput, floating, (THNNState *, const THTensor *input, THTensor *output),
            thnn::l1Cost<T>(input, output))
THNN_DEFINE(L1Cost_updateGradInput, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput),
            thnn::l1CostBackward<T>(input, gradOutput, gradInput))

#endif
