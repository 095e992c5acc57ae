// Exponential and logarithm of Highway's vectors, compiled once per SIMD target.
#if defined(TH_VECTOR_MATH_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TH_VECTOR_MATH_INL
#undef TH_VECTOR_MATH_INL
#else
#define TH_VECTOR_MATH_INL
#endif

#include <hwy/highway.h>

#include <limits>
#include "exponential.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

template <class T> constexpr size_t kMaxLanes = HWY_MAX_BYTES / sizeof(T);
template <class T> constexpr T kInf = std::numeric_limits<T>::infinity();
template <class T> constexpr T kMax = std::numeric_limits<T>::max();
template <class T> constexpr T kLeast = std::numeric_limits<T>::min();  // of the normal numbers
template <class T> constexpr T kTiny = std::numeric_limits<T>::denorm_min();

// A polynomial of n terms, the lowest of which is term(0). Long ones by two chains, of even and of odd powers, because
// few such chains fit into a processor's queues at once; the lowest terms one by one, which keeps rounding errors small.
template <size_t n, class V, class Term>
HWY_INLINE V polynomialOf(V x, const Term &term) {
  size_t k = n - 1;
  V r = term(k);
  if constexpr (n > 9) {
    const V x2 = hn::Mul(x, x);
    V other = term(--k);
#pragma GCC unroll 20
    while (k > 3) {
      r = hn::MulAdd(r, x2, term(--k));
      other = hn::MulAdd(other, x2, term(--k));
    }
    r = hn::MulAdd(r, x, other);
  }
#pragma GCC unroll 20
  while (k > 0) r = hn::MulAdd(r, x, term(--k));
  return r;
}
template <class D, class V, class C, size_t n>
HWY_INLINE V polynomialOf(D d, V x, const C (&lowestFirst)[n]) {
  return polynomialOf<n>(x, [&](size_t k) HWY_ATTR { return hn::Set(d, lowestFirst[k]); });
}

// e^x up to where it overflows, to about one unit in the last place. NaN becomes anything.
template <class D, class V>
HWY_INLINE V expOf(D d, V x) {
  using T = hn::TFromD<D>;
  using Format = ExpFormat<T>;
  const hn::RebindToSigned<D> integers;
  const auto rounder = hn::Set(d, kRounder<T>);
  const auto t = hn::Max(x, hn::Set(d, sizeof(T) == 4 ? T(-104) : T(-746)));  // below, it rounds to 0
  const auto sum = hn::MulAdd(t, hn::Set(d, T(1.4426950408889634)), rounder), n = hn::Sub(sum, rounder);
  const auto r = hn::NegMulAdd(n, hn::Set(d, Format::low), hn::NegMulAdd(n, hn::Set(d, Format::high), t));
  const auto p = polynomialOf(d, r, Format::terms);
  const auto bits = hn::BitCast(integers, sum);
  const auto y = hn::BitCast(d, hn::Add(hn::BitCast(integers, p), hn::ShiftLeft<Format::mantissa>(bits)));
  const auto small = hn::Lt(x, hn::Set(d, Format::lowest));
  if (HWY_LIKELY(hn::AllFalse(d, small))) return y;
  // Subnormal results are rounded once: 2^n by two factors, the first of which leaves them normal.
  const auto bias = hn::Set(integers, typename Format::Int(std::numeric_limits<T>::max_exponent - 1));
  const auto whole = hn::Sub(bits, hn::BitCast(integers, rounder)), half = hn::ShiftRight<1>(whole);
  const auto power = [&](auto k) { return hn::BitCast(d, hn::ShiftLeft<Format::mantissa>(hn::Add(k, bias))); };
  return hn::IfThenElse(small, hn::Mul(hn::Mul(p, power(half)), power(hn::Sub(whole, half))), y);
}

// The logarithm of positive normal floats, to about one unit in the last place: x = 2^e (1 + f) with f from
// sqrt(1/2) - 1 to sqrt(2) - 1, and log(1 + f) = f - f^2 / 2 + f^3 p(f). p is near-minimax (mpmath.chebyfit), with an
// error of 2e-7. No division, unlike Highway's.
template <class D, class V>
HWY_INLINE V logOf(D d, V x) {
  const hn::RebindToSigned<D> integers;
  const auto rootHalf = hn::Set(integers, 0x3f3504f3);
  const auto scaled = hn::Sub(hn::BitCast(integers, x), rootHalf);
  const auto e = hn::ConvertTo(d, hn::ShiftRight<23>(scaled));
  const auto m = hn::Add(hn::And(scaled, hn::Set(integers, 0x7fffff)), rootHalf);
  const auto f = hn::Sub(hn::BitCast(d, m), hn::Set(d, 1.0f)), f2 = hn::Mul(f, f);
  constexpr float terms[] = {0.3333333134651184f,  -0.25000306963920593f, 0.20001044869422913f, -0.166412815451622f,
                             0.14214496314525604f, -0.12998183071613312f, 0.12622319161891937f, -0.0790274366736412f};
  const auto p = polynomialOf(d, f, terms);
  const auto rest = hn::MulAdd(hn::Mul(f2, f), p, hn::Mul(e, hn::Set(d, ExpFormat<float>::low)));
  return hn::MulAdd(e, hn::Set(d, ExpFormat<float>::high), hn::Add(f, hn::NegMulAdd(f2, hn::Set(d, 0.5f), rest)));
}

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
