// Layer and RMS normalisation.
#include "rows.hpp"

namespace thnn {
namespace {

// Layer norm; without save_mean RMS norm.
template <class T>
void rowsForward(const THTensor *input, THTensor *output, const THTensor *weight, const THTensor *bias,
                 THTensor *save_mean, THTensor *save_std, int nshape, const int64_t *shape, double eps) {
  using C = Compute<T>;
  THNNNormalizationPlan plan;
  if (!THNNPrepare_LayerNormalization_updateOutput(&plan, DtypeOf<T>::value, input, output, weight, bias, save_mean,
                                                   save_std, nshape, shape)) {
    for (THResult &r : plan.result)
      if (r.tensor) resizeResults(&r);
    return;
  }
  const Elements<T> x(input);
  const Elements<C> w(weight), b(bias);
  const int64_t n = plan.inner;
  const auto run = [&](T *y, C *mean, C *std) {
    parallelFor(plan.batch, grainOf(n), [&](int64_t from, int64_t to) {
      inBlocks<!std::is_same_v<C, T>>(from, to, n, [&](int64_t begin, int64_t end) {
        const int64_t at = begin * n, count = end - begin;
        const Read<C, T> rows(x.data() + at, count * n);
        const Write<C, T> output(y + at, count * n);
        loopOf<C>().rowsForward(
            {rows.data(), w.data(), b.data(), output.data(), mean ? mean + begin : nullptr, std + begin, n, n, 1, eps},
            0, count);
        output.finish();
      });
    });
  };
  intoWanted<C>(plan.result[1], {input}, [&](C *mean) {
    into<C>(plan.result[2], {input}, [&](C *std) {
      into<T>(plan.result[0], {input, weight ? weight : input, bias ? bias : input}, [&](T *y) { run(y, mean, std); });
    });
  });
}

template <class T>
void rowsBackward(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, THTensor *gradWeight,
                  THTensor *gradBias, const THTensor *weight, const THTensor *save_mean, const THTensor *save_std,
                  int nshape, const int64_t *shape) {
  using C = Compute<T>;
  THNNNormalizationPlan plan;
  if (!THNNPrepare_LayerNormalization_backward(&plan, DtypeOf<T>::value, input, gradOutput, gradInput, gradWeight,
                                               gradBias, weight, save_mean, save_std, nshape, shape)) {
    for (THResult &r : plan.result)
      if (r.tensor) resizeResults(&r);
    return;
  }
  const Elements<T> x(input), g(gradOutput);
  const Elements<C> w(weight), mean(save_mean), std(save_std);
  const auto inputs = {input, gradOutput, save_std, save_mean ? save_mean : input, weight ? weight : input};
  intoWanted<T>(plan.result[0], inputs, [&](T *gx) {
    intoWanted<C>(plan.result[1], inputs, [&](C *gWeight) {
      intoWanted<C>(plan.result[2], inputs, [&](C *gBias) {
        const RowsBackward<C> rows{.weight = w.data(),
                                   .mean = mean.data(),
                                   .std = std.data(),
                                   .n = plan.inner,
                                   .stride = plan.inner,
                                   .statistics = 1};
        rowsGradient(Lines<C, T>{x.data(), g.data(), gx, rows}, plan.batch, gWeight, gBias);
      });
    });
  });
}
}  // namespace
}  // namespace thnn

THNN_DEFINE(LayerNormalization_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, const THNullableTensor *weight,
             const THNullableTensor *bias, THTensor *save_mean, THTensor *save_std, int nnormalized_shape,
             const int64_t *normalized_shape, double eps),
            thnn::rowsForward<T>(input, output, weight, bias, save_mean, save_std, nnormalized_shape, normalized_shape,
                                 eps))
THNN_DEFINE(LayerNormalization_backward, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THNullableTensor *gradInput,
             THNullableTensor *gradWeight, THNullableTensor *gradBias, const THNullableTensor *weight,
             const THTensor *save_mean, const THTensor *save_std, int nnormalized_shape,
             const int64_t *normalized_shape),
            thnn::rowsBackward<T>(input, gradOutput, gradInput, gradWeight, gradBias, weight, save_mean, save_std,
                                  nnormalized_shape, normalized_shape))

THNN_DEFINE(RMSNormalization_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, const THNullableTensor *weight, THTensor *save_std,
             int nnormalized_shape, const int64_t *normalized_shape, double eps),
            thnn::rowsForward<T>(input, output, weight, nullptr, nullptr, save_std, nnormalized_shape, normalized_shape,
                                 eps))
THNN_DEFINE(RMSNormalization_backward, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THNullableTensor *gradInput,
             THNullableTensor *gradWeight, const THNullableTensor *weight, const THTensor *save_std,
             int nnormalized_shape, const int64_t *normalized_shape),
            thnn::rowsBackward<T>(input, gradOutput, gradInput, gradWeight, nullptr, weight, nullptr, save_std,
                                  nnormalized_shape, normalized_shape))
