// The loops of SoftMax and LogSoftMax. The largest element is subtracted first, so that no exponential overflows.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "softmax/softmax_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/ops/set_macros-inl.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "kit/exponential-inl.hpp"
#include "kit/vectors.hpp"
#include "softmax.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
using thnn::kTile;

// ---- runs of n numbers: one rounding tree, whatever the vector width --------------------------------

constexpr int kLanes = 16;

template <class C, class F>
C reduceRun(const C *x, int64_t n, C start, const F &f) {
  // As wide as the target's: of wider ones GCC compares lane by lane.
  constexpr int bytes = std::min<int>(HWY_MAX_BYTES, kLanes * sizeof(C));
  using Vector = VectorOf<C, bytes>;
  constexpr int step = kLanesOf<C, Vector>, vectors = kLanes / step;
  Vector accumulated[vectors];
  std::fill_n(accumulated, vectors, start - Vector{});
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
#pragma GCC unroll 16
    for (int v = 0; v < vectors; v++)
      f(accumulated[v], *reinterpret_cast<const VectorInMemory<C, bytes> *>(x + i + v * step));
  C lane[kLanes];
  std::memcpy(lane, accumulated, sizeof lane);
  for (int l = 0; i < n; i++, l++) f(lane[l], x[i]);
  for (int width = kLanes / 2; width; width /= 2)
    for (int l = 0; l < width; l++) f(lane[l], lane[l + width]);
  return lane[0];
}

template <class C>
C largest(const C *x, int64_t n) {
  return reduceRun(x, n, -std::numeric_limits<C>::infinity(), [](auto &a, const auto &b) { a = b > a ? b : a; });
}

template <class C>
void largestOfColumns(const C *x, C *max, int64_t n, int64_t width, int64_t stride) {
  std::fill_n(max, width, -std::numeric_limits<C>::infinity());
  for (int64_t k = 0; k < n; k++)
    for (int64_t i = 0; i < width; i++) max[i] = x[k * stride + i] > max[i] ? x[k * stride + i] : max[i];
}

constexpr int64_t kRun = 1024;

// The sum of n numbers, of which terms(first, count) gives `count` <= kRun at a time.
template <class C, class Terms>
C sumOf(int64_t n, const Terms &terms) {
  double total = 0;
  for (int64_t first = 0; first < n; first += kRun) {
    const int64_t count = std::min(n - first, kRun);
    total += double(reduceRun(terms(first, count), count, C(0), [](auto &a, const auto &b) { a += b; }));
  }
  return C(total);
}

template <class C>
const C *exponentials(C *r, const C *x, C max, int64_t n) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) r[i] = expOf(x[i] - max);
  return r;
}

// ---- the four kernels, each on a row and on a tile of columns -----------------------------------------

struct SoftMax {
  template <class C> static void row(const C *x, const C *, C *r, int64_t n) {
    const C max = largest(x, n);
    const C sum = sumOf<C>(
        n, [=](int64_t first, int64_t count) { return exponentials(r + first, x + first, max, count); });
    const C share = 1 / sum;  // of 1, as sum >= 1: a product costs much less than a quotient
    for (int64_t i = 0; i < n; i++) r[i] *= share;
  }
  template <class C>
  static void tile(const C *x, const C *, C *r, int64_t n, int64_t width, int64_t stride) {
    C max[kTile], sum[kTile];
    std::fill_n(sum, width, C(0));
    largestOfColumns(x, max, n, width, stride);
    for (int64_t k = 0; k < n; k++)
#pragma GCC ivdep
      for (int64_t i = 0; i < width; i++) sum[i] += r[k * stride + i] = expOf(x[k * stride + i] - max[i]);
    for (int64_t i = 0; i < width; i++) sum[i] = 1 / sum[i];
    for (int64_t k = 0; k < n; k++)
#pragma GCC ivdep
      for (int64_t i = 0; i < width; i++) r[k * stride + i] *= sum[i];
  }
};

struct LogSoftMax {
  template <class C> static void row(const C *x, const C *, C *r, int64_t n) {
    const C max = largest(x, n);
    C run[kRun];
    const C log = std::log(
        sumOf<C>(n, [&](int64_t first, int64_t count) { return exponentials(run, x + first, max, count); }));
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) r[i] = x[i] - max - log;
  }
  template <class C>
  static void tile(const C *x, const C *, C *r, int64_t n, int64_t width, int64_t stride) {
    C max[kTile], sum[kTile];
    std::fill_n(sum, width, C(0));
    largestOfColumns(x, max, n, width, stride);
    for (int64_t k = 0; k < n; k++)
      for (int64_t i = 0; i < width; i++) sum[i] += expOf(x[k * stride + i] - max[i]);
    for (int64_t i = 0; i < width; i++) sum[i] = std::log(sum[i]);
    for (int64_t k = 0; k < n; k++)
#pragma GCC ivdep
      for (int64_t i = 0; i < width; i++) r[k * stride + i] = x[k * stride + i] - max[i] - sum[i];
  }
};

// x: gradOutput, y: output. (x - Σ x y) y
struct SoftMaxBackward {
  template <class C> static void row(const C *x, const C *y, C *r, int64_t n) {
    C run[kRun];
    const C sum = sumOf<C>(n, [&](int64_t first, int64_t count) {
#pragma GCC ivdep
      for (int64_t i = 0; i < count; i++) run[i] = x[first + i] * y[first + i];
      return run;
    });
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) r[i] = (x[i] - sum) * y[i];
  }
  template <class C>
  static void tile(const C *x, const C *y, C *r, int64_t n, int64_t width, int64_t stride) {
    C sum[kTile];
    std::fill_n(sum, width, C(0));
    for (int64_t k = 0; k < n; k++)
      for (int64_t i = 0; i < width; i++) sum[i] += x[k * stride + i] * y[k * stride + i];
    for (int64_t k = 0; k < n; k++)
#pragma GCC ivdep
      for (int64_t i = 0; i < width; i++) r[k * stride + i] = (x[k * stride + i] - sum[i]) * y[k * stride + i];
  }
};

// x - e^y Σ x
struct LogSoftMaxBackward {
  template <class C> static void row(const C *x, const C *y, C *r, int64_t n) {
    const C sum = sumOf<C>(n, [=](int64_t first, int64_t) { return x + first; });
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) r[i] = x[i] - expOf(y[i]) * sum;
  }
  template <class C>
  static void tile(const C *x, const C *y, C *r, int64_t n, int64_t width, int64_t stride) {
    C sum[kTile];
    std::fill_n(sum, width, C(0));
    for (int64_t k = 0; k < n; k++)
      for (int64_t i = 0; i < width; i++) sum[i] += x[k * stride + i];
    for (int64_t k = 0; k < n; k++)
#pragma GCC ivdep
      for (int64_t i = 0; i < width; i++) r[k * stride + i] = x[k * stride + i] - expOf(y[k * stride + i]) * sum[i];
  }
};

template <class Kernel>
constexpr thnn::DimLoops loopsOf = {{Kernel::template row<float>, Kernel::template tile<float>},
                                    {Kernel::template row<double>, Kernel::template tile<double>}};
constexpr thnn::DimLoops softMax = loopsOf<SoftMax>, logSoftMax = loopsOf<LogSoftMax>;
constexpr thnn::DimLoops softMaxBackward = loopsOf<SoftMaxBackward>, logSoftMaxBackward = loopsOf<LogSoftMaxBackward>;

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thnn {

const DimLoops &softMax() { return TH_BEST_TARGET(softMax); }
const DimLoops &logSoftMax() { return TH_BEST_TARGET(logSoftMax); }
const DimLoops &softMaxBackward() { return TH_BEST_TARGET(softMaxBackward); }
const DimLoops &logSoftMaxBackward() { return TH_BEST_TARGET(logSoftMaxBackward); }

}  // namespace thnn
#endif
