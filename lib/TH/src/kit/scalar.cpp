#include "scalar.hpp"

#include <cmath>
#include <cstring>

namespace th {
namespace {

template <class T>
bool fits(THScalar v) {
  if constexpr (std::is_same_v<T, bool>) {
    return true;
  } else if constexpr (isComplexType<T>) {
    const THComplexDouble z = scalarToComplex(v);
    return fits<typename T::value_type>(scalar(z.real())) && fits<typename T::value_type>(scalar(z.imag()));
  } else if (v.kind == TH_KIND_complex) {
    return v.imag == 0 && fits<T>(scalar(v.value.d));
  } else if (v.kind != TH_KIND_float) {
    const int64_t i = v.value.i;
    if constexpr (std::is_same_v<T, uint64_t>)
      return true;
    else if constexpr (!std::is_integral_v<T>)
      return std::fabs(scalarToDouble(v)) <= kGreatest<T>;
    else if (v.kind == TH_KIND_uint)
      return false;
    else if constexpr (std::is_unsigned_v<T>)
      return i >= -int64_t(std::numeric_limits<T>::max()) && i <= int64_t(std::numeric_limits<T>::max());  // wraps
    else
      return i >= std::numeric_limits<T>::min() && i <= std::numeric_limits<T>::max();
  } else {
    const double d = v.value.d;
    if constexpr (std::is_integral_v<T>)
      return d >= double(std::numeric_limits<T>::min()) && d <= kGreatest<T>;
    else  // some formats of 8 bits have no infinity
      return !(std::fabs(d) > kGreatest<T>) || (std::isinf(d) && std::isinf(convertTo<double>(convertTo<T>(d))));
  }
}

}  // namespace

template <class T>
T scalarTo(THScalar v) {
  if (!fits<T>(v))
    THError(TH_ERROR_RUNTIME, "value cannot be converted to type %s without overflow", typeNames<T>.written);
  if (v.kind == TH_KIND_complex) return convertTo<T>(scalarToComplex(v));
  if (v.kind == TH_KIND_uint) return convertTo<T>(v.value.u);
  return v.kind == TH_KIND_float ? convertTo<T>(v.value.d) : convertTo<T>(v.value.i);
}

#define INSTANTIATE(Name, type, kind, kernels, name, alias) template type scalarTo<type>(THScalar);
TH_DTYPES(INSTANTIATE)
#undef INSTANTIATE

void scalarToBytes(THDtype dtype, THScalar value, void *element) {
  static constexpr void (*table[])(THScalar, void *) = {
#define ROW(Name, type, kind, kernels, name, alias) \
  [](THScalar v, void *out) { const type x = scalarTo<type>(v); std::memcpy(out, &x, sizeof x); },
      TH_DTYPES(ROW)
#undef ROW
  };
  table[dtype](value, element);
}

THScalar scalarFromBytes(THDtype dtype, const void *element) {
  static constexpr THScalar (*table[])(const void *) = {
#define ROW(Name, type, kindName, kernels, name, alias)                                     \
  [](const void *in) {                                                            \
    Stored<type> stored;                                                          \
    std::memcpy(&stored, in, sizeof stored);                                      \
    const auto x = type(stored);                                                  \
    if (TH_KIND_##kindName == TH_KIND_complex) return scalar(convertTo<THComplexDouble>(x)); \
    if (TH_##Name == TH_UInt64) return scalar(convertTo<uint64_t>(x)); \
    THScalar s = TH_KIND_##kindName == TH_KIND_float ? scalar(convertTo<double>(x)) \
                                                     : scalar(convertTo<int64_t>(x)); \
    s.kind = TH_KIND_##kindName;                                                   \
    return s;                                                                     \
  },
      TH_DTYPES(ROW)
#undef ROW
  };
  return table[dtype](element);
}

}  // namespace th
