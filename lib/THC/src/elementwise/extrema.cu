// The larger, the smaller, the one between.
#include <THC/THCTensorMath.h>
#include <THC/THCTensorSpecial.h>
#include <TH/THPrepare.h>
#include "kit/pointwise.cuh"

namespace thc {
namespace {

// NaN wins, or with numberWins loses: no comparison with it holds. Of equals (0 and -0) the first.
struct Extremum {
  bool smaller, numberWins;

  template <class C>
  __device__ C operator()(C a, C b) const {
    const C judged = numberWins ? b : a;
    return judged != judged || (smaller ? a <= b : a >= b) ? a : b;
  }
};
constexpr Extremum kLarger{false, false}, kSmaller{true, false}, kLargerNumber{false, true}, kSmallerNumber{true, true};

struct Clamp {
  template <class C>
  __device__ C operator()(C x, C low, C high) const {
    return Extremum{true, false}(Extremum{false, false}(x, low), high);
  }
};

template <class T>
void clamp(THTensor *r, const THTensor *t, const THTensor *low, const THTensor *high) {
  requireOneDevice({r}, {t, low, high});
  THPointwisePlan plan;
  if (!THPrepare_clamp(&plan, r, t, low, high)) return;
  if (low && high)
    runPointwise<T>(plan, Clamp{}, Number::rounded, r, t, low, high);
  else
    runPointwise<T>(plan, low ? kLarger : kSmaller, Number::rounded, r, t, low ? low : high);
}

}  // namespace
}  // namespace thc

#define BINARY (THTensor *r, const THTensor *t, const THTensor *src)
THC_DEFINE(cmax, all, BINARY, thc::pointwise<T>(thc::kLarger, r, t, src))
THC_DEFINE(cmin, all, BINARY, thc::pointwise<T>(thc::kSmaller, r, t, src))
THC_DEFINE(fmax, all, BINARY, thc::pointwise<T>(thc::kLargerNumber, r, t, src))
THC_DEFINE(fmin, all, BINARY, thc::pointwise<T>(thc::kSmallerNumber, r, t, src))
THC_DEFINE(clamp, all, (THTensor *r, const THTensor *t, const THTensor *low, const THTensor *high),
           thc::clamp<T>(r, t, low, high))
