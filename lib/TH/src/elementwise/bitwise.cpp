// Bits, shifts, truth values.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elementwise/bitwise.cpp"
#include <hwy/foreach_target.h>
#include "kit/loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T> struct And {
  T operator()(T a, T b) const { return T(a & b); }
};
template <class T> struct Or {
  T operator()(T a, T b) const { return T(a | b); }
};
template <class T> struct Xor {
  T operator()(T a, T b) const { return T(a ^ b); }
};
template <class T> struct Not {
  T operator()(T a) const { return T(~a); }
};
template <class T> struct NotBool {
  T operator()(T a) const { return T(a ^ 1); }
};

// Shifting by a negative number, or by all bits, leaves nothing (or the sign).
template <class T> struct ShiftLeft {
  T operator()(T a, T b) const {
    using U = std::make_unsigned_t<T>;
    constexpr U bits = sizeof(T) * 8;
    return T(U(b) < bits ? U(U(a) << U(b)) : U(0));
  }
};
template <class T> struct ShiftRight {
  T operator()(T a, T b) const {
    using U = std::make_unsigned_t<T>;
    constexpr U last = sizeof(T) * 8 - 1;
    if constexpr (std::is_unsigned_v<T>) return T(b <= last ? a >> b : 0);
    return T(a >> (U(b) < last ? U(b) : last));
  }
};

constexpr KernelTable bitAnd = makeTable(BitsDtypes{}, Binary<And>{});
constexpr KernelTable bitOr = makeTable(BitsDtypes{}, Binary<Or>{});
constexpr KernelTable bitXor = makeTable(BitsDtypes{}, Binary<Xor>{});
constexpr KernelTable shiftLeft = makeTable(IntegralDtypes{}, Binary<ShiftLeft, native, LoopType>{});
constexpr KernelTable shiftRight = makeTable(IntegralDtypes{}, Binary<ShiftRight, native, LoopType>{});

constexpr KernelTable withBool(KernelTable table) {
  table.of[TH_Bool] = Unary<NotBool>{}.template operator()<TH_Bool>();
  return table;
}
constexpr KernelTable bitNot = withBool(makeTable(IntegralDtypes{}, Unary<Not>{}));

// Logical operations see bool whatever the dtype: the iterator makes it of the operands.
template <class Make>
struct OnBool : Make {
  template <THDtype> constexpr Kernel operator()() const { return Make::template operator()<TH_Bool>(); }
};
constexpr KernelTable logicalAnd = makeTable(AllComplexDtypes{}, OnBool<Binary<And>>{});
constexpr KernelTable logicalOr = makeTable(AllComplexDtypes{}, OnBool<Binary<Or>>{});
constexpr KernelTable logicalXor = makeTable(AllComplexDtypes{}, OnBool<Binary<Xor>>{});
constexpr KernelTable logicalNot = makeTable(AllComplexDtypes{}, OnBool<Unary<NotBool>>{});

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THTensorMath.h>

using namespace th;

#define BINARY (THTensor *r, const THTensor *t, const THTensor *src)
TH_DEFINE(cbitand, bits, BINARY, pointwise(TH_BEST_TARGET(bitAnd), dtype, nullptr, r, {t, src}))
TH_DEFINE(cbitor, bits, BINARY, pointwise(TH_BEST_TARGET(bitOr), dtype, nullptr, r, {t, src}))
TH_DEFINE(cbitxor, bits, BINARY, pointwise(TH_BEST_TARGET(bitXor), dtype, nullptr, r, {t, src}))
TH_DEFINE(bitnot, bits, (THTensor *r, const THTensor *t), pointwise(TH_BEST_TARGET(bitNot), dtype, nullptr, r, {t}))
TH_DEFINE(clshift, integral, BINARY, pointwise(TH_BEST_TARGET(shiftLeft), dtype, nullptr, r, {t, src}))
TH_DEFINE(crshift, integral, BINARY, pointwise(TH_BEST_TARGET(shiftRight), dtype, nullptr, r, {t, src}))

#define COMPARE (THTensor *r, const THTensor *a, const THTensor *b)
TH_DEFINE(logicalAnd, all_complex, COMPARE, pointwise(TH_BEST_TARGET(logicalAnd), dtype, nullptr, r, {a, b}))
TH_DEFINE(logicalOr, all_complex, COMPARE, pointwise(TH_BEST_TARGET(logicalOr), dtype, nullptr, r, {a, b}))
TH_DEFINE(logicalXor, all_complex, COMPARE, pointwise(TH_BEST_TARGET(logicalXor), dtype, nullptr, r, {a, b}))
TH_DEFINE(logicalNot, all_complex, (THTensor *r, const THTensor *t),
          pointwise(TH_BEST_TARGET(logicalNot), dtype, nullptr, r, {t}))

#endif
