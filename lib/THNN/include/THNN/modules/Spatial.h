/* Modules over planes. */
#ifndef THNN_MODULES_SPATIAL_H
#define THNN_MODULES_SPATIAL_H

#include <THNN/modules/General.h>

/* ---- convolutions: weight (outputs, channels, kH, kW), or of two dimensions, (outputs, channels kH kW) ---------- */
THNN_WEIGHTED_BUFFERS(SpatialConvolutionMM, finput, fgradInput, THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad))

THNN_WEIGHTED_COLUMNS(SpatialDilatedConvolution, THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad), THNN_PLANE(dilation))

/* `multiplier` filters for each channel: weight (multiplier, channels, kH, kW), bias and output have channels multiplier
 * entries: those of the first channel come first. */
THNN_WEIGHTED_BUFFERS(SpatialDepthWiseConvolution, finput, fgradInput, THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad))

/* Transposed: weight (channels, outputs, kH, kW),
 * output positions = (size - 1) d - 2 pad + dilation (k - 1) + 1 + adj, where adj is less than d or dilation. */
THNN_WEIGHTED_COLUMNS(SpatialFullConvolution, THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad), THNN_PLANE(adj))
THNN_WEIGHTED_COLUMNS(SpatialFullDilatedConvolution, THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad),
                      THNN_PLANE(dilation), THNN_PLANE(adj))

/* Convolutions between the planes that a table names: its row k, (input plane, output plane), counted from 0, has the
 * filter weight[k] of weight (rows, kH, kW). Neither padding nor dilation; Full: transposed. bias of updateGradInput is
 * not read. */
#define THNN_MAP const THTensor *connTable, int64_t nInputPlane, int64_t nOutputPlane, THNN_PLANE(d)
THNN_WEIGHTED(SpatialConvolutionMap, (THNN_MAP), (THNN_BUFFER(bias), THNN_MAP), (THNN_MAP))
THNN_WEIGHTED(SpatialFullConvolutionMap, (THNN_MAP), (THNN_BUFFER(bias), THNN_MAP), (THNN_MAP))

/* ---- pooling: as in Pooling.h, indices too ----------------------------------------------------------------------- */
THNN_FUNCTION(SpatialMaxPooling_updateOutput, floating,
              THNN_INDEXED_OUTPUT(THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad), bool ceil_mode))
THNN_FUNCTION(SpatialMaxPooling_updateGradInput, floating,
              THNN_INDEXED_GRAD_INPUT(THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad), bool ceil_mode))
THNN_FUNCTION(SpatialDilatedMaxPooling_updateOutput, floating,
              THNN_INDEXED_OUTPUT(THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad), THNN_PLANE(dilation), bool ceil_mode))
THNN_FUNCTION(SpatialDilatedMaxPooling_updateGradInput, floating,
              THNN_INDEXED_GRAD_INPUT(THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad), THNN_PLANE(dilation),
                                      bool ceil_mode))
THNN_FUNCTION(SpatialMaxUnpooling_updateOutput, floating,
              (THNNState *state, const THTensor *input, THTensor *output, const THIndexTensor *indices, int64_t owidth,
               int64_t oheight))
THNN_FUNCTION(SpatialMaxUnpooling_updateGradInput, floating, THNN_INDEXED_GRAD_INPUT(int64_t owidth, int64_t oheight))
THNN_FUNCTION(SpatialAveragePooling_updateOutput, floating,
              THNN_POOLED_OUTPUT(THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad), bool ceil_mode, bool count_include_pad))
THNN_FUNCTION(SpatialAveragePooling_updateGradInput, floating,
              THNN_POOLED_GRAD_INPUT(THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad), bool ceil_mode,
                                     bool count_include_pad))
THNN_FUNCTION(SpatialAdaptiveMaxPooling_updateOutput, floating, THNN_INDEXED_OUTPUT(THNN_PLANE(osize)))
THNN_FUNCTION(SpatialAdaptiveMaxPooling_updateGradInput, floating, THNN_POOLED_GRAD_INPUT(const THIndexTensor *indices))
THNN_FUNCTION(SpatialAdaptiveAveragePooling_updateOutput, floating, THNN_POOLED_OUTPUT(THNN_PLANE(osize)))
THNN_FUNCTION(SpatialAdaptiveAveragePooling_updateGradInput, floating,
              (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput))
THNN_FUNCTION(SpatialFractionalMaxPooling_updateOutput, floating,
              THNN_POOLED_OUTPUT(THNN_PLANE(output), THNN_PLANE(poolSize), THIndexTensor *indices,
                                 const THTensor *randomSamples))
THNN_FUNCTION(SpatialFractionalMaxPooling_updateGradInput, floating,
              THNN_POOLED_GRAD_INPUT(THNN_PLANE(output), THNN_PLANE(poolSize), const THIndexTensor *indices))

/* The sum over each window times weight (channels), plus bias (channels). */
THNN_WEIGHTED(SpatialSubSampling, (THNN_PLANE(k), THNN_PLANE(d)), (THNN_PLANE(k), THNN_PLANE(d)),
              (THNN_PLANE(k), THNN_PLANE(d)))

#endif
