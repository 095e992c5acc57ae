// Group normalisation.
#include <cmath>

#include "rows.hpp"

namespace thnn {
namespace {

// Groups are rows, too; where their channels are short, weights are spread to all elements of them.
Layout ofElements(const THNNNormalizationPlan &plan) {
  return {plan.batch, plan.channels, plan.inner, true, plan.inner};
}

template <class C>
std::unique_ptr<C[]> spreadWeights(const Layout &layout, const C *weight) {
  if (!weight) return nullptr;
  auto made = memory<C>(layout.width());
  spread(layout, made.get(), [weight](int64_t c) { return weight[c]; });
  return made;
}
template <class C>
C *from(const std::unique_ptr<C[]> &elements, int64_t at) {
  return elements ? elements.get() + at : nullptr;
}

template <class C, class T>
void shortGroupsGradient(const THNNNormalizationPlan &plan, int64_t groups, const T *x, const T *g, const C *w,
                         const C *mean, const C *std, T *gx, C *gWeight, C *gBias) {
  const Layout layout = ofElements(plan);
  const int64_t size = layout.width() / groups;
  const auto weights = spreadWeights(layout, w);
  const auto gWeights = gWeight ? memory<C>(layout.width()) : nullptr,
             gBiases = gBias ? memory<C>(layout.width()) : nullptr;
  for (int64_t group = 0; group < groups; group++) {
    const int64_t at = group * size;
    const RowsBackward<C> rows{.weight = from(weights, at),
                               .mean = mean + group,
                               .std = std + group,
                               .n = size,
                               .stride = groups * size,
                               .statistics = groups};
    rowsGradient(Lines<C, T>{x + at, g + at, gx ? gx + at : nullptr, rows}, plan.batch, from(gWeights, at),
                 from(gBiases, at));
  }
  const auto fold = [&](const std::unique_ptr<C[]> &each, C *to) {
    for (int64_t c = 0; to && c < layout.channels; c++) {
      double total = 0;
      for (int64_t j = c * layout.fold; j < (c + 1) * layout.fold; j++) total += double(each[size_t(j)]);
      to[c] = C(total);
    }
  };
  fold(gWeights, gWeight);
  fold(gBiases, gBias);
}

template <class T>
void groupForward(const THTensor *input, THTensor *output, const THTensor *weight, const THTensor *bias,
                  THTensor *save_mean, THTensor *save_std, int64_t groups, double eps) {
  using C = Compute<T>;
  THNNNormalizationPlan plan;
  if (!THNNPrepare_GroupNormalization_updateOutput(&plan, DtypeOf<T>::value, input, output, weight, bias, save_mean,
                                                   save_std, groups))
    return resizeResults(plan.result, 3);
  const Elements<T> x(input);
  const Elements<C> w(weight), b(bias);
  const int64_t channels = plan.channels / groups, size = channels * plan.inner;
  const NormLoop<C> &loop = loopOf<C>();
  const auto run = [&](T *y, C *mean, C *std) {
    if (plan.inner < kShort) {
      const Layout layout = ofElements(plan);
      const auto weights = spreadWeights(layout, w.data()), biases = spreadWeights(layout, b.data());
      return parallelFor(plan.batch * groups, grainOf(size), [&](int64_t begin, int64_t end) {
        for (int64_t t = begin; t < end; t++) {
          const int64_t at = t % groups * size;
          const Read<C, T> row(x.data() + t * size, size);
          const Write<C, T> output(y + t * size, size);
          loop.rowsForward(
              {row.data(), from(weights, at), from(biases, at), output.data(), mean + t, std + t, size, size, 1, eps},
              0, 1);
          output.finish();
        }
      });
    }
    parallelFor(plan.batch * groups, grainOf(size), [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; t++) {
        const Read<C, T> group(x.data() + t * size, size);
        const Write<C, T> output(y + t * size, size);
        const Moments m = loop.moments(group.data(), size);
        mean[t] = C(m.mean);
        std[t] = C(1 / std::sqrt(m.squares / double(size) + eps));
        for (int64_t c = 0; c < channels; c++) {
          const int64_t at = c * plan.inner, channel = t % groups * channels + c;
          loop.scale(group.data() + at, output.data() + at, plan.inner, mean[t],
                     w.data() ? std[t] * w.data()[channel] : std[t], b.data() ? b.data()[channel] : 0);
        }
        output.finish();
      }
    });
  };
  into<C>(plan.result[1], {input}, [&](C *mean) {
    into<C>(plan.result[2], {input}, [&](C *std) {
      into<T>(plan.result[0], {input, weight ? weight : input, bias ? bias : input}, [&](T *y) { run(y, mean, std); });
    });
  });
}

template <class T>
void groupBackward(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, THTensor *gradWeight,
                   THTensor *gradBias, const THTensor *weight, const THTensor *save_mean, const THTensor *save_std,
                   int64_t groups) {
  using C = Compute<T>;
  THNNNormalizationPlan plan;
  if (!THNNPrepare_GroupNormalization_backward(&plan, DtypeOf<T>::value, input, gradOutput, gradInput, gradWeight,
                                               gradBias, weight, save_mean, save_std, groups)) {
    for (THResult &r : plan.result)
      if (r.tensor) resizeResults(&r);
    return;
  }
  const Elements<T> x(input), g(gradOutput);
  const Elements<C> w(weight), mean(save_mean), std(save_std);
  const int64_t all = plan.channels, channels = all / groups, inner = plan.inner;
  const NormLoop<C> &loop = loopOf<C>();
  std::unique_ptr<GradientSums[]> sums;
  // The formula of rows, with the sums of whole channels.
  const auto run = [&](T *gx) {
    parallelFor(plan.batch * groups, grainOf(channels * inner), [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; t++) {
        const int64_t first = t * channels, size = channels * inner;
        const Read<C, T> grad(g.data() + first * inner, size), group(x.data() + first * inner, size);
        const C *const weights = w.data() ? w.data() + t % groups * channels : nullptr;
        double plain = 0, weighted = 0;
        for (int64_t c = 0; c < channels; c++) {
          const GradientSums s = loop.sums(grad.data() + c * inner, group.data() + c * inner, inner, mean.data()[t]);
          sums[size_t(first + c)] = s;
          const double factor = weights ? double(weights[c]) : 1;
          plain += factor * s.plain;
          weighted += factor * s.weighted;
        }
        if (!gx) continue;
        const C over = std.data()[t];
        const double by = -double(over) / double(size);
        Combination<C> of{mean.data()[t], over, C(weighted * double(over) * double(over) * by), C(plain * by)};
        const Write<C, T> output(gx + first * inner, size);
        for (int64_t c = 0; c < channels; c++) {
          const int64_t at = c * inner;
          if (weights) of.a = over * weights[c];
          loop.combine(grad.data() + at, group.data() + at, output.data() + at, inner, of);
        }
        output.finish();
      }
    });
  };
  const auto inputs = {input, gradOutput, save_mean, save_std, weight ? weight : input};
  if (inner < kShort) {
    intoWanted<T>(plan.result[0], inputs, [&](T *gx) {
      intoWanted<C>(plan.result[1], inputs, [&](C *gWeight) {
        intoWanted<C>(plan.result[2], inputs, [&](C *gBias) {
          shortGroupsGradient(plan, groups, x.data(), g.data(), w.data(), mean.data(), std.data(), gx, gWeight, gBias);
        });
      });
    });
    return;
  }
  sums = memory<GradientSums>(plan.batch * all);
  intoWanted<T>(plan.result[0], inputs, run);
  const auto fill = [&](THResult &result, const auto &value) {
    if (result.tensor)
      into<C>(result, inputs, [&](C *to) {
        for (int64_t c = 0; c < all; c++) {
          double total = 0;
          for (int64_t n = 0; n < plan.batch; n++) total += value(sums[size_t(n * all + c)], n * groups + c / channels);
          to[c] = C(total);
        }
      });
  };
  fill(plan.result[1], [&](const GradientSums &s, int64_t group) { return s.weighted * double(std.data()[group]); });
  fill(plan.result[2], [](const GradientSums &s, int64_t) { return s.plain; });
}
}  // namespace
}  // namespace thnn

THNN_DEFINE(GroupNormalization_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, const THNullableTensor *weight,
             const THNullableTensor *bias, THTensor *save_mean, THTensor *save_std, int64_t groups, double eps),
            thnn::groupForward<T>(input, output, weight, bias, save_mean, save_std, groups, eps))
THNN_DEFINE(GroupNormalization_backward, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THNullableTensor *gradInput,
             THNullableTensor *gradWeight, THNullableTensor *gradBias, const THNullableTensor *weight,
             const THTensor *save_mean, const THTensor *save_std, int64_t groups),
            thnn::groupBackward<T>(input, gradOutput, gradInput, gradWeight, gradBias, weight, save_mean, save_std,
                                   groups))
