/* What the headers of modules/ have in common: functions with the names and arguments of the field's modules
 * (SpatialConvolutionMM, TemporalMaxPooling, …), as the Torch7 package nn and PyTorch of 2017 call them. Most are the
 * general functions of the other headers, of which they say the dimensions. No operator calls them: torch._thnn has them,
 * no operator calls, and a backend need not have.
 *
 * An input is a sample, or a batch of them, which has one dimension more; a result is then of that kind, too.
 *     Volumetric   sample: (channels, depth, height, width)
 *     Spatial      sample: (channels, height, width)
 *     Temporal     sample: (frames, channels)
 * Sizes stand in the field's order, T (depth), W, H: of the kernel k, the stride d, and the padding pad or p; adj or a: by
 * how much a transposed convolution's output is larger than need be.
 *
 *     X_updateOutput        output
 *     X_updateGradInput     gradInput; of `input` it is the shape that counts
 *     X_accGradParameters   adds `scale` times the gradients to gradWeight and gradBias, which have their shapes
 *
 * Arguments without a comment of their own that neither a computation nor a result needs (finput, fgradInput, columns,
 * ones, addBuffer) are where others keep what they computed in between: these functions neither read nor write them. */
#ifndef THNN_MODULES_GENERAL_H
#define THNN_MODULES_GENERAL_H

#include <THNN/THNNGeneral.h>

#define THNN_PLANE(size) int64_t size##W, int64_t size##H
#define THNN_SPACE(size) int64_t size##T, int64_t size##W, int64_t size##H
#define THNN_BUFFER(name) const THNullableTensor *name
#define THNN_BUFFERS(first, second) THNN_BUFFER(first), THNN_BUFFER(second)

/* The three lists of arguments of modules that have parameters; bias and gradBias may be NULL. */
#define THNN_WEIGHTED_OUTPUT(...)                                                         \
  (THNNState * state, const THTensor *input, THTensor *output, const THTensor *weight, \
   const THNullableTensor *bias, __VA_ARGS__)
#define THNN_WEIGHTED_GRAD_INPUT(...)                                                             \
  (THNNState * state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, \
   const THTensor *weight, __VA_ARGS__)
#define THNN_WEIGHTED_GRADIENTS(...)                                                               \
  (THNNState * state, const THTensor *input, const THTensor *gradOutput, THTensor *gradWeight, \
   THNullableTensor *gradBias, __VA_ARGS__, double scale)

/* Those of poolings. */
#define THNN_POOLED_OUTPUT(...) (THNNState * state, const THTensor *input, THTensor *output, __VA_ARGS__)
#define THNN_POOLED_GRAD_INPUT(...) \
  (THNNState * state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput, __VA_ARGS__)
#define THNN_INDEXED_OUTPUT(...) THNN_POOLED_OUTPUT(THIndexTensor *indices, __VA_ARGS__)
#define THNN_INDEXED_GRAD_INPUT(...) THNN_POOLED_GRAD_INPUT(const THIndexTensor *indices, __VA_ARGS__)

/* A module that has parameters: its three functions. What they take besides stands in parentheses. */
#define THNN_WEIGHTED(Module, forward, backward, gradients)                                       \
  THNN_FUNCTION(Module##_updateOutput, floating, THNN_WEIGHTED_OUTPUT forward)             \
  THNN_FUNCTION(Module##_updateGradInput, floating, THNN_WEIGHTED_GRAD_INPUT backward)     \
  THNN_FUNCTION(Module##_accGradParameters, floating, THNN_WEIGHTED_GRADIENTS gradients)

/* The same of those whose functions take two buffers before the numbers, and where updateGradInput takes one only. */
#define THNN_WEIGHTED_BUFFERS(Module, first, second, ...)                                                             \
  THNN_WEIGHTED(Module, (THNN_BUFFERS(first, second), __VA_ARGS__), (THNN_BUFFERS(first, second), __VA_ARGS__), \
                (THNN_BUFFERS(first, second), __VA_ARGS__))
#define THNN_WEIGHTED_COLUMNS(Module, ...)                                                                   \
  THNN_WEIGHTED(Module, (THNN_BUFFERS(columns, ones), __VA_ARGS__), (THNN_BUFFER(columns), __VA_ARGS__), \
                (THNN_BUFFERS(columns, ones), __VA_ARGS__))

#endif
