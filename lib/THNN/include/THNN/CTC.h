/* Connectionist temporal classification (Graves, Fernández, Gomez, Schmidhuber 2006). */
#ifndef THNN_CTC_H
#define THNN_CTC_H

#include <THNN/THNNGeneral.h>

/* The negative logarithm of the probability of a sequence of labels, however it is aligned with the steps.
 *
 * logProbs (T, N, C): logarithms of probabilities; targets: labels int64, (N, S), or those of all samples one after the
 * other; inputLengths and targetLengths: N each, how many steps and labels a sample has. The states of a sample are its
 * labels with `blank` between and around them. output (N), infinity where the labels do not fit; alpha (N, T, 2 S + 1), S
 * being the longest target: logarithms of the probabilities of having come as far as a state.
 * updateGradInput: for gradOutput (N), with the `output` and `alpha` of updateOutput; gradInput (T, N, C) is that through
 * log_softmax() included, e^logProbs minus the states' shares, which log_softmax() makes of it once more. Of a sample whose
 * labels do not fit it is NaN, or 0 with zeroInfinity. A result must be apart from inputs and other results. */
THNN_FUNCTION(CTCCriterion_updateOutput, float_double,
              (THNNState *state, const THTensor *logProbs, const THIndexTensor *targets, THTensor *output,
               THTensor *alpha, int ninputLengths, const int64_t *inputLengths, int ntargetLengths,
               const int64_t *targetLengths, int64_t blank))
THNN_FUNCTION(CTCCriterion_updateGradInput, float_double,
              (THNNState *state, const THTensor *logProbs, const THTensor *gradOutput, THTensor *gradInput,
               const THIndexTensor *targets, const THTensor *output, const THTensor *alpha, int ninputLengths,
               const int64_t *inputLengths, int ntargetLengths, const int64_t *targetLengths, int64_t blank,
               bool zeroInfinity))

/* ---- prepare halves ------------------------------------------------------------------------------------------------ */

typedef struct THNNCtcPlan {
  int64_t steps, batch, classes;
  int64_t states; /* of the longest target: 2 S + 1 */
  THResult result[2];
} THNNCtcPlan;
TH_API bool THNNPrepare_CTCCriterion_updateOutput(THNNCtcPlan *plan, THDtype dtype, const THTensor *logProbs,
                                                  const THTensor *targets, THTensor *output, THTensor *alpha,
                                                  int ninputLengths, const int64_t *inputLengths, int ntargetLengths,
                                                  const int64_t *targetLengths, int64_t blank);
TH_API bool THNNPrepare_CTCCriterion_updateGradInput(THNNCtcPlan *plan, THDtype dtype, const THTensor *logProbs,
                                                     const THTensor *gradOutput, THTensor *gradInput,
                                                     const THTensor *targets, const THTensor *output,
                                                     const THTensor *alpha, int ninputLengths,
                                                     const int64_t *inputLengths, int ntargetLengths,
                                                     const int64_t *targetLengths, int64_t blank);

#endif
