// The loops of pooling. A line of results takes the taps of its windows one after another, each over the whole line: the
// inner loops run over neighbours, and each result meets its elements in the order in which they lie in memory.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "pooling/pooling_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/ops/set_macros-inl.h>

#include <limits>
#include <type_traits>

#include "pooling.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
using thnn::firstInside;
using thnn::inside;
using thnn::Range;
using thnn::shareOf;
using Plan = THNNPoolingPlan;

// f(stride), which is a constant where the compiler makes something of it.
template <class F>
void withStride(int64_t stride, const F &f) {
  if (stride == 1) return f(std::integral_constant<int64_t, 1>());
  if (stride == 2) return f(std::integral_constant<int64_t, 2>());
  f(stride);
}

template <class C>
C least() {
  if constexpr (std::is_floating_point_v<C>) return -std::numeric_limits<C>::infinity();
  return std::numeric_limits<C>::lowest();
}

// NaN is the greatest.
template <class C>
bool greater(C a, C b) {
  if constexpr (std::is_floating_point_v<C>) return (a > b) | (a != a);
  return a > b;
}

// ---- windows of one size --------------------------------------------------------------------------------------

int64_t startOf(const Plan &p, int d, int64_t o) { return o * p.stride[d] - p.padding[d]; }
Range tapsOf(const Plan &p, int d, int64_t o) {
  return inside(startOf(p, d, o), p.dilation[d], p.input[d], p.kernel[d]);
}
int64_t placeOf(const Plan &p, int d, int64_t o, int64_t tap) { return startOf(p, d, o) + tap * p.dilation[d]; }

// line(d, h, depth, height) for each line of results, with its windows' taps in the other dimensions.
template <class F>
void forLines(const Plan &p, const F &line) {
  for (int64_t d = 0; d < p.output[0]; d++) {
    const Range depth = tapsOf(p, 0, d);
    for (int64_t h = 0; h < p.output[1]; h++) line(d, h, depth, tapsOf(p, 1, h));
  }
}

// By taps along a line: the results that meet an element with it. They lie behind what else is in `scratch`.
const Range *resultsOfTaps(const Plan &p, void *scratch) {
  Range *const met = reinterpret_cast<Range *>(static_cast<char *>(scratch) + thnn::scratchOfLines(p));
  for (int64_t k = 0; k < p.kernel[2]; k++)
    met[k] = inside(k * p.dilation[2] - p.padding[2], p.stride[2], p.input[2], p.output[2]);
  return met;
}

// run(from, to, n) for each tap of a line's windows: the element of the plane where result `to` of the line meets it, with
// n results from there on that meet one, `stride` apart.
template <class F>
void forTaps(const Plan &p, const Range *met, int64_t d, int64_t h, Range depth, Range height, const F &run) {
  for (int64_t i = depth.first; i < depth.last; i++)
    for (int64_t j = height.first; j < height.last; j++) {
      const int64_t line = (placeOf(p, 0, d, i) * p.input[1] + placeOf(p, 1, h, j)) * p.input[2];
      for (int64_t k = 0; k < p.kernel[2]; k++) {
        const int64_t first = met[k].first, n = met[k].last - first;
        if (n > 0) run(line + placeOf(p, 2, first, k), first, n);
      }
    }
}

// ---- square windows of two or three, two apart, all inside: what networks mostly have -----------------------------
// Their planes are often small, and the general loops below spend most of their time between the lines there.

// windows(constant) with the windows' size; false: they are others.
template <class F>
bool withSquares(const Plan &p, const F &windows) {
  if (p.input[0] != 1 || p.kernel[0] != 1 || p.kernel[1] != p.kernel[2]) return false;
  for (int d = 1; d < 3; d++)
    if (p.stride[d] != 2 || p.dilation[d] != 1 || p.padding[d] || 2 * (p.output[d] - 1) + p.kernel[d] > p.input[d])
      return false;
  if (p.kernel[2] == 2) return windows(std::integral_constant<int64_t, 2>()), true;
  if (p.kernel[2] == 3) return windows(std::integral_constant<int64_t, 3>()), true;
  return false;
}

template <class I, int64_t n, class C>
void maxSquares(const Plan &p, const C *x, C *y, int64_t *indices) {
  const int64_t width = p.output[2], line = p.input[2];
  for (int64_t from = 0; from < 2 * p.output[1] * line; from += 2 * line, y += width, indices += width) {
#pragma GCC ivdep
    for (int64_t w = 0; w < width; w++) {
      const C *const corner = x + from + 2 * w;
      C best = corner[0];
      I at = 0;
#pragma GCC unroll 3
      for (int64_t i = 0; i < n; i++)
#pragma GCC unroll 3
        for (int64_t j = 0; j < n; j++) {
          const C v = corner[i * line + j];
          const bool more = greater(v, best);
          best = more ? v : best;
          at = more ? I(I(i) * I(line) + I(j)) : at;
        }
      y[w] = best;
      indices[w] = from + 2 * w + at;
    }
  }
}

template <int64_t n, class C>
void averageSquares(const Plan &p, const C *x, C *y) {
  const int64_t width = p.output[2], line = p.input[2];
  const C count = C(p.divisor ? p.divisor : n * n);
  for (int64_t h = 0; h < p.output[1]; h++, x += 2 * line, y += width) {
#pragma GCC ivdep
    for (int64_t w = 0; w < width; w++) {
      C sum = 0;
#pragma GCC unroll 3
      for (int64_t i = 0; i < n; i++)
#pragma GCC unroll 3
        for (int64_t j = 0; j < n; j++) sum += x[i * line + 2 * w + j];
      y[w] = sum / count;
    }
  }
}

// Of windows of two, which do not overlap: each element's share is that of its window.
template <class C>
void averageSquaresGradient(const Plan &p, const C *gy, C *gx) {
  const int64_t width = p.output[2], line = p.input[2], size = p.input[1] * line;
  const C count = C(p.divisor ? p.divisor : 4);
  // What no window meets: a last line, a last column.
  if (2 * width < line || 2 * p.output[1] < p.input[1]) std::fill_n(gx, size, C(0));
  for (int64_t h = 0; h < p.output[1]; h++, gx += 2 * line, gy += width) {
#pragma GCC ivdep
    for (int64_t w = 0; w < width; w++) {
      const C share = C(0) + gy[w] / count;
      gx[2 * w] = gx[2 * w + 1] = gx[line + 2 * w] = gx[line + 2 * w + 1] = share;
    }
  }
}

// ---- windows of any kind ------------------------------------------------------------------------------------------

// I: integers as wide as C, which number the plane's elements.
template <class C, class I>
void maxPlaneAs(const Plan &p, const C *x, C *y, int64_t *indices, void *scratch) {
  if (withSquares(p, [&](auto n) { maxSquares<I, decltype(n)::value>(p, x, y, indices); })) return;
  I *const where = static_cast<I *>(scratch);
  const int64_t width = p.output[2];
  const Range *const met = resultsOfTaps(p, scratch);
  forLines(p, [&](int64_t d, int64_t h, Range depth, Range height) {
    std::fill_n(y, width, least<C>());
    // Where nothing is greater than that, it is the window's first.
    const int64_t corner = (placeOf(p, 0, d, depth.first) * p.input[1] + placeOf(p, 1, h, height.first)) * p.input[2];
    for (int64_t w = 0; w < width; w++)
      where[w] = I(corner + placeOf(p, 2, w, firstInside(startOf(p, 2, w), p.dilation[2])));
    forTaps(p, met, d, h, depth, height, [&](int64_t from, int64_t to, int64_t n) {
      withStride(p.stride[2], [&](auto stride) {
        const C *const in = x + from;
        C *const best = y + to;
        I *const at = where + to;
#pragma GCC ivdep
        for (int64_t i = 0; i < n; i++) {
          const C v = in[i * stride];
          const bool more = greater(v, best[i]);
          best[i] = more ? v : best[i];
          at[i] = more ? I(I(from) + I(i) * I(stride)) : at[i];
        }
      });
    });
    for (int64_t w = 0; w < width; w++) indices[w] = where[w];
    y += width;
    indices += width;
  });
}

template <class C>
void maxPlane(const Plan &p, const C *x, C *y, int64_t *indices, void *scratch) {
  if constexpr (sizeof(C) == sizeof(int32_t))
    if (p.input[0] * p.input[1] * p.input[2] <= std::numeric_limits<int32_t>::max())
      return maxPlaneAs<C, int32_t>(p, x, y, indices, scratch);
  maxPlaneAs<C, int64_t>(p, x, y, indices, scratch);
}

// What a sum along dimension d counts: elements, and padding where that is said. Not 0: such a sum is 0.
int64_t countOf(const Plan &p, int d, int64_t o) {
  if (p.divisor) return 1;
  const Range taps = tapsOf(p, d, o);
  const int64_t start = startOf(p, d, o);
  const int64_t n = p.paddingCounts ? std::min(start + p.kernel[d], p.input[d] + p.padding[d]) - start
                                    : taps.last - taps.first;
  return std::max<int64_t>(n, 1);
}
template <class C>
void countsOf(const Plan &p, C *counts) {
  for (int64_t w = 0; w < p.output[2]; w++) counts[w] = C(countOf(p, 2, w));
}
template <class C>
C outerCountOf(const Plan &p, int64_t d, int64_t h) {
  return p.divisor ? C(p.divisor) : C(countOf(p, 0, d) * countOf(p, 1, h));
}

template <class C>
void averagePlane(const Plan &p, const C *x, C *y, void *scratch) {
  if (withSquares(p, [&](auto n) { averageSquares<decltype(n)::value>(p, x, y); })) return;
  C *const counts = static_cast<C *>(scratch);
  const int64_t width = p.output[2];
  const Range *const met = resultsOfTaps(p, scratch);
  countsOf(p, counts);
  forLines(p, [&](int64_t d, int64_t h, Range depth, Range height) {
    std::fill_n(y, width, C(0));
    forTaps(p, met, d, h, depth, height, [&](int64_t from, int64_t to, int64_t n) {
      withStride(p.stride[2], [&](auto stride) {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; i++) y[to + i] += x[from + i * stride];
      });
    });
    const C outer = outerCountOf<C>(p, d, h);
    for (int64_t w = 0; w < width; w++) y[w] /= outer * counts[w];
    y += width;
  });
}

template <class C>
void averageGradientPlane(const Plan &p, const C *gy, C *gx, void *scratch) {
  if (p.kernel[2] == 2 && withSquares(p, [&](auto) { averageSquaresGradient(p, gy, gx); })) return;
  const int64_t width = p.output[2];
  C *const counts = static_cast<C *>(scratch), *const shares = counts + width;
  const Range *const met = resultsOfTaps(p, scratch);
  countsOf(p, counts);
  std::fill_n(gx, p.input[0] * p.input[1] * p.input[2], C(0));
  forLines(p, [&](int64_t d, int64_t h, Range depth, Range height) {
    const C outer = outerCountOf<C>(p, d, h);
    for (int64_t w = 0; w < width; w++) shares[w] = gy[w] / (outer * counts[w]);
    forTaps(p, met, d, h, depth, height, [&](int64_t from, int64_t to, int64_t n) {
      withStride(p.stride[2], [&](auto stride) {
#pragma GCC ivdep
        for (int64_t i = 0; i < n; i++) gx[from + i * stride] += shares[to + i];
      });
    });
    gy += width;
  });
}

// ---- channels innermost: they are what the inner loops run over ---------------------------------------------------

// run(place) for each element of a window.
template <class F>
void forWindow(const Plan &p, int64_t d, int64_t h, int64_t w, const F &run) {
  const Range depth = tapsOf(p, 0, d), height = tapsOf(p, 1, h), width = tapsOf(p, 2, w);
  for (int64_t i = depth.first; i < depth.last; i++)
    for (int64_t j = height.first; j < height.last; j++)
      for (int64_t k = width.first; k < width.last; k++)
        run((placeOf(p, 0, d, i) * p.input[1] + placeOf(p, 1, h, j)) * p.input[2] + placeOf(p, 2, w, k));
}

template <class C, class I>
void maxLineAs(const Plan &p, int64_t channels, int64_t d, int64_t h, const C *x, C *y, int64_t *indices, I *where) {
  const auto first = [&](int dim, int64_t o) { return placeOf(p, dim, o, tapsOf(p, dim, o).first); };
  for (int64_t w = 0; w < p.output[2]; w++, y += channels, indices += channels) {
    std::fill_n(y, channels, least<C>());
    std::fill_n(where, channels, I((first(0, d) * p.input[1] + first(1, h)) * p.input[2] + first(2, w)));
    forWindow(p, d, h, w, [&](int64_t place) {
      const C *const in = x + place * channels;
#pragma GCC ivdep
      for (int64_t c = 0; c < channels; c++) {
        const bool more = greater(in[c], y[c]);
        y[c] = more ? in[c] : y[c];
        where[c] = more ? I(place) : where[c];
      }
    });
    for (int64_t c = 0; c < channels; c++) indices[c] = where[c];
  }
}

template <class C>
void maxLine(const Plan &p, int64_t channels, int64_t d, int64_t h, const C *x, C *y, int64_t *indices,
             int64_t *where) {
  if constexpr (sizeof(C) == sizeof(int32_t))
    if (p.input[0] * p.input[1] * p.input[2] <= std::numeric_limits<int32_t>::max())
      return maxLineAs<C, int32_t>(p, channels, d, h, x, y, indices, reinterpret_cast<int32_t *>(where));
  maxLineAs<C, int64_t>(p, channels, d, h, x, y, indices, where);
}

template <class C>
void averageLine(const Plan &p, int64_t channels, int64_t d, int64_t h, const C *x, C *y) {
  const C outer = outerCountOf<C>(p, d, h);
  for (int64_t w = 0; w < p.output[2]; w++, y += channels) {
    std::fill_n(y, channels, C(0));
    forWindow(p, d, h, w, [&](int64_t place) {
      const C *const in = x + place * channels;
#pragma GCC ivdep
      for (int64_t c = 0; c < channels; c++) y[c] += in[c];
    });
    const C count = outer * C(countOf(p, 2, w));
    for (int64_t c = 0; c < channels; c++) y[c] /= count;
  }
}

// Each element meets its windows from the last one of a line to the first, as in averageGradientPlane.
template <class C>
void averageGradientImage(const Plan &p, int64_t channels, const C *gy, C *gx, C *shares) {
  std::fill_n(gx, p.input[0] * p.input[1] * p.input[2] * channels, C(0));
  for (int64_t d = 0; d < p.output[0]; d++)
    for (int64_t h = 0; h < p.output[1]; h++, gy += p.output[2] * channels)
      for (int64_t w = p.output[2] - 1; w >= 0; w--) {
        const C count = outerCountOf<C>(p, d, h) * C(countOf(p, 2, w));
        for (int64_t c = 0; c < channels; c++) shares[c] = gy[w * channels + c] / count;
        forWindow(p, d, h, w, [&](int64_t place) {
          C *const to = gx + place * channels;
#pragma GCC ivdep
          for (int64_t c = 0; c < channels; c++) to[c] += shares[c];
        });
      }
}

// ---- windows that share the input out: first their lines are added up, then the sum's elements -----------------

// work(line's first element) for each line of the windows of output line (d, h), which are `count` in number.
template <class F>
int64_t forSharedLines(const Plan &p, int64_t d, int64_t h, const F &work) {
  const Range depth = shareOf(d, p.output[0], p.input[0]), height = shareOf(h, p.output[1], p.input[1]);
  for (int64_t i = depth.first; i < depth.last; i++)
    for (int64_t j = height.first; j < height.last; j++) work((i * p.input[1] + j) * p.input[2]);
  return (depth.last - depth.first) * (height.last - height.first);
}

template <class C>
void adaptivePlane(const Plan &p, const C *x, C *y, void *scratch) {
  C *const columns = static_cast<C *>(scratch);
  const int64_t width = p.input[2];
  for (int64_t d = 0; d < p.output[0]; d++)
    for (int64_t h = 0; h < p.output[1]; h++) {
      std::fill_n(columns, width, C(0));
      const int64_t lines = forSharedLines(p, d, h, [&](int64_t line) {
#pragma GCC ivdep
        for (int64_t i = 0; i < width; i++) columns[i] += x[line + i];
      });
      for (int64_t w = 0; w < p.output[2]; w++) {
        const Range share = shareOf(w, p.output[2], width);
        C sum = 0;
        for (int64_t i = share.first; i < share.last; i++) sum += columns[i];
        *y++ = sum / C(lines * (share.last - share.first));
      }
    }
}

template <class C>
void adaptiveGradientPlane(const Plan &p, const C *gy, C *gx, void *scratch) {
  C *const columns = static_cast<C *>(scratch);
  const int64_t width = p.input[2];
  std::fill_n(gx, p.input[0] * p.input[1] * width, C(0));
  for (int64_t d = 0; d < p.output[0]; d++)
    for (int64_t h = 0; h < p.output[1]; h++) {
      const int64_t lines = forSharedLines(p, d, h, [](int64_t) {});
      std::fill_n(columns, width, C(0));
      for (int64_t w = 0; w < p.output[2]; w++) {
        const Range share = shareOf(w, p.output[2], width);
        const C part = *gy++ / C(lines * (share.last - share.first));
        for (int64_t i = share.first; i < share.last; i++) columns[i] += part;
      }
      forSharedLines(p, d, h, [&](int64_t line) {
#pragma GCC ivdep
        for (int64_t i = 0; i < width; i++) gx[line + i] += columns[i];
      });
    }
}

bool allBelow(const int64_t *indices, int64_t n, int64_t size) {
  uint64_t signs = 0;  // of what is negative on either side
  for (int64_t i = 0; i < n; i++) signs |= uint64_t(indices[i]) | (uint64_t(size) - 1 - uint64_t(indices[i]));
  return int64_t(signs) >= 0;
}

template <class C>
constexpr thnn::PoolingLoops<C> loopsOf = {maxPlane<C>,      averagePlane<C>,          averageGradientPlane<C>,
                                           adaptivePlane<C>, adaptiveGradientPlane<C>, maxLine<C>,
                                           averageLine<C>,   averageGradientImage<C>};
constexpr auto below = allBelow;
constexpr thnn::PoolingLoops<float> singles = loopsOf<float>;
constexpr thnn::PoolingLoops<double> doubles = loopsOf<double>;
constexpr thnn::PoolingLoops<int64_t> integers = {maxPlane<int64_t>, averagePlane<int64_t>, nullptr, nullptr, nullptr,
                                                  maxLine<int64_t>,  averageLine<int64_t>,  nullptr};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thnn {

bool allBelow(const int64_t *indices, int64_t n, int64_t size) { return TH_BEST_TARGET(below)(indices, n, size); }
template <> const PoolingLoops<float> &poolingLoops() { return TH_BEST_TARGET(singles); }
template <> const PoolingLoops<double> &poolingLoops() { return TH_BEST_TARGET(doubles); }
template <> const PoolingLoops<int64_t> &poolingLoops() { return TH_BEST_TARGET(integers); }

}  // namespace thnn
#endif
