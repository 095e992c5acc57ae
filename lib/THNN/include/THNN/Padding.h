/* Padding by the tensor's own elements. */
#ifndef THNN_PADDING_H
#define THNN_PADDING_H

#include <THNN/THNNGeneral.h>

/* What stands outside a plane: its reflection at the outermost elements, or the outermost element. */
typedef enum THNNPaddingMode { THNN_PAD_REFLECTION, THNN_PAD_REPLICATION } THNNPaddingMode;

/* The last 1 to 3 dimensions continued: `padding` has two numbers for each, the last one first; those below 0 cut. Before
 * them come channels, or batch and channels. */
THNN_FUNCTION(Padding_updateOutput, number_complex,
              (THNNState *state, const THTensor *input, THTensor *output, int mode, int npadding,
               const int64_t *padding))
/* `size`: of gradInput's planes, half as many numbers as `padding` has. */
THNN_FUNCTION(Padding_updateGradInput, floating_complex,
              (THNNState *state, const THTensor *gradOutput, THTensor *gradInput, int mode, int nsize,
               const int64_t *size, int npadding, const int64_t *padding))

/* By the names of 2017. */
THNN_FUNCTION(SpatialReflectionPadding_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, int64_t pad_left, int64_t pad_right,
               int64_t pad_top, int64_t pad_bottom))
THNN_FUNCTION(SpatialReflectionPadding_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
               int64_t pad_left, int64_t pad_right, int64_t pad_top, int64_t pad_bottom))
THNN_FUNCTION(SpatialReplicationPadding_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, int64_t pad_left, int64_t pad_right,
               int64_t pad_top, int64_t pad_bottom))
THNN_FUNCTION(SpatialReplicationPadding_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
               int64_t pad_left, int64_t pad_right, int64_t pad_top, int64_t pad_bottom))
THNN_FUNCTION(VolumetricReplicationPadding_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, int64_t pad_left, int64_t pad_right,
               int64_t pad_top, int64_t pad_bottom, int64_t pad_front, int64_t pad_back))
THNN_FUNCTION(VolumetricReplicationPadding_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput,
               int64_t pad_left, int64_t pad_right, int64_t pad_top, int64_t pad_bottom, int64_t pad_front,
               int64_t pad_back))

/* ---- prepare halves: the result may share memory with the input -------------------------------- */

/* Three spatial dimensions; those that there are not are 1 long, and come first. All before them together are planes. */
typedef struct THNNPaddingPlan {
  int64_t planes;
  int64_t input[3], output[3]; /* of backward functions, too: input is gradInput */
  int64_t before[3];           /* padding at the beginning */
  THNNPaddingMode mode;
  THResult result;
} THNNPaddingPlan;

TH_API bool THNNPrepare_Padding_updateOutput(THNNPaddingPlan *plan, THDtype dtype, const THTensor *input,
                                             THTensor *output, int mode, int npadding, const int64_t *padding);
TH_API bool THNNPrepare_Padding_updateGradInput(THNNPaddingPlan *plan, THDtype dtype, const THTensor *gradOutput,
                                                THTensor *gradInput, int mode, int nsize, const int64_t *size,
                                                int npadding, const int64_t *padding);

#endif
