// Inference mode (torch.inference_mode): nothing is recorded, and what is made is marked by its storage. Outside it may neither be
// written nor saved for a backward pass.
#pragma once

#include <TH/THInference.h>

#include <THPP/Tensor.h>

namespace thpp {

// Of the calling thread. While it is on, grad_mode() is false.
THPP_API bool inference_mode();
THPP_API void set_inference_mode(bool on);
THPP_API bool wants_grad_mode();  // what set_grad_mode() has set, in inference mode, too

inline bool is_inference(const Tensor &t) { return t.defined() && t.get()->storage->inference; }

}  // namespace thpp
