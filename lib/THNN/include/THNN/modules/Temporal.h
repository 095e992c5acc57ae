/* Modules over sequences, whose samples are (frames, channels). */
#ifndef THNN_MODULES_TEMPORAL_H
#define THNN_MODULES_TEMPORAL_H

#include <THNN/modules/General.h>

/* weight (outputFrameSize, kW inputFrameSize): of each output, the weights of the window's first frame come first. */
THNN_WEIGHTED(TemporalConvolution, (int64_t kW, int64_t dW, int64_t inputFrameSize, int64_t outputFrameSize),
              (int64_t kW, int64_t dW), (int64_t kW, int64_t dW))

/* Each channel with a filter of its own: weight (channels, 1, kW) or (channels, kW). featFirst: samples are (channels,
 * frames). */
THNN_WEIGHTED_BUFFERS(TemporalRowConvolution, finput, fgradInput, int64_t kW, int64_t dW, int64_t padW, bool featFirst)

/* indices: of frames of the input */
THNN_FUNCTION(TemporalMaxPooling_updateOutput, floating, THNN_INDEXED_OUTPUT(int64_t kW, int64_t dW))
THNN_FUNCTION(TemporalMaxPooling_updateGradInput, floating, THNN_INDEXED_GRAD_INPUT(int64_t kW, int64_t dW))

/* The sum over each window times weight (channels), plus bias (channels). */
THNN_WEIGHTED(TemporalSubSampling, (int64_t kW, int64_t dW, int64_t inputFrameSize), (int64_t kW, int64_t dW),
              (int64_t kW, int64_t dW))

#endif
