// 8-bit floating-point element types for C++: storage only, arithmetic happens in float.
// Conversions round to nearest, ties to even. What lies beyond the largest number becomes infinity where the format has
// one (e5m2), the largest number in e4m3fn, and NaN in the fnuz formats, which have one NaN and no negative zero.
#ifndef TH_FLOAT8_HPP
#define TH_FLOAT8_HPP

#include <bit>
#include <cstdint>

namespace th {

enum class Float8Special { e4m3fn, ieee, fnuz };

// `fraction` bits below an exponent that counts from -bias.
template <int fraction, int bias, Float8Special special>
struct float8 {
  uint8_t bits;

  float8() = default;
  constexpr float8(float f) : bits(encode(f)) {}
  constexpr operator float() const { return decode(bits); }

  static constexpr int digits = fraction + 1;
  static constexpr float largest() { return decode(kEnd - 1); }
  static constexpr float smallest() { return decode(1u << (digits - 1)); }  // the subnormal ones aside

  static constexpr uint8_t kNaN = special == Float8Special::fnuz ? 0x80 : 0x7f;
  // The first code that no finite number has, sign aside.
  static constexpr uint32_t kEnd = special == Float8Special::fnuz     ? 0x80
                                   : special == Float8Special::e4m3fn ? 0x7f
                                                                      : 0x7c;

  static constexpr uint8_t encode(float f) {
    constexpr int drop = 23 - fraction;
    uint32_t u = std::bit_cast<uint32_t>(f);
    const uint8_t sign = uint8_t((u >> 24) & 0x80u);
    u &= 0x7fffffffu;
    if (u > 0x7f800000u) return special == Float8Special::fnuz ? kNaN : uint8_t(sign | kNaN);
    uint32_t code;
    if (u < uint32_t(128 - bias) << 23) {  // subnormal: the sum's rounding does the shifting, as in half
      constexpr uint32_t one = uint32_t(128 - bias + drop) << 23;
      code = std::bit_cast<uint32_t>(std::bit_cast<float>(u) + std::bit_cast<float>(one)) - one;
    } else {
      code = u >= 0x7f000000u
                 ? kEnd  // the sum below could overflow
                 : ((u + (1u << (drop - 1)) - 1 + ((u >> drop) & 1u)) >> drop) - (uint32_t(127 - bias) << fraction);
    }
    if (code >= kEnd) {
      if (special == Float8Special::fnuz) return kNaN;
      code = special == Float8Special::ieee ? kEnd : kEnd - 1;
    }
    return special == Float8Special::fnuz && code == 0 ? uint8_t(0) : uint8_t(sign | code);
  }

  static constexpr float decode(uint8_t b) {
    if (special == Float8Special::fnuz && b == kNaN) return std::bit_cast<float>(0x7f800001u);  // PyTorch's bits
    const uint32_t sign = uint32_t(b & 0x80u) << 24, rest = b & 0x7fu;
    uint32_t u;
    if (rest >= kEnd) {  // infinity, NaN, which is made a quiet one
      const uint32_t payload = (rest << (23 - fraction)) & 0x7fffffu;
      u = 0x7f800000u | payload | (payload ? 0x400000u : 0);
    } else if (rest >> fraction)  // normal
      u = (rest << (23 - fraction)) + (uint32_t(127 - bias) << 23);
    else  // zero, subnormal: count in units of the smallest
      u = std::bit_cast<uint32_t>(float(rest) * std::bit_cast<float>(uint32_t(128 - bias - fraction) << 23));
    return std::bit_cast<float>(u | sign);
  }
};

using float8_e4m3fn = float8<3, 7, Float8Special::e4m3fn>;
using float8_e5m2 = float8<2, 15, Float8Special::ieee>;
using float8_e4m3fnuz = float8<3, 8, Float8Special::fnuz>;
using float8_e5m2fnuz = float8<2, 16, Float8Special::fnuz>;

}  // namespace th

#endif
