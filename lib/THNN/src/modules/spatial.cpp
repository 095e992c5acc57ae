// Modules over planes: what each of them is in general terms.
#include "map.hpp"

THNN_DEFINE_BUFFERS(SpatialConvolutionMM, finput, fgradInput, (THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad)),
                    thnn::Convolution{.dtype = dtype,
                                      .n = 2,
                                      .kernel = thnn::plane(kW, kH),
                                      .stride = thnn::plane(dW, dH),
                                      .padding = thnn::plane(padW, padH)})

THNN_DEFINE_COLUMNS(SpatialDilatedConvolution, (THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad), THNN_PLANE(dilation)),
                    thnn::Convolution{.dtype = dtype,
                                      .n = 2,
                                      .kernel = thnn::plane(kW, kH),
                                      .stride = thnn::plane(dW, dH),
                                      .padding = thnn::plane(padW, padH),
                                      .dilation = thnn::plane(dilationW, dilationH)})

THNN_DEFINE_BUFFERS(SpatialDepthWiseConvolution, finput, fgradInput, (THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad)),
                    thnn::Convolution{.dtype = dtype,
                                      .n = 2,
                                      .kernel = thnn::plane(kW, kH),
                                      .stride = thnn::plane(dW, dH),
                                      .padding = thnn::plane(padW, padH),
                                      .filters = thnn::Filters::multiplier})

THNN_DEFINE_COLUMNS(SpatialFullConvolution, (THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad), THNN_PLANE(adj)),
                    thnn::Convolution{.dtype = dtype,
                                      .n = 2,
                                      .kernel = thnn::plane(kW, kH),
                                      .stride = thnn::plane(dW, dH),
                                      .padding = thnn::plane(padW, padH),
                                      .adjustment = thnn::plane(adjW, adjH),
                                      .transposed = true})

THNN_DEFINE_COLUMNS(SpatialFullDilatedConvolution,
                    (THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad), THNN_PLANE(dilation), THNN_PLANE(adj)),
                    thnn::Convolution{.dtype = dtype,
                                      .n = 2,
                                      .kernel = thnn::plane(kW, kH),
                                      .stride = thnn::plane(dW, dH),
                                      .padding = thnn::plane(padW, padH),
                                      .dilation = thnn::plane(dilationW, dilationH),
                                      .adjustment = thnn::plane(adjW, adjH),
                                      .transposed = true})

THNN_DEFINE_WEIGHTED(SpatialConvolutionMap, (THNN_MAP), (THNN_BUFFER(bias), THNN_MAP), (THNN_MAP),
                     thnn::Map(dtype, false, connTable, nInputPlane, nOutputPlane, thnn::plane(dW, dH)))

THNN_DEFINE_WEIGHTED(SpatialFullConvolutionMap, (THNN_MAP), (THNN_BUFFER(bias), THNN_MAP), (THNN_MAP),
                     thnn::Map(dtype, true, connTable, nInputPlane, nOutputPlane, thnn::plane(dW, dH)))
THNN_DEFINE(SpatialMaxPooling_updateOutput, floating,
            THNN_INDEXED_OUTPUT(THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad), bool ceil_mode),
            (thnn::Pooling{.dtype = dtype,
                           .n = 2,
                           .kernel = thnn::plane(kW, kH),
                           .stride = thnn::plane(dW, dH),
                           .padding = thnn::plane(padW, padH),
                           .ceilMode = ceil_mode})
                .max(input, output, indices))
THNN_DEFINE(SpatialMaxPooling_updateGradInput, floating,
            THNN_INDEXED_GRAD_INPUT(THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad), bool ceil_mode),
            (thnn::Pooling{.dtype = dtype,
                           .n = 2,
                           .kernel = thnn::plane(kW, kH),
                           .stride = thnn::plane(dW, dH),
                           .padding = thnn::plane(padW, padH),
                           .ceilMode = ceil_mode})
                .maxGradient(input, gradOutput, gradInput, indices))
THNN_DEFINE(SpatialDilatedMaxPooling_updateOutput, floating,
            THNN_INDEXED_OUTPUT(THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad), THNN_PLANE(dilation), bool ceil_mode),
            (thnn::Pooling{.dtype = dtype,
                           .n = 2,
                           .kernel = thnn::plane(kW, kH),
                           .stride = thnn::plane(dW, dH),
                           .padding = thnn::plane(padW, padH),
                           .dilation = thnn::plane(dilationW, dilationH),
                           .ceilMode = ceil_mode})
                .max(input, output, indices))
THNN_DEFINE(SpatialDilatedMaxPooling_updateGradInput, floating,
            THNN_INDEXED_GRAD_INPUT(THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad), THNN_PLANE(dilation),
                                    bool ceil_mode),
            (thnn::Pooling{.dtype = dtype,
                           .n = 2,
                           .kernel = thnn::plane(kW, kH),
                           .stride = thnn::plane(dW, dH),
                           .padding = thnn::plane(padW, padH),
                           .dilation = thnn::plane(dilationW, dilationH),
                           .ceilMode = ceil_mode})
                .maxGradient(input, gradOutput, gradInput, indices))
THNN_DEFINE(SpatialMaxUnpooling_updateOutput, floating,
            (THNNState *state, const THTensor *input, THTensor *output, const THIndexTensor *indices, int64_t owidth,
             int64_t oheight),
            thnn::unpool(dtype, 2, input, output, indices, thnn::Sizes{oheight, owidth}))
THNN_DEFINE(SpatialMaxUnpooling_updateGradInput, floating, THNN_INDEXED_GRAD_INPUT(int64_t owidth, int64_t oheight),
            thnn::unpoolGradient(dtype, 2, input, gradOutput, gradInput, indices, thnn::Sizes{oheight, owidth}))
THNN_DEFINE(SpatialAveragePooling_updateOutput, floating,
            THNN_POOLED_OUTPUT(THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad), bool ceil_mode, bool count_include_pad),
            (thnn::Pooling{.dtype = dtype,
                           .n = 2,
                           .kernel = thnn::plane(kW, kH),
                           .stride = thnn::plane(dW, dH),
                           .padding = thnn::plane(padW, padH),
                           .ceilMode = ceil_mode,
                           .paddingCounts = count_include_pad})
                .average(input, output))
THNN_DEFINE(SpatialAveragePooling_updateGradInput, floating,
            THNN_POOLED_GRAD_INPUT(THNN_PLANE(k), THNN_PLANE(d), THNN_PLANE(pad), bool ceil_mode,
                                   bool count_include_pad),
            (thnn::Pooling{.dtype = dtype,
                           .n = 2,
                           .kernel = thnn::plane(kW, kH),
                           .stride = thnn::plane(dW, dH),
                           .padding = thnn::plane(padW, padH),
                           .ceilMode = ceil_mode,
                           .paddingCounts = count_include_pad})
                .averageGradient(input, gradOutput, gradInput))
THNN_DEFINE(SpatialAdaptiveMaxPooling_updateOutput, floating, THNN_INDEXED_OUTPUT(THNN_PLANE(osize)),
            thnn::adaptiveMax(dtype, input, output, indices, thnn::plane(osizeW, osizeH)))
THNN_DEFINE(SpatialAdaptiveMaxPooling_updateGradInput, floating, THNN_POOLED_GRAD_INPUT(const THIndexTensor *indices),
            thnn::maxGradient(dtype, 2, input, gradOutput, gradInput, indices, nullptr))
THNN_DEFINE(SpatialAdaptiveAveragePooling_updateOutput, floating, THNN_POOLED_OUTPUT(THNN_PLANE(osize)),
            thnn::adaptiveAverage(dtype, input, output, thnn::plane(osizeW, osizeH)))
THNN_DEFINE(SpatialAdaptiveAveragePooling_updateGradInput, floating,
            (THNNState *state, const THTensor *input, const THTensor *gradOutput, THTensor *gradInput),
            thnn::adaptiveAverageGradient(dtype, input, gradOutput, gradInput))
THNN_DEFINE(SpatialFractionalMaxPooling_updateOutput, floating,
            THNN_POOLED_OUTPUT(THNN_PLANE(output), THNN_PLANE(poolSize), THIndexTensor *indices,
                               const THTensor *randomSamples),
            thnn::fractionalMax(dtype, 2, input, output, thnn::plane(outputW, outputH),
                                thnn::plane(poolSizeW, poolSizeH), indices, randomSamples))
THNN_DEFINE(SpatialFractionalMaxPooling_updateGradInput, floating,
            THNN_POOLED_GRAD_INPUT(THNN_PLANE(output), THNN_PLANE(poolSize), const THIndexTensor *indices),
            const thnn::Sizes size = thnn::plane(outputW, outputH);
            thnn::maxGradient(dtype, 2, input, gradOutput, gradInput, indices, &size))

THNN_DEFINE_WEIGHTED(
    SpatialSubSampling, (THNN_PLANE(k), THNN_PLANE(d)), (THNN_PLANE(k), THNN_PLANE(d)), (THNN_PLANE(k), THNN_PLANE(d)),
    thnn::SubSampling{
        {.dtype = dtype, .n = 2, .kernel = thnn::plane(kW, kH), .stride = thnn::plane(dW, dH), .divisor = 1}})
