// Convolutions of few channels, without a matrix of columns: direct.cpp.
#pragma once

#include <THNN/Convolution.h>

namespace thnn::direct {

// What computes a convolution otherwise.
enum class Algorithm { OneDNN, Columns };

// As in onednn.hpp: false, with nothing written, for shapes that the rival is faster at.
bool forward(Algorithm rival, const THNNConvolutionPlan &plan, const float *x, const float *w, const float *bias,
             float *y);
bool backwardInput(Algorithm rival, const THNNConvolutionPlan &plan, const float *gy, const float *w, float *gx);
bool backwardWeight(Algorithm rival, const THNNConvolutionPlan &plan, const float *x, const float *gy, float *gw);

}  // namespace thnn::direct
