// Elements as long double, which holds every int64 and every double exactly.
#pragma once

#include "tensors.hpp"

namespace test {

template <class T> T toExact(T x) { return x; }
template <class T> T toExact(th::complex<T> x) { return x.real(); }

inline long double exact(const THTensor *t, int64_t i) {
  switch (THDtype(t->dtype)) {
#define CASE(Name, type, kind, kernels, name, alias) \
  case TH_##Name: return (long double)(toExact(*static_cast<type *>(address(t, i))));
    TH_DTYPES(CASE)
#undef CASE
    default: return NAN;
  }
}

inline bool isInteger(THDtype d) { return TH_kind(d) == TH_KIND_int; }
inline bool isSigned(THDtype d) { return TH_kind(d) >= TH_KIND_float || (isInteger(d) && TH_dtypeName(d)[0] == 'i'); }

// An integer modulo the width of a dtype.
inline long double wrap(THDtype d, __int128 x) {
  switch (d) {
    case TH_Bool: return x != 0;
    case TH_Byte: return uint8_t(x);
    case TH_Char: return int8_t(x);
    case TH_Short: return int16_t(x);
    case TH_Int: return int32_t(x);
    case TH_UInt16: return uint16_t(x);
    case TH_UInt32: return uint32_t(x);
    case TH_UInt64: return uint64_t(x);
    default: return (long double)int64_t(x);
  }
}

// Distance from `got` to the exact value in units in the last place of the dtype at that value.
inline double ulps(THDtype d, long double got, long double want) {
  if (std::isnan(want) || std::isnan(got)) return std::isnan(want) && std::isnan(got) ? 0 : 1e9;
  struct Format {
    int digits, lowest, highest;  // significant bits, exponents
  };
  const Format f = d == TH_Double     ? Format{53, -1022, 1023}
                   : d == TH_Half     ? Format{11, -14, 15}
                   : d == TH_BFloat16 ? Format{8, -126, 127}
                                      : Format{24, -126, 127};
  const long double largest = std::ldexp(2 - std::ldexp(1.0L, 1 - f.digits), f.highest);
  if (std::isinf(got) || std::isinf(want)) {
    if (got == want) return 0;
    // Rounding to infinity is right from half a step beyond the largest number.
    if (std::isinf(got) && (got > 0) == (want > 0)) return std::fabs(want) > largest * (1 - 1e-6L) ? 0 : 1e9;
    return std::fabs(want) > largest && std::fabs(got) == largest ? 1 : 1e9;
  }
  int exponent;
  std::frexp(want, &exponent);
  exponent = std::max(exponent - 1, f.lowest);
  return double(std::fabs(got - want) / std::ldexp(1.0L, exponent - f.digits + 1));
}

// How many correct roundings to the dtype are allowed on top of an error of the computation type:
// half types compute in float and round once.
inline double bound(THDtype d, double inFloat) { return d == TH_Half || d == TH_BFloat16 ? 0.51 : inFloat; }

inline double largest(THDtype d) {
  switch (d) {
    case TH_Bool: return 1;
    case TH_Byte: return 255;
    case TH_Char: return 127;
    case TH_Short: return 32767;
    case TH_Int: return 2147483647;
    case TH_Long: return 9.2e18;
    case TH_UInt16: return 65535;
    case TH_UInt32: return 4294967295;
    case TH_UInt64: return 1.8e19;
    case TH_Half: return 65504;
    case TH_BFloat16: return 0x1.fep127;
    case TH_Float: return 0x1.fffffep127;
    default: return 1.7e308;
  }
}

}  // namespace test
