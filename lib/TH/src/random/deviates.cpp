// Chunks of random numbers, in vectors. The steps are those of boxmuller.hpp and series.hpp, none left out and none
// fused: so the bits are the same on every machine, and the same as where elements are computed one by one, which here
// are the last ones of a chunk.
#define TH_WIDE_TARGETS
#include "kit/simd.hpp"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "random/deviates.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <cstring>
#include "deviates.hpp"
#include "philox.hpp"

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {
namespace hn = hwy::HWY_NAMESPACE;

// ---- the stream ------------------------------------------------------------------------------------------
#include "random/philox-inl.hpp"

using Words = hn::ScalableTag<uint64_t>;
using W = hn::Vec<Words>;
struct PhiloxVectors {
  using Word = W;
  static HWY_INLINE W of(uint32_t x) { return hn::Set(Words(), x); }
  static HWY_INLINE W product(W a, uint32_t factor) {
#if HWY_TARGET == HWY_SCALAR
    return hn::Set(Words(), uint64_t(uint32_t(hn::GetLane(a))) * factor);
#else
    const hn::RepartitionToNarrow<Words> halves;
    return hn::MulEven(hn::BitCast(halves, a), hn::Set(halves, factor));
#endif
  }
  static HWY_INLINE W upper(W a) { return hn::ShiftRight<32>(a); }
  static HWY_INLINE W either(W a, W b) { return hn::Xor(a, b); }
};

// `vectors` times as many blocks as a vector has lanes: one alone would wait for its products.
template <int vectors>
HWY_INLINE void blocks(uint32_t *words, uint64_t seed, uint64_t first) {
  const Words d;
  const int64_t lanes = int64_t(hn::Lanes(d));
  W c[4][vectors];
  for (int v = 0; v < vectors; v++) {
    c[0][v] = hn::Iota(d, first + uint64_t(v * lanes)), c[1][v] = hn::ShiftRight<32>(c[0][v]);
    c[2][v] = c[3][v] = hn::Zero(d);
  }
  philoxRounds<PhiloxVectors>(c, seed);
  const W low = hn::Set(d, 0xffffffffu);
  for (int v = 0; v < vectors; v++)
    hn::StoreInterleaved2(hn::Or(hn::And(c[0][v], low), hn::ShiftLeft<32>(c[1][v])),
                          hn::Or(hn::And(c[2][v], low), hn::ShiftLeft<32>(c[3][v])), d,
                          reinterpret_cast<uint64_t *>(words + 4 * v * lanes));
}

void words(uint32_t *out, uint64_t seed, uint64_t first, int64_t n) {
  constexpr int vectors = 4;
  const int64_t lanes = int64_t(hn::Lanes(Words()));
  int64_t b = 0;
  for (; b + vectors * lanes <= n; b += vectors * lanes) blocks<vectors>(out + 4 * b, seed, first + uint64_t(b));
  for (; b + lanes <= n; b += lanes) blocks<1>(out + 4 * b, seed, first + uint64_t(b));
  if (b == n) return;
  uint32_t rest[4 * HWY_MAX_BYTES / sizeof(uint64_t)];
  blocks<1>(rest, seed, first + uint64_t(b));
  std::memcpy(out + 4 * b, rest, size_t(4 * (n - b)) * sizeof *out);
}

// ---- logScaled and turn ----------------------------------------------------------------------------------
template <class T> using Format = BoxMullerFormat<T>;
template <class T> using Tag = hn::ScalableTag<T>;
template <class T> using IntTag = hn::RebindToSigned<Tag<T>>;
template <class T> using V = hn::Vec<Tag<T>>;
template <class T> using I = hn::Vec<IntTag<T>>;
template <class T> HWY_INLINE V<T> set(double x) { return hn::Set(Tag<T>(), T(x)); }
template <class T> HWY_INLINE I<T> integer(typename Format<T>::Int x) { return hn::Set(IntTag<T>(), x); }

template <class T>
HWY_INLINE V<T> logarithm(V<T> x, int bits) {
  using Int = typename Format<T>::Int;
  constexpr int mantissa = Format<T>::bits - 1;
  constexpr Int low = std::bit_cast<Int>(T(0.70710678118654752));
  const Tag<T> d;
  const I<T> i = hn::BitCast(IntTag<T>(), x), e = hn::ShiftRight<mantissa>(hn::Sub(i, integer<T>(low)));
  const V<T> m = hn::BitCast(d, hn::Sub(i, hn::ShiftLeft<mantissa>(e)));
  const V<T> s = hn::Div(hn::Sub(m, set<T>(1)), hn::Add(m, set<T>(1))), s2 = hn::Mul(s, s);
  constexpr int terms = Format<T>::logTerms;
  V<T> sum = hn::Set(d, T(2) / T(2 * terms - 1));
  for (int k = terms - 2; k >= 0; k--) sum = hn::Add(hn::Mul(sum, s2), hn::Set(d, T(2) / T(2 * k + 1)));
  const V<T> exponent = hn::ConvertTo(d, hn::Sub(e, integer<T>(bits)));
  return hn::Add(hn::Mul(exponent, set<T>(0.69314718055994531)), hn::Mul(s, sum));
}

template <class T, bool centred>
HWY_INLINE void angle(I<T> v, V<T> &c, V<T> &s) {
  using Int = typename Format<T>::Int;
  constexpr int shift = Format<T>::bits - 2, signBit = int(sizeof(T)) * 8 - 1;
  const Tag<T> d;
  const IntTag<T> di;
  const I<T> one = integer<T>(1), q = hn::ShiftRight<shift>(hn::Add(v, integer<T>(Int(1) << (shift - 1))));
  V<T> part = hn::ConvertTo(d, hn::Sub(v, hn::ShiftLeft<shift>(q)));
  if (centred) part = hn::Add(part, set<T>(0.5));
  const V<T> a = hn::Mul(part, set<T>(6.2831853071795865 / double(Int(1) << Format<T>::bits))), a2 = hn::Mul(a, a);
  V<T> cosine = set<T>(1), sine = set<T>(1);
  for (int k = Format<T>::trigTerms - 1; k >= 1; k--) {
    const double odd = 2 * k - 1, even = 2 * k;
    cosine = hn::Sub(set<T>(1), hn::Mul(hn::Mul(cosine, a2), set<T>(1 / (odd * even))));
    sine = hn::Sub(set<T>(1), hn::Mul(hn::Mul(sine, a2), set<T>(1 / (even * (even + 1)))));
  }
  sine = hn::Mul(sine, a);
  const auto swap = hn::Eq(hn::And(q, one), one);
  const auto m = hn::RebindMask(d, swap);
  const I<T> x = hn::BitCast(di, hn::IfThenElse(m, sine, cosine)), y = hn::BitCast(di, hn::IfThenElse(m, cosine, sine));
  c = hn::BitCast(d, hn::Xor(x, hn::ShiftLeft<signBit>(hn::ShiftRight<1>(hn::Add(q, one)))));
  s = hn::BitCast(d, hn::Xor(y, hn::ShiftLeft<signBit>(hn::ShiftRight<1>(q))));
}

// ---- words to integers -----------------------------------------------------------------------------------
template <class T, int drop>
HWY_INLINE void integers(const uint32_t *words, I<T> &u, I<T> &v) {
  using Unsigned = std::make_unsigned_t<typename Format<T>::Int>;
  const hn::ScalableTag<Unsigned> du;
  hn::Vec<decltype(du)> a, b;
  // Two words are one integer of 64 bits, the first of them its lower half (as on every machine that has vectors here).
  hn::LoadInterleaved2(du, reinterpret_cast<const Unsigned *>(words), a, b);
  u = hn::BitCast(IntTag<T>(), hn::ShiftRight<drop>(a));
  v = hn::BitCast(IntTag<T>(), hn::ShiftRight<drop>(b));
}
inline int64_t joined(const uint32_t *words, int64_t i) {
  return int64_t((words[2 * i] | uint64_t(words[2 * i + 1]) << 32) >> 11);
}

// ---- the loops -------------------------------------------------------------------------------------------
// n is even.
template <class T>
void normal(T *out, const uint32_t *words, int64_t n) {
  constexpr int drop = sizeof(T) == 4 ? 8 : 11, perElement = sizeof(T) / 4;
  const Tag<T> d;
  const int64_t step = 2 * int64_t(hn::Lanes(d));
  int64_t i = 0;
  for (; i + step <= n; i += step) {
    I<T> u, v;
    integers<T, drop>(words + perElement * i, u, v);
    const V<T> log = logarithm<T>(hn::ConvertTo(d, hn::Add(u, integer<T>(1))), Format<T>::bits);
    const V<T> radius = hn::Sqrt(hn::Mul(set<T>(-2), log));
    V<T> c, s;
    angle<T, false>(v, c, s);
    hn::StoreInterleaved2(hn::Mul(c, radius), hn::Mul(s, radius), d, out + i);
  }
  for (; i < n; i += 2) {
    if constexpr (sizeof(T) == 4)
      boxMuller<T>(int32_t(words[i] >> 8), int32_t(words[i + 1] >> 8), out[i], out[i + 1]);
    else
      boxMuller<T>(joined(words, i), joined(words, i + 1), out[i], out[i + 1]);
  }
}

void exponential32(double *out, const uint32_t *words, int64_t n) {
  const Tag<double> d;
  const hn::Rebind<uint32_t, Tag<double>> d32;
  const int64_t lanes = int64_t(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const I<double> word = hn::BitCast(IntTag<double>(),
                                       hn::PromoteTo(hn::RebindToUnsigned<Tag<double>>(), hn::LoadU(d32, words + i)));
    const V<double> x = hn::ConvertTo(d, hn::Add(hn::ShiftLeft<1>(word), integer<double>(1)));
    hn::StoreU(hn::Neg(logarithm<double>(x, 33)), d, out + i);
  }
  for (; i < n; i++) out[i] = exponentialOf(words[i]);
}

void exponential64(double *out, const uint32_t *words, int64_t n) {
  const Tag<double> d;
  const hn::RebindToUnsigned<Tag<double>> du;
  const int64_t lanes = int64_t(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto word = hn::LoadU(du, reinterpret_cast<const uint64_t *>(words + 2 * i));
    const auto odd = hn::Or(hn::ShiftLeft<1>(hn::ShiftRight<12>(word)), hn::Set(du, 1));
    hn::StoreU(hn::Neg(logarithm<double>(hn::ConvertTo(d, hn::BitCast(IntTag<double>(), odd)), 53)), d, out + i);
  }
  for (; i < n; i++) out[i] = exponentialOf(words[2 * i], words[2 * i + 1]);
}

// Tangents of uniform angles.
template <class T>
void tangent(T *out, const uint32_t *words, int64_t n) {
  constexpr int drop = sizeof(T) == 4 ? 8 : 11, perElement = sizeof(T) / 4;
  using Unsigned = std::make_unsigned_t<typename Format<T>::Int>;
  const Tag<T> d;
  const hn::RebindToUnsigned<Tag<T>> du;
  const int64_t lanes = int64_t(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const auto word = hn::LoadU(du, reinterpret_cast<const Unsigned *>(words + perElement * i));
    V<T> c, s;
    angle<T, true>(hn::BitCast(IntTag<T>(), hn::ShiftRight<drop>(word)), c, s);
    hn::StoreU(hn::Div(s, c), d, out + i);
  }
  for (; i < n; i++) {
    T c, s;
    if constexpr (sizeof(T) == 4)
      turn<T, true>(int32_t(words[i] >> 8), c, s);
    else
      turn<T, true>(joined(words, i), c, s);
    out[i] = s / c;
  }
}

// x[i] = expSeries(x[i]); where that is not a normal number, one by one.
void exponentiate(double *x, int64_t n) {
  const Tag<double> d;
  const IntTag<double> di;
  const int64_t lanes = int64_t(hn::Lanes(d));
  int64_t i = 0;
  for (; i + lanes <= n; i += lanes) {
    const V<double> a = hn::LoadU(d, x + i);
    if (!hn::AllTrue(d, hn::Lt(hn::Abs(a), set<double>(700)))) {
      for (int64_t j = i; j < i + lanes; j++) x[j] = expSeries(x[j]);
      continue;
    }
    const V<double> k = hn::Round(hn::Mul(a, set<double>(1.4426950408889634)));
    const V<double> r = hn::Sub(hn::Sub(a, hn::Mul(k, set<double>(0.693147180369123816490))),
                                hn::Mul(k, set<double>(1.90821492927058770002e-10)));
    V<double> sum = set<double>(1);
    for (int t = 13; t >= 1; t--) sum = hn::Add(set<double>(1), hn::Mul(hn::Mul(sum, r), set<double>(1.0 / t)));
    const I<double> power = hn::ShiftLeft<52>(hn::Add(hn::ConvertTo(di, k), integer<double>(1023)));
    hn::StoreU(hn::Mul(sum, hn::BitCast(d, power)), d, x + i);
  }
  for (; i < n; i++) x[i] = expSeries(x[i]);
}

constexpr DeviateLoops loops = {words,         normal<float>,  normal<double>,  exponential32,
                                exponential64, tangent<float>, tangent<double>, exponentiate};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
const th::DeviateLoops &th::deviateLoops() { return TH_BEST_TARGET(loops); }
void th::philoxWords(uint32_t *words, uint64_t seed, uint64_t first, int64_t n) {
  deviateLoops().words(words, seed, first, n);
}
#endif
