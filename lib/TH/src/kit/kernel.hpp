// Tables of inner loops: how a kernel says, in one line, which loop serves which dtype.
#pragma once

#include "define.hpp"
#include "iterator.hpp"

namespace th {

template <THDtype... d> struct Dtypes {};
#define TH_LIST_ITEM(Name, ...) , TH_##Name
template <class List> struct DropFirst;
template <THDtype first, THDtype... d> struct DropFirst<Dtypes<first, d...>> {
  using List = Dtypes<d...>;
};
#define TH_LIST(dtypes) DropFirst<Dtypes<TH_Bool TH_FOR_##dtypes(TH_LIST_ITEM, )>>::List
using AllDtypes = TH_LIST(all);
using NumberDtypes = TH_LIST(number);
using FloatingDtypes = TH_LIST(floating);
using IntegralDtypes = TH_LIST(integral);
using BitsDtypes = TH_LIST(bits);
using ComplexDtypes = TH_LIST(complex);
using FloatingComplexDtypes = TH_LIST(floating_complex);
using NumberComplexDtypes = TH_LIST(number_complex);
using AllComplexDtypes = TH_LIST(all_complex);
#undef TH_LIST
#undef TH_LIST_ITEM

// In which dtype the loop for `d` computes. Half types always compute in float, by the iterator's
// blocks; so there are hardly any loops for them (see Kernel::narrow).
constexpr THDtype native(THDtype d) { return isHalf(d) ? TH_Float : d; }
// Narrow integers in int32 too, where the work outweighs the conversion: fewer loops to compile.
constexpr THDtype wide(THDtype d) {
  return isHalf(d) ? TH_Float : d == TH_Byte || d == TH_Char || d == TH_Short ? TH_Int : d;
}

// The type that a loop sees. Sign-free operations (+, *, ==, &, …) compute in unsigned types: one
// loop for two dtypes, and overflow wraps. bool is the byte that it is.
template <THDtype d> struct LoopType {
  using T = Element<d>;
};
template <> struct LoopType<TH_Bool> {
  using T = uint8_t;
};
template <THDtype d> struct SignFreeType {
  using T = typename LoopType<d>::T;
};
template <> struct SignFreeType<TH_Char> {
  using T = uint8_t;
};
template <> struct SignFreeType<TH_Short> {
  using T = uint16_t;
};
template <> struct SignFreeType<TH_Int> {
  using T = uint32_t;
};
template <> struct SignFreeType<TH_Long> {
  using T = uint64_t;
};

// make<d>() is the Kernel for dtype d.
template <class Make, THDtype... d>
constexpr KernelTable makeTable(Dtypes<d...>, Make make) {
  KernelTable table{};
  ((table.of[d] = make.template operator()<d>()), ...);
  return table;
}

// Loops for functors that cost more than the memory they touch: no variants, any target.
template <class Op, class R, class T>
void plainUnaryLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  for (int64_t i = 0; i < n; i++)
    *reinterpret_cast<R *>(data[0] + i * strides[0]) = Op()(*reinterpret_cast<const T *>(data[1] + i * strides[1]));
}

template <class Op, class R, class T>
void plainBinaryLoop(char *const *data, const int64_t *strides, int64_t n, const void *) {
  for (int64_t i = 0; i < n; i++)
    *reinterpret_cast<R *>(data[0] + i * strides[0]) = Op()(*reinterpret_cast<const T *>(data[1] + i * strides[1]),
                                                            *reinterpret_cast<const T *>(data[2] + i * strides[2]));
}

template <template <class> class Op, THDtype (*compute)(THDtype) = wide>
struct PlainUnary {
  template <THDtype d> constexpr Kernel operator()() const {
    constexpr THDtype c = compute(d);
    return {plainUnaryLoop<Op<Element<c>>, Element<c>, Element<c>>, c, c};
  }
};

template <template <class> class Op, THDtype (*compute)(THDtype) = wide>
struct PlainBinary {
  template <THDtype d> constexpr Kernel operator()() const {
    constexpr THDtype c = compute(d);
    return {plainBinaryLoop<Op<Element<c>>, Element<c>, Element<c>>, c, c};
  }
};

}  // namespace th
