// The loops of sampling. Each dimension of a place gives up to four elements, their weights and the weights' slopes; the
// taps of the sample are all combinations, whose weights are products. Loops run over neighbouring places.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "grid/grid_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cmath>
#include <type_traits>

#include "grid.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;
using thnn::kPlaces;
using Plan = THNNGridPlan;

constexpr int kMostTaps = 16;  // four by four, or two by two by two
// Neighbours of a row are read as one element twice as wide where there are vectors of those by any places.
#if HWY_TARGET == HWY_AVX2 || HWY_TARGET == HWY_AVX3
template <class C> constexpr bool kPairs = sizeof(C) == 4;
#else
template <class C> constexpr bool kPairs = false;
#endif
template <class C> constexpr int64_t kLanes = hn::MaxLanes(hn::ScalableTag<C>());

// Integers as wide as the elements that they stand for.
template <class D>
HWY_INLINE hn::Vec<D> wide(D d, const int32_t *from) {
  if constexpr (sizeof(hn::TFromD<D>) == sizeof(int32_t))
    return hn::LoadU(d, from);
  else
    return hn::PromoteTo(d, hn::LoadU(hn::Rebind<int32_t, D>(), from));
}

// A dimension of some places: by tap.
template <class C>
struct Axis {
  int32_t element[4][kPlaces];  // negative: outside
  C weight[4][kPlaces], slope[4][kPlaces];
  int32_t pair[kPlaces];  // of two linear taps, the left one in the image's row, which the other one follows
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

// Keys' kernel for a = -3/4 at distances below 1, and beyond, and the slopes.
template <bool near, class C>
C keys(C x) {
  constexpr C a = C(-0.75);
  return near ? ((a + 2) * x - (a + 3)) * x * x + 1 : (((x - 5) * x + 8) * x - 4) * a;
}
template <bool near, class C>
C keysSlope(C x) {
  constexpr C a = C(-0.75);
  return near ? (3 * (a + 2) * x - 2 * (a + 3)) * x : ((3 * x - 10) * x + 8) * a;
}

// What is known of a dimension before its places are.
template <THNNGridPadding padding, class C>
struct Dimension {
  Scale<C> scale;
  Mirror<C> mirror;
  C last;
  int32_t end;
  Dimension(const Plan &p, int d)
      : scale(p, p.size[d]), mirror(p, p.size[d]), last(C(p.size[d] - 1)), end(int32_t(p.size[d])) {}
  C inside(C x, C &sign) const { return padded(padding, mirror, last, x, sign); }
  int32_t elementOr(int32_t i) const { return i >= 0 && i < end ? i : -1; }
};

// -1 where x is negative, else 0. Compilers make longer code of a choice.
inline int32_t signOf(int32_t x) { return x >> 31; }

template <THNNGridPadding padding, class C>
void setLinear(const Dimension<padding, C> &dimension, const C *places, int64_t n, Axis<C> &axis) {
  const int32_t most = dimension.end > 1 ? dimension.end - 2 : 0, next = dimension.end > 1 ? 1 : -2;
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    C sign;
    const C x = dimension.inside(places[i], sign), near = clamped(x, C(-2), dimension.last + 2);
    const int32_t first = floorOf(near);
    const C share = (x - x) + (near - C(first)), slope = sign * dimension.scale.factor;  // NaN where x is no number
    // Where one of the two is outside, the pair is moved into the image, and the one inside is the other one of the pair.
    const int32_t inner = first > most ? most : first, left = inner < 0 ? 0 : inner, moved = first - left;
    const C near0 = 1 - share, near1 = share;
    axis.pair[i] = left;
    axis.element[0][i] = left | signOf(moved + 1) | signOf(-moved);
    axis.element[1][i] = (left + next) | signOf(moved) | signOf(1 - moved);
    axis.weight[0][i] = moved == -1 ? near1 : near0;
    axis.weight[1][i] = moved == 1 ? near0 : near1;
    axis.slope[0][i] = moved == -1 ? slope : -slope;
    axis.slope[1][i] = moved == 1 ? -slope : slope;
  }
}

// Tap k of the cubic's four, whose first one is -1.
template <int k, THNNGridPadding padding, class C>
void setCubic(const Dimension<padding, C> &dimension, const C *whole, const C *share, int64_t n, Axis<C> &axis) {
  const C factor = k <= 0 ? dimension.scale.factor : -dimension.scale.factor;
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    C sign;
    const C place = dimension.inside(whole[i] + C(k), sign);
    const C distance = k <= 0 ? share[i] - C(k) : C(k) - share[i];
    axis.element[k + 1][i] = dimension.elementOr(int32_t(clamped(place, C(-1), dimension.last + 1)));
    axis.weight[k + 1][i] = keys < k == 0 || k == 1 > (distance);
    axis.slope[k + 1][i] = keysSlope < k == 0 || k == 1 > (distance)*factor;
  }
}

// Coordinate `which` of each place, of `step`, as places among elements. A step that the compiler knows makes vectors.
template <int step, class C>
void setPlaces(const Scale<C> &scale, const C *grid, int which, int64_t n, C *places) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) places[i] = scale(grid[i * step + which]);
}

// From the coordinates of dimension d of n places; returns how many taps it has.
template <THNNGridPadding padding, class C>
int setAxisPadded(const Plan &p, int d, const C *grid, int64_t n, Axis<C> &axis) {
  const Dimension<padding, C> dimension(p, d);
  C places[kPlaces];
  (p.dimensions == 2 ? setPlaces<2, C> : setPlaces<3, C>)(dimension.scale, grid, 2 - d, n,
                                                          places);  // the last comes first
  if (p.mode == THNN_GRID_LINEAR) {
    setLinear(dimension, places, n, axis);
    return 2;
  }
  if (p.mode == THNN_GRID_NEAREST) {
    for (int64_t i = 0; i < n; i++) {
      C sign;
      const C place = dimension.inside(places[i], sign);
      axis.element[0][i] = dimension.elementOr(int32_t(std::nearbyint(clamped(place, C(-2), dimension.last + 2))));
      axis.weight[0][i] = 1;
      axis.slope[0][i] = 0;
    }
    return 1;
  }
  C whole[kPlaces], share[kPlaces];
  for (int64_t i = 0; i < n; i++) {
    // Far away by a whole number of periods is near, too, if the image is reflected.
    const C x = places[i], near = padding == THNN_GRID_REFLECTION ? x : clamped(x, C(-3), dimension.last + 3);
    whole[i] = std::floor(near);
    share[i] = (x - x) + (near - whole[i]);
  }
  setCubic<-1>(dimension, whole, share, n, axis);
  setCubic<0>(dimension, whole, share, n, axis);
  setCubic<1>(dimension, whole, share, n, axis);
  setCubic<2>(dimension, whole, share, n, axis);
  return 4;
}

template <class C>
int setAxis(const Plan &p, int d, const C *grid, int64_t n, Axis<C> &axis) {
  if (p.padding == THNN_GRID_ZEROS) return setAxisPadded<THNN_GRID_ZEROS>(p, d, grid, n, axis);
  if (p.padding == THNN_GRID_BORDER) return setAxisPadded<THNN_GRID_BORDER>(p, d, grid, n, axis);
  return setAxisPadded<THNN_GRID_REFLECTION>(p, d, grid, n, axis);
}

template <class C>
struct Taps {
  Axis<C> axes[3];
  int count;  // of taps
  bool paired;  // taps 2 k and 2 k + 1 are neighbours, from pair[k] on
  int32_t pair[4][kPlaces];
  int32_t element[kMostTaps][kPlaces];  // 0 where outside; to the end of the last vector
  int32_t inside[kMostTaps][kPlaces];
  C weight[kMostTaps][kPlaces];
  int tapOf[kMostTaps][3];  // by dimension

  Taps(const Plan &p, const C *grid, int64_t n) {
    const int first = 3 - p.dimensions;
    int each = 0;
    for (int d = first; d < 3; d++) each = setAxis(p, d, grid, n, axes[d]);
    paired = kPairs<C> && p.mode == THNN_GRID_LINEAR && p.size[2] > 1;
    count = p.dimensions == 3 ? each * each * each : each * each;
    for (int t = 0; t < count; t++) {
      int rest = t;
      for (int d = 2; d >= 0; d--, rest /= each) tapOf[t][d] = d < first ? 0 : rest % each;
      combine(p, t, n);
      for (int64_t i = n; i < kPlaces && i % kLanes<C>; i++) element[t][i] = inside[t][i] = 0, weight[t][i] = 0;
      if (paired && t % 2 == 0) setPair(p, t, n);
    }
  }

  // total += sum times the slope of tap t's weight in dimension d.
  template <int dimensions>
  void addSlope(int t, int d, const C *sum, int64_t n, C *total) const {
    const C *factors[3];
    for (int e = 3 - dimensions; e < 3; e++) {
      const Axis<C> &axis = axes[e];
      factors[e] = e == d ? axis.slope[tapOf[t][e]] : axis.weight[tapOf[t][e]];
    }
    const C *const x = factors[2], *const y = factors[1], *const z = factors[3 - dimensions];
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) total[i] += sum[i] * (dimensions == 3 ? z[i] * y[i] * x[i] : y[i] * x[i]);
  }

 private:
  void setPair(const Plan &p, int t, int64_t n) {
    const int32_t width = int32_t(p.size[2]), height = p.dimensions == 3 ? int32_t(p.size[1]) : 0;
    const int32_t *const row = axes[1].element[tapOf[t][1]], *const column = axes[2].pair;
    const int32_t *const depth = p.dimensions == 3 ? axes[0].element[tapOf[t][0]] : row;
    int32_t *const to = pair[t / 2];
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++)
      to[i] = ((depth[i] * height + row[i]) * width + column[i]) & ~signOf(depth[i] | row[i]);
    for (int64_t i = n; i < kPlaces && i % kLanes<C>; i++) to[i] = 0;
  }
  void combine(const Plan &p, int t, int64_t n) {
    const Axis<C> &z = axes[0], &y = axes[1], &x = axes[2];
    const int a = tapOf[t][0], b = tapOf[t][1], c = tapOf[t][2];
    const int32_t width = int32_t(p.size[2]), plane = int32_t(p.size[1] * p.size[2]);
    int32_t *const to = element[t], *const in = inside[t];
    C *const w = weight[t];
    if (p.dimensions == 2) {
#pragma GCC ivdep
      for (int64_t i = 0; i < n; i++) {
        const int32_t row = y.element[b][i], column = x.element[c][i];
        in[i] = ~signOf(row | column);
        to[i] = (row * width + column) & in[i];
        w[i] = y.weight[b][i] * x.weight[c][i];
      }
    } else {
#pragma GCC ivdep
      for (int64_t i = 0; i < n; i++) {
        const int32_t depth = z.element[a][i], row = y.element[b][i], column = x.element[c][i];
        in[i] = ~signOf(depth | row | column);
        to[i] = (depth * plane + row * width + column) & in[i];
        w[i] = z.weight[a][i] * y.weight[b][i] * x.weight[c][i];
      }
    }
  }
};

// Elements of x for the places from i on of tap t, 0 where they are outside.
template <class D, class C>
HWY_INLINE hn::Vec<D> gathered(D d, const Taps<C> &taps, int t, int64_t i, const C *x) {
  const hn::RebindToSigned<D> integers;
  const auto at = wide(integers, taps.element[t] + i), in = wide(integers, taps.inside[t] + i);
  return hn::And(hn::GatherIndex(d, x, at), hn::BitCast(d, in));
}

// sum += the elements of taps t and t + 1 times their weights.
template <bool paired, class D, class C>
HWY_INLINE hn::Vec<D> addTaps(D d, const Taps<C> &taps, int t, int64_t i, const C *x, hn::Vec<D> sum) {
  auto left = hn::Zero(d), right = left;
#if HWY_TARGET != HWY_SCALAR  // which has no vectors to put together, and is never paired
  if constexpr (paired) {
    const hn::Repartition<double, D> pairs;
    const hn::RebindToSigned<decltype(pairs)> offsets;
    const auto from = [&](int64_t first) HWY_ATTR {
      const auto bytes = hn::ShiftLeft<2>(wide(offsets, taps.pair[t / 2] + first));
      return hn::BitCast(d, hn::GatherOffset(pairs, reinterpret_cast<const double *>(x), bytes));
    };
    const auto low = from(i), high = from(i + kLanes<C> / 2);
    const hn::RebindToSigned<D> integers;
    left = hn::And(hn::ConcatEven(d, high, low), hn::BitCast(d, wide(integers, taps.inside[t] + i)));
    right = hn::And(hn::ConcatOdd(d, high, low), hn::BitCast(d, wide(integers, taps.inside[t + 1] + i)));
  } else
#endif
  {
    left = gathered(d, taps, t, i, x), right = gathered(d, taps, t + 1, i, x);
  }
  sum = hn::MulAdd(hn::LoadU(d, taps.weight[t] + i), left, sum);
  return hn::MulAdd(hn::LoadU(d, taps.weight[t + 1] + i), right, sum);
}

// A channel's samples: `taps.count` is `count`.
template <int count, bool paired, class C>
void sampleChannel(const Taps<C> &taps, int64_t n, const C *x, C *y) {
  const hn::ScalableTag<C> d;
  for (int64_t i = 0; i < n; i += kLanes<C>) {
    auto sum = hn::Zero(d);
    if constexpr (count == 1)
      sum = hn::MulAdd(hn::LoadU(d, taps.weight[0] + i), gathered(d, taps, 0, i, x), sum);
    else
#pragma GCC unroll 8
      for (int t = 0; t < count; t += 2) sum = addTaps<paired>(d, taps, t, i, x, sum);
    if (n - i >= kLanes<C>) {
      hn::StoreU(sum, d, y + i);
    } else {
      C last[kLanes<C>];
      hn::StoreU(sum, d, last);
      std::copy_n(last, n - i, y + i);
    }
  }
}

template <class C>
void samplePlaces(const Plan &p, const C *grid, int64_t n, const C *x, C *y) {
  const Taps<C> taps(p, grid, n);
  const auto channel = taps.count == 1    ? sampleChannel<1, false, C>
                       : taps.count == 16 ? sampleChannel<16, false, C>
                       : taps.count == 4  ? taps.paired ? sampleChannel<4, kPairs<C>, C> : sampleChannel<4, false, C>
                       : taps.paired      ? sampleChannel<8, kPairs<C>, C>
                                          : sampleChannel<8, false, C>;
  const int64_t size = p.size[0] * p.size[1] * p.size[2];
  for (int64_t c = 0; c < p.channels; c++) channel(taps, n, x + c * size, y + c * p.places);
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
      for (int64_t i = 0; i < n; i++) part[i] = in[i] ? w[i] * gy[i] : C(0);
      for (int64_t i = 0; i < n; i++) gx[at[i]] += part[i];  // of those outside, nothing to the first element
    }
}

// dimensions: p's
template <int dimensions, class C>
void slopesOf(const Plan &p, const C *grid, int64_t n, const C *x, const C *gy, C *ggrid) {
  const Taps<C> taps(p, grid, n);
  const int64_t size = p.size[0] * p.size[1] * p.size[2];
  C total[dimensions][kPlaces] = {}, last[kLanes<C>] = {};
  const hn::ScalableTag<C> lanes;
  for (int t = 0; t < taps.count; t++) {
    C sum[kPlaces];
    for (int64_t i = 0; i < n; i += kLanes<C>) {
      auto total = hn::Zero(lanes);
      for (int64_t c = 0; c < p.channels; c++) {
        const C *g = gy + c * p.places + i;
        if (i + kLanes<C> > n) g = std::copy_n(g, n - i, last) - (n - i);
        total = hn::MulAdd(hn::LoadU(lanes, g), gathered(lanes, taps, t, i, x + c * size), total);
      }
      hn::StoreU(total, lanes, sum + i);
    }
    for (int d = 0; d < dimensions; d++) taps.template addSlope<dimensions>(t, 3 - dimensions + d, sum, n, total[d]);
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
