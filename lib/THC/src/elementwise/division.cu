// Division with rounding, and remainders.
//
// A kernel cannot raise, so integers divided by 0 give a number whose bits are all set, for quotients and remainders
// alike (torch leaves it open which number it is).
#include <THC/THCTensorMath.h>
#include "kit/floats.hpp"
#include "kit/pointwise.cuh"

namespace thc {
namespace {

// One kernel for all four: they differ in what comes after the division.
struct Division {
  enum Kind { trunc, floor, remainder, fmod } kind;

  template <class C>
  __device__ C operator()(C a, C b) const {
    if constexpr (std::is_floating_point_v<C>) {
      if (kind == trunc) return std::trunc(a / b);
      if (kind == floor) return th::floorOfQuotient(a, b);
      const C m = std::fmod(a, b);
      return kind == remainder && m != 0 && (m < 0) != (b < 0) ? m + b : m;
    } else {
      using W = decltype(a / b);  // narrow integers in int
      if (b == 0) return C(-1);
      // The lowest number by -1 wraps to itself.
      const bool minus = std::is_signed_v<C> && b == C(-1);
      const W q = minus ? W(-std::make_unsigned_t<W>(a)) : W(a / b), m = minus ? W(0) : W(a % b);
      const bool differ = m != 0 && (m ^ W(b)) < 0;  // in sign
      return C(kind == trunc ? q : kind == floor ? q - differ : kind == remainder && differ ? m + b : m);
    }
  }
};

}  // namespace
}  // namespace thc

#define BINARY (THTensor *r, const THTensor *t, const THTensor *src)
#define DIVISION(op, kind) THC_DEFINE(op, number, BINARY, thc::pointwise<T>(thc::Division{thc::Division::kind}, r, t, src))
DIVISION(cdivTrunc, trunc)
DIVISION(cdivFloor, floor)
DIVISION(cremainder, remainder)
DIVISION(cfmod, fmod)
