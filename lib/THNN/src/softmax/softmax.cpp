// SoftMax and LogSoftMax along any dimension.
#include "softmax.hpp"

#include <algorithm>
#include <memory>

#include "kit/module.hpp"
#include "kit/convert.hpp"
#include "kit/parallel.hpp"
#include "kit/prepare.hpp"

namespace thnn {
namespace {

constexpr int64_t kShortRow = 32;

// Element (k, i), line k and column i, is at data[k * line + i * column].
template <class T>
struct Block {
  T *data;
  int64_t line, column;
};

template <class To, class From>
void convert(Block<To> to, Block<const From> from, int64_t n, int64_t width) {
  if (to.column == 1 && from.column == 1) {
    const Convert run = converter(DtypeOf<To>::value, DtypeOf<From>::value);
    if (to.line == width && from.line == width) return run(to.data, from.data, n * width);
    for (int64_t k = 0; k < n; k++) run(to.data + k * to.line, from.data + k * from.line, width);
  } else {
    for (int64_t i = 0; i < width; i++)
      for (int64_t k = 0; k < n; k++)
        to.data[k * to.line + i * to.column] = To(from.data[k * from.line + i * from.column]);
  }
}

// Long rows are solved where they are, and so are tiles of columns. Of rows too short for the
// vectoriser as many as a tile has columns are turned into one; half types are converted.
template <class T>
void apply(const DimLoop<Compute<T>> &loop, T *r, const T *x, const T *y, int64_t outer, int64_t n, int64_t inner) {
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
      if (isRow)
        loop.row(a, b, to, n);
      else
        loop.tile(a, b, to, n, width, stride);
    };
    for (int64_t t = begin; t < end; t++) {
      const int64_t i = t % tiles * kTile, start = t / tiles * n * inner + i * column;
      const int64_t width = std::min(kTile, columns - i);
      if (converts || turned) {
        const Block<C> a{memory.get(), width, 1}, b{memory.get() + n * width, width, 1};
        convert<C, T>(a, {x + start, line, column}, n, width);
        if (y) convert<C, T>(b, {y + start, line, column}, n, width);
        solve(a.data, b.data, a.data, width, width);
        convert<T, C>({r + start, line, column}, {a.data, width, 1}, n, width);
      } else if constexpr (!converts) {
        solve(x + start, y ? y + start : nullptr, r + start, width, inner);
      }
    }
  });
}

template <class T>
void alongDim(const DimLoops &loops, const THRowsPlan &plan, const THTensor *a, const THTensor *b) {
  constexpr THDtype dtype = DtypeOf<T>::value;
  if (!hasMemory(plan.result->tensor)) return resizeResults(plan.result);
  const Ref x = contiguousAs(dtype, a), y = b ? contiguousAs(dtype, b) : Ref();
  Output result(plan.result, 1, {a, b ? b : a});
  if (a->numel)
    apply<T>(loopOf<Compute<T>>(loops), result.data<T>(), elements<T>(x), b ? elements<T>(y) : nullptr,
             plan.rows.count / plan.rows.stride, plan.rows.length, plan.rows.stride);
  result.finish();
}

template <class T>
void forward(const DimLoops &loops, const THTensor *input, THTensor *output, int64_t dim) {
  THRowsPlan plan;
  THNNPrepare_softMax(&plan, DtypeOf<T>::value, input, output, dim);
  alongDim<T>(loops, plan, input, nullptr);
}

template <class T>
void backward(const DimLoops &loops, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output,
              int64_t dim) {
  THRowsPlan plan;
  THNNPrepare_softMaxGradient(&plan, DtypeOf<T>::value, gradOutput, gradInput, output, dim);
  alongDim<T>(loops, plan, gradOutput, output);
}

}  // namespace
}  // namespace thnn

#define FORWARD (THNNState *, const THTensor *input, THTensor *output, int64_t dim)
#define BACKWARD (THNNState *, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output, int64_t dim)
THNN_DEFINE(SoftMax_updateOutput, floating, FORWARD, thnn::forward<T>(thnn::softMax(), input, output, dim))
THNN_DEFINE(LogSoftMax_updateOutput, floating, FORWARD, thnn::forward<T>(thnn::logSoftMax(), input, output, dim))
THNN_DEFINE(SoftMax_updateGradInput, floating, BACKWARD,
            thnn::backward<T>(thnn::softMaxBackward(), gradOutput, gradInput, output, dim))
THNN_DEFINE(LogSoftMax_updateGradInput, floating, BACKWARD,
            thnn::backward<T>(thnn::logSoftMaxBackward(), gradOutput, gradInput, output, dim))
