// 16-bit floating-point element types for C++: storage only, arithmetic happens in float.
// Conversions round to nearest, ties to even, keep infinities, and keep NaN a (quiet) NaN.
#ifndef TH_HALF_HPP
#define TH_HALF_HPP

#include <bit>
#include <cstdint>

namespace th {

struct half {
  uint16_t bits;

  half() = default;
  constexpr half(float f) : bits(encode(f)) {}
  constexpr operator float() const { return decode(bits); }

  static constexpr int digits = 11;
  static constexpr float largest() { return decode(0x7bffu); }
  static constexpr float smallest() { return decode(1u << (digits - 1)); }  // the subnormal ones aside

  // Subnormals are made by a float addition whose rounding does the shifting: 0.5f has just the
  // exponent at which the last bit of the sum is half's smallest step.
  static constexpr uint16_t encode(float f) {
    uint32_t u = std::bit_cast<uint32_t>(f);
    const uint16_t sign = uint16_t((u >> 16) & 0x8000u);
    u &= 0x7fffffffu;
    if (u >= 0x47800000u)  // 65536 and more, infinity, NaN
      return uint16_t(sign | (u > 0x7f800000u ? 0x7e00u : 0x7c00u));
    if (u < 0x38800000u)  // below 2^-14
      return uint16_t(sign | (std::bit_cast<uint32_t>(std::bit_cast<float>(u) + 0.5f) - 0x3f000000u));
    u += 0xc8000fffu + ((u >> 13) & 1u);  // re-bias the exponent, round to even; may carry to infinity
    return uint16_t(sign | (u >> 13));
  }

  static constexpr float decode(uint16_t b) {
    const uint32_t sign = uint32_t(b & 0x8000u) << 16;
    const uint32_t rest = uint32_t(b & 0x7fffu) << 13;
    uint32_t u;
    if (rest >= 0x0f800000u)  // infinity, NaN
      u = rest + 0x70000000u;
    else if (rest >= 0x00800000u)  // normal
      u = rest + 0x38000000u;
    else  // zero, subnormal: count in units of 2^-24
      u = std::bit_cast<uint32_t>(float(b & 0x3ffu) * 0x1p-24f);
    return std::bit_cast<float>(u | sign);
  }
};

struct bfloat16 {
  uint16_t bits;

  bfloat16() = default;
  constexpr bfloat16(float f) : bits(encode(f)) {}
  constexpr operator float() const { return decode(bits); }

  static constexpr int digits = 8;
  static constexpr float largest() { return decode(0x7f7fu); }
  static constexpr float smallest() { return decode(1u << (digits - 1)); }  // the subnormal ones aside

  static constexpr uint16_t encode(float f) {
    const uint32_t u = std::bit_cast<uint32_t>(f);
    if ((u & 0x7fffffffu) > 0x7f800000u) return 0x7fc0u;
    return uint16_t((u + 0x7fffu + ((u >> 16) & 1u)) >> 16);
  }
  static constexpr float decode(uint16_t b) { return std::bit_cast<float>(uint32_t(b) << 16); }
};

}  // namespace th

#endif
