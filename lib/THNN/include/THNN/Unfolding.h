/* Sliding blocks of images as columns, and columns as images. */
#ifndef THNN_UNFOLDING_H
#define THNN_UNFOLDING_H

#include <THNN/THNNGeneral.h>

/* input (batch, channels, height, width) to output (batch, channels kH kW, blocks), or both without a batch: column p
 * holds, channel by channel, what a kernel of kH x kW meets at position p, 0 where that is padding. */
THNN_FUNCTION(Im2Col_updateOutput, floating_complex,
              (THNNState *state, const THTensor *input, THTensor *output, int64_t kH, int64_t kW, int64_t dilationH,
               int64_t dilationW, int64_t padH, int64_t padW, int64_t dH, int64_t dW))
/* The other way, which is also the gradient: each element of output is the sum of those that lie there. */
THNN_FUNCTION(Col2Im_updateOutput, floating_complex,
              (THNNState *state, const THTensor *input, THTensor *output, int64_t outputHeight, int64_t outputWidth,
               int64_t kH, int64_t kW, int64_t dilationH, int64_t dilationW, int64_t padH, int64_t padW, int64_t dH,
               int64_t dW))

/* The same of one image by the names of 2017. finput (channels kH kW, output height output width) is overwritten by
 * unfolded_copy; unfolded_acc adds to input, which has its shape already. */
THNN_FUNCTION(unfolded_copy, floating,
              (THNNState *state, THTensor *finput, const THTensor *input, int64_t kW, int64_t kH, int64_t dW,
               int64_t dH, int64_t padW, int64_t padH, int64_t nInputPlane, int64_t inputWidth, int64_t inputHeight,
               int64_t outputWidth, int64_t outputHeight))
THNN_FUNCTION(unfolded_acc, floating,
              (THNNState *state, const THTensor *finput, THTensor *input, int64_t kW, int64_t kH, int64_t dW,
               int64_t dH, int64_t padW, int64_t padH, int64_t nInputPlane, int64_t inputWidth, int64_t inputHeight,
               int64_t outputWidth, int64_t outputHeight))

/* A convolution whose weights are another matrix at each position, by its name of 2017: input (batch, channels, height,
 * width), or without a batch, weight (output height output width, outputs, channels kH kW), or with its six dimensions apart,
 * bias (outputs, output height, output width), output (batch, outputs, output height, output width). finput and fgradInput
 * become the images as columns, and the gradient for those. accGradParameters adds `scale` times the gradients. */
THNN_FUNCTION(SpatialConvolutionLocal_updateOutput, float_double,
              (THNNState *state, const THTensor *input, THTensor *output, const THTensor *weight, const THTensor *bias,
               THTensor *finput, THTensor *fgradInput, int64_t kW, int64_t kH, int64_t dW, int64_t dH, int64_t padW,
               int64_t padH, int64_t inputWidth, int64_t inputHeight, int64_t outputWidth, int64_t outputHeight))
THNN_FUNCTION(SpatialConvolutionLocal_updateGradInput, float_double,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
               const THTensor *weight, THTensor *finput, THTensor *fgradInput, int64_t kW, int64_t kH, int64_t dW,
               int64_t dH, int64_t padW, int64_t padH, int64_t inputWidth, int64_t inputHeight, int64_t outputWidth,
               int64_t outputHeight))
THNN_FUNCTION(SpatialConvolutionLocal_accGradParameters, float_double,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight,
               THTensor *gradBias, THTensor *finput, THTensor *fgradInput, int64_t kW, int64_t kH, int64_t dW,
               int64_t dH, int64_t padW, int64_t padH, int64_t inputWidth, int64_t inputHeight, int64_t outputWidth,
               int64_t outputHeight, double scale))

/* ---- prepare halves: the result may share memory with the input -------------------------------- */

typedef struct THNNUnfoldingPlan {
  int64_t batch, channels;
  int64_t image[2], blocks[2], kernel[2], dilation[2], padding[2], stride[2]; /* height and width */
  THResult result;
} THNNUnfoldingPlan;

/* Both take a plan whose kernel, dilation, padding and stride are given; col2im's, whose image is, too. */
TH_API bool THNNPrepare_Im2Col_updateOutput(THNNUnfoldingPlan *plan, THDtype dtype, const THTensor *input,
                                            THTensor *output);
TH_API bool THNNPrepare_Col2Im_updateOutput(THNNUnfoldingPlan *plan, THDtype dtype, const THTensor *input,
                                            THTensor *output);

#endif
