// Convolutions of few channels, without a matrix of columns: direct.cpp.
#pragma once

#include <THNN/Convolution.h>

namespace thnn::direct {

// Whether this is faster than oneDNN's kernel.
bool beatsOneDNN(const THNNConvolutionPlan &plan, bool gradWeight);

void forward(const THNNConvolutionPlan &plan, const float *x, const float *w, const float *bias, float *y);
void backwardInput(const THNNConvolutionPlan &plan, const float *gy, const float *w, float *gx);  // without strides
void backwardWeight(const THNNConvolutionPlan &plan, const float *x, const float *gy, float *gw);

// Kernels of one element with few outputs: whether images are best read as they lie, and the outputs.
bool areStreams(const THNNConvolutionPlan &plan);
void outputOfStreams(const THNNConvolutionPlan &plan, const float *x, const float *w, const float *bias, float *y);

// y[r yStep + o] (+)= Σ_i w[o terms + i] x[r step + i], of at most kFewRows rows.
constexpr int64_t kFewRows = 4;
void fewRows(int64_t outs, int64_t terms, const float *w, int64_t rows, const float *x, int64_t step, bool add,
             float *y, int64_t yStep);
// gx[r xStep + i] = Σ_o w[o terms + i] gy[r step + o], of at most kFewRows rows and at least 8 terms.
void fewRowsBack(int64_t outs, int64_t terms, const float *w, int64_t rows, const float *gy, int64_t step, float *gx,
                 int64_t xStep);

// Gradients for the weights of kernels of one element as products of lines: whether that is the fastest, and they.
bool areLines(const THNNConvolutionPlan &plan);
void weightOfLines(const THNNConvolutionPlan &plan, const float *x, const float *gy, float *gw);

}  // namespace thnn::direct
