// Batch normalisation.
//
// Work is cut by shape alone, and what the parts sum is added up in their order: results do not depend on how many
// threads there are.
#include <cmath>

#include "elements.hpp"
#include "kit/images.hpp"

namespace thnn {
namespace {

bool areChannelsInnermost(const THTensor *t) {
  if (t->ndim < 3 || t->stride[1] != 1 || THTensor_isContiguous(t)) return false;
  int64_t stride = t->size[1];
  const auto follows = [&](int d) {
    const bool fits = t->size[d] == 1 || t->stride[d] == stride;
    stride *= t->size[d];
    return fits;
  };
  for (int d = t->ndim - 1; d >= 2; d--)
    if (!follows(d)) return false;
  return follows(0);
}

// Tensors of a batch normalisation as its loops see them; `result` may be NULL.
struct Images {
  Images(const THNNNormalizationPlan &plan, const THTensor *input, const THResult &result)
      : layout{plan.batch, plan.channels, plan.inner, false, 1}, result(result) {
    const THTensor *const r = result.tensor;
    if (plan.inner > 0 && plan.inner < kShort) {
      layout.columns = true;
      layout.fold = plan.inner;
    }
    turned_ = plan.inner > 1 && areChannelsInnermost(input) &&
              (!r || (sameShape(result.ndim, result.size, r) && areChannelsInnermost(r)));
    if (!turned_) return;
    layout.columns = true;
    layout.fold = 1;
    if (!r) return;
    own_ = withChannelsLast(r);
    setResult(this->result, own_, own_);
  }
  template <class C>
  Elements<C> elements(const THTensor *t) const {
    return turned_ ? Elements<C>(withChannelsLast(t)) : Elements<C>(t);
  }
  Layout layout;
  THResult result;

 private:
  bool turned_;
  Ref own_;
};

// Calls part(p, first column, columns, offset of their elements) for all parts of all columns; of planes one is a channel.
template <class Part>
void forParts(const Layout &layout, const Part &part) {
  const int64_t width = layout.width(), tiles = layout.columns ? (width + kTile - 1) / kTile : width;
  const int64_t size = layout.columns ? kLines * std::min(kTile, width) : layout.inner;
  parallelFor(layout.parts() * tiles, grainOf(size), [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; t++) {
      const int64_t p = t / tiles;
      if (!layout.columns) {
        part(p, t % tiles, 1, t * layout.inner);
        continue;
      }
      const int64_t c = t % tiles * kTile;
      part(p, c, std::min(kTile, width - c), p * kLines * width + c);
    }
  });
}

template <class C, class T>
std::unique_ptr<Moments[]> momentsOfChannels(const Layout &layout, const T *x) {
  const NormLoop<C> &loop = loopOf<C>();
  const int64_t width = layout.width(), parts = layout.parts();
  auto of = memory<Moments>(parts * width);
  forParts(layout, [&](int64_t p, int64_t c, int64_t columns, int64_t offset) {
    Moments *const to = of.get() + p * width + c;
    if (layout.columns) {
      const Read<C, T> part(x + offset, columns, layout.countOf(p), width);
      loop.momentsOfColumns(part.data(), layout.countOf(p), columns, part.stride(), to);
    } else {
      *to = loop.moments(Read<C, T>(x + offset, layout.inner).data(), layout.inner);
    }
  });
  if (parts * layout.fold == 1) return of;
  auto all = memory<Moments>(layout.channels);
  const double by = 1 / double(layout.count());
  for (int64_t c = 0; c < layout.channels; c++) {
    // Σ f(moments, numbers) over the parts.
    const auto sum = [&](const auto &f) {
      double total = 0;
      for (int64_t p = 0; p < parts; p++)
        for (int64_t j = c * layout.fold; j < (c + 1) * layout.fold; j++)
          total += f(of[size_t(p * width + j)], double(layout.countOf(p)));
      return total;
    };
    const double mean = by * sum([](const Moments &m, double count) { return m.mean * count; });
    all[size_t(c)] = {mean, sum([mean](const Moments &m, double count) {
                        return m.squares + (m.mean - mean) * (m.mean - mean) * count;
                      })};
  }
  return all;
}

template <class C, class T>
std::unique_ptr<GradientSums[]> sumsOfChannels(const Layout &layout, const T *g, const T *x, const C *mean) {
  const NormLoop<C> &loop = loopOf<C>();
  const int64_t width = layout.width(), parts = layout.parts();
  const auto of = memory<GradientSums>(parts * width);
  const auto means = memory<C>(width);
  spread(layout, means.get(), [mean](int64_t c) { return mean[c]; });
  forParts(layout, [&](int64_t p, int64_t c, int64_t columns, int64_t offset) {
    GradientSums *const to = of.get() + p * width + c;
    const int64_t lines = layout.columns ? layout.countOf(p) : 1, n = layout.columns ? columns : layout.inner;
    const Read<C, T> grad(g + offset, n, lines, width), input(x + offset, n, lines, width);
    if (layout.columns)
      loop.sumsOfColumns(grad.data(), input.data(), lines, n, grad.stride(), means.get() + c, to);
    else
      *to = loop.sums(grad.data(), input.data(), n, mean[c]);
  });
  auto all = memory<GradientSums>(layout.channels);
  std::fill_n(all.get(), layout.channels, GradientSums{});
  for (int64_t p = 0; p < parts; p++)
    for (int64_t c = 0; c < width; c++) {
      GradientSums &to = all[size_t(c / layout.fold)];
      to.plain += of[size_t(p * width + c)].plain;
      to.weighted += of[size_t(p * width + c)].weighted;
    }
  return all;
}

// ---- forward ---------------------------------------------------------------------------------------------
// Moves a running statistic, of any strides and dtype, to (1 - share) of itself and share of value(channel).
template <class C, class Value>
void approach(THTensor *running, double share, const Value &value) {
  if (!running) return;
  const Elements<C> old(running);
  const auto move = [&](C *to) {
    for (int64_t c = 0; c < running->numel; c++) to[c] = C((1 - share) * double(old.data()[c]) + share * value(c));
  };
  if (dtypeOf(running) == DtypeOf<C>::value && THTensor_isContiguous(running)) return move(elements<C>(running));
  const Ref own(newLike(running, DtypeOf<C>::value, running->ndim, running->size));
  move(elements<C>(own));
  THTensor_copy(running, own);
}

template <class C>
struct BatchStatistics {
  C *mean, *std;
};

template <class C, class T>
void batchStatistics(const Layout &layout, const T *x, THTensor *running_mean, THTensor *running_var, bool train,
                     double momentum, double eps, const BatchStatistics<C> &to) {
  const auto set = [&](int64_t c, double mean, double variance) {
    to.mean[c] = C(mean);
    to.std[c] = C(1 / std::sqrt(variance + eps));
  };
  if (!train) {
    const Elements<C> mean(running_mean), variance(running_var);
    for (int64_t c = 0; c < layout.channels; c++) set(c, double(mean.data()[c]), double(variance.data()[c]));
    return;
  }
  const double count = double(layout.count());
  if (!layout.count()) {
    for (int64_t c = 0; c < layout.channels; c++) set(c, 0, 0);
    return;
  }
  const auto of = momentsOfChannels<C>(layout, x);
  for (int64_t c = 0; c < layout.channels; c++) set(c, of[size_t(c)].mean, of[size_t(c)].squares / count);
  approach<C>(running_mean, momentum, [&](int64_t c) { return of[size_t(c)].mean; });
  approach<C>(running_var, momentum, [&](int64_t c) { return of[size_t(c)].squares / (count - 1); });
}

template <class C, class T>
void batchScale(const Layout &layout, const T *x, T *y, const C *weight, const C *bias, const BatchStatistics<C> &s) {
  const NormLoop<C> &loop = loopOf<C>();
  const int64_t width = layout.width();
  const auto own = memory<C>(3 * width);
  C *const mean = own.get(), *const factor = mean + width, *const offset = factor + width;
  spread(layout, mean, [&](int64_t c) { return s.mean[c]; });
  spread(layout, factor, [&](int64_t c) { return weight ? s.std[c] * weight[c] : s.std[c]; });
  spread(layout, offset, [&](int64_t c) { return bias ? bias[c] : 0; });
  if (layout.columns)
    parallelFor(layout.lines(), grainOf(width), [=](int64_t from, int64_t to) {
      inBlocks<!std::is_same_v<C, T>>(from, to, width, [=](int64_t begin, int64_t end) {
        const int64_t at = begin * width, n = (end - begin) * width;
        const Write<C, T> output(y + at, n);
        loop.scaleColumns(Read<C, T>(x + at, n).data(), output.data(), end - begin, width, mean, factor, offset);
        output.finish();
      });
    });
  else
    parallelFor(layout.batch * width, grainOf(layout.inner), [=](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; p++) {
        const int64_t c = p % width, at = p * layout.inner;
        const Write<C, T> output(y + at, layout.inner);
        loop.scale(Read<C, T>(x + at, layout.inner).data(), output.data(), layout.inner, mean[c], factor[c], offset[c]);
        output.finish();
      }
    });
}

template <class T>
void batchForward(const THTensor *input, THTensor *output, const THTensor *weight, const THTensor *bias,
                  THTensor *running_mean, THTensor *running_var, THTensor *save_mean, THTensor *save_std, bool train,
                  double momentum, double eps) {
  using C = Compute<T>;
  THNNNormalizationPlan plan;
  if (!THNNPrepare_BatchNormalization_updateOutput(&plan, DtypeOf<T>::value, input, output, weight, bias, running_mean,
                                                   running_var, save_mean, save_std, train))
    return resizeResults(plan.result, 3);
  Images images(plan, input, plan.result[0]);
  const Elements<T> x = images.elements<T>(input);
  const Elements<C> w(weight), b(bias);
  into<C>(plan.result[1], {input}, [&](C *mean) {
    into<C>(plan.result[2], {input}, [&](C *std) {
      const BatchStatistics<C> s{mean, std};
      into<T>(images.result, {input, weight ? weight : input, bias ? bias : input}, [&](T *y) {
        batchStatistics(images.layout, x.data(), running_mean, running_var, train, momentum, eps, s);
        batchScale(images.layout, x.data(), y, w.data(), b.data(), s);
      });
    });
  });
}

// With training, z = (x - mean) std and n numbers in a channel: (g - Σ g / n - z Σ g z / n) std weight. Else g std weight.
template <class C, class T>
void batchGradient(const Layout &layout, const T *g, const T *x, T *gx, const C *weight, const BatchStatistics<C> &s,
                   const GradientSums *sums) {
  const NormLoop<C> &loop = loopOf<C>();
  const int64_t width = layout.width();
  const auto own = memory<C>(4 * width);
  C *const mean = own.get(), *const a = mean + width, *const b = a + width, *const c = b + width;
  const auto factor = [&](int64_t i) { return weight ? s.std[i] * weight[i] : s.std[i]; };
  spread(layout, a, factor);
  if (sums) {
    const double by = -1 / double(layout.count());
    spread(layout, mean, [&](int64_t i) { return s.mean[i]; });
    spread(layout, b,
           [&](int64_t i) { return by * double(factor(i)) * sums[i].weighted * double(s.std[i]) * double(s.std[i]); });
    spread(layout, c, [&](int64_t i) { return by * double(factor(i)) * sums[i].plain; });
  }
  if (layout.columns) {
    parallelFor(layout.lines(), grainOf(width), [=](int64_t from, int64_t to) {
      inBlocks<!std::is_same_v<C, T>>(from, to, width, [=](int64_t begin, int64_t end) {
        const C *const by[4] = {mean, a, b, c};
        const int64_t at = begin * width, n = (end - begin) * width;
        const Read<C, T> grad(g + at, n), input(x + at, sums ? n : 0);
        const Write<C, T> output(gx + at, n);
        loop.combineColumns(grad.data(), sums ? input.data() : nullptr, output.data(), end - begin, width, by);
        output.finish();
      });
    });
    return;
  }
  parallelFor(layout.batch * width, grainOf(layout.inner), [=](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; p++) {
      const int64_t i = p % width, at = p * layout.inner, n = layout.inner;
      const Read<C, T> grad(g + at, n), input(x + at, sums ? n : 0);
      const Write<C, T> output(gx + at, n);
      loop.combine(grad.data(), sums ? input.data() : nullptr, output.data(), n,
                   sums ? Combination<C>{mean[i], a[i], b[i], c[i]} : Combination<C>{0, a[i], 0, 0});
      output.finish();
    }
  });
}

template <class T>
void batchBackward(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, THTensor *gradWeight,
                   THTensor *gradBias, const THTensor *weight, const THTensor *save_mean, const THTensor *save_std,
                   bool train) {
  using C = Compute<T>;
  THNNNormalizationPlan plan;
  if (!THNNPrepare_BatchNormalization_backward(&plan, DtypeOf<T>::value, input, gradOutput, gradInput, gradWeight,
                                               gradBias, weight, save_mean, save_std)) {
    for (THResult &r : plan.result)
      if (r.tensor) resizeResults(&r);
    return;
  }
  Images images(plan, input, plan.result[0]);
  const Layout &layout = images.layout;
  const Elements<T> x = images.elements<T>(input), g = images.elements<T>(gradOutput);
  const Elements<C> w(weight), mean(save_mean), std(save_std);
  // The loops only read them.
  const BatchStatistics<C> s{const_cast<C *>(mean.data()), const_cast<C *>(std.data())};
  std::unique_ptr<GradientSums[]> sums;
  if (train || gradWeight || gradBias) sums = sumsOfChannels(layout, g.data(), x.data(), mean.data());
  const auto fill = [&](THResult &result, const auto &value) {
    if (result.tensor)
      into<C>(result, {input, gradOutput}, [&](C *to) {
        for (int64_t c = 0; c < layout.channels; c++) to[c] = C(value(size_t(c)));
      });
  };
  if (gradInput)
    into<T>(images.result, {input, gradOutput, save_mean, save_std, weight ? weight : input},
            [&](T *gx) { batchGradient(layout, g.data(), x.data(), gx, w.data(), s, train ? sums.get() : nullptr); });
  fill(plan.result[1], [&](size_t c) { return sums[c].weighted * double(s.std[c]); });
  fill(plan.result[2], [&](size_t c) { return sums[c].plain; });
}
}  // namespace
}  // namespace thnn

THNN_DEFINE(BatchNormalization_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, const THNullableTensor *weight,
             const THNullableTensor *bias, THNullableTensor *running_mean, THNullableTensor *running_var,
             THTensor *save_mean, THTensor *save_std, bool train, double momentum, double eps),
            thnn::batchForward<T>(input, output, weight, bias, running_mean, running_var, save_mean, save_std, train,
                                  momentum, eps))
THNN_DEFINE(BatchNormalization_backward, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THNullableTensor *gradInput,
             THNullableTensor *gradWeight, THNullableTensor *gradBias, const THNullableTensor *weight,
             const THTensor *save_mean, const THTensor *save_std, bool train),
            thnn::batchBackward<T>(input, gradOutput, gradInput, gradWeight, gradBias, weight, save_mean, save_std,
                                   train))
