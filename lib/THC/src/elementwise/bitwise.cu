// Bits, shifts, truth values.
#include <THC/THCTensorMath.h>
#include "kit/pointwise.cuh"

namespace thc {
namespace {

struct Bits {
  enum Kind { both, either, one } kind;

  template <class C>
  __device__ C operator()(C a, C b) const {
    return C(kind == both ? a & b : kind == either ? a | b : a ^ b);
  }
};

// Of the bits in the mask: one of a bool, all of an integer.
struct Flip {
  int mask;

  template <class C>
  __device__ C operator()(C a) const {
    return C(a ^ C(mask));
  }
};
template <class T>
constexpr Flip kFlip{std::is_same_v<T, bool> ? 1 : -1};

// Shifting by a negative number, or by all bits, leaves nothing (or the sign).
struct Shift {
  bool left;

  template <class C>
  __device__ C operator()(C a, C b) const {
    using U = std::make_unsigned_t<C>;
    constexpr U bits = sizeof(C) * 8;
    if (left) return U(b) < bits ? C(U(a) << U(b)) : C(0);
    return U(b) < bits ? C(a >> b) : isNegative(a) ? C(-1) : C(0);
  }
};

}  // namespace
}  // namespace thc

#define BINARY (THTensor *r, const THTensor *t, const THTensor *src)
#define UNARY (THTensor *r, const THTensor *t)
#define BITS(op, kind) THC_DEFINE(op, bits, BINARY, thc::pointwise<T>(thc::Bits{thc::Bits::kind}, r, t, src))
BITS(cbitand, both)
BITS(cbitor, either)
BITS(cbitxor, one)
THC_DEFINE(bitnot, bits, UNARY, thc::pointwise<T>(thc::kFlip<T>, r, t))
THC_DEFINE(clshift, integral, BINARY, thc::pointwise<T>(thc::Shift{true}, r, t, src))
THC_DEFINE(crshift, integral, BINARY, thc::pointwise<T>(thc::Shift{false}, r, t, src))

// Logical operations see bool whatever the dtype.
#define LOGICAL(op, kind) \
  THC_DEFINE(op, all_complex, BINARY, thc::pointwise<bool>(thc::Bits{thc::Bits::kind}, r, t, src))
LOGICAL(logicalAnd, both)
LOGICAL(logicalOr, either)
LOGICAL(logicalXor, one)
THC_DEFINE(logicalNot, all_complex, UNARY, thc::pointwise<bool>(thc::kFlip<bool>, r, t))
