// Functors that families share.
#pragma once

#include <cstdint>
#include <type_traits>

namespace thc {

// For bools, as bits, + is or, and * is and. Short integers are computed in int.
template <bool bits>
struct Plus {
  template <class C>
  __device__ C operator()(C a, C b) const {
    if constexpr (bits)
      return C(a | b);
    else
      return C(a + b);
  }
};
template <bool bits>
struct Times {
  template <class C>
  __device__ C operator()(C a, C b) const {
    if constexpr (bits)
      return C(a & b);
    else if constexpr (std::is_same_v<C, uint16_t>)  // which would become int, and overflow
      return C(uint32_t(a) * b);
    else
      return C(a * b);
  }
};

}  // namespace thc
