// Variance and standard deviation, with the mean. Elements are taken in double: blocks by two
// passes, rows one by one (Welford), and joined as Chan, Golub and LeVeque do it.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "reduce/reduce_var.cpp"
#include <hwy/foreach_target.h>
#include "reduce-inl.hpp"

#include <algorithm>
#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

// w states: w means, w sums of squared distances, w times how many elements.
struct Moments {
  double *mean, *square, *count;
  Moments(const void *states, int64_t w)
      : mean(static_cast<double *>(const_cast<void *>(states))), square(mean + w), count(square + w) {}
};

template <class T> struct Total {
  static constexpr T identity = 0;
  template <class V> static HWY_INLINE void take(V &a, const V &b) { a = a + b; }
};

void start(void *states, int64_t w) { std::fill_n(static_cast<double *>(states), 3 * w, 0.0); }

void runBlock(const Moments &s, int64_t j, const double *x, int64_t n) {
  const double mean = reduceRun<Total>(x, n) / double(n);
  double distance[8] = {};
  int64_t i = 0;
  for (; i + 8 <= n; i += 8)
    for (int k = 0; k < 8; k++) distance[k] += (x[i + k] - mean) * (x[i + k] - mean);
  for (; i < n; i++) distance[0] += (x[i] - mean) * (x[i] - mean);
  for (int half = 4; half; half /= 2)
    for (int k = 0; k < half; k++) distance[k] += distance[k + half];
  s.mean[j] = mean;
  s.square[j] = distance[0];
  s.count[j] = double(n);
}

void runBlocks(void *states, const void *x, int64_t stride, int64_t w, int64_t n, int64_t) {
  for (int64_t j = 0; j < w; j++) runBlock(Moments(states, w), j, rowOf<double>(x, stride, j), n);
}

void takeRows(void *states, const void *x, int64_t stride, int64_t rows, int64_t w, int64_t) {
  const Moments s(states, w);
  double n = s.count[0];
  for (int64_t i = 0; i < rows; i++) {
    auto *row = rowOf<double>(x, stride, i);
    const double part = 1 / ++n;
#pragma GCC ivdep
    for (int64_t j = 0; j < w; j++) {
      const double distance = row[j] - s.mean[j];
      s.mean[j] += distance * part;
      s.square[j] += distance * (row[j] - s.mean[j]);
    }
  }
  std::fill_n(s.count, w, n);
}

void join(void *a, const void *b, int64_t w) {
  const Moments s(a, w), later(b, w);
  for (int64_t j = 0; j < w; j++) {
    const double n = s.count[j] + later.count[j], part = n ? later.count[j] / n : 0;
    const double distance = later.mean[j] - s.mean[j];
    s.mean[j] += distance * part;
    s.square[j] += later.square[j] + distance * distance * s.count[j] * part;
    s.count[j] = n;
  }
}

template <class T, bool takeRoot>
void finish(char *const *out, const int64_t *strides, const void *states, int64_t w, int64_t count, double correction) {
  const Moments s(states, w);
  const double freedom = std::max(0.0, double(count) - correction);
  for (int64_t j = 0; j < w; j++) {
    const double variance = s.square[j] / freedom;
    if (out[0]) *reinterpret_cast<T *>(out[0] + j * strides[0]) = T(takeRoot ? std::sqrt(variance) : variance);
    if (out[1]) *reinterpret_cast<T *>(out[1] + j * strides[1]) = T(count ? s.mean[j] : NAN);
  }
}

template <class T, THDtype dtype, bool takeRoot>
constexpr Reduction make() {
  return {TH_Double, dtype, false, 24, start, runBlocks, takeRows, join, finish<T, takeRoot>, dtype};
}
constexpr ReductionTable var = floatingTable(make<float, TH_Float, false>(), make<double, TH_Double, false>());
constexpr ReductionTable root = floatingTable(make<float, TH_Float, true>(), make<double, TH_Double, true>());

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE

static void deviation(th::Reduction reduction, THDtype dtype, THTensor *r, THTensor *mean, const THTensor *t,
                      uint64_t dims, bool keepdim, double correction) {
  reduction.param = correction;
  th::reduce(reduction, dtype, r, mean, t, dims, keepdim);
}

#define DEVIATION (THTensor *r, THTensor *mean, const THTensor *t, uint64_t dims, bool keepdim, double correction)
TH_DEFINE(var, floating, DEVIATION,
          deviation(TH_BEST_TARGET(var).of[dtype], dtype, r, mean, t, dims, keepdim, correction))
TH_DEFINE(std, floating, DEVIATION,
          deviation(TH_BEST_TARGET(root).of[dtype], dtype, r, mean, t, dims, keepdim, correction))

#endif
