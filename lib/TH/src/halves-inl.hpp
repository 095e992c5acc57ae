// Half types in registers: eight of them as a vector of floats, and back; on the targets that have instructions for it.
#if defined(TH_HALVES_INL) == defined(HWY_TARGET_TOGGLE)
#ifdef TH_HALVES_INL
#undef TH_HALVES_INL
#else
#define TH_HALVES_INL
#endif

#include <hwy/base.h>
#include <hwy/ops/set_macros-inl.h>

#include <TH/THHalf.hpp>

#undef TH_HALF_VECTORS
#if HWY_ARCH_X86 && HWY_TARGET <= HWY_AVX2  // or better
#define TH_HALF_VECTORS 1
#include <immintrin.h>
#else
#define TH_HALF_VECTORS 0
#endif

#if TH_HALF_VECTORS
HWY_BEFORE_NAMESPACE();
namespace th::HWY_NAMESPACE {
namespace {

// What operators there are for it, those of the numbers.
struct Floats {
  static constexpr int64_t lanes = 8;
  __m256 v;

  Floats() = default;
  HWY_INLINE Floats(__m256 x) : v(x) {}
  explicit HWY_INLINE Floats(float x) : v(_mm256_set1_ps(x)) {}
  explicit HWY_INLINE Floats(const half *x) : v(_mm256_cvtph_ps(bits(x))) {}
  explicit HWY_INLINE Floats(const bfloat16 *x)
      : v(_mm256_castsi256_ps(_mm256_slli_epi32(_mm256_cvtepu16_epi32(bits(x)), 16))) {}

  HWY_INLINE void store(half *to) const { write(to, _mm256_cvtps_ph(v, _MM_FROUND_TO_NEAREST_INT)); }
  HWY_INLINE void store(bfloat16 *to) const {  // see bfloat16::encode
    const __m256i u = _mm256_castps_si256(v), odd = _mm256_and_si256(_mm256_srli_epi32(u, 16), _mm256_set1_epi32(1));
    const __m256i sum = _mm256_add_epi32(_mm256_add_epi32(u, _mm256_set1_epi32(0x7fff)), odd);
    const __m256i isNaN = _mm256_castps_si256(_mm256_cmp_ps(v, v, _CMP_UNORD_Q));
    const __m256i high = _mm256_blendv_epi8(_mm256_srli_epi32(sum, 16), _mm256_set1_epi32(0x7fc0), isNaN);
    write(to, _mm_packus_epi32(_mm256_castsi256_si128(high), _mm256_extracti128_si256(high, 1)));
  }

  friend HWY_INLINE Floats operator+(Floats a, Floats b) { return _mm256_add_ps(a.v, b.v); }
  friend HWY_INLINE Floats operator-(Floats a, Floats b) { return _mm256_sub_ps(a.v, b.v); }
  friend HWY_INLINE Floats operator*(Floats a, Floats b) { return _mm256_mul_ps(a.v, b.v); }
  friend HWY_INLINE Floats operator/(Floats a, Floats b) { return _mm256_div_ps(a.v, b.v); }

 private:
  static HWY_INLINE __m128i bits(const void *x) { return _mm_loadu_si128(static_cast<const __m128i *>(x)); }
  static HWY_INLINE void write(void *to, __m128i x) { _mm_storeu_si128(static_cast<__m128i *>(to), x); }
};

}  // namespace
}  // namespace th::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif

#endif
