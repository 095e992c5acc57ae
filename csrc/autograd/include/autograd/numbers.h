// Numbers among a recorded call's arguments.
#pragma once

#include <autograd/node.h>

namespace torch::autograd {

// Whether PyTorch's node of this name has an edge for a number (Edge::kOfNumber). Most have none: of their operators there
// is one for tensors and one for numbers.
AUTOGRAD_API bool takes_numbers(const Node &node);

}  // namespace torch::autograd
