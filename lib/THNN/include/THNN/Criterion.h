/* Criteria.
 *
 * `reduce` false: output has one loss per element or sample (ClassNLL, MultiMargin, MultiLabelMargin), and
 * gradOutput has that shape. `reduce` true: output is 0-dim, the sum of the losses or, with
 * sizeAverage, their mean. */
#ifndef THNN_CRITERION_H
#define THNN_CRITERION_H

#include <THNN/THNNGeneral.h>

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

/* The same of input (batch, classes, sizes…) and target (batch, sizes…), a loss for each place. */
THNN_FUNCTION(SpatialClassNLLCriterion_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THIndexTensor *target, THTensor *output, bool sizeAverage,
               const THNullableTensor *weights, THTensor *total_weight, int64_t ignore_index, bool reduce))
THNN_FUNCTION(SpatialClassNLLCriterion_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THIndexTensor *target, const THTensor *gradOutput,
               THTensor *gradInput, bool sizeAverage, const THNullableTensor *weights, const THTensor *total_weight,
               int64_t ignore_index, bool reduce))

/* The sum over all other classes c of max(0, margin - input[target] + input[c])^p * weights[target], divided by the number
 * of classes. input: (samples, classes) or (classes); target: (samples) or (); p: 1 or 2; weights NULL: ones. A target
 * that is no class raises TH_ERROR_RUNTIME. */
THNN_FUNCTION(MultiMarginCriterion_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THIndexTensor *target, THTensor *output, bool sizeAverage,
               int64_t p, const THNullableTensor *weights, double margin, bool reduce))
THNN_FUNCTION(MultiMarginCriterion_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THIndexTensor *target, const THTensor *gradOutput,
               THTensor *gradInput, bool sizeAverage, int64_t p, const THNullableTensor *weights, double margin,
               bool reduce))

/* The sum of max(0, 1 - input[t] + input[c]) over all classes t in a row of target, which ends before its first -1, and
 * all classes c that are not, divided by the number of classes. input and target: (samples, classes) or (classes). */
THNN_FUNCTION(MultiLabelMarginCriterion_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THIndexTensor *target, THTensor *output, bool sizeAverage,
               bool reduce))
THNN_FUNCTION(MultiLabelMarginCriterion_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THIndexTensor *target, const THTensor *gradOutput,
               THTensor *gradInput, bool sizeAverage, bool reduce))

/* ---- element by element: input and target have one shape --------------------------------------- */

/* |input - target| */
THNN_FUNCTION(AbsCriterion_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage,
               bool reduce))
THNN_FUNCTION(AbsCriterion_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
               THTensor *gradInput, bool sizeAverage, bool reduce))
/* -(target * log(input) + (1 - target) * log(1 - input)), times weights (of that shape; NULL: ones); logarithms are not
 * below -100. Elements outside [0, 1] raise TH_ERROR_RUNTIME. */
THNN_FUNCTION(BCECriterion_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage,
               const THNullableTensor *weights, bool reduce))
THNN_FUNCTION(BCECriterion_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
               THTensor *gradInput, bool sizeAverage, const THNullableTensor *weights, bool reduce))
/* BCECriterion of sigmoid(input), without overflow */
THNN_FUNCTION(BCEWithLogitsCriterion_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage,
               bool reduce))
THNN_FUNCTION(BCEWithLogitsCriterion_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
               THTensor *gradInput, bool sizeAverage, bool reduce))
/* target * (log(target) - input), 0 where target is 0. log_target: target is its logarithm. */
THNN_FUNCTION(DistKLDivCriterion_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage,
               bool reduce, bool log_target))
THNN_FUNCTION(DistKLDivCriterion_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
               THTensor *gradInput, bool sizeAverage, bool reduce, bool log_target))
/* d^2 / 2 where d = |input - target| <= delta, else delta * (d - delta / 2) */
THNN_FUNCTION(HuberCriterion_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage,
               bool reduce, double delta))
THNN_FUNCTION(HuberCriterion_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
               THTensor *gradInput, bool sizeAverage, bool reduce, double delta))
/* max(0, margin - input * target) */
THNN_FUNCTION(MarginCriterion_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage,
               bool reduce, double margin))
THNN_FUNCTION(MarginCriterion_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
               THTensor *gradInput, bool sizeAverage, bool reduce, double margin))
/* (input - target)^2 */
THNN_FUNCTION(MSECriterion_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage,
               bool reduce))
THNN_FUNCTION(MSECriterion_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
               THTensor *gradInput, bool sizeAverage, bool reduce))

/* d^2 / (2 beta) where d = |input - target| < beta, else d - beta / 2 */
THNN_FUNCTION(SmoothL1Criterion_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage,
               bool reduce, double beta))
THNN_FUNCTION(SmoothL1Criterion_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
               THTensor *gradInput, bool sizeAverage, bool reduce, double beta))
/* log(1 + e^(-target * input)) */
THNN_FUNCTION(SoftMarginCriterion_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage,
               bool reduce))
THNN_FUNCTION(SoftMarginCriterion_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
               THTensor *gradInput, bool sizeAverage, bool reduce))

/* The sum of |input|, 0-dim; gradOutput is one number. */
THNN_FUNCTION(L1Cost_updateOutput, floating, (THNNState *state, const THTensor *input, THTensor *output))
THNN_FUNCTION(L1Cost_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput))

/* ---- prepare halves: results may share memory with the inputs ---------------------------------- */

/* Of all criterions element by element. `reduce` false: output, input, target; loss->tensor is NULL. Else `plan` is not looked at, and *loss
 * is output's shape, 0-dim: the losses of all elements are summed. */
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
  int64_t inner;      /* sample i is place i % inner of the batch's entry i / inner; 1: each is an entry */
} THNNNllPlan;

TH_API bool THNNPrepare_ClassNLLCriterion_updateOutput(THNNNllPlan *plan, THDtype dtype, const THTensor *input,
                                                       const THTensor *target, THTensor *output,
                                                       const THTensor *weights, THTensor *total_weight, bool reduce);
/* With `reduce`, gradOutput and total_weight are one number each. */
TH_API bool THNNPrepare_ClassNLLCriterion_updateGradInput(THNNNllPlan *plan, THDtype dtype, const THTensor *input,
                                                          const THTensor *target, const THTensor *gradOutput,
                                                          THTensor *gradInput, const THTensor *weights,
                                                          const THTensor *total_weight, bool reduce);
TH_API bool THNNPrepare_SpatialClassNLLCriterion_updateOutput(THNNNllPlan *plan, THDtype dtype, const THTensor *input,
                                                              const THTensor *target, THTensor *output,
                                                              const THTensor *weights, THTensor *total_weight,
                                                              bool reduce);
/* With `reduce`, gradOutput and total_weight are one number each. */
TH_API bool THNNPrepare_SpatialClassNLLCriterion_updateGradInput(THNNNllPlan *plan, THDtype dtype,
                                                                 const THTensor *input, const THTensor *target,
                                                                 const THTensor *gradOutput, THTensor *gradInput,
                                                                 const THTensor *weights, const THTensor *total_weight,
                                                                 bool reduce);

typedef struct THNNMarginPlan {
  int64_t samples, classes;
  THResult result; /* output or gradInput */
} THNNMarginPlan;

TH_API bool THNNPrepare_MultiMarginCriterion_updateOutput(THNNMarginPlan *plan, THDtype dtype, const THTensor *input,
                                                          const THTensor *target, THTensor *output, int64_t p,
                                                          const THTensor *weights, bool reduce);
TH_API bool THNNPrepare_MultiMarginCriterion_updateGradInput(THNNMarginPlan *plan, THDtype dtype, const THTensor *input,
                                                             const THTensor *target, const THTensor *gradOutput,
                                                             THTensor *gradInput, int64_t p, const THTensor *weights,
                                                             bool reduce);
TH_API bool THNNPrepare_MultiLabelMarginCriterion_updateOutput(THNNMarginPlan *plan, THDtype dtype,
                                                               const THTensor *input, const THTensor *target,
                                                               THTensor *output, bool reduce);
TH_API bool THNNPrepare_MultiLabelMarginCriterion_updateGradInput(THNNMarginPlan *plan, THDtype dtype,
                                                                  const THTensor *input, const THTensor *target,
                                                                  const THTensor *gradOutput, THTensor *gradInput,
                                                                  bool reduce);

#endif
