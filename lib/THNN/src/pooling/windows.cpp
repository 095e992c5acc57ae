// Max pooling by windows of many sizes, and unpooling.
#include <limits>
#include <vector>
#include <THNN/THNN.h>

#include "planes.hpp"

namespace thnn {
namespace {

// By output position, in each dimension.
using Windows = std::vector<Range>[3];

template <class C>
void maxPlane(const THNNPoolingPlan &p, const Windows &windows, const C *x, C *y, int64_t *indices) {
  const int64_t height = p.input[1], width = p.input[2];
  for (const Range &d : windows[0])
    for (const Range &h : windows[1])
      for (const Range &w : windows[2]) {
        C best = -std::numeric_limits<C>::infinity();
        int64_t where = (d.first * height + h.first) * width + w.first;
        for (int64_t i = d.first; i < d.last; i++)
          for (int64_t j = h.first; j < h.last; j++) {
            const int64_t line = (i * height + j) * width;
            for (int64_t k = w.first; k < w.last; k++) {
              const C v = x[line + k];
              if (!(v > best) && v == v) continue;
              best = v;
              where = line + k;
            }
          }
        *y++ = best;
        *indices++ = where;
      }
}

template <class T>
void adaptiveMax(const THTensor *input, THTensor *output, THTensor *indices, int n, const int64_t *size) {
  using C = Compute<T>;
  THNNPoolingPlan plan;
  if (!THNNPrepare_adaptivePooling(&plan, DtypeOf<T>::value, input, output, indices, n, size))
    return resizeResults(plan.result, 2);
  Windows windows;
  for (int d = 0; d < 3; d++)
    for (int64_t o = 0; o < plan.output[d]; o++) windows[d].push_back(shareOf(o, plan.output[d], plan.input[d]));
  const Elements<C> x(input);
  const int64_t in = elementsOf(plan.input), out = elementsOf(plan.output);
  intoBoth<C>(plan, input, [&](C *y, int64_t *where) {
    forPlanes(plan, in + out,
              [&](int64_t i, void *) { maxPlane(plan, windows, x.data() + i * in, y + i * out, where + i * out); });
  });
}

// Windows of `kernel` elements, which begin at the multiples of a step, from `sample` steps on; the last one ends with the
// input. In the precision of C, in which samples are.
template <class C>
void setFractions(std::vector<Range> &windows, C sample, int64_t size, int64_t n, int64_t kernel) {
  windows.resize(size_t(n));
  const C step = n > 1 ? C(size - kernel) / C(n - 1) : C(0);
  for (int64_t o = 0; o < n; o++) {
    const int64_t start = o == n - 1 ? size - kernel : int64_t((C(o) + sample) * step) - int64_t(sample * step);
    const int64_t first = std::clamp<int64_t>(start, 0, size - kernel);  // whatever the sample
    windows[size_t(o)] = {first, first + kernel};
  }
}

template <class T>
void fractionalMax(const THTensor *input, THTensor *output, THTensor *indices, int n, const int64_t *kernel,
                   const int64_t *size, const THTensor *samples) {
  using C = Compute<T>;
  THNNPoolingPlan plan;
  if (!THNNPrepare_FractionalMaxPooling_updateOutput(&plan, DtypeOf<T>::value, input, output, indices, n, kernel, size,
                                                     samples))
    return resizeResults(plan.result, 2);
  const Elements<C> x(input), random(samples);
  const int64_t in = elementsOf(plan.input), out = elementsOf(plan.output);
  intoBoth<C>(plan, input, [&](C *y, int64_t *where) {
    forPlanes(plan, in + out * elementsOf(plan.kernel), [&](int64_t i, void *) {
      Windows windows;
      for (int d = 0; d < 3; d++) {
        const int place = n == 3 ? d : 2 - d;  // of two, the width's comes first
        const C sample = d < 3 - n ? C(0) : random.data()[i * n + place];
        setFractions(windows[d], sample, plan.input[d], plan.output[d], plan.kernel[d]);
      }
      maxPlane(plan, windows, x.data() + i * in, y + i * out, where + i * out);
    });
  });
}

template <class T>
void unpool(const THTensor *input, THTensor *output, const THTensor *indices, int n, const int64_t *size) {
  using C = Compute<T>;
  THNNPoolingPlan plan;
  if (!THNNPrepare_MaxUnpooling_updateOutput(&plan, DtypeOf<T>::value, input, output, indices, n, size))
    return resizeResults(plan.result);
  const Elements<C> x(input);
  const Indices where(plan, n, indices);
  const int64_t large = elementsOf(plan.input), small = elementsOf(plan.output);
  into<C>(plan.result[0], {input, indices}, [&](C *y) {
    forPlanes(plan, large + small, [&](int64_t plane, void *) {
      C *const to = y + plane * large;
      std::fill_n(to, large, C(0));
      for (int64_t i = plane * small; i < (plane + 1) * small; i++) to[where.data()[i]] = x.data()[i];
    });
  });
}

template <class T>
void unpoolBackward(const THTensor *gradOutput, THTensor *gradInput, const THTensor *indices, int n) {
  using C = Compute<T>;
  THNNPoolingPlan plan;
  if (!THNNPrepare_MaxUnpooling_updateGradInput(&plan, DtypeOf<T>::value, gradOutput, gradInput, indices, n))
    return resizeResults(plan.result);
  const Elements<C> gy(gradOutput);
  const Indices where(plan, n, indices);
  const int64_t large = elementsOf(plan.input), small = elementsOf(plan.output);
  into<C>(plan.result[0], {gradOutput, indices}, [&](C *gx) {
    forPlanes(plan, small, [&](int64_t plane, void *) {
      const C *const from = gy.data() + plane * large;
      for (int64_t i = plane * small; i < (plane + 1) * small; i++) gx[i] = from[where.data()[i]];
    });
  });
}

int dimensions(int64_t n) { return int(std::clamp<int64_t>(n, -1, 4)); }

const int64_t *requireEntries(int n, const int64_t *list, int expected) {
  if (n != expected) THError(TH_ERROR_RUNTIME, "size must have %d entries, as kernel has, got %d", expected, n);
  return list;
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(AdaptiveMaxPooling_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, THIndexTensor *indices, int nsize,
             const int64_t *size),
            thnn::adaptiveMax<T>(input, output, indices, nsize, size))

THNN_DEFINE(FractionalMaxPooling_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, THIndexTensor *indices, int nkernel,
             const int64_t *kernel, int nsize, const int64_t *size, const THTensor *samples),
            thnn::fractionalMax<T>(input, output, indices, nkernel, kernel, thnn::requireEntries(nsize, size, nkernel),
                                   samples))

THNN_DEFINE(MaxUnpooling_updateOutput, floating,
            (THNNState *, const THTensor *input, THTensor *output, const THIndexTensor *indices, int nsize,
             const int64_t *size),
            thnn::unpool<T>(input, output, indices, nsize, size))

THNN_DEFINE(MaxUnpooling_updateGradInput, floating,
            (THNNState *, const THTensor *gradOutput, THTensor *gradInput, const THIndexTensor *indices,
             int64_t dimensions),
            thnn::unpoolBackward<T>(gradOutput, gradInput, indices, thnn::dimensions(dimensions)))
