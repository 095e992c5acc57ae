// From a template or an ordinary function to the C functions of a list of dtypes.
#pragma once

#include <TH/THGeneral.h>

namespace th {

// The C++ type of a dtype's elements, and back.
template <THDtype> struct ElementOf;
template <class> struct DtypeOf;
#define TH_ELEMENT(Name, type, kind, name, alias)            \
  template <> struct ElementOf<TH_##Name> { using T = type; }; \
  template <> struct DtypeOf<type> { static constexpr THDtype value = TH_##Name; };
TH_DTYPES(TH_ELEMENT)
#undef TH_ELEMENT

template <THDtype dtype> using Element = typename ElementOf<dtype>::T;

// The dtype table, for use where a call would cost more than the answer.
struct DtypeRow {
  uint8_t size;
  THKind kind;
  const char *name, *typeName;
};
inline constexpr DtypeRow dtypeTable[] = {
#define TH_ROW(Name, type, kind, name, alias) {sizeof(type), TH_KIND_##kind, name, #Name},
    TH_DTYPES(TH_ROW)
#undef TH_ROW
};
static_assert(sizeof dtypeTable == TH_NUM_DTYPES * sizeof *dtypeTable);
constexpr int64_t elementSize(THDtype dtype) { return dtypeTable[dtype].size; }

constexpr int64_t kWidest = 16;  // bytes of the widest element
struct Wide {                    // 16 bytes that only move; memory of others may be aligned to 8
  uint64_t low, high;
};

constexpr bool isFloating(THDtype dtype) { return dtypeTable[dtype].kind == TH_KIND_float; }
constexpr bool isComplex(THDtype dtype) { return dtypeTable[dtype].kind == TH_KIND_complex; }
// The dtype of a complex number's parts; of a real number its own.
constexpr THDtype realDtype(THDtype dtype) {
  return dtype == TH_ComplexHalf     ? TH_Half
         : dtype == TH_ComplexFloat  ? TH_Float
         : dtype == TH_ComplexDouble ? TH_Double
                                     : dtype;
}
// Does a dtype have storage and conversions, but no kernels?
constexpr bool isStored(THDtype dtype) {
#define TH_CASE(Name, _) \
  case TH_##Name: return false;
  switch (dtype) {
    TH_FOR_all_complex(TH_CASE, )
    default: return true;
  }
#undef TH_CASE
}
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
