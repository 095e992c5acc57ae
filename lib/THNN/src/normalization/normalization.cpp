// Batch, group, layer and RMS normalisation, and that by neighbouring channels.
//
// Work is cut by shape alone, and what the parts sum is added up in their order: results do not depend on how many
// threads there are.
#include <algorithm>
#include <cmath>
#include <memory>

#include "kit/computed.hpp"
#include "kit/parallel.hpp"
#include "normalization.hpp"

namespace thnn {
namespace {

template <class T>
std::unique_ptr<T[]> memory(int64_t n) {
  return std::make_unique_for_overwrite<T[]>(size_t(n));
}

// Tasks that one thread should have, of `size` elements each.
int64_t grainOf(int64_t size) { return std::max<int64_t>(1, kGrain / 4 / std::max<int64_t>(size, 1)); }

// `into` of a result that may not be wanted.
template <class C, class Fill>
void intoWanted(THResult &result, std::initializer_list<const THTensor *> inputs, const Fill &fill) {
  if (result.tensor)
    into<C>(result, inputs, fill);
  else
    fill(static_cast<C *>(nullptr));
}

// ---- (batch, channels, inner), or with the channels innermost ----------------------------------------
constexpr int64_t kShort = 16;  // planes smaller than this are columns, too

struct Lie {
  int64_t batch, channels, inner;
  bool columns;  // lines of columns, else batch * channels planes
  int64_t fold;  // neighbouring columns that are one channel
  int64_t count() const { return batch * inner; }  // of numbers in a channel
  int64_t lines() const { return count() / fold; }
  int64_t width() const { return channels * fold; }
  // What is summed by itself: a plane, or of a column kLines lines.
  int64_t parts() const { return columns ? (lines() + kLines - 1) / kLines : batch; }
  int64_t countOf(int64_t part) const { return columns ? std::min(kLines, lines() - part * kLines) : inner; }
};

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

// (batch, channels, …) as (batch, …, channels).
Ref withChannelsLast(const THTensor *t) {
  Ref view(THTensor_newWithTensor(const_cast<THTensor *>(t)));
  std::rotate(view->size + 1, view->size + 2, view->size + view->ndim);
  std::rotate(view->stride + 1, view->stride + 2, view->stride + view->ndim);
  return view;
}

// Tensors of a batch normalisation as its loops see them; `result` may be NULL.
struct Images {
  Images(const THNNNormalizationPlan &plan, const THTensor *input, const THResult &result)
      : lie{plan.batch, plan.channels, plan.inner, false, 1}, result(result) {
    const THTensor *const r = result.tensor;
    if (plan.inner > 0 && plan.inner < kShort) {
      lie.columns = true;
      lie.fold = plan.inner;
    }
    turned_ = plan.inner > 1 && areChannelsInnermost(input) &&
              (!r || (sameShape(result.ndim, result.size, r) && areChannelsInnermost(r)));
    if (!turned_) return;
    lie.columns = true;
    lie.fold = 1;
    if (!r) return;
    own_ = withChannelsLast(r);
    setResult(this->result, own_, own_);
  }
  template <class C>
  Elements<C> elements(const THTensor *t) const {
    return turned_ ? Elements<C>(withChannelsLast(t)) : Elements<C>(t);
  }
  Lie lie;
  THResult result;

 private:
  bool turned_;
  Ref own_;
};

// Calls part(p, first column, columns, offset of their elements) for all parts of all columns; of planes one is a channel.
template <class Part>
void forParts(const Lie &lie, const Part &part) {
  const int64_t width = lie.width(), tiles = lie.columns ? (width + kTile - 1) / kTile : width;
  const int64_t size = lie.columns ? kLines * std::min(kTile, width) : lie.inner;
  parallelFor(lie.parts() * tiles, grainOf(size), [&](int64_t begin, int64_t end) {
    for (int64_t t = begin; t < end; t++) {
      const int64_t p = t / tiles;
      if (!lie.columns) {
        part(p, t % tiles, 1, t * lie.inner);
        continue;
      }
      const int64_t c = t % tiles * kTile;
      part(p, c, std::min(kTile, width - c), p * kLines * width + c);
    }
  });
}

template <class C>
std::unique_ptr<Moments[]> momentsOfChannels(const Lie &lie, const C *x) {
  const NormLoop<C> &loop = loopOf<C>();
  const int64_t width = lie.width(), parts = lie.parts();
  auto of = memory<Moments>(parts * width);
  forParts(lie, [&](int64_t p, int64_t c, int64_t columns, int64_t offset) {
    Moments *const to = of.get() + p * width + c;
    if (lie.columns)
      loop.momentsOfColumns(x + offset, lie.countOf(p), columns, width, to);
    else
      *to = loop.moments(x + offset, lie.inner);
  });
  if (parts * lie.fold == 1) return of;
  auto all = memory<Moments>(lie.channels);
  const double by = 1 / double(lie.count());
  for (int64_t c = 0; c < lie.channels; c++) {
    // Σ f(moments, numbers) over the parts.
    const auto sum = [&](const auto &f) {
      double total = 0;
      for (int64_t p = 0; p < parts; p++)
        for (int64_t j = c * lie.fold; j < (c + 1) * lie.fold; j++)
          total += f(of[size_t(p * width + j)], double(lie.countOf(p)));
      return total;
    };
    const double mean = by * sum([](const Moments &m, double count) { return m.mean * count; });
    all[size_t(c)] = {mean, sum([mean](const Moments &m, double count) {
                        return m.squares + (m.mean - mean) * (m.mean - mean) * count;
                      })};
  }
  return all;
}

// values(channel) of each column.
template <class C, class Value>
void spread(const Lie &lie, C *to, const Value &value) {
  for (int64_t c = 0; c < lie.channels; c++) std::fill_n(to + c * lie.fold, lie.fold, C(value(c)));
}

template <class C>
std::unique_ptr<GradientSums[]> sumsOfChannels(const Lie &lie, const C *g, const C *x, const C *mean) {
  const NormLoop<C> &loop = loopOf<C>();
  const int64_t width = lie.width(), parts = lie.parts();
  const auto of = memory<GradientSums>(parts * width);
  const auto means = memory<C>(width);
  spread(lie, means.get(), [mean](int64_t c) { return mean[c]; });
  forParts(lie, [&](int64_t p, int64_t c, int64_t columns, int64_t offset) {
    GradientSums *const to = of.get() + p * width + c;
    if (lie.columns)
      loop.sumsOfColumns(g + offset, x + offset, lie.countOf(p), columns, width, means.get() + c, to);
    else
      *to = loop.sums(g + offset, x + offset, lie.inner, mean[c]);
  });
  auto all = memory<GradientSums>(lie.channels);
  std::fill_n(all.get(), lie.channels, GradientSums{});
  for (int64_t p = 0; p < parts; p++)
    for (int64_t c = 0; c < width; c++) {
      GradientSums &to = all[size_t(c / lie.fold)];
      to.plain += of[size_t(p * width + c)].plain;
      to.weighted += of[size_t(p * width + c)].weighted;
    }
  return all;
}

// ---- batch -------------------------------------------------------------------------------------------
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

template <class C>
void batchStatistics(const Lie &lie, const C *x, THTensor *running_mean, THTensor *running_var, bool train,
                     double momentum, double eps, const BatchStatistics<C> &to) {
  const auto set = [&](int64_t c, double mean, double variance) {
    to.mean[c] = C(mean);
    to.std[c] = C(1 / std::sqrt(variance + eps));
  };
  if (!train) {
    const Elements<C> mean(running_mean), variance(running_var);
    for (int64_t c = 0; c < lie.channels; c++) set(c, double(mean.data()[c]), double(variance.data()[c]));
    return;
  }
  const double count = double(lie.count());
  if (!lie.count()) {
    for (int64_t c = 0; c < lie.channels; c++) set(c, 0, 0);
    return;
  }
  const auto of = momentsOfChannels(lie, x);
  for (int64_t c = 0; c < lie.channels; c++) set(c, of[size_t(c)].mean, of[size_t(c)].squares / count);
  approach<C>(running_mean, momentum, [&](int64_t c) { return of[size_t(c)].mean; });
  approach<C>(running_var, momentum, [&](int64_t c) { return of[size_t(c)].squares / (count - 1); });
}

template <class C>
void batchScale(const Lie &lie, const C *x, C *y, const C *weight, const C *bias, const BatchStatistics<C> &s) {
  const NormLoop<C> &loop = loopOf<C>();
  const int64_t width = lie.width();
  const auto own = memory<C>(3 * width);
  C *const mean = own.get(), *const factor = mean + width, *const offset = factor + width;
  spread(lie, mean, [&](int64_t c) { return s.mean[c]; });
  spread(lie, factor, [&](int64_t c) { return weight ? s.std[c] * weight[c] : s.std[c]; });
  spread(lie, offset, [&](int64_t c) { return bias ? bias[c] : 0; });
  if (lie.columns)
    parallelFor(lie.lines(), grainOf(width), [=](int64_t begin, int64_t end) {
      loop.scaleColumns(x + begin * width, y + begin * width, end - begin, width, mean, factor, offset);
    });
  else
    parallelFor(lie.batch * width, grainOf(lie.inner), [=](int64_t begin, int64_t end) {
      for (int64_t p = begin; p < end; p++) {
        const int64_t c = p % width, at = p * lie.inner;
        loop.scale(x + at, y + at, lie.inner, s.mean[c], factor[c], offset[c]);
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
  const Elements<C> x = images.elements<C>(input), w(weight), b(bias);
  into<C>(plan.result[1], {input}, [&](C *mean) {
    into<C>(plan.result[2], {input}, [&](C *std) {
      const BatchStatistics<C> s{mean, std};
      into<C>(images.result, {input, weight ? weight : input, bias ? bias : input}, [&](C *y) {
        batchStatistics(images.lie, x.data(), running_mean, running_var, train, momentum, eps, s);
        batchScale(images.lie, x.data(), y, w.data(), b.data(), s);
      });
    });
  });
}

// With training, z = (x - mean) std and n numbers in a channel: (g - Σ g / n - z Σ g z / n) std weight. Else g std weight.
template <class C>
void batchGradient(const Lie &lie, const C *g, const C *x, C *gx, const C *weight, const BatchStatistics<C> &s,
                   const GradientSums *sums) {
  const NormLoop<C> &loop = loopOf<C>();
  const int64_t width = lie.width();
  const auto own = memory<C>(4 * width);
  C *const mean = own.get(), *const a = mean + width, *const b = a + width, *const c = b + width;
  const auto factor = [&](int64_t i) { return weight ? s.std[i] * weight[i] : s.std[i]; };
  spread(lie, a, factor);
  if (sums) {
    const double by = -1 / double(lie.count());
    spread(lie, mean, [&](int64_t i) { return s.mean[i]; });
    spread(lie, b, [&](int64_t i) {
      return by * double(factor(i)) * sums[i].weighted * double(s.std[i]) * double(s.std[i]);
    });
    spread(lie, c, [&](int64_t i) { return by * double(factor(i)) * sums[i].plain; });
  }
  if (lie.columns) {
    parallelFor(lie.lines(), grainOf(width), [=](int64_t begin, int64_t end) {
      const C *const by[4] = {mean, a, b, c};
      const int64_t at = begin * width;
      loop.combineColumns(g + at, sums ? x + at : nullptr, gx + at, end - begin, width, by);
    });
    return;
  }
  parallelFor(lie.batch * width, grainOf(lie.inner), [=](int64_t begin, int64_t end) {
    for (int64_t p = begin; p < end; p++) {
      const int64_t i = p % width, at = p * lie.inner;
      loop.combine(g + at, sums ? x + at : nullptr, gx + at, lie.inner,
                   sums ? Combination<C>{mean[i], a[i], b[i], c[i]} : Combination<C>{0, a[i], 0, 0});
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
  const Lie &lie = images.lie;
  const Elements<C> x = images.elements<C>(input), g = images.elements<C>(gradOutput), w(weight), mean(save_mean),
                    std(save_std);
  // The loops only read them.
  const BatchStatistics<C> s{const_cast<C *>(mean.data()), const_cast<C *>(std.data())};
  std::unique_ptr<GradientSums[]> sums;
  if (train || gradWeight || gradBias) sums = sumsOfChannels(lie, g.data(), x.data(), mean.data());
  const auto fill = [&](THResult &result, const auto &value) {
    if (result.tensor)
      into<C>(result, {input, gradOutput}, [&](C *to) {
        for (int64_t c = 0; c < lie.channels; c++) to[c] = C(value(size_t(c)));
      });
  };
  if (gradInput)
    into<C>(images.result, {input, gradOutput, save_mean, save_std, weight ? weight : input}, [&](C *gx) {
      batchGradient(lie, g.data(), x.data(), gx, w.data(), s, train ? sums.get() : nullptr);
    });
  fill(plan.result[1], [&](size_t c) { return sums[c].weighted * double(s.std[c]); });
  fill(plan.result[2], [&](size_t c) { return sums[c].plain; });
}

// ---- rows ----------------------------------------------------------------------------------------------
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
  const Elements<C> x(input), w(weight), b(bias);
  intoWanted<C>(plan.result[1], {input}, [&](C *mean) {
    into<C>(plan.result[2], {input}, [&](C *std) {
      into<C>(plan.result[0], {input, weight ? weight : input, bias ? bias : input}, [&](C *y) {
        const RowsForward<C> rows{x.data(), w.data(), b.data(), y, mean, std, plan.inner, plan.inner, 1, eps};
        const NormLoop<C> &loop = loopOf<C>();
        parallelFor(plan.batch, grainOf(plan.inner),
                    [&](int64_t begin, int64_t end) { loop.rowsForward(rows, begin, end); });
      });
    });
  });
}

// Gradients of weight and bias are sums over rows: of kLines of them in C, beyond that in double, shared out among at
// most kShares shares.
constexpr int64_t kShares = 16;

template <class C>
void rowsGradient(RowsBackward<C> rows, int64_t count, C *gWeight, C *gBias) {
  const NormLoop<C> &loop = loopOf<C>();
  const int64_t n = rows.n;
  if (!gWeight && !gBias) {
    parallelFor(count, grainOf(n), [&](int64_t begin, int64_t end) { loop.rowsBackward(rows, begin, end); });
    return;
  }
  C *const to[2] = {gWeight, gBias};
  if (count <= kLines) {
    for (C *r : to)
      if (r) std::fill_n(r, n, C(0));
    rows.gWeight = gWeight;
    rows.gBias = gBias;
    return loop.rowsBackward(rows, 0, count);
  }
  const int64_t share = ((count + kShares - 1) / kShares + kLines - 1) / kLines * kLines;
  const int64_t shares = (count + share - 1) / share;
  const auto sums = memory<double>(shares * 2 * n);
  parallelFor(shares, grainOf(share * n), [&](int64_t begin, int64_t end) {
    const auto own = memory<C>(2 * n);
    RowsBackward<C> lines = rows;
    if (gWeight) lines.gWeight = own.get();
    if (gBias) lines.gBias = own.get() + n;
    for (int64_t t = begin; t < end; t++) {
      double *const sum = sums.get() + t * 2 * n;
      std::fill_n(sum, 2 * n, 0.0);
      for (int64_t row = t * share, stop = std::min(count, row + share); row < stop; row += kLines) {
        std::fill_n(own.get(), 2 * n, C(0));
        loop.rowsBackward(lines, row, std::min(stop, row + kLines));
        for (int64_t i = 0; i < 2 * n; i++) sum[i] += double(own[size_t(i)]);
      }
    }
  });
  parallelFor(n, grainOf(2 * shares), [&](int64_t begin, int64_t end) {
    for (int k = 0; k < 2; k++) {
      if (!to[k]) continue;
      double *const total = sums.get() + k * n;
      for (int64_t t = 1; t < shares; t++)
        for (int64_t i = begin; i < end; i++) total[i] += total[t * 2 * n + i];
      for (int64_t i = begin; i < end; i++) to[k][i] = C(total[i]);
    }
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
  const Elements<C> x(input), g(gradOutput), w(weight), mean(save_mean), std(save_std);
  const auto inputs = {input, gradOutput, save_std, save_mean ? save_mean : input, weight ? weight : input};
  intoWanted<C>(plan.result[0], inputs, [&](C *gx) {
    intoWanted<C>(plan.result[1], inputs, [&](C *gWeight) {
      intoWanted<C>(plan.result[2], inputs, [&](C *gBias) {
        const RowsBackward<C> rows{x.data(), g.data(), w.data(),   mean.data(), std.data(), gx,
                                   nullptr,  nullptr,  plan.inner, plan.inner,  1};
        rowsGradient(rows, plan.batch, gWeight, gBias);
      });
    });
  });
}

// ---- groups ----------------------------------------------------------------------------------------------
// Groups are rows, too; where their channels are short, weights are spread to all elements of them.
Lie ofElements(const THNNNormalizationPlan &plan) { return {plan.batch, plan.channels, plan.inner, true, plan.inner}; }

template <class C>
std::unique_ptr<C[]> spreadWeights(const Lie &lie, const C *weight) {
  if (!weight) return nullptr;
  auto made = memory<C>(lie.width());
  spread(lie, made.get(), [weight](int64_t c) { return weight[c]; });
  return made;
}
template <class C>
C *from(const std::unique_ptr<C[]> &elements, int64_t at) {
  return elements ? elements.get() + at : nullptr;
}

template <class C>
void shortGroupsGradient(const THNNNormalizationPlan &plan, int64_t groups, const C *x, const C *g, const C *w,
                         const C *mean, const C *std, C *gx, C *gWeight, C *gBias) {
  const Lie lie = ofElements(plan);
  const int64_t size = lie.width() / groups;
  const auto weights = spreadWeights(lie, w);
  const auto gWeights = gWeight ? memory<C>(lie.width()) : nullptr, gBiases = gBias ? memory<C>(lie.width()) : nullptr;
  for (int64_t group = 0; group < groups; group++) {
    const int64_t at = group * size;
    const RowsBackward<C> rows{x + at,  g + at,  from(weights, at), mean + group,   std + group, gx ? gx + at : nullptr,
                               nullptr, nullptr, size,              groups * size, groups};
    rowsGradient(rows, plan.batch, from(gWeights, at), from(gBiases, at));
  }
  const auto fold = [&](const std::unique_ptr<C[]> &each, C *to) {
    for (int64_t c = 0; to && c < lie.channels; c++) {
      double total = 0;
      for (int64_t j = c * lie.fold; j < (c + 1) * lie.fold; j++) total += double(each[size_t(j)]);
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
  const Elements<C> x(input), w(weight), b(bias);
  const int64_t channels = plan.channels / groups, size = channels * plan.inner;
  const NormLoop<C> &loop = loopOf<C>();
  const auto run = [&](C *y, C *mean, C *std) {
    if (plan.inner < kShort) {
      const Lie lie = ofElements(plan);
      const auto weights = spreadWeights(lie, w.data()), biases = spreadWeights(lie, b.data());
      return parallelFor(plan.batch * groups, grainOf(size), [&](int64_t begin, int64_t end) {
        for (int64_t t = begin; t < end; t++) {
          const int64_t at = t % groups * size;
          loop.rowsForward({x.data() + at, from(weights, at), from(biases, at), y + at, mean + t % groups,
                            std + t % groups, size, groups * size, groups, eps},
                           t / groups, t / groups + 1);
        }
      });
    }
    parallelFor(plan.batch * groups, grainOf(size), [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; t++) {
        const Moments m = loop.moments(x.data() + t * size, size);
        mean[t] = C(m.mean);
        std[t] = C(1 / std::sqrt(m.squares / double(size) + eps));
        for (int64_t c = 0; c < channels; c++) {
          const int64_t at = t * size + c * plan.inner, channel = t % groups * channels + c;
          loop.scale(x.data() + at, y + at, plan.inner, mean[t], w.data() ? std[t] * w.data()[channel] : std[t],
                     b.data() ? b.data()[channel] : 0);
        }
      }
    });
  };
  into<C>(plan.result[1], {input}, [&](C *mean) {
    into<C>(plan.result[2], {input}, [&](C *std) {
      into<C>(plan.result[0], {input, weight ? weight : input, bias ? bias : input},
              [&](C *y) { run(y, mean, std); });
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
  const Elements<C> x(input), g(gradOutput), w(weight), mean(save_mean), std(save_std);
  const int64_t all = plan.channels, channels = all / groups, inner = plan.inner;
  const NormLoop<C> &loop = loopOf<C>();
  std::unique_ptr<GradientSums[]> sums;
  // The formula of rows, with the sums of whole channels.
  const auto run = [&](C *gx) {
    parallelFor(plan.batch * groups, grainOf(channels * inner), [&](int64_t begin, int64_t end) {
      for (int64_t t = begin; t < end; t++) {
        const int64_t first = t * channels;
        const C *const weights = w.data() ? w.data() + t % groups * channels : nullptr;
        double plain = 0, weighted = 0;
        for (int64_t c = 0; c < channels; c++) {
          const int64_t at = (first + c) * inner;
          const GradientSums s = sums[size_t(first + c)] = loop.sums(g.data() + at, x.data() + at, inner,
                                                                     mean.data()[t]);
          const double factor = weights ? double(weights[c]) : 1;
          plain += factor * s.plain;
          weighted += factor * s.weighted;
        }
        if (!gx) continue;
        const C over = std.data()[t];
        const double by = -double(over) / double(channels * inner);
        Combination<C> of{mean.data()[t], over, C(weighted * double(over) * double(over) * by), C(plain * by)};
        for (int64_t c = 0; c < channels; c++) {
          const int64_t at = (first + c) * inner;
          if (weights) of.a = over * weights[c];
          loop.combine(g.data() + at, x.data() + at, gx + at, inner, of);
        }
      }
    });
  };
  const auto inputs = {input, gradOutput, save_mean, save_std, weight ? weight : input};
  if (inner < kShort) {
    intoWanted<C>(plan.result[0], inputs, [&](C *gx) {
      intoWanted<C>(plan.result[1], inputs, [&](C *gWeight) {
        intoWanted<C>(plan.result[2], inputs, [&](C *gBias) {
          shortGroupsGradient(plan, groups, x.data(), g.data(), w.data(), mean.data(), std.data(), gx, gWeight, gBias);
        });
      });
    });
    return;
  }
  sums = memory<GradientSums>(plan.batch * all);
  intoWanted<C>(plan.result[0], inputs, run);
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

// ---- neighbouring channels -----------------------------------------------------------------------------
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
            thnn::rowsForward<T>(input, output, weight, nullptr, nullptr, save_std, nnormalized_shape,
                                 normalized_shape, eps))
THNN_DEFINE(RMSNormalization_backward, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THNullableTensor *gradInput,
             THNullableTensor *gradWeight, const THNullableTensor *weight, const THTensor *save_std,
             int nnormalized_shape, const int64_t *normalized_shape),
            thnn::rowsBackward<T>(input, gradOutput, gradInput, gradWeight, nullptr, weight, nullptr, save_std,
                                  nnormalized_shape, normalized_shape))

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

THNN_DEFINE(SpatialCrossMapLRN_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, THTensor *scale, int64_t size, double alpha,
             double beta, double k),
            thnn::lrnForward<T>(input, output, scale, size, alpha, beta, k))
THNN_DEFINE(SpatialCrossMapLRN_updateGradInput, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
             const THTensor *scale, int64_t size, double alpha, double beta),
            thnn::lrnBackward<T>(input, gradOutput, gradInput, scale, size, alpha, beta))
