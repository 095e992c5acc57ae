/* Attention. */
#ifndef THNN_ATTENTION_H
#define THNN_ATTENTION_H

#include <THNN/THNNGeneral.h>

/* output = softmax(scale query keyᵀ + mask) value, in tiles: no matrix of scores is ever stored (Dao, Fu, Ermon, Rudra, Ré
 * 2022, "FlashAttention: fast and memory-efficient exact attention with IO-awareness"; Dao 2023, "FlashAttention-2").
 *
 * query (batch, heads, L, E), key (batch, keyHeads, S, E), value (batch, keyHeads, S, D), output (batch, heads, L, D); heads
 * is a multiple of keyHeads: each head of keys serves heads / keyHeads neighbours. logsumexp (batch, heads, L): the
 * logarithm of each row's sum of exponentials, infinite where a row sees no key; its output is 0 there. It may be
 * float where the function's dtype is a half type.
 * mask: up to 4 dimensions that broadcast to (batch, heads, L, S); bool, true where a query sees a key, or floats, which are
 * added. is_causal: query i sees keys up to i. */
THNN_FUNCTION(ScaledDotProductAttention_updateOutput, floating,
              (THNNState *state, const THTensor *query, const THTensor *key, const THTensor *value, THTensor *output,
               THTensor *logsumexp, const THNullableTensor *mask, bool is_causal, double scale))
/* The gradients for query, key and value, from output and logsumexp as updateOutput gave them. */
THNN_FUNCTION(ScaledDotProductAttention_updateGradInput, floating,
              (THNNState *state, const THTensor *query, const THTensor *key, const THTensor *value,
               const THTensor *gradOutput, THTensor *gradQuery, THTensor *gradKey, THTensor *gradValue,
               const THTensor *output, const THTensor *logsumexp, const THNullableTensor *mask, bool is_causal,
               double scale))

/* ---- prepare halves: results may share memory with the inputs, but not with one another --------- */

typedef struct THNNAttentionPlan {
  int64_t batch, heads, keyHeads;
  int64_t queries, keys;     /* L, S */
  int64_t width, valueWidth; /* E, D */
  int64_t maskStride[4];     /* 0 where the mask broadcasts */
  THResult result[3];        /* output and logsumexp, or gradQuery, gradKey and gradValue */
} THNNAttentionPlan;

TH_API bool THNNPrepare_ScaledDotProductAttention_updateOutput(THNNAttentionPlan *plan, THDtype dtype,
                                                               const THTensor *query, const THTensor *key,
                                                               const THTensor *value, THTensor *output,
                                                               THTensor *logsumexp, const THTensor *mask);
TH_API bool THNNPrepare_ScaledDotProductAttention_updateGradInput(THNNAttentionPlan *plan, THDtype dtype,
                                                                  const THTensor *query, const THTensor *key,
                                                                  const THTensor *value, const THTensor *gradOutput,
                                                                  THTensor *gradQuery, THTensor *gradKey,
                                                                  THTensor *gradValue, const THTensor *output,
                                                                  const THTensor *logsumexp, const THTensor *mask);

#endif
