// The loops of connectionist temporal classification, in logarithms.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "ctc/ctc_loops.cpp"
#include <hwy/foreach_target.h>
#include <hwy/ops/set_macros-inl.h>

#include "ctc_loops.hpp"
#include "kit/exponential-inl.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

template <class C> inline C larger(C a, C b) { return a > b ? a : b; }
template <class C> inline C smaller(C a, C b) { return a > b ? b : a; }

// log(1 + x) for 0 <= x <= 2: with y = 1 + x, or half of that for large x, 2 artanh(s) of s = (y - 1) / (y + 1), whose
// series converges fast for |s| <= 0.2.
template <class C>
inline C log1pOf(C x) {
  constexpr int terms = sizeof(C) == 4 ? 6 : 12;
  const bool large = x > C(0.41421356);
  const C s = (large ? x - 1 : x) / (large ? x + 3 : x + 2), square = s * s;
  C sum = C(2) / (2 * terms - 1);
#pragma GCC unroll 16
  for (int k = terms - 2; k >= 0; k--) sum = sum * square + C(2) / (2 * k + 1);
  return (large ? C(0.69314718055994530942) : C(0)) + s * sum;
}

template <class C>
void step(int64_t n, const C *last, const C *skip, const C *shares, C *next) {
  constexpr C none = -std::numeric_limits<C>::infinity();
#pragma GCC ivdep
  for (int64_t s = 0; s < n; s++) {
    const C a = last[s], b = last[s - 1], c = last[s - 2] + skip[s];
    const C most = larger(larger(a, b), c), least = smaller(smaller(a, b), c);
    const C middle = larger(smaller(a, b), smaller(larger(a, b), c));
    const C sum = most + log1pOf(expOf(middle - most) + expOf(least - most));
    next[s] = most == none ? none : shares[s] + sum;
  }
}

template <class C>
void likely(int64_t n, const C *forward, const C *backward, const C *shares, C loss, C g, C *to) {
  constexpr C none = -std::numeric_limits<C>::infinity();
#pragma GCC ivdep
  for (int64_t s = 0; s < n; s++) {
    const C both = forward[n - 1 - s] + backward[s];
    const C y = g * expOf(both - shares[s] + loss);
    to[s] = both == none ? C(0) : y;
  }
}

template <class C>
void exponential(int64_t n, const C *x, C g, C *to) {
  constexpr C highest = sizeof(C) == 4 ? C(88) : C(709);
#pragma GCC ivdep
  for (int64_t i = 0; i < n; i++) {
    const C y = expOf(x[i]);
    to[i] = g * (x[i] > highest ? std::numeric_limits<C>::infinity() : y);
  }
}

constexpr thnn::CtcLoops<float> loopsOfFloat = {step<float>, likely<float>, exponential<float>};
constexpr thnn::CtcLoops<double> loopsOfDouble = {step<double>, likely<double>, exponential<double>};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace thnn {

template <>
const CtcLoops<float> &ctcLoops() {
  return TH_BEST_TARGET(loopsOfFloat);
}
template <>
const CtcLoops<double> &ctcLoops() {
  return TH_BEST_TARGET(loopsOfDouble);
}

}  // namespace thnn
#endif
