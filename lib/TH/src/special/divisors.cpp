// Common divisors and multiples of integers.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "special/divisors.cpp"
#include <hwy/foreach_target.h>
#include "kit/integers-inl.hpp"

#include <cmath>

#include "binary.hpp"
#include "kit/iterator.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

constexpr int64_t kGroup = 16;  // pairs that go side by side, as long as the slowest of them takes

// x[i] becomes the greatest common divisor of x[i] and y[i], whole numbers from 0 to 2^kBits. Euclid's steps, but to the
// multiple that is nearest: the remainder is half of the divisor at most. All products are exact.
[[gnu::noinline]] void divisors(double *x, double *y) {
  for (uint64_t rest = 1; rest;) {
    rest = 0;
#pragma GCC unroll 1  // or the compiler has no loop left to vectorise
    for (int64_t i = 0; i < kGroup; i++) {
      const double divisor = y[i] > 0 ? y[i] : 1.0;  // of a pair that is ready: nothing remains
      const double remainder = std::fabs(x[i] - ((x[i] / divisor + kShift) - kShift) * divisor);
      x[i] = y[i] > 0 ? y[i] : x[i];
      y[i] = remainder;
      rest |= std::bit_cast<uint64_t>(remainder);
    }
  }
}

// exactly(a, b) of any integers; of(x, y, d) of magnitudes x and y below 2^kBits, whose greatest divisor is d.
struct GreatestDivisor {
  template <class T>
  static T exactly(T a, T b) {
    return formulas::greatestDivisor(a, b);
  }
  template <class T>
  static HWY_INLINE T of(double, double, double d) {
    return fromDouble<T>(d);
  }
};
struct LeastMultiple {
  template <class T>
  static T exactly(T a, T b) {
    return formulas::leastMultiple(a, b);
  }
  template <class T>
  static HWY_INLINE T of(double x, double y, double d) {
    using U = std::make_unsigned_t<T>;
    const double part = x / (d > 0 ? d : 1.0);
    return T(formulas::magnitude(T(U(fromDouble<int64_t>(part)) * U(fromDouble<int64_t>(y)))));
  }
};

template <class Op>
struct Divisors {
  template <class T>
  static void run(T *r, const T *a, const T *b, int64_t n) {
    const bool small = areSmall(a, n) && areSmall(b, n);
    int64_t i = 0;
    for (; small && i + kGroup <= n; i += kGroup) {
      double x[kGroup], y[kGroup], d[kGroup], rest[kGroup];
      for (int64_t j = 0; j < kGroup; j++) {
        d[j] = x[j] = std::fabs(toDouble(a[i + j]));
        rest[j] = y[j] = std::fabs(toDouble(b[i + j]));
      }
      divisors(d, rest);
      for (int64_t j = 0; j < kGroup; j++) r[i + j] = Op::template of<T>(x[j], y[j], d[j]);
    }
    for (; i < n; i++) r[i] = Op::exactly(a[i], b[i]);
  }
};

template <class Op>
constexpr Kernel kernels[] = {{blockLoop<Divisors<Op>, int32_t>, TH_Int, TH_Int},
                              {blockLoop<Divisors<Op>, int64_t>, TH_Long, TH_Long}};

}  // namespace
constexpr const Kernel *divisorKernels = kernels<GreatestDivisor>, *multipleKernels = kernels<LeastMultiple>;
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THTensorSpecial.h>

#include "kit/kernel.hpp"

namespace th {
namespace {

KernelTable tableOf(const Kernel *kernels) {
  KernelTable table{};
  for (const THDtype dtype : {TH_Byte, TH_Char, TH_Short, TH_Int}) table.of[dtype] = kernels[0];
  table.of[TH_Long] = kernels[1];
  return table;
}

const KernelTable &divisors() {
  static const KernelTable table = tableOf(TH_BEST_TARGET(divisorKernels));
  return table;
}

template <class T> struct NarrowMultiple {
  T operator()(T a, T b) const { return formulas::leastMultiple(a, b); }
};
constexpr THDtype itself(THDtype dtype) { return dtype; }

// A multiple wraps as its own dtype does.
const KernelTable &multiples() {
  static const KernelTable table = [] {
    KernelTable all = tableOf(TH_BEST_TARGET(multipleKernels));
    constexpr KernelTable narrow = makeTable(Dtypes<TH_Byte, TH_Char, TH_Short>{},
                                             PlainBinary<NarrowMultiple, itself>{});
    for (const THDtype dtype : {TH_Byte, TH_Char, TH_Short}) all.of[dtype] = narrow.of[dtype];
    return all;
  }();
  return table;
}

}  // namespace
}  // namespace th

using namespace th;

#define BINARY (THTensor *r, const THTensor *t, const THTensor *src)
TH_DEFINE(gcd, integral, BINARY, pointwise(th::divisors(), dtype, nullptr, r, {t, src}))
TH_DEFINE(lcm, integral, BINARY, pointwise(th::multiples(), dtype, nullptr, r, {t, src}))

#endif
