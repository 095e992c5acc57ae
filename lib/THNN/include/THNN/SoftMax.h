/* Softmax and its logarithm. */
#ifndef THNN_SOFT_MAX_H
#define THNN_SOFT_MAX_H

#include <THNN/THNNGeneral.h>

/* Along dimension dim, which may be negative. */
THNN_FUNCTION(SoftMax_updateOutput, floating, (THNNState *state, const THTensor *input, THTensor *output, int64_t dim))
THNN_FUNCTION(SoftMax_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output, int64_t dim))

THNN_FUNCTION(LogSoftMax_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, int64_t dim))
THNN_FUNCTION(LogSoftMax_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output, int64_t dim))

/* ---- prepare halves: result[0] may share memory with the inputs -------------------------------- */

/* SoftMax_ and LogSoftMax_updateOutput */
TH_API void THNNPrepare_softMax(THRowsPlan *plan, THDtype dtype, const THTensor *input, THTensor *output, int64_t dim);
/* SoftMax_ and LogSoftMax_updateGradInput; `rows` are those of both inputs. */
TH_API void THNNPrepare_softMaxGradient(THRowsPlan *plan, THDtype dtype, const THTensor *gradOutput,
                                        THTensor *gradInput, const THTensor *output, int64_t dim);

#endif
