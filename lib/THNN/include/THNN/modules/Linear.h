/* Linear maps of vectors: dense ones, and of vectors of which few elements are not 0. */
#ifndef THNN_MODULES_LINEAR_H
#define THNN_MODULES_LINEAR_H

#include <THNN/modules/General.h>

/* output = input weightᵀ + bias: input (inputs) or (batch, inputs), weight (outputs, inputs), bias (outputs) or NULL.
 * accGradParameters adds to gradBias where there is a bias; gradInput is not touched. */
THNN_FUNCTION(Linear_updateOutput, floating, THNN_WEIGHTED_OUTPUT(THNN_BUFFER(addBuffer)))
THNN_FUNCTION(Linear_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
               const THTensor *weight))
THNN_FUNCTION(Linear_accGradParameters, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, const THNullableTensor *gradInput,
               const THTensor *weight, const THNullableTensor *bias, THTensor *gradWeight, THNullableTensor *gradBias,
               THNN_BUFFER(addBuffer), double scale))

/* ---- SparseLinear: weight (outputs, inputs), bias (outputs) -------------------------------------------------------
 *
 * input (entries, 3): sample, element and value of each entry; (sample, element) are counted from 1, as ever. How many
 * samples there are the shape of output and gradOutput says, (batch, outputs), which output has when it is called.
 * legacy…: input (batch, entries, 2) or (entries, 2), the same without the sample; output is resized.
 * An entry whose value is 0 adds nothing, whatever the numbers before it.
 *     accGradParameters   weightDecay: that times weight is added to gradWeight
 *     zeroGradParameters  zeroes gradBias, and gradWeight where lastInput has elements
 *     updateParameters    subtracts learningRate times the gradients, of weight where lastInput has elements */
#define THNN_SPARSE_GRADIENTS                                                                    \
  (THNNState * state, const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight, \
   THTensor *gradBias, const THTensor *weight, const THTensor *bias, double weightDecay, double scale)
#define THNN_SPARSE_ZERO (THNNState * state, THTensor *gradWeight, THTensor *gradBias, const THTensor *lastInput)
#define THNN_SPARSE_UPDATE                                                               \
  (THNNState * state, THTensor *weight, THTensor *bias, const THTensor *gradWeight, \
   const THTensor *gradBias, const THTensor *lastInput, double learningRate)
#define THNN_SPARSE_OUTPUT \
  (THNNState * state, const THTensor *input, THTensor *output, const THTensor *weight, const THTensor *bias)
THNN_FUNCTION(SparseLinear_updateOutput, floating, THNN_SPARSE_OUTPUT)
THNN_FUNCTION(SparseLinear_accGradParameters, floating, THNN_SPARSE_GRADIENTS)
THNN_FUNCTION(SparseLinear_zeroGradParameters, floating, THNN_SPARSE_ZERO)
THNN_FUNCTION(SparseLinear_updateParameters, floating, THNN_SPARSE_UPDATE)
THNN_FUNCTION(SparseLinear_legacyUpdateOutput, floating, THNN_SPARSE_OUTPUT)
THNN_FUNCTION(SparseLinear_legacyAccGradParameters, floating, THNN_SPARSE_GRADIENTS)
THNN_FUNCTION(SparseLinear_legacyZeroGradParameters, floating, THNN_SPARSE_ZERO)
THNN_FUNCTION(SparseLinear_legacyUpdateParameters, floating, THNN_SPARSE_UPDATE)

/* ---- IndexLinear: weight (inputs, outputs) or (inputs, 4 + outputs), bias (outputs) --------------------------------
 *
 * Sample i has the entries from cumSumSizes[i - 1] (0 for the first) to cumSumSizes[i], sizes[i] of them: element
 * keys[e] + keysOffset of the sample is values[e].
 *
 * A weight with 4 columns more normalises each element: they are the greatest absolute value, its inverse, a factor of the
 * element's learning rate, and a bias b. The element counts as value / greatest + b, or as sign(value) + b beyond that.
 * updateOutput writes what each entry counts as to normalizedValues, and when it trains, greatest and inverse (where an
 * entry is greater) and the factor 1; what the functions for gradients take as `values` is this.
 *
 *     accGradParameters        gradWeight becomes (entries, outputs), the gradients of the rows of weight that the entries
 *                              name; where there is a b, (entries, 2 outputs), and the second half has the parts of b's
 *                              that come by each output. gradBias is added to. weightDecay is for updateParameters.
 *     accUpdateGradParameters  updates weight and bias at once by the gradients of each entry, at learning rate `scale`
 *     updateParameters         weight's rows runningKeys + keysOffset by the rows of gradWeight, one after another
 * An update first multiplies a row by 1 - weightDecay times its learning rate. cumSumSizes of updateParameters and
 * valuesBuffer are not read. */
#define THNN_INDEX_ENTRIES                                                                    \
  const THIndexTensor *keys, int64_t keysOffset, const THTensor *values, const THIndexTensor *sizes, \
      const THIndexTensor *cumSumSizes
THNN_FUNCTION(IndexLinear_updateOutput, floating,
              (THNNState *state, THNN_INDEX_ENTRIES, THTensor *output, THTensor *weight, const THTensor *bias,
               THTensor *normalizedValues, bool train))
THNN_FUNCTION(IndexLinear_accGradParameters, floating,
              (THNNState *state, THNN_INDEX_ENTRIES, const THTensor *gradOutput, THTensor *gradWeight,
               THTensor *gradBias, const THTensor *weight, const THTensor *bias, THNN_BUFFER(valuesBuffer),
               double weightDecay, double scale))
THNN_FUNCTION(IndexLinear_accUpdateGradParameters, floating,
              (THNNState *state, THNN_INDEX_ENTRIES, const THTensor *gradOutput, THTensor *weight, THTensor *bias,
               double weightDecay, double scale))
THNN_FUNCTION(IndexLinear_updateParameters, floating,
              (THNNState *state, const THTensor *gradWeight, const THTensor *gradBias, THTensor *weight, THTensor *bias,
               const THIndexTensor *runningKeys, const THIndexTensor *cumSumSizes, int64_t keysOffset,
               double weightDecay, double learningRate))

/* ---- prepare halves: what the shapes say of these. Where entries point is for the run halves to check. ------------ */

typedef struct THNNSparsePlan {
  int64_t batch, entries; /* of all samples, or, in the legacy form, of each */
  int64_t inputs, outputs;
  int64_t width;       /* numbers per entry: 3, or 2 without the sample */
  int64_t normalised;  /* IndexLinear: columns of weight before the outputs', 4 or 0 */
  THResult result[2]; /* output or gradWeight; normalizedValues, where weight normalises */
} THNNSparsePlan;

/* legacy: which form input has */
TH_API bool THNNPrepare_SparseLinear_updateOutput(THNNSparsePlan *plan, THDtype dtype, const THTensor *input,
                                                  THTensor *output, const THTensor *weight, const THTensor *bias,
                                                  bool legacy);
TH_API bool THNNPrepare_SparseLinear_accGradParameters(THNNSparsePlan *plan, THDtype dtype, const THTensor *input,
                                                       const THTensor *gradOutput, THTensor *gradWeight,
                                                       THTensor *gradBias, const THTensor *weight, const THTensor *bias,
                                                       bool legacy);
/* zeroGradParameters, and updateParameters, where these are the parameters and gradients of their shapes */
TH_API bool THNNPrepare_SparseLinear_parameters(THNNSparsePlan *plan, THDtype dtype, THTensor *weight, THTensor *bias,
                                                const THTensor *gradWeight, const THTensor *gradBias,
                                                const THTensor *lastInput, bool legacy);
TH_API bool THNNPrepare_IndexLinear_updateOutput(THNNSparsePlan *plan, THDtype dtype, const THTensor *keys,
                                                 const THTensor *values, const THTensor *sizes,
                                                 const THTensor *cumSumSizes, THTensor *output, THTensor *weight,
                                                 const THTensor *bias, THTensor *normalizedValues);
/* accGradParameters, whose plan's result is gradWeight, and accUpdateGradParameters, where gradients are NULL */
TH_API bool THNNPrepare_IndexLinear_gradients(THNNSparsePlan *plan, THDtype dtype, const THTensor *keys,
                                              const THTensor *values, const THTensor *sizes,
                                              const THTensor *cumSumSizes, const THTensor *gradOutput,
                                              THTensor *gradWeight, THTensor *gradBias, const THTensor *weight,
                                              const THTensor *bias);
TH_API bool THNNPrepare_IndexLinear_updateParameters(THNNSparsePlan *plan, THDtype dtype, const THTensor *gradWeight,
                                                     const THTensor *gradBias, const THTensor *weight,
                                                     const THTensor *bias, const THTensor *runningKeys);

#endif
