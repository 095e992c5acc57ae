// The loops of sampling. Each dimension of a place gives up to four elements, their weights and the weights' slopes; the
// taps of the sample are all combinations, whose weights are products. Loops run over neighbouring places.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "grid/grid_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/ops/set_macros-inl.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "grid.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
using thnn::kPlaces;
using Plan = THNNGridPlan;

constexpr int kMostTaps = 16;  // four by four, or two by two by two

// A dimension of some places: by tap.
template <class C>
struct Axis {
  int32_t element[4][kPlaces];  // -1: outside
  C weight[4][kPlaces], slope[4][kPlaces];
};

// floor() of what is well inside int32, of which compilers make vectors.
template <class C>
int32_t floorOf(C x) {
  const int32_t whole = int32_t(x);
  return whole - (C(whole) > x);
}
// NaN becomes `low`.
template <class C>
C clamped(C x, C low, C high) {
  const C least = x > low ? x : low;
  return least < high ? least : high;
}

// An image's places, -1 to 1, as places among `size` elements; factor: elements per unit.
template <class C>
struct Scale {
  C factor, shift;
  Scale(const Plan &p, int64_t size)
      : factor(C(p.align_corners ? size - 1 : size) / 2), shift(p.align_corners ? C(0) : C(0.5)) {}
  C operator()(C x) const { return (x + 1) * factor - shift; }
};

// Reflects places at the borders, which lie at `low` and `low + span`; `sign` is what the slope is multiplied by.
template <class C>
struct Mirror {
  C low, span;
  Mirror(const Plan &p, int64_t size)
      : low(p.align_corners ? C(0) : C(-0.5)), span(C(p.align_corners ? size - 1 : size)) {}
  C operator()(C x, C &sign) const {
    const C away = x - low, distance = std::abs(away);
    const C flips = std::floor(distance / span), rest = distance - flips * span;
    const bool odd = flips != 2 * std::floor(flips / 2);
    sign = (away < 0) != odd ? C(-1) : C(1);
    return span == 0 ? C(0) : odd ? span - rest + low : rest + low;
  }
};

// Into the image, as its padding has it.
template <class C>
C padded(THNNGridPadding padding, const Mirror<C> &mirror, C last, C x, C &sign) {
  sign = 1;
  if (padding == THNN_GRID_ZEROS) return x;
  if (padding == THNN_GRID_REFLECTION) x = mirror(x, sign);
  sign = x <= 0 || x >= last ? C(0) : sign;
  return clamped(x, C(0), last);
}

// Keys' kernel for a = -3/4, and its slope, at a distance of at most 2.
template <class C>
C keys(C x) {
  constexpr C a = C(-0.75);
  return x <= 1 ? ((a + 2) * x - (a + 3)) * x * x + 1 : (((x - 5) * x + 8) * x - 4) * a;
}
template <class C>
C keysSlope(C x) {
  constexpr C a = C(-0.75);
  return x <= 1 ? (3 * (a + 2) * x - 2 * (a + 3)) * x : ((3 * x - 10) * x + 8) * a;
}

// From the coordinates of dimension d of n places; returns how many taps it has.
template <class C>
int setAxis(const Plan &p, int d, const C *grid, int64_t n, Axis<C> &axis) {
  const int64_t size = p.size[d];
  const int step = p.dimensions;
  const C *const at = grid + (2 - d);  // the last dimension comes first
  const Scale<C> scale(p, size);
  const Mirror<C> mirror(p, size);
  const C last = C(size - 1);
  const int32_t end = int32_t(size);
  const auto insideOr = [end](int32_t i) { return i >= 0 && i < end ? i : -1; };
  if (p.mode == THNN_GRID_CUBIC) {
    for (int64_t i = 0; i < n; i++) {
      const C x = scale(at[i * step]), near = clamped(x, C(-3), last + 3);
      // Far away by a whole number of periods is near, too, if the image is reflected.
      const C whole = p.padding == THNN_GRID_REFLECTION ? std::floor(x) : C(floorOf(near));
      const C share = (x - x) + ((p.padding == THNN_GRID_REFLECTION ? x : near) - whole);
      for (int k = 0; k < 4; k++) {
        C sign;
        const C place = padded(p.padding, mirror, last, whole + C(k - 1), sign);
        const C distance = std::abs(share - C(k - 1));
        axis.element[k][i] = insideOr(int32_t(clamped(place, C(-1), last + 1)));
        axis.weight[k][i] = keys(distance);
        axis.slope[k][i] = keysSlope(distance) * (k <= 1 ? scale.factor : -scale.factor);
      }
    }
    return 4;
  }
  if (p.mode == THNN_GRID_NEAREST) {
    for (int64_t i = 0; i < n; i++) {
      C sign;
      const C place = padded(p.padding, mirror, last, scale(at[i * step]), sign);
      axis.element[0][i] = insideOr(int32_t(std::nearbyint(clamped(place, C(-2), last + 2))));
      axis.weight[0][i] = 1;
      axis.slope[0][i] = 0;
    }
    return 1;
  }
  const auto linear = [&](auto padding) {
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) {
      C sign;
      const C x = padded(padding(), mirror, last, scale(at[i * step]), sign), near = clamped(x, C(-2), last + 2);
      const int32_t first = floorOf(near);
      const C share = (x - x) + (near - C(first)), slope = sign * scale.factor;  // NaN where x is no number
      axis.element[0][i] = insideOr(first);
      axis.element[1][i] = insideOr(first + 1);
      axis.weight[0][i] = 1 - share;
      axis.weight[1][i] = share;
      axis.slope[0][i] = -slope;
      axis.slope[1][i] = slope;
    }
  };
  if (p.padding == THNN_GRID_ZEROS)
    linear(std::integral_constant<THNNGridPadding, THNN_GRID_ZEROS>());
  else if (p.padding == THNN_GRID_BORDER)
    linear(std::integral_constant<THNNGridPadding, THNN_GRID_BORDER>());
  else
    linear(std::integral_constant<THNNGridPadding, THNN_GRID_REFLECTION>());
  return 2;
}

template <class C>
struct Taps {
  Axis<C> axes[3];
  int count;                            // of taps
  bool whole;                           // all are inside
  int32_t element[kMostTaps][kPlaces];  // 0 where outside
  int32_t inside[kMostTaps][kPlaces];
  C weight[kMostTaps][kPlaces];
  int tapOf[kMostTaps][3];  // by dimension

  Taps(const Plan &p, const C *grid, int64_t n) : whole(true) {
    const int first = 3 - p.dimensions;
    int each = 0;
    for (int d = first; d < 3; d++) each = setAxis(p, d, grid, n, axes[d]);
    count = p.dimensions == 3 ? each * each * each : each * each;
    for (int t = 0; t < count; t++) {
      int rest = t;
      for (int d = 2; d >= 0; d--, rest /= each) tapOf[t][d] = d < first ? 0 : rest % each;
      combine(p, t, n);
    }
  }

  // The product of the axes' weights, that of axis `sloped` being its slope.
  template <int dimensions>
  C product(int t, int64_t i, int sloped) const {
    C w = 1;
    for (int d = 3 - dimensions; d < 3; d++)
      w *= d == sloped ? axes[d].slope[tapOf[t][d]][i] : axes[d].weight[tapOf[t][d]][i];
    return w;
  }

 private:
  void combine(const Plan &p, int t, int64_t n) {
    const Axis<C> &z = axes[0], &y = axes[1], &x = axes[2];
    const int a = tapOf[t][0], b = tapOf[t][1], c = tapOf[t][2];
    const int32_t width = int32_t(p.size[2]), plane = int32_t(p.size[1] * p.size[2]);
    int32_t *const to = element[t], *const in = inside[t];
    C *const w = weight[t];
    int32_t all = -1;
    if (p.dimensions == 2) {
#pragma GCC ivdep
      for (int64_t i = 0; i < n; i++) {
        const int32_t row = y.element[b][i], column = x.element[c][i];
        const bool fits = (row | column) >= 0;
        in[i] = fits ? -1 : 0;
        to[i] = fits ? row * width + column : 0;
        w[i] = y.weight[b][i] * x.weight[c][i];
        all &= in[i];
      }
    } else {
#pragma GCC ivdep
      for (int64_t i = 0; i < n; i++) {
        const int32_t depth = z.element[a][i], row = y.element[b][i], column = x.element[c][i];
        const bool fits = (depth | row | column) >= 0;
        in[i] = fits ? -1 : 0;
        to[i] = fits ? depth * plane + row * width + column : 0;
        w[i] = z.weight[a][i] * y.weight[b][i] * x.weight[c][i];
        all &= in[i];
      }
    }
    whole = whole && all;
  }
};

template <class C>
void samplePlaces(const Plan &p, const C *grid, int64_t n, const C *x, C *y) {
  const Taps<C> taps(p, grid, n);
  const int64_t size = p.size[0] * p.size[1] * p.size[2];
  for (int64_t c = 0; c < p.channels; c++, x += size, y += p.places) {
    C sum[kPlaces] = {};
    for (int t = 0; t < taps.count; t++) {
      const int32_t *const at = taps.element[t], *const in = taps.inside[t];
      const C *const w = taps.weight[t];
      if (taps.whole) {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; i++) sum[i] += w[i] * x[at[i]];
      } else {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; i++) {
          const C v = x[at[i]];
          sum[i] += w[i] * (in[i] ? v : C(0));
        }
      }
    }
    std::copy_n(sum, n, y);
  }
}

template <class C>
void scatterPlaces(const Plan &p, const C *grid, int64_t n, int64_t channels, const C *gy, C *gx) {
  const Taps<C> taps(p, grid, n);
  const int64_t size = p.size[0] * p.size[1] * p.size[2];
  for (int64_t c = 0; c < channels; c++, gx += size, gy += p.places)
    for (int t = 0; t < taps.count; t++) {
      C part[kPlaces];
      const C *const w = taps.weight[t];
      const int32_t *const at = taps.element[t], *const in = taps.inside[t];
#pragma GCC ivdep
      for (int64_t i = 0; i < n; i++) part[i] = w[i] * gy[i];
      for (int64_t i = 0; i < n; i++)
        if (in[i]) gx[at[i]] += part[i];
    }
}

// dimensions: p's
template <int dimensions, class C>
void slopesOf(const Plan &p, const C *grid, int64_t n, const C *x, const C *gy, C *ggrid) {
  const Taps<C> taps(p, grid, n);
  const int64_t size = p.size[0] * p.size[1] * p.size[2];
  C total[dimensions][kPlaces] = {};
  for (int t = 0; t < taps.count; t++) {
    const int32_t *const at = taps.element[t], *const in = taps.inside[t];
    C sum[kPlaces] = {};
    for (int64_t c = 0; c < p.channels; c++) {
      const C *const from = x + c * size, *const g = gy + c * p.places;
#pragma GCC ivdep
      for (int64_t i = 0; i < n; i++) {
        const C v = from[at[i]];
        sum[i] += g[i] * (in[i] ? v : C(0));
      }
    }
    for (int d = 0; d < dimensions; d++)
      for (int64_t i = 0; i < n; i++)
        total[d][i] += sum[i] * taps.template product<dimensions>(t, i, 3 - dimensions + d);
  }
  for (int64_t i = 0; i < n; i++)
    for (int d = 0; d < dimensions; d++) ggrid[i * dimensions + d] = total[dimensions - 1 - d][i];
}

template <class C>
void slopes(const Plan &p, const C *grid, int64_t n, const C *x, const C *gy, C *ggrid) {
  if (p.mode == THNN_GRID_NEAREST)
    std::fill_n(ggrid, n * p.dimensions, C(0));
  else if (p.dimensions == 2)
    slopesOf<2>(p, grid, n, x, gy, ggrid);
  else
    slopesOf<3>(p, grid, n, x, gy, ggrid);
}

template <class C>
constexpr thnn::GridLoops<C> loopsOf = {samplePlaces<C>, scatterPlaces<C>, slopes<C>};
constexpr thnn::GridLoops<float> singles = loopsOf<float>;
constexpr thnn::GridLoops<double> doubles = loopsOf<double>;

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thnn {

template <> const GridLoops<float> &gridLoops() { return TH_BEST_TARGET(singles); }
template <> const GridLoops<double> &gridLoops() { return TH_BEST_TARGET(doubles); }

}  // namespace thnn
#endif
