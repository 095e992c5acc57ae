// Convolutions as products of matrices: the patches of an image that the kernel meets, as columns, times the weights
// (Chellapilla, Puri, Simard 2006, "High performance convolutional neural networks for document processing").
//
// Work is cut by shape alone, and each sum is one thread's: results do not depend on how many there are.
//
// Kernels are cropped to what meets an image first (crop.hpp). What oneDNN is faster at it computes (src/onednn),
// convolutions of few channels direct.cpp, of few positions patches.hpp: choice.hpp.
#include <algorithm>
#include <memory>
#include <type_traits>
#include <THNN/THNN.h>

#include "choice.hpp"
#include "columns.hpp"
#include "crop.hpp"
#include "direct.hpp"
#include "kit/computed.hpp"
#include "kit/images.hpp"
#include "kit/parallel.hpp"
#include "onednn/onednn.hpp"
#include "patches.hpp"

namespace thnn {
namespace {

using choice::Kernel;
using choice::Pass;

constexpr int64_t kColumns = 1 << 16;  // elements of a matrix of columns: what a core's cache holds
constexpr int64_t kFew = 64;  // weights for each position

// Whether there is one position and patches are multiplied; oneDNN is better at many groups of one channel.
template <class T>
bool areRows(const THNNConvolutionPlan &p, Pass pass) {
  const bool planes = std::is_same_v<T, float> && pass != Pass::GradWeight && onednn::arePlanes(p);
  return patches::areRows(p) && !planes;
}

template <class T>
Kernel fastest(const THNNConvolutionPlan &p, Pass pass) {
  return patches::areRows(p) ? Kernel::Patches : choice::fastest(p, pass, std::is_same_v<T, float>);
}

// Whether the positions of all images are so few, for so many weights, that each image's product would mostly read and write
// the gradients for these.
bool arePositionsFew(const THNNConvolutionPlan &p) {
  return isPlain(p) && p.groups == 1 && p.batch > 1 && p.in * p.out >= kFew * p.batch * product(p.output);
}

// Of images whose channels are innermost: the gradient for the weights of kernels of one element, as one product.
template <class T>
void weightOfRows(const THNNConvolutionPlan &p, const T *x, const T *gy, T *gw) {
  gemm('n', 't', p.in, p.out, p.batch * product(p.output), x, p.in, gy, p.out, T(0), gw, p.in);
}

template <class T>
void forward(const THNNConvolutionPlan &p, const T *x, const T *w, const T *bias, T *y) {
  if (areRows<T>(p, Pass::Output)) return patches::forward(p, x, w, bias, y);
  if constexpr (std::is_same_v<T, float>) {
    if (direct::areStreams(p)) return direct::outputOfStreams(p, x, w, bias, y);
    if (direct::beatsOneDNN(p, false)) return direct::forward(p, x, w, bias, y);
    if (onednn::forward(p, x, w, bias, y)) return;
  }
  const Kernel best = fastest<T>(p, Pass::Output);
  if constexpr (std::is_same_v<T, float>)
    if (best == Kernel::Direct) return direct::forward(p, x, w, bias, y);
  if (best == Kernel::Patches) return patches::forward(p, x, w, bias, y);
  const int64_t positions = product(p.output), rows = p.in * product(p.kernel), size = p.in * product(p.input);
  const bool plain = isPlain(p);
  const int64_t tile = std::clamp<int64_t>(kColumns / std::max<int64_t>(rows, 1) / 16 * 16, 64,
                                           positions < 64 ? 64 : positions);
  const int64_t tiles = (positions + tile - 1) / tile;
  const int64_t work = std::max<int64_t>(1, std::min(tile, positions) * rows * p.out);
  parallelFor(p.batch * p.groups * tiles, std::max<int64_t>(1, (1 << 17) / work), [&](int64_t begin, int64_t end) {
    const auto columns = memory<T>(plain ? 0 : rows * tile);
    for (int64_t t = begin; t < end; t++) {
      const int64_t image = t / tiles, group = image % p.groups, from = t % tiles * tile;
      const int64_t n = std::min(tile, positions - from);
      const T *const input = x + image * size;
      if (!plain) toColumns(p, input, 0, p.in, from, from + n, columns.get());
      T *const output = y + image * p.out * positions + from;
      for (int64_t o = 0; bias && o < p.out; o++) std::fill_n(output + o * positions, n, bias[group * p.out + o]);
      gemm('n', 'n', n, p.out, rows, plain ? input + from : columns.get(), plain ? positions : n,
           w + group * p.out * rows, rows, T(bias ? 1 : 0), output, positions);
    }
  });
}

// Channels of a block whose columns, of `positions` positions, are about as many as a cache holds.
int64_t channelsOfBlock(const THNNConvolutionPlan &p, int64_t positions) {
  return std::clamp<int64_t>(4 * kColumns / std::max<int64_t>(product(p.kernel) * positions, 1), 1,
                             std::max<int64_t>(p.in, 1));
}

template <class T>
void backwardInput(const THNNConvolutionPlan &p, const T *gy, const T *w, T *gx) {
  if (areRows<T>(p, Pass::GradInput)) return patches::backwardInput(p, gy, w, gx);
  if constexpr (std::is_same_v<T, float>) {
    if (product(p.stride) == 1 && direct::beatsOneDNN(choice::turned(p), false))
      return direct::backwardInput(p, gy, w, gx);
    if (onednn::backwardInput(p, gy, w, gx)) return;
  }
  const Kernel best = fastest<T>(p, Pass::GradInput);
  if constexpr (std::is_same_v<T, float>)
    if (best == Kernel::Direct) return direct::backwardInput(p, gy, w, gx);
  if (best == Kernel::Patches) return patches::backwardInput(p, gy, w, gx);
  const int64_t positions = product(p.output), kernel = product(p.kernel), rows = p.in * kernel,
                size = product(p.input);
  const bool plain = isPlain(p);
  const int64_t channels = channelsOfBlock(p, positions), blocks = (p.in + channels - 1) / channels;
  const int64_t work = std::max<int64_t>(1, channels * kernel * positions * p.out);
  parallelFor(p.batch * p.groups * blocks, std::max<int64_t>(1, (1 << 17) / work), [&](int64_t begin, int64_t end) {
    const auto columns = memory<T>(plain ? 0 : channels * kernel * positions);
    for (int64_t t = begin; t < end; t++) {
      const int64_t image = t / blocks, group = image % p.groups, from = t % blocks * channels;
      const int64_t n = std::min(channels, p.in - from);
      T *const to = gx + (image * p.in + from) * size;
      gemm('n', 't', positions, n * kernel, p.out, gy + image * p.out * positions, positions,
           w + group * p.out * rows + from * kernel, rows, T(0), plain ? to : columns.get(), positions);
      if (plain) continue;
      std::fill_n(to, n * size, T(0));
      addColumns(p, columns.get(), 0, n, to);
    }
  });
}

template <class T>
void backwardWeight(const THNNConvolutionPlan &p, const T *x, const T *gy, T *gw) {
  if (areRows<T>(p, Pass::GradWeight)) return patches::backwardWeight(p, x, gy, gw);
  if constexpr (std::is_same_v<T, float>) {
    if (direct::areLines(p)) return direct::weightOfLines(p, x, gy, gw);
    if (direct::beatsOneDNN(p, true)) return direct::backwardWeight(p, x, gy, gw);
    if (onednn::backwardWeight(p, x, gy, gw)) return;
  }
  const Kernel best = fastest<T>(p, Pass::GradWeight);
  if constexpr (std::is_same_v<T, float>)
    if (best == Kernel::Direct) return direct::backwardWeight(p, x, gy, gw);
  if (best == Kernel::Patches) return patches::backwardWeight(p, x, gy, gw);
  const int64_t positions = product(p.output), kernel = product(p.kernel), rows = p.in * kernel,
                size = product(p.input);
  if (arePositionsFew(p))
    return weightOfRows(p, patches::withChannelsInnermost(x, p.batch, p.in, positions).get(),
                        patches::withChannelsInnermost(gy, p.batch, p.out, positions).get(), gw);
  const int64_t channels = channelsOfBlock(p, positions), blocks = (p.in + channels - 1) / channels;
  // Images are shared out only where there are few blocks: each share has a sum of its own, added up in order.
  const int64_t shares = p.groups * blocks >= 4 ? 1 : std::clamp<int64_t>(p.batch, 1, 8);
  const int64_t total = p.groups * p.out * rows;
  const auto sums = memory<T>(shares > 1 ? shares * total : 0);
  const bool plain = isPlain(p);
  parallelFor(shares * p.groups * blocks, 1, [&](int64_t begin, int64_t end) {
    const auto columns = memory<T>(plain ? 0 : channels * kernel * positions);
    for (int64_t t = begin; t < end; t++) {
      const int64_t share = t / (p.groups * blocks), group = t / blocks % p.groups, from = t % blocks * channels;
      const int64_t n = std::min(channels, p.in - from);
      T *const to = (shares > 1 ? sums.get() + share * total : gw) + group * p.out * rows + from * kernel;
      for (int64_t o = 0; o < p.out; o++) std::fill_n(to + o * rows, n * kernel, T(0));
      for (int64_t i = p.batch * share / shares; i < p.batch * (share + 1) / shares; i++) {
        const int64_t image = i * p.groups + group;
        const T *const input = x + (image * p.in + from) * size;
        if (!plain) toColumns(p, input, 0, n, 0, positions, columns.get());
        gemm('t', 'n', n * kernel, p.out, positions, plain ? input : columns.get(), positions,
             gy + image * p.out * positions, positions, T(1), to, rows);
      }
    }
  });
  if (shares == 1) return;
  parallelFor(total, kGrain, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      T sum = sums[size_t(i)];
      for (int64_t share = 1; share < shares; share++) sum += sums[size_t(share * total + i)];
      gw[i] = sum;
    }
  });
}

// compute(plan, weights) with what of the kernels meets an image.
template <class T, class F>
void withCropped(const THNNConvolutionPlan &plan, const T *w, const F &compute) {
  const Crop crop(plan);
  if (!crop.isNeeded()) return compute(plan, w);
  const auto cropped = memory<T>(crop.size());
  crop.take(w, cropped.get());
  compute(crop.plan, cropped.get());
}

// ---- channels innermost: oneDNN takes images so, what else there is takes copies -----------------------------------

// `plan` has a result that is to lie so. run(its elements) computes with such images, or says that it cannot; false: nobody
// has computed. The result may have its shape then.
template <class Run>
bool computedLast(const THNNConvolutionPlan &plan, std::initializer_list<const THTensor *> inputs, const Run &run) {
  THTensor *const r = plan.result.tensor;
  for (const THTensor *input : inputs)
    if (input && input->storage == r->storage) return false;
  if (!plan.result.strided || Crop(plan).isNeeded() || patches::areRows(plan)) return false;
  resizeResults(&plan.result);
  const Ref view = withChannelsLast(r);
  ContiguousResult result(view);
  if (!run(result.data<float>())) return false;
  result.finish();
  return true;
}

// Weights, of which both orders are taken.
class Weights {
 public:
  explicit Weights(const THTensor *w)
      : last(areChannelsLast(w, w->ndim - 2)), of_(last ? withChannelsLast(w) : retained(w)) {}
  const float *data() const { return of_.data(); }
  const bool last;

 private:
  static Ref retained(const THTensor *w) { return Ref(THTensor_newWithTensor(const_cast<THTensor *>(w))); }
  Elements<float> of_;
};

bool forwardLast(const THNNConvolutionPlan &plan, const THTensor *input, const THTensor *weight, const THTensor *bias) {
  return computedLast(plan, {input, weight, bias}, [&](float *y) {
    const Elements<float> x(withChannelsLast(input)), b(bias);
    const Weights w(weight);
    return onednn::forward(plan, x.data(), w.data(), b.data(), y, {true, w.last});
  });
}

bool backwardInputLast(const THNNConvolutionPlan &plan, const THTensor *gradOutput, const THTensor *weight) {
  return computedLast(plan, {gradOutput, weight}, [&](float *gx) {
    const Elements<float> gy(withChannelsLast(gradOutput));
    const Weights w(weight);
    return onednn::backwardInput(plan, gy.data(), w.data(), gx, {true, w.last});
  });
}

bool backwardWeightLast(const THNNConvolutionPlan &plan, const THTensor *input, const THTensor *gradOutput) {
  return computedLast(plan, {input, gradOutput}, [&](float *gw) {
    const Elements<float> x(withChannelsLast(input)), gy(withChannelsLast(gradOutput));
    if (arePositionsFew(plan)) return weightOfRows(plan, x.data(), gy.data(), gw), true;
    return onednn::backwardWeight(plan, x.data(), gy.data(), gw, {true, true});
  });
}

// ---- the functions -----------------------------------------------------------------------------------------------

template <class T>
void updateOutput(const THTensor *input, THTensor *output, const THTensor *weight, const THTensor *bias,
                  const THNNConvolutionSteps &steps) {
  using C = Compute<T>;
  THNNConvolutionPlan plan;
  if (!THNNPrepare_Convolution_updateOutput(&plan, DtypeOf<T>::value, input, output, weight, bias, &steps))
    return resizeResults(&plan.result);
  if constexpr (std::is_same_v<T, float>)
    if (forwardLast(plan, input, weight, bias)) return;
  const Elements<C> x(input), w(weight), b(bias);
  into<C>(plan.result, {input, weight, bias ? bias : input}, [&](C *y) {
    withCropped(plan, w.data(), [&](const auto &p, const C *k) { forward(p, x.data(), k, b.data(), y); });
  });
}

template <class T>
void updateGradInput(const THTensor *gradOutput, THTensor *gradInput, const THTensor *weight, const int64_t *size,
                     const THNNConvolutionSteps &steps) {
  using C = Compute<T>;
  THNNConvolutionPlan plan;
  if (!THNNPrepare_Convolution_updateGradInput(&plan, DtypeOf<T>::value, gradOutput, gradInput, weight, size, &steps))
    return resizeResults(&plan.result);
  if constexpr (std::is_same_v<T, float>)
    if (backwardInputLast(plan, gradOutput, weight)) return;
  const Elements<C> gy(gradOutput), w(weight);
  into<C>(plan.result, {gradOutput, weight}, [&](C *gx) {
    withCropped(plan, w.data(), [&](const auto &p, const C *k) { backwardInput(p, gy.data(), k, gx); });
  });
}

template <class T>
void updateGradWeight(const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight, const int64_t *kernel,
                      const THNNConvolutionSteps &steps) {
  using C = Compute<T>;
  THNNConvolutionPlan plan;
  if (!THNNPrepare_Convolution_updateGradWeight(&plan, DtypeOf<T>::value, input, gradOutput, gradWeight, kernel,
                                                &steps))
    return resizeResults(&plan.result);
  if constexpr (std::is_same_v<T, float>)
    if (backwardWeightLast(plan, input, gradOutput)) return;
  const Elements<C> x(input), gy(gradOutput);
  into<C>(plan.result, {input, gradOutput}, [&](C *gw) {
    const Crop crop(plan);
    if (!crop.isNeeded()) return backwardWeight(plan, x.data(), gy.data(), gw);
    const auto cropped = memory<C>(crop.size());
    backwardWeight(crop.plan, x.data(), gy.data(), cropped.get());
    crop.put(cropped.get(), gw);
  });
}

THNNConvolutionSteps steps(int n, const int64_t *stride, int npadding, const int64_t *padding, int ndilation,
                           const int64_t *dilation, int64_t groups) {
  if (npadding != n || ndilation != n)
    THError(TH_ERROR_RUNTIME, "stride, padding and dilation must have one entry per dimension, got %d, %d and %d", n,
            npadding, ndilation);
  return {n, stride, padding, dilation, groups};
}

void requireEntries(int n, int nstride, const char *name) {
  if (n != nstride) THError(TH_ERROR_RUNTIME, "%s must have %d entries, as stride has, got %d", name, nstride, n);
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(Convolution_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, const THTensor *weight, const THNullableTensor *bias,
             int nstride, const int64_t *stride, int npadding, const int64_t *padding, int ndilation,
             const int64_t *dilation, int64_t groups),
            thnn::updateOutput<T>(input, output, weight, bias,
                                  thnn::steps(nstride, stride, npadding, padding, ndilation, dilation, groups)))

THNN_DEFINE(Convolution_updateGradInput, floating,
            (THNNState *, const THTensor *gradOutput, THTensor *gradInput, const THTensor *weight, int nsize,
             const int64_t *size, int nstride, const int64_t *stride, int npadding, const int64_t *padding,
             int ndilation, const int64_t *dilation, int64_t groups),
            (thnn::requireEntries(nsize, nstride, "size"),
             thnn::updateGradInput<T>(gradOutput, gradInput, weight, size,
                                      thnn::steps(nstride, stride, npadding, padding, ndilation, dilation, groups))))

THNN_DEFINE(Convolution_updateGradWeight, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight, int nkernel,
             const int64_t *kernel, int nstride, const int64_t *stride, int npadding, const int64_t *padding,
             int ndilation, const int64_t *dilation, int64_t groups),
            (thnn::requireEntries(nkernel, nstride, "kernel"),
             thnn::updateGradWeight<T>(input, gradOutput, gradWeight, kernel,
                                       thnn::steps(nstride, stride, npadding, padding, ndilation, dilation, groups))))
