// torch.autocast: operators that choose the dtype of their arguments, in the threads that ask for it.
//
// Declarations (key `autocast`) say of operators how each kind of device computes them; of each the functional form has
// a row in a table like the recorder's (THPP/Guard.h), which converts the floating-point tensors of that kind of device
// among its arguments and calls the operator with the result. What an operator is made of inside is computed as it says
// itself: rows of parts are not asked. The conversions are recorded, so gradients come back in the arguments' dtypes.
#pragma once

#include <THPP/Tensor.h>

namespace thpp {

// What a call's floating-point tensors become. float64 is left alone by all.
#define THPP_CASTS(CAST)                                                                  \
  CAST(Lower)      /* autocast_dtype() */                                                 \
  CAST(Float)      /* half types float32 */                                               \
  CAST(FloatDtype) /* nothing: the argument `dtype` is float32 where none is given */     \
  CAST(Widest)     /* the widest among the arguments and autocast_dtype() */              \
  CAST(AsGiven)    /* nothing */                                                          \
  CAST(Refused)    /* the call raises */

enum class Cast : uint8_t {
#define THPP_CAST(name) name,
  THPP_CASTS(THPP_CAST)
#undef THPP_CAST
};

// Of the calling thread, for TH_CPU and TH_CUDA each. At first: off, bfloat16 and float16.
THPP_API bool autocast_enabled(THDeviceKind kind);
THPP_API bool autocast_converts(
    THDeviceKind kind);  // enabled, and not below an operator that has converted its arguments
THPP_API void set_autocast_enabled(THDeviceKind kind, bool on);
THPP_API THDtype autocast_dtype(THDeviceKind kind);
THPP_API void set_autocast_dtype(THDeviceKind kind, THDtype dtype);
// Of both: at first on.
THPP_API bool autocast_cache_enabled();
THPP_API void set_autocast_cache_enabled(bool on);

// What leaves of a graph (weights) were converted to is kept until the outermost context ends, with the version that was
// converted: a weight that is written meanwhile is converted again.
THPP_API void clear_autocast_cache();
// Tells leaves that want gradients: libtorch's. Without it nothing is kept.
THPP_API void set_autocast_leaf(bool (*leaf)(const Tensor &));

// Whether a call on this kind of device may convert the tensor.
THPP_API bool autocast_eligible(THDeviceKind kind, const Tensor &tensor);
// The dtype that eligible arguments of a call get, and one of them in it. Others are returned as they are. `policy`:
// Lower, Float or Widest.
THPP_API THDtype autocast_target(THDeviceKind kind, Cast policy, TensorList arguments);
THPP_API Tensor autocast_to(THDeviceKind kind, const Tensor &tensor, THDtype dtype);
// Says why a call of an operator with the policy Refused is one.
[[noreturn]] THPP_API void throw_autocast();

// While one lives, its thread converts nothing.
class NoAutocast {
 public:
  THPP_API NoAutocast();
  THPP_API ~NoAutocast();
  NoAutocast(const NoAutocast &) = delete;

 private:
  bool before_[2];
};

}  // namespace thpp
