// The loops of functions of one operand in its own type, compiled once per SIMD target.
//
// A function is a struct: lanes() for a vector, right from kLow to kHigh, and single() for other elements and NaN. Every
// element goes the same way wherever it stands: the end of a run is padded to a full vector, not left to other code, so
// results do not depend on how a tensor is cut into runs.
#if defined(TH_ELEMENTARY_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TH_ELEMENTARY_INL
#undef TH_ELEMENTARY_INL
#else
#define TH_ELEMENTARY_INL
#endif

#include <algorithm>
#include <cmath>
#include <cstring>
#include "kit/convert.hpp"
#include "kit/kernel.hpp"
#include "kit/vector_math-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// ---- loops -------------------------------------------------------------------------------------------
template <class Fn, class D, class V>
HWY_INLINE hn::Mask<D> insideOf(D d, V x) {
  using T = hn::TFromD<D>;
  const auto low = hn::Set(d, T(Fn::kLow)), high = hn::Set(d, T(Fn::kHigh));
  if constexpr (Fn::kLow == -Fn::kHigh)
    return hn::Le(hn::Abs(x), high);
  else if constexpr (Fn::kLow == -kInf<T>)
    return hn::Le(x, high);
  else if constexpr (Fn::kHigh == kInf<T>)
    return hn::Ge(x, low);
  else
    return hn::And(hn::Ge(x, low), hn::Le(x, high));
}

// One vector's worth.
template <class Fn, class T>
HWY_INLINE void evaluate(T *r, const T *a) {
  const hn::ScalableTag<T> d;
  const auto x = hn::LoadU(d, a);
  const auto y = Fn::lanes(d, x);
  if (HWY_LIKELY(hn::AllTrue(d, insideOf<Fn>(d, x)))) return hn::StoreU(y, d, r);
  T xs[kMaxLanes<T>], ys[kMaxLanes<T>];
  hn::StoreU(x, d, xs);
  hn::StoreU(y, d, ys);
  for (size_t i = 0; i < hn::Lanes(d); i++) r[i] = xs[i] >= Fn::kLow && xs[i] <= Fn::kHigh ? ys[i] : Fn::single(xs[i]);
}

// The end of a run is a run of one vector: the function is compiled once.
template <class Fn, class T>
HWY_NOINLINE void contiguous(T *r, const T *a, int64_t n) {
  const int64_t lanes = int64_t(hn::Lanes(hn::ScalableTag<T>()));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) evaluate<Fn>(r + i, a + i);
  if (i == n) return;
  T padded[kMaxLanes<T>];
  std::fill_n(padded, kMaxLanes<T>, a[i]);
  std::memcpy(padded, a + i, size_t(n - i) * sizeof(T));
  contiguous<Fn>(padded, padded, lanes);
  std::memcpy(r + i, padded, size_t(n - i) * sizeof(T));
}

template <class Fn, class T>
void elementaryLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  if (strides[0] == sizeof(T) && strides[1] == sizeof(T))
    return contiguous<Fn>(reinterpret_cast<T *>(data[0]), reinterpret_cast<const T *>(data[1]), n);
  T block[kBlock];
  for (int64_t i = 0; i < n; i += kBlock) {
    const int64_t m = n - i < kBlock ? n - i : kBlock;
    gather(block, data[1] + i * strides[1], strides[1], m, sizeof(T));
    contiguous<Fn>(block, block, m);
    scatter(data[0] + i * strides[0], strides[0], block, m, sizeof(T));
  }
}

template <class Fn> constexpr Kernel inFloat = {elementaryLoop<Fn, float>, TH_Float, TH_Float};
template <class Fn> constexpr Kernel inDouble = {elementaryLoop<Fn, double>, TH_Double, TH_Double};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
