// 16-bit numbers, as TH has them but with code of their own: what is tested shall not test itself.
#ifndef HOST_CUDA_SRC_HALF_HPP
#define HOST_CUDA_SRC_HALF_HPP

#include <cstdint>
#include <cstring>

namespace hostcuda {

inline float fromHalf(uint16_t h) {
  _Float16 f;
  std::memcpy(&f, &h, 2);
  return float(f);
}
inline uint16_t toHalf(float f) {
  const auto h = _Float16(f);
  uint16_t bits;
  std::memcpy(&bits, &h, 2);
  return bits;
}
inline float fromBfloat16(uint16_t b) {
  const uint32_t bits = uint32_t(b) << 16;
  float f;
  std::memcpy(&f, &bits, 4);
  return f;
}
inline uint16_t toBfloat16(float f) {
  uint32_t bits;
  std::memcpy(&bits, &f, 4);
  if (f != f) return 0x7fff;
  return uint16_t((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

}  // namespace hostcuda

#endif
