/* Recurrent units: one step, and layers over sequences. */
#ifndef THNN_RECURRENT_H
#define THNN_RECURRENT_H

#include <THNN/THNNGeneral.h>

/* One step of N samples of H units, after the products with the weights: `input` and `hidden` (N, gates H) are those of
 * the input and of the state; biases (gates H), both or none.
 *
 * LSTM, gates i, f, g, o: c' = sigmoid(f) c + sigmoid(i) tanh(g), h' = sigmoid(o) tanh(c'); cell, output and outputCell
 * (N, H). `input` is overwritten with the activations, which updateGradInput takes as `storage`; gradInGates is the
 * gradient for both products.
 * GRU, gates r, z, n: h' = n + sigmoid(z) (h - n) with n = tanh(x_n + sigmoid(r) (h_n + b_n)); storage (N, 5 H).
 * A result must be apart from the inputs and the other results. */
THNN_FUNCTION(LSTMFused_updateOutput, floating,
              (THNNState *state, THTensor *input, const THTensor *hidden, const THNullableTensor *bias1,
               const THNullableTensor *bias2, const THTensor *cell, THTensor *output, THTensor *outputCell))
THNN_FUNCTION(LSTMFused_updateGradInput, floating,
              (THNNState *state, const THTensor *storage, THTensor *gradInGates, const THTensor *cx, const THTensor *cy,
               const THTensor *gradOutput, const THTensor *gradOutputCell, THTensor *gradInputCx))
THNN_FUNCTION(GRUFused_updateOutput, floating,
              (THNNState *state, const THTensor *input, const THTensor *hidden, const THNullableTensor *bias1,
               const THNullableTensor *bias2, const THTensor *hx, THTensor *output, THTensor *storage))
THNN_FUNCTION(GRUFused_updateGradInput, floating,
              (THNNState *state, THTensor *gradInInput, THTensor *gradInHidden, const THTensor *gradOutput,
               THTensor *gradInputHx, const THTensor *storage))

/* A layer over sequences in one direction. Samples are sorted by length: sizes[t] of the B samples, never more than
 * before, have a step t; the rows of `input` and `output` are those of step 0, then those of step 1, and so on.
 * mode: 0 tanh, 1 relu, 2 GRU, 3 LSTM, with H units and a state of P numbers, which is H unless an LSTM has a
 * projection (P, H).
 *   storage                 contiguous; first (rows, gates H): the products of all steps with their weights, biases added
 *                           (for GRU without that of h); then, for LSTM and GRU, room for (rows, H)
 *   hx (B, P), cx (B, H)    the states before; cx for LSTM
 *   weight (gates H, P), bias (gates H) or NULL: of the state's product; bias for GRU alone
 * to output (rows, P) and the states after hy (B, P) and cy (B, H), (0) unless LSTM. storage of LSTM and GRU is
 * overwritten with what the gradient needs: the activations of the gates, then c of all steps, or of GRU the products
 * that the reset gates are applied to.
 * updateGradInput: gradOutput, gradHy, gradCy may be NULL, for zeros; gradInput (rows, gates H); gradHidden the gradients
 * of the products of the state, of GRU, else (0); gradState those of the projected states (rows, P) where there is a
 * projection, else (0); gradHx, gradCx those of the states before. A result must be apart from inputs and other results. */
THNN_FUNCTION(RecurrentLayer_updateOutput, floating,
              (THNNState *state, THTensor *storage, THTensor *output, THTensor *hy, THTensor *cy, const THTensor *hx,
               const THNullableTensor *cx, const THTensor *weight, const THNullableTensor *bias,
               const THNullableTensor *projection, int nsizes, const int64_t *sizes, bool reverse, int64_t mode))
THNN_FUNCTION(RecurrentLayer_updateGradInput, floating,
              (THNNState *state, const THTensor *output, const THNullableTensor *gradOutput,
               const THNullableTensor *gradHy, const THNullableTensor *gradCy, THTensor *gradInput,
               THTensor *gradHidden, THTensor *gradState, THTensor *gradHx, THTensor *gradCx, const THTensor *storage,
               const THTensor *hx, const THNullableTensor *cx, const THTensor *weight,
               const THNullableTensor *projection, int nsizes, const int64_t *sizes, bool reverse, int64_t mode))

/* ---- prepare halves ------------------------------------------------------------------------------------------------ */

typedef struct THNNCellPlan {
  int64_t samples, units;
  THResult result[3]; /* in the function's order; of LSTMFused_updateOutput `input` is none */
} THNNCellPlan;
TH_API bool THNNPrepare_LSTMFused_updateOutput(THNNCellPlan *plan, THDtype dtype, const THTensor *input,
                                               const THTensor *hidden, const THTensor *bias1, const THTensor *bias2,
                                               const THTensor *cell, THTensor *output, THTensor *outputCell);
TH_API bool THNNPrepare_LSTMFused_updateGradInput(THNNCellPlan *plan, THDtype dtype, const THTensor *storage,
                                                  THTensor *gradInGates, const THTensor *cx, const THTensor *cy,
                                                  const THTensor *gradOutput, const THTensor *gradOutputCell,
                                                  THTensor *gradInputCx);
TH_API bool THNNPrepare_GRUFused_updateOutput(THNNCellPlan *plan, THDtype dtype, const THTensor *input,
                                              const THTensor *hidden, const THTensor *bias1, const THTensor *bias2,
                                              const THTensor *hx, THTensor *output, THTensor *storage);
TH_API bool THNNPrepare_GRUFused_updateGradInput(THNNCellPlan *plan, THDtype dtype, THTensor *gradInInput,
                                                 THTensor *gradInHidden, const THTensor *gradOutput,
                                                 THTensor *gradInputHx, const THTensor *storage);

enum { THNN_RNN_TANH, THNN_RNN_RELU, THNN_GRU, THNN_LSTM };
typedef struct THNNRecurrentPlan {
  int mode, gates; /* gates: of a unit */
  int64_t batch, rows, units, state, stored; /* state: P; stored: elements of storage */
  int64_t steps;
  THResult result[5]; /* in the function's order */
} THNNRecurrentPlan;
TH_API bool THNNPrepare_RecurrentLayer_updateOutput(THNNRecurrentPlan *plan, THDtype dtype, const THTensor *storage,
                                                    THTensor *output, THTensor *hy, THTensor *cy, const THTensor *hx,
                                                    const THTensor *cx, const THTensor *weight, const THTensor *bias,
                                                    const THTensor *projection, int nsizes, const int64_t *sizes,
                                                    int64_t mode);
TH_API bool THNNPrepare_RecurrentLayer_updateGradInput(
    THNNRecurrentPlan *plan, THDtype dtype, const THTensor *output, const THTensor *gradOutput, const THTensor *gradHy,
    const THTensor *gradCy, THTensor *gradInput, THTensor *gradHidden, THTensor *gradState, THTensor *gradHx,
    THTensor *gradCx, const THTensor *storage, const THTensor *hx, const THTensor *cx, const THTensor *weight,
    const THTensor *projection, int nsizes, const int64_t *sizes, int64_t mode);

#endif
