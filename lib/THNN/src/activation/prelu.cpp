// PReLU: a slope for all elements, or for each channel.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "activation/prelu.cpp"
#include <hwy/foreach_target.h>
#include "activation.hpp"
#include "kit/loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T> struct PReLU {
  T operator()(T x, T slope) const { return x > 0 ? x : x * slope; }
};
template <class T> struct PReLUGradient {
  T operator()(T g, T slope, T x) const { return x > 0 ? g : g * slope; }
};

constexpr KernelTable prelu = makeTable(FloatingDtypes{}, Binary<PReLU>{});
constexpr KernelTable preluGradient = makeTable(FloatingDtypes{}, Ternary<PReLUGradient>{});

// The sum of min(x, 0) g over a run, in sixteen sums that are added in the end.
template <class C>
C slopeGradient(const C *x, const C *g, int64_t n) {
  constexpr int lanes = 16;
  C sums[lanes] = {};
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes)
    for (int l = 0; l < lanes; l++) sums[l] += x[i + l] > 0 ? C(0) : x[i + l] * g[i + l];
  for (int l = 0; i < n; i++, l++) sums[l] += x[i] > 0 ? C(0) : x[i] * g[i];
  for (int width = lanes / 2; width; width /= 2)
    for (int l = 0; l < width; l++) sums[l] += sums[l + width];
  return sums[0];
}
// The same of each column of a matrix of n rows, `stride` apart.
template <class C>
void slopeGradients(const C *x, const C *g, C *sums, int64_t n, int64_t width, int64_t stride) {
  for (int64_t i = 0; i < width; i++) sums[i] = 0;
  for (int64_t k = 0; k < n; k++, x += stride, g += stride)
#pragma GCC ivdep
    for (int64_t i = 0; i < width; i++) sums[i] += x[i] > 0 ? C(0) : x[i] * g[i];
}

constexpr thnn::SlopeLoops<float> slopesOfFloats = {slopeGradient<float>, slopeGradients<float>};
constexpr thnn::SlopeLoops<double> slopesOfDoubles = {slopeGradient<double>, slopeGradients<double>};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <vector>

#include "kit/computed.hpp"
#include "kit/parallel.hpp"

namespace thnn {
namespace {

// The weight as it broadcasts with the input: (channels, 1, …), or one number.
Ref weightFor(const THTensor *input, const THTensor *weight) {
  const int64_t size = weight->numel, step = weight->ndim ? weight->stride[0] : 1;
  const int ndim = size == 1 ? 0 : std::max(1, input->ndim - 1);  // the channels and what follows
  int64_t sizes[TH_MAX_DIM], strides[TH_MAX_DIM];
  for (int d = 0; d < ndim; d++) sizes[d] = d ? 1 : size, strides[d] = d ? 1 : step;
  return Ref(THTensor_newWithStorage(dtypeOf(weight), weight->storage, weight->offset, ndim, sizes, strides));
}

template <class T>
void prelu(const THTensor *input, THTensor *output, const THTensor *weight) {
  THNNPrepare_PReLU_updateOutput(DtypeOf<T>::value, input, output, weight);
  pointwise(TH_BEST_TARGET(prelu), DtypeOf<T>::value, nullptr, output, {input, weightFor(input, weight)});
}

template <class T>
void preluBackward(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, const THTensor *weight) {
  THNNPrepare_PReLU_updateGradInput(DtypeOf<T>::value, input, gradOutput, gradInput, weight);
  pointwise(TH_BEST_TARGET(preluGradient), DtypeOf<T>::value, nullptr, gradInput,
            {gradOutput, weightFor(input, weight), input});
}

template <class C>
const SlopeLoops<C> &slopeLoops() {
  if constexpr (sizeof(C) == sizeof(float))
    return TH_BEST_TARGET(slopesOfFloats);
  else
    return TH_BEST_TARGET(slopesOfDoubles);
}

// Adds, to sums[c], those of channel c; x is (batch, channels, inner). Additions are in an order that threads do not change.
template <class C>
void addSlopes(const C *x, const C *g, double *sums, int64_t batch, int64_t channels, int64_t inner) {
  constexpr int64_t kColumns = 64, kRun = 4096;
  const SlopeLoops<C> &loops = slopeLoops<C>();
  if (inner == 1)  // rows of channels
    return parallelFor((channels + kColumns - 1) / kColumns, std::max<int64_t>(1, kGrain / kColumns / (batch + 1)),
                       [=](int64_t begin, int64_t end) {
                         C columns[kColumns];
                         for (int64_t c = begin * kColumns; c < std::min(end * kColumns, channels); c += kColumns) {
                           const int64_t width = std::min(kColumns, channels - c);
                           loops.columns(x + c, g + c, columns, batch, width, channels);
                           for (int64_t i = 0; i < width; i++) sums[c + i] += double(columns[i]);
                         }
                       });
  parallelFor(channels, std::max<int64_t>(1, kGrain / (batch * inner + 1)), [=](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; c++)
      for (int64_t n = 0; n < batch; n++) {
        const int64_t start = (n * channels + c) * inner;
        for (int64_t i = 0; i < inner; i += kRun)
          sums[c] += double(loops.run(x + start + i, g + start + i, std::min(kRun, inner - i)));
      }
  });
}

// gradWeight += scale times the sum, over all elements that share a weight, of min(input, 0) gradOutput.
template <class T>
void preluWeight(const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight, double scale) {
  using C = Compute<T>;
  THNNPrepare_PReLU_accGradParameters(DtypeOf<T>::value, input, gradOutput, gradWeight);
  if (!hasMemory(gradWeight) || !input->numel) return;
  const int64_t channels = gradWeight->numel, batch = channels == 1 || input->ndim < 2 ? 1 : input->size[0];
  const int64_t inner = input->numel / batch / channels;
  const Elements<C> x(input), g(gradOutput);
  std::vector<double> sums(size_t(channels), 0.0);
  addSlopes(x.data(), g.data(), sums.data(), batch, channels, inner);
  T *const r = elements<T>(gradWeight);
  const int64_t step = gradWeight->ndim ? gradWeight->stride[0] : 1;
  for (int64_t c = 0; c < channels; c++) {
    T &sum = r[c * step];
    sum = T(C(double(C(sum)) + scale * sums[size_t(c)]));
  }
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(PReLU_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, const THTensor *weight),
            thnn::prelu<T>(input, output, weight))
THNN_DEFINE(PReLU_updateGradInput, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
             const THTensor *weight),
            thnn::preluBackward<T>(input, gradOutput, gradInput, weight))
THNN_DEFINE(PReLU_accGradParameters, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight, double scale),
            thnn::preluWeight<T>(input, gradOutput, gradWeight, scale))

#endif
