// Of tensors that are assembled from others.
#pragma once

#include "shared.h"

#include <autograd/info.h>

namespace torch::autograd {

std::vector<Tensor> block_diag_backward(const Tensor &grad, const std::vector<TensorInfo> &tensors);

}  // namespace torch::autograd
