// Elements of any dtype in a kernel: read as what it computes with, written as what the result is.
#pragma once

#include "kit/scalar.hpp"

namespace thc {

// What a kernel computes with for element type T: float for the small ones; a bool is the byte 0 or 1.
template <class T>
using Compute = th::Stored<th::Compute<T>>;

template <class C, class T>
__device__ __forceinline__ C readElement(const void *p) {
  if constexpr (std::is_same_v<T, bool>)
    return th::convertTo<C>(*static_cast<const uint8_t *>(p) != 0);
  else
    return th::convertTo<C>(*static_cast<const T *>(p));
}

// Out of line: a kernel has one such branch over all dtypes per type that it computes with, not one per operand.
template <class C>
__device__ [[gnu::noinline]] C readAs(const void *p, THDtype dtype) {
  switch (dtype) {
#define THC_READ(Name, type, kind, kernels, name, alias) \
  case TH_##Name:                                        \
    return readElement<C, type>(p);
    TH_DTYPES(THC_READ)
#undef THC_READ
    default: return C();
  }
}

template <class C>
__device__ [[gnu::noinline]] void writeAs(void *p, THDtype dtype, C value) {
  switch (dtype) {
#define THC_WRITE(Name, type, kind, kernels, name, alias)         \
  case TH_##Name:                                                 \
    *static_cast<th::Stored<type> *>(p) = th::convertTo<type>(value); \
    break;
    TH_DTYPES(THC_WRITE)
#undef THC_WRITE
    default: break;
  }
}

}  // namespace thc
