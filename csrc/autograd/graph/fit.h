// A gradient must look like the forward result that it belongs to.
#pragma once

#include <autograd/engine.h>

namespace torch::autograd {

// `grad`, which `from` computed for its edge `place`, as output `output` of those described needs it: summed where the
// forward call broadcast, in its dtype, real where that is. Raises if it cannot be that.
Tensor fit(Tensor grad, const std::vector<OutputInfo> &outputs, uint32_t output, const Node &from, size_t place);

// Anomaly mode (anomaly.cpp): raises if there is a NaN; says where a node came from that raised.
void throw_nan(const Node &node, size_t place, const Tensor &grad);
void explain_anomaly(const Node &node);

}  // namespace torch::autograd
