// torch.autocast: operators that choose the dtype of their arguments, in the threads that ask for it.
//
// Three lists (codegen/autocast.py) name operators; of each the functional form has a row in a table like the
// recorder's (THPP/Guard.h), which converts the floating-point tensors of the CPU among its arguments and calls the
// operator with the result. What an operator is made of inside is computed as it says itself: rows of parts are not
// asked. The conversions are recorded, so gradients come back in the arguments' dtypes.
#pragma once

#include <THPP/Tensor.h>

namespace thpp {

// float64 is left alone by all.
enum class Cast : uint8_t {
  Lower,   // to autocast_dtype()
  Float,   // half types to float32
  Widest,  // to the widest among the arguments and autocast_dtype()
  AsGiven,  // to nothing
};

// Of the calling thread. At first: off, bfloat16, with a cache.
THPP_API bool autocast_enabled();
THPP_API bool autocast_converts();  // enabled, and not below an operator that has converted its arguments
THPP_API void set_autocast_enabled(bool on);
THPP_API THDtype autocast_dtype();
THPP_API void set_autocast_dtype(THDtype dtype);
THPP_API bool autocast_cache_enabled();
THPP_API void set_autocast_cache_enabled(bool on);

// What leaves of a graph (weights) were converted to is kept until the outermost context ends, with the version that was
// converted: a weight that is written meanwhile is converted again.
THPP_API void clear_autocast_cache();
// Tells leaves that want gradients: libtorch's. Without it nothing is kept.
THPP_API void set_autocast_leaf(bool (*leaf)(const Tensor &));

// The dtype that floating-point arguments of a call get, and one of them in it. Others are returned as they are.
THPP_API THDtype autocast_target(Cast policy, TensorList arguments);
THPP_API Tensor autocast_to(const Tensor &tensor, THDtype dtype);

// While one lives, its thread converts nothing.
class NoAutocast {
 public:
  THPP_API NoAutocast();
  THPP_API ~NoAutocast();
  NoAutocast(const NoAutocast &) = delete;

 private:
  bool before_;
};

}  // namespace thpp
