// What oneDNN computes in place of kernels of THNN. Without it, the functions here are those of absent.cpp.
#pragma once

#include <THNN/Convolution.h>

namespace thnn::onednn {

// Where images and weights have their channels innermost; otherwise they are contiguous.
struct Layout {
  bool imagesLast = false, weightsLast = false;
};

// Groups of one channel of which there are so many, in all images, that oneDNN is worth calling however little is multiplied:
// it takes a vector of them at a time.
inline bool arePlanes(const THNNConvolutionPlan &p) {
  return p.groups > 1 && p.in == 1 && p.out == 1 && p.batch * p.groups >= 1024;
}

// A kernel of convolution.cpp by oneDNN; false, with nothing written, where it is not there, not wanted or not faster.
bool forward(const THNNConvolutionPlan &plan, const float *x, const float *w, const float *bias, float *y,
             Layout layout = {});
bool backwardInput(const THNNConvolutionPlan &plan, const float *gy, const float *w, float *gx, Layout layout = {});
bool backwardWeight(const THNNConvolutionPlan &plan, const float *x, const float *gy, float *gw, Layout layout = {});

}  // namespace thnn::onednn
