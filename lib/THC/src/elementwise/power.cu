// Powers, roots, the angle of a point.
#include <THC/THCTensorMath.h>
#include <TH/THPrepare.h>
#include "elementwise/power.hpp"
#include "kit/pointwise.cuh"

namespace thc {
namespace {

struct Power {
  template <class C>
  __device__ C operator()(C t, C e) const {
    if constexpr (std::is_floating_point_v<C>)
      return std::pow(t, e);
    else
      return C(th::powerOfIntegers<decltype(t * e)>(t, e));
  }
};

// Exponents that have a shorter way. One kernel: they cost little beside the memory.
struct ShortPower {
  enum Kind { square, cube, root, inverseRoot, inverse, inverseSquare, none } kind;

  template <class C>
  __device__ C operator()(C t) const {
    switch (kind) {
      case square: return t * t;
      case cube: return t * t * t;
      case root: return std::sqrt(t);
      case inverseRoot: return C(1) / std::sqrt(t);
      case inverse: return C(1) / t;
      default: return C(1) / (t * t);
    }
  }
};

ShortPower shortPower(double exponent) {
  using S = ShortPower;
  return {exponent == 2      ? S::square
          : exponent == 3    ? S::cube
          : exponent == 0.5  ? S::root
          : exponent == -0.5 ? S::inverseRoot
          : exponent == -1   ? S::inverse
          : exponent == -2   ? S::inverseSquare
                             : S::none};
}

template <class T>
void raise(THTensor *r, const THTensor *t, const THTensor *src) {
  THScalar e;
  const bool number = THPrepare_exponent(&e, th::DtypeOf<T>::value, src);
  if constexpr (std::is_floating_point_v<Compute<T>>) {
    const double exponent = number ? th::scalarToDouble(e) : 0;
    const ShortPower power = shortPower(exponent);
    // Of float16, roots are pow's: +0 and infinity for -0 and -infinity, of which a square root makes -0 and NaN.
    const bool special = !(std::is_same_v<T, th::half> && std::fabs(exponent) == 0.5);
    if (special && power.kind != ShortPower::none) return pointwise<T>(power, r, t);
  }
  pointwise<T>(Power{}, r, t, src);
}

struct Angle {
  template <class C>
  __device__ C operator()(C y, C x) const {
    return std::atan2(y, x);
  }
};

}  // namespace
}  // namespace thc

#define UNARY (THTensor *r, const THTensor *t)
#define BINARY (THTensor *r, const THTensor *t, const THTensor *src)
#define SHORT(op, kind) \
  THC_DEFINE(op, floating, UNARY, thc::pointwise<T>(thc::ShortPower{thc::ShortPower::kind}, r, t))
THC_DEFINE(cpow, number, BINARY, thc::raise<T>(r, t, src))
THC_DEFINE(atan2, floating, BINARY, thc::pointwise<T>(thc::Angle{}, r, t, src))
SHORT(sqrt, root)
SHORT(rsqrt, inverseRoot)
SHORT(cinv, inverse)
