// Numbers on their way between dtypes: one definition of every conversion.
#pragma once

#include <limits>
#include <type_traits>
#include <TH/THGeneral.h>
#include "define.hpp"

namespace th {

template <class T>
constexpr bool isHalfType = std::is_same_v<T, half> || std::is_same_v<T, bfloat16>;
template <class T>
constexpr bool isFloat8Type = false;
template <int fraction, int bias, Float8Special special>
inline constexpr bool isFloat8Type<float8<fraction, bias, special>> = true;
template <class T>
constexpr bool isSmallFloat = isHalfType<T> || isFloat8Type<T>;  // stored so, computed in float
template <class T>
constexpr bool isComplexType = false;
template <class T>
inline constexpr bool isComplexType<complex<T>> = true;

// The type in which arithmetic on T is done.
template <class T>
using Compute = std::conditional_t<isSmallFloat<T>, float, T>;

// T as it lies in memory: a bool that is uninitialised, or was another dtype's, may be any byte, at which C++ may not
// look as bool.
template <class T>
using Stored = std::conditional_t<std::is_same_v<T, bool>, uint8_t, T>;

// Floating to integer as x86 does it: what does not fit (and NaN) gives the smallest int32 or
// int64, which is then cut to the type's width. uint8 goes by int64, the shorter signed ones by
// int32, as in torch. (For a float beyond int32 the low byte is 0 either way, and by int32 there
// are vector instructions.) uint16 is short, too; uint64 has a second half beyond int64's.
template <class To, class From>
constexpr To truncateTo(From x) {
  constexpr bool wide = sizeof(To) >= 4 || !std::is_same_v<From, float>;
  using Wide = std::conditional_t<(std::is_unsigned_v<To> && sizeof(To) != 2 && wide) || sizeof(To) == 8, int64_t,
                                  int32_t>;
  constexpr From limit = -From(std::numeric_limits<Wide>::min());
  if constexpr (std::is_same_v<To, uint64_t>)
    if (x >= limit) return truncateTo<int64_t>(x - limit) ^ (uint64_t(1) << 63);
  return To(x >= -limit && x < limit ? Wide(x) : std::numeric_limits<Wide>::min());
}

template <class To, class From>
constexpr To convertTo(From x) {
  if constexpr (std::is_same_v<To, From>)
    return x;
  else if constexpr (isComplexType<To> && isComplexType<From>)
    return To(typename To::value_type(x.real()), typename To::value_type(x.imag()));
  else if constexpr (isComplexType<To>)
    return To(convertTo<typename To::value_type>(x));
  else if constexpr (isComplexType<From> && std::is_same_v<To, bool>)
    return x.real() != 0 || x.imag() != 0;
  else if constexpr (isComplexType<From>)  // the imaginary part is lost
    return convertTo<To>(x.real());
  else if constexpr (isSmallFloat<From>)
    return convertTo<To>(float(x));
  else if constexpr (std::is_same_v<To, bool>)
    return x != From(0);
  else if constexpr (isSmallFloat<To>)
    return To(float(x));
  else if constexpr (std::is_floating_point_v<From> && std::is_integral_v<To>)
    return truncateTo<To>(x);
  else
    return To(x);
}

// What a scalar is for T. Raises where torch does: a number that T cannot hold.
template <class T> T scalarTo(THScalar value);

void scalarToBytes(THDtype dtype, THScalar value, void *element);
THScalar scalarFromBytes(THDtype dtype, const void *element);

inline double scalarToDouble(THScalar v) {
  return v.kind >= TH_KIND_float ? v.value.d : v.kind == TH_KIND_uint ? double(v.value.u) : double(v.value.i);
}
inline THComplexDouble scalarToComplex(THScalar v) {
  return {scalarToDouble(v), v.kind == TH_KIND_complex ? v.imag : 0};
}
inline bool isScalar(THScalar v, double x) { return scalarToComplex(v) == x; }
inline THScalar scalar(int64_t i) {
  THScalar s;
  s.kind = TH_KIND_int;
  s.value.i = i;
  s.imag = 0;
  return s;
}
inline THScalar scalar(uint64_t u) {
  THScalar s = scalar(int64_t(u));
  if (s.value.i < 0) s.kind = TH_KIND_uint;
  return s;
}
inline THScalar scalar(double d) {
  THScalar s;
  s.kind = TH_KIND_float;
  s.value.d = d;
  s.imag = 0;
  return s;
}
inline THScalar scalar(THComplexDouble z) {
  THScalar s;
  s.kind = TH_KIND_complex;
  s.value.d = z.real();
  s.imag = z.imag();
  return s;
}

}  // namespace th
