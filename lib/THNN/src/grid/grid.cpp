// Images sampled at any places, and the gradients. Work is shared out by images and places, or where elements of an image
// add up by its channels, so that each sum is one thread's.
#include <algorithm>
#include <THNN/THNN.h>

#include "grid.hpp"
#include "kit/computed.hpp"
#include "kit/parallel.hpp"

namespace thnn {
namespace {

int64_t sizeOf(const THNNGridPlan &p) { return p.size[0] * p.size[1] * p.size[2]; }

// work(image, first place, number of places) for all of them.
template <class Work>
void forPlaces(const THNNGridPlan &p, const Work &work) {
  const int64_t parts = (p.places + kPlaces - 1) / kPlaces;
  const int64_t cost = kPlaces * (16 + 4 * p.channels);
  parallelFor(p.batch * parts, std::max<int64_t>(1, kGrain / cost), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; i++) {
      const int64_t first = i % parts * kPlaces;
      work(i / parts, first, std::min(kPlaces, p.places - first));
    }
  });
}

template <class T>
void updateOutput(const THTensor *input, const THTensor *grid, THTensor *output, THNNGridPlan plan) {
  using C = Compute<T>;
  if (!THNNPrepare_GridSampler_updateOutput(&plan, DtypeOf<T>::value, input, grid, output))
    return resizeResults(&plan.result);
  const Elements<C> x(input), at(grid);
  into<C>(plan.result, {input, grid}, [&](C *y) {
    forPlaces(plan, [&](int64_t image, int64_t first, int64_t n) {
      gridLoops<C>().sample(plan, at.data() + (image * plan.places + first) * plan.dimensions, n,
                            x.data() + image * plan.channels * sizeOf(plan),
                            y + image * plan.channels * plan.places + first);
    });
  });
}

template <class T>
void updateGradInput(const THTensor *gradOutput, THTensor *gradInput, const THTensor *grid, int n, const int64_t *size,
                     THNNGridPlan plan) {
  using C = Compute<T>;
  if (!THNNPrepare_GridSampler_updateGradInput(&plan, DtypeOf<T>::value, gradOutput, gradInput, grid, n, size))
    return resizeResults(&plan.result);
  const Elements<C> gy(gradOutput), at(grid);
  const int64_t elements = sizeOf(plan);
  into<C>(plan.result, {gradOutput, grid}, [&](C *gx) {
    const int64_t grain = std::max<int64_t>(1, kGrain / (elements + 8 * plan.places));
    parallelFor(plan.batch * plan.channels, grain, [&](int64_t begin, int64_t end) {
      std::fill(gx + begin * elements, gx + end * elements, C(0));
      while (begin < end) {  // the channels of an image share what is known of its places
        const int64_t image = begin / plan.channels, stop = std::min(end, (image + 1) * plan.channels);
        for (int64_t first = 0; first < plan.places; first += kPlaces)
          gridLoops<C>().scatter(plan, at.data() + (image * plan.places + first) * plan.dimensions,
                                 std::min(kPlaces, plan.places - first), stop - begin,
                                 gy.data() + begin * plan.places + first, gx + begin * elements);
        begin = stop;
      }
    });
  });
}

template <class T>
void updateGradGrid(const THTensor *input, const THTensor *grid, const THTensor *gradOutput, THTensor *gradGrid,
                    THNNGridPlan plan) {
  using C = Compute<T>;
  if (!THNNPrepare_GridSampler_updateGradGrid(&plan, DtypeOf<T>::value, input, grid, gradOutput, gradGrid))
    return resizeResults(&plan.result);
  const Elements<C> x(input), at(grid), gy(gradOutput);
  into<C>(plan.result, {input, grid, gradOutput}, [&](C *gat) {
    forPlaces(plan, [&](int64_t image, int64_t first, int64_t n) {
      const int64_t place = (image * plan.places + first) * plan.dimensions;
      gridLoops<C>().slopes(plan, at.data() + place, n, x.data() + image * plan.channels * sizeOf(plan),
                            gy.data() + image * plan.channels * plan.places + first, gat + place);
    });
  });
}

THNNGridPlan planOf(int mode, int padding, bool align_corners) {
  THNNGridPlan plan;
  plan.mode = THNNGridMode(mode);
  plan.padding = THNNGridPadding(padding);
  plan.align_corners = align_corners;
  return plan;
}

void requireSpatial(const THTensor *input) {
  if (input->ndim != 4) THError(TH_ERROR_RUNTIME, "4D input tensor expected but got: %s", shapeString(input).c_str());
}

// Both, the second one into memory of its own: results may be inputs.
template <class T>
void spatialGradients(const THTensor *input, THTensor *gradInput, const THTensor *grid, THTensor *gradGrid,
                      const THTensor *gradOutput, int padding) {
  requireSpatial(input);
  const THNNGridPlan plan = planOf(THNN_GRID_LINEAR, padding, true);
  const Ref slopes(newLike(gradGrid, dtypeOf(gradGrid), 0, nullptr));
  const Ref images(newLike(gradInput, dtypeOf(gradInput), 0, nullptr));
  updateGradGrid<T>(input, grid, gradOutput, slopes, plan);
  updateGradInput<T>(gradOutput, images, grid, 2, input->size + 2, plan);
  resizeResult(gradGrid, slopes->ndim, slopes->size);
  resizeResult(gradInput, images->ndim, images->size);
  THTensor_copy(gradGrid, slopes);
  THTensor_copy(gradInput, images);
}

}  // namespace
}  // namespace thnn

THNN_DEFINE(GridSampler_updateOutput, floating,
            (THNNState *, const THTensor *input, const THTensor *grid, THTensor *output, int mode, int padding_mode,
             bool align_corners),
            thnn::updateOutput<T>(input, grid, output, thnn::planOf(mode, padding_mode, align_corners)))
THNN_DEFINE(GridSampler_updateGradInput, floating,
            (THNNState *, const THTensor *gradOutput, THTensor *gradInput, const THTensor *grid, int nsize,
             const int64_t *size, int mode, int padding_mode, bool align_corners),
            thnn::updateGradInput<T>(gradOutput, gradInput, grid, nsize, size,
                                     thnn::planOf(mode, padding_mode, align_corners)))
THNN_DEFINE(GridSampler_updateGradGrid, floating,
            (THNNState *, const THTensor *input, const THTensor *grid, const THTensor *gradOutput, THTensor *gradGrid,
             int mode, int padding_mode, bool align_corners),
            thnn::updateGradGrid<T>(input, grid, gradOutput, gradGrid, thnn::planOf(mode, padding_mode, align_corners)))

THNN_DEFINE(SpatialGridSamplerBilinear_updateOutput, floating,
            (THNNState *, const THTensor *input, const THTensor *grid, THTensor *output, int padding_mode),
            (thnn::requireSpatial(input),
             thnn::updateOutput<T>(input, grid, output, thnn::planOf(THNN_GRID_LINEAR, padding_mode, true))))
THNN_DEFINE(SpatialGridSamplerBilinear_updateGradInput, floating,
            (THNNState *, const THTensor *input, THTensor *gradInput, const THTensor *grid, THTensor *gradGrid,
             const THTensor *gradOutput, int padding_mode),
            thnn::spatialGradients<T>(input, gradInput, grid, gradGrid, gradOutput, padding_mode))
