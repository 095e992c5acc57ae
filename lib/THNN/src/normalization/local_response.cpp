// Normalisation by neighbouring channels.
#include "elements.hpp"

namespace thnn {
namespace {

// Calls run(offset, width) for tiles of columns.
template <class Run>
void forTiles(const THNNNormalizationPlan &plan, const Run &run) {
  const int64_t tiles = (plan.inner + kLrnTile - 1) / kLrnTile;
  parallelFor(plan.batch * tiles, grainOf(plan.channels * std::min(kLrnTile, plan.inner)),
              [&](int64_t begin, int64_t end) {
                for (int64_t t = begin; t < end; t++) {
                  const int64_t i = t % tiles * kLrnTile;
                  run(t / tiles * plan.channels * plan.inner + i, std::min(kLrnTile, plan.inner - i));
                }
              });
}

template <class T>
void lrnForward(const THTensor *input, THTensor *output, THTensor *scale, int64_t size, double alpha, double beta,
                double k) {
  using C = Compute<T>;
  THNNNormalizationPlan plan;
  if (!THNNPrepare_SpatialCrossMapLRN_updateOutput(&plan, DtypeOf<T>::value, input, output, scale, size))
    return resizeResults(plan.result, 2);
  const Elements<C> x(input);
  into<C>(plan.result[1], {input}, [&](C *s) {
    into<C>(plan.result[0], {input}, [&](C *y) {
      forTiles(plan, [&](int64_t at, int64_t width) {
        loopOf<C>().lrnForward(x.data() + at, y + at, s + at, plan.channels, width, plan.inner, size,
                               C(alpha / double(size)), beta, C(k));
      });
    });
  });
}

template <class T>
void lrnBackward(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, const THTensor *scale,
                 int64_t size, double alpha, double beta) {
  using C = Compute<T>;
  THNNNormalizationPlan plan;
  if (!THNNPrepare_SpatialCrossMapLRN_updateGradInput(&plan, DtypeOf<T>::value, input, gradOutput, gradInput, scale,
                                                      size))
    return resizeResults(plan.result);
  const Elements<C> x(input), g(gradOutput), s(scale);
  into<C>(plan.result[0], {input, gradOutput, scale}, [&](C *gx) {
    forTiles(plan, [&](int64_t at, int64_t width) {
      const auto ratios = memory<C>(plan.channels * width);
      loopOf<C>().lrnBackward(x.data() + at, g.data() + at, s.data() + at, gx + at, ratios.get(), plan.channels, width,
                              plan.inner, size, C(alpha / double(size)), beta);
    });
  });
}
}  // namespace
}  // namespace thnn

THNN_DEFINE(SpatialCrossMapLRN_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, THTensor *scale, int64_t size, double alpha,
             double beta, double k),
            thnn::lrnForward<T>(input, output, scale, size, alpha, beta, k))
THNN_DEFINE(SpatialCrossMapLRN_updateGradInput, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, const THTensor *scale,
             int64_t size, double alpha, double beta),
            thnn::lrnBackward<T>(input, gradOutput, gradInput, scale, size, alpha, beta))
