/* Rows of tables: their gradients, their norms, and sums of them. */
#ifndef THNN_LOOKUP_TABLE_H
#define THNN_LOOKUP_TABLE_H

#include <THNN/THNNGeneral.h>

/* A table is a matrix, weight or gradWeight (V, D); indices are int64 numbers of its rows, in [0, V), of any shape; the
 * row paddingValue (-1: none) has no part in anything. Indices outside raise before anything is written. */

/* gradWeight[input[i]] += scale gradOutput[i], in the order of i, for gradOutput (…, D) of the shape of input and D; with
 * scaleGradByFreq each divided by how often its index occurs. gradWeight keeps its shape, and is apart from gradOutput. */
THNN_FUNCTION(LookupTable_accGradParameters, floating,
              (THNNState *state, const THIndexTensor *input, const THTensor *gradOutput, THTensor *gradWeight,
               bool scaleGradByFreq, int64_t paddingValue, double scale))
/* Rows that idx names and whose normType-norm is greater than maxNorm are scaled to it, in place. */
THNN_FUNCTION(LookupTable_renorm, floating,
              (THNNState *state, const THIndexTensor *idx, THTensor *weight, double maxNorm, double normType))

/* Bags are runs of the indices `input` (n): bag b begins at offsets[b], and ends where the next one or the indices do.
 * output (bags, D): their rows' sum (mode 0), mean (1) or greatest elements (2), zeros of an empty bag; a row that
 * padding names is left out. For sums perSampleWeights (n), or NULL, are factors of the rows.
 * offset2bag (n): the bag of each index; bagSize (bags): how many of its indices are no padding; maxIndices (bags, D),
 * for mode 2, else (0): the index that each element came from, -1 of an empty bag. */
THNN_FUNCTION(LookupTableBag_updateOutput, floating,
              (THNNState *state, const THIndexTensor *input, const THIndexTensor *offsets, const THTensor *weight,
               THTensor *output, THIndexTensor *offset2bag, THIndexTensor *bagSize, THIndexTensor *maxIndices,
               int64_t mode, const THNullableTensor *perSampleWeights, int64_t paddingValue))
/* Adds the gradient for weight to gradWeight, which keeps its shape. */
THNN_FUNCTION(LookupTableBag_accGradParameters, floating,
              (THNNState *state, const THIndexTensor *input, const THTensor *gradOutput, THTensor *gradWeight,
               const THIndexTensor *offset2bag, const THIndexTensor *bagSize, const THIndexTensor *maxIndices,
               int64_t mode, const THNullableTensor *perSampleWeights, bool scaleGradByFreq, int64_t paddingValue,
               double scale))
/* The gradient for perSampleWeights: gradOutput of the bag times the row. */
THNN_FUNCTION(LookupTableBag_updateGradSampleWeights, floating,
              (THNNState *state, const THTensor *gradOutput, const THTensor *weight, const THIndexTensor *input,
               const THIndexTensor *offset2bag, THTensor *gradSampleWeights, int64_t paddingValue))

/* ---- prepare halves: they look at no index --------------------------------------------------------------------------- */

TH_API bool THNNPrepare_LookupTable_accGradParameters(THDtype dtype, const THTensor *input, const THTensor *gradOutput,
                                                      const THTensor *gradWeight);
TH_API bool THNNPrepare_LookupTable_renorm(THDtype dtype, const THTensor *idx, const THTensor *weight);
enum { THNN_BAG_SUM, THNN_BAG_MEAN, THNN_BAG_MAX };
TH_API bool THNNPrepare_LookupTableBag_updateOutput(THResult *results, THDtype dtype, const THTensor *input,
                                                    const THTensor *offsets, const THTensor *weight, THTensor *output,
                                                    THTensor *offset2bag, THTensor *bagSize, THTensor *maxIndices,
                                                    int64_t mode, const THTensor *perSampleWeights);
TH_API bool THNNPrepare_LookupTableBag_accGradParameters(THDtype dtype, const THTensor *input,
                                                         const THTensor *gradOutput, const THTensor *gradWeight,
                                                         const THTensor *offset2bag, const THTensor *bagSize,
                                                         const THTensor *maxIndices, int64_t mode,
                                                         const THTensor *perSampleWeights);
TH_API bool THNNPrepare_LookupTableBag_updateGradSampleWeights(THResult *result, THDtype dtype,
                                                               const THTensor *gradOutput, const THTensor *weight,
                                                               const THTensor *input, const THTensor *offset2bag,
                                                               THTensor *gradSampleWeights);

#endif
