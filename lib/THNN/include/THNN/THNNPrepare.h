/* The prepare halves of THNN's functions, for other backends. What THPrepare.h says of plans, order and memory holds here.
 *
 * Names: THNNPrepare_X prepares THNN_…X, or a group of functions that differ in what they compute only. It takes the plan,
 * the dtype, and the function's own arguments in its order, without the state and those that shapes do not depend on. */
#ifndef THNN_PREPARE_H
#define THNN_PREPARE_H

#include <TH/THPrepare.h>

/* ---- element by element: the result gets its shape here --------------------------------------------- */

/* Sigmoid_ and Tanh_updateOutput. The operands are output, input. */
TH_API bool THNNPrepare_activation(THPointwisePlan *plan, THDtype dtype, const THTensor *input, THTensor *output);
/* Sigmoid_ and Tanh_updateGradInput: gradInput, gradOutput, output. */
TH_API bool THNNPrepare_activationGradient(THPointwisePlan *plan, THDtype dtype, const THTensor *gradOutput,
                                           THTensor *gradInput, const THTensor *output);
/* output, input. In place it is input that is written, and output is another view of it on return. */
TH_API bool THNNPrepare_Threshold_updateOutput(THPointwisePlan *plan, THDtype dtype, THTensor *input, THTensor *output,
                                               bool inplace);
/* gradInput, input, gradOutput. In place it is gradOutput that is written, and gradInput another view of it. */
TH_API bool THNNPrepare_Threshold_updateGradInput(THPointwisePlan *plan, THDtype dtype, const THTensor *input,
                                                  THTensor *gradOutput, THTensor *gradInput, bool inplace);

/* ---- along a dimension: result[0] may share memory with the inputs -------------------------------- */

/* SoftMax_ and LogSoftMax_updateOutput */
TH_API void THNNPrepare_softMax(THRowsPlan *plan, THDtype dtype, const THTensor *input, THTensor *output, int64_t dim);
/* SoftMax_ and LogSoftMax_updateGradInput; `rows` are those of both inputs. */
TH_API void THNNPrepare_softMaxGradient(THRowsPlan *plan, THDtype dtype, const THTensor *gradOutput,
                                        THTensor *gradInput, const THTensor *output, int64_t dim);

/* ---- criteria: results may share memory with the inputs -------------------------------------------- */

/* `reduce` false: output, input, target, element by element; loss->tensor is NULL. Else `plan` is not looked at, and *loss
 * is output's shape, 0-dim: the squares of all differences between input and target, which have one shape, are summed. */
TH_API bool THNNPrepare_MSECriterion_updateOutput(THPointwisePlan *plan, THResult *loss, THDtype dtype,
                                                  const THTensor *input, const THTensor *target, THTensor *output,
                                                  bool reduce);
/* gradInput, input, target and, unless `reduce`, gradOutput, element by element; else that is one number. */
TH_API bool THNNPrepare_MSECriterion_updateGradInput(THPointwisePlan *plan, THDtype dtype, const THTensor *input,
                                                     const THTensor *target, const THTensor *gradOutput,
                                                     THTensor *gradInput, bool reduce);

/* The target's classes are for run to judge. */
typedef struct THNNNllPlan {
  int64_t samples, classes;
  THResult result[2]; /* output and total_weight, or gradInput */
} THNNNllPlan;

TH_API bool THNNPrepare_ClassNLLCriterion_updateOutput(THNNNllPlan *plan, THDtype dtype, const THTensor *input,
                                                       const THTensor *target, THTensor *output,
                                                       const THTensor *weights, THTensor *total_weight, bool reduce);
/* With `reduce`, gradOutput and total_weight are one number each. */
TH_API bool THNNPrepare_ClassNLLCriterion_updateGradInput(THNNNllPlan *plan, THDtype dtype, const THTensor *input,
                                                          const THTensor *target, const THTensor *gradOutput,
                                                          THTensor *gradInput, const THTensor *weights,
                                                          const THTensor *total_weight, bool reduce);

/* ---- convolution: the result may share memory with the inputs -------------------------------------- */

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

/* ---- pooling: results may share memory with the inputs ---------------------------------------------- */

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
