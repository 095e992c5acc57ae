/* Activations: input, output, gradOutput, gradInput have one shape. */
#ifndef THNN_ACTIVATION_H
#define THNN_ACTIVATION_H

#include <THNN/THNNGeneral.h>

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

/* ---- prepare halves: the result gets its shape here -------------------------------------------- */

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

#endif
