// Comparisons and predicates: in the computation's dtype, to bool.
#include <THC/THCTensorMath.h>
#include <THC/THCTensorSpecial.h>
#include "kit/pointwise.cuh"

namespace thc {
namespace {

// One kernel for <, <=, > and >=.
struct Order {
  bool swapped, orEqual;

  template <class C>
  __device__ bool operator()(C a, C b) const {
    const C x = swapped ? b : a, y = swapped ? a : b;
    return orEqual ? x <= y : x < y;
  }
};

struct Equal {
  bool wanted;

  template <class C>
  __device__ bool operator()(C a, C b) const {
    return (a == b) == wanted;
  }
};

struct NotFinite {
  bool infinite;

  template <class C>
  __device__ bool operator()(C a) const {
    return infinite ? std::fabs(a) == std::numeric_limits<C>::infinity() : a != a;
  }
};

struct SignBit {
  template <class C>
  __device__ bool operator()(C a) const {
    if constexpr (std::is_floating_point_v<C>)
      return std::signbit(a);
    else
      return isNegative(a);
  }
};

}  // namespace
}  // namespace thc

#define BINARY (THTensor *r, const THTensor *a, const THTensor *b)
#define UNARY (THTensor *r, const THTensor *t)
#define ORDER(op, swapped, orEqual) THC_DEFINE(op, all, BINARY, thc::pointwise<T>(thc::Order{swapped, orEqual}, r, a, b))
ORDER(ltTensor, false, false)
ORDER(leTensor, false, true)
ORDER(gtTensor, true, false)
ORDER(geTensor, true, true)
THC_DEFINE(eqTensor, all_complex, BINARY, thc::pointwise<T>(thc::Equal{true}, r, a, b))
THC_DEFINE(neTensor, all_complex, BINARY, thc::pointwise<T>(thc::Equal{false}, r, a, b))
THC_DEFINE(isnan, floating, UNARY, thc::pointwise<T>(thc::NotFinite{false}, r, t))
THC_DEFINE(isinf, floating, UNARY, thc::pointwise<T>(thc::NotFinite{true}, r, t))
THC_DEFINE(signbit, all, UNARY, thc::pointwise<T>(thc::SignBit{}, r, t))
