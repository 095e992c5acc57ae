// Integers in vectors of double, which hold those of at most 50 bits: compiled once per SIMD target.
#if defined(TH_INTEGERS_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TH_INTEGERS_INL
#undef TH_INTEGERS_INL
#else
#define TH_INTEGERS_INL
#endif

#include <hwy/base.h>
#include <hwy/ops/set_macros-inl.h>

#include <algorithm>
#include <bit>
#include <cstdint>

#include "convert.hpp"

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

// Op::run(r, a, b, n) by blocks of contiguous integers: the loop of a kernel of two operands.
template <class Op, class T>
void blockLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  T blocks[2][kBlock], results[kBlock];
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t m = std::min(n - i, kBlock);
    const T *const a = blockOf(blocks[0], data[1], strides[1], i, m);
    const T *const b = blockOf(blocks[1], data[2], strides[2], i, m);
    if (strides[0] == sizeof(T)) {
      Op::run(reinterpret_cast<T *>(data[0]) + i, a, b, m);
    } else {
      Op::run(results, a, b, m);
      scatter(data[0] + i * strides[0], strides[0], results, m, sizeof(T));
    }
  }
}

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
