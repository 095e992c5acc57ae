// Quotients of integers rounded down, and remainders that have the divisor's sign. Processors divide integers one by
// one, but doubles in vectors: whatever has at most 50 bits goes that way.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elementwise/division_integer.cpp"
#include <hwy/foreach_target.h>
#include <hwy/base.h>
#include <hwy/ops/set_macros-inl.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "division.hpp"
#include "kit/convert.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

// Added to a number of at most 2^50, this one rounds it to an integer, which then stands in the last bits.
constexpr double kShift = 0x1.8p52;
constexpr uint64_t kShiftBits = std::bit_cast<uint64_t>(kShift);
constexpr int kBits = 50;

HWY_INLINE double toDouble(int32_t x) { return x; }
HWY_INLINE double toDouble(int64_t x) { return std::bit_cast<double>(uint64_t(x) + kShiftBits) - kShift; }
template <class T>
HWY_INLINE T fromDouble(double x) {
  return T(std::bit_cast<uint64_t>(x + kShift) - kShiftBits);
}

// Are all of x in [-2^kBits, 2^kBits)?
template <class T>
bool areSmall(const T *x, int64_t n) {
  if constexpr (sizeof(T) < sizeof(double)) return true;
  uint64_t high = 0;
  for (int64_t i = 0; i < n; i++) high |= (uint64_t(x[i]) + (uint64_t(1) << kBits)) >> (kBits + 1);
  return high == 0;
}

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
template <class Op, class T>
void divideBlock(T *r, const T *a, const T *b, int64_t n) {
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

// An operand of this block: the memory itself where that is contiguous.
template <class T>
const T *blockOf(T *block, const char *data, int64_t stride, int64_t i, int64_t n) {
  if (stride == sizeof(T)) return reinterpret_cast<const T *>(data) + i;
  if (stride)
    gather(block, data + i * stride, stride, n, sizeof(T));
  else if (i == 0)
    std::fill_n(block, n, *reinterpret_cast<const T *>(data));  // no block is longer
  return block;
}

template <class Op, class T>
void divideLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  T blocks[2][kBlock], results[kBlock];
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t m = std::min(n - i, kBlock);
    const T *const a = blockOf(blocks[0], data[1], strides[1], i, m);
    const T *const b = blockOf(blocks[1], data[2], strides[2], i, m);
    if (strides[0] == sizeof(T)) {
      divideBlock<Op>(reinterpret_cast<T *>(data[0]) + i, a, b, m);
    } else {
      divideBlock<Op>(results, a, b, m);
      scatter(data[0] + i * strides[0], strides[0], results, m, sizeof(T));
    }
  }
}

template <class Op>
constexpr Kernel kernels[] = {{divideLoop<Op, int32_t>, TH_Int, TH_Int}, {divideLoop<Op, int64_t>, TH_Long, TH_Long}};

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
