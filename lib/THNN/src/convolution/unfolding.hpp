// Images as columns and back, a channel at a time: the columns of a convolution's matrix (columns.hpp).
#pragma once

#include <algorithm>
#include <THNN/Unfolding.h>

#include "columns.hpp"
#include "kit/module.hpp"
#include "kit/parallel.hpp"

namespace thnn {

// Of the names of 2017, whose caller says all sizes.
THNNUnfoldingPlan checkedPlan(THNNUnfoldingPlan plan, int64_t channels, int64_t height, int64_t width,
                              const THTensor *columns, const char *name);
void requireImage(const THNNUnfoldingPlan &plan, const THTensor *t, const char *name);

inline THNNUnfoldingPlan planOf(int64_t kH, int64_t kW, int64_t dilationH, int64_t dilationW, int64_t padH,
                                int64_t padW, int64_t dH, int64_t dW, int64_t height = 0, int64_t width = 0) {
  return {0, 0, {height, width}, {}, {kH, kW}, {dilationH, dilationW}, {padH, padW}, {dH, dW}, {}};
}

inline THNNConvolutionPlan convolutionOf(const THNNUnfoldingPlan &p) {
  THNNConvolutionPlan plan;
  plan.batch = plan.groups = plan.in = plan.out = 1;
  plan.input[0] = plan.kernel[0] = plan.output[0] = plan.stride[0] = plan.dilation[0] = 1;
  plan.padding[0] = 0;
  for (int d = 0; d < 2; d++) {
    plan.input[1 + d] = p.image[d];
    plan.kernel[1 + d] = p.kernel[d];
    plan.output[1 + d] = p.blocks[d];
    plan.stride[1 + d] = p.stride[d];
    plan.padding[1 + d] = p.padding[d];
    plan.dilation[1 + d] = p.dilation[d];
  }
  return plan;
}

// work(plan, elements of a channel's image, of its columns, channel) for all channels of the batch.
template <class Work>
void forChannels(const THNNUnfoldingPlan &p, const Work &work) {
  const THNNConvolutionPlan plan = convolutionOf(p);
  const int64_t image = product(plan.input), columns = product(plan.kernel) * product(plan.output);
  parallelFor(p.batch * p.channels, std::max<int64_t>(1, kGrain / columns), [&](int64_t begin, int64_t end) {
    for (int64_t c = begin; c < end; c++) work(plan, image, columns, c);
  });
}

template <class C>
void unfold(const THNNUnfoldingPlan &p, const C *x, C *columns) {
  forChannels(p, [=](const THNNConvolutionPlan &plan, int64_t image, int64_t n, int64_t c) {
    toColumns(plan, x + c * image, 0, 1, 0, product(plan.output), columns + c * n);
  });
}

// Adds to x.
template <class C>
void accumulate(const THNNUnfoldingPlan &p, const C *columns, C *x, bool fromZero) {
  forChannels(p, [=](const THNNConvolutionPlan &plan, int64_t image, int64_t n, int64_t c) {
    if (fromZero) std::fill_n(x + c * image, image, C(0));
    addColumns(plan, columns + c * n, 0, 1, x + c * image);
  });
}

}  // namespace thnn
