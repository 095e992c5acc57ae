/* Modules over volumes. */
#ifndef THNN_MODULES_VOLUMETRIC_H
#define THNN_MODULES_VOLUMETRIC_H

#include <THNN/modules/General.h>

/* ---- convolutions: weight (outputs, channels, kT, kH, kW), or of two dimensions where the kernel's sizes are given --- */
THNN_WEIGHTED(VolumetricConvolution, (THNN_BUFFERS(finput, fgradInput), THNN_SPACE(d), THNN_SPACE(p)),
              (THNN_BUFFER(finput), THNN_SPACE(d), THNN_SPACE(p)),
              (THNN_BUFFERS(finput, fgradInput), THNN_SPACE(d), THNN_SPACE(p)))
THNN_WEIGHTED_BUFFERS(VolumetricConvolutionMM, finput, fgradInput, THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(p))
THNN_WEIGHTED_COLUMNS(VolumetricDilatedConvolution, THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(pad), THNN_SPACE(dilation))

/* Transposed, as the Spatial ones: weight (channels, outputs, kT, kH, kW). */
THNN_WEIGHTED_BUFFERS(VolumetricFullConvolution, finput, fgradInput, THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(p),
                      THNN_SPACE(a))
THNN_WEIGHTED_BUFFERS(VolumetricFullDilatedConvolution, finput, fgradInput, THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(p),
                      THNN_SPACE(dilation), THNN_SPACE(a))

/* ---- pooling: as in Pooling.h, indices too ----------------------------------------------------------------------- */
THNN_FUNCTION(VolumetricMaxPooling_updateOutput, floating,
              THNN_INDEXED_OUTPUT(THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(p), bool ceilMode))
THNN_FUNCTION(VolumetricMaxPooling_updateGradInput, floating,
              THNN_INDEXED_GRAD_INPUT(THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(p), bool ceilMode))
THNN_FUNCTION(VolumetricDilatedMaxPooling_updateOutput, floating,
              THNN_INDEXED_OUTPUT(THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(p), THNN_SPACE(dilation), bool ceilMode))
THNN_FUNCTION(VolumetricDilatedMaxPooling_updateGradInput, floating,
              THNN_INDEXED_GRAD_INPUT(THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(p), THNN_SPACE(dilation), bool ceilMode))
/* d and p: of the pooling that is undone, which the indices know already. */
THNN_FUNCTION(VolumetricMaxUnpooling_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, const THIndexTensor *indices, THNN_SPACE(o),
               THNN_SPACE(d), THNN_SPACE(p)))
THNN_FUNCTION(VolumetricMaxUnpooling_updateGradInput, floating,
              THNN_INDEXED_GRAD_INPUT(THNN_SPACE(o), THNN_SPACE(d), THNN_SPACE(p)))
THNN_FUNCTION(VolumetricAveragePooling_updateOutput, floating,
              THNN_POOLED_OUTPUT(THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(pad), bool ceil_mode, bool count_include_pad))
THNN_FUNCTION(VolumetricAveragePooling_updateGradInput, floating,
              THNN_POOLED_GRAD_INPUT(THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(pad), bool ceil_mode,
                                     bool count_include_pad))
THNN_FUNCTION(VolumetricFractionalMaxPooling_updateOutput, floating,
              THNN_POOLED_OUTPUT(THNN_SPACE(output), THNN_SPACE(poolSize), THIndexTensor *indices,
                                 const THTensor *randomSamples))
THNN_FUNCTION(VolumetricFractionalMaxPooling_updateGradInput, floating,
              THNN_POOLED_GRAD_INPUT(THNN_SPACE(output), THNN_SPACE(poolSize), const THIndexTensor *indices))

#endif
