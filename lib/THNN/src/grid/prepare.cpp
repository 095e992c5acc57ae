// What sampling checks, and the shapes of its results.
#include <algorithm>
#include <limits>
#include <THNN/Check.h>
#include <THNN/Grid.h>

#include "kit/module.hpp"

namespace thnn {
namespace {

void require(THDtype dtype, const THTensor *r, std::initializer_list<Named> inputs) {
  for (const Named &input : inputs) {
    requireDtype(input.tensor, dtype, input.name);
    requireMemory(r, input.tensor);
  }
  requireDtype(r, dtype, "result");
}

// Images (batch, channels, `size`…) that are sampled by a grid.
void setPlan(THNNGridPlan &plan, int64_t batch, int64_t channels, int n, const int64_t *size, const THTensor *grid) {
  if (plan.mode < THNN_GRID_LINEAR || plan.mode > THNN_GRID_CUBIC || plan.padding < THNN_GRID_ZEROS ||
      plan.padding > THNN_GRID_REFLECTION)
    THError(TH_ERROR_RUNTIME, "no mode and padding of grid_sampler have the numbers %d and %d", int(plan.mode),
            int(plan.padding));
  if (n != 2 && n != 3) THError(TH_ERROR_RUNTIME, "grid_sampler goes over 2 or 3 dimensions, got %d", n);
  if (grid->ndim != n + 2)
    THError(TH_ERROR_RUNTIME, "grid_sampler(): expected a grid of %d dimensions, but got one with sizes %s", n + 2,
            shapeString(grid).c_str());
  if (grid->size[0] != batch)
    THError(TH_ERROR_RUNTIME,
            "grid_sampler(): expected grid and input to have same batch size, but the batch is %lld and grid has "
            "sizes %s",
            (long long)batch, shapeString(grid).c_str());
  THNNCheck_coordinates(n, grid);
  THNNCheck_cubic(n, plan.mode == THNN_GRID_CUBIC);
  plan.dimensions = n;
  plan.batch = batch;
  plan.channels = channels;
  plan.places = 1;
  for (int d = 1; d <= n; d++) plan.places *= grid->size[d];
  int64_t elements = 1;
  for (int d = 0; d < 3; d++) {
    plan.size[d] = d < 3 - n ? 1 : size[d - 3 + n];
    if (plan.size[d] < 1)
      THError(TH_ERROR_RUNTIME, "grid_sampler(): expected input to have non-empty spatial dimensions, but got %s",
              shapeString(n, size).c_str());
    elements = TH_saturatedProduct(elements, plan.size[d]);
  }
  if (elements > std::numeric_limits<int32_t>::max())
    THError(TH_ERROR_RUNTIME, "grid_sampler(): planes may have %d elements, but the size is %s",
            std::numeric_limits<int32_t>::max(), shapeString(n, size).c_str());
}

void requireImages(const THTensor *t, const char *name) {
  if (t->ndim != 4 && t->ndim != 5)
    THError(TH_ERROR_RUNTIME, "grid_sampler(): expected 4D or 5D %s, but got sizes %s", name, shapeString(t).c_str());
}

// (batch, channels, places…)
void setSamples(const THNNGridPlan &plan, const THTensor *grid, int64_t (&size)[5]) {
  size[0] = plan.batch;
  size[1] = plan.channels;
  std::copy_n(grid->size + 1, plan.dimensions, size + 2);
}
void requireSamples(const THNNGridPlan &plan, const THTensor *grid, const THTensor *gradOutput) {
  int64_t size[5];
  setSamples(plan, grid, size);
  if (!sameShape(plan.dimensions + 2, size, gradOutput))
    THError(TH_ERROR_RUNTIME, "the samples have shape %s, but grad_output has %s",
            shapeString(plan.dimensions + 2, size).c_str(), shapeString(gradOutput).c_str());
}

}  // namespace
}  // namespace thnn

using namespace thnn;

void THNNCheck_coordinates(int n, const THTensor *grid) {
  if (grid->size[grid->ndim - 1] != n)
    THError(TH_ERROR_RUNTIME,
            "grid_sampler(): expected grid to have size %d in last dimension, but got grid with sizes %s", n,
            shapeString(grid).c_str());
}

void THNNCheck_cubic(int n, bool cubic) {
  if (cubic && n != 2) THError(TH_ERROR_RUNTIME, "grid_sampler(): bicubic interpolation only supports 4D input");
}

bool THNNPrepare_GridSampler_updateOutput(THNNGridPlan *plan, THDtype dtype, const THTensor *input,
                                          const THTensor *grid, THTensor *output) {
  require(dtype, output, {{input, "input"}, {grid, "grid"}});
  requireImages(input, "input");
  setPlan(*plan, input->size[0], input->size[1], input->ndim - 2, input->size + 2, grid);
  int64_t size[5];
  setSamples(*plan, grid, size);
  setResult(plan->result, output, input->ndim, size);
  return hasMemory(output) && plan->batch && plan->places;
}

bool THNNPrepare_GridSampler_updateGradInput(THNNGridPlan *plan, THDtype dtype, const THTensor *gradOutput,
                                             THTensor *gradInput, const THTensor *grid, int n, const int64_t *size) {
  require(dtype, gradInput, {{gradOutput, "grad_output"}, {grid, "grid"}});
  requireImages(gradOutput, "grad_output");
  setPlan(*plan, gradOutput->size[0], gradOutput->size[1], n, size, grid);
  requireSamples(*plan, grid, gradOutput);
  int64_t shape[5] = {plan->batch, plan->channels};
  std::copy_n(size, n, shape + 2);
  setResult(plan->result, gradInput, n + 2, shape);
  return hasMemory(gradInput);
}

bool THNNPrepare_GridSampler_updateGradGrid(THNNGridPlan *plan, THDtype dtype, const THTensor *input,
                                            const THTensor *grid, const THTensor *gradOutput, THTensor *gradGrid) {
  require(dtype, gradGrid, {{input, "input"}, {grid, "grid"}, {gradOutput, "grad_output"}});
  requireImages(input, "input");
  setPlan(*plan, input->size[0], input->size[1], input->ndim - 2, input->size + 2, grid);
  requireSamples(*plan, grid, gradOutput);
  setResult(plan->result, gradGrid, grid);
  return hasMemory(gradGrid);
}
