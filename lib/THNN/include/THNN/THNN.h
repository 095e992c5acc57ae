/* THNN: neural-network kernels on the CPU, forward and backward.
 *
 * A module or criterion X is a pair of functions: X_updateOutput computes `output`, and
 * X_updateGradInput computes `gradInput`, the gradient for `input`, from `gradOutput`, the one for
 * `output`. Each declaration below stands for one function per dtype:
 *
 *     THNN_FUNCTION(Tanh_updateOutput, floating, (THNNState *state, …))
 *     → THNN_HalfTanh_updateOutput, THNN_BFloat16…, THNN_Float…, THNN_DoubleTanh_updateOutput
 *
 * Arguments by type:
 *     const THTensor *          read only; its dtype is the function's
 *     THTensor *                a result: any shape, resized; its dtype is the function's
 *     const THIndexTensor *     read only, int64
 *     const THNullableTensor *  like const THTensor *, or NULL
 * Inputs may be strided in any way. A result may be one of the inputs if it has the result's shape
 * already. Half and BFloat16 compute in float.
 * Criteria: `reduce` false: output has one loss per element (MSE) or sample (ClassNLL), and
 * gradOutput has that shape. `reduce` true: output is 0-dim, the sum of the losses or, with
 * sizeAverage, their mean.
 * Errors, memory, threads: as in TH.h. All checks come before the first write. */
#ifndef THNN_H
#define THNN_H

#include <TH/TH.h>
#include <THNN/THNNPrepare.h>

typedef void THNNState; /* the device's state; NULL on the CPU */
typedef THTensor THIndexTensor;
typedef THTensor THNullableTensor;

#define THNN_FUNCTION(op, dtypes, args) TH_FOR_##dtypes(THNN_FUNCTION_, op, args)
#define THNN_FUNCTION_(Name, op, args) TH_API void THNN_##Name##op args;

/* ---- activations: input, output, gradOutput, gradInput have one shape ------------------------- */

THNN_FUNCTION(Sigmoid_updateOutput, floating, (THNNState *state, const THTensor *input, THTensor *output))
THNN_FUNCTION(Sigmoid_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output))

THNN_FUNCTION(Tanh_updateOutput, floating, (THNNState *state, const THTensor *input, THTensor *output))
THNN_FUNCTION(Tanh_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output))

/* output = input > threshold ? input : value, and NaN stays NaN. inplace: input (gradOutput in
 * updateGradInput) is overwritten, and output (gradInput) becomes another view of it. */
THNN_FUNCTION(Threshold_updateOutput, floating,
              (THNNState *state, THTensor *input, THTensor *output, double threshold, double value, bool inplace))
THNN_FUNCTION(Threshold_updateGradInput, floating,
              (THNNState *state, const THTensor *input, THTensor *gradOutput, THTensor *gradInput, double threshold,
               double value, bool inplace))

/* Along dimension dim, which may be negative. */
THNN_FUNCTION(SoftMax_updateOutput, floating, (THNNState *state, const THTensor *input, THTensor *output, int64_t dim))
THNN_FUNCTION(SoftMax_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output, int64_t dim))

THNN_FUNCTION(LogSoftMax_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, int64_t dim))
THNN_FUNCTION(LogSoftMax_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output, int64_t dim))

/* ---- criteria --------------------------------------------------------------------------------- */

/* loss[i] = -weights[target[i]] * input[i][target[i]], or 0 where target[i] is ignore_index.
 * input: (samples, classes) or (classes); target: (samples) or (); weights: (classes), NULL: ones.
 * total_weight: 0-dim, the sum of the weights that took part, which is what sizeAverage divides by;
 * updateOutput writes it (0 without `reduce`), updateGradInput reads it. A target outside
 * 0 … classes-1 other than ignore_index raises TH_ERROR_INDEX. */
THNN_FUNCTION(ClassNLLCriterion_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THIndexTensor *target, THTensor *output, bool sizeAverage,
               const THNullableTensor *weights, THTensor *total_weight, int64_t ignore_index, bool reduce))
THNN_FUNCTION(ClassNLLCriterion_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THIndexTensor *target, const THTensor *gradOutput,
               THTensor *gradInput, bool sizeAverage, const THNullableTensor *weights, const THTensor *total_weight,
               int64_t ignore_index, bool reduce))

/* loss = (input - target)^2; input and target have one shape */
THNN_FUNCTION(MSECriterion_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage,
               bool reduce))
THNN_FUNCTION(MSECriterion_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
               THTensor *gradInput, bool sizeAverage, bool reduce))

/* ---- convolution -------------------------------------------------------------------------------- */

/* Cross-correlation over 1 to 3 spatial dimensions, as many as the lists have entries:
 * input (batch, channels, size…), weight (outputs, channels / groups, kernel…), bias (outputs) or NULL,
 * output (batch, outputs, positions…) with positions = (size + 2 padding - dilation (kernel - 1) - 1) / stride + 1.
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

/* ---- pooling ------------------------------------------------------------------------------------ */

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
 * count_include_pad. */
THNN_FUNCTION(AveragePooling_updateOutput, floating,
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

#endif
