// SoftMax and LogSoftMax along any dimension, with the largest element subtracted first, so that no
// exponential overflows.
#include <bit>
#include <cmath>
#include <limits>
#include <memory>

#include "kernel.hpp"

namespace thnn {
namespace {

// ---- exp(x) for x <= 0, NaN included, to about one unit in the last place ------------------------
// x = n ln 2 + r with |r| <= ln 2 / 2, and e^r by Taylor. In the vectoriser's reach, and the same
// bits everywhere. What would be subnormal is 0.
template <class C> struct ExpFormat;
template <> struct ExpFormat<float> {
  using Int = int32_t;
  static constexpr float lowest = -87.33f, high = 0x1.62e4p-1f, low = 0x1.7f7d1cp-20f;  // ln 2 = high + low
  static constexpr int mantissa = 23, terms = 7;
};
template <> struct ExpFormat<double> {
  using Int = int64_t;
  static constexpr double lowest = -708.39, high = 0x1.62e42fefa38p-1, low = 0x1.ef35793c7673p-45;
  static constexpr int mantissa = 52, terms = 13;
};

template <class C>
constexpr C inverseFactorial(int n) {
  double product = 1;
  for (int i = 2; i <= n; i++) product *= i;
  return C(1 / product);
}

template <class C, class Format = ExpFormat<C>>
inline C expOf(C x) {
  using Int = typename Format::Int;
  // Adding this rounds to an integer, which then stands in the sum's last bits.
  constexpr C rounder = C(Int(3) << (Format::mantissa - 1));
  const C sum = x * C(1.4426950408889634) + rounder;
  const C n = sum - rounder;
  const C r = (x - n * Format::high) - n * Format::low;
  C p = inverseFactorial<C>(Format::terms);
#pragma GCC unroll 16
  for (int i = Format::terms - 1; i >= 0; i--) p = p * r + inverseFactorial<C>(i);
  const Int exponent = std::bit_cast<Int>(sum) - std::bit_cast<Int>(rounder);
  const C y = p * std::bit_cast<C>(Int((exponent + std::numeric_limits<C>::max_exponent - 1) << Format::mantissa));
  return x < Format::lowest ? C(0) : y;
}

// ---- runs of n numbers: one rounding tree, whatever the vector width --------------------------------

constexpr int kLanes = 16;

template <class C, class F>
C reduceRun(const C *x, int64_t n, C start, const F &f) {
  C lane[kLanes];
  std::fill_n(lane, kLanes, start);
  int64_t i = 0;
  for (; i + kLanes <= n; i += kLanes)
    for (int l = 0; l < kLanes; l++) lane[l] = f(lane[l], x[i + l]);
  for (int l = 0; i < n; i++, l++) lane[l] = f(lane[l], x[i]);
  for (int width = kLanes / 2; width; width /= 2)
    for (int l = 0; l < width; l++) lane[l] = f(lane[l], lane[l + width]);
  return lane[0];
}

template <class C>
C largest(const C *x, int64_t n) {
  return reduceRun(x, n, -std::numeric_limits<C>::infinity(), [](C a, C b) { return b > a ? b : a; });
}

// term(i) for i < n, added.
template <class C, class Term>
C sumOf(int64_t n, const Term &term) {
  constexpr int64_t block = 1024;
  C terms[block];
  double total = 0;
  for (int64_t first = 0; first < n; first += block) {
    const int64_t count = std::min(n - first, block);
#pragma GCC ivdep
    for (int64_t i = 0; i < count; i++) terms[i] = term(first + i);
    total += double(reduceRun(terms, count, C(0), [](C a, C b) { return a + b; }));
  }
  return C(total);
}

// ---- the four kernels, each on a row and on a tile of columns -----------------------------------------
// Row: n neighbours. Tile: n lines of `width` neighbours, `stride` apart, for as many independent
// problems; `a` and `b` have room for a number of each. r may be x or y.

struct SoftMax {
  template <class C> static void row(const C *x, const C *, C *r, int64_t n) {
    const C max = largest(x, n);
    const C sum = sumOf<C>(n, [&](int64_t i) { return r[i] = expOf(x[i] - max); });
    for (int64_t i = 0; i < n; i++) r[i] /= sum;
  }
  template <class C>
  static void tile(const C *x, const C *, C *r, int64_t n, int64_t width, int64_t stride, C *max, C *sum) {
    std::fill_n(max, width, -std::numeric_limits<C>::infinity());
    std::fill_n(sum, width, C(0));
    for (int64_t k = 0; k < n; k++)
      for (int64_t i = 0; i < width; i++) max[i] = x[k * stride + i] > max[i] ? x[k * stride + i] : max[i];
    for (int64_t k = 0; k < n; k++)
#pragma GCC ivdep
      for (int64_t i = 0; i < width; i++) sum[i] += r[k * stride + i] = expOf(x[k * stride + i] - max[i]);
    for (int64_t k = 0; k < n; k++)
#pragma GCC ivdep
      for (int64_t i = 0; i < width; i++) r[k * stride + i] /= sum[i];
  }
};

struct LogSoftMax {
  template <class C> static void row(const C *x, const C *, C *r, int64_t n) {
    const C max = largest(x, n);
    const C log = std::log(sumOf<C>(n, [&](int64_t i) { return expOf(x[i] - max); }));
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) r[i] = x[i] - max - log;
  }
  template <class C>
  static void tile(const C *x, const C *, C *r, int64_t n, int64_t width, int64_t stride, C *max, C *sum) {
    std::fill_n(max, width, -std::numeric_limits<C>::infinity());
    std::fill_n(sum, width, C(0));
    for (int64_t k = 0; k < n; k++)
      for (int64_t i = 0; i < width; i++) max[i] = x[k * stride + i] > max[i] ? x[k * stride + i] : max[i];
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
    const C sum = sumOf<C>(n, [&](int64_t i) { return x[i] * y[i]; });
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) r[i] = (x[i] - sum) * y[i];
  }
  template <class C>
  static void tile(const C *x, const C *y, C *r, int64_t n, int64_t width, int64_t stride, C *, C *sum) {
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
    const C sum = sumOf<C>(n, [&](int64_t i) { return x[i]; });
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) r[i] = x[i] - expOf(y[i]) * sum;
  }
  template <class C>
  static void tile(const C *x, const C *y, C *r, int64_t n, int64_t width, int64_t stride, C *, C *sum) {
    std::fill_n(sum, width, C(0));
    for (int64_t k = 0; k < n; k++)
      for (int64_t i = 0; i < width; i++) sum[i] += x[k * stride + i];
    for (int64_t k = 0; k < n; k++)
#pragma GCC ivdep
      for (int64_t i = 0; i < width; i++) r[k * stride + i] = x[k * stride + i] - expOf(y[k * stride + i]) * sum[i];
  }
};

// The compiler makes each of these once per instruction set, with all that they call inlined, and
// the loader picks. No multiplication is fused with an addition, so all give the same bits.
#if defined(__x86_64__) && !defined(__clang__)  // clang clones nothing that is flattened
#define CLONED __attribute__((target_clones("default", "avx2", "avx512f"), flatten))
#else
#define CLONED __attribute__((flatten))
#endif
#define CLONES(Kernel, C)                                                                               \
  CLONED void row(Kernel, const C *x, const C *y, C *r, int64_t n) { Kernel::row(x, y, r, n); }         \
  CLONED void tile(Kernel, const C *x, const C *y, C *r, int64_t n, int64_t width, int64_t stride, C *a, \
                   C *b) {                                                                              \
    Kernel::tile(x, y, r, n, width, stride, a, b);                                                      \
  }
CLONES(SoftMax, float)
CLONES(SoftMax, double)
CLONES(LogSoftMax, float)
CLONES(LogSoftMax, double)
CLONES(SoftMaxBackward, float)
CLONES(SoftMaxBackward, double)
CLONES(LogSoftMaxBackward, float)
CLONES(LogSoftMaxBackward, double)

// ---- around them ----------------------------------------------------------------------------------------

constexpr int64_t kTile = 64;     // columns of a tile
constexpr int64_t kShortRow = 32;

// Element (k, i), line k and column i, is at data[k * line + i * column].
template <class T>
struct Block {
  T *data;
  int64_t line, column;
};

template <class To, class From>
void convert(Block<To> to, Block<From> from, int64_t n, int64_t width) {
  if (to.column == 1 && from.column == 1) {
    for (int64_t k = 0; k < n; k++)
      for (int64_t i = 0; i < width; i++) to.data[k * to.line + i] = To(from.data[k * from.line + i]);
  } else {
    for (int64_t i = 0; i < width; i++)
      for (int64_t k = 0; k < n; k++)
        to.data[k * to.line + i * to.column] = To(from.data[k * from.line + i * from.column]);
  }
}

// Long rows are solved where they are, and so are tiles of columns. Of rows too short for the
// vectoriser as many as a tile has columns are turned into one; half types are converted.
template <class Kernel, class T>
void apply(T *r, const T *x, const T *y, int64_t outer, int64_t n, int64_t inner) {
  using C = Compute<T>;
  constexpr bool converts = !std::is_same_v<T, C>;
  const bool turned = inner == 1 && n <= kShortRow;
  const bool isRow = inner == 1 && !turned;
  // One problem per column; columns are `column` apart, lines `line`.
  const int64_t columns = turned ? outer : inner, column = turned ? n : 1, line = turned ? 1 : inner;
  const int64_t groups = turned ? 1 : outer, tiles = (columns + kTile - 1) / kTile, widest = std::min(columns, kTile);
  const int64_t grain = std::max<int64_t>(1, kGrain / 4 / (n * widest));
  parallelFor(groups * tiles, grain, [=](int64_t begin, int64_t end) {
    const std::unique_ptr<C[]> memory(converts || turned ? new C[size_t(2 * n * widest)] : nullptr);
    const auto solve = [=](const C *a, const C *b, C *to, int64_t width, int64_t stride) {
      C first[kTile], second[kTile];
      if (isRow)
        row(Kernel(), a, b, to, n);
      else
        tile(Kernel(), a, b, to, n, width, stride, first, second);
    };
    for (int64_t t = begin; t < end; t++) {
      const int64_t i = t % tiles * kTile, start = t / tiles * n * inner + i * column;
      const int64_t width = std::min(kTile, columns - i);
      if (converts || turned) {
        const Block<C> a{memory.get(), width, 1}, b{memory.get() + n * width, width, 1};
        convert(a, Block<const T>{x + start, line, column}, n, width);
        if (y) convert(b, Block<const T>{y + start, line, column}, n, width);
        solve(a.data, b.data, a.data, width, width);
        convert(Block<T>{r + start, line, column}, a, n, width);
      } else if constexpr (!converts) {
        solve(x + start, y ? y + start : nullptr, r + start, width, inner);
      }
    }
  });
}

template <class Kernel, class T>
void alongDim(THTensor *r, const char *nameOfR, const THTensor *a, const char *nameOfA, const THTensor *b,
              int64_t dim) {
  const Input<T> x(a, nameOfA), y(b ? b : a, b ? "output" : nameOfA);
  if (b) requireSameShape(a, nameOfA, b, "output");
  const int d = TH_wrapDim(dim, a->ndim);
  checkOutput(r, kDtype<T>, nameOfR, a->ndim, a->size);
  Output<T> result(r, a->ndim, a->size, {a, b ? b : a});
  if (a->numel) {
    const int64_t n = a->ndim ? a->size[d] : 1;
    int64_t inner = 1;
    for (int k = d + 1; k < a->ndim; k++) inner *= a->size[k];
    apply<Kernel, T>(result.data(), x.data(), b ? y.data() : nullptr, a->numel / n / inner, n, inner);
  }
  result.finish();
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(SoftMax_updateOutput, floating, (THNNState *, const THTensor *input, THTensor *output, int64_t dim),
            thnn::alongDim<thnn::SoftMax, T>(output, "output", input, "input", nullptr, dim))
THNN_DEFINE(LogSoftMax_updateOutput, floating, (THNNState *, const THTensor *input, THTensor *output, int64_t dim),
            thnn::alongDim<thnn::LogSoftMax, T>(output, "output", input, "input", nullptr, dim))
THNN_DEFINE(SoftMax_updateGradInput, floating,
            (THNNState *, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output, int64_t dim),
            thnn::alongDim<thnn::SoftMaxBackward, T>(gradInput, "gradInput", gradOutput, "gradOutput", output, dim))
THNN_DEFINE(LogSoftMax_updateGradInput, floating,
            (THNNState *, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output, int64_t dim),
            thnn::alongDim<thnn::LogSoftMaxBackward, T>(gradInput, "gradInput", gradOutput, "gradOutput", output, dim))
