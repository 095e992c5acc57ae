// Convolutions of few channels, without a matrix of columns: direct.cpp.
#pragma once

#include <THNN/Convolution.h>

namespace thnn::direct {

// Whether this is faster than oneDNN's kernel.
bool beatsOneDNN(const THNNConvolutionPlan &plan, bool gradWeight);

void forward(const THNNConvolutionPlan &plan, const float *x, const float *w, const float *bias, float *y);
void backwardInput(const THNNConvolutionPlan &plan, const float *gy, const float *w, float *gx);  // without strides
void backwardWeight(const THNNConvolutionPlan &plan, const float *x, const float *gy, float *gw);

// Gradients for the weights of kernels of one element as products of lines: whether that is the fastest, and they.
bool areLines(const THNNConvolutionPlan &plan);
void weightOfLines(const THNNConvolutionPlan &plan, const float *x, const float *gy, float *gw);

}  // namespace thnn::direct
