/* Images of other sizes. */
#ifndef THNN_UPSAMPLING_H
#define THNN_UPSAMPLING_H

#include <THNN/THNNGeneral.h>

/* What an element of the result is made of, in each of the last 1 to 3 dimensions by itself. With a step of
 * s = size / result's size, or of 1 / scale where that is not 0, element o lies at (o + 1/2) s - 1/2 of the input; with
 * align_corners at o (size - 1) / (result's size - 1). */
typedef enum THNNUpSamplingMode {
  THNN_NEAREST,              /* element floor(o s); s is a float */
  THNN_NEAREST_EXACT,        /* element floor((o + 1/2) s) */
  THNN_LINEAR,               /* the two next to the place, each by its distance from the other */
  THNN_CUBIC,                /* four, by Keys' convolution with a = -3/4 */
  THNN_LINEAR_ANTIALIASED,   /* all that the kernel, widened by the step if that is above 1, covers; */
  THNN_CUBIC_ANTIALIASED,    /* a = -1/2; */
  THNN_LANCZOS_ANTIALIASED   /* sinc(x) sinc(x / 3) */
} THNNUpSamplingMode;

/* input (batch, channels, size…) to output (batch, channels, output_size…), over as many dimensions as the list has
 * entries; the last of scale_d, scale_h and scale_w are theirs. Of integers: nearest, and in two dimensions of uint8 all,
 * rounded after each dimension, the last one first. */
THNN_FUNCTION(UpSampling_updateOutput, number,
              (THNNState *state, const THTensor *input, THTensor *output, int mode, bool align_corners, int nsize,
               const int64_t *size, double scale_d, double scale_h, double scale_w))
/* `size`: gradInput's. */
THNN_FUNCTION(UpSampling_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, int mode, bool align_corners,
               int nsize, const int64_t *size, double scale_d, double scale_h, double scale_w))

/* By the names of 2017. */
THNN_FUNCTION(SpatialUpSamplingNearest_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, int scale_factor))
THNN_FUNCTION(SpatialUpSamplingNearest_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
               int scale_factor))
THNN_FUNCTION(VolumetricUpSamplingNearest_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, int scale_factor))
THNN_FUNCTION(VolumetricUpSamplingNearest_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
               int scale_factor))
THNN_FUNCTION(SpatialUpSamplingBilinear_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, int outputHeight, int outputWidth,
               bool align_corners))
THNN_FUNCTION(SpatialUpSamplingBilinear_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, int batch, int channels,
               int inputHeight, int inputWidth, int outputHeight, int outputWidth, bool align_corners))
THNN_FUNCTION(VolumetricUpSamplingTrilinear_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, int outputDepth, int outputHeight,
               int outputWidth, bool align_corners))
THNN_FUNCTION(VolumetricUpSamplingTrilinear_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, int batch, int channels,
               int inputDepth, int inputHeight, int inputWidth, int outputDepth, int outputHeight, int outputWidth,
               bool align_corners))

/* ---- prepare halves: the result may share memory with the input -------------------------------- */

/* Three spatial dimensions; those that there are not are 1 long, and come first. */
typedef struct THNNUpSamplingPlan {
  int64_t planes;             /* batch times channels */
  int64_t input[3], output[3]; /* of backward functions, too: input is gradInput */
  double scale[3];
  THNNUpSamplingMode mode;
  bool align_corners;
  THResult result;
} THNNUpSamplingPlan;

/* Both take a plan whose scale, mode and align_corners are given. */
TH_API bool THNNPrepare_UpSampling_updateOutput(THNNUpSamplingPlan *plan, THDtype dtype, const THTensor *input,
                                                THTensor *output, int n, const int64_t *size);
TH_API bool THNNPrepare_UpSampling_updateGradInput(THNNUpSamplingPlan *plan, THDtype dtype, const THTensor *gradOutput,
                                                   THTensor *gradInput, int n, const int64_t *size);
/* What a plan's dimension d (of its three) makes of elements of the input, for those who compute it elsewhere: row o of the
 * output is the sum of elements index[o * most + k] times weight[o * most + k], for k below `most`, which is returned;
 * where a row has fewer, the index is -1. The lists may be NULL. `dtype`: the elements'; weights have its precision, and of
 * uint8 as many bits behind the point as the kernel gives them. */
TH_API int64_t THNNPrepare_UpSampling_taps(const THNNUpSamplingPlan *plan, int d, THDtype dtype, int64_t *index,
                                           double *weight);

#endif
