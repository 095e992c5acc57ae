/* Normalisation: numbers brought to mean 0 and variance 1, then scaled by weights and moved by biases.
 *
 * The statistics that a forward function leaves in save_mean and save_std (1 / sqrt(variance + eps), as the field calls
 * it) are what its backward function reads. They, weights, biases, running statistics and their gradients have the
 * function's dtype or, where that is Half or BFloat16, Float: which one shows in each tensor. Of a backward function's
 * results each may be NULL. Means and variances are sums of two passes, in double where runs meet. */
#ifndef THNN_NORMALIZATION_H
#define THNN_NORMALIZATION_H

#include <THNN/THNNGeneral.h>

/* input (batch, channels, …) or (batch, channels), in any layout: of images with their channels innermost results with
 * such strides stay so. weight, bias, running_mean, running_var, save_mean, save_std, gradWeight, gradBias: (channels).
 * With `train` the statistics are the input's, and the running ones move towards them by the share `momentum`, the
 * variance being that of a sample (n - 1); without it they are the running ones, which must be there (Ioffe, Szegedy
 * 2015, "Batch normalization"). */
THNN_FUNCTION(BatchNormalization_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, const THNullableTensor *weight,
               const THNullableTensor *bias, THNullableTensor *running_mean, THNullableTensor *running_var,
               THTensor *save_mean, THTensor *save_std, bool train, double momentum, double eps))
/* The running statistics' part is in save_mean and save_std. */
THNN_FUNCTION(BatchNormalization_backward, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THNullableTensor *gradInput,
               THNullableTensor *gradWeight, THNullableTensor *gradBias, const THNullableTensor *weight,
               const THTensor *save_mean, const THTensor *save_std, bool train))

/* Over the last dimensions, which normalized_shape lists; weight, bias, gradWeight and gradBias have that shape. The
 * statistics have the input's, with 1 for those dimensions (Ba, Kiros, Hinton 2016, "Layer normalization"). */
THNN_FUNCTION(LayerNormalization_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, const THNullableTensor *weight,
               const THNullableTensor *bias, THTensor *save_mean, THTensor *save_std, int nnormalized_shape,
               const int64_t *normalized_shape, double eps))
THNN_FUNCTION(LayerNormalization_backward, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THNullableTensor *gradInput,
               THNullableTensor *gradWeight, THNullableTensor *gradBias, const THNullableTensor *weight,
               const THTensor *save_mean, const THTensor *save_std, int nnormalized_shape,
               const int64_t *normalized_shape))

/* The same without a mean or a bias: variance is the mean of squares (Zhang, Sennrich 2019, "Root mean square layer
 * normalization"). */
THNN_FUNCTION(RMSNormalization_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, const THNullableTensor *weight,
               THTensor *save_std, int nnormalized_shape, const int64_t *normalized_shape, double eps))
THNN_FUNCTION(RMSNormalization_backward, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THNullableTensor *gradInput,
               THNullableTensor *gradWeight, const THNullableTensor *weight, const THTensor *save_std,
               int nnormalized_shape, const int64_t *normalized_shape))

/* Over each of `groups` groups of channels of each sample of (batch, channels, …); weight, bias, gradWeight, gradBias:
 * (channels); save_mean, save_std: (batch, groups) (Wu, He 2018, "Group normalization"). */
THNN_FUNCTION(GroupNormalization_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, const THNullableTensor *weight,
               const THNullableTensor *bias, THTensor *save_mean, THTensor *save_std, int64_t groups, double eps))
THNN_FUNCTION(GroupNormalization_backward, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THNullableTensor *gradInput,
               THNullableTensor *gradWeight, THNullableTensor *gradBias, const THNullableTensor *weight,
               const THTensor *save_mean, const THTensor *save_std, int64_t groups))

/* output = input scale^-beta with scale = k + alpha / size * sum of the squares of neighbouring channels: `size` of them,
 * size / 2 before each and (size - 1) / 2 after it, of (batch, channels, …). `scale` is a result of updateOutput, which
 * updateGradInput reads (Krizhevsky, Sutskever, Hinton 2012, "ImageNet classification with deep convolutional neural
 * networks"). */
THNN_FUNCTION(SpatialCrossMapLRN_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, THTensor *scale, int64_t size, double alpha,
               double beta, double k))
THNN_FUNCTION(SpatialCrossMapLRN_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
               const THTensor *scale, int64_t size, double alpha, double beta))

/* ---- prepare halves: results may share memory with the inputs ---------------------------------- */

/* The input is (batch, channels, inner), or, for layer and RMS norm, (batch, inner), channels being 1. */
typedef struct THNNNormalizationPlan {
  int64_t batch, channels, inner;
  THResult result[3]; /* output, save_mean, save_std; gradInput, gradWeight, gradBias; tensor NULL: is not wanted */
} THNNNormalizationPlan;

TH_API bool THNNPrepare_BatchNormalization_updateOutput(THNNNormalizationPlan *plan, THDtype dtype,
                                                        const THTensor *input, THTensor *output, const THTensor *weight,
                                                        const THTensor *bias, const THTensor *running_mean,
                                                        const THTensor *running_var, THTensor *save_mean,
                                                        THTensor *save_std, bool train);
TH_API bool THNNPrepare_BatchNormalization_backward(THNNNormalizationPlan *plan, THDtype dtype, const THTensor *input,
                                                    const THTensor *gradOutput, THTensor *gradInput,
                                                    THTensor *gradWeight, THTensor *gradBias, const THTensor *weight,
                                                    const THTensor *save_mean, const THTensor *save_std);
/* Of RMS norm, too: there save_mean and bias are NULL. */
TH_API bool THNNPrepare_LayerNormalization_updateOutput(THNNNormalizationPlan *plan, THDtype dtype,
                                                        const THTensor *input, THTensor *output, const THTensor *weight,
                                                        const THTensor *bias, THTensor *save_mean, THTensor *save_std,
                                                        int nnormalized_shape, const int64_t *normalized_shape);
TH_API bool THNNPrepare_LayerNormalization_backward(THNNNormalizationPlan *plan, THDtype dtype, const THTensor *input,
                                                    const THTensor *gradOutput, THTensor *gradInput,
                                                    THTensor *gradWeight, THTensor *gradBias, const THTensor *weight,
                                                    const THTensor *save_mean, const THTensor *save_std,
                                                    int nnormalized_shape, const int64_t *normalized_shape);
TH_API bool THNNPrepare_GroupNormalization_updateOutput(THNNNormalizationPlan *plan, THDtype dtype,
                                                        const THTensor *input, THTensor *output, const THTensor *weight,
                                                        const THTensor *bias, THTensor *save_mean, THTensor *save_std,
                                                        int64_t groups);
TH_API bool THNNPrepare_GroupNormalization_backward(THNNNormalizationPlan *plan, THDtype dtype, const THTensor *input,
                                                    const THTensor *gradOutput, THTensor *gradInput,
                                                    THTensor *gradWeight, THTensor *gradBias, const THTensor *weight,
                                                    const THTensor *save_mean, const THTensor *save_std,
                                                    int64_t groups);
TH_API bool THNNPrepare_SpatialCrossMapLRN_updateOutput(THNNNormalizationPlan *plan, THDtype dtype,
                                                        const THTensor *input, THTensor *output, THTensor *scale,
                                                        int64_t size);
TH_API bool THNNPrepare_SpatialCrossMapLRN_updateGradInput(THNNNormalizationPlan *plan, THDtype dtype,
                                                           const THTensor *input, const THTensor *gradOutput,
                                                           THTensor *gradInput, const THTensor *scale, int64_t size);

#endif
