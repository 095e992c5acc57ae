// Images of other sizes: a line of the result is a mixture of the input's lines, whose elements are then mixed. A gradient
// is the same with each dimension's matrix transposed, so that nothing is scattered: each element of a result is one
// thread's sum.
#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <type_traits>
#include <THNN/THNN.h>

#include "kit/computed.hpp"
#include "kit/parallel.hpp"
#include "upsampling.hpp"

namespace thnn {
namespace {

template <class C>
struct Matrices {
  Taps<C> depth, height, width;
  int64_t inHeight, inWidth, inPlane;
  int64_t lines() const { return depth.rows * height.rows; }
  int64_t most() const { return depth.most * height.most; }
};

template <class C>
Matrices<C> forwardMatrices(const THNNUpSamplingPlan &p) {
  return {tapsOf<C>(p, 0), tapsOf<C>(p, 1), tapsOf<C>(p, 2),
          p.input[1],      p.input[2],      p.input[0] * p.input[1] * p.input[2]};
}

template <class C>
Matrices<C> backwardMatrices(const THNNUpSamplingPlan &p) {
  const Matrices<C> m = forwardMatrices<C>(p);
  return {transposed(m.depth, p.input[0]),
          transposed(m.height, p.input[1]),
          transposed(m.width, p.input[2]),
          p.output[1],
          p.output[2],
          p.output[0] * p.output[1] * p.output[2]};
}

// The lines of the input that line `line` of the result mixes; returns their number.
template <class C>
int64_t linesOf(const Matrices<C> &m, const C *plane, int64_t line, const C **lines, C *weights) {
  const int64_t d = line / m.height.rows, h = line % m.height.rows;
  int64_t n = 0;
  for (int64_t i = 0; i < m.depth.count[size_t(d)]; i++)
    for (int64_t j = 0; j < m.height.count[size_t(h)]; j++) {
      const size_t a = size_t(i * m.depth.rows + d), b = size_t(j * m.height.rows + h);
      lines[n] = plane + (int64_t(m.depth.index[a]) * m.inHeight + m.height.index[b]) * m.inWidth;
      weights[n++] = m.depth.weight[a] * m.height.weight[b];
    }
  return n;
}

template <class C>
void resamplePlanes(const Matrices<C> &m, int64_t planes, const C *x, C *y) {
  const auto &loops = upSamplingLoops<C>();
  const int64_t width = m.width.rows, lines = m.lines();
  const int64_t cost = m.most() * m.inWidth + m.width.most * width;
  const bool copies = m.depth.plain && m.height.plain && m.width.plain;
  parallelFor(planes * lines, std::max<int64_t>(1, kGrain / cost), [&](int64_t begin, int64_t end) {
    const std::unique_ptr<C[]> mixed(new C[size_t(m.inWidth)]), weights(new C[size_t(m.most())]);
    const std::unique_ptr<const C *[]> from(new const C *[size_t(m.most())]);
    const C *last = nullptr;
    for (int64_t i = begin; i < end; i++) {
      C *const to = y + i * width;
      const int64_t n = linesOf(m, x + i / lines * m.inPlane, i % lines, from.get(), weights.get());
      if (copies && from[0] == last) {
        std::memcpy(to, to - width, size_t(width) * sizeof(C));
        continue;
      }
      last = from[0];
      if (!n) {
        std::fill_n(to, width, C(0));
      } else if (n == 1 && weights[0] == 1) {
        loops.resample(m.width, from[0], to);
      } else {
        loops.mix(from.get(), weights.get(), n, m.inWidth, mixed.get());
        loops.resample(m.width, mixed.get(), to);
      }
    }
  });
}

// Elements of any type, each copied from where it comes from.
template <class T>
void copyPlanes(const Matrices<float> &m, int64_t planes, const T *x, T *y) {
  const int64_t width = m.width.rows, lines = m.lines();
  parallelFor(planes * lines, std::max<int64_t>(1, kGrain / width), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      const int64_t d = i % lines / m.height.rows, h = i % m.height.rows;
      const T *const from = x + i / lines * m.inPlane +
                            (int64_t(m.depth.index[size_t(d)]) * m.inHeight + m.height.index[size_t(h)]) * m.inWidth;
      T *const to = y + i * width;
      for (int64_t w = 0; w < width; w++) to[w] = from[m.width.index[size_t(w)]];
    }
  });
}

// ---- uint8, whose weights are integers ---------------------------------------------------------------------------

// The element that row o makes of those that are `step` apart from `x` on.
uint8_t elementOf(const FixedTaps &fixed, int64_t o, const uint8_t *x, int64_t step) {
  const Taps<double> &taps = fixed.taps;
  int64_t sum = int64_t(1) << (fixed.bits - 1);
  for (int64_t k = 0; k < taps.count[size_t(o)]; k++) {
    const size_t i = size_t(k * taps.rows + o);
    sum += int64_t(fixed.weight[i]) * x[taps.index[i] * step];
  }
  return uint8_t(std::clamp<int64_t>(sum >> fixed.bits, 0, 255));
}

void resampleBytes(const THNNUpSamplingPlan &p, const uint8_t *x, uint8_t *y) {
  const Taps<double> rows = tapsOf<double>(p, 1), columns = tapsOf<double>(p, 2);
  const FixedTaps height(rows), width(columns);
  const int64_t in = p.input[1] * p.input[2], out = rows.rows * columns.rows;
  const int64_t cost = (p.input[1] * columns.most + rows.rows * rows.most) * columns.rows;
  parallelFor(p.planes, std::max<int64_t>(1, kGrain / cost), [&](int64_t begin, int64_t end) {
    const std::unique_ptr<uint8_t[]> narrow(new uint8_t[size_t(p.input[1] * columns.rows)]);
    for (int64_t plane = begin; plane < end; plane++) {
      for (int64_t h = 0; h < p.input[1]; h++)
        for (int64_t w = 0; w < columns.rows; w++)
          narrow[size_t(h * columns.rows + w)] = elementOf(width, w, x + plane * in + h * p.input[2], 1);
      for (int64_t h = 0; h < rows.rows; h++)
        for (int64_t w = 0; w < columns.rows; w++)
          y[plane * out + h * columns.rows + w] = elementOf(height, h, narrow.get() + w, columns.rows);
    }
  });
}

// ---- the functions ----------------------------------------------------------------------------------------------

template <class T>
void updateOutput(const THTensor *input, THTensor *output, THNNUpSamplingPlan plan, int n, const int64_t *size) {
  using C = Compute<T>;
  if (!THNNPrepare_UpSampling_updateOutput(&plan, DtypeOf<T>::value, input, output, n, size))
    return resizeResults(&plan.result);
  if (plan.mode <= THNN_NEAREST_EXACT && !std::is_same_v<C, float> && !std::is_same_v<C, double>) {
    const Elements<T> x(input);
    into<T>(plan.result, {input}, [&](T *y) { copyPlanes(forwardMatrices<float>(plan), plan.planes, x.data(), y); });
  } else if constexpr (std::is_same_v<T, uint8_t>) {
    const Elements<T> x(input);
    into<T>(plan.result, {input}, [&](T *y) { resampleBytes(plan, x.data(), y); });
  } else if constexpr (std::is_floating_point_v<C>) {
    const Elements<C> x(input);
    into<C>(plan.result, {input}, [&](C *y) { resamplePlanes(forwardMatrices<C>(plan), plan.planes, x.data(), y); });
  }
}

template <class T>
void updateGradInput(const THTensor *gradOutput, THTensor *gradInput, THNNUpSamplingPlan plan, int n,
                     const int64_t *size) {
  using C = Compute<T>;
  if (!THNNPrepare_UpSampling_updateGradInput(&plan, DtypeOf<T>::value, gradOutput, gradInput, n, size))
    return resizeResults(&plan.result);
  const Elements<C> gy(gradOutput);
  into<C>(plan.result, {gradOutput},
          [&](C *gx) { resamplePlanes(backwardMatrices<C>(plan), plan.planes, gy.data(), gx); });
}

THNNUpSamplingPlan planOf(int mode, bool align_corners, double d = 0, double h = 0, double w = 0) {
  THNNUpSamplingPlan plan;
  plan.mode = THNNUpSamplingMode(mode);
  plan.align_corners = align_corners;
  plan.scale[0] = d;
  plan.scale[1] = h;
  plan.scale[2] = w;
  return plan;
}

// ---- by the names of 2017: everything is n dimensions of planes ----------------------------------------------------

void requireSpatial(const THTensor *t, int n, const char *name) {
  if (t->ndim != n + 2)
    THError(TH_ERROR_RUNTIME, "%dD %s tensor expected but got: %s", n + 2, name, shapeString(t).c_str());
}

template <class T>
void nearestByFactor(const THTensor *input, THTensor *output, int n, int factor) {
  requireSpatial(input, n, "input");
  if (factor < 1) THError(TH_ERROR_RUNTIME, "scale_factor must be at least 1, got %d", factor);
  int64_t size[3];
  for (int d = 0; d < n; d++) size[d] = input->size[2 + d] * factor;
  updateOutput<T>(input, output, planOf(THNN_NEAREST, false), n, size);
}

template <class T>
void nearestByFactorGradient(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, int n,
                             int factor) {
  requireSpatial(input, n, "input");
  requireSpatial(gradOutput, n, "gradOutput");
  if (factor < 1) THError(TH_ERROR_RUNTIME, "scale_factor must be at least 1, got %d", factor);
  for (int d = 0; d < n + 2; d++)
    if (gradOutput->size[d] != input->size[d] * (d < 2 ? 1 : factor))
      THError(TH_ERROR_RUNTIME, "gradOutput of shape %s is not of an input of shape %s, %d times as large",
              shapeString(gradOutput).c_str(), shapeString(input).c_str(), factor);
  updateGradInput<T>(gradOutput, gradInput, planOf(THNN_NEAREST, false), n, input->size + 2);
}

template <class T>
void linearGradient(const THTensor *gradOutput, THTensor *gradInput, int n, std::initializer_list<int64_t> expected,
                    const int64_t *size, bool align_corners) {
  requireSpatial(gradOutput, n, "gradOutput");
  if (!std::equal(expected.begin(), expected.end(), gradOutput->size))
    THError(TH_ERROR_RUNTIME, "gradOutput must have shape %s, but got %s", shapeString(n + 2, expected.begin()).c_str(),
            shapeString(gradOutput).c_str());
  updateGradInput<T>(gradOutput, gradInput, planOf(THNN_LINEAR, align_corners), n, size);
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(UpSampling_updateOutput, number,
            (THNNState *, const THTensor *input, THTensor *output, int mode, bool align_corners, int nsize,
             const int64_t *size, double scale_d, double scale_h, double scale_w),
            thnn::updateOutput<T>(input, output, thnn::planOf(mode, align_corners, scale_d, scale_h, scale_w), nsize,
                                  size))

THNN_DEFINE(UpSampling_updateGradInput, floating,
            (THNNState *, const THTensor *gradOutput, THTensor *gradInput, int mode, bool align_corners, int nsize,
             const int64_t *size, double scale_d, double scale_h, double scale_w),
            thnn::updateGradInput<T>(gradOutput, gradInput,
                                     thnn::planOf(mode, align_corners, scale_d, scale_h, scale_w), nsize, size))

THNN_DEFINE(SpatialUpSamplingNearest_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, int scale_factor),
            thnn::nearestByFactor<T>(input, output, 2, scale_factor))
THNN_DEFINE(SpatialUpSamplingNearest_updateGradInput, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, int scale_factor),
            thnn::nearestByFactorGradient<T>(input, gradOutput, gradInput, 2, scale_factor))
THNN_DEFINE(VolumetricUpSamplingNearest_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, int scale_factor),
            thnn::nearestByFactor<T>(input, output, 3, scale_factor))
THNN_DEFINE(VolumetricUpSamplingNearest_updateGradInput, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, int scale_factor),
            thnn::nearestByFactorGradient<T>(input, gradOutput, gradInput, 3, scale_factor))

THNN_DEFINE(SpatialUpSamplingBilinear_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, int outputHeight, int outputWidth,
             bool align_corners),
            const int64_t size[] = {outputHeight, outputWidth};
            thnn::updateOutput<T>(input, output, thnn::planOf(THNN_LINEAR, align_corners), 2, size))
THNN_DEFINE(SpatialUpSamplingBilinear_updateGradInput, floating,
            (THNNState *, const THTensor *gradOutput, THTensor *gradInput, int batch, int channels, int inputHeight,
             int inputWidth, int outputHeight, int outputWidth, bool align_corners),
            const int64_t size[] = {inputHeight, inputWidth};
            thnn::linearGradient<T>(gradOutput, gradInput, 2, {batch, channels, outputHeight, outputWidth}, size,
                                    align_corners))
THNN_DEFINE(VolumetricUpSamplingTrilinear_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, int outputDepth, int outputHeight, int outputWidth,
             bool align_corners),
            const int64_t size[] = {outputDepth, outputHeight, outputWidth};
            thnn::updateOutput<T>(input, output, thnn::planOf(THNN_LINEAR, align_corners), 3, size))
THNN_DEFINE(VolumetricUpSamplingTrilinear_updateGradInput, floating,
            (THNNState *, const THTensor *gradOutput, THTensor *gradInput, int batch, int channels, int inputDepth,
             int inputHeight, int inputWidth, int outputDepth, int outputHeight, int outputWidth, bool align_corners),
            const int64_t size[] = {inputDepth, inputHeight, inputWidth};
            thnn::linearGradient<T>(gradOutput, gradInput, 3, {batch, channels, outputDepth, outputHeight, outputWidth},
                                    size, align_corners))
