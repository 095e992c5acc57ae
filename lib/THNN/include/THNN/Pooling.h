/* Pooling. */
#ifndef THNN_POOLING_H
#define THNN_POOLING_H

#include <THNN/THNNGeneral.h>

/* Over the last 1 to 3 dimensions, as many as the lists have entries: input (batch, channels, size…) or (channels, size…).
 * `indices` are int64: where in its plane (the last dimensions, row by row) each element of output lies. Of equal elements
 * it is the first, and NaN is the greatest. Padding is never an element.
 * positions = (size + 2 padding - dilation (kernel - 1) - 1) / stride + 1, rounded up with ceil_mode, unless the last
 * window would begin in the padding. */
THNN_FUNCTION(MaxPooling_updateOutput, number,
              (THNNState *state, const THTensor *input, THTensor *output, THIndexTensor *indices, int nkernel,
               const int64_t *kernel, int nstride, const int64_t *stride, int npadding, const int64_t *padding,
               int ndilation, const int64_t *dilation, bool ceil_mode))
/* Of all that have indices, adaptive and fractional ones too: gradInput has planes of `size`, in which each element of
 * gradOutput is added to where `indices`, which have its shape, say. */
THNN_FUNCTION(MaxPooling_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, const THIndexTensor *indices,
               int nsize, const int64_t *size))

/* Sums are divided by divisor_override, or, where that is 0, by the size of the window: with the padding in it, if
 * count_include_pad; of integers towards 0. */
THNN_FUNCTION(AveragePooling_updateOutput, number,
              (THNNState *state, const THTensor *input, THTensor *output, int nkernel, const int64_t *kernel,
               int nstride, const int64_t *stride, int npadding, const int64_t *padding, bool ceil_mode,
               bool count_include_pad, int64_t divisor_override))
THNN_FUNCTION(AveragePooling_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, int nsize, const int64_t *size,
               int nkernel, const int64_t *kernel, int nstride, const int64_t *stride, int npadding,
               const int64_t *padding, bool ceil_mode, bool count_include_pad, int64_t divisor_override))

/* `size` is output's: window o of n goes over the elements from floor(o size / n) to ceil((o + 1) size / n). */
THNN_FUNCTION(AdaptiveMaxPooling_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, THIndexTensor *indices, int nsize,
               const int64_t *size))
THNN_FUNCTION(AdaptiveAveragePooling_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, int nsize, const int64_t *size))
/* `size` is gradInput's. */
THNN_FUNCTION(AdaptiveAveragePooling_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, int nsize, const int64_t *size))

/* Windows at distances that are random, but the same between neighbours on average (Graham 2014, "Fractional
 * max-pooling"). samples (batch, channels, dimensions): a number of [0, 1) for each plane's depth, height and width; of two
 * dimensions for its width, then its height. */
THNN_FUNCTION(FractionalMaxPooling_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, THIndexTensor *indices, int nkernel,
               const int64_t *kernel, int nsize, const int64_t *size, const THTensor *samples))

/* The inverse of max pooling: output has planes of `size`, 0 but for input's elements, which lie where `indices` say. */
THNN_FUNCTION(MaxUnpooling_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, const THIndexTensor *indices, int nsize,
               const int64_t *size))
/* `dimensions`: of a plane of gradOutput. */
THNN_FUNCTION(MaxUnpooling_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, const THIndexTensor *indices,
               int64_t dimensions))

/* (Σ x^power)^(1 / power) of `width` neighbouring features, `stride` apart: of input's first dimension, or with batchMode
 * its second one, which up to two more follow. */
THNN_FUNCTION(FeatureLPPooling_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, double power, int64_t width, int64_t stride,
               bool batchMode))
THNN_FUNCTION(FeatureLPPooling_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, const THTensor *input, const THTensor *output,
               THTensor *gradInput, double power, int64_t width, int64_t stride, bool batchMode))

/* ---- prepare halves: results may share memory with the inputs ---------------------------------- */

/* Three spatial dimensions; those that there are not are 1 long, and come first. All before them together are planes. */
typedef struct THNNPoolingPlan {
  int64_t planes;
  int64_t input[3], output[3], kernel[3], stride[3], padding[3],
      dilation[3]; /* of backward functions, too: input is gradInput */
  int64_t divisor; /* of averages: what sums are divided by; 0: by the number of elements, */
  bool paddingCounts; /* and of padding, if that counts */
  THResult result[2]; /* output and indices, or gradInput */
} THNNPoolingPlan;

/* How a pooling goes over its input: lists of as many entries as there are spatial dimensions. */
typedef struct THNNPoolingSteps {
  int n;
  const int64_t *kernel, *stride, *padding, *dilation; /* dilation NULL: 1 */
  bool ceil_mode, count_include_pad;
  int64_t divisor_override;
} THNNPoolingSteps;

TH_API bool THNNPrepare_MaxPooling_updateOutput(THNNPoolingPlan *plan, THDtype dtype, const THTensor *input,
                                                THTensor *output, THTensor *indices, const THNNPoolingSteps *steps);
/* MaxPooling_updateGradInput: what has indices lies, by them, in planes of `size`. */
TH_API bool THNNPrepare_MaxPooling_updateGradInput(THNNPoolingPlan *plan, THDtype dtype, const THTensor *gradOutput,
                                                   THTensor *gradInput, const THTensor *indices, int n,
                                                   const int64_t *size);
TH_API bool THNNPrepare_AveragePooling_updateOutput(THNNPoolingPlan *plan, THDtype dtype, const THTensor *input,
                                                    THTensor *output, const THNNPoolingSteps *steps);
TH_API bool THNNPrepare_AveragePooling_updateGradInput(THNNPoolingPlan *plan, THDtype dtype, const THTensor *gradOutput,
                                                       THTensor *gradInput, const int64_t *size,
                                                       const THNNPoolingSteps *steps);
/* AdaptiveMaxPooling_updateOutput, and AdaptiveAveragePooling_updateOutput, where indices is NULL */
TH_API bool THNNPrepare_adaptivePooling(THNNPoolingPlan *plan, THDtype dtype, const THTensor *input, THTensor *output,
                                        THTensor *indices, int n, const int64_t *size);
TH_API bool THNNPrepare_AdaptiveAveragePooling_updateGradInput(THNNPoolingPlan *plan, THDtype dtype,
                                                               const THTensor *gradOutput, THTensor *gradInput, int n,
                                                               const int64_t *size);
/* samples: (batch, planes, n) */
TH_API bool THNNPrepare_FractionalMaxPooling_updateOutput(THNNPoolingPlan *plan, THDtype dtype, const THTensor *input,
                                                          THTensor *output, THTensor *indices, int n,
                                                          const int64_t *kernel, const int64_t *size,
                                                          const THTensor *samples);
/* `input` of the plan is the larger side, which is the result. */
TH_API bool THNNPrepare_MaxUnpooling_updateOutput(THNNPoolingPlan *plan, THDtype dtype, const THTensor *input,
                                                  THTensor *output, const THTensor *indices, int n,
                                                  const int64_t *size);
TH_API bool THNNPrepare_MaxUnpooling_updateGradInput(THNNPoolingPlan *plan, THDtype dtype, const THTensor *gradOutput,
                                                     THTensor *gradInput, const THTensor *indices, int n);

#endif
