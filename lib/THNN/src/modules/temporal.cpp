// Modules over sequences: what each of them is in general terms.
#include "modules.hpp"

namespace thnn {
namespace {

// Raises unless the samples have frames of this size.
void requireFrames(const THTensor *input, int64_t size) {
  if (input->ndim && input->size[input->ndim - 1] != size)
    THError(TH_ERROR_RUNTIME, "invalid input frame size. Got: %lld, Expected: %lld",
            (long long)input->size[input->ndim - 1], (long long)size);
}

Convolution convolution(THDtype dtype, int64_t kW, int64_t dW) {
  return {.dtype = dtype,
          .n = 1,
          .kernel = line(kW),
          .stride = line(dW),
          .filters = Filters::frames,
          .channels = Channels::last};
}

SubSampling subSampling(THDtype dtype, int64_t kW, int64_t dW) {
  return {{.dtype = dtype, .n = 1, .kernel = line(kW), .stride = line(dW), .divisor = 1, .channels = Channels::last}};
}

}  // namespace
}  // namespace thnn
THNN_DEFINE(TemporalConvolution_updateOutput, floating,
            THNN_WEIGHTED_OUTPUT(int64_t kW, int64_t dW, int64_t inputFrameSize, int64_t outputFrameSize),
            thnn::requireFrames(input, inputFrameSize);
            thnn::requireShape(weight, "weight", {outputFrameSize, kW * inputFrameSize});
            thnn::convolution(dtype, kW, dW).updateOutput(input, output, weight, bias))
THNN_DEFINE(TemporalConvolution_updateGradInput, floating, THNN_WEIGHTED_GRAD_INPUT(int64_t kW, int64_t dW),
            thnn::convolution(dtype, kW, dW).updateGradInput(input, gradOutput, gradInput, weight))
THNN_DEFINE(TemporalConvolution_accGradParameters, floating, THNN_WEIGHTED_GRADIENTS(int64_t kW, int64_t dW),
            thnn::convolution(dtype, kW, dW).accGradParameters(input, gradOutput, gradWeight, gradBias, scale))

THNN_DEFINE_BUFFERS(TemporalRowConvolution, finput, fgradInput, (int64_t kW, int64_t dW, int64_t padW, bool featFirst),
                    thnn::Convolution{.dtype = dtype,
                                      .n = 1,
                                      .kernel = thnn::line(kW),
                                      .stride = thnn::line(dW),
                                      .padding = thnn::line(padW),
                                      .filters = thnn::Filters::rows,
                                      .channels = featFirst ? thnn::Channels::first : thnn::Channels::last})
THNN_DEFINE(
    TemporalMaxPooling_updateOutput, floating, THNN_INDEXED_OUTPUT(int64_t kW, int64_t dW),
    (thnn::Pooling{
         .dtype = dtype, .n = 1, .kernel = thnn::line(kW), .stride = thnn::line(dW), .channels = thnn::Channels::last})
        .max(input, output, indices))
THNN_DEFINE(
    TemporalMaxPooling_updateGradInput, floating, THNN_INDEXED_GRAD_INPUT(int64_t kW, int64_t dW),
    (thnn::Pooling{
         .dtype = dtype, .n = 1, .kernel = thnn::line(kW), .stride = thnn::line(dW), .channels = thnn::Channels::last})
        .maxGradient(input, gradOutput, gradInput, indices))
THNN_DEFINE(TemporalSubSampling_updateOutput, floating,
            THNN_WEIGHTED_OUTPUT(int64_t kW, int64_t dW, int64_t inputFrameSize),
            thnn::requireFrames(input, inputFrameSize);
            thnn::subSampling(dtype, kW, dW).updateOutput(input, output, weight, bias))
THNN_DEFINE(TemporalSubSampling_updateGradInput, floating, THNN_WEIGHTED_GRAD_INPUT(int64_t kW, int64_t dW),
            thnn::subSampling(dtype, kW, dW).updateGradInput(input, gradOutput, gradInput, weight))
THNN_DEFINE(TemporalSubSampling_accGradParameters, floating, THNN_WEIGHTED_GRADIENTS(int64_t kW, int64_t dW),
            thnn::subSampling(dtype, kW, dW).accGradParameters(input, gradOutput, gradWeight, gradBias, scale))
