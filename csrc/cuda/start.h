// libtorch_cuda: the tensors of devices, to THPP.
#pragma once

#include <THPP/Backend.h>

namespace torch::cuda {

// Registers memory and kernels of the kind TH_CUDA. Raises where there is no device, with the reason; then nothing is
// registered, and it may be tried again.
THPP_API void start();

}  // namespace torch::cuda
