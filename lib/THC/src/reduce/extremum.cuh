// The largest or smallest element, or magnitude; and reductions of real numbers of every dtype.
#pragma once

#include <limits>
#include <TH/THPrepare.h>
#include "kit/reduce.cuh"

namespace thc {

// Is b to be taken instead of a, if a comes first? The first of equals stays, and the first NaN.
template <class C>
__device__ __forceinline__ bool beats(C b, C a, bool greatest) {
  return a == a && !(greatest ? a >= b : a <= b);
}

template <class C>
struct Extremum {
  using In = C;
  using State = C;
  static constexpr bool ordered = false, vectors = true;
  bool greatest, absolute;

  __device__ State identity() const {
    using Limits = std::numeric_limits<C>;
    if constexpr (Limits::has_infinity)
      return greatest ? (absolute ? C(0) : -Limits::infinity()) : Limits::infinity();
    else
      return greatest ? Limits::lowest() : Limits::max();
  }
  __device__ void take(State &s, C x, int64_t) const {
    if constexpr (std::is_floating_point_v<C>)
      if (absolute) x = fabs(x);
    join(s, x);
  }
  __device__ void join(State &a, const State &b) const {
    if (beats(b, a, greatest)) a = b;
  }
  __device__ C value(const State &s, int64_t) const { return s; }
};

// Op of what T is computed in: small integers in int32, half types in float; a bool is a byte.
template <template <class> class Op, class T, class... Param>
void reduceReal(const char *name, THTensor *r, THTensor *second, const THTensor *t, uint64_t dims, bool keepdim,
                Param... param) {
  constexpr THDtype dtype = th::DtypeOf<T>::value;
  if constexpr (std::is_same_v<T, bool>)
    reduce<bool>(Op<uint8_t>{param...}, dtype, name, r, second, t, dims, keepdim);
  else if constexpr (std::is_integral_v<T> && sizeof(T) <= 4)
    reduce<uint8_t, int8_t, int16_t, int32_t>(Op<int32_t>{param...}, dtype, name, r, second, t, dims, keepdim);
  else if constexpr (std::is_same_v<Compute<T>, float>)
    reduce<th::half, th::bfloat16, float>(Op<float>{param...}, dtype, name, r, second, t, dims, keepdim);
  else
    reduce<T>(Op<T>{param...}, dtype, name, r, second, t, dims, keepdim);
}

}  // namespace thc
