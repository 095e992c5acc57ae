// Sums, differences, products, quotients.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elementwise/arithmetic.cpp"
#include <hwy/foreach_target.h>
#include "kit/halves-inl.hpp"

#include "kit/scalar.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T> struct Add {
  T operator()(T a, T b) const { return T(a + b); }
};
template <class T> struct Subtract {
  T operator()(T a, T b) const { return T(a - b); }
};
template <class T> struct Multiply {
  T operator()(T a, T b) const { return T(a * b); }
};
// uint16_t would be promoted to int, which may overflow
template <> struct Multiply<uint16_t> {
  uint16_t operator()(uint32_t a, uint32_t b) const { return uint16_t(a * b); }
};
template <class T> struct Divide {
  T operator()(T a, T b) const { return a / b; }
};

template <class T> struct AddScaled {
  T alpha;
  T operator()(T a, T b) const { return Add<T>()(a, Multiply<T>()(alpha, b)); }
};

// In bool, + is or, * is and; with alpha 0 or 1.
template <class T> struct Or {
  T operator()(T a, T b) const { return T(a | b); }
};
template <class T> struct And {
  T operator()(T a, T b) const { return T(a & b); }
};
template <class T> struct OrScaled {
  T alpha;
  T operator()(T a, T b) const { return T(a | (alpha & b)); }
};

template <template <class> class Op, template <class> class BoolOp>
constexpr KernelTable withBool() {
  KernelTable table = makeTable(NumberComplexDtypes{}, BinaryOfHalves<Op>{});
  table.of[TH_Bool] = Binary<BoolOp>{}.template operator()<TH_Bool>();
  return table;
}

constexpr KernelTable add = withBool<Add, Or>();
constexpr KernelTable addScaled = withBool<AddScaled, OrScaled>();
constexpr KernelTable subtract = makeTable(NumberComplexDtypes{}, BinaryOfHalves<Subtract>{});
constexpr KernelTable multiply = withBool<Multiply, And>();
constexpr KernelTable divide = makeTable(FloatingComplexDtypes{}, BinaryOfHalves<Divide>{});

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THCheck.h>
#include <TH/THPrepare.h>
#include <TH/THTensorComplex.h>
#include <TH/THTensorMath.h>

using namespace th;

void THCheck_factor(THDtype dtype, const char *name, THScalar factor) {
  if (factor.kind == TH_KIND_bool && dtype != TH_Bool)
    THError(TH_ERROR_RUNTIME, "Boolean %s only supported for Boolean results.", name);
  if (factor.kind >= TH_KIND_float && dtypeTable[dtype].kind < TH_KIND_float)
    THError(TH_ERROR_RUNTIME, "For integral input tensors, argument %s must not be a floating point number.", name);
}

bool THPrepare_alpha(void *element, THDtype dtype, const THTensor *r, THScalar alpha, bool minus) {
  THCheck_factor(dtype, "alpha", alpha);
  if (alpha.kind == TH_KIND_uint) {
    if (!isFloating(dtype) && !isComplex(dtype))
      THError(TH_ERROR_RUNTIME, "value cannot be converted to type %s without overflow",
              dtypeTable[dtype].names.written);
    alpha = scalar(scalarToDouble(alpha));
  }
  if (isScalar(alpha, 1)) return false;
  if (minus) {
    if (alpha.kind == TH_KIND_complex)
      alpha = scalar(-scalarToComplex(alpha));
    else if (alpha.kind == TH_KIND_float)
      alpha.value.d = -alpha.value.d;
    else
      alpha.value.i = int64_t(-uint64_t(alpha.value.i));
  }
  if (hasMemory(r)) {
    scalarToBytes(dtype, alpha, element);  // raises where the dtype cannot hold it
    if (isHalf(dtype)) scalarToBytes(TH_Float, alpha, element);
  }
  return true;
}

// A scaled sum in the computation's dtype.
static void scaled(THDtype dtype, THScalar alpha, THTensor *r, const THTensor *t, const THTensor *src, bool minus) {
  alignas(8) char element[kWidest];
  if (THPrepare_alpha(element, dtype, r, alpha, minus))
    return pointwise(TH_BEST_TARGET(addScaled), dtype, element, r, {t, src}, Number::exact);
  const KernelTable &table = minus ? TH_BEST_TARGET(subtract) : TH_BEST_TARGET(add);
  pointwise(table, dtype, nullptr, r, {t, src}, Number::exact);
}

TH_DEFINE(cadd, all_complex, (THTensor *r, const THTensor *t, THScalar value, const THTensor *src),
          scaled(dtype, value, r, t, src, false))
TH_DEFINE(csub, number_complex, (THTensor *r, const THTensor *t, THScalar value, const THTensor *src),
          scaled(dtype, value, r, t, src, true))
TH_DEFINE(cmul, all_complex, (THTensor *r, const THTensor *t, const THTensor *src),
          pointwise(TH_BEST_TARGET(multiply), dtype, nullptr, r, {t, src}, Number::exact))
TH_DEFINE(cdiv, floating_complex, (THTensor *r, const THTensor *t, const THTensor *src),
          pointwise(TH_BEST_TARGET(divide), dtype, nullptr, r, {t, src}, Number::exact))

#endif
