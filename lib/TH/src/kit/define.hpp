// From a template or an ordinary function to the C functions of a list of dtypes.
#pragma once

#include <cstdint>
#include <limits>
#include <type_traits>
#include <TH/THGeneral.h>

namespace th {

// The C++ type of a dtype's elements, and back.
template <THDtype> struct ElementOf;
template <class> struct DtypeOf;
#define TH_ELEMENT(Name, type, kind, kernels, name, alias)            \
  template <> struct ElementOf<TH_##Name> { using T = type; }; \
  template <> struct DtypeOf<type> { static constexpr THDtype value = TH_##Name; };
TH_DTYPES(TH_ELEMENT)
#undef TH_ELEMENT

template <THDtype dtype> using Element = typename ElementOf<dtype>::T;

// An element type's names in messages, as torch has them: in its sources, and as a compiler prints the type.
struct TypeNames {
  const char *written, *printed;
};
template <class T> inline constexpr TypeNames typeNames{};
template <> inline constexpr TypeNames typeNames<bool>{"bool", "bool"};
template <> inline constexpr TypeNames typeNames<uint8_t>{"uint8_t", "unsigned char"};
template <> inline constexpr TypeNames typeNames<int8_t>{"int8_t", "signed char"};
template <> inline constexpr TypeNames typeNames<int16_t>{"int16_t", "short"};
template <> inline constexpr TypeNames typeNames<int32_t>{"int", "int"};
template <> inline constexpr TypeNames typeNames<int64_t>{"int64_t", "long"};
template <> inline constexpr TypeNames typeNames<uint16_t>{"uint16_t", "short unsigned int"};
template <> inline constexpr TypeNames typeNames<uint32_t>{"uint32_t", "unsigned int"};
template <> inline constexpr TypeNames typeNames<uint64_t>{"uint64_t", "long unsigned int"};
template <> inline constexpr TypeNames typeNames<float>{"float", "float"};
template <> inline constexpr TypeNames typeNames<double>{"double", "double"};
#define TH_NAMES(type, name) template <> inline constexpr TypeNames typeNames<type>{name, name};
TH_NAMES(float8_e4m3fn, "c10::Float8_e4m3fn")
TH_NAMES(float8_e5m2, "c10::Float8_e5m2")
TH_NAMES(float8_e4m3fnuz, "c10::Float8_e4m3fnuz")
TH_NAMES(float8_e5m2fnuz, "c10::Float8_e5m2fnuz")
TH_NAMES(half, "c10::Half")
TH_NAMES(bfloat16, "c10::BFloat16")
TH_NAMES(complex<half>, "c10::complex<c10::Half>")
TH_NAMES(complex<float>, "c10::complex<float>")
TH_NAMES(complex<double>, "c10::complex<double>")
#undef TH_NAMES

// Binary digits, the greatest finite number, and the smallest positive one that is not subnormal (of integers 1); of a
// complex type, of its parts, whose dtype is kReal.
template <class T>
inline constexpr int kDigits = [] {
  if constexpr (requires { T::digits; })
    return T::digits;
  else
    return std::numeric_limits<T>::digits;
}();
template <class T>
inline constexpr int kDigits<complex<T>> = kDigits<T>;
template <class T>
inline constexpr double kGreatest = [] {
  if constexpr (requires { T::largest(); })
    return double(T::largest());
  else
    return double(std::numeric_limits<T>::max());
}();
template <class T>
inline constexpr double kGreatest<complex<T>> = kGreatest<T>;
template <class T>
inline constexpr double kSmallest = [] {
  if constexpr (requires { T::smallest(); })
    return double(T::smallest());
  else
    return std::is_integral_v<T> ? 1.0 : double(std::numeric_limits<T>::min());
}();
template <class T>
inline constexpr double kSmallest<complex<T>> = kSmallest<T>;
template <class T>
inline constexpr THDtype kReal = DtypeOf<T>::value;
template <class T>
inline constexpr THDtype kReal<complex<T>> = kReal<T>;

// The dtype table, for use where a call would cost more than the answer.
struct DtypeRow {
  uint8_t size, digits;
  THKind kind;
  THDtype kernels, real;
  double greatest, smallest;
  const char *name, *typeName;
  TypeNames names;
};
inline constexpr DtypeRow dtypeTable[] = {
#define TH_ROW(Name, type, kind, kernels, name, alias) \
  {sizeof(type), uint8_t(kDigits<type>), TH_KIND_##kind, TH_##kernels, kReal<type>, kGreatest<type>, kSmallest<type>, name, #Name, typeNames<type>},
    TH_DTYPES(TH_ROW)
#undef TH_ROW
};
static_assert(sizeof dtypeTable == TH_NUM_DTYPES * sizeof *dtypeTable);
static_assert([] {
  for (const DtypeRow &row : dtypeTable)
    if (!row.names.written) return false;
  return true;
}());
constexpr int64_t elementSize(THDtype dtype) { return dtypeTable[dtype].size; }

constexpr int64_t kWidest = 16;  // bytes of the widest element
struct Wide {                    // 16 bytes that only move; memory of others may be aligned to 8
  uint64_t low, high;
};

constexpr bool isFloating(THDtype dtype) { return dtypeTable[dtype].kind == TH_KIND_float; }
constexpr bool isComplex(THDtype dtype) { return dtypeTable[dtype].kind == TH_KIND_complex; }
// The dtype of a complex number's parts; of a real number its own.
constexpr THDtype realDtype(THDtype dtype) { return dtypeTable[dtype].real; }
// Does a dtype have storage and conversions, but no kernels?
constexpr bool isStored(THDtype dtype) { return dtypeTable[dtype].kernels != dtype; }
constexpr bool isFloat8(THDtype dtype) { return isFloating(dtype) && isStored(dtype); }
constexpr bool isHalf(THDtype dtype) { return dtype == TH_Half || dtype == TH_BFloat16; }

}  // namespace th

// One line defines what TH_FUNCTION declares; in the last argument, T is the element type and
// `dtype` its THDtype:
//     TH_DEFINE(sort, all, (THTensor *r, const THTensor *t), th::sort<T>(r, t))
//     TH_DEFINE(neg, number, (THTensor *r, const THTensor *t), unary(negation, dtype, r, t))
#define TH_DEFINE(op, dtypes, args, ...) TH_FOR_##dtypes(TH_DEFINE_, op, args, __VA_ARGS__)
#define TH_DEFINE_(Name, op, args, ...)                       \
  void TH##Name##Tensor_##op args {                           \
    [[maybe_unused]] constexpr THDtype dtype = TH_##Name;     \
    using T [[maybe_unused]] = th::Element<TH_##Name>;        \
    __VA_ARGS__;                                              \
  }
