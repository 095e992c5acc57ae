/* Criteria.
 *
 * `reduce` false: output has one loss per element (MSE) or sample (ClassNLL), and
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

/* loss = (input - target)^2; input and target have one shape */
THNN_FUNCTION(MSECriterion_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, THTensor *output, bool sizeAverage,
               bool reduce))
THNN_FUNCTION(MSECriterion_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *target, const THTensor *gradOutput,
               THTensor *gradInput, bool sizeAverage, bool reduce))

/* ---- prepare halves: results may share memory with the inputs ---------------------------------- */

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

#endif
