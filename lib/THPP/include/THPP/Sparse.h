// Whether every sparse tensor that is made, result of an operator or of a constructor, is looked at: RuntimeError where indices are
// out of bounds or not as the layout wants them (torch.sparse.check_sparse_tensor_invariants). Of the process; not at first.
#pragma once

#include <THPP/Tensor.h>

namespace thpp {

THPP_API bool sparse_checks();
THPP_API void set_sparse_checks(bool on);

}  // namespace thpp
