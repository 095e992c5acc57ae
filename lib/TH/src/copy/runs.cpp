#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "copy/runs.cpp"
#include <hwy/foreach_target.h>
#include <hwy/ops/set_macros-inl.h>

#include "kit/vectors.hpp"
#include "runs.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class T>
void reverse(T *to, const T *last, int64_t n) {
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) to[i] = last[-i];
}

// 32 bytes of x.
template <class T> struct Repeated {
  VectorInMemory<T, 32> v;
  explicit Repeated(T x) : v(VectorInMemory<T, 32>{} + x) {}
};
template <> struct Repeated<Wide> {
  VectorInMemory<uint64_t, 32> v;
  explicit Repeated(Wide x) : v{x.low, x.high, x.low, x.high} {}
};

// Stores of 16 bytes, all that the baseline has, are too few for what the caches take: a million floats took 68 us of one
// thread instead of 40.
template <class T>
void fill(T *to, int64_t n, T x) {
  using V = decltype(Repeated<T>::v);
  constexpr int64_t lanes = sizeof(V) / sizeof(T);
  if (n < lanes) {
    for (int64_t i = 0; i < n; i++) to[i] = x;
    return;
  }
  const V v = Repeated<T>(x).v;
  const auto put = [&](int64_t i) HWY_ATTR { *reinterpret_cast<V *>(to + i) = v; };
  int64_t i = 0;
  for (; i + 4 * lanes <= n; i += 4 * lanes) put(i), put(i + lanes), put(i + 2 * lanes), put(i + 3 * lanes);
  for (; i + lanes <= n; i += lanes) put(i);
  put(n - lanes);  // the rest, and some of the others again
}

constexpr Runs<ReverseRun> reverses = {reverse<uint8_t>, reverse<uint16_t>, reverse<uint32_t>, reverse<uint64_t>,
                                       reverse<Wide>};
constexpr Runs<FillRun> fills = {fill<uint8_t>, fill<uint16_t>, fill<uint32_t>, fill<uint64_t>, fill<Wide>};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
const th::Runs<th::ReverseRun> &th::reverseRuns() { return TH_BEST_TARGET(reverses); }
const th::Runs<th::FillRun> &th::fillRuns() { return TH_BEST_TARGET(fills); }
#endif
