#include "scalar.hpp"

#include <cmath>
#include <cstring>

namespace th {
namespace {

// As the message names them.
template <class T> constexpr const char *cName = nullptr;
template <> constexpr const char *cName<uint8_t> = "uint8_t";
template <> constexpr const char *cName<int8_t> = "int8_t";
template <> constexpr const char *cName<int16_t> = "int16_t";
template <> constexpr const char *cName<int32_t> = "int";
template <> constexpr const char *cName<int64_t> = "int64_t";
template <> constexpr const char *cName<uint16_t> = "uint16_t";
template <> constexpr const char *cName<uint32_t> = "uint32_t";
template <> constexpr const char *cName<uint64_t> = "uint64_t";
template <> constexpr const char *cName<float8_e4m3fn> = "c10::Float8_e4m3fn";
template <> constexpr const char *cName<float8_e5m2> = "c10::Float8_e5m2";
template <> constexpr const char *cName<float8_e4m3fnuz> = "c10::Float8_e4m3fnuz";
template <> constexpr const char *cName<float8_e5m2fnuz> = "c10::Float8_e5m2fnuz";
template <> constexpr const char *cName<half> = "c10::Half";
template <> constexpr const char *cName<bfloat16> = "c10::BFloat16";
template <> constexpr const char *cName<float> = "float";
template <> constexpr const char *cName<double> = "double";
template <> constexpr const char *cName<THComplexHalf> = "c10::complex<c10::Half>";
template <> constexpr const char *cName<THComplexFloat> = "c10::complex<float>";
template <> constexpr const char *cName<THComplexDouble> = "c10::complex<double>";

template <class T> constexpr double largest = double(std::numeric_limits<T>::max());
template <> constexpr double largest<float8_e4m3fn> = 448.0;
template <> constexpr double largest<float8_e5m2> = 57344.0;
template <> constexpr double largest<float8_e4m3fnuz> = 240.0;
template <> constexpr double largest<float8_e5m2fnuz> = 57344.0;
template <> constexpr double largest<half> = 65504.0;
template <> constexpr double largest<bfloat16> = 0x1.fep127;

template <class T>
bool fits(THScalar v) {
  if constexpr (std::is_same_v<T, bool>) {
    return true;
  } else if constexpr (std::is_same_v<T, THComplexHalf>) {
    return true;  // its parts become infinite
  } else if constexpr (isComplexType<T>) {
    const THComplexDouble z = scalarToComplex(v);
    return fits<typename T::value_type>(scalar(z.real())) && fits<typename T::value_type>(scalar(z.imag()));
  } else if (v.kind == TH_KIND_complex) {
    return v.imag == 0 && fits<T>(scalar(v.value.d));
  } else if (v.kind != TH_KIND_float) {
    const int64_t i = v.value.i;
    if constexpr (std::is_same_v<T, uint64_t>)
      return true;
    else if constexpr (std::is_unsigned_v<T>)
      return i >= -int64_t(std::numeric_limits<T>::max()) && i <= int64_t(std::numeric_limits<T>::max());  // wraps
    else if constexpr (std::is_integral_v<T>)
      return i >= std::numeric_limits<T>::min() && i <= std::numeric_limits<T>::max();
    else
      return std::fabs(double(i)) <= largest<T>;
  } else {
    const double d = v.value.d;
    if constexpr (std::is_integral_v<T>)
      return d >= double(std::numeric_limits<T>::min()) && d <= largest<T>;
    else
      return !(std::fabs(d) > largest<T>) || std::isinf(d);
  }
}

}  // namespace

template <class T>
T scalarTo(THScalar v) {
  if (!fits<T>(v)) THError(TH_ERROR_RUNTIME, "value cannot be converted to type %s without overflow", cName<T>);
  if (v.kind == TH_KIND_complex) return convertTo<T>(scalarToComplex(v));
  return v.kind == TH_KIND_float ? convertTo<T>(v.value.d) : convertTo<T>(v.value.i);
}

#define INSTANTIATE(Name, type, kind, name, alias) template type scalarTo<type>(THScalar);
TH_DTYPES(INSTANTIATE)
#undef INSTANTIATE

void scalarToBytes(THDtype dtype, THScalar value, void *element) {
  static constexpr void (*table[])(THScalar, void *) = {
#define ROW(Name, type, kind, name, alias) \
  [](THScalar v, void *out) { const type x = scalarTo<type>(v); std::memcpy(out, &x, sizeof x); },
      TH_DTYPES(ROW)
#undef ROW
  };
  table[dtype](value, element);
}

THScalar scalarFromBytes(THDtype dtype, const void *element) {
  static constexpr THScalar (*table[])(const void *) = {
#define ROW(Name, type, kindName, name, alias)                                     \
  [](const void *in) {                                                            \
    Stored<type> stored;                                                          \
    std::memcpy(&stored, in, sizeof stored);                                      \
    const auto x = type(stored);                                                  \
    if (TH_KIND_##kindName == TH_KIND_complex) return scalar(convertTo<THComplexDouble>(x)); \
    THScalar s = TH_KIND_##kindName == TH_KIND_float ? scalar(convertTo<double>(x)) \
                                                     : scalar(convertTo<int64_t>(x)); /* of uint64 the bits */ \
    s.kind = TH_KIND_##kindName;                                                   \
    return s;                                                                     \
  },
      TH_DTYPES(ROW)
#undef ROW
  };
  return table[dtype](element);
}

}  // namespace th
