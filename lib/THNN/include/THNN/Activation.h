/* Activations: input, output, gradOutput, gradInput have one shape. */
#ifndef THNN_ACTIVATION_H
#define THNN_ACTIVATION_H

#include <THNN/THNNGeneral.h>

/* `inplace`: input (gradOutput in updateGradInput) is overwritten, and output (gradInput) becomes another view of it.
 * NaN stays NaN. */

/* |input|; at 0 the gradient is 0 */
THNN_FUNCTION(Abs_updateOutput, floating, (THNNState *state, const THTensor *input, THTensor *output))
THNN_FUNCTION(Abs_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput))

/* scale * input where input > 0, else alpha * scale * (e^(input_scale * input) - 1): also CELU and SELU.
 * is_result: `output` is updateOutput's, else its input. */
THNN_FUNCTION(ELU_updateOutput, floating,
              (THNNState *state, THTensor *input, THTensor *output, double alpha, double scale, double input_scale,
               bool inplace))
THNN_FUNCTION(ELU_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output, double alpha,
               double scale, double input_scale, bool is_result))

/* The first half of input along dim, times sigmoid of the second one. */
THNN_FUNCTION(GatedLinear_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, int64_t dim))
THNN_FUNCTION(GatedLinear_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, int64_t dim))

/* input * Phi(input), Phi being the normal distribution function. tanh: by sqrt(2 / pi) (x + 0.044715 x^3), its
 * hyperbolic tangent's (Hendrycks and Gimpel, arXiv:1606.08415). */
THNN_FUNCTION(GELU_updateOutput, floating, (THNNState *state, const THTensor *input, THTensor *output, bool tanh))
THNN_FUNCTION(GELU_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, bool tanh))

/* input, 0 where |input| <= lambda */
THNN_FUNCTION(HardShrink_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, double lambda))
THNN_FUNCTION(HardShrink_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, double lambda))

/* min(max(0, input + 3), 6) / 6 */
THNN_FUNCTION(HardSigmoid_updateOutput, floating, (THNNState *state, const THTensor *input, THTensor *output))
THNN_FUNCTION(HardSigmoid_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput))

/* input * HardSigmoid */
THNN_FUNCTION(HardSwish_updateOutput, floating, (THNNState *state, const THTensor *input, THTensor *output))
THNN_FUNCTION(HardSwish_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput))

/* input, at least min_val, at most max_val; beyond and at the bounds the gradient is 0 */
THNN_FUNCTION(HardTanh_updateOutput, floating,
              (THNNState *state, THTensor *input, THTensor *output, double min_val, double max_val, bool inplace))
THNN_FUNCTION(HardTanh_updateGradInput, floating,
              (THNNState *state, const THTensor *input, THTensor *gradOutput, THTensor *gradInput, double min_val,
               double max_val, bool inplace))

/* input where input > 0, else negval * input */
THNN_FUNCTION(LeakyReLU_updateOutput, floating,
              (THNNState *state, THTensor *input, THTensor *output, double negval, bool inplace))
THNN_FUNCTION(LeakyReLU_updateGradInput, floating,
              (THNNState *state, const THTensor *input, THTensor *gradOutput, THTensor *gradInput, double negval,
               bool inplace))

/* -log(1 + e^-input) */
THNN_FUNCTION(LogSigmoid_updateOutput, floating, (THNNState *state, const THTensor *input, THTensor *output))
THNN_FUNCTION(LogSigmoid_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput))

/* input * tanh(log(1 + e^input)) */
THNN_FUNCTION(Mish_updateOutput, floating, (THNNState *state, const THTensor *input, THTensor *output))
THNN_FUNCTION(Mish_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput))

/* input where input > 0, else weight * input. weight: one number, or one per channel, which dimension 1 of the input
 * counts (a vector's elements share one). accGradParameters: gradWeight += scale * the gradient, in weight's shape. */
THNN_FUNCTION(PReLU_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, const THTensor *weight))
THNN_FUNCTION(PReLU_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
               const THTensor *weight))
THNN_FUNCTION(PReLU_accGradParameters, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight, double scale))

/* LeakyReLU, with slopes drawn from [lower, upper) where `train`, else with their mean. noise, a result of input's shape
 * where `train`: the slopes, and 1 where input > 0. */
THNN_FUNCTION(RReLU_updateOutput, floating,
              (THNNState *state, THTensor *input, THTensor *output, THTensor *noise, double lower, double upper,
               bool train, bool inplace, THGenerator *generator))
THNN_FUNCTION(RReLU_updateGradInput, floating,
              (THNNState *state, const THTensor *input, THTensor *gradOutput, THTensor *gradInput,
               const THTensor *noise, double lower, double upper, bool train, bool inplace))

THNN_FUNCTION(Sigmoid_updateOutput, floating, (THNNState *state, const THTensor *input, THTensor *output))
THNN_FUNCTION(Sigmoid_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output))

/* input * sigmoid(input) */
THNN_FUNCTION(SiLU_updateOutput, floating, (THNNState *state, const THTensor *input, THTensor *output))
THNN_FUNCTION(SiLU_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput))

/* log(1 + e^(beta * input)) / beta, and input itself where beta * input > threshold */
THNN_FUNCTION(SoftPlus_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, double beta, double threshold))
THNN_FUNCTION(SoftPlus_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, double beta,
               double threshold))

/* input moved towards 0 by lambda, 0 where |input| <= lambda */
THNN_FUNCTION(SoftShrink_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, double lambda))
THNN_FUNCTION(SoftShrink_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, double lambda))

/* where the output is 0, the gradient is 0 */
THNN_FUNCTION(Sqrt_updateOutput, floating, (THNNState *state, const THTensor *input, THTensor *output))
THNN_FUNCTION(Sqrt_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output))

THNN_FUNCTION(Square_updateOutput, floating, (THNNState *state, const THTensor *input, THTensor *output))
THNN_FUNCTION(Square_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput))

THNN_FUNCTION(Tanh_updateOutput, floating, (THNNState *state, const THTensor *input, THTensor *output))
THNN_FUNCTION(Tanh_updateGradInput, floating,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, const THTensor *output))

/* input where input > threshold, else value */
THNN_FUNCTION(Threshold_updateOutput, floating,
              (THNNState *state, THTensor *input, THTensor *output, double threshold, double value, bool inplace))
THNN_FUNCTION(Threshold_updateGradInput, floating,
              (THNNState *state, const THTensor *input, THTensor *gradOutput, THTensor *gradInput, double threshold,
               double value, bool inplace))

/* ---- prepare halves: the result gets its shape here -------------------------------------------- */

/* updateOutput of all whose result is of input's elements alone, not in place. The operands are output, input. */
TH_API bool THNNPrepare_activation(THPointwisePlan *plan, THDtype dtype, const THTensor *input, THTensor *output);
/* updateGradInput of ELU, Sigmoid, Sqrt and Tanh: gradInput, gradOutput, output. */
TH_API bool THNNPrepare_activationGradient(THPointwisePlan *plan, THDtype dtype, const THTensor *gradOutput,
                                           THTensor *gradInput, const THTensor *output);
/* Also of ELU, HardTanh and LeakyReLU: output, input. In place it is input that is written, and output is another view of it on return. */
TH_API bool THNNPrepare_Threshold_updateOutput(THPointwisePlan *plan, THDtype dtype, THTensor *input, THTensor *output,
                                               bool inplace);
/* Also of all others: gradInput, input, gradOutput. In place it is gradOutput that is written, and gradInput another view of it. */
TH_API bool THNNPrepare_Threshold_updateGradInput(THPointwisePlan *plan, THDtype dtype, const THTensor *input,
                                                  THTensor *gradOutput, THTensor *gradInput, bool inplace);

/* result[0] is made of the two halves of input along dim; gradInput has its shape. */
TH_API void THNNPrepare_GatedLinear_updateOutput(THResult *result, THDtype dtype, const THTensor *input,
                                                 THTensor *output, int64_t dim);
TH_API void THNNPrepare_GatedLinear_updateGradInput(THResult *result, THDtype dtype, const THTensor *input,
                                                    const THTensor *gradOutput, THTensor *gradInput, int64_t dim);

/* Checks alone: element by element with the weight, whose dimension is the input's dimension 1. */
TH_API void THNNPrepare_PReLU_updateOutput(THDtype dtype, const THTensor *input, const THTensor *output,
                                           const THTensor *weight);
TH_API void THNNPrepare_PReLU_updateGradInput(THDtype dtype, const THTensor *input, const THTensor *gradOutput,
                                              const THTensor *gradInput, const THTensor *weight);
TH_API void THNNPrepare_PReLU_accGradParameters(THDtype dtype, const THTensor *input, const THTensor *gradOutput,
                                                const THTensor *gradWeight);

/* Where `train`: noise, which may not share memory with the others. */
TH_API void THNNPrepare_RReLU_noise(THResult *noise_result, THDtype dtype, const THTensor *input,
                                    const THTensor *output, THTensor *noise, bool inplace);

#endif
