// Quotients of integers rounded down, and remainders that have the divisor's sign. Processors divide integers one by
// one, but doubles in vectors: whatever has at most 50 bits goes that way.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elementwise/division_integer.cpp"
#include <hwy/foreach_target.h>
#include "kit/integers-inl.hpp"

#include "division.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

// `exactly` for any integers but b = 0 (see division.cpp); the lowest number by -1 wraps to itself.
struct DivideFloor {
  static HWY_INLINE double of(double, double, double floor) { return floor; }
  template <class T>
  static T exactly(T a, T b) {
    if (b == -1) return T(-std::make_unsigned_t<T>(a));
    const T q = T(a / b);
    return T(q - ((a % b != 0) & ((a ^ b) < 0)));
  }
};
struct Remainder {
  static HWY_INLINE double of(double x, double y, double floor) { return x - floor * y; }
  template <class T>
  static T exactly(T a, T b) {
    if (b == -1) return 0;
    const T m = T(a % b);
    return (m != 0) & ((m ^ b) < 0) ? T(m + b) : m;
  }
};

// A quotient that is no integer is 1 / |b| away from the next one at least. It has at most 2^50 / |b|, so rounding moves
// it by 2^-3 / |b| at most, and not there.
template <class Op>
struct Divide {
  template <class T>
  static void run(T *r, const T *a, const T *b, int64_t n) {
    if (!areSmall(a, n) || !areSmall(b, n)) {
      for (int64_t i = 0; i < n; i++) r[i] = Op::exactly(a[i], b[i]);
      return;
    }
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) {
      const double x = toDouble(a[i]), y = toDouble(b[i]), q = x / y, nearest = (q + kShift) - kShift;
      r[i] = fromDouble<T>(Op::of(x, y, nearest - (nearest > q ? 1.0 : 0.0)));
    }
  }
};

template <class Op>
constexpr Kernel kernels[] = {{blockLoop<Divide<Op>, int32_t>, TH_Int, TH_Int},
                              {blockLoop<Divide<Op>, int64_t>, TH_Long, TH_Long}};

}  // namespace
constexpr const Kernel *floorOfIntegers = kernels<DivideFloor>, *remainderOfIntegers = kernels<Remainder>;
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace th {
namespace {

KernelTable withIntegers(KernelTable table, const Kernel *kernels) {
  for (const THDtype dtype : {TH_Byte, TH_Char, TH_Short, TH_Int}) table.of[dtype] = kernels[0];
  table.of[TH_Long] = kernels[1];
  return table;
}

}  // namespace

KernelTable withFloorOfIntegers(const KernelTable &table) {
  return withIntegers(table, TH_BEST_TARGET(floorOfIntegers));
}
KernelTable withRemainderOfIntegers(const KernelTable &table) {
  return withIntegers(table, TH_BEST_TARGET(remainderOfIntegers));
}

}  // namespace th
#endif
