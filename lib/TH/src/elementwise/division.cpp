// Division with rounding, and remainders. Truncating ones of integers have one loop per type, narrow integers computed
// in int32.
#include "division.hpp"

#include <cmath>
#include <TH/THTensorMath.h>
#include "kit/floats.hpp"
#include "kit/kernel.hpp"
#include "kit/reduce.hpp"

namespace th {
namespace {

// Divisors are not 0 (nonzeroDivisor below); the lowest number by -1 wraps to itself.
template <class T>
T negated(T a) {
  return T(-std::make_unsigned_t<T>(a));
}

template <class T> struct DivideTrunc {
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>)
      return std::trunc(a / b);
    else
      return b == -1 ? negated(a) : T(a / b);
  }
};

template <class T> struct Fmod {
  T operator()(T a, T b) const {
    if constexpr (std::is_floating_point_v<T>)
      return std::fmod(a, b);
    else
      return b == -1 ? T(0) : T(a % b);
  }
};

// The remainder that has the divisor's sign.
template <class T> struct Remainder {
  T operator()(T a, T b) const {
    const T m = std::fmod(a, b);
    return m != 0 && (m < 0) != (b < 0) ? T(m + b) : m;
  }
};

template <class T> struct DivideFloor {
  T operator()(T a, T b) const { return floorOfQuotient(a, b); }
};

constexpr KernelTable trunc = makeTable(NumberDtypes{}, PlainBinary<DivideTrunc>{});
const KernelTable &floor() {
  static const KernelTable table = withFloorOfIntegers(
      withFloats(makeTable(FloatingDtypes{}, PlainBinary<DivideFloor>{}), FloatFunction::floorDivide));
  return table;
}
const KernelTable &remainder() {
  static const KernelTable table = withRemainderOfIntegers(
      withFloats(makeTable(FloatingDtypes{}, PlainBinary<Remainder>{}), FloatFunction::remainder));
  return table;
}
const KernelTable &fmod() {
  static const KernelTable table = withFloats(makeTable(NumberDtypes{}, PlainBinary<Fmod>{}), FloatFunction::fmod);
  return table;
}

// Looks, where there is something to look at, before anything is written: a division by zero must not stop half-way.
void divide(const KernelTable &table, THDtype dtype, THTensor *r, const THTensor *t, const THTensor *src) {
  if (!isFloating(dtype) && t->numel && hasMemory(r) && !allTrue(dtype, src))
    THError(TH_ERROR_RUNTIME, "ZeroDivisionError");
  pointwise(table, dtype, nullptr, r, {t, src});
}

}  // namespace
}  // namespace th

using namespace th;

#define BINARY (THTensor *r, const THTensor *t, const THTensor *src)
TH_DEFINE(cdivTrunc, number, BINARY, divide(th::trunc, dtype, r, t, src))
TH_DEFINE(cdivFloor, number, BINARY, divide(th::floor(), dtype, r, t, src))
TH_DEFINE(cremainder, number, BINARY, divide(th::remainder(), dtype, r, t, src))
TH_DEFINE(cfmod, number, BINARY, divide(th::fmod(), dtype, r, t, src))
