// Half types in registers: vectors of floats made of them and back, on the targets that have instructions for it; and
// loops that compute so.
#if defined(TH_HALVES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TH_HALVES_INL
#undef TH_HALVES_INL
#else
#define TH_HALVES_INL
#endif

#include "loops-inl.hpp"
#undef TH_HALF_VECTORS
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2  // or better
#define TH_HALF_VECTORS 1
#include <immintrin.h>
#else
#define TH_HALF_VECTORS 0
#endif

HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

#if TH_HALF_VECTORS
// What operators there are for it, those of the numbers.
struct Floats {
  __m256 v;

  Floats() = default;
  HWY_INLINE Floats(__m256 x) : v(x) {}
  HWY_INLINE Floats(float x) : v(_mm256_set1_ps(x)) {}
  explicit HWY_INLINE Floats(__m256i bits) : v(_mm256_castsi256_ps(bits)) {}
  // Eight elements
  explicit HWY_INLINE Floats(const half *x) : v(_mm256_cvtph_ps(load(x))) {}
  explicit HWY_INLINE Floats(const bfloat16 *x) : Floats(_mm256_slli_epi32(_mm256_cvtepu16_epi32(load(x)), 16)) {}

  friend HWY_INLINE Floats operator+(Floats a, Floats b) { return _mm256_add_ps(a.v, b.v); }
  friend HWY_INLINE Floats operator-(Floats a, Floats b) { return _mm256_sub_ps(a.v, b.v); }
  friend HWY_INLINE Floats operator*(Floats a, Floats b) { return _mm256_mul_ps(a.v, b.v); }
  friend HWY_INLINE Floats operator/(Floats a, Floats b) { return _mm256_div_ps(a.v, b.v); }
  friend HWY_INLINE Floats sqrt(Floats x) { return _mm256_sqrt_ps(x.v); }
  friend HWY_INLINE Floats fabs(Floats x) { return _mm256_andnot_ps(_mm256_set1_ps(-0.f), x.v); }

  // Where a comparison holds: all bits.
  struct Mask {
    __m256 v;
    friend HWY_INLINE Mask operator|(Mask a, Mask b) { return {_mm256_or_ps(a.v, b.v)}; }
  };
  friend HWY_INLINE Mask operator<(Floats a, Floats b) { return {_mm256_cmp_ps(a.v, b.v, _CMP_LT_OQ)}; }
  friend HWY_INLINE Mask operator>(Floats a, Floats b) { return {_mm256_cmp_ps(a.v, b.v, _CMP_GT_OQ)}; }
  friend HWY_INLINE Mask operator!=(Floats a, Floats b) { return {_mm256_cmp_ps(a.v, b.v, _CMP_NEQ_UQ)}; }
  friend HWY_INLINE Floats choose(Mask where, Floats yes, Floats no) { return _mm256_blendv_ps(no.v, yes.v, where.v); }

 private:
  static HWY_INLINE __m128i load(const void *x) { return _mm_loadu_si128(static_cast<const __m128i *>(x)); }
};

// The elements that are loaded and stored at once, as Floats, in any order. exact: they are such as the type has.
template <class H> struct Group;

template <> struct Group<half> {
  static constexpr int64_t size = 8;
  Floats part[1];

  HWY_INLINE void load(const half *from) { part[0] = Floats(from); }
  template <bool exact = false>
  HWY_INLINE void store(half *to) const {
    _mm_storeu_si128(reinterpret_cast<__m128i *>(to), _mm256_cvtps_ph(part[0].v, _MM_FROUND_TO_NEAREST_INT));
  }
};

// A bfloat16 is the high half of a float: those at odd places already lie there.
template <> struct Group<bfloat16> {
  static constexpr int64_t size = 16;
  Floats part[2];

  HWY_INLINE void load(const bfloat16 *from) {
    const __m256i pairs = _mm256_loadu_si256(reinterpret_cast<const __m256i *>(from));
    part[0] = Floats(_mm256_slli_epi32(pairs, 16));
    part[1] = Floats(_mm256_and_si256(pairs, _mm256_set1_epi32(int(0xffff0000u))));
  }
  template <bool exact = false>
  HWY_INLINE void store(bfloat16 *to) const {
    const __m256i even = _mm256_castps_si256(part[0].v), odd = _mm256_castps_si256(part[1].v);
    __m256i high = _mm256_blend_epi16(_mm256_srli_epi32(even, 16), odd, 0xaa);
    if constexpr (!exact) {
      // As bfloat16::encode: up from a low half of 0x8000 on, or where the high half is even from 0x8001 on.
      const __m256i low = _mm256_blend_epi16(even, _mm256_slli_epi32(odd, 16), 0xaa);
      const __m256i above = _mm256_subs_epu16(low, _mm256_andnot_si256(high, _mm256_set1_epi16(1)));
      high = _mm256_add_epi16(high, _mm256_srli_epi16(above, 15));
    }
    if (HWY_UNLIKELY(_mm256_movemask_ps(_mm256_cmp_ps(part[0].v, part[1].v, _CMP_UNORD_Q))))
      high = _mm256_blendv_epi8(high, _mm256_set1_epi16(0x7fc0), _mm256_blend_epi16(nan(part[0]), nan(part[1]), 0xaa));
    _mm256_storeu_si256(reinterpret_cast<__m256i *>(to), high);
  }

 private:
  static HWY_INLINE __m256i nan(Floats x) { return _mm256_castps_si256(_mm256_cmp_ps(x.v, x.v, _CMP_UNORD_Q)); }
};

// r[i] = op(a[i], b[i]) in half types, as Kernel::narrow
template <template <class> class Op, class H>
void binaryOfHalves(char *const *data, const int64_t *strides, int64_t n, const void *param) {
  constexpr int64_t size = Group<H>::size;
  Op<Floats> op{};
  if constexpr (!std::is_empty_v<Op<float>>) op = {Floats(*static_cast<const float *>(param))};
  auto *r = reinterpret_cast<H *>(data[0]);
  const auto run = [&](const auto &a, const auto &b) {
    const auto group = [&](int64_t i, int64_t m, H *to) {
      Group<H> x, y;
      a(x, i, m), b(y, i, m);
      for (size_t k = 0; k < sizeof x.part / sizeof(Floats); k++) x.part[k] = op(x.part[k], y.part[k]);
      x.store(to);
    };
    int64_t i = 0;
    for (; i + size <= n; i += size) group(i, size, r + i);
    if (i == n) return;
    H rest[size];
    group(i, n - i, rest);
    std::memcpy(r + i, rest, size_t(n - i) * sizeof(H));
  };
  // Elements i to i + m - 1 of an operand
  const auto elements = [=](int k) {
    return [from = reinterpret_cast<const H *>(data[k])](Group<H> &group, int64_t i, int64_t m) {
      if (m == size) return group.load(from + i);
      H rest[size] = {};
      std::memcpy(rest, from + i, size_t(m) * sizeof(H));
      group.load(rest);
    };
  };
  const auto number = [=](int k) {
    return [x = Floats(*reinterpret_cast<const float *>(data[k]))](Group<H> &group, int64_t, int64_t) {
      for (Floats &part : group.part) part = x;
    };
  };
  if (strides[1] && strides[2])
    run(elements(1), elements(2));
  else if (strides[1])
    run(elements(1), number(2));
  else if (strides[2])
    run(number(1), elements(2));
  else
    run(number(1), number(2));
}
#endif

// Binary, of a functor that can do with Floats, too.
template <template <class> class Op>
struct BinaryOfHalves {
  template <THDtype d> constexpr Kernel operator()() const {
    Kernel kernel = Binary<Op>{}.template operator()<d>();
#if TH_HALF_VECTORS
    if constexpr (isHalf(d)) kernel.narrow = binaryOfHalves<Op, Element<d>>;
#endif
    return kernel;
  }
};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#endif
