// Tensors filled by a formula of the index.
#include <THC/THCTensorCopy.h>
#include <THC/THCTensorMath.h>
#include <TH/THPrepare.h>
#include "kit/operands.hpp"
#include "kit/pointwise.cuh"

namespace thc {
namespace {

template <class T, class Formula>
__global__ void __launch_bounds__(kBlock) formulaKernel(T *r, int64_t n, Formula formula) {
  const int64_t step = int64_t(gridDim.x) * blockDim.x;
  for (int64_t i = int64_t(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step) r[i] = formula(i);
}

// Element i of the result, in the order of its indices, = formula(i) of type T.
template <class T, class Formula>
void fillVector(THTensor *r, const THRangePlan &plan, const Formula &formula) {
  requireOneDevice({r}, {});
  if (plan.result.tensor) THResult_resize(&plan.result, 1);
  if (!plan.n) return;
  Target target(th::DtypeOf<T>::value, r);
  const OnDevice on(r);
  launch(formulaKernel<T, Formula>, blocksFor(plan.n), kBlock, 0, on.stream, target.data<T>(), plan.n, formula);
  target.finish();
}

// In A: integers modulo 2^64, half types in float, the others in double.
template <class T, class A>
struct Steps {
  A start, step;
  __device__ T operator()(int64_t i) const { return T(start + A(i) * step); }
};

template <class T>
void fillSteps(THTensor *r, const THRangePlan &plan) {
  if constexpr (std::is_integral_v<T>)
    fillVector<T>(r, plan, Steps<T, uint64_t>{uint64_t(plan.start.value.i), uint64_t(plan.step.value.i)});
  else {
    using A = std::conditional_t<th::isHalfType<T>, float, double>;
    fillVector<T>(r, plan, Steps<T, A>{A(plan.start.value.d), A(plan.step.value.d)});
  }
}

template <class T>
void arange(THTensor *r, THScalar start, THScalar end, THScalar step) {
  THRangePlan plan;
  THPrepare_arange(&plan, th::DtypeOf<T>::value, r, start, end, step);
  fillSteps<T>(r, plan);
}
template <class T>
void range(THTensor *r, THScalar start, THScalar end, THScalar step) {
  THRangePlan plan;
  THPrepare_range(&plan, th::DtypeOf<T>::value, r, start, end, step);
  fillSteps<T>(r, plan);
}

// More than one step: from both ends to the middle, so that both are exact and the whole is symmetric. S: integers in double,
// half types rounded after each operation.
template <class T, class S>
struct Linear {
  int64_t steps;
  S first, last, step;
  __device__ T operator()(int64_t i) const {
    const bool near = i < steps / 2;
    const S distance = S(step * S(th::Compute<S>(near ? i : steps - 1 - i)));
    return th::convertTo<T>(near ? S(first + distance) : S(last - distance));
  }
};

template <class T>
void linspace(THTensor *r, THScalar start, THScalar end, int64_t steps) {
  THRangePlan plan;
  THPrepare_linspace(&plan, th::DtypeOf<T>::value, r, start, end, steps);
  if (plan.n == 1) {
    if (plan.result.tensor) THResult_resize(&plan.result, 1);
    return THCTensor_fill(r, plan.start);
  }
  using S = std::conditional_t<std::is_integral_v<T>, double, T>;
  Linear<T, S> formula{};
  formula.steps = steps;
  Compute<T> first{}, last{};
  THPrepare_number(&first, th::DtypeOf<T>::value, r, plan.start);
  THPrepare_number(&last, th::DtypeOf<T>::value, r, plan.end);
  formula.first = S(T(first));
  formula.last = S(T(last));
  if (steps) formula.step = S(S(formula.last - formula.first) / S(th::Compute<S>(steps - 1)));
  fillVector<T>(r, plan, formula);
}

// base to the power of linspace's values.
template <class T, class S>
struct Powers {
  Linear<S, S> exponent;
  S base;
  __device__ T operator()(int64_t i) const { return th::convertTo<T>(std::pow(base, exponent(i))); }
};

template <class T>
void logspace(THTensor *r, THScalar start, THScalar end, int64_t steps, double base) {
  THRangePlan plan;
  THPrepare_logspace(&plan, r, start, end, steps);
  using S = std::conditional_t<std::is_integral_v<T>, float, Compute<T>>;
  Powers<T, S> formula{};
  formula.base = S(base);
  formula.exponent.steps = steps;
  formula.exponent.first = S(plan.start.value.d);
  formula.exponent.last = S(plan.end.value.d);
  // The step is not looked at if there is but one
  formula.exponent.step = steps > 1 ? (formula.exponent.last - formula.exponent.first) / S(steps - 1) : S(0);
  if (steps == 1) formula.exponent.last = formula.exponent.first;
  fillVector<T>(r, plan, formula);
}

void eye(THTensor *r, int64_t rows, int64_t columns) {
  THResult result;
  THPrepare_eye(&result, r, rows, columns);
  if (result.tensor) THResult_resize(&result, 1);
  THCTensor_zero(r);
  const Ref diagonal(THTensor_newDiagonal(r, 0, 0, 1));
  THCTensor_fill(diagonal, th::scalar(int64_t(1)));
}

}  // namespace
}  // namespace thc

#define BY_STEPS (THTensor *r, THScalar start, THScalar end, THScalar step)
THC_DEFINE(arange, number, BY_STEPS, thc::arange<T>(r, start, end, step))
THC_DEFINE(linspace, number_complex, (THTensor *r, THScalar start, THScalar end, int64_t steps),
           thc::linspace<T>(r, start, end, steps))
THC_DEFINE(range, number, BY_STEPS, thc::range<T>(r, start, end, step))
THC_DEFINE(logspace, number, (THTensor *r, THScalar start, THScalar end, int64_t steps, double base),
           thc::logspace<T>(r, start, end, steps, base))
THC_DEFINE(eye, all_complex, (THTensor *r, int64_t rows, int64_t columns), thc::eye(r, rows, columns))
