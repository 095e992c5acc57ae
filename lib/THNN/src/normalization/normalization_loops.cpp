// The loops of normalisations.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "normalization/normalization_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/ops/set_macros-inl.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <type_traits>

#include "kit/vectors.hpp"
#include "normalization.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
using namespace thnn;

// ---- sums ------------------------------------------------------------------------------------------
constexpr int kBytes = 32;  // of a vector, on every target
template <class C> using Whole = std::conditional_t<sizeof(C) == 4, int32_t, int64_t>;

// From lane `rest` on, a vector of lanes is true for the last `rest` of them.
template <class C>
constexpr std::array<Whole<C>, 2 * kBytes / sizeof(C)> kLast = [] {
  std::array<Whole<C>, 2 * kBytes / sizeof(C)> lanes{};
  std::fill(lanes.begin() + lanes.size() / 2, lanes.end(), Whole<C>(-1));
  return lanes;
}();

// `sums` of n <= kRun numbers: f adds to each what it takes from elements of the streams, which are vectors or single.
template <class C, int k, class F, class... Stream>
void sumRun(C (&sums)[k], int64_t n, const F &f, const Stream *...streams) {
  using Vector = VectorOf<C, kBytes>;
  using Memory = VectorInMemory<C, kBytes>;
  constexpr int step = kLanesOf<C, Vector>, vectors = 4;
  for (C &s : sums) s = 0;
  if (n < step) {
    for (int64_t i = 0; i < n; i++) f(sums, streams[i]...);
    return;
  }
  Vector sum[vectors][k];
#pragma GCC unroll 8
  for (int v = 0; v < vectors; v++)
    for (int s = 0; s < k; s++) sum[v][s] = Vector{};
  int64_t i = 0;
  for (; i + vectors * step <= n; i += vectors * step)
#pragma GCC unroll 8
    for (int v = 0; v < vectors; v++)
      f(sum[v], static_cast<Vector>(*reinterpret_cast<const Memory *>(streams + i + v * step))...);
  for (; i + step <= n; i += step) f(sum[0], static_cast<Vector>(*reinterpret_cast<const Memory *>(streams + i))...);
  if (i < n) {  // the last ones are in a vector with some that have been added
    Vector last[k];
    for (int s = 0; s < k; s++) last[s] = Vector{};
    f(last, static_cast<Vector>(*reinterpret_cast<const Memory *>(streams + n - step))...);
    const VectorOf<Whole<C>, kBytes> lanes = *reinterpret_cast<const VectorInMemory<Whole<C>, kBytes> *>(
        kLast<C>.data() + (n - i));
    for (int s = 0; s < k; s++) sum[0][s] += lanes ? last[s] : Vector{};
  }
  for (int s = 0; s < k; s++) {
    C lane[step];
    const Vector total = (sum[0][s] + sum[1][s]) + (sum[2][s] + sum[3][s]);
    std::memcpy(lane, &total, sizeof total);
    for (int width = step / 2; width; width /= 2)
      for (int l = 0; l < width; l++) lane[l] += lane[l + width];
    sums[s] = lane[0];
  }
}

// Totals of numbers in runs.
template <class C, int k, class F, class... Stream>
void sumAll(double (&totals)[k], int64_t n, const F &f, const Stream *...streams) {
  for (int s = 0; s < k; s++) totals[s] = 0;
  for (int64_t first = 0; first < n; first += kRun) {
    C sums[k];
    sumRun(sums, std::min(n - first, kRun), f, streams + first...);
    for (int s = 0; s < k; s++) totals[s] += double(sums[s]);
  }
}

// Of two sets of numbers together (Chan, Golub, LeVeque 1979, "Updating formulae and a pairwise algorithm for computing
// sample variances").
inline void merge(Moments &all, double count, const Moments &more, double moreCount) {
  const double distance = more.mean - all.mean, share = moreCount / (count + moreCount);
  all.mean += distance * share;
  all.squares += more.squares + distance * distance * count * share;
}

// `by` is 1 / n. The second pass corrects the mean of the first by what rounding left.
template <class C>
Moments momentsOfRun(const C *x, int64_t n, double by) {
  C sum[1], about[2];
  sumRun(sum, n, [](auto &s, const auto &v) { s[0] += v; }, x);
  const C mean = C(double(sum[0]) * by);
  sumRun(
      about, n,
      [mean](auto &s, const auto &v) {
        const auto d = v - mean;
        s[0] += d;
        s[1] += d * d;
      },
      x);
  const double rest = double(about[0]);
  return {double(mean) + rest * by, std::max(0.0, double(about[1]) - rest * rest * by)};
}

template <class C>
Moments moments(const C *x, int64_t n) {
  if (n <= kRun) return momentsOfRun(x, n, 1 / double(n));
  Moments all = momentsOfRun(x, kRun, 1 / double(kRun));
  for (int64_t first = kRun; first < n; first += kRun) {
    const int64_t count = std::min(n - first, kRun);
    merge(all, double(first), momentsOfRun(x + first, count, 1 / double(count)), double(count));
  }
  return all;
}

template <class C>
double sumOfSquares(const C *x, int64_t n) {
  double total[1];
  sumAll<C>(total, n, [](auto &s, const auto &v) { s[0] += v * v; }, x);
  return total[0];
}

template <class C>
GradientSums gradientSums(const C *g, const C *x, int64_t n, C mean) {
  double totals[2];
  sumAll<C>(
      totals, n,
      [mean](auto &s, const auto &g, const auto &x) {
        s[0] += g;
        s[1] += g * (x - mean);
      },
      g, x);
  return {totals[0], totals[1]};
}

// ---- runs ------------------------------------------------------------------------------------------
template <class C>
void scale(const C *x, C *y, int64_t n, C mean, C factor, C bias) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) y[i] = (x[i] - mean) * factor + bias;
}

template <class C>
void combine(const C *g, const C *x, C *r, int64_t n, const Combination<C> &by) {
  const auto [mean, a, b, c] = by;
  if (x)
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) r[i] = g[i] * a + ((x[i] - mean) * b + c);
  else
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) r[i] = g[i] * a;
}

// ---- rows --------------------------------------------------------------------------------------------
template <class C>
void rowForward(const C *x, const C *w, const C *b, C *y, int64_t n, C mean, C std) {
  if (w && b)
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) y[i] = (x[i] - mean) * std * w[i] + b[i];
  else if (w)
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) y[i] = (x[i] - mean) * std * w[i];
  else if (b)
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) y[i] = (x[i] - mean) * std + b[i];
  else
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) y[i] = (x[i] - mean) * std;
}

template <class C>
void rowsForward(const RowsForward<C> &r, int64_t begin, int64_t end) {
  const double by = 1 / double(r.n);
  for (int64_t row = begin; row < end; row++) {
    const C *const x = r.x + row * r.stride;
    const Moments m = !r.mean       ? Moments{0, sumOfSquares(x, r.n)}
                      : r.n <= kRun ? momentsOfRun(x, r.n, by)
                                    : moments(x, r.n);
    const C mean = C(m.mean), std = C(1 / std::sqrt(m.squares * by + r.eps));
    rowForward(x, r.weight, r.bias, r.y + row * r.stride, r.n, mean, std);
    if (r.mean) r.mean[row * r.statistics] = mean;
    r.std[row * r.statistics] = std;
  }
}

// With h = g weight and z = (x - mean) std: (h - Σ h / n - z Σ h z / n) std; without a mean its term is missing.
template <bool weighted, class C>
void rowGradient(const C *x, const C *g, const C *w, C *gx, int64_t n, double by, C mean, C std, bool centred) {
  double totals[2];
  const auto add = [mean](auto &s, const auto &h, const auto &x) {
    s[0] += h;
    s[1] += h * (x - mean);
  };
  if constexpr (weighted)
    sumAll<C>(totals, n, [add](auto &s, const auto &g, const auto &x, const auto &w) { add(s, g * w, x); }, g, x, w);
  else
    sumAll<C>(totals, n, add, g, x);
  const double over = double(std);
  const C a = C(centred ? totals[0] * by * over : 0), b = C(totals[1] * by * over * over * over);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    const C h = weighted ? g[i] * w[i] : g[i];
    gx[i] = h * std - ((x[i] - mean) * b + a);
  }
}

template <class C>
void rowsBackward(const RowsBackward<C> &r, int64_t begin, int64_t end) {
  const double by = 1 / double(r.n);
  for (int64_t row = begin; row < end; row++) {
    const C *const x = r.x + row * r.stride, *const g = r.g + row * r.stride;
    const C mean = r.mean ? r.mean[row * r.statistics] : 0, std = r.std[row * r.statistics];
    C *const gWeight = r.gWeight, *const gBias = r.gBias;
    if (gWeight && gBias)
#pragma GCC ivdep
      for (int64_t i = 0; i < r.n; i++) {
        gWeight[i] += g[i] * ((x[i] - mean) * std);
        gBias[i] += g[i];
      }
    else if (gWeight)
#pragma GCC ivdep
      for (int64_t i = 0; i < r.n; i++) gWeight[i] += g[i] * ((x[i] - mean) * std);
    else if (gBias)
#pragma GCC ivdep
      for (int64_t i = 0; i < r.n; i++) gBias[i] += g[i];
    if (!r.gx) continue;
    const auto gradient = r.weight ? rowGradient<true, C> : rowGradient<false, C>;
    gradient(x, g, r.weight, r.gx + row * r.stride, r.n, by, mean, std, r.mean);
  }
}

// ---- columns -----------------------------------------------------------------------------------------
template <class C>
void momentsOfColumns(const C *x, int64_t lines, int64_t width, int64_t stride, Moments *to) {
  C sum[kTile]{}, mean[kTile], rest[kTile]{}, squares[kTile]{};
  const double by = 1 / double(lines);
  for (int64_t k = 0; k < lines; k++)
#pragma GCC ivdep
    for (int64_t i = 0; i < width; i++) sum[i] += x[k * stride + i];
  for (int64_t i = 0; i < width; i++) mean[i] = C(double(sum[i]) * by);
  for (int64_t k = 0; k < lines; k++)
#pragma GCC ivdep
    for (int64_t i = 0; i < width; i++) {
      const C d = x[k * stride + i] - mean[i];
      rest[i] += d;
      squares[i] += d * d;
    }
  for (int64_t i = 0; i < width; i++) {
    const double left = double(rest[i]);
    to[i] = {double(mean[i]) + left * by, std::max(0.0, double(squares[i]) - left * left * by)};
  }
}

template <class C>
void scaleColumns(const C *x, C *y, int64_t lines, int64_t width, const C *mean, const C *factor, const C *bias) {
  for (int64_t k = 0; k < lines; k++, x += width, y += width)
#pragma GCC ivdep
    for (int64_t i = 0; i < width; i++) y[i] = (x[i] - mean[i]) * factor[i] + bias[i];
}

template <class C>
void sumsOfColumns(const C *g, const C *x, int64_t lines, int64_t width, int64_t stride, const C *mean,
                   GradientSums *to) {
  C plain[kTile]{}, weighted[kTile]{};
  for (int64_t k = 0; k < lines; k++)
#pragma GCC ivdep
    for (int64_t i = 0; i < width; i++) {
      plain[i] += g[k * stride + i];
      weighted[i] += g[k * stride + i] * (x[k * stride + i] - mean[i]);
    }
  for (int64_t i = 0; i < width; i++) to[i] = {double(plain[i]), double(weighted[i])};
}

template <class C>
void combineColumns(const C *g, const C *x, C *r, int64_t lines, int64_t width, const C *const (&by)[4]) {
  const auto [mean, a, b, c] = by;
  for (int64_t k = 0; k < lines; k++, g += width, r += width)
    if (x) {
      const C *const line = x + k * width;
#pragma GCC ivdep
      for (int64_t i = 0; i < width; i++) r[i] = g[i] * a[i] + ((line[i] - mean[i]) * b[i] + c[i]);
    } else {
#pragma GCC ivdep
      for (int64_t i = 0; i < width; i++) r[i] = g[i] * a[i];
    }
}

// ---- neighbouring channels -----------------------------------------------------------------------------
// y = s^-beta. The exponents that models have are made of roots.
template <class C>
void powers(const C *s, C *y, int64_t n, double beta) {
  if (beta == 0.75)
    for (int64_t i = 0; i < n; i++) {
      const C root = std::sqrt(s[i]);
      y[i] = 1 / (root * std::sqrt(root));
    }
  else if (beta == 0.5)
    for (int64_t i = 0; i < n; i++) y[i] = 1 / std::sqrt(s[i]);
  else if (beta == 1)
    for (int64_t i = 0; i < n; i++) y[i] = 1 / s[i];
  else
    for (int64_t i = 0; i < n; i++) y[i] = std::pow(s[i], C(-beta));
}

template <class C>
void lrnForward(const C *x, C *y, C *scale, int64_t channels, int64_t width, int64_t stride, int64_t size, C share,
                double beta, C k) {
  C sum[kLrnTile], power[kLrnTile];
  for (int64_t c = 0; c < channels; c++) {
    std::fill_n(sum, width, C(0));
    for (int64_t j = std::max<int64_t>(0, c - size / 2); j <= std::min(channels - 1, c + (size - 1) / 2); j++)
#pragma GCC ivdep
      for (int64_t i = 0; i < width; i++) sum[i] += x[j * stride + i] * x[j * stride + i];
#pragma GCC ivdep
    for (int64_t i = 0; i < width; i++) scale[c * stride + i] = sum[i] = k + share * sum[i];
    powers(sum, power, width, beta);
#pragma GCC ivdep
    for (int64_t i = 0; i < width; i++) y[c * stride + i] = x[c * stride + i] * power[i];
  }
}

// g s^-beta - 2 share beta x Σ (g x s^(-beta - 1)), summed over the channels whose window has this one in it.
// ratios: channels lines of `width`, for what is summed.
template <class C>
void lrnBackward(const C *x, const C *g, const C *scale, C *gx, C *ratios, int64_t channels, int64_t width,
                 int64_t stride, int64_t size, C share, double beta) {
  C sum[kLrnTile], power[kLrnTile];
  const C factor = C(-2 * beta) * share;
  for (int64_t c = 0; c < channels; c++) {
    const int64_t at = c * stride;
    C *const ratio = ratios + c * width;
    powers(scale + at, power, width, beta);
#pragma GCC ivdep
    for (int64_t i = 0; i < width; i++) {
      ratio[i] = g[at + i] * x[at + i] * power[i] / scale[at + i];
      gx[at + i] = g[at + i] * power[i];
    }
  }
  for (int64_t c = 0; c < channels; c++) {
    const int64_t at = c * stride;
    std::fill_n(sum, width, C(0));
    for (int64_t j = std::max<int64_t>(0, c - (size - 1) / 2); j <= std::min(channels - 1, c + size / 2); j++)
#pragma GCC ivdep
      for (int64_t i = 0; i < width; i++) sum[i] += ratios[j * width + i];
#pragma GCC ivdep
    for (int64_t i = 0; i < width; i++) gx[at + i] += factor * x[at + i] * sum[i];
  }
}

template <class C>
constexpr NormLoop<C> loopsFor = {rowsForward<C>,   rowsBackward<C>,   moments<C>,          scale<C>,
                                  gradientSums<C>,  combine<C>,        momentsOfColumns<C>, scaleColumns<C>,
                                  sumsOfColumns<C>, combineColumns<C>, lrnForward<C>,       lrnBackward<C>};
constexpr NormLoops normLoops = {loopsFor<float>, loopsFor<double>};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thnn {

const NormLoops &normLoops() { return TH_BEST_TARGET(normLoops); }

}  // namespace thnn
#endif
