// The larger, the smaller, the one between.
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "elementwise/extrema.cpp"
#include <hwy/foreach_target.h>
#include "kit/loops-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

// NaN wins: a where it is NaN, b where that is, because no comparison with NaN holds. Of equals
// (0 and -0) the first.
template <class T> struct Maximum {
  T operator()(T a, T b) const { return (a != a) | (a >= b) ? a : b; }
};
template <class T> struct Minimum {
  T operator()(T a, T b) const { return (a != a) | (a <= b) ? a : b; }
};

// r[i] = min(max(x[i], low[i]), high[i])
template <class T>
void clampLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  constexpr int64_t width = sizeof(T);
  const Maximum<T> maximum;
  const Minimum<T> minimum;
  if (strides[0] == width && strides[1] == width && strides[2] == 0 && strides[3] == 0) {
    auto *r = reinterpret_cast<T *>(data[0]);
    auto *x = reinterpret_cast<const T *>(data[1]);
    const T low = *reinterpret_cast<const T *>(data[2]), high = *reinterpret_cast<const T *>(data[3]);
    if (low != low || high != high) {
      for (int64_t i = 0; i < n; i++) r[i] = minimum(maximum(x[i], low), high);
      return;
    }
    // Without NaN among the bounds two comparisons do, and NaN in x passes both.
#pragma GCC ivdep
    for (int64_t i = 0; i < n; i++) {
      const T y = x[i] < low ? low : x[i];
      r[i] = y > high ? high : y;
    }
  } else if (strides[0] == width && strides[1] == width && strides[2] == width && strides[3] == width) {
    auto *r = reinterpret_cast<T *>(data[0]);
    auto *x = reinterpret_cast<const T *>(data[1]), *low = reinterpret_cast<const T *>(data[2]),
         *high = reinterpret_cast<const T *>(data[3]);
    // Two steps: of one the compiler makes branches.
    constexpr int64_t kPart = 256;
    T between[kPart];
    for (int64_t i = 0; i < n; i += kPart) {
      const int64_t m = n - i < kPart ? n - i : kPart;
      for (int64_t j = 0; j < m; j++) between[j] = maximum(x[i + j], low[i + j]);
#pragma GCC ivdep
      for (int64_t j = 0; j < m; j++) r[i + j] = minimum(between[j], high[i + j]);
    }
  } else {
    for (int64_t i = 0; i < n; i++)
      *reinterpret_cast<T *>(data[0] + i * strides[0]) = minimum(
          maximum(*reinterpret_cast<const T *>(data[1] + i * strides[1]),
                  *reinterpret_cast<const T *>(data[2] + i * strides[2])),
          *reinterpret_cast<const T *>(data[3] + i * strides[3]));
  }
}

struct Clamp {
  template <THDtype d> constexpr Kernel operator()() const {
    constexpr THDtype c = native(d);
    return {clampLoop<Element<c>>, c, c};
  }
};

constexpr KernelTable maximum = makeTable(AllDtypes{}, Binary<Maximum, native, LoopType>{});
constexpr KernelTable minimum = makeTable(AllDtypes{}, Binary<Minimum, native, LoopType>{});
constexpr KernelTable clamp = makeTable(AllDtypes{}, Clamp{});

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <TH/THCheck.h>
#include <TH/THPrepare.h>
#include <TH/THTensorMath.h>

using namespace th;

void THCheck_bounds(const THTensor *low, const THTensor *high) {
  if (!low && !high) THError(TH_ERROR_RUNTIME, "torch.clamp: At least one of 'min' or 'max' must not be None");
}

// r, t and the bounds that there are; returns how many.
static int clampOperands(const THTensor **operands, THTensor *r, const THTensor *t, const THTensor *low,
                         const THTensor *high) {
  THCheck_bounds(low, high);
  operands[0] = r, operands[1] = t, operands[2] = low ? low : high, operands[3] = high;
  return low && high ? 4 : 3;
}

bool THPrepare_clamp(THPointwisePlan *plan, THTensor *r, const THTensor *t, const THTensor *low, const THTensor *high) {
  const THTensor *operands[4];
  const int n = clampOperands(operands, r, t, low, high);
  return THPrepare_pointwise(plan, n, operands, TH_RESULT_RESIZED);
}

static void clampTo(THDtype dtype, THTensor *r, const THTensor *t, const THTensor *low, const THTensor *high) {
  const THTensor *o[4];
  if (clampOperands(o, r, t, low, high) == 4)
    return pointwise(TH_BEST_TARGET(clamp), dtype, nullptr, r, {o[1], o[2], o[3]});
  pointwise(low ? TH_BEST_TARGET(maximum) : TH_BEST_TARGET(minimum), dtype, nullptr, r, {o[1], o[2]});
}

#define BINARY (THTensor *r, const THTensor *t, const THTensor *src)
TH_DEFINE(cmax, all, BINARY, pointwise(TH_BEST_TARGET(maximum), dtype, nullptr, r, {t, src}))
TH_DEFINE(cmin, all, BINARY, pointwise(TH_BEST_TARGET(minimum), dtype, nullptr, r, {t, src}))
TH_DEFINE(clamp, all, (THTensor *r, const THTensor *t, const THTensor *low, const THTensor *high),
          clampTo(dtype, r, t, low, high))

#endif
