// Functions of three operands, and interpolation with one weight.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elementwise/ternary.cpp"
#include <hwy/foreach_target.h>
#include "kit/loops-inl.hpp"

#include <cmath>

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T> struct AddProduct {
  T value;
  T operator()(T a, T b, T c) const { return T(a + value * b * c); }
};
// uint16_t would be promoted to int, which may overflow
template <> struct AddProduct<uint16_t> {
  uint16_t value;
  uint16_t operator()(uint32_t a, uint32_t b, uint32_t c) const { return uint16_t(a + value * b * c); }
};
template <class T> struct AddQuotient {
  T value;
  T operator()(T a, T b, T c) const { return a + value * (b / c); }
};

// From the nearer end, so that the weights 0 and 1 give the ends themselves.
template <class T> struct Interpolate {
  T operator()(T a, T b, T weight) const {
    return std::fabs(weight) < T(0.5) ? a + weight * (b - a) : b - (b - a) * (T(1) - weight);
  }
};
template <class T> struct InterpolateBy {
  T weight;
  T operator()(T a, T b) const { return Interpolate<T>()(a, b, weight); }
};

constexpr KernelTable addProduct = makeTable(NumberDtypes{}, Ternary<AddProduct>{});
constexpr KernelTable addQuotient = makeTable(FloatingDtypes{}, Ternary<AddQuotient>{});
constexpr KernelTable interpolate = makeTable(FloatingDtypes{}, Ternary<Interpolate>{});
constexpr KernelTable interpolateBy = makeTable(FloatingDtypes{}, Binary<InterpolateBy>{});

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THPrepare.h>
#include <TH/THTensorSpecial.h>
#include "kit/scalar.hpp"

namespace th {
namespace {

// A number as the loop for `dtype` wants it.
struct LoopScalar {
  alignas(8) char bytes[kWidest];
  LoopScalar(const THTensor *r, THDtype dtype, THScalar value) { THPrepare_number(bytes, dtype, r, value); }
};

}  // namespace
}  // namespace th

using namespace th;

void THPrepare_number(void *element, THDtype dtype, const THTensor *r, THScalar value) {
  if (hasMemory(r)) scalarToBytes(native(dtype), value, element);  // raises where the dtype cannot hold it
}

#define TERNARY (THTensor *r, const THTensor *t, THScalar value, const THTensor *src1, const THTensor *src2)
TH_DEFINE(addcmul, number, TERNARY,
          pointwise(TH_BEST_TARGET(addProduct), dtype, LoopScalar(r, dtype, value).bytes, r, {t, src1, src2}))
TH_DEFINE(addcdiv, floating, TERNARY,
          pointwise(TH_BEST_TARGET(addQuotient), dtype, LoopScalar(r, dtype, value).bytes, r, {t, src1, src2}))
TH_DEFINE(lerp, floating, (THTensor *r, const THTensor *a, const THTensor *b, THScalar weight),
          pointwise(TH_BEST_TARGET(interpolateBy), dtype, LoopScalar(r, dtype, weight).bytes, r, {a, b}))
TH_DEFINE(lerpTensor, floating, (THTensor *r, const THTensor *a, const THTensor *b, const THTensor *weight),
          pointwise(TH_BEST_TARGET(interpolate), dtype, nullptr, r, {a, b, weight}))

#endif
