// Modules over volumes: what each of them is in general terms.
#include "modules.hpp"

namespace thnn {
namespace {

// With the kernel's sizes from its weight.
Convolution convolution(THDtype dtype, const THTensor *weight, Sizes stride, Sizes padding) {
  if (weight->ndim != 5)
    THError(TH_ERROR_RUNTIME, "5D weight tensor (outputs, channels, kT, kH, kW) expected, but got: %s",
            shapeString(weight).c_str());
  const int64_t *const size = weight->size;
  return {.dtype = dtype, .n = 3, .kernel = {size[2], size[3], size[4]}, .stride = stride, .padding = padding};
}

}  // namespace
}  // namespace thnn
THNN_DEFINE(VolumetricConvolution_updateOutput, floating,
            THNN_WEIGHTED_OUTPUT(THNN_BUFFERS(finput, fgradInput), THNN_SPACE(d), THNN_SPACE(p)),
            thnn::convolution(dtype, weight, thnn::space(dT, dW, dH), thnn::space(pT, pW, pH))
                .updateOutput(input, output, weight, bias))
THNN_DEFINE(VolumetricConvolution_updateGradInput, floating,
            THNN_WEIGHTED_GRAD_INPUT(THNN_BUFFER(finput), THNN_SPACE(d), THNN_SPACE(p)),
            thnn::convolution(dtype, weight, thnn::space(dT, dW, dH), thnn::space(pT, pW, pH))
                .updateGradInput(input, gradOutput, gradInput, weight))
THNN_DEFINE(VolumetricConvolution_accGradParameters, floating,
            THNN_WEIGHTED_GRADIENTS(THNN_BUFFERS(finput, fgradInput), THNN_SPACE(d), THNN_SPACE(p)),
            thnn::convolution(dtype, gradWeight, thnn::space(dT, dW, dH), thnn::space(pT, pW, pH))
                .accGradParameters(input, gradOutput, gradWeight, gradBias, scale))
THNN_DEFINE_BUFFERS(VolumetricConvolutionMM, finput, fgradInput, (THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(p)),
                    thnn::Convolution{.dtype = dtype,
                                      .n = 3,
                                      .kernel = thnn::space(kT, kW, kH),
                                      .stride = thnn::space(dT, dW, dH),
                                      .padding = thnn::space(pT, pW, pH)})

THNN_DEFINE_COLUMNS(VolumetricDilatedConvolution, (THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(pad), THNN_SPACE(dilation)),
                    thnn::Convolution{.dtype = dtype,
                                      .n = 3,
                                      .kernel = thnn::space(kT, kW, kH),
                                      .stride = thnn::space(dT, dW, dH),
                                      .padding = thnn::space(padT, padW, padH),
                                      .dilation = thnn::space(dilationT, dilationW, dilationH)})

THNN_DEFINE_BUFFERS(VolumetricFullConvolution, finput, fgradInput,
                    (THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(p), THNN_SPACE(a)),
                    thnn::Convolution{.dtype = dtype,
                                      .n = 3,
                                      .kernel = thnn::space(kT, kW, kH),
                                      .stride = thnn::space(dT, dW, dH),
                                      .padding = thnn::space(pT, pW, pH),
                                      .adjustment = thnn::space(aT, aW, aH),
                                      .transposed = true})

THNN_DEFINE_BUFFERS(VolumetricFullDilatedConvolution, finput, fgradInput,
                    (THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(p), THNN_SPACE(dilation), THNN_SPACE(a)),
                    thnn::Convolution{.dtype = dtype,
                                      .n = 3,
                                      .kernel = thnn::space(kT, kW, kH),
                                      .stride = thnn::space(dT, dW, dH),
                                      .padding = thnn::space(pT, pW, pH),
                                      .dilation = thnn::space(dilationT, dilationW, dilationH),
                                      .adjustment = thnn::space(aT, aW, aH),
                                      .transposed = true})
THNN_DEFINE(VolumetricMaxPooling_updateOutput, floating,
            THNN_INDEXED_OUTPUT(THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(p), bool ceilMode),
            (thnn::Pooling{.dtype = dtype,
                           .n = 3,
                           .kernel = thnn::space(kT, kW, kH),
                           .stride = thnn::space(dT, dW, dH),
                           .padding = thnn::space(pT, pW, pH),
                           .ceilMode = ceilMode})
                .max(input, output, indices))
THNN_DEFINE(VolumetricMaxPooling_updateGradInput, floating,
            THNN_INDEXED_GRAD_INPUT(THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(p), bool ceilMode),
            (thnn::Pooling{.dtype = dtype,
                           .n = 3,
                           .kernel = thnn::space(kT, kW, kH),
                           .stride = thnn::space(dT, dW, dH),
                           .padding = thnn::space(pT, pW, pH),
                           .ceilMode = ceilMode})
                .maxGradient(input, gradOutput, gradInput, indices))
THNN_DEFINE(VolumetricDilatedMaxPooling_updateOutput, floating,
            THNN_INDEXED_OUTPUT(THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(p), THNN_SPACE(dilation), bool ceilMode),
            (thnn::Pooling{.dtype = dtype,
                           .n = 3,
                           .kernel = thnn::space(kT, kW, kH),
                           .stride = thnn::space(dT, dW, dH),
                           .padding = thnn::space(pT, pW, pH),
                           .dilation = thnn::space(dilationT, dilationW, dilationH),
                           .ceilMode = ceilMode})
                .max(input, output, indices))
THNN_DEFINE(VolumetricDilatedMaxPooling_updateGradInput, floating,
            THNN_INDEXED_GRAD_INPUT(THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(p), THNN_SPACE(dilation), bool ceilMode),
            (thnn::Pooling{.dtype = dtype,
                           .n = 3,
                           .kernel = thnn::space(kT, kW, kH),
                           .stride = thnn::space(dT, dW, dH),
                           .padding = thnn::space(pT, pW, pH),
                           .dilation = thnn::space(dilationT, dilationW, dilationH),
                           .ceilMode = ceilMode})
                .maxGradient(input, gradOutput, gradInput, indices))
THNN_DEFINE(VolumetricMaxUnpooling_updateOutput, floating,
            (THNNState *state, const THTensor *input, THTensor *output, const THIndexTensor *indices, THNN_SPACE(o),
             THNN_SPACE(d), THNN_SPACE(p)),
            thnn::unpool(dtype, 3, input, output, indices, thnn::space(oT, oW, oH)))
THNN_DEFINE(VolumetricMaxUnpooling_updateGradInput, floating,
            THNN_INDEXED_GRAD_INPUT(THNN_SPACE(o), THNN_SPACE(d), THNN_SPACE(p)),
            thnn::unpoolGradient(dtype, 3, input, gradOutput, gradInput, indices, thnn::space(oT, oW, oH)))
THNN_DEFINE(VolumetricAveragePooling_updateOutput, floating,
            THNN_POOLED_OUTPUT(THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(pad), bool ceil_mode, bool count_include_pad),
            (thnn::Pooling{.dtype = dtype,
                           .n = 3,
                           .kernel = thnn::space(kT, kW, kH),
                           .stride = thnn::space(dT, dW, dH),
                           .padding = thnn::space(padT, padW, padH),
                           .ceilMode = ceil_mode,
                           .paddingCounts = count_include_pad})
                .average(input, output))
THNN_DEFINE(VolumetricAveragePooling_updateGradInput, floating,
            THNN_POOLED_GRAD_INPUT(THNN_SPACE(k), THNN_SPACE(d), THNN_SPACE(pad), bool ceil_mode,
                                   bool count_include_pad),
            (thnn::Pooling{.dtype = dtype,
                           .n = 3,
                           .kernel = thnn::space(kT, kW, kH),
                           .stride = thnn::space(dT, dW, dH),
                           .padding = thnn::space(padT, padW, padH),
                           .ceilMode = ceil_mode,
                           .paddingCounts = count_include_pad})
                .averageGradient(input, gradOutput, gradInput))
THNN_DEFINE(VolumetricFractionalMaxPooling_updateOutput, floating,
            THNN_POOLED_OUTPUT(THNN_SPACE(output), THNN_SPACE(poolSize), THIndexTensor *indices,
                               const THTensor *randomSamples),
            thnn::fractionalMax(dtype, 3, input, output, thnn::space(outputT, outputW, outputH),
                                thnn::space(poolSizeT, poolSizeW, poolSizeH), indices, randomSamples))
THNN_DEFINE(VolumetricFractionalMaxPooling_updateGradInput, floating,
            THNN_POOLED_GRAD_INPUT(THNN_SPACE(output), THNN_SPACE(poolSize), const THIndexTensor *indices),
            const thnn::Sizes size = thnn::space(outputT, outputW, outputH);
            thnn::maxGradient(dtype, 3, input, gradOutput, gradInput, indices, &size))
