/* Convolution. */
#ifndef THNN_CONVOLUTION_H
#define THNN_CONVOLUTION_H

#include <THNN/THNNGeneral.h>

/* Cross-correlation over 1 to 3 spatial dimensions, as many as the lists have entries:
 * input (batch, channels, size…), weight (outputs, channels / groups, kernel…), bias (outputs) or NULL,
 * output (batch, outputs, positions…) with positions = (size + 2 padding - dilation (kernel - 1) - 1) / stride + 1.
 * Results lie with their channels innermost where one of the two tensors does (THNNCheck_areChannelsLast).
 * updateGradInput is also the transposed convolution of gradOutput: `size` says how large gradInput is.
 * updateGradWeight overwrites gradWeight; `kernel` says how large it is. */
THNN_FUNCTION(Convolution_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, const THTensor *weight,
               const THNullableTensor *bias, int nstride, const int64_t *stride, int npadding, const int64_t *padding,
               int ndilation, const int64_t *dilation, int64_t groups))
THNN_FUNCTION(Convolution_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, const THTensor *weight, int nsize,
               const int64_t *size, int nstride, const int64_t *stride, int npadding, const int64_t *padding,
               int ndilation, const int64_t *dilation, int64_t groups))
THNN_FUNCTION(Convolution_updateGradWeight, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight, int nkernel,
               const int64_t *kernel, int nstride, const int64_t *stride, int npadding, const int64_t *padding,
               int ndilation, const int64_t *dilation, int64_t groups))

/* ---- prepare halves: the result may share memory with the inputs ------------------------------- */

/* Three spatial dimensions; those that a convolution has not got are 1 long, and come first. */
typedef struct THNNConvolutionPlan {
  int64_t batch, groups;
  int64_t in, out; /* channels of one group */
  int64_t input[3], kernel[3], output[3], stride[3], padding[3], dilation[3];
  THResult result;
} THNNConvolutionPlan;

/* How a convolution goes over its input: lists of as many entries as there are spatial dimensions. */
typedef struct THNNConvolutionSteps {
  int n;
  const int64_t *stride, *padding, *dilation;
  int64_t groups;
} THNNConvolutionSteps;

TH_API bool THNNPrepare_Convolution_updateOutput(THNNConvolutionPlan *plan, THDtype dtype, const THTensor *input,
                                                 THTensor *output, const THTensor *weight, const THTensor *bias,
                                                 const THNNConvolutionSteps *steps);
TH_API bool THNNPrepare_Convolution_updateGradInput(THNNConvolutionPlan *plan, THDtype dtype,
                                                    const THTensor *gradOutput, THTensor *gradInput,
                                                    const THTensor *weight, const int64_t *size,
                                                    const THNNConvolutionSteps *steps);
TH_API bool THNNPrepare_Convolution_updateGradWeight(THNNConvolutionPlan *plan, THDtype dtype, const THTensor *input,
                                                     const THTensor *gradOutput, THTensor *gradWeight,
                                                     const int64_t *kernel, const THNNConvolutionSteps *steps);

#endif
