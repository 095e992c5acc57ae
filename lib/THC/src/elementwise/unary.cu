// Functions of one element that are a few instructions: signs, squares, rounding, the parts of a number.
#include <THC/THCTensorMath.h>
#include <THC/THCTensorSpecial.h>
#include "kit/pointwise.cuh"

namespace thc {
namespace {

// One kernel for what costs less than the memory.
struct Signs {
  enum Kind { negative, absolute, sign, square } kind;

  template <class C>
  __device__ C operator()(C a) const {
    switch (kind) {
      case negative: return negated(a);
      case absolute:
        if constexpr (std::is_floating_point_v<C>)
          return std::fabs(a);
        else
          return isNegative(a) ? negated(a) : a;
      case sign: return C((a > 0) - isNegative(a));
      default: return C(a * a);
    }
  }

 private:
  template <class C>
  static __device__ C negated(C a) {
    if constexpr (std::is_floating_point_v<C>)
      return -a;
    else
      return C(-std::make_unsigned_t<C>(a));  // the lowest number wraps to itself
  }
};

struct Rounding {
  enum Kind { floor, ceil, round, trunc, frac } kind;

  template <class C>
  __device__ C operator()(C a) const {
    switch (kind) {
      case floor: return std::floor(a);
      case ceil: return std::ceil(a);
      case round: return std::rint(a);
      case trunc: return std::trunc(a);
      default: return a - std::trunc(a);
    }
  }
};

// t = significand 2^exponent; of 0, infinities and NaN the exponent is 0.
struct Significand {
  template <class C>
  __device__ C operator()(C a) const {
    int exponent;
    return a - a == 0 ? std::frexp(a, &exponent) : a;
  }
};
struct Exponent {
  template <class C>
  __device__ int32_t operator()(C a) const {
    int exponent = 0;
    if (a - a == 0) std::frexp(a, &exponent);
    return exponent;
  }
};

template <class T>
void frexp(THTensor *mantissa, THTensor *exponent, const THTensor *t) {
  requireOneDevice({mantissa, exponent}, {t});
  if (exponent->dtype != TH_Int)
    THError(TH_ERROR_RUNTIME, "exponent must have dtype Int, but got %s", th::dtypeTable[exponent->dtype].typeName);
  pointwise<T>(Exponent{}, exponent, t);  // first, because mantissa may be t
  pointwise<T>(Significand{}, mantissa, t);
}

}  // namespace
}  // namespace thc

#define UNARY (THTensor *r, const THTensor *t)
#define SIGNS(op, dtypes, kind) THC_DEFINE(op, dtypes, UNARY, thc::pointwise<T>(thc::Signs{thc::Signs::kind}, r, t))
SIGNS(neg, number, negative)
SIGNS(abs, number, absolute)
SIGNS(sign, all, sign)
SIGNS(square, number, square)
#define ROUNDING(op) THC_DEFINE(op, floating, UNARY, thc::pointwise<T>(thc::Rounding{thc::Rounding::op}, r, t))
ROUNDING(floor)
ROUNDING(ceil)
ROUNDING(round)
ROUNDING(trunc)
ROUNDING(frac)
THC_DEFINE(frexp, floating, (THTensor *mantissa, THTensor *exponent, const THTensor *t),
           thc::frexp<T>(mantissa, exponent, t))
