// Padding by the tensor's own elements: which one stands at each place of a dimension is a list, made once. A line's middle
// is copied, or added, as it lies.
#include <algorithm>
#include <cstring>
#include <limits>
#include <vector>
#include <THNN/THNN.h>

#include "kit/computed.hpp"
#include "kit/parallel.hpp"

namespace thnn {
namespace {

// By place of the result, in each dimension: the element that stands there.
struct Places {
  std::vector<int64_t> element[3];
  int64_t first, last;  // the last dimension's places which are elements in their own order

  explicit Places(const THNNPaddingPlan &p) {
    for (int d = 0; d < 3; d++) {
      const int64_t n = p.input[d];
      for (int64_t o = 0; o < p.output[d]; o++) {
        // Where a side of nearly 2**63 is cut off, beyond all of them.
        int64_t i;
        if (__builtin_sub_overflow(o, p.before[d], &i)) i = std::numeric_limits<int64_t>::max();
        element[d].push_back(p.mode == THNN_PAD_REPLICATION ? std::clamp<int64_t>(i, 0, n - 1)
                             : i < 0                        ? -i
                             : i >= n                       ? 2 * (n - 1) - i
                                                            : i);
      }
    }
    first = std::clamp<int64_t>(p.before[2], 0, p.output[2]);
    last = std::clamp<int64_t>(TH_saturatedSum(p.before[2], p.input[2]), first, p.output[2]);
  }
};

// edge(place, element) and middle(place, element, count) for each line of planes [begin, end): where in the result, and of
// the input.
template <class Edge, class Middle>
void forLines(const THNNPaddingPlan &p, const Places &places, int64_t begin, int64_t end, const Edge &edge,
              const Middle &middle) {
  const int64_t width = p.output[2];
  const std::vector<int64_t> &element = places.element[2];
  int64_t to = begin * p.output[0] * p.output[1] * width;
  for (int64_t plane = begin; plane < end; plane++)
    for (const int64_t d : places.element[0])
      for (const int64_t h : places.element[1]) {
        const int64_t line = ((plane * p.input[0] + d) * p.input[1] + h) * p.input[2];
        for (int64_t w = 0; w < places.first; w++) edge(to + w, line + element[size_t(w)]);
        if (places.last > places.first)
          middle(to + places.first, line + element[size_t(places.first)], places.last - places.first);
        for (int64_t w = places.last; w < width; w++) edge(to + w, line + element[size_t(w)]);
        to += width;
      }
}

template <class Work>
void forPlanes(const THNNPaddingPlan &p, const Work &work) {
  const int64_t size = p.output[0] * p.output[1] * p.output[2];
  parallelFor(p.planes, std::max<int64_t>(1, kGrain / size), work);
}

template <class T>
void updateOutput(const THTensor *input, THTensor *output, int mode, int npadding, const int64_t *padding) {
  THNNPaddingPlan plan;
  if (!THNNPrepare_Padding_updateOutput(&plan, DtypeOf<T>::value, input, output, mode, npadding, padding))
    return resizeResults(&plan.result);
  const Elements<T> elements(input);
  into<T>(plan.result, {input}, [&](T *y) {
    const Places places(plan);  // as long as the result's dimensions, which has been found to fit into memory
    const T *const x = elements.data();
    forPlanes(plan, [&](int64_t begin, int64_t end) {
      forLines(
          plan, places, begin, end, [=](int64_t to, int64_t from) { y[to] = x[from]; },
          [=](int64_t to, int64_t from, int64_t n) { std::memcpy(y + to, x + from, size_t(n) * sizeof(T)); });
    });
  });
}

template <class T>
void updateGradInput(const THTensor *gradOutput, THTensor *gradInput, int mode, int nsize, const int64_t *size,
                     int npadding, const int64_t *padding) {
  using C = Compute<T>;
  THNNPaddingPlan plan;
  if (!THNNPrepare_Padding_updateGradInput(&plan, DtypeOf<T>::value, gradOutput, gradInput, mode, nsize, size, npadding,
                                           padding))
    return resizeResults(&plan.result);
  const Elements<C> elements(gradOutput);
  const Places places(plan);
  const int64_t in = plan.input[0] * plan.input[1] * plan.input[2];
  into<C>(plan.result, {gradOutput}, [&](C *gx) {
    const C *const gy = elements.data();
    forPlanes(plan, [&](int64_t begin, int64_t end) {
      std::fill(gx + begin * in, gx + end * in, C(0));
      forLines(
          plan, places, begin, end, [=](int64_t from, int64_t to) { gx[to] += gy[from]; },
          [=](int64_t from, int64_t to, int64_t n) {
            C *const r = gx + to;
            const C *const g = gy + from;
#pragma GCC ivdep
            for (int64_t i = 0; i < n; i++) r[i] += g[i];
          });
    });
  });
}

// By the names of 2017: gradInput has input's size.
template <class T>
void updateGradInputLike(const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, int mode,
                         std::initializer_list<int64_t> padding) {
  const int n = int(padding.size()) / 2;
  if (input->ndim != gradOutput->ndim || input->ndim < n ||
      !std::equal(input->size, input->size + input->ndim - n, gradOutput->size))
    THError(TH_ERROR_RUNTIME, "input and gradOutput must have the same channels, but their shapes are %s and %s",
            shapeString(input).c_str(), shapeString(gradOutput).c_str());
  updateGradInput<T>(gradOutput, gradInput, mode, n, input->size + input->ndim - n, 2 * n, padding.begin());
}

template <class T>
void updateOutputBy(const THTensor *input, THTensor *output, int mode, std::initializer_list<int64_t> padding) {
  updateOutput<T>(input, output, mode, int(padding.size()), padding.begin());
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(Padding_updateOutput, number_complex,
            (THNNState *, const THTensor *input, THTensor *output, int mode, int npadding, const int64_t *padding),
            thnn::updateOutput<T>(input, output, mode, npadding, padding))
THNN_DEFINE(Padding_updateGradInput, floating_complex,
            (THNNState *, const THTensor *gradOutput, THTensor *gradInput, int mode, int nsize, const int64_t *size,
             int npadding, const int64_t *padding),
            thnn::updateGradInput<T>(gradOutput, gradInput, mode, nsize, size, npadding, padding))

#define SPATIAL(op, mode)                                                                                       \
  THNN_DEFINE(op##_updateOutput, floating,                                                                      \
              (THNNState *, const THTensor *input, THTensor *output, int64_t left, int64_t right, int64_t top,  \
               int64_t bottom),                                                                                 \
              thnn::updateOutputBy<T>(input, output, mode, {left, right, top, bottom}))                         \
  THNN_DEFINE(op##_updateGradInput, floating,                                                                   \
              (THNNState *, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, int64_t left, \
               int64_t right, int64_t top, int64_t bottom),                                                     \
              thnn::updateGradInputLike<T>(input, gradOutput, gradInput, mode, {left, right, top, bottom}))
SPATIAL(SpatialReflectionPadding, THNN_PAD_REFLECTION)
SPATIAL(SpatialReplicationPadding, THNN_PAD_REPLICATION)

THNN_DEFINE(VolumetricReplicationPadding_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, int64_t left, int64_t right, int64_t top,
             int64_t bottom, int64_t front, int64_t back),
            thnn::updateOutputBy<T>(input, output, THNN_PAD_REPLICATION, {left, right, top, bottom, front, back}))
THNN_DEFINE(VolumetricReplicationPadding_updateGradInput, floating,
            (THNNState *, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, int64_t left,
             int64_t right, int64_t top, int64_t bottom, int64_t front, int64_t back),
            thnn::updateGradInputLike<T>(input, gradOutput, gradInput, THNN_PAD_REPLICATION,
                                         {left, right, top, bottom, front, back}))
