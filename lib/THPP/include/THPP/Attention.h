// Which ways of computing scaled_dot_product_attention may be taken, in all threads.
#pragma once

#include <THPP/Tensor.h>

namespace thpp {

// `tiles`: THNN's kernel, PyTorch's FLASH_ATTENTION; `formula`: products and a softmax, MATH. Both are allowed at first. Where
// neither can be taken a call raises.
THPP_API void allow_attention(bool tiles, bool formula);

}  // namespace thpp
